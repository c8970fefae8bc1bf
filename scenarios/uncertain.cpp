#include "scenarios/uncertain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "scenarios/decimal.hpp"
#include "scenarios/document.hpp"

namespace fleetcast::scenarios {
namespace {

using models::Distribution;

constexpr std::string_view forms =
    "uniform(2 USD/GPU-h, 3 USD/GPU-h), lognormal(median 0.40 MFU, sigma 0.1) or mix(0.7: 5 min, 0.3: 20 min), in the "
    "unit of the value";
/// What belongs to the file and not to a strategy, or would change which strategies there are.
constexpr std::array<std::string_view, 9> fixed_fields{"$schema",    "name",       "about",     "start",     "define",
                                                       "strategies", "compare_to", "uncertain", "montecarlo"};

std::optional<double> plain_number(std::string_view text) {
  const std::optional<Decimal> decimal = parse_decimal(trimmed(text));
  return decimal ? to_double(*decimal) : std::nullopt;
}

/// Reads a law and the one unit that all its values have.
class LawWithUnit {
 public:
  explicit LawWithUnit(std::string_view text) : text_{trimmed(text)} {}

  std::optional<Distribution> read() {
    const std::size_t open = text_.find('(');
    if (open == std::string_view::npos || !text_.ends_with(')')) return std::nullopt;
    const std::string_view name = trimmed(text_.substr(0, open));
    const std::vector<std::string_view> arguments = split_at_commas(text_.substr(open + 1, text_.size() - open - 2));
    if (name == "uniform") return uniform(arguments);
    if (name == "lognormal") return lognormal(arguments);
    if (name == "mix") return mix(arguments);
    return std::nullopt;
  }
  [[nodiscard]] std::string unit() const { return std::string{unit_.value_or("")}; }

 private:
  /// A number whose unit is that of all others.
  std::optional<double> value(std::string_view text) {
    text = trimmed(text);
    const std::size_t length = number_length(text);
    const std::optional<double> number = plain_number(text.substr(0, length));
    const std::string_view unit = trimmed(text.substr(length));
    if (!number || (unit_ && *unit_ != unit)) return std::nullopt;
    unit_ = unit;
    return number;
  }

  std::optional<Distribution> uniform(const std::vector<std::string_view>& arguments) {
    if (arguments.size() != 2) return std::nullopt;
    const auto low = value(arguments[0]), high = value(arguments[1]);
    if (!low || !high || *low > *high) return std::nullopt;
    return models::Uniform{*low, *high};
  }

  std::optional<Distribution> lognormal(const std::vector<std::string_view>& arguments) {
    if (arguments.size() != 2 || !arguments[0].starts_with("median ") || !arguments[1].starts_with("sigma "))
      return std::nullopt;
    const auto median = value(arguments[0].substr(7)), sigma = plain_number(arguments[1].substr(6));
    if (!median || !sigma || !(*median > 0.0) || !(*sigma >= 0.0) || *sigma > 10.0) return std::nullopt;
    return models::LogNormal{*median, *sigma};
  }

  std::optional<Distribution> mix(const std::vector<std::string_view>& arguments) {
    models::Mixture law;
    double sum = 0.0;
    for (const std::string_view argument : arguments) {
      const std::size_t colon = argument.find(':');
      if (colon == std::string_view::npos) return std::nullopt;
      const auto share = plain_number(argument.substr(0, colon)), choice = value(argument.substr(colon + 1));
      if (!share || !choice || *share < 0.0) return std::nullopt;
      sum += *share;
      law.components.push_back({*share, models::Constant{*choice}});
    }
    if (std::abs(sum - 1.0) > 1e-9) return std::nullopt;
    return law;
  }

  std::string_view text_;
  std::optional<std::string_view> unit_;
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
    LawWithUnit law{value.node().text};
    std::optional<Distribution> read = law.read();
    if (read) {
      result.push_back({pointer, std::move(*read), law.unit(), value.node().text});
    } else {
      value.fault({"found " + in_quotes(value.node().text), std::string{forms}, ""});
    }
  }
  return result;
}

double middle_of(const Distribution& law) {
  if (const auto* uniform = std::get_if<models::Uniform>(&law)) return 0.5 * (uniform->low + uniform->high);
  if (const auto* lognormal = std::get_if<models::LogNormal>(&law)) return lognormal->median;
  if (const auto* mix = std::get_if<models::Mixture>(&law)) {
    std::vector<std::pair<double, double>> choices;  // value, share
    for (const models::MixtureComponent& part : mix->components)
      choices.emplace_back(std::get<models::Constant>(part.law).value, part.share);
    std::sort(choices.begin(), choices.end());
    double below = 0.0;
    for (const auto& [value, share] : choices) {
      below += share;
      if (below >= 0.5) return value;
    }
  }
  return models::mean(law);
}

std::string override_text(const Uncertain& uncertain, double value) {
  const std::string number = format_number(value);
  return uncertain.pointer + "=" + (uncertain.unit.empty() ? number : number + " " + uncertain.unit);
}

}  // namespace fleetcast::scenarios
