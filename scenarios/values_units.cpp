#include <algorithm>
#include <array>
#include <span>

#include "scenarios/document.hpp"
#include "scenarios/values.hpp"

namespace fleetcast::scenarios {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};
/// What people write, and what it may mean here.
struct Synonym {
  std::string_view written, meant;
};

/// One kind of quantity: how it is called, an example, its units and common slips.
struct Dimension {
  std::string_view what, example;
  std::span<const Unit> units;
  std::span<const Synonym> synonyms;
  std::string_view hint;  ///< said when the unit is not known
};

constexpr std::array<Unit, 7> time_units{
    {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}, {"min", 60.0}, {"h", 3600.0}, {"d", 86400.0}}};
constexpr std::array<Synonym, 20> time_synonyms{
    {{"m", "min"},  {"mins", "min"}, {"minute", "min"}, {"minutes", "min"}, {"sec", "s"},
     {"secs", "s"}, {"second", "s"}, {"seconds", "s"},  {"hr", "h"},        {"hrs", "h"},
     {"hour", "h"}, {"hours", "h"},  {"H", "h"},        {"day", "d"},       {"days", "d"},
     {"D", "d"},    {"S", "s"},      {"msec", "ms"},    {"usec", "us"},     {"\xC2\xB5s", "us"}}};
constexpr Dimension time_dimension{"a time", "30 min", time_units, time_synonyms, ""};

constexpr double kibi = 1024.0;
constexpr std::array<Unit, 11> byte_units{{{"B", 1.0},
                                           {"kB", 1e3},
                                           {"MB", 1e6},
                                           {"GB", 1e9},
                                           {"TB", 1e12},
                                           {"PB", 1e15},
                                           {"KiB", kibi},
                                           {"MiB", kibi* kibi},
                                           {"GiB", kibi* kibi* kibi},
                                           {"TiB", kibi* kibi* kibi* kibi},
                                           {"PiB", kibi* kibi* kibi* kibi* kibi}}};
constexpr std::array<Synonym, 12> byte_synonyms{{{"KB", "kB"},
                                                 {"Kb", "kB"},
                                                 {"K", "kB"},
                                                 {"mb", "MB"},
                                                 {"Mb", "MB"},
                                                 {"M", "MB"},
                                                 {"gb", "GB"},
                                                 {"Gb", "GB"},
                                                 {"G", "GB"},
                                                 {"Gi", "GiB"},
                                                 {"T", "TB"},
                                                 {"Ti", "TiB"}}};
constexpr Dimension byte_dimension{"a size in bytes", "80 GiB", byte_units, byte_synonyms,
                                   "GB is 10^9 bytes, GiB is 2^30"};

constexpr std::array<Unit, 15> rate_units{{{"B/s", 1.0},
                                           {"kB/s", 1e3},
                                           {"MB/s", 1e6},
                                           {"GB/s", 1e9},
                                           {"TB/s", 1e12},
                                           {"KiB/s", kibi},
                                           {"MiB/s", kibi* kibi},
                                           {"GiB/s", kibi* kibi* kibi},
                                           {"TiB/s", kibi* kibi* kibi* kibi},
                                           {"bit/s", 0.125},
                                           {"kbit/s", 125.0},
                                           {"Mbit/s", 125e3},
                                           {"Gbit/s", 125e6},
                                           {"Tbit/s", 125e9},
                                           {"Gibit/s", kibi* kibi* kibi / 8}}};
constexpr std::array<Synonym, 8> rate_synonyms{{{"Gbps", "Gbit/s"},
                                                {"Gb/s", "Gbit/s"},
                                                {"gbps", "Gbit/s"},
                                                {"Mbps", "Mbit/s"},
                                                {"Mb/s", "Mbit/s"},
                                                {"GBps", "GB/s"},
                                                {"MBps", "MB/s"},
                                                {"KB/s", "kB/s"}}};
constexpr Dimension rate_dimension{"a rate in bytes or bits", "400 Gbit/s", rate_units, rate_synonyms,
                                   "8 Gbit/s are 1 GB/s"};

constexpr std::array<Unit, 1> usd_units{{{"USD", 1.0}}};
constexpr std::array<Synonym, 4> usd_synonyms{{{"$", "USD"}, {"usd", "USD"}, {"dollars", "USD"}, {"US$", "USD"}}};
constexpr Dimension usd_dimension{"an amount of money", "50000 USD", usd_units, usd_synonyms, ""};

constexpr std::array<Unit, 4> gpu_time_units{
    {{"GPU-s", 1.0}, {"GPU-min", 60.0}, {"GPU-h", 3600.0}, {"GPU-d", 86400.0}}};
constexpr std::array<Synonym, 4> gpu_time_synonyms{
    {{"GPUh", "GPU-h"}, {"gpu-h", "GPU-h"}, {"GPU-hours", "GPU-h"}, {"GPU-days", "GPU-d"}}};
constexpr Dimension gpu_time_dimension{"a time of GPUs", "2.1e7 GPU-h", gpu_time_units, gpu_time_synonyms, ""};

std::string names(const Dimension& dimension) {
  std::string text{dimension.what};
  text += " in";
  for (const Unit& unit : dimension.units) text += ' ' + std::string{unit.name};
  if (!dimension.hint.empty()) text += "; " + std::string{dimension.hint};
  return text;
}

Problem unknown_unit(const NumberAndRest& parts, std::string_view text, const Dimension& dimension) {
  if (parts.rest.empty()) {
    return {"found " + in_quotes(text) + ": the unit is missing", such_as(dimension.what, dimension.example), ""};
  }
  Problem problem{"found " + in_quotes(text) + ": unit " + in_quotes(parts.rest) + " is not known", names(dimension),
                  ""};
  const auto meant = std::find_if(dimension.synonyms.begin(), dimension.synonyms.end(),
                                  [&](const Synonym& synonym) { return synonym.written == parts.rest; });
  if (meant != dimension.synonyms.end()) problem.nearest = parts.written + ' ' + std::string{meant->meant};
  return problem;
}

Parsed<double> parse_dimension(std::string_view text, const Dimension& dimension) {
  const Parsed<NumberAndRest> parts = split_number(text, dimension.what, dimension.example);
  if (!parts.value) return parts.problem;
  const auto unit = std::find_if(dimension.units.begin(), dimension.units.end(),
                                 [&](const Unit& candidate) { return candidate.name == parts.value->rest; });
  if (unit == dimension.units.end()) return unknown_unit(*parts.value, text, dimension);
  const Parsed<double> amount = to_amount(parts.value->number, text, dimension.what);
  if (!amount.value) return amount.problem;
  const double value = *amount.value * unit->factor;
  if (!(value < 1e300)) return Problem{"found " + in_quotes(text) + ", which is too large for a number", "", ""};
  return value;
}

}  // namespace

Parsed<double> parse_time(std::string_view text) {
  return parse_dimension(text, time_dimension);
}
Parsed<double> parse_bytes(std::string_view text) {
  return parse_dimension(text, byte_dimension);
}
Parsed<double> parse_byte_rate(std::string_view text) {
  return parse_dimension(text, rate_dimension);
}
Parsed<double> parse_usd(std::string_view text) {
  return parse_dimension(text, usd_dimension);
}
Parsed<double> parse_gpu_time(std::string_view text) {
  return parse_dimension(text, gpu_time_dimension);
}

Parsed<NumberOf> parse_number_of(std::string_view text, const std::vector<std::string_view>& units,
                                 std::string_view what, std::string_view example) {
  const Parsed<NumberAndRest> parts = split_number(text, what, example);
  if (!parts.value) return parts.problem;
  const auto unit = std::find(units.begin(), units.end(), parts.value->rest);
  if (unit == units.end()) {
    const std::string problem = parts.value->rest.empty() ? ": the unit is missing" : ": the unit is not known";
    return Problem{"found " + in_quotes(text) + problem, such_as(what, example), ""};
  }
  const Parsed<double> amount = to_amount(parts.value->number, text, what);
  if (!amount.value) return amount.problem;
  return NumberOf{*amount.value, static_cast<std::size_t>(unit - units.begin())};
}

}  // namespace fleetcast::scenarios
