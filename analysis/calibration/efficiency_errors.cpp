#include "analysis/calibration/efficiency_errors.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>

#include "analysis/calibration/efficiency_fit.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double z90 = 1.6448536269514722;  // 95 % point of the normal distribution
constexpr int fewest_rows = 5;              // below this a part gets no line of its own

struct Prediction {
  const EfficiencyRow* row = nullptr;
  double log_error = 0.0;  ///< ln predicted - ln measured
  double log_sd = 0.0;
  double stack_effect = 0.0;  ///< of the row's software, as the rest of the rows show it
};

models::EfficiencyQuestion question_of(const EfficiencyRow& row, const models::Catalog& catalog) {
  models::EfficiencyQuestion question;
  question.shape = row.shape;
  question.gpu = *catalog.gpu(row.row.gpu);
  question.precision = row.row.precision;
  question.gpus = row.row.gpus;
  question.sequence_length = row.row.sequence_length;
  return question;
}

using Name = std::function<std::string(const EfficiencyRow&)>;

/// Leaves out all rows of one name at a time. Rows that nothing else is comparable with are not predicted.
std::vector<Prediction> predict_left_out(std::span<const EfficiencyRow> rows, const models::Catalog& catalog,
                                         const Name& name) {
  std::set<std::string> names;
  for (const EfficiencyRow& row : rows) names.insert(name(row));
  std::vector<Prediction> predictions;
  for (const std::string& left_out : names) {
    std::vector<EfficiencyRow> rest;
    for (const EfficiencyRow& row : rows)
      if (name(row) != left_out) rest.push_back(row);
    const EfficiencyFit fit = fit_efficiency(rest, catalog);
    for (const EfficiencyRow& row : rows) {
      if (name(row) != left_out) continue;
      try {
        const models::StepEstimate estimate = models::estimate_step(question_of(row, catalog), fit.table, true);
        predictions.push_back({&row, std::log(estimate.efficiency / row.efficiency),
                               std::hypot(estimate.log_sd_common, estimate.log_sd_contrast),
                               fit.stack_effects[static_cast<std::size_t>(row.stack)]});
      } catch (const models::InfeasibleError&) {
        continue;
      }
    }
  }
  return predictions;
}

/// The value that a share of the sorted values lies below.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

LeftOutErrors summary_of(std::string what, const std::vector<Prediction>& predictions) {
  LeftOutErrors errors;
  errors.what = std::move(what);
  errors.rows = static_cast<int>(predictions.size());
  std::vector<double> sizes;
  for (const Prediction& prediction : predictions) {
    const double error = std::expm1(prediction.log_error);
    sizes.push_back(std::abs(error));
    errors.bias += error / errors.rows;
    errors.mean += std::abs(error) / errors.rows;
    errors.coverage90 += (std::abs(prediction.log_error) <= z90 * prediction.log_sd ? 1.0 : 0.0) / errors.rows;
  }
  std::sort(sizes.begin(), sizes.end());
  errors.median = quantile(sizes, 0.5);
  errors.p90 = quantile(sizes, 0.9);
  return errors;
}

std::string gpu_and_precision(const EfficiencyRow& row) {
  return row.row.gpu + " " + std::string{models::name_of(row.row.precision)};
}

void add_parts(std::vector<LeftOutErrors>& errors, const std::vector<Prediction>& predictions, const Name& name) {
  std::map<std::string, std::vector<Prediction>> parts;
  for (const Prediction& prediction : predictions) parts[name(*prediction.row)].push_back(prediction);
  for (const auto& [what, part] : parts)
    if (static_cast<int>(part.size()) >= fewest_rows) errors.push_back(summary_of(what, part));
}

/// The same with the software known: its effect is part of the prediction and no longer of the spread.
std::vector<Prediction> with_known_stack(std::vector<Prediction> predictions, double log_sd_common) {
  for (Prediction& prediction : predictions) {
    prediction.log_error += prediction.stack_effect;
    prediction.log_sd = std::sqrt(std::max(0.0, prediction.log_sd * prediction.log_sd - log_sd_common * log_sd_common));
  }
  return predictions;
}

/// Takes the predictions of early software out and returns them.
std::vector<Prediction> take_early(std::vector<Prediction>& predictions) {
  const auto is_early = [](const Prediction& prediction) { return prediction.row->stack == Stack::early; };
  std::vector<Prediction> early;
  std::copy_if(predictions.begin(), predictions.end(), std::back_inserter(early), is_early);
  std::erase_if(predictions, is_early);
  return early;
}

}  // namespace

std::vector<LeftOutErrors> left_out_errors(std::span<const EfficiencyRow> rows, const models::Catalog& catalog) {
  std::vector<LeftOutErrors> errors;
  auto by_group = predict_left_out(rows, catalog, [](const EfficiencyRow& row) { return row.group; });
  const std::vector<Prediction> early = take_early(by_group);
  if (by_group.empty()) return errors;
  errors.push_back(summary_of("all", by_group));
  const double common = fit_efficiency(rows, catalog).table.log_sd_common;
  errors.push_back(summary_of("all, kind of software known", with_known_stack(by_group, common)));
  add_parts(errors, by_group, [](const EfficiencyRow& row) { return models::kind_of(row.shape); });
  add_parts(errors, by_group, gpu_and_precision);
  const auto filed = [&](const EfficiencyRow& row) {
    const auto precision = models::filed_precision(*catalog.gpu(row.row.gpu), row.row.precision);
    return row.row.gpu + " " + std::string{models::name_of(precision)};
  };
  auto by_family = predict_left_out(rows, catalog, filed);
  take_early(by_family);
  if (!by_family.empty()) errors.push_back(summary_of("a whole GPU and precision left out", by_family));
  if (!early.empty()) errors.push_back(summary_of("software of 2021-2022 with full recomputation", early));
  return errors;
}

}  // namespace fleetcast::analysis
