#pragma once
// Reading a scenario file: parse with positions, apply overrides and strategies, build and check typed values.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/catalog.hpp"
#include "scenarios/scenario.hpp"

namespace fleetcast::scenarios {

struct ReadOptions {
  std::vector<std::string> overrides{};  ///< "/pointer=value", applied to the file before anything else
  std::vector<double> uncertain{};       ///< values of `uncertain`, in file order; empty: their medians
  std::optional<std::string> only{};     ///< of the strategies read this one alone (`base` too is one)
  std::shared_ptr<DataFiles> data{};     ///< data files that were read before; empty: none
};

/// Reads a file. Throws InputError with every fault found.
ScenarioFile read_scenario_file(const std::string& path, const models::Catalog& catalog, const ReadOptions& options);

/// The same from text; `path` is used in messages and to resolve relative paths.
ScenarioFile read_scenario_text(std::string_view text, const std::string& path, const models::Catalog& catalog,
                                const ReadOptions& options);

/// The JSON Schema for editors (draft-07), as text.
std::string_view scenario_schema();

}  // namespace fleetcast::scenarios
