#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <string>

#include "models/random/distribution.hpp"

namespace fleetcast::models {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST_CASE("Times are written in the unit that reads best") {
  const auto text = [](double seconds) { return describe_time(Constant{seconds}); };
  CHECK(text(0.0) == "0 s");
  CHECK(text(30.0) == "30 s");
  CHECK(text(60.0) == "1 min");
  CHECK(text(90.0) == "90 s");
  CHECK(text(222.0) == "3.7 min");
  CHECK(text(200.0) == "200 s");
  CHECK(text(900.0) == "15 min");
  CHECK(text(1800.0) == "30 min");
  CHECK(text(5000.0) == "5000 s");
  CHECK(text(5040.0) == "1.4 h");
  CHECK(text(86400.0) == "1 d");
  CHECK(text(18 * 86400.0) == "18 d");
  CHECK(text(3661.0) == "3661 s");
  CHECK(text(0.25) == "250 ms");
  CHECK(text(1.5e-5) == "15 us");
  CHECK(text(1e-9) == "1 ns");
  CHECK(text(infinity) == "never");
}

TEST_CASE("Laws are written as the scenario language writes them") {
  CHECK(describe_time(Never{}) == "never");
  CHECK(describe_time(None{}) == "none");
  CHECK(describe_time(Exponential{120.0}) == "exponential(mean 2 min)");
  CHECK(describe_time(Uniform{1020.0, 1800.0}) == "uniform(17 min, 30 min)");
  CHECK(describe_time(LogNormal{222.0, 0.3}) == "lognormal(median 3.7 min, sigma 0.3)");
  CHECK(describe_time(Weibull{5040.0, 0.62}) == "weibull(scale 1.4 h, shape 0.62)");
  CHECK(describe_time(PiecewiseHazard{{{900.0, 1.7 / 3600.0}, {infinity, 0.2 / 3600.0}}}) ==
        "hazard(1.7 /h until 15 min, 0.2 /h)");
  CHECK(describe_time(PiecewiseHazard{{{900.0, 0.0}, {infinity, 2.0}}}) == "hazard(0 /h until 15 min, 2 /s)");
  CHECK(describe_time(Mixture{{{0.2, None{}}, {0.8, Constant{30.0}}}}) == "mix(0.2: none, 0.8: 30 s)");
}

TEST_CASE("A written time has the value it came from, to six digits") {
  const std::map<std::string, double> units{{"ns", 1e-9},  {"us", 1e-6},  {"ms", 1e-3},  {"s", 1.0},
                                            {"min", 60.0}, {"h", 3600.0}, {"d", 86400.0}};
  int checked = 0;
  for (double seconds = 3.7e-9; seconds < 1e12; seconds *= 1.0837) {
    const std::string text = describe_time(Constant{seconds});
    const std::size_t space = text.find(' ');
    const double back = std::strtod(text.c_str(), nullptr) * units.at(text.substr(space + 1));
    CHECK(std::abs(back / seconds - 1.0) <= 5.1e-6);  // half of the sixth digit of a figure that begins with 1
    ++checked;
  }
  CHECK(checked > 500);
}

TEST_CASE("A written hazard rate has the value it came from, to six digits") {
  const std::map<std::string, double> units{{"/s", 1.0}, {"/min", 60.0}, {"/h", 3600.0}, {"/d", 86400.0}};
  for (double rate = 1e-12; rate < 1e6; rate *= 1.0837) {
    const std::string text = describe_time(PiecewiseHazard{{{infinity, rate}}});
    const std::size_t start = text.find('(') + 1, space = text.find(' ');
    const double back =
        std::strtod(text.c_str() + start, nullptr) / units.at(text.substr(space + 1, text.size() - space - 2));
    CHECK(std::abs(back / rate - 1.0) <= 5.1e-6);
  }
}

}  // namespace fleetcast::models
