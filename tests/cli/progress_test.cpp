#include "analysis/cli/progress.hpp"

#include <doctest/doctest.h>

#include <string>

using fleetcast::cli::progress_line;

TEST_CASE("a wide line shows share, bar, count, rate and time left") {
  CHECK(progress_line({.done = 1000, .total = 4000, .rate = 500.0}, 60, false) ==
        " 25% ####............... 1,000/4,000 trials, 500/s, 6 s left");
  CHECK(progress_line({.done = 0, .total = 4000, .rate = 0.0}, 40, false) ==
        "  0% .................... 0/4,000 trials");
}

TEST_CASE("a narrow line leaves out the count first, then the rate, then the time, then the bar") {
  const fleetcast::cli::ProgressState state{.done = 1000, .total = 4000, .rate = 500.0};
  CHECK(progress_line(state, 30, false) == " 25% ##....... 500/s, 6 s left");
  CHECK(progress_line(state, 20, false) == " 25% #..... 6 s left");
  CHECK(progress_line(state, 12, false) == " 25% #......");
  CHECK(progress_line(state, 4, false) == " 25%");
  CHECK(progress_line(state, 0, false).empty());
}

TEST_CASE("no line is wider than its terminal") {
  for (int columns = 0; columns <= 130; ++columns) {
    for (const double rate : {0.0, 0.001, 3.0, 2e6}) {
      const std::string line = progress_line({.done = 123456, .total = 987654321, .rate = rate}, columns, false);
      CHECK(line.size() <= static_cast<std::size_t>(columns));
    }
  }
}

TEST_CASE("long waits are told in minutes and hours, slow rates per minute") {
  const auto tail = [](double rate) { return progress_line({.done = 0, .total = 36000, .rate = rate}, 100, false); };
  CHECK(tail(1000.0).ends_with("1,000/s, 36 s left"));
  CHECK(tail(100.0).ends_with("100/s, 6 min left"));
  CHECK(tail(1.0).ends_with("60/min, 10 h left"));
}

TEST_CASE("a run without trials is complete") {
  CHECK(progress_line({.done = 0, .total = 0, .rate = 0.0}, 20, false).starts_with("100% "));
}
