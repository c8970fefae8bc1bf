#pragma once
// How many nodes of a pool can be held in one trial, told change by change: recorded, by the market model, by regimes,
// and cut off while the price is above what the user pays.
#include <cstddef>
#include <cstdint>
#include <memory>

#include "models/market_path.hpp"
#include "sim/draws.hpp"
#include "sim/kernel/time.hpp"
#include "sim/plan.hpp"
#include "sim/price_course.hpp"

namespace fleetcast::sim {

class CapacityCourse {
 public:
  struct Change {
    kernel::Time at = kernel::Time::never();
    std::size_t capacity = 0;  ///< may be the same as before
  };

  virtual ~CapacityCourse() = default;
  /// Since the last change.
  [[nodiscard]] virtual std::size_t capacity() const = 0;
  [[nodiscard]] virtual Change next() = 0;
  /// The next change has come.
  virtual void advance() = 0;
  /// When nothing more is known; never for what goes on.
  [[nodiscard]] virtual kernel::Time end() const { return kernel::Time::never(); }
  /// Which of the pool's regimes holds.
  [[nodiscard]] virtual std::size_t regime() const { return 0; }
};

/// What limits the nodes of this pool; null if nothing does. `price` may be null; it and the plan outlive the course.
std::unique_ptr<CapacityCourse> capacity_course(const Plan& plan, std::size_t pool, const Draws& draws,
                                                const PriceCourse* price);

}  // namespace fleetcast::sim
