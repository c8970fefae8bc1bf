#include "scenarios/catalog_reader.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "scenarios/catalog_files.hpp"

namespace fleetcast::scenarios {

namespace embedded {
extern const std::string_view catalog_gpus, catalog_instances, catalog_providers, catalog_stores, catalog_models,
    catalog_failures, calibration_efficiency;
}

namespace {

using catalog::File;

/// The text of every file, compiled in or read from a folder.
struct Texts {
  std::string folder;  ///< empty: everything is compiled in
  std::vector<std::string> read{};

  /// `folder/name` if it exists, else the compiled-in text.
  File file(const std::string& name, std::string_view built_in) {
    const std::filesystem::path path = std::filesystem::path{folder} / name;
    if (folder.empty() || !std::filesystem::exists(path)) return {name, built_in};
    std::ifstream stream{path, std::ios::binary};
    std::ostringstream content;
    content << stream.rdbuf();
    if (!stream) throw models::InputError{{{path.string(), 0, 0, "", "cannot be read", "", ""}}};
    read.push_back(content.str());
    return {path.string(), read.back()};
  }
};

models::Catalog read_all(Texts texts) {
  texts.read.reserve(7);  // views into it are kept
  const File gpus = texts.file("gpus.json", embedded::catalog_gpus);
  const File instances = texts.file("instances.json", embedded::catalog_instances);
  const File providers = texts.file("providers.json", embedded::catalog_providers);
  const File stores = texts.file("stores.json", embedded::catalog_stores);
  const File shapes = texts.file("models.json", embedded::catalog_models);
  const File failures = texts.file("failures.json", embedded::catalog_failures);
  const File efficiency = texts.file("efficiency.json", embedded::calibration_efficiency);
  catalog::Faults faults;
  models::Catalog all;
  all.gpus = read_gpus(gpus, faults);
  all.instances = read_instances(instances, faults);
  all.providers = read_providers(providers, faults);
  all.stores = read_stores(stores, faults);
  all.shapes = read_models(shapes, faults);
  all.failures = read_failures(failures, faults);
  all.efficiency = read_efficiency(efficiency, faults);
  catalog::check_references(
      all, {gpus.name, instances.name, providers.name, stores.name, shapes.name, failures.name, efficiency.name},
      faults);
  if (!faults.empty()) throw models::InputError{std::move(faults)};
  return all;
}

}  // namespace

const models::Catalog& built_in_catalog() {
  static const models::Catalog catalog = read_all({});
  return catalog;
}

models::Catalog read_catalog(const std::string& folder) {
  if (!std::filesystem::is_directory(folder))
    throw models::InputError{{{folder, 0, 0, "", "is no folder that can be read", "a folder with catalog files", ""}}};
  return read_all({folder});
}

}  // namespace fleetcast::scenarios
