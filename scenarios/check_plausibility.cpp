// What is possible but odd: mostly one unit taken for another. Warnings, never faults.
#include <algorithm>

#include "scenarios/context.hpp"

namespace fleetcast::scenarios {
namespace {

std::string time_text(double seconds) {
  return models::describe_time(models::Constant{seconds});
}

/// Mean seconds of a step, if the scenario itself says so.
std::optional<double> stated_step_time(const Scenario& scenario) {
  if (scenario.training.speed.kind == Speed::Kind::step_time) return scenario.training.speed.value;
  const std::optional<MeasuredWorkload>& measured = scenario.workload.measured;
  if (measured && measured->step_time) return models::mean(*measured->step_time);
  return std::nullopt;
}

void warn_of_steps(Context& context, double step) {
  if (step > models::seconds_per_hour) {
    context.warn("a step takes " + time_text(step) + ", more than an hour (milliseconds or seconds?)");
  }
  const std::optional<Span>& interval = context.scenario.checkpoint.interval;
  if (interval && !interval->in_steps && interval->value < step) {
    context.warn("the checkpoint interval " + time_text(interval->value) + " is shorter than a step of " +
                 time_text(step));
  }
}

void warn_of_local_steps(Context& context, double step) {
  const std::optional<LocalSteps>& exchange = context.scenario.training.exchange;
  if (!exchange || exchange->every.in_steps || exchange->every.value >= step) return;
  context.warn("gradients exchanged every " + time_text(exchange->every.value) + ", but a step takes " +
               time_text(step) + ": they are exchanged at every step");
}

void warn_of_short_intervals(Context& context) {
  const Checkpoint& checkpoint = context.scenario.checkpoint;
  if (!checkpoint.interval || checkpoint.interval->in_steps || !checkpoint.measured) return;
  const double blocked = models::mean(checkpoint.measured->blocked);
  if (blocked <= checkpoint.interval->value) return;
  context.warn("a save blocks for " + time_text(blocked) + ", longer than the checkpoint interval " +
               time_text(checkpoint.interval->value));
}

void warn_of_failures(Context& context, std::optional<double> step) {
  for (const FailureCause& cause : context.scenario.failures) {
    const double rate = std::max({cause.rate_per_node, cause.rate_per_gpu, cause.rate_of_fleet});
    const double shortest = std::max(60.0, step.value_or(0.0));
    if (rate * shortest <= 1.0) continue;
    context.warn(
        "cause " + in_quotes(cause.name) + ": a failure every " + time_text(1.0 / rate) +
        (1.0 / rate < 60.0 ? " is less than a minute apart (per hour or per day?)" : " is less than a step apart"));
  }
}

constexpr double fastest_nic = 1e12, slowest_nvlink = 10e9;  // bytes per second

void warn_of_links(Context& context, const Pool& pool) {
  const models::InstanceSpec& instance = pool.instance;
  if (instance.inter.value() > fastest_nic) {
    context.warn("pool " + in_quotes(pool.name) + ": a network of " + format_rounded(instance.inter.value() / 1e9, 4) +
                 " GB/s per node is above 1000 (bits or bytes?)");
  }
  const double intra = instance.intra.value();
  if (instance.gpus > 1 && instance.domain > 1 && intra > 0.0 && intra < slowest_nvlink) {
    context.warn("pool " + in_quotes(pool.name) + ": a link of " + format_rounded(intra / 1e9, 4) +
                 " GB/s between the GPUs of a node is below 10 (bits or bytes?)");
  }
}

void warn_of_notice(Context& context, const Pool& pool) {
  if (pool.market != Market::spot || pool.spot_model || models::mean(pool.notice) <= models::mean(pool.lifetime))
    return;
  context.warn("pool " + in_quotes(pool.name) + ": the notice is longer than the mean life of a node, " +
               time_text(models::mean(pool.lifetime)));
}

}  // namespace

void check_plausibility(Context& context) {
  const std::optional<double> step = stated_step_time(context.scenario);
  if (step) {
    warn_of_steps(context, *step);
    warn_of_local_steps(context, *step);
  }
  warn_of_short_intervals(context);
  warn_of_failures(context, step);
  for (const Pool& pool : context.scenario.fleet) {
    warn_of_links(context, pool);
    warn_of_notice(context, pool);
  }
}

}  // namespace fleetcast::scenarios
