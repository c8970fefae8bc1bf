#include "analysis/cli/output_place.hpp"

#include <filesystem>
#include <system_error>

#include "analysis/cli/refuse.hpp"
#include "analysis/disk.hpp"
#include "models/errors.hpp"

namespace fleetcast::cli {

using analysis::PathKind;

void check_output_place(const OutputPlace& place, const InputPlace& input) {
  const std::string& path = place.path;
  std::error_code ignored;
  if (std::filesystem::equivalent(path, input.path, ignored))
    refuse(place.option + ": \"" + path + "\" is the " + input.what + " itself");
  if (path.empty() || path.back() == '/') throw models::OutputError{"'" + path + "': names a folder, not a file"};
  const PathKind kind = analysis::kind_of(path);
  if (kind == PathKind::folder) throw models::OutputError{path + ": is a folder"};
  if (kind == PathKind::other) throw models::OutputError{path + ": is not an ordinary file"};
  if (kind == PathKind::file && !place.force)
    throw models::OutputError{path + ": exists already (--force overwrites it)"};
  analysis::require_writable_folder(analysis::folder_of(path));
}

}  // namespace fleetcast::cli
