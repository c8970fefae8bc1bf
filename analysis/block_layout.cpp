#include "analysis/block_layout.hpp"

#include <algorithm>

#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

constexpr std::uint64_t largest_grown_block = 256;

std::uint64_t blocks_in(const Stretch& stretch) {
  return (std::uint64_t{stretch.end} - stretch.first + stretch.block_size - 1) / stretch.block_size;
}

/// About as many blocks in every stretch, as long as they are small.
std::uint32_t grown(std::uint32_t block_size, std::uint64_t times) {
  const std::uint64_t most = std::max<std::uint64_t>(block_size, largest_grown_block);
  return static_cast<std::uint32_t>(std::min(most, block_size * times));
}

}  // namespace

BlockLayout::BlockLayout(std::uint32_t first_look, std::uint32_t block_size, std::uint32_t replicates) {
  models::require(block_size > 0, "a block holds trials");
  const std::uint64_t unit = first_look > 0 ? first_look : replicates;
  std::uint64_t first = 0, block = 0;
  for (std::uint64_t end = unit; first < replicates; end *= 2) {
    const auto last = static_cast<std::uint32_t>(std::min<std::uint64_t>(end, replicates));
    stretches_.push_back(
        {static_cast<std::uint32_t>(first), last, grown(block_size, std::max<std::uint64_t>(1, first / unit)), block});
    block += blocks_in(stretches_.back());
    first = last;
  }
}

std::uint64_t BlockLayout::count() const {
  return stretches_.empty() ? 0 : stretches_.back().first_block + blocks_in(stretches_.back());
}

BlockLayout::Block BlockLayout::at(std::uint64_t index) const {
  models::require(index < count(), "a block of the layout");
  const auto after = std::ranges::upper_bound(stretches_, index, {}, &Stretch::first_block);
  const Stretch& stretch = *std::prev(after);
  const std::uint64_t first = stretch.first + (index - stretch.first_block) * stretch.block_size;
  return {static_cast<std::uint32_t>(first),
          static_cast<std::uint32_t>(std::min<std::uint64_t>(stretch.block_size, stretch.end - first))};
}

std::uint64_t BlockLayout::block_of(std::uint32_t trial) const {
  models::require(!stretches_.empty() && trial < stretches_.back().end, "a trial of the layout");
  const auto after = std::ranges::upper_bound(stretches_, trial, {}, &Stretch::first);
  const Stretch& stretch = *std::prev(after);
  return stretch.first_block + (trial - stretch.first) / stretch.block_size;
}

}  // namespace fleetcast::analysis
