#include <charconv>
#include <chrono>

#include "scenarios/document.hpp"
#include "scenarios/values.hpp"

namespace fleetcast::scenarios {
namespace {

/// Reads fixed-width digits and literal characters from the front of a text.
class DateScanner {
 public:
  explicit DateScanner(std::string_view text) : text_{text} {}

  std::optional<int> digits(std::size_t width) {
    if (text_.size() < width || text_.find_first_not_of("0123456789") < width) return std::nullopt;
    int value = 0;
    std::from_chars(text_.data(), text_.data() + width, value);
    text_.remove_prefix(width);
    return value;
  }
  bool take(char c) {
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  [[nodiscard]] std::string_view rest() const { return text_; }

 private:
  std::string_view text_;
};

std::optional<std::int64_t> scan_day(DateScanner& scanner) {
  using namespace std::chrono;
  const auto y = scanner.digits(4);
  if (!y || !scanner.take('-')) return std::nullopt;
  const auto m = scanner.digits(2);
  if (!m || !scanner.take('-')) return std::nullopt;
  const auto d = scanner.digits(2);
  if (!d) return std::nullopt;
  const year_month_day date{year{*y}, month{static_cast<unsigned>(*m)}, day{static_cast<unsigned>(*d)}};
  if (!date.ok()) return std::nullopt;
  return duration_cast<seconds>(sys_days{date}.time_since_epoch()).count();
}

std::optional<std::int64_t> scan_clock(DateScanner& scanner) {
  const auto hour = scanner.digits(2);
  if (!hour || *hour > 23 || !scanner.take(':')) return std::nullopt;
  const auto minute = scanner.digits(2);
  if (!minute || *minute > 59) return std::nullopt;
  std::int64_t value = *hour * 3600 + *minute * 60;
  if (scanner.take(':')) {
    const auto second = scanner.digits(2);
    if (!second || *second > 59) return std::nullopt;
    value += *second;
  }
  return value;
}

std::optional<std::int64_t> scan_offset(DateScanner& scanner) {
  if (scanner.take('Z')) return 0;
  const int sign = scanner.take('+') ? 1 : (scanner.take('-') ? -1 : 0);
  const auto hour = scanner.digits(2);
  if (sign == 0 || !hour || *hour > 14 || !scanner.take(':')) return std::nullopt;
  const auto minute = scanner.digits(2);
  if (!minute || *minute > 59) return std::nullopt;
  return sign * (*hour * 3600 + *minute * 60);
}

}  // namespace

bool looks_like_date(std::string_view text) {
  DateScanner scanner{trimmed(text)};
  return scanner.digits(4) && scanner.take('-') && scanner.digits(2);
}

Parsed<std::int64_t> parse_date(std::string_view text) {
  const Problem bad{"found " + in_quotes(text) + ", which is not a date", "a date such as \"2026-03-02T11:30Z\"", ""};
  DateScanner scanner{trimmed(text)};
  const auto day = scan_day(scanner);
  if (!day || !scanner.take('T')) return bad;
  const auto clock = scan_clock(scanner);
  if (!clock) return bad;
  if (scanner.rest().empty()) {
    return Problem{"found " + in_quotes(text) + ": the offset from UTC is missing",
                   "Z or an offset such as +01:00 at the end", std::string{trimmed(text)} + "Z"};
  }
  const auto offset = scan_offset(scanner);
  if (!offset || !scanner.rest().empty()) return bad;
  return *day + *clock - *offset;
}

Parsed<StepsOrSeconds> parse_span(std::string_view text) {
  const std::string allowed = "more than 0 steps or more than 0 s, such as \"500 steps\" or \"30 min\"";
  const std::string_view plain = trimmed(text);
  StepsOrSeconds span;
  if (plain.ends_with("step") || plain.ends_with("steps")) {
    const Parsed<std::uint64_t> steps = parse_count(plain.substr(0, plain.rfind("step")));
    if (!steps.value) return steps.problem;
    span.value = static_cast<double>(*steps.value);
  } else {
    const Parsed<double> time = parse_time(plain);
    if (!time.value) return Problem{time.problem.found, allowed, time.problem.nearest};
    span = {false, *time.value};
  }
  if (!(span.value > 0.0)) return Problem{"found " + in_quotes(text), allowed, ""};
  return span;
}

}  // namespace fleetcast::scenarios
