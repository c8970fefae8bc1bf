#include "scenarios/catalog_sources.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>

namespace fleetcast::scenarios {

namespace embedded {
extern const std::string_view catalog_gpus, catalog_instances, catalog_providers, catalog_stores, catalog_models,
    catalog_failures, calibration_throughput, calibration_measured_speed;
}

namespace catalog {

namespace {

std::string built_in(const std::string& name) {
  const std::map<std::string, std::string_view> texts{{"gpus.json", embedded::catalog_gpus},
                                                      {"instances.json", embedded::catalog_instances},
                                                      {"providers.json", embedded::catalog_providers},
                                                      {"stores.json", embedded::catalog_stores},
                                                      {"models.json", embedded::catalog_models},
                                                      {"failures.json", embedded::catalog_failures},
                                                      {"throughput.json", embedded::calibration_throughput},
                                                      {"measured_speed.json", embedded::calibration_measured_speed}};
  return std::string{texts.at(name)};
}

}  // namespace

Source source_of(const std::string& name, const std::string& folder) {
  const std::filesystem::path path = std::filesystem::path{folder} / name;
  if (folder.empty() || !std::filesystem::exists(path)) return {name, built_in(name)};
  std::ifstream stream{path, std::ios::binary};
  std::ostringstream content;
  content << stream.rdbuf();
  if (!stream) throw models::InputError{{{path.string(), 0, 0, "", "cannot be read", "", ""}}};
  return {path.string(), content.str()};
}

}  // namespace catalog
}  // namespace fleetcast::scenarios
