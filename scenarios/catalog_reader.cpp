#include "scenarios/catalog_reader.hpp"

#include <filesystem>

#include "scenarios/catalog_files.hpp"
#include "scenarios/catalog_sources.hpp"

namespace fleetcast::scenarios {

namespace {

using catalog::Source;
using catalog::source_of;

models::Catalog read_all(const std::string& folder) {
  const Source gpus = source_of("gpus.json", folder), instances = source_of("instances.json", folder);
  const Source providers = source_of("providers.json", folder), stores = source_of("stores.json", folder);
  const Source shapes = source_of("models.json", folder), failures = source_of("failures.json", folder);
  const Source throughput = source_of("throughput.json", folder);
  const Source measured_speed = source_of("measured_speed.json", folder);
  catalog::Faults faults;
  models::Catalog all;
  all.gpus = read_gpus(gpus.file(), faults);
  all.instances = read_instances(instances.file(), faults);
  all.providers = read_providers(providers.file(), faults);
  all.stores = read_stores(stores.file(), faults);
  all.shapes = read_models(shapes.file(), faults);
  all.failures = read_failures(failures.file(), faults);
  all.throughput = read_throughput(throughput.file(), faults);
  all.measured_speed = read_measured_speed(measured_speed.file(), faults);
  catalog::check_references(all,
                            {gpus.name, instances.name, providers.name, stores.name, shapes.name, failures.name,
                             throughput.name, measured_speed.name},
                            faults);
  if (!faults.empty()) throw models::InputError{std::move(faults)};
  return all;
}

}  // namespace

const models::Catalog& built_in_catalog() {
  static const models::Catalog catalog = read_all("");
  return catalog;
}

models::Catalog read_catalog(const std::string& folder) {
  if (!std::filesystem::is_directory(folder))
    throw models::InputError{{{folder, 0, 0, "", "is no folder that can be read", "a folder with catalog files", ""}}};
  return read_all(folder);
}

}  // namespace fleetcast::scenarios
