#include <cmath>

#include "scenarios/context.hpp"

namespace fleetcast::scenarios {
namespace {

/// Seconds from submission of a date; needs `start`.
std::optional<double> from_start(const Field& field, const Context& context) {
  const Parsed<std::int64_t> date = parse_date(field.node().text);
  if (!date.value) {
    field.fault(date.problem);
    return std::nullopt;
  }
  if (!context.top.find("start")) {
    field.fault({"a deadline by date needs to know when the run starts",
                 "a start at the top level, or a time such as \"21 d\"", ""});
    return std::nullopt;
  }
  const Parsed<std::int64_t> start = parse_date(context.scenario.start.value_or(""));
  if (!start.value) return std::nullopt;
  if (*date.value > *start.value) return static_cast<double>(*date.value - *start.value);
  field.fault(
      {"the deadline " + in_quotes(field.node().text) + " is not after the start " + in_quotes(*context.scenario.start),
       "a date after the start", ""});
  return std::nullopt;
}

void read_deadline(const Object& object, Context& context) {
  const auto field = object.find("deadline");
  if (!field) return;
  const bool date = field->is_text() && looks_like_date(field->node().text);
  const std::optional<double> seconds = date ? from_start(*field, context) : read_time(*field, Zero::refused);
  if (seconds) context.scenario.limits.deadline = models::Seconds{*seconds};
}

void read_stop_at(const Object& object, Limits& limits) {
  const auto field = object.find("stop_at");
  if (!field) return;
  if (field->node().kind != Node::Kind::list) {
    field->wrong_kind("a list of \"deadline\" and \"budget\"");
    return;
  }
  const std::vector<Choice<bool Limits::*>> choices{{"deadline", &Limits::stop_at_deadline},
                                                    {"budget", &Limits::stop_at_budget}};
  for (std::size_t i = 0; i < field->node().items.size(); ++i) {
    const Field item = field->item(i);
    const auto which = read_choice(item, choices);
    if (!which) continue;
    limits.** which = true;
    if (!object.find(item.node().text)) {
      item.fault({"stop_at names " + in_quotes(item.node().text) + ", which is not given",
                  "a limit that is given under limits", ""});
    }
  }
}

}  // namespace

void read_limits(Context& context) {
  const Section section{context, "limits", known::limits};
  Limits& limits = context.scenario.limits;
  read_deadline(section.object, context);
  if (const auto budget = section.object.find("budget")) {
    const auto usd = read_usd(*budget);
    if (usd) limits.budget = models::Usd{*usd};
  }
  read_stop_at(section.object, limits);
  if (const auto horizon = section.object.find("horizon")) {
    const auto seconds = read_time(*horizon, Zero::refused);
    if (seconds) limits.horizon = models::Seconds{*seconds};
  } else {
    context.assume_default("/limits/horizon", "20 x the undisturbed time, at least 30 d");
  }
  if (limits.deadline && limits.horizon && *limits.horizon < *limits.deadline) {
    context.warn("the horizon comes before the deadline: trials are given up as unfinished before they are late");
  }
}

}  // namespace fleetcast::scenarios
