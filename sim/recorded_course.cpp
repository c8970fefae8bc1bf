#include "sim/recorded_course.hpp"

#include <algorithm>

#include "models/errors.hpp"

namespace fleetcast::sim {
namespace {

using kernel::Duration;
using kernel::Time;

std::int64_t to_ns(double seconds) {
  return Duration::from_seconds(seconds).nanoseconds();
}

double to_s(std::int64_t ns) {
  return Duration{ns}.seconds();
}

}  // namespace

RecordedCourse::RecordedCourse(const models::Recording& recording, std::optional<double> window_s, std::uint32_t entity,
                               AtEnd at_end)
    : recording_{recording}, entity_{entity}, at_end_{at_end}, length_ns_{to_ns(recording.length_s)} {
  models::require(!recording.changes.empty() && length_ns_ > 0, "a recording without changes or length");
  if (window_s) window_ = Duration::from_seconds(*window_s);
  double last = 0.0;
  for (const models::RecordedChange& change : recording.changes) {
    const std::int64_t at = to_ns(change.at_s);
    if (!at_ns_.empty()) integral_of_all_ += last * to_s(at - at_ns_.back());
    at_ns_.push_back(at);
    integral_before_.push_back(integral_of_all_);
    last = change.value;
  }
  integral_of_all_ += last * to_s(length_ns_ - at_ns_.back());
}

Duration RecordedCourse::window(const Draws& draws) const {
  if (window_) return *window_;
  const double share = draws.uniform(Purpose::window, entity_, 0);
  return Duration{static_cast<std::int64_t>(share * static_cast<double>(length_ns_))};
}

RecordedCourse::Place RecordedCourse::place(Duration window, Time now) const {
  const std::int64_t at = window.nanoseconds() + now.nanoseconds();
  if (at_end_ == AtEnd::repeat) return {at / length_ns_, at % length_ns_};
  return {0, at};
}

std::size_t RecordedCourse::index_at(std::int64_t within) const {
  const auto after = std::upper_bound(at_ns_.begin(), at_ns_.end(), within);
  return static_cast<std::size_t>(after - at_ns_.begin()) - 1;
}

double RecordedCourse::value(Duration window, Time now) const {
  return recording_.changes[index_at(place(window, now).within)].value;
}

Time RecordedCourse::next_change(Duration window, Time now) const {
  const Place here = place(window, now);
  const std::size_t index = index_at(here.within);
  const auto in_trial = [&](std::int64_t passes, std::int64_t within) {
    return now + Duration{(passes - here.passes) * length_ns_ + within - here.within};
  };
  if (index + 1 < at_ns_.size()) return in_trial(here.passes, at_ns_[index + 1]);
  if (at_end_ != AtEnd::repeat || at_ns_.size() == 1) return Time::never();
  // The seam is a change unless the recording ends with the value that it begins with.
  const bool seamless = recording_.changes.front().value == recording_.changes.back().value;
  return in_trial(here.passes + 1, at_ns_[seamless ? 1 : 0]);
}

double RecordedCourse::integral_to(const Place& place) const {
  const std::size_t index = index_at(place.within);
  return static_cast<double>(place.passes) * integral_of_all_ + integral_before_[index] +
         recording_.changes[index].value * to_s(place.within - at_ns_[index]);
}

double RecordedCourse::integral(Duration window, Time from, Time to) const {
  return integral_to(place(window, to)) - integral_to(place(window, from));
}

Time RecordedCourse::end(Duration window) const {
  if (at_end_ != AtEnd::stop) return Time::never();
  return Time{} + Duration{length_ns_ - window.nanoseconds()};
}

}  // namespace fleetcast::sim
