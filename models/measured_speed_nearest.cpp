#include "models/measured_speed_nearest.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "models/random/deterministic_math.hpp"

namespace fleetcast::models {

namespace {

/// 0 where one of them is not known.
double log_ratio(double a, double b) {
  return a > 0 && b > 0 ? std::abs(det::log(a / b)) : 0.0;
}

bool differs(const std::string& a, const std::string& b) {
  return !a.empty() && !b.empty() && a != b;
}

double distance(const SpeedCase& a, const SpeedCase& b) {
  const double rates = log_ratio(a.matrix_rate, b.matrix_rate) + log_ratio(a.memory_rate, b.memory_rate);
  const double sizes = 0.5 * log_ratio(a.at.sequence, b.at.sequence) + 0.25 * log_ratio(a.at.gpus, b.at.gpus) +
                       0.25 * log_ratio(a.batch, b.batch);
  const int kinds = differs(a.at.source, b.at.source) + differs(a.at.task, b.at.task) + (a.width != b.width);
  return rates + sizes + 0.3 * kinds;
}

constexpr double factor_two = 2.0000001;  // rounded figures

bool within_two(double a, double b) {
  return a <= 0 || b <= 0 || std::max(a / b, b / a) <= factor_two;
}

bool same_work(const SpeedCase& a, const SpeedCase& b) {
  return !differs(a.at.task, b.at.task) && a.at.sequence == b.at.sequence;
}

bool same_case(const SpeedCase& a, const SpeedCase& b) {
  return same_work(a, b) && a.at.gpu == b.at.gpu && a.width == b.width && within_two(a.at.gpus, b.at.gpus) &&
         within_two(a.batch, b.batch);
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = 0.0;
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  [[nodiscard]] bool holds(double value, double margin) const {
    return value >= low / margin && value <= high * margin;
  }
};

bool inside(const SpeedCase& question, std::span<const SpeedSibling> siblings) {
  constexpr double exact = 1.02;  // data sheets differ by as much
  Range matrix, memory, gpus, batch;
  bool width = false, work = false;
  for (const SpeedSibling& each : siblings) {
    width = width || each.conditions.width == question.width;
    work = work || same_work(question, each.conditions);
    if (each.conditions.width == question.width) matrix.add(each.conditions.matrix_rate);
    memory.add(each.conditions.memory_rate);
    gpus.add(each.conditions.at.gpus);
    if (each.conditions.batch > 0) batch.add(each.conditions.batch);
  }
  const bool usual_batch = question.batch <= 0 || batch.high <= 0 || batch.holds(question.batch, factor_two);
  return width && work && usual_batch && matrix.holds(question.matrix_rate, exact) &&
         memory.holds(question.memory_rate, exact) && gpus.holds(question.at.gpus, factor_two);
}

}  // namespace

SpeedMatch nearest_sibling(const SpeedCase& question, std::span<const SpeedSibling> siblings) {
  SpeedMatch match{nullptr, std::numeric_limits<double>::infinity()};
  for (const SpeedSibling& each : siblings) {
    const double here = distance(question, each.conditions);
    if (here < match.distance) match = {&each, here};
  }
  return match;
}

Grade grade_of(const SpeedCase& question, std::span<const SpeedSibling> siblings) {
  const bool measured =
      std::ranges::any_of(siblings, [&](const SpeedSibling& each) { return same_case(question, each.conditions); });
  if (measured) return Grade::measured;
  return inside(question, siblings) ? Grade::fitted : Grade::extrapolated;
}

std::string describe(const MeasuredSpeedEntry& row) {
  char figures[96];
  std::snprintf(figures, sizeof figures, " on %.0f ", row.at.gpus);
  std::string text = row.at.model + " " + std::string{name_of(row.at.precision)} + figures + row.at.gpu;
  std::snprintf(figures, sizeof figures, ": %.5g ", row.samples_per_s_per_gpu);
  return text + figures + row.unit + "/s/GPU (" + row.id + ")";
}

}  // namespace fleetcast::models
