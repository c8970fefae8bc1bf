#include <cmath>
#include <vector>

#include "models/errors.hpp"
#include "scenarios/data_files.hpp"
#include "scenarios/document.hpp"
#include "scenarios/nearest_name.hpp"
#include "scenarios/values.hpp"

namespace fleetcast::scenarios {
namespace {

using models::Distribution;

constexpr std::string_view law_forms =
    "a time such as \"30 s\", or exponential(mean 2 min), uniform(17 min, 30 min), lognormal(median 3.7 min, sigma "
    "0.3), weibull(scale 1.4 h, shape 0.62), hazard(1.7 /h until 15 min, 0.2 /h), data(file.csv, column), mix(0.2: "
    "none, 0.8: 30 s)";
constexpr int deepest_mix = 8;

/// The pieces of `text` between commas that are not inside brackets.
std::vector<std::string_view> split_arguments(std::string_view text) {
  std::vector<std::string_view> pieces;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (text[i] != ',' || depth > 0) continue;
    pieces.push_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  pieces.push_back(trimmed(text.substr(begin)));
  return pieces;
}

class LawParser {
 public:
  LawParser(std::string_view whole, const RandomRules& rules, const ValueParser& value, DataFiles* files)
      : whole_{whole}, rules_{rules}, value_{value}, files_{files} {}

  Parsed<Distribution> law(std::string_view text, int depth) const {
    text = trimmed(text);
    if (text == "never") return never(text);
    if (text == "none") return none(depth);
    const std::size_t open = text.find('(');
    if (open == std::string_view::npos) return constant(text);
    if (!text.ends_with(')')) return problem("the bracket is not closed");
    return function(trimmed(text.substr(0, open)), text.substr(open + 1, text.size() - open - 2), depth);
  }

 private:
  [[nodiscard]] Problem problem(const std::string& why, std::string_view allowed = law_forms) const {
    return {"found " + in_quotes(whole_) + ": " + why, std::string{allowed}, ""};
  }

  [[nodiscard]] Parsed<Distribution> never(std::string_view) const {
    if (!rules_.never) return problem("\"never\" has no meaning here");
    return Distribution{models::Never{}};
  }

  [[nodiscard]] Parsed<Distribution> none(int depth) const {
    if (!rules_.none && (depth == 0 || !rules_.zero)) return problem("\"none\" has no meaning here");
    return Distribution{models::None{}};
  }

  [[nodiscard]] Parsed<double> number_with_unit(std::string_view text) const {
    Parsed<double> value = value_(text);
    if (!value.value && text != whole_) value.problem.found += " in " + in_quotes(whole_);
    return value;
  }

  [[nodiscard]] Parsed<double> positive(std::string_view text, const char* what) const {
    Parsed<double> value = number_with_unit(text);
    if (value.value && !(*value.value > 0.0)) return problem(std::string{what} + " must be more than 0", "");
    return value;
  }

  [[nodiscard]] Parsed<double> number(std::string_view text, const char* what, double low, double high) const {
    const std::optional<Decimal> decimal = parse_decimal(text);
    const std::optional<double> value = decimal ? to_double(*decimal) : std::nullopt;
    if (value && *value >= low && *value <= high) return *value;
    return problem(std::string{what} + " is " + in_quotes(text),
                   std::string{what} + " from " + format_number(low) + " to " + format_number(high));
  }

  [[nodiscard]] Parsed<Distribution> constant(std::string_view text) const {
    const Parsed<double> value = number_with_unit(text);
    if (!value.value) return with_laws(value.problem);
    if (*value.value == 0.0 && !rules_.zero) return problem("zero has no meaning here", "more than 0 s");
    return Distribution{models::Constant{*value.value}};
  }

  [[nodiscard]] static Problem with_laws(Problem fault) {
    if (fault.nearest.empty()) fault.allowed = law_forms;
    return fault;
  }

  [[nodiscard]] Parsed<Distribution> function(std::string_view name, std::string_view inside, int depth) const {
    const std::vector<std::string_view> arguments = split_arguments(inside);
    if (name == "exponential") return exponential(arguments);
    if (name == "uniform") return uniform(arguments);
    if (name == "lognormal") return lognormal(arguments);
    if (name == "weibull") return weibull(arguments);
    if (name == "hazard") return hazard(arguments);
    if (name == "mix") return mix(arguments, depth);
    if (name == "data") return data(arguments);
    Problem fault = problem(in_quotes(name) + " is not a law");
    fault.nearest = nearest_name(name, {"exponential", "uniform", "lognormal", "weibull", "hazard", "data", "mix"});
    return fault;
  }

  [[nodiscard]] Parsed<Distribution> exponential(const std::vector<std::string_view>& arguments) const {
    const auto mean = arguments.size() == 1 ? named(arguments[0], "mean") : std::nullopt;
    if (!mean) return problem("its one argument is the mean", "exponential(mean 2 min)");
    const Parsed<double> value = positive(*mean, "the mean");
    if (!value.value) return value.problem;
    return Distribution{models::Exponential{*value.value}};
  }

  [[nodiscard]] Parsed<Distribution> uniform(const std::vector<std::string_view>& arguments) const {
    if (arguments.size() != 2) return problem("its arguments are two times", "uniform(17 min, 30 min)");
    const Parsed<double> low = number_with_unit(arguments[0]), high = number_with_unit(arguments[1]);
    if (!low.value) return low.problem;
    if (!high.value) return high.problem;
    if (*low.value > *high.value) return problem("the first is more than the second", "uniform(17 min, 30 min)");
    if (*high.value == 0.0 && !rules_.zero) return problem("zero has no meaning here", "more than 0 s");
    return Distribution{models::Uniform{*low.value, *high.value}};
  }

  [[nodiscard]] Parsed<Distribution> lognormal(const std::vector<std::string_view>& arguments) const {
    const auto median = arguments.size() == 2 ? named(arguments[0], "median") : std::nullopt;
    const auto sigma = arguments.size() == 2 ? named(arguments[1], "sigma") : std::nullopt;
    if (!median || !sigma) return problem("its arguments are median and sigma", "lognormal(median 3.7 min, sigma 0.3)");
    const Parsed<double> middle = positive(*median, "the median"), spread = number(*sigma, "sigma", 0.0, 10.0);
    if (!middle.value) return middle.problem;
    if (!spread.value) return spread.problem;
    return Distribution{models::LogNormal{*middle.value, *spread.value}};
  }

  [[nodiscard]] Parsed<Distribution> weibull(const std::vector<std::string_view>& arguments) const {
    const auto scale = arguments.size() == 2 ? named(arguments[0], "scale") : std::nullopt;
    const auto shape = arguments.size() == 2 ? named(arguments[1], "shape") : std::nullopt;
    if (!scale || !shape) return problem("its arguments are scale and shape", "weibull(scale 1.4 h, shape 0.62)");
    const Parsed<double> length = positive(*scale, "the scale"), power = number(*shape, "shape", 0.05, 100.0);
    if (!length.value) return length.problem;
    if (!power.value) return power.problem;
    return Distribution{models::Weibull{*length.value, *power.value}};
  }

  [[nodiscard]] Parsed<models::HazardPiece> hazard_piece(std::string_view argument, bool last) const {
    constexpr std::string_view form = "hazard(1.7 /h until 15 min, 0.2 /h): a rate until a time, the last without end";
    const std::size_t until = argument.find(" until ");
    if ((until == std::string_view::npos) != last) return problem("every piece but the last has its \"until\"", form);
    const Parsed<EventRate> rate = parse_event_rate(argument.substr(0, until));
    if (!rate.value || rate.value->per != EventRate::Per::fleet) return problem("a rate is written \"1.7 /h\"", form);
    models::HazardPiece piece;
    piece.rate = rate.value->per_second;
    if (last) return piece;
    const Parsed<double> end = positive(argument.substr(until + 7), "the end of a piece");
    if (!end.value) return end.problem;
    piece.until = *end.value;
    return piece;
  }

  [[nodiscard]] Parsed<Distribution> hazard(const std::vector<std::string_view>& arguments) const {
    models::PiecewiseHazard result;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const Parsed<models::HazardPiece> piece = hazard_piece(arguments[i], i + 1 == arguments.size());
      if (!piece.value) return piece.problem;
      if (i > 0 && piece.value->until <= result.pieces.back().until) return problem("the times must grow", "");
      result.pieces.push_back(*piece.value);
    }
    if (result.pieces.back().rate == 0.0 && !rules_.never) {
      return problem("a last rate of 0 means that it may never happen", "a last rate above 0");
    }
    return Distribution{std::move(result)};
  }

  [[nodiscard]] Parsed<models::MixtureComponent> component(std::string_view argument, int depth) const {
    const std::size_t colon = argument.find(':');
    if (colon == std::string_view::npos) return problem("its arguments are share: law", "mix(0.2: none, 0.8: 30 s)");
    const Parsed<double> share = number(trimmed(argument.substr(0, colon)), "a share", 0.0, 1.0);
    if (!share.value) return share.problem;
    const Parsed<Distribution> inner = law(argument.substr(colon + 1), depth + 1);
    if (!inner.value) return inner.problem;
    return models::MixtureComponent{*share.value, *inner.value};
  }

  [[nodiscard]] Parsed<Distribution> data(const std::vector<std::string_view>& arguments) const {
    if (files_ == nullptr) return problem("no data file can be named here");
    if (arguments.size() != 2) return problem("its arguments are a file and a column", "data(waits.csv, wait_s)");
    try {
      const std::string file{arguments[0]}, column{arguments[1]};
      models::Empirical law{files_->times(file, column), "data(" + file + ", " + column + ")", 1.0};
      if (law.values->front() == 0.0 && !rules_.zero) return problem("zero has no meaning here", "values above 0 s");
      return Distribution{std::move(law)};
    } catch (const models::InputError& error) {
      return data_problem(error.faults().front());
    }
  }

  [[nodiscard]] Parsed<Distribution> mix(const std::vector<std::string_view>& arguments, int depth) const {
    if (depth >= deepest_mix) return problem("mixes inside mixes go too deep", "");
    models::Mixture result;
    double sum = 0.0;
    for (const std::string_view argument : arguments) {
      const Parsed<models::MixtureComponent> part = component(argument, depth);
      if (!part.value) return part.problem;
      sum += part.value->share;
      result.components.push_back(*part.value);
    }
    // decimal shares such as 0.1 + 0.2 + 0.7 miss 1 by a few units in the last place
    if (std::abs(sum - 1.0) > 1e-9)
      return problem("the shares sum to " + format_rounded(sum, 12), "shares that sum to 1");
    return Distribution{std::move(result)};
  }

  std::string_view whole_;
  RandomRules rules_;
  const ValueParser& value_;
  DataFiles* files_;
};

}  // namespace

Parsed<Distribution> parse_random_time(std::string_view text, const RandomRules& rules, DataFiles* files) {
  const ValueParser time = parse_time;
  return LawParser{text, rules, time, files}.law(text, 0);
}

Parsed<Distribution> parse_law(std::string_view text, const ValueParser& value) {
  const Parsed<Distribution> law = LawParser{text, {}, value, nullptr}.law(text, 0);
  if (!law.value || !std::holds_alternative<models::PiecewiseHazard>(*law.value)) return law;
  return Problem{"found " + in_quotes(text) + ": a hazard is a law of times", "", ""};
}

std::optional<Parsed<std::pair<std::string, std::string>>> parse_data_reference(std::string_view text) {
  text = trimmed(text);
  if (!text.starts_with("data(")) return std::nullopt;
  const std::vector<std::string_view> arguments =
      text.ends_with(')') ? split_arguments(text.substr(5, text.size() - 6)) : std::vector<std::string_view>{};
  if (arguments.size() == 2) return std::pair{std::string{arguments[0]}, std::string{arguments[1]}};
  return Problem{"found " + in_quotes(text) + ": its arguments are a file and a column", "data(file.csv, column)", ""};
}

Problem data_problem(const models::Fault& fault) {
  return {models::describe({fault.file, fault.line, 0, "", fault.problem, "", ""}), fault.allowed, fault.nearest};
}

}  // namespace fleetcast::scenarios
