#include "analysis/block_layout.hpp"

#include <doctest/doctest.h>

#include "models/errors.hpp"

using fleetcast::analysis::BlockLayout;

namespace {

/// Every trial is in exactly one block, blocks are in order, and `block_of` finds them.
void check_whole(const BlockLayout& layout, std::uint32_t replicates) {
  std::uint32_t next = 0;
  for (std::uint64_t index = 0; index < layout.count(); ++index) {
    const BlockLayout::Block block = layout.at(index);
    CHECK(block.first == next);
    REQUIRE(block.count > 0);
    CHECK(layout.block_of(block.first) == index);
    CHECK(layout.block_of(block.first + block.count - 1) == index);
    next += block.count;
  }
  CHECK(next == replicates);
}

}  // namespace

TEST_CASE("without a stopping rule blocks are equal and the last is shorter") {
  const BlockLayout layout{0, 8, 50};
  CHECK(layout.count() == 7);
  CHECK(layout.at(6).first == 48);
  CHECK(layout.at(6).count == 2);
  CHECK(layout.stretches().size() == 1);
  check_whole(layout, 50);
  CHECK_THROWS_AS((void)layout.at(7), fleetcast::models::ContractError);
  CHECK_THROWS_AS((void)layout.block_of(50), fleetcast::models::ContractError);
}

TEST_CASE("every look of a stopping rule is at the end of a block") {
  for (const std::uint32_t first : {1U, 7U, 50U, 1000U, 5000U}) {
    for (const std::uint32_t times : {1U, 2U, 3U, 64U, 100U}) {
      CAPTURE(first);
      CAPTURE(times);
      const BlockLayout layout{first, 16, first * times};
      check_whole(layout, first * times);
      for (std::uint32_t look = first; look < first * times; look *= 2)
        CHECK(layout.at(layout.block_of(look)).first == look);
    }
  }
}

TEST_CASE("where a run ends does not move the blocks before it") {
  const BlockLayout all{1000, 63, 50'000};
  for (const std::uint32_t end : {1000U, 2000U, 4000U, 32'000U}) {
    const BlockLayout shorter{1000, 63, end};
    for (std::uint64_t index = 0; index < shorter.count(); ++index) {
      CHECK(shorter.at(index).first == all.at(index).first);
      CHECK(shorter.at(index).count == all.at(index).count);
    }
  }
}

TEST_CASE("blocks grow with the stretches, up to 256 trials, and never shrink") {
  const BlockLayout layout{1000, 63, 64'000};
  CHECK(layout.at(0).count == 63);
  CHECK(layout.at(layout.block_of(1000)).count == 63);
  CHECK(layout.at(layout.block_of(2000)).count == 126);
  CHECK(layout.at(layout.block_of(32'000)).count == 256);
  CHECK(layout.count() < 300);
  CHECK(BlockLayout{1000, 500, 64'000}.at(100).count == 500);
}

TEST_CASE("the largest number of trials does not overflow") {
  check_whole(BlockLayout{3'000'000'000U, 1'000'000'000U, 4'000'000'000U}, 4'000'000'000U);
}
