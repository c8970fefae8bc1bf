// Recorded capacity and prices. Recordings that state their calendar keep it: they are cut to the time that they have
// in common and start at the same place of it, in all strategies. Others get windows of their own.
#include <algorithm>
#include <limits>

#include "sim/plan_parts.hpp"

namespace fleetcast::sim {
namespace {

using models::Recording;
using scenarios::Pool;
using scenarios::Replay;
using scenarios::Scenario;

constexpr std::uint32_t entity_of_calendar = 0;
/// Where less than this share of a recording is in the common calendar, the plan says so.
constexpr double much_is_cut = 0.5;

template <class Visit>
void for_each_recording(const Pool& pool, Visit visit) {
  if (pool.nodes == 0) return;
  if (pool.replay) visit(*pool.replay->recording);
  if (pool.recorded_price) visit(*pool.recorded_price);
}

/// The start of the scenario on the calendar, if it lies inside.
std::optional<double> start_within(const Scenario& scenario, const Calendar& calendar) {
  if (!scenario.start_utc_s) return std::nullopt;
  const double start = static_cast<double>(*scenario.start_utc_s);
  if (start < calendar.from_utc_s || start >= calendar.to_utc_s) return std::nullopt;
  return start - calendar.from_utc_s;
}

class Recordings {
 public:
  Recordings(const Scenario& scenario, const std::optional<Calendar>& calendar, Plan& plan)
      : scenario_{scenario}, calendar_{calendar}, plan_{plan} {}

  std::shared_ptr<const RecordedCourse> course(const Recording& recording, std::optional<double> window_s,
                                               Replay::AtEnd at_end, double most) {
    if (window_s || !calendar_ || !recording.start_utc_s) {
      const std::uint32_t own = std::max(recording.key, entity_of_calendar + 1);
      return std::make_shared<RecordedCourse>(models::capped(recording, most), window_s, own, at_end);
    }
    const Recording common = models::part_of(recording, calendar_->from_utc_s - *recording.start_utc_s,
                                             calendar_->to_utc_s - *recording.start_utc_s);
    if (common.length_s < much_is_cut * recording.length_s) {
      plan_.facts.warnings.push_back("recording " + recording.name + ": only " + in_words(common.length_s) + " of " +
                                     in_words(recording.length_s) + " are in the calendar of all recordings");
    }
    return std::make_shared<RecordedCourse>(models::capped(common, most), start_within(scenario_, *calendar_),
                                            entity_of_calendar, at_end);
  }

 private:
  const Scenario& scenario_;
  const std::optional<Calendar>& calendar_;
  Plan& plan_;
};

}  // namespace

std::optional<Calendar> common_calendar(std::span<const Scenario> scenarios) {
  Calendar common{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  bool any = false;
  for (const Scenario& scenario : scenarios) {
    for (const Pool& pool : scenario.fleet) {
      for_each_recording(pool, [&](const Recording& recording) {
        if (!recording.start_utc_s) return;
        any = true;
        common.from_utc_s = std::max(common.from_utc_s, *recording.start_utc_s);
        common.to_utc_s = std::min(common.to_utc_s, *recording.start_utc_s + recording.length_s);
      });
    }
  }
  if (!any || common.from_utc_s >= common.to_utc_s) return std::nullopt;
  return common;
}

void plan_replay(const Scenario& scenario, const std::optional<Calendar>& calendar, Plan& plan) {
  if (scenario.start_utc_s && calendar && !start_within(scenario, *calendar)) {
    plan.facts.warnings.emplace_back(
        "start lies outside the calendar of the recordings: each trial starts somewhere in them instead");
  }
  Recordings recordings{scenario, calendar, plan};
  std::size_t index = 0;
  for (const Pool& pool : scenario.fleet) {
    if (pool.nodes == 0) continue;
    PoolPlan& target = plan.pools[index++];
    if (pool.replay) {
      const auto window = pool.replay->window ? std::optional{pool.replay->window->value()} : std::nullopt;
      target.capacity = recordings.course(*pool.replay->recording, window, pool.replay->at_end, pool.nodes);
      plan.facts.replayed.push_back({pool.name, pool.replay->recording->name, target.capacity->recording().length_s,
                                     target.capacity->is_random()});
    }
    if (pool.recorded_price) {
      constexpr double no_cap = std::numeric_limits<double>::infinity();
      const auto window =
          pool.replay && pool.replay->window ? std::optional{pool.replay->window->value()} : std::nullopt;
      target.price = recordings.course(*pool.recorded_price, window, Replay::AtEnd::repeat, no_cap);
    }
  }
}

}  // namespace fleetcast::sim
