#pragma once
// Running the trials of all strategies and collecting them, block by block.
#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "analysis/block_layout.hpp"
#include "analysis/cli/prepare.hpp"
#include "analysis/cli/progress.hpp"
#include "analysis/results_file.hpp"
#include "analysis/stopping.hpp"
#include "sim/ensemble.hpp"

namespace fleetcast::cli {

/// What was simulated, or read back from an earlier run.
struct Trials {
  std::map<std::uint64_t, sim::Block> blocks;  ///< by index
  bool complete = false;
  std::optional<analysis::Stopping> stopping;  ///< how montecarlo.until ended the run, if it did

  [[nodiscard]] std::uint64_t count() const;  ///< per strategy
};

/// outcomes[strategy][trial], in trial order; without the trials of blocks that are missing.
std::vector<std::vector<sim::Outcome>> in_trial_order(Trials&& trials);

/// Trials per block, and so per part of the results file, at the beginning. Depends on the number of trials (of the
/// first look, if there is a stopping rule) alone: about 16 blocks of a small run, so that many cores have work and
/// Ctrl-C loses little; 256 trials at most.
std::uint32_t block_size_for(std::int64_t replicates);

/// The most trials there can be: at_most of the stopping rule, else the replicates.
std::uint32_t most_trials(const scenarios::MonteCarlo& montecarlo);

/// `results` may be null: then nothing is written. Blocks that it has already are read instead of simulated.
Trials simulate(const Prepared& prepared, unsigned threads, analysis::ResultsFile* results,
                const std::atomic<bool>& stop, Progress& progress);

}  // namespace fleetcast::cli
