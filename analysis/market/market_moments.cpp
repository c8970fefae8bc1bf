#include "analysis/market/market_moments.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/market/capacity_runs.hpp"
#include "analysis/market/loss_counts.hpp"
#include "analysis/market/samples.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

// Which quantiles, how much each weighs, and from how many runs on they weigh in full: as in the study of 36 traces
// that the form of the model comes from (README.md, "The spot market").
constexpr std::array<double, 4> shares{0.25, 0.5, 0.75, 0.9};
constexpr std::array<double, 5> run_weights{0.5, 1.0, 0.5, 1.0, 1.0};  // of the shares, then of the mean
constexpr double full_weight_runs = 40.0;
constexpr std::size_t fewest_runs = 6, fewest_losses = 20;
// Keep the logarithms finite where a series hardly moves.
constexpr double least_spread = 0.02, least_dispersion = 0.05, least_rate_per_h = 0.01;
constexpr double group_scale = 4.0, rate_weight = 0.5;

class Collector {
 public:
  explicit Collector(std::span<const CapacitySeries> rows) : rows_{rows} {}

  MarketMoments collect() {
    for (const int level : levels_of(rows_[0].nodes)) add_runs(level);
    for (const double hours : {6.0, 24.0}) add_spread(hours);
    if (rows_[0].nodes > 1) add_losses();
    return std::move(moments_);
  }

 private:
  void add(double value, double weight) {
    moments_.value.push_back(value);
    moments_.weight.push_back(weight);
  }

  void add_runs(int level) {
    std::vector<double> up, down;
    for (const CapacitySeries& series : rows_)
      for (const CapacityRun& run : runs_of(series, level))
        if (run.complete) (run.up ? up : down).push_back(static_cast<double>(run.samples) * series.interval_h);
    add_lengths(std::move(up));
    add_lengths(std::move(down));
  }

  void add_lengths(std::vector<double> lengths) {
    const bool enough = lengths.size() >= fewest_runs;
    const double count = static_cast<double>(lengths.size());
    const double weight = enough ? std::min(1.0, std::sqrt(count / full_weight_runs)) : 0.0;
    const double half_sample = rows_[0].interval_h / 2.0;
    std::sort(lengths.begin(), lengths.end());
    for (std::size_t i = 0; i < shares.size(); ++i)
      add(std::log(half_sample + (enough ? quantile_of_sorted(lengths, shares[i]) : rows_[0].interval_h)),
          run_weights[i] * weight);
    add(enough ? std::log(half_sample + mean_of(lengths)) : 0.0, run_weights.back() * weight);
  }

  void add_spread(double hours) {
    const auto block = static_cast<std::size_t>(std::max(1.0, std::round(hours / rows_[0].interval_h)));
    const std::size_t blocks = rows_[0].capacity.size() / block;
    constexpr std::size_t fewest_blocks = 4;
    constexpr double full_weight_days = 10.0;
    if (blocks < fewest_blocks) return;
    std::vector<double> spreads;
    for (const CapacitySeries& series : rows_) spreads.push_back(std::sqrt(variance_of(block_means(series, block))));
    const double spread = mean_of(spreads);
    const double weight = hours < 24.0 ? 1.0 : std::min(1.0, static_cast<double>(blocks) / full_weight_days);
    add(std::log(spread + least_spread), spread > 0.0 ? weight : 0.0);
  }

  static std::vector<double> block_means(const CapacitySeries& series, std::size_t block) {
    std::vector<double> means;
    for (std::size_t from = 0; from + block <= series.capacity.size(); from += block) {
      double sum = 0.0;
      for (std::size_t i = from; i < from + block; ++i) sum += series.capacity[i];
      means.push_back(sum / (static_cast<double>(block) * series.nodes));
    }
    return means;
  }

  void add_losses() {
    const LossCounts losses = count_losses(rows_);
    const double told = losses.lost >= fewest_losses ? 1.0 : 0.0;
    add(group_scale * losses.share_in_groups(), told);
    add(std::log(losses.dispersion() + least_dispersion), told);
    add(std::log(losses.per_h() + least_rate_per_h), rate_weight * told);
  }

  std::span<const CapacitySeries> rows_;
  MarketMoments moments_;
};

}  // namespace

MarketMoments market_moments(std::span<const CapacitySeries> rows) {
  models::require(!rows.empty(), "moments of no series");
  return Collector{rows}.collect();
}

}  // namespace fleetcast::analysis
