#pragma once
// One block of trials as a small closed file. It is built and read in memory, so that HDF5 never meets a full disk,
// a lock or an awkward path here.
//
// Form: 512 bytes of our own (an HDF5 user block: "fleetcast-part 1", length and hash of the rest), then an HDF5
// file with `reals(row, strategy, trial)`, `counts(row, strategy, trial)`, `place(index, first)` and `identity`.
#include <string>

#include "analysis/variables.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {

/// The bytes are not those that were written: cut short, changed, or something else altogether.
class DamagedPart : public models::OutputError {
 public:
  using OutputError::OutputError;
};

struct Part {
  std::string identity;
  PackedBlock block;
};

std::string part_bytes(const Part& part);

/// Throws DamagedPart if the bytes are not a whole and unchanged part. `path` is for the message.
Part part_from(const std::string& bytes, const std::string& path);

}  // namespace fleetcast::analysis
