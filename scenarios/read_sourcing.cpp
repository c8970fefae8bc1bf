// Where nodes come from.
#include "scenarios/context.hpp"

namespace fleetcast::scenarios {

void read_sourcing(Context& context) {
  const Section section{context, "sourcing", known::sourcing};
  const auto field = section.object.find("retry");
  if (!field) return;
  const Object object{*field, known::retry};
  Retry& retry = context.scenario.retry;
  if (const auto first = object.find("first")) retry.first_s = read_time(*first, Zero::refused).value_or(retry.first_s);
  if (const auto factor = object.find("factor")) retry.factor = read_number(*factor, 1.0, 100.0).value_or(retry.factor);
  if (const auto longest = object.find("longest"))
    retry.longest_s = read_time(*longest, Zero::refused).value_or(retry.longest_s);
}

}  // namespace fleetcast::scenarios
