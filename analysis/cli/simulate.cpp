#include "analysis/cli/simulate.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "analysis/uncertain_plans.hpp"

namespace fleetcast::cli {
namespace {

using analysis::BlockLayout;
using analysis::Stretch;

std::uint32_t first_look(const scenarios::MonteCarlo& montecarlo) {
  return static_cast<std::uint32_t>(montecarlo.replicates);
}

class Simulation {
 public:
  Simulation(const Prepared& prepared, analysis::ResultsFile* results, Progress& progress,
             const sim::EnsembleOptions& common)
      : prepared_{prepared},
        results_{results},
        progress_{progress},
        common_{common},
        layout_{first_look(montecarlo()), block_size_for(montecarlo().replicates), most_trials(montecarlo())} {}

  Trials run() {
    if (montecarlo().until) {
      trials_.stopping = analysis::play_until(*montecarlo().until, first_look(montecarlo()), source());
      trials_.complete = trials_.stopping.has_value();
    } else {
      trials_.complete = play(0, first_look(montecarlo()));
    }
    return std::move(trials_);
  }

 private:
  [[nodiscard]] const scenarios::MonteCarlo& montecarlo() const { return prepared_.file.montecarlo; }

  analysis::TrialSource source() {
    return {
        .play = [this](std::uint32_t first, std::uint32_t, std::uint32_t expected) { return play(first, expected); },
        .samples = [this] { return samples(); }};
  }

  [[nodiscard]] const Stretch& stretch_at(std::uint32_t first) const {
    return *std::ranges::find(layout_.stretches(), first, &Stretch::first);
  }

  /// The trials of the stretch that begins at `first`; false if it was stopped.
  bool play(std::uint32_t first, std::uint32_t expected) {
    const Stretch& stretch = stretch_at(first);
    read_back(stretch);
    sim::EnsembleOptions options = common_;
    options.begin = stretch.first;
    options.replicates = stretch.end;
    options.first_block = stretch.first_block;
    options.block_size = stretch.block_size;
    // Blocks that are taken meanwhile are not asked for again, so only those that were read back count here.
    const std::set<std::uint64_t> there = indices();
    options.have_block = [&](std::uint64_t index) { return there.contains(index); };
    options.take_block = [&](sim::Block&& block) { take(std::move(block)); };
    const std::uint64_t strategies = prepared_.plans.size();
    options.progress = [&](std::uint64_t done, std::uint64_t) {
      progress_.update(stretch.first * strategies + done, expected * strategies);
    };
    return sim::run_ensemble(prepared_.plans, options);
  }

  void read_back(const Stretch& stretch) {
    if (results_ == nullptr) return;
    std::uint64_t index = stretch.first_block;
    for (std::uint64_t first = stretch.first; first < stretch.end; first += stretch.block_size, ++index) {
      if (results_->has_block(index)) trials_.blocks.emplace(index, results_->read_block(index));
    }
  }

  void take(sim::Block&& block) {
    if (results_) results_->write_block(block);
    const std::uint64_t index = block.index;
    trials_.blocks.insert_or_assign(index, std::move(block));
  }

  [[nodiscard]] std::set<std::uint64_t> indices() const {
    std::set<std::uint64_t> found;
    for (const auto& [index, block] : trials_.blocks) found.insert(index);
    return found;
  }

  /// The blocks are kept by index, which is the order of the trials.
  [[nodiscard]] std::vector<analysis::FigureSample> samples() const {
    std::vector<analysis::FigureSample> found(prepared_.plans.size());
    for (const auto& [index, block] : trials_.blocks) {
      for (std::size_t strategy = 0; strategy < found.size(); ++strategy) {
        for (const sim::Outcome& each : block.outcomes[strategy]) found[strategy].add(montecarlo().until->figure, each);
      }
    }
    return found;
  }

  const Prepared& prepared_;
  analysis::ResultsFile* results_;
  Progress& progress_;
  const sim::EnsembleOptions& common_;
  BlockLayout layout_;
  Trials trials_;
};

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

std::uint32_t most_trials(const scenarios::MonteCarlo& montecarlo) {
  return static_cast<std::uint32_t>(montecarlo.until ? montecarlo.until->at_most : montecarlo.replicates);
}

Trials simulate(const Prepared& prepared, unsigned threads, analysis::ResultsFile* results,
                const std::atomic<bool>& stop, Progress& progress) {
  sim::EnsembleOptions common;
  common.seed = prepared.file.montecarlo.seed;
  common.threads = threads;
  common.stop = &stop;
  if (!prepared.file.uncertain.empty()) {
    common.plan_of = [&](std::size_t strategy, std::uint32_t trial) {
      return analysis::plan_of_trial(prepared.file, prepared.catalog, prepared.plans[strategy], trial);
    };
  }
  return Simulation{prepared, results, progress, common}.run();
}

}  // namespace fleetcast::cli
