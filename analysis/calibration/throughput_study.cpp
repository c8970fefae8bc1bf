#include "analysis/calibration/throughput_study.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "analysis/calibration/each_index.hpp"
#include "analysis/calibration/weighted_quantile.hpp"

namespace fleetcast::analysis {

namespace {

using Pointers = std::vector<const ThroughputRow*>;
using Weighted = std::vector<WeightedValue>;

/// Nine in ten are at most this; 0 without values.
double ninth_tenth(Weighted values) {
  return values.empty() ? 0.0 : weighted_quantile(std::move(values), 0.9);
}

Pointers all_but(const StudyRows& rows, const std::vector<std::string>& groups, const std::string& out) {
  Pointers kept;
  for (std::size_t at = 0; at < rows.judged.size(); ++at)
    if (groups[at] != out) kept.push_back(&rows.judged[at]);
  for (const ThroughputRow& row : rows.beside) kept.push_back(&row);
  return kept;
}

double residual(const ThroughputRow& row, double predicted) {
  return std::abs(std::log(predicted / row.measured));
}

/// Of rows of this kind, outside `group` if one is named.
double half_width(const std::vector<ThroughputRow>& rows, const LeftOut& left, const std::string& kind,
                  const std::string& group) {
  Weighted residuals;
  for (std::size_t at = 0; at < rows.size(); ++at)
    if (left.group[at] != group && spread_kind(rows[at]) == kind)
      residuals.push_back({residual(rows[at], left.predicted[at]), rows[at].weight});
  return ninth_tenth(std::move(residuals));
}

LeftOut leave_out(const StudyRows& rows, const std::string& what, std::vector<std::string> groups, const Theta& start,
                  unsigned threads) {
  LeftOut left{what, std::move(groups), std::vector<double>(rows.judged.size()),
               std::vector<double>(rows.judged.size())};
  const std::set<std::string> distinct(left.group.begin(), left.group.end());
  const std::vector<std::string> names(distinct.begin(), distinct.end());
  each_index(names.size(), threads, [&](std::size_t index) {
    const Pointers kept = all_but(rows, left.group, names[index]);
    const auto parameters = parameters_of(fit_throughput(kept, start).theta);
    for (std::size_t at = 0; at < rows.judged.size(); ++at)
      if (left.group[at] == names[index]) left.predicted[at] = predicted_speed(rows.judged[at], parameters);
  });
  for (std::size_t at = 0; at < rows.judged.size(); ++at)
    left.half_width[at] = half_width(rows.judged, left, spread_kind(rows.judged[at]), left.group[at]);
  return left;
}

std::vector<std::string> groups_of(const std::vector<ThroughputRow>& rows, bool with_model) {
  std::vector<std::string> groups;
  for (const ThroughputRow& row : rows) groups.push_back(with_model ? row.source + " | " + row.family : row.source);
  return groups;
}

/// Rows of one model, source, date and gang in two formats differ by what the formats' errors do not share.
double contrast_of(const std::vector<ThroughputRow>& rows, const LeftOut& left, const std::string& kind) {
  std::map<std::string, std::vector<std::size_t>> alike;
  for (std::size_t at = 0; at < rows.size(); ++at)
    if (spread_kind(rows[at]) == kind)
      alike[left.group[at] + rows[at].gpu + std::to_string(rows[at].work.year) + std::to_string(rows[at].gpus())]
          .push_back(at);
  Weighted differences;
  const auto error = [&](std::size_t at) { return std::log(left.predicted[at] / rows[at].measured); };
  for (const auto& [key, list] : alike)
    for (const std::size_t a : list)
      for (const std::size_t b : list)
        if (rows[a].question.precision < rows[b].question.precision)
          differences.push_back({std::abs(error(a) - error(b)), 1.0 / static_cast<double>(list.size())});
  return ninth_tenth(std::move(differences)) / models::normal90 / std::sqrt(2.0);
}

double unfitted_spread(const std::vector<ThroughputRow>& rows, const models::ThroughputParameters& parameters,
                       const std::string& kind) {
  Weighted residuals;
  for (const ThroughputRow& row : rows)
    if (spread_kind(row) == kind) residuals.push_back({residual(row, predicted_speed(row, parameters)), row.weight});
  return ninth_tenth(std::move(residuals)) / models::normal90;
}

std::vector<models::ThroughputSpread> spreads_of(const StudyRows& rows, const ThroughputStudy& study) {
  std::vector<models::ThroughputSpread> spreads;
  const auto parameters = parameters_of(study.fit.theta);
  for (const char* kind : {"tuned dense", "ordinary dense", "mixture"}) {
    const double known = half_width(rows.judged, study.by_model, kind, "") / models::normal90;
    const double unseen = half_width(rows.judged, study.by_source, kind, "") / models::normal90;
    if (known > 0.0 && unseen > 0.0)
      spreads.push_back({kind, known, std::max(known, unseen), contrast_of(rows.judged, study.by_model, kind)});
  }
  for (const char* kind : {"adapters", "encoder"})
    if (const double spread = unfitted_spread(rows.unfitted, parameters, kind); spread > 0.0)
      spreads.push_back({kind, spread, spread, 0.0});
  return spreads;
}

}  // namespace

std::string spread_kind(const ThroughputRow& row) {
  return models::speed_kind(row.question);
}

ThroughputStudy study_throughput(const StudyRows& rows, unsigned threads) {
  ThroughputStudy study;
  const std::vector<std::string> by_model = groups_of(rows.judged, true);
  study.fit = fit_throughput(all_but(rows, by_model, ""), prior_theta());
  study.by_model = leave_out(rows, "source and model", by_model, study.fit.theta, threads);
  study.by_source = leave_out(rows, "source", groups_of(rows.judged, false), study.fit.theta, threads);
  study.spreads = spreads_of(rows, study);
  return study;
}

}  // namespace fleetcast::analysis
