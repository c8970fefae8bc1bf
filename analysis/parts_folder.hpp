#pragma once
// The folder FILE.parts: one closed file per block of trials.
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/hdf5_part.hpp"
#include "analysis/identity.hpp"

namespace fleetcast::analysis {

class PartsFolder {
 public:
  explicit PartsFolder(std::string path) : path_{std::move(path)} {}

  [[nodiscard]] const std::string& path() const { return path_; }
  /// "FILE.parts/000017.h5".
  [[nodiscard]] std::string part_path(std::uint64_t index) const;
  /// Numbers of the parts that are there, in ascending order. Empty if there is no folder.
  [[nodiscard]] std::vector<std::uint64_t> indices() const;

  /// Written whole and forced to the disk, or not there.
  void write(const Part& part) const;
  /// Throws DamagedPart.
  [[nodiscard]] Part read(std::uint64_t index) const;

  /// Leftovers of a killed writer.
  void remove_temporary_files() const;
  /// All parts and the folder.
  void remove_all() const;
  /// The folder, if nothing is in it.
  void remove_if_empty() const noexcept;

 private:
  std::string path_;
};

}  // namespace fleetcast::analysis
