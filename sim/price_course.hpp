#pragma once
// What a node of a pool costs over one trial, where that changes: recorded, or by a price law.
#include <memory>

#include "sim/draws.hpp"
#include "sim/kernel/time.hpp"
#include "sim/plan.hpp"

namespace fleetcast::sim {

class PriceCourse {
 public:
  virtual ~PriceCourse() = default;
  /// USD per node-hour.
  [[nodiscard]] virtual double value(kernel::Time at) const = 0;
  /// The first change after `at`, or never.
  [[nodiscard]] virtual kernel::Time next_change(kernel::Time at) const = 0;
  /// USD per node-hour times seconds.
  [[nodiscard]] virtual double integral(kernel::Time from, kernel::Time to) const = 0;
};

/// Null if the price of the pool never changes. The pool outlives the course.
std::unique_ptr<PriceCourse> price_course(const PoolPlan& pool, const Draws& draws);

}  // namespace fleetcast::sim
