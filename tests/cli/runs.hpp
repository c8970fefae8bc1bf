#pragma once
// What most tests of the program need: a folder with a scenario in it, and runs of that.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/process.hpp"
#include "tests/cli/small_scenario.hpp"
#include "tests/support/temporary_folder.hpp"

namespace fleetcast::tests {

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class Runs {
 public:
  explicit Runs(const std::string& text = small_scenario)
      : scenario_{write_scenario(folder_.path() / "s.json", text)} {}

  /// `fleetcast run` with these options.
  [[nodiscard]] Finished run(std::vector<std::string> options, const Surroundings& surroundings = {}) const {
    return run_fleetcast(arguments(std::move(options)), surroundings);
  }
  [[nodiscard]] nlohmann::json json(std::vector<std::string> options) const {
    options.emplace_back("--json");
    return nlohmann::json::parse(run(std::move(options)).out);
  }
  [[nodiscard]] std::vector<std::string> arguments(std::vector<std::string> options) const {
    options.insert(options.begin(), {"run", scenario_});
    return options;
  }
  [[nodiscard]] const std::string& scenario() const { return scenario_; }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
  std::string scenario_;
};

}  // namespace fleetcast::tests
