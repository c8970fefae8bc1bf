#pragma once
// The statistics of an answer (definitions: `fleetcast --help terms`).
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/stopping.hpp"
#include "models/memory.hpp"
#include "scenarios/scenario.hpp"
#include "sim/outcome.hpp"
#include "sim/plan.hpp"

namespace fleetcast::analysis {

/// A figure that may not exist; then `why` in StrategySummary says the reason.
using Figure = std::optional<double>;
using Interval = std::optional<std::pair<double, double>>;

/// Distribution of one quantity over the trials. Quantiles count unfinished trials as infinite.
struct Spread {
  Figure mean, mean_at_least;
  Interval ci95;            ///< of the mean: Monte Carlo error only
  Interval model_interval;  ///< of the mean: with what is unknown but fixed (model_interval.hpp)
  Figure model_share;       ///< of the variance between trials that this explains
  Figure p5, p50, p95;
  Interval p5_limits, p50_limits, p95_limits;  ///< order-statistic 95 % limits
};

struct StrategySummary {
  std::string name;
  std::uint64_t replicates = 0, finished = 0;
  std::map<std::string, std::uint64_t> unfinished_by_status;
  Spread cost_usd, time_s, gpu_hours;
  Figure goodput, goodput_held, mfu, mfu_run, tokens_per_s_per_gpu, step_time_s, usd_per_token;
  std::vector<std::pair<std::string, double>> accounts_gpu_hours;  ///< mean per trial, in account order
  std::vector<std::pair<std::string, double>> billed;              ///< mean USD per trial: held, rounding, forgiven
  Figure stops;                                                    ///< mean unplanned stops
  std::vector<std::pair<std::string, double>> stops_by_cause;      ///< mean
  double planned_stops = 0, losses_during_restart = 0;
  double checkpoints_started = 0, checkpoints_usable = 0, checkpoint_bytes = 0;
  double storage_usd = 0, egress_usd = 0;
  Figure deadline_met, within_budget;            ///< shares of all trials
  Figure independent_windows;                    ///< as long as a run that the replayed recording holds
  std::map<std::string, std::string> why;        ///< figure: reason it is missing
  std::optional<models::MemoryEstimate> memory;  ///< of a GPU, where a layout is known
  std::vector<std::string> warnings;
};

/// Paired difference `of` - `to` over the trials where both finished.
struct PairedSpread {
  Figure mean;
  Interval ci95;
  std::string why;
};
struct Difference {
  std::string to, of;
  PairedSpread cost_usd, time_s;
  double pairs_share = 0.0;  ///< of all trials
};

struct RunSummary {
  std::string scenario;
  std::uint64_t seed = 0;
  std::vector<std::string> warnings;
  std::vector<StrategySummary> strategies;
  std::vector<Difference> differences;
  std::optional<Stopping> stopping;  ///< how montecarlo.until ended the run (see `tell`)
};

/// outcomes[strategy][trial]. All strategies have the same number of trials, at least one. If trials are missing in
/// between (`consecutive` false), nothing is said about what they drew once each.
RunSummary summarize(const scenarios::ScenarioFile& file, std::span<const sim::Plan> plans,
                     std::span<const std::vector<sim::Outcome>> outcomes, bool consecutive = true);

/// The answer of `run --json` (DESIGN.md section 6), indented, ending in a newline.
std::string to_json(const RunSummary& summary);

}  // namespace fleetcast::analysis
