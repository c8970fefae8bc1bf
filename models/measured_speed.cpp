#include "models/measured_speed.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "models/errors.hpp"
#include "models/measured_speed_law.hpp"
#include "models/measured_speed_nearest.hpp"
#include "models/random/deterministic_math.hpp"

namespace fleetcast::models {

namespace {

constexpr double widest_count = 16.0;  // GPUs beyond the largest measured count

const SpeedWork* work_of(const std::string& model, const MeasuredSpeedTable& table) {
  const auto found = std::ranges::find(table.works, model, &SpeedWork::model);
  return found == table.works.end() ? nullptr : &*found;
}

std::vector<SpeedSibling> siblings_of(const std::string& model, const MeasuredSpeedTable& table,
                                      std::span<const GpuSpec> gpus) {
  std::vector<SpeedSibling> siblings;
  for (const MeasuredSpeedEntry& row : table.rows) {
    if (row.at.model != model) continue;
    const auto conditions = speed_case(row.at, gpus);
    require(conditions.has_value(), "a measured speed names a GPU and precision of the catalog");
    siblings.push_back({&row, *conditions});
  }
  return siblings;
}

/// What the question is silent on, as the rows have it: the source if there is only one, the task of the first row,
/// the sequence of the first row of that task.
SpeedConditions completed(SpeedConditions question, std::span<const SpeedSibling> siblings) {
  const SpeedConditions& first = siblings.front().row->at;
  const bool one_source =
      std::ranges::all_of(siblings, [&](const SpeedSibling& each) { return each.row->at.source == first.source; });
  if (question.source.empty() && one_source) question.source = first.source;
  if (question.task.empty()) question.task = first.task;
  if (question.sequence > 0) return question;
  const auto same_task =
      std::ranges::find_if(siblings, [&](const SpeedSibling& each) { return each.row->at.task == question.task; });
  question.sequence = (same_task == siblings.end() ? first : same_task->row->at).sequence;
  return question;
}

struct Correction {
  double mean = 0, variance = 0;  ///< of ln seconds
};

/// Best linear prediction of what the law leaves, from what it leaves of the siblings.
Correction correct(const SpeedCase& question, std::span<const SpeedSibling> siblings, const SpeedWork& work,
                   const MeasuredSpeedTable& table) {
  const auto n = static_cast<Eigen::Index>(siblings.size());
  const double own = table.spread.row * table.spread.row;
  Eigen::MatrixXd among{n, n};
  Eigen::VectorXd with{n}, left{n};
  for (Eigen::Index i = 0; i < n; ++i) {
    const SpeedSibling& sibling = siblings[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < n; ++j)
      among(i, j) = shared_variance(sibling.conditions, siblings[static_cast<std::size_t>(j)].conditions, table.spread);
    among(i, i) += own;
    with(i) = shared_variance(question, sibling.conditions, table.spread);
    left(i) = log_measured(*sibling.row) - log_seconds(sibling.conditions, work, table.factors);
  }
  const Eigen::VectorXd weights = among.llt().solve(with);
  const double shared = std::max(0.0, prior_variance(table.spread) - with.dot(weights));
  return {weights.dot(left), shared + own};
}

std::string percent(double share) {
  char text[16];
  std::snprintf(text, sizeof text, "%.0f %%", 100.0 * share);
  return text;
}

std::string basis_of(const SpeedCase& question, const SpeedWork& work, const MeasuredSpeedTable& table,
                     const SpeedMatch& match, double speed) {
  const auto parts = parts_of(question, work, table.factors);
  double total = 0.0;
  for (const double part : parts) total += part;
  const MeasuredSpeedEntry& row = *match.sibling->row;
  char ratio[32];
  std::snprintf(ratio, sizeof ratio, "%.3g", speed / row.samples_per_s_per_gpu);
  return std::to_string(work.rows) + " rows of " + work.model + "; matrix products " + percent(parts[0] / total) +
         " of the time, memory " + percent(parts[1] / total) + ", host and input " +
         percent((parts[2] + parts[3]) / total) + ", several GPUs " + percent((parts[4] + parts[5]) / total) + "; " +
         ratio + " times " + describe(row);
}

std::string known_models(const MeasuredSpeedTable& table) {
  std::string names;
  for (const SpeedWork& work : table.works) names += (names.empty() ? "" : ", ") + work.model;
  return names.empty() ? "none" : names;
}

double most_gpus(std::span<const SpeedSibling> siblings) {
  double most = 1.0;
  for (const SpeedSibling& each : siblings) most = std::max(most, each.row->at.gpus);
  return most;
}

std::nullopt_t refuse(std::string reason, std::string* why_not) {
  if (why_not) *why_not = std::move(reason);
  return std::nullopt;
}

}  // namespace

double prior_variance(const SpeedSpread& spread) {
  double total = 0.0;
  for (const double sd :
       {spread.setup, spread.gpu, spread.gpu_source, spread.width_source, spread.gpu_width, spread.count, spread.cell})
    total += sd * sd;
  return total;
}

std::optional<SpeedAnswer> measured_speed(const SpeedConditions& question, const MeasuredSpeedTable& table,
                                          std::span<const GpuSpec> gpus, std::string* why_not) {
  require(question.gpus >= 1 && question.gpus_per_node >= 1, "a speed is asked for at least one GPU");
  const SpeedWork* work = work_of(question.model, table);
  const auto siblings = work ? siblings_of(question.model, table, gpus) : std::vector<SpeedSibling>{};
  if (siblings.empty())
    return refuse("no speed of " + question.model + " was measured (measured: " + known_models(table) + ")", why_not);
  const SpeedConditions at = completed(question, siblings);
  const auto conditions = speed_case(at, gpus);
  if (!conditions)
    return refuse("no law for " + std::string{name_of(at.precision)} + " on " + at.gpu +
                      " (GPUs of the catalog, 16 and 32 bit where they have them)",
                  why_not);
  if (at.gpus > widest_count * most_gpus(siblings))
    return refuse(
        question.model + " was measured on at most " + std::to_string(std::llround(most_gpus(siblings))) + " GPUs",
        why_not);
  const Correction correction = correct(*conditions, siblings, *work, table);
  const double seconds = det::exp(log_seconds(*conditions, *work, table.factors) + correction.mean);
  const SpeedMatch match = nearest_sibling(*conditions, siblings);
  SpeedAnswer answer;
  answer.samples_per_s_per_gpu = 1.0 / (seconds * (at.sequence > 0 ? at.sequence : 1.0));
  answer.unit = work->unit;
  const double guessed_source = question.source != at.source ? table.spread.setup : 0.0;
  answer.log_sd = std::sqrt(correction.variance + guessed_source * guessed_source);
  answer.grade = grade_of(*conditions, siblings);
  answer.basis = basis_of(*conditions, *work, table, match, answer.samples_per_s_per_gpu);
  answer.nearest_row = match.sibling->row->id;
  answer.distance = match.distance;
  return answer;
}

}  // namespace fleetcast::models
