#pragma once
// Many trials of many strategies on the cores of one machine. The result does not depend on how many.
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sim/outcome.hpp"
#include "sim/plan.hpp"

namespace fleetcast::sim {

/// Trials [first, first + count) of every strategy; outcomes[strategy][trial - first].
struct Block {
  std::uint64_t index = 0;
  std::uint32_t first = 0, count = 0;
  std::vector<std::vector<Outcome>> outcomes;
};

struct EnsembleOptions {
  std::uint64_t seed = 1;
  std::uint32_t begin = 0, replicates = 1000;  ///< plays the trials [begin, replicates)
  std::uint64_t first_block = 0;               ///< index of the block that starts at `begin`
  std::uint32_t block_size = 256;              ///< trials per block; the last may be shorter
  unsigned threads = 0;                        ///< 0: all cores
  const std::atomic<bool>* stop = nullptr;     ///< set: finish nothing more, drop blocks in progress
  /// The plan of one trial where something of it is unknown but fixed; may be empty. Called by several threads at once.
  std::function<Plan(std::size_t strategy, std::uint32_t trial)> plan_of;
  std::function<bool(std::uint64_t)> have_block;  ///< true: this block is already there (resume); may be empty
  std::function<void(Block&&)> take_block;        ///< called once per finished block, in any order, never concurrently
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;  ///< trials x strategies; may be empty
};

/// Returns false if it was stopped before every block was taken. Exceptions of a trial are thrown here.
bool run_ensemble(std::span<const Plan> plans, const EnsembleOptions& options);

}  // namespace fleetcast::sim
