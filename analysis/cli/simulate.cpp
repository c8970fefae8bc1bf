#include "analysis/cli/simulate.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "analysis/uncertain_plans.hpp"

namespace fleetcast::cli {
namespace {

std::map<std::uint64_t, sim::Block> read_back(const analysis::ResultsFile& results, std::uint64_t blocks) {
  std::map<std::uint64_t, sim::Block> found;
  for (std::uint64_t index = 0; index < blocks; ++index) {
    if (results.has_block(index)) found.emplace(index, results.read_block(index));
  }
  return found;
}

std::set<std::uint64_t> indices_of(const std::map<std::uint64_t, sim::Block>& blocks) {
  std::set<std::uint64_t> indices;
  for (const auto& [index, block] : blocks) indices.insert(index);
  return indices;
}

}  // namespace

std::uint64_t Trials::count() const {
  std::uint64_t trials = 0;
  for (const auto& [index, block] : blocks) trials += block.count;
  return trials;
}

std::vector<std::vector<sim::Outcome>> in_trial_order(Trials&& trials) {
  std::vector<std::vector<sim::Outcome>> joined;
  for (auto& [index, block] : trials.blocks) {
    joined.resize(block.outcomes.size());
    for (std::size_t strategy = 0; strategy < joined.size(); ++strategy) {
      std::ranges::move(block.outcomes[strategy], std::back_inserter(joined[strategy]));
    }
  }
  trials.blocks.clear();
  return joined;
}

std::uint32_t block_size_for(std::int64_t replicates) {
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>((replicates + 15) / 16, 16, 256));
}

Trials simulate(const Prepared& prepared, unsigned threads, analysis::ResultsFile* results,
                const std::atomic<bool>& stop, Progress& progress) {
  const scenarios::MonteCarlo& montecarlo = prepared.file.montecarlo;
  const std::uint32_t block_size = block_size_for(montecarlo.replicates);
  const auto replicates = static_cast<std::uint32_t>(montecarlo.replicates);
  Trials trials;
  if (results) trials.blocks = read_back(*results, (std::uint64_t{replicates} + block_size - 1) / block_size);
  const std::set<std::uint64_t> there = indices_of(trials.blocks);

  sim::EnsembleOptions options;
  options.seed = montecarlo.seed;
  options.replicates = replicates;
  options.block_size = block_size;
  options.threads = threads;
  options.stop = &stop;
  options.progress = [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); };
  options.have_block = [&](std::uint64_t index) { return there.contains(index); };
  options.take_block = [&](sim::Block&& block) {
    if (results) results->write_block(block);
    const std::uint64_t index = block.index;
    trials.blocks.insert_or_assign(index, std::move(block));
  };
  if (!prepared.file.uncertain.empty()) {
    options.plan_of = [&](std::size_t strategy, std::uint32_t trial) {
      return analysis::plan_of_trial(prepared.file, prepared.catalog, prepared.plans[strategy], trial);
    };
  }
  trials.complete = sim::run_ensemble(prepared.plans, options);
  return trials;
}

}  // namespace fleetcast::cli
