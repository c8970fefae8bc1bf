#pragma once
// Sums, means and the Monte Carlo error of a mean. Everything is added in the order of the trials, with
// compensation, so the same outcomes give the same bits.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace fleetcast::analysis {

/// Neumaier's compensated sum: the error does not grow with the number of terms.
/// A. Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", ZAMM 54 (1974).
class CompensatedSum {
 public:
  void add(double term);
  [[nodiscard]] double value() const { return sum_ + correction_; }

 private:
  double sum_ = 0.0, correction_ = 0.0;
};

double sum(std::span<const double> values);
/// Requires at least one value.
double mean(std::span<const double> values);

/// A 95 % interval, or the reason why there is none.
struct MeanInterval {
  std::optional<std::pair<double, double>> limits;
  std::string why;
};

/// Student's interval of the mean of independent values: mean -+ t(0.975, n - 1) x sd / sqrt(n). It is Monte Carlo
/// error only. None for fewer than two values, and none where a few trials dominate the sum (see `dominated`).
MeanInterval mean_interval(std::span<const double> values);

/// The t quantile at 0.975, rounded to 12 significant digits: the last bits of the library's series depend on the
/// processor, those of the rounded figure do not. degrees >= 1.
double student_t_975(std::uint64_t degrees);

/// Whether the largest 1 % of the values (by magnitude, at least one) hold so much of the sum of magnitudes that
/// the interval of the mean cannot be trusted: over 20 %. Below 25 values one of them may hold up to five times
/// its equal share, since 20 % is then nothing unusual.
bool dominated(std::span<const double> values);

/// The same number with 12 significant decimal digits.
double rounded_to_12_digits(double value);

}  // namespace fleetcast::analysis
