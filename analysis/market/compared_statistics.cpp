// Trace and model side by side.
#include <cmath>

#include "analysis/market/market_statistics.hpp"

namespace fleetcast::analysis {

namespace {

// What can be asked for: two halves of one real trace agree no better in more (README.md, "How well it fits").
constexpr double up_points = 0.05, run_ratio = 1.3, group_points = 0.15, dispersion_ratio = 1.5;

bool within_ratio(double a, double b, double ratio) {
  return a > 0.0 && b > 0.0 && std::abs(std::log(a / b)) <= std::log(ratio);
}

bool runs_agree(double trace_h, std::optional<double> model_h, double interval_h) {
  constexpr double rounding = 1.01;
  return model_h &&
         (within_ratio(trace_h, *model_h, run_ratio) || std::abs(trace_h - *model_h) <= rounding * interval_h);
}

class Comparison {
 public:
  Comparison(double interval_h) : interval_h_{interval_h} {}

  void add_level(const LevelStatistics& trace, const LevelStatistics& model) {
    const std::string level = ">= " + std::to_string(trace.nodes);
    add("up_fraction", level, trace.up_fraction, model.up_fraction,
        std::abs(trace.up_fraction - model.up_fraction) <= up_points);
    add_runs("up " + level, trace.up, model.up);
    add_runs("down " + level, trace.down, model.down);
  }

  void add_losses(const MarketStatistics& trace, const MarketStatistics& model) {
    if (const auto& own = trace.losses_in_groups) {
      const auto& other = model.losses_in_groups;
      add("losses_in_groups", "", *own, other, other && std::abs(*own - *other) <= group_points);
    }
    if (const auto& own = trace.hourly_loss_dispersion) {
      const auto& other = model.hourly_loss_dispersion;
      add("hourly_loss_dispersion", "", *own, other, other && within_ratio(*own, *other, dispersion_ratio));
    }
  }

  std::vector<ComparedStatistic> done() { return std::move(compared_); }

 private:
  void add(const std::string& name, const std::string& detail, double trace, std::optional<double> model, bool within) {
    compared_.push_back({name, detail, trace, model, within});
  }

  void add_runs(const std::string& detail, const RunQuantiles& trace, const RunQuantiles& model) {
    if (trace.p50_h) add("p50", detail, *trace.p50_h, model.p50_h, runs_agree(*trace.p50_h, model.p50_h, interval_h_));
    if (trace.p90_h) add("p90", detail, *trace.p90_h, model.p90_h, runs_agree(*trace.p90_h, model.p90_h, interval_h_));
  }

  double interval_h_;
  std::vector<ComparedStatistic> compared_;
};

}  // namespace

std::vector<ComparedStatistic> compare(const MarketStatistics& trace, const MarketStatistics& model,
                                       double interval_h) {
  Comparison comparison{interval_h};
  for (std::size_t i = 0; i < trace.levels.size(); ++i) comparison.add_level(trace.levels[i], model.levels.at(i));
  comparison.add_losses(trace, model);
  return comparison.done();
}

std::vector<AgreedShare> agreed_shares(const std::vector<const std::vector<ComparedStatistic>*>& comparisons) {
  std::vector<AgreedShare> shares;
  for (const char* name : {"up_fraction", "p50", "p90", "losses_in_groups", "hourly_loss_dispersion"}) {
    AgreedShare share{name, 0.0, 0};
    for (const std::vector<ComparedStatistic>* comparison : comparisons)
      for (const ComparedStatistic& each : *comparison) {
        if (each.name != name) continue;
        ++share.statistics;
        share.share += each.within ? 1.0 : 0.0;
      }
    if (share.statistics > 0) share.share /= static_cast<double>(share.statistics);
    shares.push_back(share);
  }
  return shares;
}

}  // namespace fleetcast::analysis
