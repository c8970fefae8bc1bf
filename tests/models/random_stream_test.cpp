#include <doctest/doctest.h>

#include <set>
#include <vector>

#include "models/random/distribution.hpp"
#include "models/random/stream.hpp"

namespace fleetcast::models {

std::vector<std::uint64_t> words(const StreamKey& key, int count) {
  Stream stream{key};
  std::vector<std::uint64_t> list;
  for (int i = 0; i < count; ++i) list.push_back(stream());
  return list;
}

TEST_CASE("The same key gives the same numbers, and each part of the key matters") {
  const StreamKey key{.seed = 1, .trial = 2, .purpose = Purpose::test, .entity = 3, .sample = 4};
  CHECK(words(key, 10) == words(key, 10));
  StreamKey seed = key, high_seed = key, trial = key, purpose = key, entity = key, one_sample = key;
  seed.seed = 2;
  high_seed.seed = 1 + (std::uint64_t{1} << 32);
  trial.trial = 3;
  purpose.purpose = Purpose::wait;
  entity.entity = 4;
  one_sample.sample = 5;
  for (const StreamKey& other : {seed, high_seed, trial, purpose, entity, one_sample})
    CHECK(words(key, 10) != words(other, 10));
}

TEST_CASE("Whole blocks of neighbouring samples, entities, trials and purposes share no number") {
  std::set<std::uint64_t> seen;
  std::size_t drawn = 0;
  for (const Purpose purpose : {Purpose::wait, Purpose::boot})
    for (std::uint32_t trial = 0; trial < 3; ++trial)
      for (std::uint32_t entity = 0; entity < 3; ++entity)
        for (std::uint32_t sample_number = 0; sample_number < 3; ++sample_number)
          for (const std::uint64_t word : words({1, trial, purpose, entity, sample_number}, 128)) {
            seen.insert(word);
            ++drawn;
          }
  // 6,912 words of 64 bits: two equal ones by chance have probability 1.3e-12.
  CHECK(seen.size() == drawn);
}

TEST_CASE("The 128 numbers of a block can be drawn, the next one is refused") {
  Stream stream{{.seed = 1}};
  for (int i = 0; i < 128; ++i) CHECK_NOTHROW(stream());
  CHECK_THROWS_AS(stream(), ContractError);
  CHECK_THROWS_AS(stream(), ContractError);
}

TEST_CASE("The largest sample number is accepted, one more is refused") {
  CHECK_NOTHROW(Stream{{.sample = (1U << 26) - 1}});
  CHECK_THROWS_AS(Stream{{.sample = 1U << 26}}, ContractError);
  Stream last{{.sample = (1U << 26) - 1}};
  for (int i = 0; i < 128; ++i) CHECK_NOTHROW(last());
  CHECK_THROWS_AS(last(), ContractError);
}

TEST_CASE("How much one sample consumes does not shift its neighbours") {
  // The gamma draws consume more or fewer numbers by their shape; the exponentials in between must not care.
  const auto exponentials_beside = [](double shape) {
    std::vector<double> list;
    for (std::uint32_t i = 0; i < 200; ++i) {
      Stream greedy{{.seed = 5, .sample = 2 * i}}, neighbour{{.seed = 5, .sample = 2 * i + 1}};
      unit_gamma(shape, greedy);
      list.push_back(unit_exponential(neighbour));
    }
    return list;
  };
  CHECK(exponentials_beside(0.1) == exponentials_beside(50.0));
}

}  // namespace fleetcast::models
