#include <algorithm>

#include "scenarios/fields.hpp"
#include "scenarios/nearest_name.hpp"

namespace fleetcast::scenarios {
namespace {

std::string range_text(CountRange range) {
  return "a whole number from " + std::to_string(range.low) + " to " + std::to_string(range.high);
}

std::string range_text(double low, double high, bool open) {
  std::string text = open ? "a number above " : "a number from ";
  text += format_number(low);
  if (high < std::numeric_limits<double>::max()) text += (open ? " up to " : " to ") + format_number(high);
  return text;
}

/// The text with the quotes off, if it is a plain number: the usual slip.
std::string as_plain_number(const Node& node) {
  return node.kind == Node::Kind::text && parse_decimal(trimmed(node.text)) ? std::string{trimmed(node.text)} : "";
}

void number_expected(const Field& field, const std::string& allowed) {
  if (field.is_text()) {
    std::string hint = as_plain_number(field.node());
    std::string note = hint.empty() ? "" : " (without quotes)";
    field.fault({"found the text " + in_quotes(field.node().text) + " where a number is due", allowed + note, hint});
  } else {
    field.wrong_kind(allowed);
  }
}

std::optional<std::uint64_t> count_of(const Field& field, const std::string& allowed) {
  const Node& node = field.node();
  const bool quoted_number = !as_plain_number(node).empty();
  if ((node.kind != Node::Kind::number && node.kind != Node::Kind::text) || quoted_number) {
    number_expected(field, allowed);
    return std::nullopt;
  }
  const Parsed<std::uint64_t> parsed = parse_count(node.text);
  if (parsed.value) return parsed.value;
  Problem problem = parsed.problem;
  if (node.kind == Node::Kind::number)
    problem.found = "found " + node.text + problem.found.substr(problem.found.rfind('"') + 1);
  problem.allowed = allowed;
  field.fault(problem);
  return std::nullopt;
}

/// The value of a number; a fault otherwise.
std::optional<double> plain_number(const Field& field, const std::string& allowed) {
  if (field.node().kind != Node::Kind::number) {
    number_expected(field, allowed);
    return std::nullopt;
  }
  const std::optional<Decimal> decimal = parse_decimal(field.node().text);
  return decimal ? to_double(*decimal) : std::nullopt;
}

/// "5%" -> "0.05"
std::string percent_as_fraction(const Node& node) {
  if (node.kind != Node::Kind::text || !node.text.ends_with('%')) return "";
  const std::optional<Decimal> number =
      parse_decimal(trimmed(std::string_view{node.text}.substr(0, node.text.size() - 1)));
  const std::optional<double> value = number ? to_double(*number) : std::nullopt;
  return value ? format_number(*value / 100.0) : "";
}

}  // namespace

std::optional<std::uint64_t> read_count(const Field& field, CountRange range) {
  const std::string allowed = range_text(range);
  const std::optional<std::uint64_t> value = count_of(field, allowed);
  if (!value) return std::nullopt;
  if (*value >= range.low && *value <= range.high) return value;
  field.fault({"found " + field.node().text, allowed, ""});
  return std::nullopt;
}

std::optional<int> read_int(const Field& field, CountRange range) {
  const std::optional<std::uint64_t> value = read_count(field, range);
  if (!value) return std::nullopt;
  return static_cast<int>(*value);
}

std::optional<double> read_fraction(const Field& field) {
  const std::string allowed = "a fraction from 0 to 1";
  const std::string percent = percent_as_fraction(field.node());
  if (!percent.empty()) {
    field.fault({"found the text " + in_quotes(field.node().text) + " where a fraction is due", allowed, percent});
    return std::nullopt;
  }
  const std::optional<double> value = plain_number(field, allowed);
  if (!value || (*value >= 0.0 && *value <= 1.0)) return value;
  const bool percents = *value >= 2.0 && *value <= 100.0;
  field.fault({"found " + field.node().text + (percents ? ", which looks like percent" : ""), allowed,
               percents ? format_fixed(*value / 100.0, 2) : ""});
  return std::nullopt;
}

std::optional<double> read_number(const Field& field, double low, double high, bool open) {
  const std::string allowed = range_text(low, high, open);
  const std::optional<double> value = plain_number(field, allowed);
  if (!value) return std::nullopt;
  if ((open ? *value > low : *value >= low) && *value <= high) return value;
  field.fault({"found " + field.node().text, allowed, ""});
  return std::nullopt;
}

std::optional<bool> read_flag(const Field& field) {
  if (field.node().kind == Node::Kind::boolean) return field.node().boolean;
  field.wrong_kind("true or false");
  return std::nullopt;
}

std::optional<std::string> read_text(const Field& field, std::string_view expected) {
  if (!field.is_text()) {
    field.wrong_kind(expected);
    return std::nullopt;
  }
  if (!trimmed(field.node().text).empty()) return field.node().text;
  field.fault({"found an empty text", std::string{expected}, ""});
  return std::nullopt;
}

bool expect_unit_text(const Field& field, std::string_view what, std::string_view example) {
  if (field.is_text()) return true;
  if (field.node().kind == Node::Kind::number) {
    field.fault({"found " + field.node().text + ": the unit is missing", such_as(what, example), ""});
  } else {
    field.wrong_kind(such_as(what, example));
  }
  return false;
}

std::optional<double> read_time(const Field& field, Zero zero, double longest) {
  const std::optional<double> value = read_with_unit<double>(field, "a time", "30 min", parse_time);
  if (!value) return std::nullopt;
  if ((*value > 0.0 || zero == Zero::allowed) && *value <= longest) return value;
  const std::string low = zero == Zero::allowed ? "from 0 s" : "above 0 s";
  field.fault({"found " + in_quotes(field.node().text),
               "a time " + low + " up to " + models::describe_time(models::Constant{longest}), ""});
  return std::nullopt;
}

std::optional<models::Distribution> read_random_time(const Field& field, const RandomRules& rules) {
  return read_with_unit<models::Distribution>(field, "a time or a law of times", "30 s", [&](std::string_view text) {
    return parse_random_time(text, rules, &field.report().files());
  });
}

std::optional<double> read_bytes(const Field& field, Zero zero) {
  const std::optional<double> value = read_with_unit<double>(field, "a size in bytes", "80 GiB", parse_bytes);
  if (!value || *value > 0.0 || zero == Zero::allowed) return value;
  field.fault({"found " + in_quotes(field.node().text), "more than 0 bytes", ""});
  return std::nullopt;
}

std::optional<double> read_byte_rate(const Field& field) {
  const std::optional<double> value = read_with_unit<double>(field, "a rate", "400 Gbit/s", parse_byte_rate);
  if (!value || *value > 0.0) return value;
  field.fault({"found " + in_quotes(field.node().text), "a rate above 0", ""});
  return std::nullopt;
}

std::optional<double> read_usd(const Field& field) {
  return read_with_unit<double>(field, "an amount of money", "50000 USD", parse_usd);
}

std::optional<std::size_t> read_word(const Field& field, const std::vector<std::string>& names,
                                     const std::vector<bool>& supported) {
  std::vector<std::string> usable;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (supported[i]) usable.push_back(names[i]);
  }
  const std::string allowed = nearest_first(field.is_text() ? field.node().text : "", usable);
  if (!field.is_text()) {
    field.wrong_kind("one of " + allowed);
    return std::nullopt;
  }
  const auto found = std::find(names.begin(), names.end(), field.node().text);
  const auto index = static_cast<std::size_t>(found - names.begin());
  if (found == names.end()) {
    field.fault({"found " + in_quotes(field.node().text), allowed, nearest_name(field.node().text, usable)});
    return std::nullopt;
  }
  if (supported[index]) return index;
  field.fault({in_quotes(field.node().text) + " is not yet supported", allowed, ""});
  return std::nullopt;
}

}  // namespace fleetcast::scenarios
