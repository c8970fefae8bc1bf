#include "analysis/ratios.hpp"

#include "analysis/moments.hpp"

namespace fleetcast::analysis {

namespace {

using sim::Account;
using sim::Outcome;

template <class Get>
double sum_of(const std::vector<Outcome>& trials, Get&& get) {
  CompensatedSum total;
  for (const Outcome& trial : trials) total.add(get(trial));
  return total.value();
}

Figure ratio(double above, double below) {
  if (below > 0.0) return above / below;
  return std::nullopt;
}

/// GPU-seconds of kept steps without data stall.
double kept_gpu_s(const Outcome& trial) {
  double total = 0.0;
  for (const Account account :
       {Account::compute, Account::exposed_communication, Account::pipeline_bubble, Account::straggler_wait})
    total += trial.account_gpu_s[static_cast<std::size_t>(account)];
  return total;
}

void set(StrategySummary& summary, Figure& figure, const std::string& name, Figure value, const std::string& reason) {
  figure = value;
  if (!value) summary.why[name] = reason;
}

void fill_step(StrategySummary& summary, const sim::PlanFacts& facts) {
  const bool timed = facts.step_time_s > 0.0;
  set(summary, summary.step_time_s, "step_time_s", timed ? Figure{facts.step_time_s} : std::nullopt,
      "the step takes no time");
  set(summary, summary.tokens_per_s_per_gpu, "tokens_per_s_per_gpu",
      facts.tokens_per_step > 0.0 ? ratio(facts.tokens_per_step, facts.step_time_s * facts.gpus) : std::nullopt,
      "the workload is not counted in tokens");
}

void fill_mfu(StrategySummary& summary, const sim::PlanFacts& facts, double kept_steps, double held_gpu_s) {
  const std::string reason = !facts.model_flops_per_step ? "the FLOPs of a measured workload are not known"
                                                         : "the peak rate of this precision is not known";
  if (!facts.model_flops_per_step || !facts.peak_flops_per_gpu) {
    summary.why["mfu"] = summary.why["mfu_run"] = reason;
    return;
  }
  const double peak = *facts.peak_flops_per_gpu, flops = *facts.model_flops_per_step;
  const double busy_s = facts.step_time_s - facts.data_stall_s;
  set(summary, summary.mfu, "mfu", ratio(flops, busy_s * facts.gpus * peak), "the step takes no time");
  set(summary, summary.mfu_run, "mfu_run", ratio(kept_steps * flops, held_gpu_s * peak), "no GPU was ever held");
}

}  // namespace

void fill_ratios(StrategySummary& summary, const sim::PlanFacts& facts, const std::vector<Outcome>& trials) {
  const double time_s = sum_of(trials, [](const Outcome& trial) { return trial.time_s; });
  const double held_gpu_s = sum_of(trials, [](const Outcome& trial) { return trial.held_gpu_s; });
  const double kept_steps = sum_of(trials, [](const Outcome& trial) { return trial.kept_steps; });
  const double kept_wall_s = sum_of(trials, [](const Outcome& trial) { return trial.kept_wall_s; });
  const double cost_usd = sum_of(trials, [](const Outcome& trial) { return trial.cost_usd; });
  set(summary, summary.goodput, "goodput", ratio(kept_wall_s, time_s), "no time passed");
  set(summary, summary.goodput_held, "goodput_held", ratio(sum_of(trials, kept_gpu_s), held_gpu_s),
      "no GPU was ever held");
  fill_step(summary, facts);
  fill_mfu(summary, facts, kept_steps, held_gpu_s);
  set(summary, summary.usd_per_token, "usd_per_token", ratio(cost_usd, kept_steps * facts.tokens_per_step),
      facts.tokens_per_step > 0.0 ? "no step was kept in any trial" : "the workload is not counted in tokens");
}

}  // namespace fleetcast::analysis
