#include "analysis/calibration/measured_speed_errors.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/calibration/measured_speed_fit.hpp"

#include "models/throughput_calibration.hpp"

namespace fleetcast::analysis {

namespace {

using models::MeasuredSpeedEntry;

struct Outcome {
  double ratio = 0;  ///< predicted over measured
  bool held = false;
};

double quantile_of(std::vector<double> values, double p) {
  std::ranges::sort(values);
  const double place = p * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

models::SpeedError summary_of(const std::string& what, const std::vector<Outcome>& outcomes) {
  models::SpeedError error;
  error.what = what;
  error.rows = static_cast<int>(outcomes.size());
  if (outcomes.empty()) return error;
  std::vector<double> misses;
  for (const Outcome& each : outcomes) {
    misses.push_back(std::abs(each.ratio - 1.0));
    error.mean += misses.back() / error.rows;
    error.bias += (each.ratio - 1.0) / error.rows;
    error.coverage90 += (each.held ? 1.0 : 0.0) / error.rows;
  }
  error.median = quantile_of(misses, 0.5);
  error.p90 = quantile_of(misses, 0.9);
  return error;
}

void ask(const std::vector<MeasuredSpeedEntry>& rows, const models::MeasuredSpeedTable& table,
         std::span<const models::GpuSpec> gpus, bool source_known, std::vector<Outcome>& outcomes) {
  for (const MeasuredSpeedEntry& row : rows) {
    models::SpeedConditions question = row.at;
    if (!source_known) question.source.clear();
    const auto answer = models::measured_speed(question, table, gpus);
    if (!answer) continue;
    const double ratio = answer->samples_per_s_per_gpu / row.samples_per_s_per_gpu;
    outcomes.push_back({ratio, std::abs(std::log(ratio)) <= models::normal90 * answer->log_sd});
  }
}

std::string precision_of(const MeasuredSpeedEntry& row) {
  return std::string{models::name_of(row.at.precision)};
}

std::string configuration(const MeasuredSpeedEntry& row) {
  return row.at.model + "|" + row.at.gpu + "|" + precision_of(row) + "|" + std::to_string(row.at.gpus);
}

std::string gpu_of_model(const MeasuredSpeedEntry& row) {
  return row.at.source + "|" + row.at.model + "|" + row.at.gpu;
}

std::string precision_of_model(const MeasuredSpeedEntry& row) {
  return row.at.source + "|" + row.at.model + "|" + row.at.gpu + "|" + precision_of(row);
}

}  // namespace

models::SpeedError speeds_left_out(std::span<const MeasuredSpeedEntry> rows, std::span<const models::GpuSpec> gpus,
                                   const std::string& what,
                                   const std::function<std::string(const MeasuredSpeedEntry&)>& key,
                                   bool source_known) {
  std::map<std::string, std::vector<MeasuredSpeedEntry>> groups;
  for (const MeasuredSpeedEntry& row : rows) groups[key(row)].push_back(row);
  std::vector<Outcome> outcomes;
  for (const auto& [name, group] : groups) {
    std::vector<MeasuredSpeedEntry> others;
    std::ranges::copy_if(rows, std::back_inserter(others),
                         [&](const MeasuredSpeedEntry& row) { return key(row) != name; });
    ask(group, fit_measured_speeds(others, gpus), gpus, source_known, outcomes);
  }
  return summary_of(what, outcomes);
}

std::vector<models::SpeedError> measured_speed_errors(std::span<const MeasuredSpeedEntry> rows,
                                                      std::span<const models::GpuSpec> gpus) {
  return {speeds_left_out(rows, gpus, "a model's GPU, precision and count", configuration, true),
          speeds_left_out(rows, gpus, "a model's GPU in a source", gpu_of_model, true),
          speeds_left_out(rows, gpus, "a precision of a model's GPU in a source", precision_of_model, true),
          speeds_left_out(rows, gpus, "a model's GPU, precision and count, source not named", configuration, false),
          speeds_left_out(rows, gpus, "a model's GPU in a source, source not named", gpu_of_model, false)};
}

}  // namespace fleetcast::analysis
