#include "analysis/stopping_report.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "analysis/report.hpp"
#include "made_up_run.hpp"

using namespace fleetcast::analysis;
using fleetcast::scenarios::RuleFigure;
using fleetcast::scenarios::Until;
using Of = WidthReached::Of;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Three strategies.
RunSummary summary_of(const made_up::Run& run) {
  return summarize(run.file, run.plans, run.outcomes);
}

Stopping stopping(bool met, std::vector<WidthReached> widths) {
  return {{RuleFigure::cost_usd, 0.01, 64'000, true}, 1000, 3, {4000, std::move(widths), met}};
}
WidthReached narrow(double width) {
  return {Of::mean, width, true};
}

}  // namespace

TEST_CASE("the line says how many doublings, how many trials and the width reached") {
  RunSummary summary = summary_of(made_up::run(200));
  CHECK(stopping_line(summary).empty());
  tell(summary, stopping(true, {narrow(0.002), narrow(0.0093), narrow(0.004), narrow(0.001)}));
  CHECK(stopping_line(summary) ==
        "Stopping rule: met after 2 doublings, at 4,000 trials: half of the 95 % interval of the mean of cost_usd is "
        "0.930 % of it at the widest (spot), asked for: 1 %.");
  CHECK(summary.warnings == summary_of(made_up::run(200)).warnings);
}

TEST_CASE("strategies that are judged otherwise, or not at all, are named") {
  RunSummary summary = summary_of(made_up::run(200));
  tell(summary, stopping(true, {narrow(0.002), {Of::mean_at_least, 0.001, true}, {Of::nothing, {}, true}, narrow(0)}));
  CHECK(contains(stopping_line(summary), "at the widest (base)"));
  CHECK(contains(stopping_line(summary), "Judged by mean_at_least, since some trials did not finish: spot."));
  CHECK(contains(stopping_line(summary), "Not judged, since no trial finished: spot, async saves."));
  const WidthReached nothing{Of::nothing, {}, true};
  tell(summary, stopping(true, {nothing, nothing, nothing, nothing}));
  CHECK(contains(stopping_line(summary), "no strategy can be judged"));
}

TEST_CASE("a rule that is not met is warned of, with the width that is left") {
  const RunSummary before = summary_of(made_up::run(200));
  RunSummary summary = before;
  tell(summary, stopping(false, {narrow(0.002), {Of::mean, 0.023, false}, narrow(0), narrow(0)}));
  REQUIRE(summary.warnings.size() == before.warnings.size() + 1);
  CHECK(summary.warnings.back() ==
        "montecarlo.until is not met with the 4,000 trials that at_most allows: half of the 95 % interval of the mean "
        "of cost_usd is 2.30 % of it at the widest (spot), asked for: 1 %");
  CHECK(contains(stopping_line(summary), "Stopping rule: not met after 2 doublings"));
  summary = before;
  tell(summary, stopping(false, {narrow(0.002), {Of::mean, {}, false}, {Of::mean, 0.5, false}, narrow(0)}));
  CHECK(contains(summary.warnings.back(), "is not known (spot)"));
  summary = before;
  tell(summary, stopping(false, {narrow(0.002), narrow(0), narrow(0), narrow(0)}));
  CHECK(contains(summary.warnings.back(), "fewer than 100 are never enough"));
}

TEST_CASE("report and JSON tell it, and are silent without a rule") {
  const made_up::Run run = made_up::run(200);
  RunSummary summary = summary_of(run);
  const auto text = [&] {
    std::ostringstream out;
    print_run(out, summary, run.plans, {400, false, false});
    return out.str();
  };
  CHECK_FALSE(contains(text(), "Stopping rule"));
  CHECK(nlohmann::json::parse(to_json(summary))["until"].is_null());
  tell(summary, stopping(true, {narrow(0.002), {Of::mean_at_least, 0.0093, true}, {Of::nothing, {}, true}, narrow(0)}));
  CHECK(contains(text(), "Stopping rule: met after 2 doublings"));
  const auto until = nlohmann::json::parse(to_json(summary))["until"];
  CHECK(until["figure"] == "cost_usd");
  CHECK(until["half_width"] == 0.01);
  CHECK(until["at_most"] == 64000);
  CHECK(until["first_look"] == 1000);
  CHECK(until["looks"] == 3);
  CHECK(until["replicates"] == 4000);
  CHECK(until["met"] == true);
  REQUIRE(until["reached"].size() == 4);
  CHECK(until["reached"][1]["name"] == "spot");
  CHECK(until["reached"][1]["half_width"] == 0.0093);
  CHECK(until["reached"][1]["of"] == "mean_at_least");
  CHECK(until["reached"][2]["half_width"].is_null());
  CHECK(until["reached"][2]["of"].is_null());
}

TEST_CASE("check says what the rule will do, and that at_most was assumed") {
  made_up::Run run = made_up::run(20);
  const auto text = [&] {
    std::ostringstream out;
    print_check(out, run.file, run.plans, {400, false, false});
    return out.str();
  };
  CHECK_FALSE(contains(text(), "doubled"));
  CHECK(nlohmann::json::parse(check_json(run.file, run.plans))["montecarlo"]["until"].is_null());
  run.file.montecarlo.until = Until{RuleFigure::time_s, 0.005, 64'000, true};
  CHECK(contains(text(),
                 "Trials: 1,000 per strategy, doubled until in every strategy half of the 95 % interval of the "
                 "mean of time_s is at most 0.5 % of it; at most 64,000"));
  CHECK(contains(text(), "/montecarlo/until/at_most = 64000"));
  CHECK(nlohmann::json::parse(check_json(run.file, run.plans))["montecarlo"]["until"]["at_most"] == 64000);
  run.file.montecarlo.until->at_most_assumed = false;
  CHECK_FALSE(contains(text(), "/montecarlo/until/at_most"));
}
