#include "analysis/report.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "analysis/format.hpp"
#include "made_up_run.hpp"

using namespace fleetcast::analysis;

namespace {

std::string report_of(const made_up::Run& run, const Style& style) {
  std::ostringstream out;
  print_run(out, summarize(run.file, run.plans, run.outcomes), run.plans, style);
  return out.str();
}

std::string check_of(const made_up::Run& run, const Style& style) {
  std::ostringstream out;
  print_check(out, run.file, run.plans, style);
  return out.str();
}

std::size_t widest_line(const std::string& text) {
  std::istringstream lines{text};
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, columns_of(line));
  return widest;
}

bool is_plain_ascii(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return c == '\n' || (c >= 0x20 && c < 0x7f); });
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("Nothing is wider than the terminal, down to 20 columns") {
  auto run = made_up::run(100);
  run.plans[1].facts.warnings = {"averylongwordwithoutanyblankthatdoesnotfitintotwentycolumns at all"};
  for (const int width : {20, 25, 40, 59, 60, 80, 100, 132, 200})
    for (const bool unicode : {false, true}) {
      CAPTURE(width);
      CHECK(widest_line(report_of(run, {width, unicode, false})) <= static_cast<std::size_t>(width));
      CHECK(widest_line(check_of(run, {width, unicode, false})) <= static_cast<std::size_t>(width));
    }
  CHECK_NOTHROW(report_of(run, {1, false, false}));
  CHECK_NOTHROW(report_of(run, {0, false, false}));
}

TEST_CASE("A plain terminal gets ASCII only, whatever the names, and no colour codes unless asked") {
  auto run = made_up::run(100);
  run.file.name = "Läufe 试验";
  run.plans[1].name = run.file.strategies[1].strategy = "spot \x1b[31mé";
  run.outcomes[1][0].status = fleetcast::sim::Status::horizon;
  CHECK(is_plain_ascii(report_of(run, {100, false, false})));
  CHECK(is_plain_ascii(check_of(run, {100, false, false})));
  CHECK_FALSE(contains(report_of(run, {100, true, false}), "\x1b"));
  CHECK(contains(report_of(run, {100, true, false}), "Läufe 试验"));
  CHECK(contains(report_of(run, {100, true, true}), "\x1b[1m"));
}

TEST_CASE("Warnings come first, then the answer in words") {
  auto run = made_up::run(1000);
  for (auto& plan : run.plans) plan.facts.warnings = {"mind this"};
  const std::string text = report_of(run, {400, false, false});
  CHECK(text.starts_with("warning: mind this\n\nCheapest: spot, async saves - $"));
  CHECK(contains(text, "59 % below base; finishes in 8.4"));
  CHECK(contains(text, "deadline met in 7"));
  CHECK(contains(text, "Cheapest that meets the deadline: fp8 - $"));
  CHECK(contains(text, "1000/1000"));
}

TEST_CASE("A difference that the trials do not show is not claimed") {
  auto run = made_up::run(50);
  run.plans.resize(2);
  run.outcomes.resize(2);
  run.outcomes[1] = run.outcomes[0];
  for (std::size_t i = 0; i < 50; ++i) run.outcomes[1][i].cost_usd += i % 2 == 0 ? 100.0 : -101.0;
  CHECK(contains(report_of(run, {200, false, false}), "not clearly different from base"));
}

TEST_CASE("A run that cannot finish says why and what would help") {
  auto run = made_up::run(80);
  for (auto& trials : run.outcomes)
    for (auto& trial : trials) trial.status = fleetcast::sim::Status::horizon;
  run.plans[0].facts.hopeless = "nodes live shorter than a restart takes; on-demand nodes would help";
  const std::string text = report_of(run, {120, false, false});
  CHECK(contains(text, "No strategy finishes. base: nodes live shorter than a restart"));
  CHECK(contains(text, ">="));
  CHECK(contains(text, "0/80"));
}

TEST_CASE("One strategy, one trial, no deadline: still a whole report") {
  auto run = made_up::run(1);
  run.plans.resize(1);
  run.outcomes.resize(1);
  run.plans[0].facts.deadline_s.reset();
  const std::string text = report_of(run, {100, false, false});
  CHECK(contains(text, "base - $"));
  CHECK(contains(text, "n/a"));
  CHECK_FALSE(contains(text, "nan"));
  CHECK_FALSE(contains(text, "Paired"));
}

TEST_CASE("Rare causes of stops are taken together, a lone one keeps its name") {
  auto run = made_up::run(1);
  for (auto& plan : run.plans) plan.cause_names = {"reclaim", "gpu", "cable", "fan"};
  for (auto& trials : run.outcomes)
    for (auto& trial : trials) {
      trial.stops = 1000;
      trial.stops_by_cause = {900, 67, 19, 14};
    }
  const std::string text = report_of(run, {100, false, false});
  CHECK(contains(text, "\n2 rarer causes "));
  CHECK(contains(text, " 33.0"));
  CHECK_FALSE(contains(text, "cable"));
  for (auto& trials : run.outcomes) trials[0].stops_by_cause = {900, 66, 20, 14};
  CHECK(contains(report_of(run, {100, false, false}), "\nfan "));
}

TEST_CASE("Figures are rounded to what their error supports") {
  CHECK(rounded_to(12343.27, step_for(12343.27, 120.0)) == "12,340");
  CHECK(rounded_to(12343.27, step_for(12343.27, 35.0)) == "12,340");
  CHECK(rounded_to(12343.27, step_for(12343.27, 34.0)) == "12,343");
  CHECK(rounded_to(12343.27, step_for(12343.27, 0.0)) == "12,343");
  CHECK(rounded_to(105719.04, step_for(105719.04, 1.5e-11)) == "105,720");  // one bit of difference
  CHECK(rounded_to(8.2049, step_for(8.2049, 0.05)) == "8.20");
  CHECK(rounded_to(-0.0004, 0.01) == "0.00");
  CHECK(grouped(-1234567.891, 1) == "-1,234,567.9");
  CHECK(grouped(999.0, 0) == "999");
  CHECK(grouped(1000.0, 0) == "1,000");
  CHECK(significant(0.00012345, 3) == "0.000123");
  CHECK(significant(1234567.0, 3) == "1,230,000");
  CHECK(percent(0.998) == "99.8");
  CHECK(percent(0.99951) == "99.95");
  CHECK(percent(0.999999) != "100");
  CHECK(percent(1.0) == "100");
  CHECK(percent(0.0) == "0");
  CHECK(percent(0.0004) == "0.04");
  CHECK(duration(8.2 * 86400) == "8.20 d");
  CHECK(byte_size(96e9) == "96.0 GB");
  CHECK(whole(4194304.0) == "4,194,304");
}

TEST_CASE("Texts are wrapped at blanks, inside words that are too long, and not at hard blanks") {
  CHECK(wrapped("one two three", 8, "", "  ") == "one two\n  three\n");
  CHECK(wrapped("abcdefghijkl", 8, "", "") == "abcdefgh\nijkl\n");
  CHECK(wrapped(std::string{"about 59"} + hard_blank + "% below", 9, "", "") == "about\n59 %\nbelow\n");
  CHECK(wrapped("äöüäöüäö xy", 8, "", "") == "äöüäöüäö\nxy\n");
  CHECK(wrapped("", 8, "- ", "") == "- \n");
}

TEST_CASE("Check names every default with its grade, and says it once for all strategies") {
  auto run = made_up::run(1);
  run.file.strategies[3].assumptions = {
      {"/fleet/main/notice", "2 min", fleetcast::models::Grade::measured, "provider"}};
  const std::string text = check_of(run, {100, false, false});
  CHECK(contains(text, "/fleet/main/wait = lognormal(median 5 min, sigma 0.5)"));
  CHECK(contains(text, "assumed: on-demand capacity, no public measurement"));
  CHECK(contains(text, "(fp8) /fleet/main/notice = 2 min"));
  CHECK(contains(text, "measured: provider"));
  CHECK(text.find("/training/jitter") == text.rfind("/training/jitter"));
  CHECK(contains(text, "Checkpoint interval: Young/Daly with 0.012 stops per hour"));
  CHECK(contains(text, "4,194,304"));
}

TEST_CASE("The JSON of check holds what the text shows, and null for what is never") {
  auto run = made_up::run(1);
  run.plans[0].facts.wait_s = std::numeric_limits<double>::infinity();
  run.plans[1].facts.expectation = {{}, {}, "", "several pools"};
  const auto json = nlohmann::json::parse(check_json(run.file, run.plans));
  const auto& base = json.at("strategies").at(0);
  CHECK(base.at("wait_s").is_null());
  CHECK(base.at("step").at("grade") == "fitted");
  CHECK(base.at("assumptions").at(0).at("value") == "lognormal(median 5 min, sigma 0.5)");
  CHECK(base.at("checkpoint").at("interval_steps") == 1300);
  CHECK(json["strategies"][1]["expectation"]["why"] == "several pools");
  CHECK(json["strategies"][1]["expectation"]["time_s"].is_null());
}
