#pragma once
// The results file: HDF5 that netCDF-4 readers understand, written as closed parts and assembled at the end.
#include <cstdint>
#include <string>
#include <vector>

#include "sim/ensemble.hpp"
#include "sim/outcome.hpp"

namespace fleetcast::analysis {

/// What the file is about; a resumed run must agree on all of it.
struct ResultsHeader {
  std::string scenario_name;
  std::string scenario_text;
  std::vector<std::string> overrides;
  std::string calibration_text;  ///< provenance of the speed model
  std::vector<std::string> strategies;
  std::vector<std::string> causes;
  std::uint64_t seed = 1;
  /// Trials per strategy. Under a stopping rule: the most there can be while the run is going on, and in a finished
  /// file those that were simulated.
  std::uint32_t replicates = 0;
  std::uint32_t block_size = 256;  ///< trials per block, at the beginning (see BlockLayout)
  std::uint32_t first_look = 0;    ///< of the stopping rule; 0: none
  std::string until;               ///< the rule in words; empty: none
};

enum class ExistingResults { refuse, overwrite, resume };

/// `FILE.parts/000017.h5` per block (write, fsync, rename), then FILE. All members throw OutputError.
class ResultsFile {
 public:
  /// Checks at once that the place can be written, that nothing is overwritten unasked, that no other process
  /// writes it, that the estimated size fits the disk, and on resume that the parts belong to this run.
  ResultsFile(std::string path, ResultsHeader header, ExistingResults existing);
  ~ResultsFile();
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;

  [[nodiscard]] bool has_block(std::uint64_t index) const;
  /// Reads a part back. A damaged part is reported and removed by the constructor, so it is computed again.
  [[nodiscard]] sim::Block read_block(std::uint64_t index) const;
  void write_block(const sim::Block& block);
  /// Joins all parts into FILE and removes them. Requires every block.
  void assemble();
  /// The same when a stopping rule has ended the run at a look, with so many trials.
  void assemble(std::uint32_t replicates);
  /// What was found on resume, for messages.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Impl;
  std::string path_;
  ResultsHeader header_;
  std::vector<std::string> notes_;
  Impl* impl_ = nullptr;
};

/// Every outcome of a finished file; outcomes[strategy][trial].
struct ResultsData {
  ResultsHeader header;
  std::vector<std::vector<sim::Outcome>> outcomes;
};
ResultsData read_results(const std::string& path);

}  // namespace fleetcast::analysis
