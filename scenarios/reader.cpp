#include "scenarios/reader.hpp"

#include <filesystem>

#include "scenarios/context.hpp"
#include "scenarios/overrides.hpp"
#include "scenarios/parse.hpp"
#include "scenarios/read_file.hpp"
#include "scenarios/strategies.hpp"
#include "scenarios/uncertain.hpp"

namespace fleetcast::scenarios {

namespace embedded {
extern const std::string_view scenario_schema;
}

namespace {

std::string file_name(const std::string& path) {
  return std::filesystem::path{path}.stem().string();
}

void read_names(const Object& top, ScenarioFile& file) {
  file.name = file_name(file.path);
  if (const auto name = top.find("name")) file.name = read_text(*name, "a name").value_or(file.name);
  if (const auto about = top.find("about")) file.about = read_text(*about, "a text").value_or("");
}

std::vector<std::string> uncertain_overrides(const std::vector<Uncertain>& uncertain,
                                             const std::vector<double>& values) {
  std::vector<std::string> overrides;
  for (std::size_t i = 0; i < uncertain.size(); ++i) {
    overrides.push_back(override_text(uncertain[i], values.empty() ? models::median(uncertain[i].law) : values[i]));
  }
  return overrides;
}

}  // namespace

ScenarioFile read_scenario_text(std::string_view text, const std::string& path, const models::Catalog& catalog,
                                const ReadOptions& options) {
  Node document = parse_document(text, path);
  apply_overrides(document, options.overrides);
  ScenarioFile file;
  file.data = options.data ? options.data : std::make_shared<DataFiles>(path);
  Report report{path, *file.data};
  const Object top{Field{document, "", report}, known::top};
  file.path = path;
  file.text = text;
  file.overrides = options.overrides;
  read_names(top, file);
  const std::vector<Strategy> strategies = read_strategies(top);
  file.compare_to = read_compare_to(top, strategies);
  file.montecarlo = read_montecarlo(top);
  file.uncertain = read_uncertain(top);
  const auto is_wanted = [&](const std::string& name) { return !options.only || *options.only == name; };
  Node base = base_document(document);
  apply_overrides(base, uncertain_overrides(file.uncertain, options.uncertain));
  if (is_wanted("base")) file.strategies.push_back(read_scenario(base, "base", catalog, report));
  for (const Strategy& strategy : strategies) {
    if (!is_wanted(strategy.name)) continue;
    report.begin_strategy(strategy.name);
    file.strategies.push_back(read_scenario(patched_document(base, *strategy.patch), strategy.name, catalog, report));
  }
  report.throw_if_any();
  return file;
}

ScenarioFile read_scenario_file(const std::string& path, const models::Catalog& catalog, const ReadOptions& options) {
  return read_scenario_text(read_whole_file(path, ParseLimits{}.bytes), path, catalog, options);
}

std::string_view scenario_schema() {
  return embedded::scenario_schema;
}

}  // namespace fleetcast::scenarios
