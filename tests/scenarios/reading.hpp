#pragma once
// Short ways to read a scenario in a test and to look at its faults.
#include <algorithm>
#include <string>
#include <vector>

#include "models/errors.hpp"
#include "scenarios/reader.hpp"
#include "test_catalog.hpp"

namespace fleetcast::scenarios::test {

inline ScenarioFile read(const std::string& text, std::vector<std::string> overrides = {}) {
  static const models::Catalog known = catalog();
  return read_scenario_text(text, "folder/case.json", known, {std::move(overrides)});
}

inline std::vector<models::Fault> faults(const std::string& text, std::vector<std::string> overrides = {}) {
  try {
    read(text, std::move(overrides));
  } catch (const models::InputError& error) {
    return error.faults();
  }
  return {};
}

/// A whole small scenario with one section (or several members) added.
inline std::string with(const std::string& members) {
  return R"({ "workload": { "model": "eight-b", "tokens": "1T" },
  "fleet": { "main": { "instance": "aws/p5", "region": "us-east-1", "nodes": 16 } })" +
         (members.empty() ? "" : ",\n" + members) + " }";
}
/// The same with its own workload, or its own pool.
inline std::string with_workload(const std::string& workload) {
  return R"({ "workload": )" + workload +
         R"(, "fleet": { "main": { "instance": "aws/p5", "region": "us-east-1", "nodes": 16 } } })";
}
inline std::string with_pool(const std::string& pool) {
  return R"({ "workload": { "model": "eight-b", "tokens": "1T" }, "fleet": { "main": )" + pool + " } }";
}

/// All messages, one a line.
inline std::string messages(const std::vector<models::Fault>& list) {
  std::string text;
  for (const models::Fault& fault : list) text += models::describe(fault) + '\n';
  return text;
}
inline std::string messages(const std::string& text, std::vector<std::string> overrides = {}) {
  return messages(faults(text, std::move(overrides)));
}

inline bool has(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

/// The assumption about a field; empty if there is none.
inline models::Assumption assumed(const Scenario& scenario, const std::string& pointer) {
  for (const models::Assumption& assumption : scenario.assumptions) {
    if (assumption.pointer == pointer) return assumption;
  }
  return {};
}
inline bool warns(const Scenario& scenario, const std::string& piece) {
  return std::any_of(scenario.warnings.begin(), scenario.warnings.end(),
                     [&](const std::string& warning) { return has(warning, piece); });
}

}  // namespace fleetcast::scenarios::test
