#pragma once
// The typed scenario: what one strategy says, every catalog id resolved, every plain default filled in.
// Valid after reading; nothing downstream looks at JSON again. Field by field this is SCENARIO.md of the manual
// (see scenarios/README.md).
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/catalog.hpp"
#include "models/grade.hpp"
#include "models/hardware.hpp"
#include "models/layout.hpp"
#include "models/provider.hpp"
#include "models/random/distribution.hpp"
#include "models/recording.hpp"
#include "models/transformer.hpp"
#include "models/units.hpp"
#include "scenarios/fleet.hpp"

namespace fleetcast::scenarios {

using models::Usd;

/// How much to train: exactly one of tokens, samples, steps or undisturbed time of the whole gang.
struct Amount {
  enum class Kind { tokens, samples, steps, work };
  Kind kind = Kind::steps;
  double count = 0.0;  ///< whole, > 0; not used for work
  Seconds work;        ///< > 0; only for work
};

/// Per optimiser step.
struct GlobalBatch {
  enum class Unit { tokens, samples };
  Unit unit = Unit::tokens;
  double count = 0.0;  ///< whole, > 0
};

struct MeasuredSpeedRow {
  std::string gpu;  ///< id of a GpuSpec
  models::Precision precision = models::Precision::bf16;
  int gpus = 0;
  double samples_per_s_per_gpu = 0.0;
};

/// A workload known by its measured speed instead of its shape.
struct MeasuredWorkload {
  /// To other node counts: refused, as fast per GPU, or with the exchange of `gradients` over the network.
  enum class Scaling { none, linear, network };
  std::optional<Distribution> step_time;  ///< of the whole gang; of the computing alone if exchange is given
  std::optional<Distribution> exchange;
  std::vector<MeasuredSpeedRow> rows;
  Bytes state;  ///< bytes in a checkpoint
  Bytes gradients;
  Scaling scaling = Scaling::none;
};

struct Workload {
  std::optional<models::TransformerShape> model;
  std::optional<MeasuredWorkload> measured;
  Amount amount;
  std::optional<double> sequence_length;    ///< given, or the model's; always there with a model
  std::optional<GlobalBatch> global_batch;  ///< given only; the plan picks the default by size
};

using models::GradientSync;
using models::Offload;
using models::Recompute;
using models::Sharding;

/// What is given of the division over GPUs. Where no degree is, they are chosen; where one is, the others are 1.
struct Parallelism {
  bool automatic = true;  ///< none of tensor, pipeline, context and expert is given
  std::optional<int> tensor, pipeline, virtual_stages, context, expert;  ///< given only; at least 1
  std::optional<bool> sequence_parallel;                                 ///< given only; default true
  std::optional<Sharding> sharding;                                      ///< given only; default ZeRO-1

  [[nodiscard]] int tensor_or_1() const { return tensor.value_or(1); }
  [[nodiscard]] int pipeline_or_1() const { return pipeline.value_or(1); }
  [[nodiscard]] int virtual_or_1() const { return virtual_stages.value_or(1); }
  [[nodiscard]] int context_or_1() const { return context.value_or(1); }
  [[nodiscard]] int expert_or_1() const { return expert.value_or(1); }
};

/// `training.speed`: where the step time comes from.
struct Speed {
  enum class Kind { model, step_time, mfu, mfu_6nd, tokens_per_s_per_gpu };
  Kind kind = Kind::model;
  double value = 0.0;  ///< seconds, fraction or tokens/s/GPU
};

/// `training.software`: tuned code of the GPU maker is about a quarter faster than ordinary PyTorch.
struct Software {
  enum class Kind { unknown, tuned, pytorch, jax };
  Kind kind = Kind::unknown;
  std::optional<int> year;  ///< nothing: the newest that is calibrated
};

/// "500 steps" or "30 min".
struct Span {
  bool in_steps = true;
  double value = 0.0;  ///< steps (whole) or seconds, > 0
};

/// `training.exchange`: replicas step by themselves in between.
struct LocalSteps {
  Span every;
  std::optional<models::Precision> precision;  ///< of what is exchanged (its width counts); nothing: as gradients are
};

struct Training {
  models::Precision precision = models::Precision::bf16;
  Parallelism parallelism;
  std::optional<int> micro_batch;  ///< nothing: auto
  std::optional<int> accumulation;
  std::optional<Recompute> recompute;  ///< given only; default selective
  models::Optimizer optimizer = models::Optimizer::adamw;
  Speed speed;
  double jitter = 0.03;                       ///< log-sd per node and step, >= 0
  std::optional<GradientSync> gradient_sync;  ///< given only; default once, or every under ZeRO-2 and ZeRO-3
  std::optional<double> overlap;              ///< of gradient traffic that can hide, [0, 1]; nothing: calibrated
  double imbalance = 1.1;                     ///< tokens of the busiest expert over the mean, >= 1
  Offload offload = Offload::none;            ///< other than none only with a model
  double activation_compression = 1;          ///< kept activations are this many times smaller, >= 1
  std::optional<Bytes> memory_limit;          ///< per GPU, > 0; nothing: the GPU's
  Software software;
  std::optional<LocalSteps> exchange;  ///< nothing: every step
};

/// A measured loader rate of the full gang.
struct DataRate {
  enum class Unit { samples, batches };
  Unit unit = Unit::samples;
  double per_second = 0.0;  ///< > 0
};

struct MeasuredCheckpoint {
  Distribution blocked = models::Constant{};
  std::optional<Distribution> persist;
  std::optional<Distribution> load;
};

struct Checkpoint {
  enum class Mode { sync, async, off };
  Mode mode = Mode::sync;
  std::optional<Span> interval;  ///< nothing: Young/Daly, at most 4 h
  models::StoreSpec store;       ///< resolved; id empty if the provider has none and nothing needs it
  std::optional<Bytes> size;     ///< given only
  std::optional<MeasuredCheckpoint> measured;
  bool on_notice = true;
  bool final_save = true;
  std::optional<std::int64_t> keep = 3;  ///< nothing: all
};

/// A duration with a part that grows with the gang.
struct PartTime {
  Distribution fixed = models::Constant{};
  double per_rank = 0.0, per_node = 0.0;  ///< seconds
};

struct RestartParts {
  std::optional<PartTime> detect, decide, boot, image, setup, compile, load, skip, fill;  ///< given only
};

struct Recovery {
  std::optional<Distribution> whole;  ///< one value for everything, first start included
  RestartParts parts;
  Seconds hang_timeout{600.0};  ///< of the watchdog that finds a hang
  double resume_failure = 0.0;  ///< chance that the newest save cannot be read at a restart, and the next, and so on
};

/// crash: the gang stops at once. planned: it saves first. hang: it stands still until a watchdog finds it. silent: it
/// goes on with a wrong state until that is found. coordinator: the node at which all others meet is gone.
enum class FailureKind { crash, planned, hang, silent, coordinator };

struct FailureCause {
  std::string name;
  double rate_per_node = 0.0;  ///< per second; given per node, or the mean of events / exposure
  double rate_per_gpu = 0.0;
  double rate_of_fleet = 0.0;    ///< exactly one of the three is > 0, or all are 0
  std::optional<double> events;  ///< rate = Gamma(events + 1/2) / exposure, drawn once a trial
  double exposure_gpu_s = 0.0;
  double rate_sigma = 0.0;         ///< log-sd of an uncertain rate (the typical mix), common to all causes
  std::optional<PartTime> detect;  ///< given, or the default of a hang or a silent error
  Distribution repair = models::Constant{};
  bool repair_given = false;
  bool needs_node = true;
  double host_survives = 0.0;
  bool takes_fleet = false;
  double returns = 1.0;  ///< share of the nodes of the fleet that come back after `repair`
  FailureKind kind = FailureKind::crash;
};

/// Nodes that fail more often than others, for as long as they live.
struct BadNodes {
  double share = 0.0;   ///< [0, 1], of all fresh nodes
  double factor = 1.0;  ///< > 0: their rate over that of the others
};

struct Limits {
  std::optional<Seconds> deadline;  ///< from submission (a date is turned into this with `start`)
  std::optional<Usd> budget;
  bool stop_at_deadline = false, stop_at_budget = false;
  std::optional<Seconds> horizon;
};

enum class Grain { span, step, node };
constexpr std::string_view name_of(Grain grain) {
  constexpr std::string_view names[] = {"span", "step", "node"};
  return names[static_cast<int>(grain)];
}

/// Figures of the answer that have a mean with an interval, named as in the answer.
enum class RuleFigure { cost_usd, time_s, gpu_hours };
constexpr std::string_view name_of(RuleFigure figure) {
  constexpr std::string_view names[] = {"cost_usd", "time_s", "gpu_hours"};
  return names[static_cast<int>(figure)];
}

/// Stopping rule: the number of trials is doubled until the mean of a figure is known this well in every strategy.
struct Until {
  RuleFigure figure = RuleFigure::cost_usd;
  double half_width = 0.01;      ///< of the 95 % interval of the mean, over the mean; in (0, 1]
  std::int64_t at_most = 0;      ///< trials; at least MonteCarlo::replicates; default 64 times as many
  bool at_most_assumed = false;  ///< it is the default
};

struct MonteCarlo {
  std::int64_t replicates = 1000;  ///< trials per strategy; with `until`, of its first look
  std::uint64_t seed = 1;
  Grain grain = Grain::span;
  bool sample_calibration = true;
  std::optional<Until> until;
};

/// What one strategy says, whole.
struct Scenario {
  std::string strategy = "base";
  std::optional<std::string> start;
  std::optional<std::int64_t> start_utc_s;  ///< the same in seconds since 1970
  Workload workload;
  std::vector<Pool> fleet;  ///< in file order; at least one with nodes > 0
  Training training;
  std::optional<DataRate> data_rate;  ///< nothing: never waits
  Checkpoint checkpoint;
  Recovery recovery;
  Retry retry;
  std::optional<Brake> brake;
  std::vector<FailureCause> failures;
  bool failures_typical = false;
  BadNodes bad_nodes;
  Limits limits;
  bool allow_extrapolation = false;
  std::vector<models::Assumption> assumptions;  ///< every default used, in the order of the language
  std::vector<std::string> warnings;            ///< odd but possible
};

/// A value of the base scenario that is unknown but fixed.
struct Uncertain {
  std::string pointer;  ///< JSON pointer of the value
  Distribution law;     ///< in that unit
  std::string unit;     ///< as written after the numbers, may be empty
  std::string text;     ///< the law as written
};

class DataFiles;

/// A scenario file with all its strategies, `base` first, then in file order.
struct ScenarioFile {
  std::string path;  ///< as given
  std::string name, about;
  std::string text;  ///< the bytes that were read
  std::vector<Scenario> strategies;
  std::string compare_to = "base";
  MonteCarlo montecarlo;
  std::vector<Uncertain> uncertain;    ///< the strategies are those with the medians
  std::vector<std::string> overrides;  ///< of --set, as given
  std::shared_ptr<DataFiles> data;     ///< the data files that it names, for reading it again
};

}  // namespace fleetcast::scenarios
