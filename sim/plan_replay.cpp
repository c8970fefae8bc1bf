// Recorded capacity and prices. Recordings that state their calendar keep it: they are cut to the time that they have
// in common and start at the same place of it, in all strategies. Others get windows of their own.
#include <algorithm>
#include <limits>

#include "models/errors.hpp"
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

std::shared_ptr<const RecordedCourse> course_of(const Scenario& scenario, const Recording& recording,
                                                std::optional<double> window_s, Replay::AtEnd at_end, Plan& plan) {
  if (window_s || !plan.calendar || !recording.start_utc_s) {
    const std::uint32_t own = std::max(recording.key, entity_of_calendar + 1);
    return std::make_shared<RecordedCourse>(recording, window_s, own, at_end);
  }
  const Recording common = models::part_of(recording, plan.calendar->from_utc_s - *recording.start_utc_s,
                                           plan.calendar->to_utc_s - *recording.start_utc_s);
  if (common.length_s < much_is_cut * recording.length_s) {
    plan.facts.warnings.push_back("recording " + recording.name + ": only " + in_words(common.length_s) + " of " +
                                  in_words(recording.length_s) + " are in the calendar of all recordings");
  }
  return std::make_shared<RecordedCourse>(common, start_within(scenario, *plan.calendar), entity_of_calendar, at_end);
}

/// Where prices start if the capacity of the pool starts at a given place: at the same date, if both state theirs.
std::optional<double> window_of_price(const Pool& pool) {
  if (!pool.replay || !pool.replay->window) return std::nullopt;
  const Recording &capacity = *pool.replay->recording, &price = *pool.recorded_price;
  if (!capacity.start_utc_s || !price.start_utc_s) return std::nullopt;
  const double window = *capacity.start_utc_s + pool.replay->window->value() - *price.start_utc_s;
  if (window >= 0.0 && window < price.length_s) return window;
  throw models::InputError{{{"", 0, 0, "/fleet/" + pool.name + "/replay/window",
                             "the window starts outside of the recorded prices in " + price.name,
                             "a window that both recordings cover, or a price", ""}}};
}

void warn_about_calendars(const Scenario& scenario, Plan& plan) {
  if (plan.calendar && scenario.start_utc_s && !start_within(scenario, *plan.calendar)) {
    plan.facts.warnings.emplace_back(
        "start lies outside the calendar of the recordings: each trial starts somewhere in them instead");
  }
  bool has_dates = false;
  for (const Pool& pool : scenario.fleet)
    for_each_recording(pool, [&](const Recording& recording) { has_dates |= recording.start_utc_s.has_value(); });
  if (has_dates && !plan.calendar) {
    plan.facts.warnings.emplace_back(
        "the recordings have no time in common: each is replayed from places of its own, and zones do not move "
        "together");
  }
}

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

void plan_replay(const Scenario& scenario, Plan& plan) {
  warn_about_calendars(scenario, plan);
  std::size_t index = 0;
  for (const Pool& pool : scenario.fleet) {
    if (pool.nodes == 0) continue;
    PoolPlan& target = plan.pools[index++];
    if (pool.replay) {
      const auto window = pool.replay->window ? std::optional{pool.replay->window->value()} : std::nullopt;
      const Recording useful = models::capped(*pool.replay->recording, pool.nodes);
      target.capacity = course_of(scenario, useful, window, pool.replay->at_end, plan);
    }
    if (pool.recorded_price)
      target.price = course_of(scenario, *pool.recorded_price, window_of_price(pool), Replay::AtEnd::repeat, plan);
  }
}

}  // namespace fleetcast::sim
