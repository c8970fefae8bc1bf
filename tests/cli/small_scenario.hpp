#pragma once
// A scenario that gives everything itself, so that its answers do not move with the catalog.
#include <filesystem>
#include <fstream>
#include <string>

namespace fleetcast::tests {

/// Four nodes of eight GPUs, 20 h of work in steps of 10 s, reclaimed about four times, saved every half hour.
/// "calm" is the same without reclaims, "frequent" saves every 10 minutes.
inline const std::string small_scenario = R"json({
  "$schema": "fleetcast-scenario-1",
  "name": "small and fast",
  "workload": { "steps": 7200, "measured": { "step_time": "10 s", "state": "100 GB" } },
  "fleet": {
    "main": {
      "instance": { "gpu": "H100", "gpus": 8 },
      "nodes": 4,
      "market": "spot",
      "price": "10 USD/node-h",
      "billing": { "increment": "1 s", "minimum": "1 min", "boot": true, "first_hour_free": false },
      "lifetime": "exponential(mean 20 h)",
      "notice": "none",
      "wait": "exponential(mean 10 min)"
    }
  },
  "training": { "jitter": 0.02 },
  "checkpoint": {
    "mode": "sync",
    "interval": "30 min",
    "measured": { "blocked": "1 min", "load": "2 min" }
  },
  "recovery": { "restart": "10 min" },
  "failures": "none",
  "limits": { "deadline": "30 h", "budget": "1500 USD" },
  "montecarlo": { "replicates": 200, "seed": 7, "calibration": "fixed" },
  "strategies": {
    "calm": { "fleet": { "main": { "lifetime": "never" } } },
    "frequent": { "checkpoint": { "interval": "10 min" } }
  }
}
)json";

/// Writes the text and returns the path.
inline std::string write_scenario(const std::filesystem::path& path, const std::string& text = small_scenario) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream{path} << text;
  return path.string();
}

}  // namespace fleetcast::tests
