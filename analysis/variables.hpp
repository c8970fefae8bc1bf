#pragma once
// What a results file holds of every trial: one table that writing, reading and the parts share.
#include <cstdint>
#include <string>
#include <vector>

#include "sim/ensemble.hpp"
#include "sim/outcome.hpp"

namespace fleetcast::analysis {

struct RealVariable {
  const char* name;
  const char* units;
  const char* long_name;
  double sim::Outcome::*member;
};

/// Counts of 32 bits.
struct CountVariable {
  const char* name;
  const char* units;
  const char* long_name;
  std::uint32_t sim::Outcome::*member;
};

/// Counts and hashes of 64 bits.
struct WideVariable {
  const char* name;
  const char* units;
  const char* long_name;
  std::uint64_t sim::Outcome::*member;
};

/// Name, units and meaning of each; the order is that of `PackedBlock`.
const std::vector<RealVariable>& real_variables();
const std::vector<CountVariable>& count_variables();
const std::vector<WideVariable>& wide_variables();

/// The outcomes of one block as two plain arrays, [row][strategy][trial].
/// Rows of `reals`: the real variables, then the accounts. Rows of `counts`: status, the counts, the wide ones, then
/// the stops by cause. Everything is kept bit by bit.
struct PackedBlock {
  std::uint64_t index = 0;
  std::uint32_t first = 0, count = 0;
  std::size_t strategies = 0, causes = 0;
  std::vector<double> reals;
  std::vector<std::uint64_t> counts;

  [[nodiscard]] std::size_t cells() const { return strategies * count; }
  [[nodiscard]] const double* real_row(std::size_t row) const { return reals.data() + row * cells(); }
  [[nodiscard]] const std::uint64_t* count_row(std::size_t row) const { return counts.data() + row * cells(); }
};

std::size_t real_rows();
std::size_t count_rows(std::size_t causes);

/// An empty block of this size, ready to be filled.
PackedBlock empty_block(std::uint64_t index, std::uint32_t first, std::uint32_t count, std::size_t strategies,
                        std::size_t causes);

/// Copies the trials that both blocks have to their places in `to`.
void copy_common(const PackedBlock& from, PackedBlock& to);

/// Throws ContractError if a list of outcomes or of stops has another length than it should.
PackedBlock pack(const sim::Block& block, std::size_t causes);
sim::Block unpack(const PackedBlock& packed);

}  // namespace fleetcast::analysis
