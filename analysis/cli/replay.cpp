#include "analysis/cli/replay.hpp"

#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

#include "analysis/uncertain_plans.hpp"
#include "sim/account.hpp"
#include "sim/trial.hpp"

namespace fleetcast::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string hexadecimal(std::uint64_t value) {
  std::ostringstream out;
  out << std::hex << std::setw(16) << std::setfill('0') << value;
  return out.str();
}

Json accounts_json(const sim::Outcome& outcome) {
  Json accounts = Json::object();
  for (std::size_t at = 0; at < sim::account_count; ++at) {
    accounts[std::string{sim::account_names[at]}] = outcome.account_gpu_s[at];
  }
  return accounts;
}

Json interruptions_json(const sim::Plan& plan, const sim::Outcome& outcome) {
  Json by_cause = Json::object();
  for (std::size_t at = 0; at < outcome.stops_by_cause.size(); ++at) {
    by_cause[plan.cause_names.at(at)] = outcome.stops_by_cause[at];
  }
  return {{"stops", outcome.stops},
          {"by_cause", std::move(by_cause)},
          {"planned", outcome.planned_stops},
          {"during_restart", outcome.losses_during_restart}};
}

Json outcome_json(const sim::Plan& plan, const sim::Outcome& outcome) {
  return {
      {"name", plan.name},
      {"status", name_of(outcome.status)},
      {"time_s", outcome.time_s},
      {"cost_usd", outcome.cost_usd},
      {"held_gpu_seconds", outcome.held_gpu_s},
      {"accounts_gpu_seconds", accounts_json(outcome)},
      {"billed", {{"held", outcome.held_usd}, {"rounding", outcome.rounding_usd}, {"forgiven", outcome.forgiven_usd}}},
      {"storage_usd", outcome.storage_usd},
      {"egress_usd", outcome.egress_usd},
      {"kept_steps", outcome.kept_steps},
      {"kept_wall_s", outcome.kept_wall_s},
      {"interruptions", interruptions_json(plan, outcome)},
      {"checkpoints",
       {{"started", outcome.checkpoints_started},
        {"usable", outcome.checkpoints_usable},
        {"bytes_written", outcome.bytes_written}}},
      {"events", outcome.events},
      {"fingerprint", hexadecimal(outcome.fingerprint)}};
}

void print_accounts(const sim::Outcome& outcome, std::ostream& out) {
  for (std::size_t at = 0; at < sim::account_count; ++at) {
    if (outcome.account_gpu_s[at] == 0.0) continue;
    out << "  GPU-hours " << std::left << std::setw(22) << sim::account_names[at] << std::right << std::setw(14)
        << outcome.account_gpu_s[at] / models::seconds_per_hour << '\n';
  }
}

void print_outcome(const sim::Plan& plan, const sim::Outcome& outcome, std::ostream& out) {
  out << plan.name << ": " << name_of(outcome.status) << '\n'
      << "  time        " << outcome.time_s / models::seconds_per_hour << " h\n"
      << "  cost        " << outcome.cost_usd << " USD\n"
      << "  stops       " << outcome.stops;
  const char* separator = " (";
  for (std::size_t at = 0; at < outcome.stops_by_cause.size(); ++at) {
    if (outcome.stops_by_cause[at] == 0) continue;
    out << separator << plan.cause_names.at(at) << ' ' << outcome.stops_by_cause[at];
    separator = ", ";
  }
  out << (separator[0] == ',' ? ")\n" : "\n") << "  checkpoints " << outcome.checkpoints_started << " started, "
      << outcome.checkpoints_usable << " usable\n"
      << "  events      " << outcome.events << ", fingerprint " << hexadecimal(outcome.fingerprint) << '\n';
  print_accounts(outcome, out);
}

}  // namespace

Replay replay(const Prepared& prepared, std::uint32_t trial) {
  Replay result{.trial = trial, .outcomes = {}};
  for (const sim::Plan& plan : prepared.plans) {
    const sim::Plan drawn = analysis::plan_of_trial(prepared.file, prepared.catalog, plan, trial);
    result.outcomes.push_back(sim::run_trial(drawn, prepared.file.montecarlo.seed, trial));
  }
  return result;
}

std::string replay_text(const Prepared& prepared, const Replay& replay) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(2);
  out << prepared.file.name << "\ntrial " << replay.trial << ", seed " << prepared.file.montecarlo.seed << ", grain "
      << scenarios::name_of(prepared.file.montecarlo.grain) << "\n\n";
  for (std::size_t at = 0; at < prepared.plans.size(); ++at) {
    print_outcome(prepared.plans[at], replay.outcomes[at], out);
  }
  return out.str();
}

std::string replay_json(const Prepared& prepared, const Replay& replay) {
  Json strategies = Json::array();
  for (std::size_t at = 0; at < prepared.plans.size(); ++at) {
    strategies.push_back(outcome_json(prepared.plans[at], replay.outcomes[at]));
  }
  const Json answer = {{"scenario", prepared.file.name},
                       {"seed", prepared.file.montecarlo.seed},
                       {"trial", replay.trial},
                       {"grain", scenarios::name_of(prepared.file.montecarlo.grain)},
                       {"strategies", std::move(strategies)}};
  return answer.dump(2) + '\n';
}

}  // namespace fleetcast::cli
