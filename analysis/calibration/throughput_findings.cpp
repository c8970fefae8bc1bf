#include "analysis/calibration/throughput_findings.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "analysis/calibration/weighted_quantile.hpp"
#include "analysis/format.hpp"

namespace fleetcast::analysis {

namespace {

using Finding = std::pair<std::string, std::string>;
using Findings = std::vector<Finding>;

double median(const std::vector<double>& values) {
  std::vector<WeightedValue> sample;
  for (const double value : values) sample.push_back({value, 1.0});
  return weighted_quantile(std::move(sample), 0.5);
}

/// Measured and predicted ratio of two means.
struct Ratio {
  double measured = 0, predicted = 0;
};

std::string ratios_text(const std::vector<Ratio>& ratios) {
  std::vector<double> measured, predicted, errors;
  for (const Ratio& ratio : ratios) {
    measured.push_back(ratio.measured);
    predicted.push_back(ratio.predicted);
    errors.push_back(std::abs(ratio.predicted / ratio.measured - 1.0));
  }
  return "measured " + significant(median(measured), 3) + ", predicted " + significant(median(predicted), 3) +
         " (medians of " + std::to_string(ratios.size()) + "); error " + significant(100.0 * median(errors), 2) +
         " % (median)";
}

struct Mean {
  double measured = 0, predicted = 0;
  int rows = 0;
  void add(double m, double p) {
    measured += m;
    predicted += p;
    ++rows;
  }
};

/// Means by case (all but what is compared) and by what is compared.
using Cases = std::map<std::string, std::map<std::string, Mean>>;

std::vector<Ratio> ratios_in(const Cases& cases, const std::string& above, const std::string& below) {
  std::vector<Ratio> ratios;
  for (const auto& [name, means] : cases) {
    const auto a = means.find(above), b = means.find(below);
    if (a == means.end() || b == means.end()) continue;
    const double rows = static_cast<double>(b->second.rows) / a->second.rows;
    ratios.push_back(
        {a->second.measured / b->second.measured * rows, a->second.predicted / b->second.predicted * rows});
  }
  return ratios;
}

std::string case_of(const ThroughputRow& row) {
  return row.source + "|" + row.model + "|" + std::to_string(row.gpus()) + "|" +
         std::to_string(row.question.sequence_length) + "|" + std::to_string(static_cast<int>(row.work.stack));
}

Cases formats(const std::vector<ThroughputRow>& rows, const std::vector<double>& predicted, bool mixtures) {
  Cases cases;
  for (std::size_t at = 0; at < rows.size(); ++at)
    if (rows[at].mixture() == mixtures)
      cases[case_of(rows[at]) + rows[at].gpu + std::to_string(rows[at].work.year)]
           [std::string{models::name_of(rows[at].question.precision)}]
               .add(rows[at].measured, predicted[at]);
  return cases;
}

Cases machines(const std::vector<ThroughputRow>& rows, const std::vector<double>& predicted) {
  Cases cases;
  for (std::size_t at = 0; at < rows.size(); ++at)
    cases[case_of(rows[at]) + std::string{models::name_of(rows[at].question.precision)}][rows[at].gpu].add(
        rows[at].measured, predicted[at]);
  return cases;
}

void add_ratio(Findings& findings, const std::string& name, const std::vector<Ratio>& ratios) {
  if (!ratios.empty()) findings.emplace_back(name, ratios_text(ratios));
}

void add_ratios(Findings& findings, const std::vector<ThroughputRow>& rows, const std::vector<double>& predicted) {
  for (const bool mixtures : {false, true}) {
    const Cases cases = formats(rows, predicted, mixtures);
    const std::string kind = mixtures ? ", mixtures and hybrids" : ", dense";
    add_ratio(findings, "FP8 / BF16" + kind, ratios_in(cases, "fp8", "bf16"));
    add_ratio(findings, "MXFP8 / FP8" + kind, ratios_in(cases, "mxfp8", "fp8"));
    add_ratio(findings, "NVFP4 / FP8" + kind, ratios_in(cases, "nvfp4", "fp8"));
    add_ratio(findings, "NVFP4 / MXFP8" + kind, ratios_in(cases, "nvfp4", "mxfp8"));
  }
  const Cases cases = machines(rows, predicted);
  add_ratio(findings, "H100 / A100-80GB", ratios_in(cases, "H100", "A100-80GB"));
  add_ratio(findings, "H100 / A100-40GB", ratios_in(cases, "H100", "A100-40GB"));
  add_ratio(findings, "GB200 / H100", ratios_in(cases, "GB200", "H100"));
  add_ratio(findings, "B200 / H100", ratios_in(cases, "B200", "H100"));
}

/// Same recipe on at least four times as many GPUs.
void add_scaling(Findings& findings, const std::vector<ThroughputRow>& rows, const std::vector<double>& predicted) {
  std::map<std::string, std::vector<std::size_t>> series;
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const auto& layout = rows[at].question.layout;
    std::string key = rows[at].source + rows[at].model + rows[at].gpu;
    for (const double part :
         {static_cast<double>(rows[at].question.precision), rows[at].question.sequence_length, double(layout.tensor),
          double(layout.pipeline), double(layout.context), double(layout.expert), layout.micro_batch,
          rows[at].work.year, double(rows[at].work.stack)})
      key += "|" + std::to_string(part);
    series[key].push_back(at);
  }
  std::vector<Ratio> kept;
  for (auto& [key, list] : series) {
    const auto [few, many] = std::ranges::minmax_element(list, {}, [&](std::size_t at) { return rows[at].gpus(); });
    if (rows[*many].gpus() >= 4.0 * rows[*few].gpus())
      kept.push_back({rows[*many].measured / rows[*few].measured, predicted[*many] / predicted[*few]});
  }
  add_ratio(findings, "speed per GPU kept on 4 times the GPUs or more", kept);
}

void add_unfitted(Findings& findings, const StudyRows& rows, const ThroughputStudy& study) {
  const auto parameters = parameters_of(study.fit.theta);
  for (const char* kind : {"adapters", "encoder"}) {
    std::vector<double> errors;
    for (const ThroughputRow& row : rows.unfitted)
      if (spread_kind(row) == kind) errors.push_back(std::abs(predicted_speed(row, parameters) / row.measured - 1.0));
    if (!errors.empty())
      findings.emplace_back(std::string{kind} + ", not fitted", "error " + significant(100.0 * median(errors), 2) +
                                                                    " % (median of " + std::to_string(errors.size()) +
                                                                    " rows)");
  }
}

}  // namespace

Findings throughput_findings(const StudyRows& rows, const ThroughputStudy& study) {
  Findings findings;
  add_ratios(findings, rows.judged, study.by_model.predicted);
  add_scaling(findings, rows.judged, study.by_model.predicted);
  add_unfitted(findings, rows, study);
  return findings;
}

}  // namespace fleetcast::analysis
