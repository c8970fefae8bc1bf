#include "models/speed_range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/random/deterministic_math.hpp"

namespace fleetcast::models {

namespace {

constexpr double farthest_size = 10.0;      // factor in active parameters beyond the outermost rows
constexpr double farthest_sequence = 16.0;  // factor beyond the longest or shortest measured sequence
constexpr double farthest_gpus = 64.0;      // factor beyond the largest measured gang
constexpr double slack = 4.0;               // within this factor an answer still counts as fitted
constexpr double size_slack = 3.0;
constexpr double new_gpu = 0.1;     // log-sd that a GPU without rows in that precision adds
constexpr double new_format = 0.2;  // and a number format without rows on any GPU

struct Interval {
  double low = std::numeric_limits<double>::infinity(), high = 0.0;
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  [[nodiscard]] double factor_outside(double value) const { return std::max({1.0, low / value, value / high}); }
};

int width(Precision precision) {
  return precision == Precision::mxfp8 ? 9 : bits_of(precision);
}

bool alike(const StepQuestion& question, const MeasuredRow& row) {
  return row.mixture == (question.shape.experts > 0 || question.shape.mamba_layers > 0);
}

struct Outside {
  double size = 1.0, sequence = 1.0, gpus = 1.0;
  /// 10 % for every e-fold in size, 5 % in GPUs and sequence length beyond the slack: about what a factor of 10 in GPUs
  /// costs in published scaling series.
  [[nodiscard]] double log_sd() const {
    return root_sum(0.1 * det::log(std::max(1.0, size / size_slack)),
                    0.05 * (det::log(std::max(1.0, gpus / slack)) + det::log(std::max(1.0, sequence / slack))));
  }
  [[nodiscard]] bool beyond_slack() const { return size > size_slack || sequence > slack || gpus > slack; }
};

Outside outside_of(const StepQuestion& question, std::span<const MeasuredRow> rows) {
  Interval size, sequence, gpus;
  for (const MeasuredRow& row : rows) {
    if (!alike(question, row)) continue;
    size.add(row.params);
    sequence.add(row.sequence_length);
    gpus.add(row.gpus);
  }
  return {size.factor_outside(active_parameters(question.shape)), sequence.factor_outside(question.sequence_length),
          gpus.factor_outside(question.layout.gpus())};
}

std::string refusal_of(const Outside& outside, bool any) {
  if (!any) return "there are no rows of this kind of model";
  if (outside.size > farthest_size) return "its size is far outside what was measured";
  if (outside.sequence > farthest_sequence) return "the sequence length is far outside what was measured";
  if (outside.gpus > farthest_gpus) return "the number of GPUs is far outside what was measured";
  return {};
}

}  // namespace

double root_sum(double a, double b) {
  return std::sqrt(a * a + b * b);
}

SpeedRange speed_range(const StepQuestion& question, std::span<const MeasuredRow> rows, const RowMatch& match) {
  const bool any = std::ranges::any_of(rows, [&](const MeasuredRow& row) { return alike(question, row); });
  const bool same_gpu = std::ranges::any_of(rows, [&](const MeasuredRow& row) {
    return row.gpu == question.gpu.id && width(row.precision) == width(question.precision);
  });
  const bool same_format = std::ranges::any_of(
      rows, [&](const MeasuredRow& row) { return width(row.precision) == width(question.precision); });
  const Outside outside = outside_of(question, rows);
  SpeedRange range;
  range.refusal = refusal_of(outside, any);
  range.added_log_sd = root_sum(outside.log_sd(), same_gpu ? 0.0 : same_format ? new_gpu : new_format);
  if (!same_format || !same_gpu)
    range.grade = Grade::assumed;
  else if (outside.beyond_slack())
    range.grade = Grade::extrapolated;
  else if (match.same_case)
    range.grade = Grade::measured;
  return range;
}

}  // namespace fleetcast::models
