// Peak resident memory of the program on 256 nodes, every phase of every node an event, with a results file. Replicates
// must not add to it, but for their outcomes, some hundred bytes each.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <fstream>
#include <limits>

#include "tests/bench/bench.hpp"
#include "tests/support/temporary_folder.hpp"

extern char** environ;

namespace fleetcast::tests {
namespace {

const char* const scenario = R"json({
  "workload": { "steps": 200, "measured": { "step_time": "10 s", "state": "100 GB" } },
  "fleet": { "main": {
    "instance": { "gpu": "H100", "gpus": 8 }, "nodes": 256, "market": "spot", "price": "10 USD/node-h",
    "lifetime": "exponential(mean 100 h)", "notice": "none", "wait": "exponential(mean 10 min)"
  } },
  "training": { "jitter": 0.02 },
  "checkpoint": { "mode": "sync", "interval": "5 min", "measured": { "blocked": "10 s", "load": "1 min" } },
  "recovery": { "restart": "5 min" },
  "failures": "none",
  "montecarlo": { "grain": "node", "seed": 7, "calibration": "fixed" }
})json";

/// MiB; NaN if the program failed. The kernel counts in KiB, the time before exec too, when the child is its parent.
double peak_of(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& each : command) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = -1;
  const bool started = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  int status = -1;
  rusage used{};
  if (!started || wait4(child, &status, 0, &used) != child || status != 0)
    return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(used.ru_maxrss) / 1024.0;
}

double peak_with(const TemporaryFolder& folder, int replicates) {
  const std::string count = std::to_string(replicates), base = (folder.path() / count).string();
  std::ofstream{base + ".json"} << scenario;
  return peak_of({FLEETCAST_PROGRAM, "run", base + ".json", "--replicates", count, "--threads", "2", "--quiet", "--out",
                  base + ".h5"});
}

}  // namespace

Rows memory_rows() {
  const TemporaryFolder folder;
  const double few = peak_with(folder, 100), many = peak_with(folder, 1000);
  // 900 outcomes more are about 1 MiB, held once more while the file is assembled.
  return {{"peak memory, 100 replicates", "256", few, "MiB", Wanted::below, 32.0},
          {"peak memory, 1000 replicates", "256", many, "MiB", Wanted::below, 32.0},
          {"of 1000 to 100 replicates", "256", many / few, "x", Wanted::below, 1.1}};
}

}  // namespace fleetcast::tests
