#include <set>

#include "scenarios/catalog_files.hpp"

namespace fleetcast::scenarios::catalog {

namespace {

/// Notes one fault for a name that leads nowhere.
void dangling(const std::string& file, const std::string& list, std::size_t at, const std::string& field,
              const std::string& name, Faults& faults) {
  models::Fault fault;
  fault.file = file;
  fault.pointer = "/" + list + "/" + std::to_string(at) + "/" + field;
  fault.problem = "\"" + name + "\" is not in the catalog";
  faults.push_back(std::move(fault));
}

template <class Entries>
void check_unique(const std::string& file, const Entries& entries, Faults& faults) {
  std::set<std::string> seen;
  for (std::size_t at = 0; at < entries.size(); ++at) {
    if (seen.insert(entries[at].id).second) continue;
    models::Fault fault;
    fault.file = file;
    fault.pointer = "/entries/" + std::to_string(at) + "/id";
    fault.problem = "\"" + entries[at].id + "\" is there twice";
    faults.push_back(std::move(fault));
  }
}

/// GPUs are looked up by id and by alias: a name must lead to one of them.
void check_aliases(const std::string& file, const std::vector<models::GpuSpec>& gpus, Faults& faults) {
  std::set<std::string> seen;
  for (const models::GpuSpec& gpu : gpus) seen.insert(gpu.id);
  for (std::size_t at = 0; at < gpus.size(); ++at)
    for (const std::string& alias : gpus[at].aliases)
      if (!seen.insert(alias).second)
        faults.push_back({file, 0, 0, "/entries/" + std::to_string(at) + "/aliases",
                          "\"" + alias + "\" names another GPU already", "", ""});
}

void check_gpus(const models::Catalog& catalog, const std::vector<std::string>& names, const std::string& file,
                std::size_t at, const std::string& field, Faults& faults) {
  for (const std::string& name : names)
    if (!catalog.gpu(name)) dangling(file, "entries", at, field, name, faults);
}

void check_instances(const models::Catalog& catalog, const std::string& file, Faults& faults) {
  for (std::size_t at = 0; at < catalog.instances.size(); ++at) {
    const models::InstanceSpec& instance = catalog.instances[at];
    check_gpus(catalog, {instance.gpu}, file, at, "gpu", faults);
    if (!catalog.provider(instance.provider)) dangling(file, "entries", at, "provider", instance.provider, faults);
  }
}

void check_providers(const models::Catalog& catalog, const std::string& file, Faults& faults) {
  for (std::size_t at = 0; at < catalog.providers.size(); ++at) {
    const models::ProviderSpec& provider = catalog.providers[at];
    if (!catalog.store(provider.default_store))
      dangling(file, "entries", at, "default_store", provider.default_store, faults);
    for (const models::SpotMarketClass& market : provider.markets)
      check_gpus(catalog, market.gpus, file, at, "markets", faults);
  }
}

void check_stores(const models::Catalog& catalog, const std::string& file, Faults& faults) {
  for (std::size_t at = 0; at < catalog.stores.size(); ++at) {
    const std::string& provider = catalog.stores[at].provider;
    if (!provider.empty() && !catalog.provider(provider)) dangling(file, "entries", at, "provider", provider, faults);
  }
}

void check_throughput(const models::Catalog& catalog, const std::string& file, Faults& faults) {
  for (std::size_t at = 0; at < catalog.throughput.rows.size(); ++at) {
    const models::MeasuredRow& row = catalog.throughput.rows[at];
    const models::GpuSpec* gpu = catalog.gpu(row.gpu);
    if (!gpu)
      dangling(file, "rows", at, "gpu", row.gpu, faults);
    else if (!gpu->peak(row.precision))
      dangling(file, "rows", at, "precision", std::string{models::name_of(row.precision)} + " of " + row.gpu, faults);
  }
}

/// Every row needs its source, a GPU with the precision, and the constants of its model.
void check_measured_speed(const models::Catalog& catalog, const std::string& file, Faults& faults) {
  const models::MeasuredSpeedTable& table = catalog.measured_speed;
  std::set<std::string> sources, works;
  for (const models::MeasuredSource& source : table.sources) sources.insert(source.id);
  for (const models::SpeedWork& work : table.works) works.insert(work.model);
  for (std::size_t at = 0; at < table.rows.size(); ++at) {
    const models::MeasuredSpeedEntry& row = table.rows[at];
    const models::GpuSpec* gpu = catalog.gpu(row.at.gpu);
    if (!gpu)
      dangling(file, "rows", at, "gpu", row.at.gpu, faults);
    else if (!gpu->peak(row.at.precision))
      dangling(file, "rows", at, "precision", std::string{models::name_of(row.at.precision)} + " of " + row.at.gpu,
               faults);
    if (!sources.contains(row.reference)) dangling(file, "rows", at, "reference", row.reference, faults);
    if (!works.contains(row.at.model)) dangling(file, "rows", at, "model", row.at.model, faults);
  }
}

}  // namespace

void check_references(const models::Catalog& catalog, const FileNames& files, Faults& faults) {
  check_unique(files.gpus, catalog.gpus, faults);
  check_aliases(files.gpus, catalog.gpus, faults);
  check_unique(files.instances, catalog.instances, faults);
  check_unique(files.providers, catalog.providers, faults);
  check_unique(files.stores, catalog.stores, faults);
  check_unique(files.models, catalog.shapes, faults);
  check_instances(catalog, files.instances, faults);
  check_providers(catalog, files.providers, faults);
  check_stores(catalog, files.stores, faults);
  for (std::size_t at = 0; at < catalog.failures.size(); ++at)
    check_gpus(catalog, catalog.failures[at].gpus, files.failures, at, "gpus", faults);
  check_throughput(catalog, files.throughput, faults);
  check_measured_speed(catalog, files.measured_speed, faults);
}

}  // namespace fleetcast::scenarios::catalog
