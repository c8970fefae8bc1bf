// Laws of times, in the notation of the scenario language.
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "models/random/distribution.hpp"

namespace fleetcast::models {
namespace {

struct TimeUnit {
  std::string_view name;
  double seconds;
};
constexpr std::array<TimeUnit, 7> time_units{
    {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}, {"min", 60.0}, {"h", 3600.0}, {"d", 86400.0}}};

/// From here on a figure is printed as 1 or more.
constexpr double one_at_six_digits = 0.9999995;

/// Six significant digits, no trailing zeros, whatever the locale.
std::string number(double value) {
  std::array<char, 32> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, 6).ptr;
  return {buffer.data(), end};
}

/// How many digits of the figure say something: 1 in "90" and "0.02", 2 in "1.5".
int telling_digits(const std::string& figure) {
  const std::string mantissa = figure.substr(0, figure.find('e'));
  int digits = 0, zeros = 0;
  for (const char c : mantissa) {
    if (c == '.' || c == '-') continue;
    if (c == '0') {
      if (digits > 0) ++zeros;
    } else {
      digits += zeros + 1;
      zeros = 0;
    }
  }
  return digits;
}

/// Small for figures that read well; from 100 on, another unit may use one digit more.
int awkwardness(const std::string& figure, double value) {
  return telling_digits(figure) + (value < 100.0 ? 0 : 1);
}

/// The least awkward unit, then the larger one, among those that leave a figure from 1 to 100,000.
std::string time(double seconds) {
  if (std::isinf(seconds)) return "never";
  if (seconds == 0.0) return "0 s";
  std::string best;
  int least = 99;
  for (const TimeUnit& unit : time_units) {
    const double value = std::abs(seconds / unit.seconds);
    const std::string figure = number(seconds / unit.seconds);
    const bool readable = value >= one_at_six_digits && value < 1e5;
    if (!readable || awkwardness(figure, value) > least) continue;
    least = awkwardness(figure, value);
    best = figure + ' ' + std::string{unit.name};
  }
  if (!best.empty()) return best;
  const TimeUnit& edge = std::abs(seconds) < 1.0 ? time_units.front() : time_units.back();
  return number(seconds / edge.seconds) + ' ' + std::string{edge.name};
}

/// Events per second, minute, hour or day: the fewest digits among the figures from 0.1 to 1000, else the nearest to 1.
std::string rate(double per_second) {
  if (per_second == 0.0) return "0 /h";
  std::string best;
  double best_score = std::numeric_limits<double>::infinity();
  for (const TimeUnit& unit : time_units) {
    if (unit.seconds < 1.0) continue;
    const double value = per_second * unit.seconds;
    const std::string figure = number(value);
    const bool readable = value >= 0.1 && value < 1000.0;
    const double score = readable ? telling_digits(figure) : 100.0 + std::abs(std::log10(value));
    if (score > best_score) continue;
    best_score = score;
    best = figure + " /" + std::string{unit.name};
  }
  return best;
}

std::string text(const Constant& law) {
  return time(law.value);
}
std::string text(const Never&) {
  return "never";
}
std::string text(const None&) {
  return "none";
}
std::string text(const Exponential& law) {
  return "exponential(mean " + time(law.mean) + ")";
}
std::string text(const Uniform& law) {
  return "uniform(" + time(law.low) + ", " + time(law.high) + ")";
}
std::string text(const LogNormal& law) {
  return "lognormal(median " + time(law.median) + ", sigma " + number(law.sigma) + ")";
}
std::string text(const Weibull& law) {
  return "weibull(scale " + time(law.scale) + ", shape " + number(law.shape) + ")";
}
std::string text(const PiecewiseHazard& law) {
  std::string list;
  for (const HazardPiece& piece : law.pieces) {
    const bool last = &piece == &law.pieces.back();
    list += rate(piece.rate) + (last ? "" : " until " + time(piece.until) + ", ");
  }
  return "hazard(" + list + ")";
}
std::string text(const Mixture& law) {
  std::string list;
  for (const MixtureComponent& component : law.components) {
    if (!list.empty()) list += ", ";
    list += number(component.share) + ": " + describe_time(component.law);
  }
  return "mix(" + list + ")";
}
std::string text(const Empirical& law) {
  return law.factor == 1.0 ? law.name : number(law.factor) + " x " + law.name;
}

}  // namespace

std::string describe_time(const Distribution& law) {
  return std::visit([](const auto& kind) { return text(kind); }, law);
}

}  // namespace fleetcast::models
