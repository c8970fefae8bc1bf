#include "scenarios/context.hpp"

namespace fleetcast::scenarios {

void read_data(Context& context) {
  const Section section{context, "data", known::data};
  const auto field = section.object.find("rate");
  if (!field) {
    context.assume_default("/data", "never waits");
    return;
  }
  const auto parse = [](std::string_view text) {
    return parse_number_of(text, {"samples/s", "batches/s"}, "a rate of samples or batches", "5000 samples/s");
  };
  const auto rate = read_with_unit<NumberOf>(*field, "a rate of samples or batches", "5000 samples/s", parse);
  if (!rate) return;
  if (!(rate->value > 0.0)) {
    field->fault({"found " + in_quotes(field->node().text), "a rate above 0", ""});
    return;
  }
  context.scenario.data_rate =
      DataRate{rate->unit == 0 ? DataRate::Unit::samples : DataRate::Unit::batches, rate->value};
}

}  // namespace fleetcast::scenarios
