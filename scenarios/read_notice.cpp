// The warning before a reclaim that is really left: announced - until it is seen - what the supervisor keeps.
#include <algorithm>

#include "scenarios/read_pool.hpp"

namespace fleetcast::scenarios {
namespace {

using models::ProviderSpec;

/// Metadata services are polled every 5 s (EC2 user guide).
constexpr double usual_poll_s = 5.0;
/// Notices are best effort; nobody publishes how often there is none.
constexpr double usual_share_without = 0.05;

double time_or(const Object& notice, Context& context, const char* name, double otherwise, const char* text) {
  const auto field = notice.find(name);
  if (field) return read_time(*field, Zero::allowed).value_or(otherwise);
  context.assume_default(notice.pointer(name), text);
  return otherwise;
}

/// What the provider promises, unless the scenario says it.
std::optional<double> announced(const Object& notice, Context& context, const ProviderSpec* provider) {
  if (const auto field = notice.find("announced")) return read_time(*field, Zero::allowed);
  if (provider == nullptr || !provider->announced_notice) {
    notice.need("announced", "a time such as \"30 s\": no provider's notice is known here");
    return std::nullopt;
  }
  const double seconds = provider->announced_notice->value();
  context.assume({notice.pointer("announced"), models::describe_time(models::Constant{seconds}), provider->notice.grade,
                  provider->notice.source});
  return seconds;
}

double share_without(const Object& notice, Context& context) {
  if (const auto field = notice.find("none")) return read_fraction(*field).value_or(usual_share_without);
  context.assume_default(notice.pointer("none"), "0.05");
  return usual_share_without;
}

/// Polled every `poll` seconds a notice is seen anywhere between at once and so much later.
models::Distribution usable(double left_s, double poll_s) {
  const double latest = std::max(0.0, left_s), soonest = std::max(0.0, left_s - poll_s);
  if (latest <= 0.0) return models::None{};
  if (soonest == latest) return models::Constant{latest};
  const double share_in_time = std::min(1.0, left_s / poll_s);
  const models::Distribution seen = models::Uniform{soonest, latest};
  if (share_in_time >= 1.0) return seen;
  return models::Mixture{{{1.0 - share_in_time, models::None{}}, {share_in_time, seen}}};
}

void read_parts(const Field& field, Context& context, const ProviderSpec* provider, Pool& pool) {
  const Object notice{field, known::notice};
  const std::optional<double> promised = announced(notice, context, provider);
  const auto early = notice.find("early");
  const double asked_for = early ? read_time(*early, Zero::allowed).value_or(0.0) : 0.0;
  const double poll_s = time_or(notice, context, "poll", usual_poll_s, "5 s");
  const double margin_s = time_or(notice, context, "margin", 0.0, "0 s");
  const double none = share_without(notice, context);
  if (!promised) return;
  pool.notice = usable(*promised + asked_for - margin_s, poll_s);
  if (none > 0.0 && !std::holds_alternative<models::None>(pool.notice))
    pool.notice = models::Mixture{{{none, models::None{}}, {1.0 - none, pool.notice}}};
}

}  // namespace

void read_notice(const Object& object, Context& context, const ProviderSpec* provider, Pool& pool) {
  const bool spot = pool.market == Market::spot;
  if (const auto field = object.find("notice")) {
    if (field->is_object()) {
      read_parts(*field, context, provider, pool);
    } else if (const auto law = read_random_time(*field, {true, false, true})) {
      pool.notice = *law;
    }
    if (!spot) context.warn("pool " + in_quotes(pool.name) + ": notice has no effect, only spot nodes are reclaimed");
  } else if (spot && provider != nullptr) {
    pool.notice = provider->notice.law;
    context.assume({object.pointer("notice"), models::describe_time(provider->notice.law), provider->notice.grade,
                    provider->notice.source});
  } else if (spot) {
    context.assume_default(object.pointer("notice"), "none");
  }
}

}  // namespace fleetcast::scenarios
