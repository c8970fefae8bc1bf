#pragma once
// Where the trials of a run are cut into blocks, the parts of its results file.
#include <cstdint>
#include <vector>

namespace fleetcast::analysis {

/// Trials between two looks of a stopping rule, cut into blocks from its beginning on, so that every look is at the end
/// of a block. A run without a rule is one stretch.
struct Stretch {
  std::uint32_t first = 0, end = 0;  ///< trials [first, end)
  std::uint32_t block_size = 0;      ///< trials per block; the last may be shorter
  std::uint64_t first_block = 0;     ///< index
};

/// The looks are at `first_look`, 2 x, 4 x ... and at `replicates`. A layout of fewer replicates that ends at a look
/// is the beginning of this one. The blocks grow with the stretches, up to 256 trials, and never shrink.
class BlockLayout {
 public:
  struct Block {
    std::uint32_t first = 0, count = 0;  ///< trials [first, first + count)
  };

  /// `first_look` 0 or at least `replicates`: one stretch. block_size > 0.
  BlockLayout(std::uint32_t first_look, std::uint32_t block_size, std::uint32_t replicates);

  [[nodiscard]] const std::vector<Stretch>& stretches() const { return stretches_; }
  /// Number of blocks.
  [[nodiscard]] std::uint64_t count() const;
  /// Requires index < count().
  [[nodiscard]] Block at(std::uint64_t index) const;
  /// Index of the block that holds the trial; requires trial < replicates.
  [[nodiscard]] std::uint64_t block_of(std::uint32_t trial) const;

 private:
  std::vector<Stretch> stretches_;
};

}  // namespace fleetcast::analysis
