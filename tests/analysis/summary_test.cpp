#include "analysis/summary.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "made_up_run.hpp"
#include "models/errors.hpp"

using namespace fleetcast::analysis;
using fleetcast::sim::Account;
using fleetcast::sim::Status;
using made_up::Outcome;

namespace {

/// One strategy whose trials are given.
made_up::Run run_of(std::vector<Outcome> trials) {
  made_up::Run run;
  run.file.name = "test";
  run.plans = {made_up::plan("base")};
  for (Outcome& trial : trials) trial.stops_by_cause.resize(2);
  run.outcomes = {std::move(trials)};
  return run;
}

RunSummary summary_of(const made_up::Run& run) {
  return summarize(run.file, run.plans, run.outcomes);
}
StrategySummary single(std::vector<Outcome> trials) {
  return summary_of(run_of(std::move(trials))).strategies.at(0);
}

Outcome simple(double cost, double time = 100.0, Status status = Status::finished) {
  Outcome made;
  made.cost_usd = cost;
  made.time_s = time;
  made.status = status;
  made.held_gpu_s = 3600.0 * time;
  made.kept_steps = 10;
  made.kept_wall_s = 0.5 * time;
  made.stops_by_cause = {0, 0};
  return made;
}

bool mentions(const std::vector<std::string>& lines, const std::string& part) {
  return std::ranges::any_of(lines, [&](const auto& line) { return line.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("Trials that all finish give mean, interval and quantiles by hand") {
  const auto summary = single({simple(1), simple(2), simple(3), simple(4)});
  CHECK(summary.finished == 4);
  CHECK(*summary.cost_usd.mean == 2.5);
  CHECK(*summary.cost_usd.mean_at_least == 2.5);
  CHECK(summary.cost_usd.ci95->second == doctest::Approx(2.5 + 3.18244630528 * 0.6454972244));
  CHECK(*summary.cost_usd.p50 == 2.5);
  CHECK_FALSE(summary.cost_usd.p95_limits);
  CHECK(summary.why.at("cost_usd.p95_limits").find("72") != std::string::npos);
  CHECK(mentions(summary.warnings, "only 4 trials"));
}

TEST_CASE("An unfinished trial is censored, not dropped") {
  std::vector<Outcome> trials(99, simple(1.0, 100.0));
  trials.push_back(simple(51.0, 900.0, Status::horizon));
  const auto summary = single(trials);
  CHECK(summary.finished == 99);
  CHECK(summary.unfinished_by_status.at("horizon") == 1);
  CHECK_FALSE(summary.cost_usd.mean);
  CHECK_FALSE(summary.cost_usd.ci95);
  CHECK(*summary.cost_usd.mean_at_least == 1.5);
  CHECK(*summary.time_s.mean_at_least == 108.0);
  CHECK(summary.why.at("cost_usd.mean").find("1 of 100") != std::string::npos);
  CHECK(*summary.cost_usd.p95 == 1.0);
  CHECK_FALSE(summary.cost_usd.p95_limits);  // the upper limit is the last order statistic, and that is infinite
  CHECK(mentions(summary.warnings, "1 of 100 trials did not finish (horizon 1)"));
  trials.assign(94, simple(1.0));
  trials.resize(100, simple(1.0, 100.0, Status::budget));
  CHECK_FALSE(single(trials).cost_usd.p95);
  CHECK(single(trials).why.at("time_s.p95").find("unfinished") != std::string::npos);
}

TEST_CASE("A run in which nothing finishes has lower limits and reasons, no figures") {
  const auto summary = single(std::vector<Outcome>(20, simple(5.0, 100.0, Status::deadline)));
  CHECK(summary.finished == 0);
  CHECK_FALSE(summary.time_s.p5);
  CHECK(*summary.time_s.mean_at_least == 100.0);
  CHECK(*summary.deadline_met == 0.0);
  CHECK(*summary.goodput == 0.5);
}

TEST_CASE("Deadline and budget: equality meets, an unfinished trial misses") {
  const double deadline = *made_up::plan("base").facts.deadline_s;
  auto run = run_of({simple(10.0, deadline), simple(10.0, std::nextafter(deadline, 1e9)),
                     simple(10.0, 5.0, Status::horizon), simple(std::nextafter(10.0, 11.0), 5.0)});
  run.plans[0].facts.budget_usd = 10.0;
  const auto summary = summary_of(run).strategies[0];
  CHECK(*summary.deadline_met == 0.5);   // the first and the last
  CHECK(*summary.within_budget == 0.5);  // the first two
  run.plans[0].facts.budget_usd.reset();
  CHECK_FALSE(summary_of(run).strategies[0].within_budget);
  CHECK(summary_of(run).strategies[0].why.contains("within_budget"));
}

TEST_CASE("One trial gives a result without spread, two give a wide interval") {
  const auto one = single({simple(7.0)});
  CHECK(*one.cost_usd.mean == 7.0);
  CHECK(*one.cost_usd.p50 == 7.0);
  CHECK_FALSE(one.cost_usd.ci95);
  CHECK_FALSE(one.cost_usd.p5);
  CHECK(one.why.at("cost_usd.p95").find("one trial") != std::string::npos);
  CHECK(mentions(one.warnings, "one trial"));
  const auto two = single({simple(6.0), simple(8.0)});
  CHECK(two.cost_usd.ci95->second == doctest::Approx(7.0 + 12.7062047364));
  CHECK(*two.cost_usd.p5 == doctest::Approx(6.1));
}

TEST_CASE("No stop in any trial is a mean of zero, not a missing figure") {
  const auto summary = single(std::vector<Outcome>(80, simple(7.0)));
  CHECK(*summary.stops == 0.0);
  CHECK(summary.stops_by_cause == std::vector<std::pair<std::string, double>>{{"reclaim", 0.0}, {"gpu", 0.0}});
  CHECK(summary.cost_usd.ci95 == std::pair{7.0, 7.0});
  CHECK(summary.warnings.empty());
}

TEST_CASE("Ratios are sums over sums, not means of ratios") {
  Outcome quick = simple(100.0, 10.0), slow = simple(900.0, 90.0);
  quick.kept_wall_s = 10.0;
  slow.kept_wall_s = 45.0;
  quick.kept_steps = 1;
  slow.kept_steps = 3;
  quick.account_gpu_s[static_cast<std::size_t>(Account::compute)] = quick.held_gpu_s;
  slow.account_gpu_s[static_cast<std::size_t>(Account::compute)] = 0.25 * slow.held_gpu_s;
  slow.account_gpu_s[static_cast<std::size_t>(Account::straggler_wait)] = 0.25 * slow.held_gpu_s;
  slow.account_gpu_s[static_cast<std::size_t>(Account::data_stall)] = 0.5 * slow.held_gpu_s;
  const auto summary = single({quick, slow});
  CHECK(*summary.goodput == doctest::Approx(55.0 / 100.0));       // the mean of ratios is 0.75
  CHECK(*summary.goodput_held == doctest::Approx(55.0 / 100.0));  // data stall does not count
  CHECK(*summary.usd_per_token == doctest::Approx(1000.0 / (4 * 4194304.0)));
  const auto facts = made_up::plan("base").facts;
  CHECK(*summary.mfu_run ==
        doctest::Approx(4 * *facts.model_flops_per_step / (100.0 * 3600.0 * *facts.peak_flops_per_gpu)));
}

TEST_CASE("MFU leaves data stall out, throughput does not, and both are missing where they have no meaning") {
  auto run = run_of({simple(1.0)});
  auto& facts = run.plans[0].facts;
  facts.data_stall_s = 0.23;
  facts.step_time_s = 3.0;
  auto summary = summary_of(run).strategies[0];
  CHECK(*summary.mfu == doctest::Approx(4194304 * 5.1e10 / 2.77 / 128 / 989.4e12));
  CHECK(*summary.tokens_per_s_per_gpu == doctest::Approx(4194304 / 3.0 / 128));
  CHECK(*summary.step_time_s == 3.0);
  facts.model_flops_per_step.reset();
  facts.tokens_per_step = 0;
  summary = summary_of(run).strategies[0];
  for (const char* figure : {"mfu", "mfu_run", "tokens_per_s_per_gpu", "usd_per_token"})
    CHECK(summary.why.contains(figure));
  CHECK_FALSE(summary.mfu);
  CHECK_FALSE(summary.usd_per_token);
}

TEST_CASE("A sum that few trials dominate has no interval, and a warning") {
  std::vector<Outcome> trials(200, simple(1.0));
  trials[17] = simple(100.0);
  const auto summary = single(trials);
  CHECK(summary.cost_usd.mean);
  CHECK_FALSE(summary.cost_usd.ci95);
  CHECK(summary.time_s.ci95);
  CHECK(mentions(summary.warnings, "cost_usd suppressed"));
}

TEST_CASE("Differences are paired, over the trials where both finished") {
  auto run = made_up::run(0);
  for (std::size_t s = 0; s < 4; ++s)
    for (int t = 0; t < 100; ++t) run.outcomes[s].push_back(simple(1000.0 * (t % 7) + 10.0 * static_cast<double>(s)));
  run.outcomes[1][3].status = Status::horizon;
  run.outcomes[1][3].cost_usd = 1e9;
  run.outcomes[0][4].status = Status::horizon;
  const auto summary = summary_of(run);
  REQUIRE(summary.differences.size() == 3);
  CHECK(summary.differences[0].of == "spot");
  CHECK(summary.differences[0].to == "base");
  CHECK(summary.differences[0].pairs_share == 0.98);
  CHECK(*summary.differences[0].cost_usd.mean == doctest::Approx(10.0));
  CHECK(summary.differences[2].cost_usd.ci95->second - summary.differences[2].cost_usd.ci95->first <
        1e-9);  // common luck cancels: unpaired, the interval would be hundreds wide
  CHECK(summary.differences[2].pairs_share == 0.99);
  for (auto& trial : run.outcomes[2]) trial.status = Status::horizon;
  const auto none = summary_of(run).differences[1];
  CHECK_FALSE(none.cost_usd.mean);
  CHECK(none.cost_usd.why.find("no trial in which both finished") != std::string::npos);
}

TEST_CASE("A warning that all share is said once, another with the names it is about") {
  auto run = made_up::run(100);
  for (auto& plan : run.plans) plan.facts.warnings = {"shared"};
  run.file.strategies[1].warnings = {"two of them", "two of them"};
  run.plans[2].facts.warnings.push_back("two of them");
  const auto warnings = summary_of(run).warnings;
  CHECK(std::ranges::count(warnings, "shared") == 1);
  CHECK(std::ranges::count(warnings, "spot, spot, async saves: two of them") == 1);
  CHECK(warnings.size() == 2);
}

TEST_CASE("Lists of different lengths are our bug") {
  auto run = made_up::run(10);
  run.outcomes[1].pop_back();
  CHECK_THROWS_AS(summary_of(run), fleetcast::models::ContractError);
  run.outcomes.pop_back();
  CHECK_THROWS_AS(summary_of(run), fleetcast::models::ContractError);
  CHECK_THROWS_AS(single({}), fleetcast::models::ContractError);
}

TEST_CASE("The JSON answer has every field of the contract, null with a reason where there is no figure") {
  auto run = made_up::run(100);
  run.outcomes[2][5].status = Status::horizon;
  run.file.montecarlo.seed = 18446744073709551615U;
  const std::string text = to_json(summary_of(run));
  CHECK(text.ends_with("}\n"));
  const auto json = nlohmann::json::parse(text);  // refuses NaN and Infinity
  CHECK(json.at("seed") == 18446744073709551615U);
  CHECK(json.at("scenario") == "quickstart");
  for (const auto& strategy : json.at("strategies")) {
    for (const char* name : {"name",
                             "replicates",
                             "finished",
                             "cost_usd",
                             "time_s",
                             "gpu_hours",
                             "goodput",
                             "goodput_held",
                             "mfu",
                             "mfu_run",
                             "tokens_per_s_per_gpu",
                             "step_time_s",
                             "usd_per_token",
                             "accounts_gpu_hours",
                             "billed",
                             "memory_gib",
                             "interruptions",
                             "checkpoints",
                             "storage_usd",
                             "egress_usd",
                             "energy_kwh",
                             "co2_kg",
                             "deadline_met",
                             "within_budget",
                             "why"})
      CHECK_MESSAGE(strategy.contains(name), name);
    for (const char* spread : {"cost_usd", "time_s", "gpu_hours"})
      for (const char* name : {"mean", "ci95", "model_interval", "p5", "p50", "p95"}) {
        CHECK_MESSAGE(strategy.at(spread).contains(name), name);
        if (strategy.at(spread).at(name).is_null())
          CHECK_MESSAGE(strategy.at("why").contains(std::string{spread} + "." + name), name);
      }
    for (const auto& [name, value] : strategy.items())
      if (value.is_null()) CHECK_MESSAGE(strategy.at("why").contains(name), name);
    CHECK(strategy.at("checkpoints").contains("bytes_written"));
    CHECK(strategy.at("interruptions").at("by_cause").size() == 2);
    CHECK(strategy.at("accounts_gpu_hours").size() == fleetcast::sim::account_count);
  }
  CHECK(json["strategies"][2]["cost_usd"]["mean"].is_null());
  CHECK(json["strategies"][2]["cost_usd"]["mean_at_least"].is_number());
  CHECK(json["differences"].size() == 3);
  CHECK(json["differences"][0].at("time_s").contains("ci95"));
  CHECK(to_json(summary_of(run)) == text);
}

TEST_CASE("A figure that is not finite never reaches the JSON answer") {
  auto summary = summary_of(made_up::run(10));
  summary.strategies[0].goodput = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(to_json(summary), fleetcast::models::ContractError);
}

TEST_CASE("Accounts, bill and counts are means that add up to the whole") {
  const auto summary = summary_of(made_up::run(200));
  for (const auto& strategy : summary.strategies) {
    double hours = 0.0, usd = strategy.storage_usd + strategy.egress_usd;
    for (const auto& [name, value] : strategy.accounts_gpu_hours) hours += value;
    for (const auto& [name, value] : strategy.billed) usd += value;
    CHECK(hours == doctest::Approx(*strategy.gpu_hours.mean).epsilon(1e-12));
    CHECK(usd == doctest::Approx(*strategy.cost_usd.mean).epsilon(1e-12));
    CHECK(strategy.checkpoints_usable == 180.0);
  }
}
