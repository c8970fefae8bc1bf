#pragma once
// Outcomes and files made up for the tests of this folder.
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "analysis/results_file.hpp"
#include "models/random/stream.hpp"
#include "sim/ensemble.hpp"
#include "sim/outcome.hpp"

namespace made_up {

using fleetcast::models::Stream;
using fleetcast::sim::Outcome;
using fleetcast::sim::Status;

inline double uniform(Stream& stream) {
  return static_cast<double>(stream() >> 11) * 0x1p-53;
}

/// Every field filled with something that a wrong cast, a swapped field or a lost bit would change.
inline Outcome outcome(std::uint64_t seed, std::uint32_t trial, std::uint32_t strategy, std::size_t causes) {
  Stream stream{{seed, trial, fleetcast::models::Purpose::test, strategy, 0}};
  Outcome made;
  made.status = static_cast<Status>(uniform(stream) < 0.8 ? 0 : 1 + stream() % 4);
  for (double* field : {&made.time_s, &made.cost_usd, &made.held_gpu_s, &made.held_usd, &made.rounding_usd,
                        &made.storage_usd, &made.egress_usd, &made.kept_wall_s, &made.kept_steps, &made.bytes_written})
    *field = uniform(stream) * 1e6;
  made.forgiven_usd = -uniform(stream);
  for (double& account : made.account_gpu_s) account = uniform(stream) / 3.0;
  for (std::uint32_t* field : {&made.stops, &made.planned_stops, &made.losses_during_restart, &made.checkpoints_started,
                               &made.checkpoints_usable})
    *field = static_cast<std::uint32_t>(stream());
  for (std::size_t i = 0; i < causes; ++i) made.stops_by_cause.push_back(static_cast<std::uint32_t>(stream()));
  made.events = stream();
  made.fingerprint = stream();
  return made;
}

inline fleetcast::analysis::ResultsHeader header(std::uint32_t replicates = 50, std::uint32_t block_size = 8) {
  fleetcast::analysis::ResultsHeader made;
  made.scenario_name = "made up";
  made.scenario_text = "{ \"about\": \"Läufe\" }\n";
  made.overrides = {"/montecarlo/seed=7", "/name=\"x\""};
  made.calibration_text = "none";
  made.strategies = {"base", "spot", "spot, async saves"};
  made.causes = {"reclaim", "GPU", "software"};
  made.seed = 18446744073709551615U;
  made.replicates = replicates;
  made.block_size = block_size;
  return made;
}

inline std::uint64_t blocks_of(const fleetcast::analysis::ResultsHeader& header) {
  return (header.replicates + header.block_size - 1) / header.block_size;
}

inline fleetcast::sim::Block block(const fleetcast::analysis::ResultsHeader& header, std::uint64_t index) {
  fleetcast::sim::Block made;
  made.index = index;
  made.first = static_cast<std::uint32_t>(index) * header.block_size;
  made.count = std::min(header.block_size, header.replicates - made.first);
  made.outcomes.resize(header.strategies.size());
  for (std::uint32_t s = 0; s < made.outcomes.size(); ++s)
    for (std::uint32_t t = 0; t < made.count; ++t)
      made.outcomes[s].push_back(outcome(header.seed, made.first + t, s, header.causes.size()));
  return made;
}

/// Computes what is missing, as a run does.
inline void complete(fleetcast::analysis::ResultsFile& file, const fleetcast::analysis::ResultsHeader& header) {
  for (std::uint64_t i = 0; i < blocks_of(header); ++i)
    if (!file.has_block(i)) file.write_block(block(header, i));
  file.assemble();
}

inline std::string bytes_of(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

inline void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream{path, std::ios::binary} << bytes;
}

/// A folder of its own, removed at the end.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "fleetcast-test-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace made_up
