#include "sim/trial.hpp"

#include "models/errors.hpp"
#include "sim/job.hpp"
#include "sim/kernel/fingerprint.hpp"
#include "sim/kernel/run_loop.hpp"

namespace fleetcast::sim {
namespace {

/// Far above what any plan needs; a trial that gets there is caught in a loop without progress.
std::uint64_t event_limit(const Plan& plan) {
  const std::uint64_t per_step = plan.grain == scenarios::Grain::node ? 3 + static_cast<std::uint64_t>(plan.nodes) : 1;
  return 20'000'000 + 50 * per_step * plan.steps;
}

Outcome play(const Plan& plan, std::uint64_t seed, std::uint32_t trial, Observer* observer) {
  const Draws draws{seed, trial};
  Queue queue;
  Job job{plan, draws, queue, observer};
  kernel::Fingerprint fingerprint;
  job.submit();
  const auto handle = [&](Queue::Occurrence& occurrence) {
    // One word per event: when and what (fewer than 32 kinds; overflow wraps and is harmless in a hash).
    fingerprint.add(static_cast<std::uint64_t>(occurrence.time.nanoseconds()) * 32 + occurrence.event.index());
    std::visit([&job](const auto& record) { job.on(record); }, occurrence.event);
    return job.over() ? kernel::Flow::stop : kernel::Flow::go_on;
  };
  const kernel::RunResult run = kernel::run(queue, handle, {Time::never(), event_limit(plan)});
  models::require(run.ending != kernel::Ending::nothing_left, "the job is not over and nothing will happen");
  if (run.ending == kernel::Ending::event_limit) job.cut(Status::event_limit);
  Outcome outcome = job.outcome();
  outcome.events = run.events;
  outcome.fingerprint = fingerprint.value();
  return outcome;
}

}  // namespace

Outcome run_trial(const Plan& plan, std::uint64_t seed, std::uint32_t trial) {
  return play(plan, seed, trial, nullptr);
}

Outcome run_trial(const Plan& plan, std::uint64_t seed, std::uint32_t trial, Observer& observer) {
  return play(plan, seed, trial, &observer);
}

}  // namespace fleetcast::sim
