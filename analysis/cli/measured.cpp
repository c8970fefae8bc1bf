#include "analysis/cli/measured.hpp"

#include <filesystem>
#include <iostream>

#include "analysis/disk.hpp"
#include "analysis/version.hpp"
#include "scenarios/catalog_reader.hpp"

namespace fleetcast::cli {

namespace {

/// Without the folders that it lies in.
std::string name_of(const std::string& path) {
  const std::filesystem::path whole = std::filesystem::path{path}.lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

}  // namespace

models::Catalog catalog_of(const MeasuredOptions& options) {
  return options.catalog ? scenarios::read_catalog(*options.catalog) : scenarios::built_in_catalog();
}

std::string origin_of(const MeasuredOptions& options) {
  return "fleetcast " + analysis::program_version() + " (commit " + analysis::program_commit() + "), from " +
         name_of(options.data) + (options.catalog ? ", catalog " + name_of(*options.catalog) : "");
}

void write_file(const std::string& path, const std::string& text, const std::string& what,
                const MeasuredOptions& options) {
  analysis::write_durably(path, text);
  if (!options.quiet) std::cerr << "fleetcast: " << what << " is in " << path << '\n';
}

void explain_unusable(const std::string& data, std::size_t rows, const std::vector<analysis::SkippedRow>& skipped) {
  std::cerr << "fleetcast: " << data << ": no row is usable, of " << rows;
  const auto reasons = analysis::skipped_reasons(skipped);
  if (!reasons.empty()) std::cerr << "; most often: " << reasons.front().reason;
  std::cerr << '\n';
}

}  // namespace fleetcast::cli
