#pragma once
// Where the user wants a file to be written.
#include <string>

namespace fleetcast::cli {

struct OutputPlace {
  std::string option;  ///< that named it, for messages: "--out"
  std::string path;
  bool force = false;  ///< may overwrite what is there
};

/// A file that is read.
struct InputPlace {
  std::string what;  ///< for messages: "scenario file"
  std::string path;
};

/// Before any work: throws InputError if it is the file `input` itself, OutputError if it exists and must not be
/// overwritten, is no ordinary file, or its folder is missing or cannot be written.
void check_output_place(const OutputPlace& place, const InputPlace& input);

}  // namespace fleetcast::cli
