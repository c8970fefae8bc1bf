#pragma once
// A scenario of the gallery, answered; and the figures that its tests ask for.
#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/summary.hpp"
#include "sim/account.hpp"
#include "sim/outcome.hpp"
#include "sim/plan.hpp"

namespace fleetcast::tests {

struct Answer {
  std::vector<sim::Plan> plans;
  std::vector<std::vector<sim::Outcome>> outcomes;  ///< [strategy][trial]
  analysis::RunSummary summary;

  [[nodiscard]] const analysis::StrategySummary& of(const std::string& strategy) const;
  [[nodiscard]] const sim::Plan& plan(const std::string& strategy) const;
  [[nodiscard]] const std::vector<sim::Outcome>& trials(const std::string& strategy) const;
  /// Mean GPU-hours a trial booked to an account.
  [[nodiscard]] double gpu_hours(const std::string& strategy, sim::Account account) const;
  /// The same as hours of the whole gang.
  [[nodiscard]] double gang_hours(const std::string& strategy, sim::Account account) const;
  /// Mean USD a trial for machines held, before rounding and forgiving; storage is not in it.
  [[nodiscard]] double machines_usd(const std::string& strategy) const;
  /// Mean unplanned stops a trial, and all of them.
  [[nodiscard]] double stops(const std::string& strategy) const;
  [[nodiscard]] double all_stops(const std::string& strategy) const;
  /// Hours in which a software failure could strike, per stop: stepping, re-done steps and saves.
  [[nodiscard]] double running_hours_per_stop(const std::string& strategy) const;
  /// Tokens per second and GPU of an undisturbed step.
  [[nodiscard]] double speed(const std::string& strategy) const;
  /// Speed of one strategy over that of another.
  [[nodiscard]] double gain(const std::string& of, const std::string& over) const;
  /// Seconds of a modelled step by part; a layout's memory, in bytes. The strategy must have them.
  [[nodiscard]] const models::StepBreakdown& parts(const std::string& strategy) const;
  [[nodiscard]] const models::MemoryEstimate& memory(const std::string& strategy) const;
  /// Whether a warning of the plan has this text.
  [[nodiscard]] bool warns(const std::string& strategy, const std::string& text) const;

 private:
  [[nodiscard]] std::size_t index(const std::string& strategy) const;
};

/// Standard errors that a right answer exceeds once in 100,000 times.
inline constexpr double rare = 4.42;

/// Standard error of the mean of a figure, from its 95 % interval.
double standard_error(const analysis::Spread& spread);

/// Equal but for a share of the value. (doctest's own tolerance never falls below that of the value 1.)
inline doctest::Approx near(double value, double share) {
  return doctest::Approx(value).epsilon(share).scale(0);
}

inline constexpr double gib = 1024.0 * 1024.0 * 1024.0;

/// The plans of scenarios/gallery/<name>.json with the overrides of --set; no trials.
Answer planned(const std::string& name, std::vector<std::string> overrides = {});
/// Why no plan can be made: the message that goes with exit code 3.
std::string refusal(const std::string& name, std::vector<std::string> overrides = {});
/// Reads scenarios/gallery/<name>.json with the overrides of --set and runs all its trials.
Answer answer(const std::string& name, std::vector<std::string> overrides = {});

}  // namespace fleetcast::tests
