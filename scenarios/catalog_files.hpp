#pragma once
// One reader per catalog file. Each notes its faults and returns what could be read.
#include <string>
#include <string_view>
#include <vector>

#include "models/catalog.hpp"
#include "models/errors.hpp"

namespace fleetcast::scenarios::catalog {

/// A catalog file: its text and the name that messages use for it.
struct File {
  std::string name;
  std::string_view text;
};

using Faults = std::vector<models::Fault>;

std::vector<models::GpuSpec> read_gpus(const File& file, Faults& faults);
std::vector<models::InstanceSpec> read_instances(const File& file, Faults& faults);
std::vector<models::ProviderSpec> read_providers(const File& file, Faults& faults);
std::vector<models::StoreSpec> read_stores(const File& file, Faults& faults);
std::vector<models::TransformerShape> read_models(const File& file, Faults& faults);
std::vector<models::TypicalFailures> read_failures(const File& file, Faults& faults);
models::ThroughputCalibration read_throughput(const File& file, Faults& faults);
models::MeasuredSpeedTable read_measured_speed(const File& file, Faults& faults);

/// The names of all files, for messages.
struct FileNames {
  std::string gpus, instances, providers, stores, models, failures, throughput, measured_speed;
};

/// Notes ids that occur twice and names that one file uses and no other has.
void check_references(const models::Catalog& catalog, const FileNames& files, Faults& faults);

}  // namespace fleetcast::scenarios::catalog
