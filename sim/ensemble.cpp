#include "sim/ensemble.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "sim/trial.hpp"

namespace fleetcast::sim {
namespace {

/// Trials of one strategy that one thread takes at a time.
constexpr std::uint32_t chunk_size = 16;

/// A block that is being filled, and how many of its chunks are still out.
struct OpenBlock {
  Block block;
  std::atomic<std::uint32_t> chunks_left{0};
};

class Ensemble {
 public:
  Ensemble(std::span<const Plan> plans, const EnsembleOptions& options) : plans_{plans}, options_{options} {
    std::uint64_t index = options.first_block;
    for (std::uint64_t first = options.begin; first < options.replicates; first += options.block_size, ++index) {
      const auto count =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(options.block_size, options.replicates - first));
      total_ += std::uint64_t{count} * plans.size();
      if (options.have_block && options.have_block(index)) {
        done_ += std::uint64_t{count} * plans.size();
      } else {
        add_block(index, static_cast<std::uint32_t>(first), count);
      }
    }
  }

  bool run() {
    const unsigned wanted = options_.threads > 0 ? options_.threads : std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::jthread> threads;
    for (unsigned i = 1; i < wanted; ++i) threads.emplace_back([this] { work(); });
    work();
    threads.clear();
    if (failure_) std::rethrow_exception(failure_);
    return blocks_taken_ == blocks_.size();
  }

 private:
  struct Chunk {
    OpenBlock* open;
    std::size_t strategy;
    std::uint32_t first, count;  ///< within the block
  };

  void add_block(std::uint64_t index, std::uint32_t begin, std::uint32_t count) {
    auto open = std::make_unique<OpenBlock>();
    open->block.index = index;
    open->block.first = begin;
    open->block.count = count;
    for (std::size_t strategy = 0; strategy < plans_.size(); ++strategy) {
      for (std::uint32_t first = 0; first < count; first += chunk_size) {
        chunks_.push_back({open.get(), strategy, first, std::min(chunk_size, count - first)});
        ++open->chunks_left;
      }
    }
    open->block.outcomes.resize(plans_.size());
    blocks_.push_back(std::move(open));
  }

  [[nodiscard]] bool stopped() const {
    return failed_.load() || (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed));
  }

  void work() {
    try {
      for (std::size_t i = next_chunk_++; i < chunks_.size(); i = next_chunk_++) {
        if (!fill(chunks_[i])) return;
      }
    } catch (...) {
      const std::scoped_lock lock{mutex_};
      if (!failure_) failure_ = std::current_exception();
      failed_ = true;
    }
  }

  Outcome run(std::size_t strategy, std::uint32_t trial) const {
    if (options_.plan_of) return run_trial(options_.plan_of(strategy, trial), options_.seed, trial);
    return run_trial(plans_[strategy], options_.seed, trial);
  }

  /// False if it was stopped on the way.
  bool fill(const Chunk& chunk) {
    std::vector<Outcome> outcomes;
    outcomes.reserve(chunk.count);
    for (std::uint32_t i = 0; i < chunk.count; ++i) {
      if (stopped()) return false;
      outcomes.push_back(run(chunk.strategy, chunk.open->block.first + chunk.first + i));
    }
    const std::scoped_lock lock{mutex_};
    std::vector<Outcome>& all = chunk.open->block.outcomes[chunk.strategy];
    all.resize(chunk.open->block.count);
    std::move(outcomes.begin(), outcomes.end(), all.begin() + chunk.first);
    done_ += chunk.count;
    if (--chunk.open->chunks_left == 0) {
      ++blocks_taken_;
      if (options_.take_block) options_.take_block(std::move(chunk.open->block));
      chunk.open->block.outcomes.clear();
    }
    if (options_.progress) options_.progress(done_, total_);
    return true;
  }

  std::span<const Plan> plans_;
  const EnsembleOptions& options_;
  std::vector<std::unique_ptr<OpenBlock>> blocks_;
  std::vector<Chunk> chunks_;
  std::atomic<std::size_t> next_chunk_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::exception_ptr failure_;
  std::uint64_t done_ = 0, total_ = 0;
  std::size_t blocks_taken_ = 0;
};

}  // namespace

bool run_ensemble(std::span<const Plan> plans, const EnsembleOptions& options) {
  return Ensemble{plans, options}.run();
}

}  // namespace fleetcast::sim
