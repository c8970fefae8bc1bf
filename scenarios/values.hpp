#pragma once
// The values of the scenario language, from their text. Whatever has a unit is one string.
// Every function answers with the value in SI units or with what is wrong; nothing is guessed.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/random/distribution.hpp"
#include "scenarios/decimal.hpp"

namespace fleetcast::models {
struct Fault;
}

namespace fleetcast::scenarios {

class DataFiles;

/// What is wrong with a value: what was found, what is allowed, and what may have been meant.
struct Problem {
  std::string found;
  std::string allowed;
  std::string nearest;
};

/// A value, or the problem that stands in its place.
template <class T>
struct Parsed {
  std::optional<T> value;
  Problem problem;

  Parsed(T result) : value{std::move(result)} {}        // NOLINT: `return value;` reads best
  Parsed(Problem fault) : problem{std::move(fault)} {}  // NOLINT
};

// --- values_count.cpp
/// Digits with an optional k M B T (10^3 ... 10^12) or Ki Mi Gi (2^10 ...): "1.4T", "4Mi". Exact; must be whole.
Parsed<std::uint64_t> parse_count(std::string_view text);
/// "4Mi tokens": a count of at least 1 and one of two words.
struct CountOf {
  std::uint64_t count = 0;
  std::string unit;
};
Parsed<CountOf> parse_count_of(std::string_view text, std::string_view one_unit, std::string_view other_unit);

// --- values_units.cpp
/// Seconds, from ns us ms s min h d. Not negative.
Parsed<double> parse_time(std::string_view text);
/// Bytes: kB MB GB TB PB are powers of 1000, KiB ... of 1024. Not negative.
Parsed<double> parse_bytes(std::string_view text);
/// Bytes per second: "400 Gbit/s" is 50 "GB/s".
Parsed<double> parse_byte_rate(std::string_view text);
/// Dollars: "50000 USD".
Parsed<double> parse_usd(std::string_view text);
/// GPU-seconds: "2.1e7 GPU-h".
Parsed<double> parse_gpu_time(std::string_view text);
/// A number and one of the words given, e.g. {"samples/s", "batches/s"}; the index of the word is the unit.
struct NumberOf {
  double value = 0.0;
  std::size_t unit = 0;
};
Parsed<NumberOf> parse_number_of(std::string_view text, const std::vector<std::string_view>& units,
                                 std::string_view what, std::string_view example);

// --- values_prices.cpp
struct Price {
  enum class Per { gpu_hour, node_hour, gigabyte };
  double usd = 0.0;  ///< >= 0
  Per per = Per::gpu_hour;
};
Parsed<Price> parse_price(std::string_view text);

struct EventRate {
  enum class Per { node, gpu, fleet };
  double per_second = 0.0;  ///< >= 0
  Per per = Per::node;
};
Parsed<EventRate> parse_event_rate(std::string_view text);

// --- values_dates.cpp
/// Seconds since 1970-01-01T00:00Z, from "2026-03-02T11:30Z" (seconds may follow, "+01:00" instead of Z).
Parsed<std::int64_t> parse_date(std::string_view text);
/// True for what begins like a date, so that a time and a date can share a field.
bool looks_like_date(std::string_view text);

/// "500 steps" or "30 min"; more than zero.
struct StepsOrSeconds {
  bool in_steps = true;
  double value = 0.0;
};
Parsed<StepsOrSeconds> parse_span(std::string_view text);

// --- values_random.cpp
/// What a random time may be besides a law.
struct RandomRules {
  bool zero = true;    ///< "0 s" has a meaning
  bool never = false;  ///< so has "never"
  bool none = false;   ///< so has "none" by itself (inside a mix it is allowed wherever zero is)
};
/// data(file, column) is looked up in `files`; without them it is refused.
Parsed<models::Distribution> parse_random_time(std::string_view text, const RandomRules& rules,
                                               DataFiles* files = nullptr);
/// How one value of a law is read.
using ValueParser = std::function<Parsed<double>(std::string_view)>;
/// The same notation over values of any kind; no hazard, no data files.
Parsed<models::Distribution> parse_law(std::string_view text, const ValueParser& value);
/// The two arguments of "data(file, column)"; nothing if the text does not begin like that.
std::optional<Parsed<std::pair<std::string, std::string>>> parse_data_reference(std::string_view text);
/// A fault of a data file, as the problem of the value that names it.
Problem data_problem(const models::Fault& fault);

// --- values_text.cpp: shared by the parsers
/// A number and what follows it, blanks between removed.
struct NumberAndRest {
  Decimal number;
  std::string_view rest;
  std::string written;
};
/// `what` and `example` go into the message: "a time", "30 min".
Parsed<NumberAndRest> split_number(std::string_view text, std::string_view what, std::string_view example);
/// As a double that is not negative.
Parsed<double> to_amount(const Decimal& number, std::string_view text, std::string_view what);
std::string_view trimmed(std::string_view text);
/// The pieces between commas, blanks around them removed.
std::vector<std::string_view> split_at_commas(std::string_view text);
/// "median 3.7 min" -> the text after the word, if the argument begins with it.
std::optional<std::string_view> named(std::string_view argument, std::string_view word);
/// "a time such as \"30 min\"".
std::string such_as(std::string_view what, std::string_view example);

}  // namespace fleetcast::scenarios
