#pragma once
// The results file itself (form: README.md of this folder).
#include <cstdint>
#include <memory>
#include <string>

#include "analysis/results_file.hpp"
#include "analysis/variables.hpp"

namespace fleetcast::analysis {

/// Trials per chunk: whole blocks, about 4,096 trials, so that a chunk is 32 KiB and a million trials stay few
/// hundred chunks a variable.
std::uint32_t chunk_trials(const ResultsHeader& header);

/// Writes a new file from its first trial to its last. Throws OutputError; after a failure the file is of no use, and
/// its handles are closed without harm.
class ResultsWriter {
 public:
  ResultsWriter(const std::string& path, const ResultsHeader& header);
  ~ResultsWriter();
  ResultsWriter(const ResultsWriter&) = delete;
  ResultsWriter& operator=(const ResultsWriter&) = delete;

  /// The trials [first, first + count) of every strategy. Fast if they are whole chunks.
  void write(const PackedBlock& trials);
  /// Everything to the system, closed. Without this call the file is abandoned.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Reads a finished file. The form's name and version are checked first. Throws OutputError.
class ResultsReader {
 public:
  explicit ResultsReader(const std::string& path);
  ~ResultsReader();
  ResultsReader(const ResultsReader&) = delete;
  ResultsReader& operator=(const ResultsReader&) = delete;

  [[nodiscard]] const ResultsHeader& header() const;
  /// As `to_text(identity_of(header))` gave it when the file was written.
  [[nodiscard]] const std::string& identity() const;
  [[nodiscard]] PackedBlock read(std::uint64_t index, std::uint32_t first, std::uint32_t count) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fleetcast::analysis
