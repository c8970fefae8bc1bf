#include "sim/ensemble.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <map>
#include <set>

#include "models/errors.hpp"
#include "sim/trial.hpp"
#include "tests/sim/random_plans.hpp"

namespace fleetcast::tests {
namespace {

using sim::Block;
using sim::EnsembleOptions;
using sim::Outcome;
using sim::Plan;

/// Three strategies of about 10 us to 1 ms a trial.
std::vector<Plan> three_plans() {
  std::vector<Plan> plans;
  for (const std::uint32_t number : {2U, 3U, 5U}) plans.push_back(RandomPlans{number}.make());
  plans[1].grain = scenarios::Grain::node;
  return plans;
}

/// All outcomes by strategy, in trial order.
struct Collected {
  bool complete = false;
  std::vector<std::vector<Outcome>> outcomes;
  std::set<std::uint64_t> blocks;
};

Collected collect(const std::vector<Plan>& plans, EnsembleOptions options) {
  Collected result;
  result.outcomes.assign(plans.size(), std::vector<Outcome>(options.replicates));
  options.take_block = [&](Block&& block) {
    CHECK(result.blocks.insert(block.index).second);
    REQUIRE(block.outcomes.size() == plans.size());
    for (std::size_t strategy = 0; strategy < plans.size(); ++strategy) {
      REQUIRE(block.outcomes[strategy].size() == block.count);
      std::move(block.outcomes[strategy].begin(), block.outcomes[strategy].end(),
                result.outcomes[strategy].begin() + block.first);
    }
  };
  result.complete = run_ensemble(plans, options);
  return result;
}

EnsembleOptions options_of(std::uint32_t replicates, unsigned threads, std::uint32_t block_size) {
  EnsembleOptions options;
  options.seed = 11;
  options.replicates = replicates;
  options.threads = threads;
  options.block_size = block_size;
  return options;
}

}  // namespace

TEST_CASE("1, 2 and 7 threads and any block size give the same outcomes, bit by bit") {
  const std::vector<Plan> plans = three_plans();
  const Collected reference = collect(plans, options_of(100, 1, 256));
  CHECK(reference.complete);
  for (const unsigned threads : {1U, 2U, 7U}) {
    for (const std::uint32_t block_size : {1U, 7U, 16U, 33U, 100U, 1000U}) {
      CAPTURE(threads);
      CAPTURE(block_size);
      const Collected other = collect(plans, options_of(100, threads, block_size));
      CHECK(other.complete);
      CHECK(other.outcomes == reference.outcomes);
      CHECK(other.blocks.size() == (100 + block_size - 1) / block_size);
    }
  }
}

TEST_CASE("trial 17 alone is trial 17 of the run") {
  const std::vector<Plan> plans = three_plans();
  const Collected all = collect(plans, options_of(40, 2, 16));
  for (std::size_t strategy = 0; strategy < plans.size(); ++strategy) {
    CHECK(run_trial(plans[strategy], 11, 17) == all.outcomes[strategy][17]);
    CHECK_FALSE(run_trial(plans[strategy], 12, 17) == all.outcomes[strategy][17]);
    CHECK_FALSE(all.outcomes[strategy][16] == all.outcomes[strategy][17]);
  }
}

TEST_CASE("more replicates continue the same sequence of trials") {
  const std::vector<Plan> plans = three_plans();
  const Collected few = collect(plans, options_of(20, 2, 8)), many = collect(plans, options_of(50, 2, 8));
  for (std::size_t strategy = 0; strategy < plans.size(); ++strategy) {
    CHECK(std::equal(few.outcomes[strategy].begin(), few.outcomes[strategy].end(), many.outcomes[strategy].begin()));
  }
}

TEST_CASE("a run played in stretches is the run played at once, with block numbers that go on") {
  const std::vector<Plan> plans = three_plans();
  const Collected whole = collect(plans, options_of(70, 2, 8));
  EnsembleOptions first = options_of(30, 2, 8), second = options_of(70, 7, 16);
  second.begin = 30;
  second.first_block = 4;
  std::uint64_t last = 0, total = 0;
  second.progress = [&](std::uint64_t done, std::uint64_t of) {
    last = done;
    total = of;
  };
  Collected begun = collect(plans, first);
  const Collected rest = collect(plans, second);
  CHECK(rest.complete);
  CHECK(rest.blocks == std::set<std::uint64_t>{4, 5, 6});
  CHECK(last == 120);
  CHECK(total == 120);
  for (std::size_t strategy = 0; strategy < plans.size(); ++strategy) {
    std::vector<Outcome>& joined = begun.outcomes[strategy];
    joined.insert(joined.end(), rest.outcomes[strategy].begin() + 30, rest.outcomes[strategy].end());
  }
  CHECK(begun.outcomes == whole.outcomes);
}

TEST_CASE("blocks that are already there are not played again") {
  const std::vector<Plan> plans = three_plans();
  EnsembleOptions options = options_of(50, 2, 10);
  options.have_block = [](std::uint64_t index) { return index == 1 || index == 4; };
  std::uint64_t last = 0, total = 0;
  options.progress = [&](std::uint64_t done, std::uint64_t of) {
    CHECK(done > last);
    last = done;
    total = of;
  };
  const Collected resumed = collect(plans, options);
  CHECK(resumed.complete);
  CHECK(resumed.blocks == std::set<std::uint64_t>{0, 2, 3});
  CHECK(total == 150);
  CHECK(last == 150);
  options.have_block = [](std::uint64_t) { return true; };
  CHECK(collect(plans, options).complete);
}

TEST_CASE("a stop flag that is set before the start lets nothing finish") {
  std::atomic<bool> stop{true};
  EnsembleOptions options = options_of(50, 2, 10);
  options.stop = &stop;
  const Collected none = collect(three_plans(), options);
  CHECK_FALSE(none.complete);
  CHECK(none.blocks.empty());
}

TEST_CASE("a stop in the middle keeps whole blocks only, and what it keeps is right") {
  const std::vector<Plan> plans = three_plans();
  const Collected reference = collect(plans, options_of(400, 2, 16));
  std::atomic<bool> stop{false};
  EnsembleOptions options = options_of(400, 2, 16);
  options.stop = &stop;
  options.progress = [&](std::uint64_t done, std::uint64_t) {
    if (done >= 300) stop = true;
  };
  const Collected partial = collect(plans, options);
  CHECK_FALSE(partial.complete);
  CHECK(partial.blocks.size() < 25);
  CHECK(!partial.blocks.empty());
  for (const std::uint64_t block : partial.blocks) {
    for (std::size_t strategy = 0; strategy < plans.size(); ++strategy) {
      for (std::size_t trial = 16 * block; trial < 16 * block + 16; ++trial) {
        CHECK(partial.outcomes[strategy][trial] == reference.outcomes[strategy][trial]);
      }
    }
  }
}

TEST_CASE("an exception in a trial comes out, with any number of threads") {
  std::vector<Plan> plans = three_plans();
  plans[2].steps = 1;
  plans[2].pools.clear();  // no node ever: nothing will happen
  plans[2].nodes = 3;
  plans[2].horizon_s = std::numeric_limits<double>::infinity();
  plans[2].stop_time_s = std::numeric_limits<double>::infinity();
  for (const unsigned threads : {1U, 2U, 7U}) {
    CHECK_THROWS_AS(collect(plans, options_of(50, threads, 10)), models::ContractError);
  }
}

TEST_CASE("an exception of the one who takes the blocks comes out too") {
  EnsembleOptions options = options_of(50, 2, 10);
  options.take_block = [](Block&&) { throw models::OutputError{"disk full"}; };
  CHECK_THROWS_AS(run_ensemble(three_plans(), options), models::OutputError);
}

}  // namespace fleetcast::tests
