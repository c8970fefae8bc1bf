// A display problem never ends a run, and logs stay readable.
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/runs.hpp"

using namespace fleetcast::tests;

namespace {

constexpr char escape = '\x1b';

bool is_ascii(const std::string& text) {
  return std::ranges::all_of(text, [](char letter) { return static_cast<unsigned char>(letter) < 128; });
}

/// Columns of the longest line: bytes, less the continuation bytes of UTF-8.
std::size_t widest(const std::string& text) {
  std::size_t most = 0;
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) {
    const auto columns = std::ranges::count_if(line, [](char letter) { return (letter & 0xC0) != 0x80; });
    most = std::max(most, static_cast<std::size_t>(columns));
  }
  return most;
}

/// A run that takes long enough for the bar to be drawn.
std::vector<std::string> visible_run(const Runs& runs, std::vector<std::string> options = {}) {
  options.insert(options.end(), {"--grain", "node", "--replicates", "100", "--threads", "1"});
  return runs.arguments(std::move(options));
}

using Variables = std::map<std::string, std::string>;

}  // namespace

TEST_CASE("on a terminal a bar with rate and time left is drawn and wiped out") {
  const Runs runs;
  const Shown shown = run_on_terminal(visible_run(runs), 100, {{"TERM", "xterm"}, {"LC_ALL", "C"}});
  CHECK(shown.code == 0);
  CHECK(has(shown.text, "% #"));
  CHECK(has(shown.text, " trials"));
  CHECK(has(shown.text, "left"));
  const std::size_t wiped = shown.text.rfind('\r', shown.text.find("frequent"));
  CHECK(wiped != std::string::npos);
}

TEST_CASE("--quiet draws no bar") {
  const Shown shown = run_on_terminal(visible_run(Runs{}, {"--quiet"}), 100, {{"TERM", "xterm"}});
  CHECK(!has(shown.text, "left"));
}

TEST_CASE("the bar uses blocks where the locale is UTF-8 and ASCII elsewhere") {
  const Runs runs;
  const Shown utf8 = run_on_terminal(visible_run(runs), 100, {{"TERM", "xterm"}, {"LC_ALL", "C.UTF-8"}});
  CHECK(has(utf8.text, "█"));
  for (const Variables& variables :
       {Variables{{"TERM", "xterm"}, {"LC_ALL", "C"}}, Variables{{"TERM", "dumb"}, {"LC_ALL", "C"}},
        Variables{{"LC_ALL", "xx_YY.UTF-8"}}}) {
    const Shown plain = run_on_terminal(visible_run(runs), 100, variables);
    CHECK(plain.code == 0);
    CHECK(is_ascii(plain.text));
  }
}

TEST_CASE("colour comes on a terminal only, not with NO_COLOR, not on a dumb one, and always when forced") {
  const Runs runs;
  const std::vector<std::string> arguments = runs.arguments({"--replicates", "20", "--quiet"});
  const auto colored = [&](const Variables& variables) {
    return has(run_on_terminal(arguments, 100, variables).text, std::string{escape});
  };
  CHECK(colored({{"TERM", "xterm-256color"}}));
  CHECK(!colored({{"TERM", "xterm-256color"}, {"NO_COLOR", "1"}}));
  CHECK(colored({{"TERM", "xterm-256color"}, {"NO_COLOR", ""}}));
  CHECK(!colored({{"TERM", "dumb"}}));
  CHECK(!colored({}));
  CHECK(!has(runs.run({"--replicates", "20"}, {.folder = {}, .variables = {{"TERM", "xterm"}}}).out,
             std::string{escape}));
  CHECK(has(runs.run({"--replicates", "20", "--color", "always"}).out, std::string{escape}));
  CHECK(!has(run_on_terminal(runs.arguments({"--color", "never", "--quiet"}), 100, {{"TERM", "xterm"}}).text,
             std::string{escape}));
}

TEST_CASE("20 columns, 80 columns and no terminal at all: the lines fit") {
  const Runs runs;
  for (const int columns : {20, 80, 200}) {
    CAPTURE(columns);
    const Shown shown = run_on_terminal(visible_run(runs, {"--quiet"}), columns, {{"TERM", "dumb"}, {"LC_ALL", "C"}});
    CHECK(shown.code == 0);
    // A terminal turns each line break into carriage return and line feed.
    CHECK(widest(shown.text) <= static_cast<std::size_t>(columns) + 1);
    const Finished piped =
        runs.run({"--replicates", "20"}, {.folder = {}, .variables = {{"COLUMNS", std::to_string(columns)}}});
    CHECK(piped.code == 0);
    CHECK(widest(piped.out) <= static_cast<std::size_t>(columns));
  }
}

TEST_CASE("check fits narrow terminals too") {
  const Runs runs;
  const Finished narrow =
      run_fleetcast({"check", runs.scenario()}, {.folder = {}, .variables = {{"COLUMNS", "40"}, {"TERM", "dumb"}}});
  CHECK(narrow.code == 0);
  CHECK(is_ascii(narrow.out));
  CHECK(widest(narrow.out) <= 40);
}

TEST_CASE("odd values of COLUMNS, TERM and the locale do not matter") {
  const Runs runs;
  for (const Variables& variables :
       {Variables{{"COLUMNS", "0"}}, Variables{{"COLUMNS", "-5"}}, Variables{{"COLUMNS", "wide"}},
        Variables{{"COLUMNS", "1"}}, Variables{{"COLUMNS", "99999999999999999999"}},
        Variables{{"TERM", "no-such-terminal"}}, Variables{{"LC_ALL", "nonsense"}}}) {
    const Finished answer = runs.run({"--replicates", "2"}, {.folder = {}, .variables = variables});
    CHECK(answer.code == 0);
    CHECK(answer.err.empty());
  }
}
