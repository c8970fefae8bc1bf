#include "models/nearest_row.hpp"

#include <cmath>
#include <limits>

#include "models/random/deterministic_math.hpp"

namespace fleetcast::models {

namespace {

double log_ratio(double a, double b) {
  return std::abs(det::log(a / b));
}

bool is_mixture(const StepQuestion& question) {
  return question.shape.experts > 0 || question.shape.mamba_layers > 0;
}

/// Size counts in full, sequence length and number of GPUs less: speed depends less on them. Another GPU,
/// precision or kind outweighs any of these.
double distance(const StepQuestion& question, const MeasuredRow& row) {
  double total = log_ratio(active_parameters(question.shape), row.params) +
                 0.5 * log_ratio(question.sequence_length, row.sequence_length) +
                 0.25 * log_ratio(question.layout.gpus(), row.gpus);
  if (row.precision != question.precision) total += 3.0;
  if (row.gpu != question.gpu.id) total += 6.0;
  if (row.mixture != is_mixture(question)) total += 12.0;
  return total;
}

bool same_case(const StepQuestion& question, const MeasuredRow& row) {
  constexpr double same_size = 0.02;  // published sizes are rounded
  constexpr double factor_two = 0.6931471805599454;
  return row.gpu == question.gpu.id && row.precision == question.precision && row.mixture == is_mixture(question) &&
         log_ratio(active_parameters(question.shape), row.params) <= same_size &&
         log_ratio(question.layout.gpus(), row.gpus) <= factor_two &&
         log_ratio(question.sequence_length, row.sequence_length) <= factor_two;
}

std::string with_thousands(double value) {
  const std::string digits = std::to_string(std::llround(value));
  std::string text;
  for (std::size_t at = 0; at < digits.size(); ++at) {
    if (at > 0 && (digits.size() - at) % 3 == 0) text += ',';
    text += digits[at];
  }
  return text;
}

std::string describe(const MeasuredRow& row) {
  return row.model + " " + std::string{name_of(row.precision)} + " on " + with_thousands(row.gpus) + " " + row.gpu +
         " at " + with_thousands(row.sequence_length) + " tokens: " + with_thousands(row.tokens_per_s_per_gpu) +
         " tokens/s/GPU";
}

}  // namespace

RowMatch nearest_row(const StepQuestion& question, std::span<const MeasuredRow> rows) {
  RowMatch match;
  double best = std::numeric_limits<double>::infinity();
  for (const MeasuredRow& row : rows) {
    const double here = distance(question, row);
    if (here >= best) continue;
    best = here;
    match.nearest = {row.id, describe(row), here};
    match.same_case = same_case(question, row);
  }
  return match;
}

}  // namespace fleetcast::models
