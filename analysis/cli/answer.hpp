#pragma once
// Writing the answer to standard output, noticing when that fails.
#include <string_view>

#include "models/errors.hpp"

namespace fleetcast::cli {

/// Whoever read our standard output has closed it (`| head`).
class ReaderGone : public models::OutputError {
 public:
  using OutputError::OutputError;
};

/// Opens the standard descriptors that are closed, so that no result file can take their numbers by accident.
/// Writing to a standard output that was closed still fails. Broken pipes become errors instead of signals.
void secure_standard_streams();

/// Writes all of `text` to standard output. Throws OutputError, or ReaderGone.
void write_answer(std::string_view text);

}  // namespace fleetcast::cli
