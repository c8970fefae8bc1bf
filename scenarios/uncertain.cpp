#include "scenarios/uncertain.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "scenarios/decimal.hpp"
#include "scenarios/document.hpp"

namespace fleetcast::scenarios {
namespace {

constexpr std::string_view forms =
    "uniform(2 USD/GPU-h, 3 USD/GPU-h), lognormal(median 0.40 MFU, sigma 0.1) or mix(0.7: 5 min, 0.3: 20 min), in the "
    "unit of the value";
/// What belongs to the file and not to a strategy, or would change which strategies there are.
constexpr std::array<std::string_view, 9> fixed_fields{"$schema",    "name",       "about",     "start",     "define",
                                                       "strategies", "compare_to", "uncertain", "montecarlo"};

/// Reads values that all have one unit, whatever it is.
class OneUnit {
 public:
  Parsed<double> read(std::string_view text) {
    text = trimmed(text);
    const std::size_t length = number_length(text);
    const std::optional<Decimal> decimal = parse_decimal(text.substr(0, length));
    const std::optional<double> number = decimal ? to_double(*decimal) : std::nullopt;
    if (!number) return Problem{"found " + in_quotes(text) + ", which is no number with a unit", "", ""};
    const std::string unit{trimmed(text.substr(length))};
    if (unit_ && *unit_ != unit)
      return Problem{"found the units " + in_quotes(*unit_) + " and " + in_quotes(unit), "", ""};
    unit_ = unit;
    return *number;
  }
  [[nodiscard]] std::string unit() const { return unit_.value_or(""); }

 private:
  std::optional<std::string> unit_;
};

bool check_pointer(const std::string& pointer, const Field& field) {
  const std::string first = pointer.substr(0, pointer.find('/', 1));
  const bool is_fixed = std::any_of(fixed_fields.begin(), fixed_fields.end(),
                                    [&](std::string_view name) { return first == "/" + std::string{name}; });
  if (pointer.starts_with('/') && pointer.size() > 1 && !is_fixed) return true;
  field.fault({"found the pointer " + in_quotes(pointer),
               "/pointer of a value of the base scenario, such as /training/speed", ""});
  return false;
}

}  // namespace

std::vector<Uncertain> read_uncertain(const Object& top) {
  std::vector<Uncertain> result;
  const auto field = top.find("uncertain");
  if (!field) return result;
  for (const auto& [pointer, value] : named_members(*field, "an object of laws by pointer")) {
    if (!check_pointer(pointer, value) || !read_text(value, "a law")) continue;
    OneUnit values;
    const Parsed<models::Distribution> law =
        parse_law(value.node().text, [&](std::string_view text) { return values.read(text); });
    if (law.value) {
      result.push_back({pointer, *law.value, values.unit(), value.node().text});
    } else {
      value.fault({law.problem.found, std::string{forms}, law.problem.nearest});
    }
  }
  return result;
}

std::string override_text(const Uncertain& uncertain, double value) {
  const std::string number = format_number(value);
  return uncertain.pointer + "=" + (uncertain.unit.empty() ? number : number + " " + uncertain.unit);
}

}  // namespace fleetcast::scenarios
