#include "models/efficiency_lookup.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "models/efficiency_transfer.hpp"
#include "models/errors.hpp"
#include "models/random/deterministic_math.hpp"

namespace fleetcast::models {

namespace {

constexpr double farthest_size = 10.0;      // factor in active parameters beyond the outermost cells
constexpr double farthest_sequence = 16.0;  // factor beyond the longest or shortest measured sequence
constexpr double farthest_gpus = 64.0;      // factor beyond the largest measured gang
constexpr double farthest_gpu = 1.5;        // log distance between GPUs in peak and memory rate
constexpr double range_slack = 4.0;         // within this factor of the rows' range an answer counts as fitted

/// Cells of one GPU, precision and kind, by size.
using Family = std::vector<const EfficiencyCell*>;

struct Candidate {
  Family family;
  double distance = 0.0;  ///< GPU, precision, kind and size together; the nearest wins
  double gpu_distance = 0.0;
  bool same_kind = true;
  double outside_size = 1.0;  ///< factor beyond the outermost cell centres, 1 inside
};

double factor_outside(double value, double low, double high) {
  return std::max({1.0, low / value, value / high});
}

std::vector<Family> families_of(const EfficiencyTable& table) {
  std::vector<Family> families;
  for (const EfficiencyCell& cell : table.cells) {
    const auto same = [&](const Family& family) {
      return family.front()->gpu == cell.gpu && family.front()->precision == cell.precision &&
             family.front()->kind == cell.kind;
    };
    const auto found = std::find_if(families.begin(), families.end(), same);
    if (found == families.end())
      families.push_back({&cell});
    else
      found->push_back(&cell);
  }
  for (Family& family : families)
    std::sort(family.begin(), family.end(),
              [](const auto* a, const auto* b) { return a->params_center < b->params_center; });
  return families;
}

Candidate candidate_of(const EfficiencyQuestion& question, const Family& family) {
  const EfficiencyCell& first = *family.front();
  Candidate candidate{family, 0.0, 0.0, first.kind == kind_of(question.shape), 1.0};
  candidate.outside_size =
      factor_outside(active_parameters(question.shape), first.params_center, family.back()->params_center);
  candidate.gpu_distance = gpu_distance(question.gpu, first);
  candidate.distance = candidate.gpu_distance +
                       precision_distance(filed_precision(question.gpu, question.precision), first.precision) +
                       (candidate.same_kind ? 0.0 : 2.0) + 0.15 * det::log(candidate.outside_size);
  return candidate;
}

/// A dense model says nothing about a mixture of experts, nor the other way round.
bool comparable(const EfficiencyQuestion& question, const EfficiencyCell& cell) {
  return (cell.kind == "dense") == (question.shape.experts == 0);
}

bool near_enough(const Candidate& candidate) {
  return candidate.outside_size <= farthest_size && candidate.gpu_distance <= farthest_gpu;
}

std::optional<Candidate> best_candidate(const EfficiencyQuestion& question, const EfficiencyTable& table,
                                        bool any_distance) {
  std::optional<Candidate> best;
  for (const Family& family : families_of(table)) {
    if (!comparable(question, *family.front())) continue;
    Candidate candidate = candidate_of(question, family);
    if (!any_distance && !near_enough(candidate)) continue;
    if (!best || candidate.distance < best->distance) best = std::move(candidate);
  }
  return best;
}

/// Between the two cells around the size, linear in the logarithms; the outermost cell beyond.
EfficiencyCell at_size(const Family& family, double params) {
  const auto above = std::find_if(family.begin(), family.end(),
                                  [&](const EfficiencyCell* cell) { return cell->params_center >= params; });
  if (above == family.begin()) return *family.front();
  if (above == family.end()) return *family.back();
  const EfficiencyCell &low = **(above - 1), &high = **above;
  const double share = det::log(params / low.params_center) / det::log(high.params_center / low.params_center);
  const auto mix = [&](double a, double b) { return a + share * (b - a); };
  EfficiencyCell between = share < 0.5 ? low : high;
  between.efficiency = det::exp(mix(det::log(low.efficiency), det::log(high.efficiency)));
  between.attention_share = mix(low.attention_share, high.attention_share);
  between.log_sd = mix(low.log_sd, high.log_sd);
  between.gpus_low = std::min(low.gpus_low, high.gpus_low);
  between.gpus_high = std::max(low.gpus_high, high.gpus_high);
  between.sequence_low = std::min(low.sequence_low, high.sequence_low);
  between.sequence_high = std::max(low.sequence_high, high.sequence_high);
  return between;
}

struct Outside {
  double gpus = 1.0, sequence = 1.0;
  [[nodiscard]] bool too_far() const { return gpus > farthest_gpus || sequence > farthest_sequence; }
  [[nodiscard]] bool beyond_slack() const { return gpus > range_slack || sequence > range_slack; }
  /// 5 % for every e-fold beyond the slack: about what a factor of 10 in GPUs costs in published scaling series.
  [[nodiscard]] double spread() const {
    return 0.05 * (det::log(std::max(1.0, gpus / range_slack)) + det::log(std::max(1.0, sequence / range_slack)));
  }
};

Outside outside_of(const EfficiencyQuestion& question, const EfficiencyCell& cell) {
  return {factor_outside(question.gpus, cell.gpus_low, cell.gpus_high),
          factor_outside(question.sequence_length, cell.sequence_low, cell.sequence_high)};
}

std::string family_name(const EfficiencyCell& cell) {
  return cell.gpu + " " + std::string{name_of(cell.precision)} + " " + cell.kind;
}

[[noreturn]] void refuse(const EfficiencyQuestion& question, const std::string& why, const NearestRow& nearest) {
  throw InfeasibleError{"no measurement is near enough to forecast the step time of this model on " + question.gpu.id +
                        " in " + std::string{name_of(question.precision)} + " (" + why + "); the nearest is " +
                        (nearest.id.empty() ? "none" : nearest.what) +
                        ". Give \"training\": {\"speed\": ...}, or set \"allow_extrapolation\": true"};
}

bool is_transfer(const EfficiencyQuestion& question, const Candidate& candidate) {
  const EfficiencyCell& first = *candidate.family.front();
  return first.gpu != question.gpu.id || first.precision != filed_precision(question.gpu, question.precision) ||
         !candidate.same_kind;
}

/// Spread that the way from the table to the question adds.
double added_variance(const EfficiencyQuestion& question, const Candidate& candidate, const Outside& outside) {
  const double size = 0.1 * det::log(candidate.outside_size);
  double variance = size * size + outside.spread() * outside.spread();
  if (!is_transfer(question, candidate)) return variance;
  const double transfer = transfer_spread(question, *candidate.family.front());
  variance += transfer * transfer;
  if (!candidate.same_kind) variance += 0.4 * 0.4;  // narrow and wide experts differ by a factor of two and more
  return variance;
}

Grade grade_of(const EfficiencyQuestion& question, const Candidate& candidate, const Outside& outside) {
  if (is_transfer(question, candidate)) return Grade::assumed;
  constexpr double class_width = 3.0;  // the next size class
  return candidate.outside_size > class_width || outside.beyond_slack() ? Grade::extrapolated : Grade::fitted;
}

std::string basis_of(const EfficiencyQuestion& question, const Candidate& candidate) {
  int rows = 0, groups = 0;
  for (const EfficiencyCell* cell : candidate.family) {
    rows += cell->rows;
    groups += cell->groups;
  }
  const std::string from = std::to_string(rows) + " whole steps measured in " + std::to_string(groups) +
                           " groups of source and model, " + family_name(*candidate.family.front());
  if (!is_transfer(question, candidate)) return from + "; communication and stragglers are inside";
  return "carried over from " + from + ": the part that is no matrix work does not follow the peak rate";
}

}  // namespace

EfficiencyAnswer look_up_efficiency(const EfficiencyQuestion& question, const EfficiencyTable& table,
                                    bool allow_extrapolation, const NearestRow& nearest) {
  std::optional<Candidate> candidate = best_candidate(question, table, false);
  if (!candidate && allow_extrapolation) candidate = best_candidate(question, table, true);
  if (!candidate) refuse(question, "size, GPU and precision together are too far away", nearest);
  const EfficiencyCell cell = at_size(candidate->family, active_parameters(question.shape));
  const Outside outside = outside_of(question, cell);
  if (outside.too_far() && !allow_extrapolation)
    refuse(question, "the number of GPUs or the sequence length is far outside what was measured", nearest);
  EfficiencyAnswer answer;
  const double share = attention_share(question.shape, question.sequence_length) - cell.attention_share;
  const double at_share = cell.efficiency * det::exp(-table.attention_slope * share);
  answer.efficiency =
      is_transfer(question, *candidate) ? transferred_efficiency(question, cell, at_share) : std::min(at_share, 1.0);
  answer.log_sd_own = std::sqrt(cell.log_sd * cell.log_sd + added_variance(question, *candidate, outside));
  answer.grade = grade_of(question, *candidate, outside);
  answer.basis = basis_of(question, *candidate);
  return answer;
}

}  // namespace fleetcast::models
