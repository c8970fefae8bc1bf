#pragma once
// The stopping rule `montecarlo.until`: how many trials are enough.
//
// The rule looks when so many trials are there as `montecarlo.replicates` says, then at twice as many, at four times as
// many ..., and never in between. It sees every trial so far of all strategies, in trial order, and nothing else (no
// clock, no threads), so the number of trials is a property of the scenario. It stops when in every strategy half of
// the 95 % interval of the mean (the `ci95` of the answer) is at most `half_width` times the mean.
//
// - A strategy with unfinished trials has no mean. It is judged by the same interval around `mean_at_least`.
// - A strategy of which no trial finished is not judged: more trials would not give it a mean.
// - An interval that is suppressed, because a few trials dominate the sum, is not narrow enough.
// - Fewer than `fewest_to_judge` trials are never enough: the spread of so few is often found too small, and just then
//   the rule would stop.
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scenarios/scenario.hpp"
#include "sim/outcome.hpp"

namespace fleetcast::analysis {

constexpr std::uint32_t fewest_to_judge = 100;

/// The figure of the rule for all trials of one strategy so far, in trial order.
class FigureSample {
 public:
  void add(double value, bool finished);
  void add(scenarios::RuleFigure figure, const sim::Outcome& outcome);
  [[nodiscard]] const std::vector<double>& values() const { return values_; }
  [[nodiscard]] std::uint64_t finished() const { return finished_; }

 private:
  std::vector<double> values_;
  std::uint64_t finished_ = 0;
};

double value_of(scenarios::RuleFigure figure, const sim::Outcome& outcome);

/// How well one strategy was known at a look.
struct WidthReached {
  enum class Of { mean, mean_at_least, nothing };
  Of of = Of::mean;                      ///< nothing: no trial finished
  std::optional<double> relative_width;  ///< half of the interval over the mean; empty: there is no interval
  bool narrow = false;                   ///< within the rule, or not judged
};

struct Look {
  std::uint32_t trials = 0;
  std::vector<WidthReached> widths;  ///< by strategy
  bool met = false;
};

/// What the rule sees in these samples, one for each strategy, all of the same length of at least one trial.
Look look_at(const scenarios::Until& rule, std::span<const FigureSample> samples);

/// How many trials the run will have if the spread stays as it is: for progress bars.
std::uint32_t expected_trials(const scenarios::Until& rule, const Look& look);

/// How a run ended.
struct Stopping {
  scenarios::Until rule;
  std::uint32_t first_look = 0;
  unsigned looks = 0;  ///< one more than the times it was doubled
  Look last;
};

/// Whoever has the trials.
struct TrialSource {
  /// Plays the trials [first, end); `expected` is where it will probably end. False: interrupted.
  std::function<bool(std::uint32_t first, std::uint32_t end, std::uint32_t expected)> play;
  /// All that were played, by strategy.
  std::function<std::vector<FigureSample>()> samples;
};

/// Doubles the trials until the rule is met or at_most is reached. Nothing if it was interrupted. first_look >= 1.
std::optional<Stopping> play_until(const scenarios::Until& rule, std::uint32_t first_look, const TrialSource& source);

/// "cost_usd within 0.01 of its mean, at most 64000 trials": the same for the same rule, to the last bit.
std::string rule_text(const scenarios::Until& rule);

}  // namespace fleetcast::analysis
