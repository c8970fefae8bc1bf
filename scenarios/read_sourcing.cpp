// Where nodes come from.
#include "scenarios/context.hpp"

namespace fleetcast::scenarios {

namespace {

void read_retry(const Field& field, Context& context) {
  const Object object{field, known::retry};
  Retry& retry = context.scenario.retry;
  if (const auto first = object.find("first")) retry.first_s = read_time(*first, Zero::refused).value_or(retry.first_s);
  if (const auto factor = object.find("factor")) retry.factor = read_number(*factor, 1.0, 100.0).value_or(retry.factor);
  if (const auto longest = object.find("longest"))
    retry.longest_s = read_time(*longest, Zero::refused).value_or(retry.longest_s);
}

void read_brake(const Field& field, Context& context) {
  const Object object{field, known::brake};
  const auto above = object.need("above", "a share of the gang's nodes"), pause = object.need("pause", "a time");
  if (!above || !pause) return;
  const auto share = read_fraction(*above);
  const auto seconds = read_time(*pause, Zero::allowed);
  if (share && seconds) context.scenario.brake = Brake{*share, Seconds{*seconds}};
}

}  // namespace

void read_sourcing(Context& context) {
  const Section section{context, "sourcing", known::sourcing};
  if (const auto field = section.object.find("retry")) read_retry(*field, context);
  if (const auto field = section.object.find("brake")) read_brake(*field, context);
}

}  // namespace fleetcast::scenarios
