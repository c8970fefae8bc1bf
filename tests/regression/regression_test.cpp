// Every folder below tests/regression/cases holds a scenario.json (or names one of the gallery in scenario.txt) and
// the expected.txt that it gave. FLEETCAST_UPDATE=1 writes expected.txt anew; read the difference before committing.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "tests/regression/case.hpp"

namespace fleetcast::tests {
namespace {

namespace fs = std::filesystem;

constexpr int replicates = 64;

std::string read_all(const fs::path& path) {
  std::ifstream in{path};
  return {std::istreambuf_iterator<char>{in}, {}};
}

fs::path scenario_of(const fs::path& folder) {
  if (fs::exists(folder / "scenario.json")) return folder / "scenario.json";
  std::string name = read_all(folder / "scenario.txt");
  while (!name.empty() && name.back() == '\n') name.pop_back();
  return fs::path{FLEETCAST_SOURCE_DIR} / name;
}

std::set<fs::path> cases() {
  std::set<fs::path> folders;
  for (const auto& entry : fs::directory_iterator{fs::path{FLEETCAST_SOURCE_DIR} / "tests/regression/cases"}) {
    if (entry.is_directory()) folders.insert(entry.path());
  }
  return folders;
}

}  // namespace

TEST_CASE("every regression case gives the figures and fingerprints it gave before") {
  const bool update = std::getenv("FLEETCAST_UPDATE") != nullptr;
  REQUIRE(!cases().empty());
  for (const fs::path& folder : cases()) {
    CAPTURE(folder.filename().string());
    const std::string found = figures_of(scenario_of(folder), replicates);
    if (update) std::ofstream{folder / "expected.txt"} << found;
    CHECK(difference(read_all(folder / "expected.txt"), found) == "");
  }
}

TEST_CASE("a regression case notices a changed sixth digit and a changed fingerprint") {
  CHECK(difference("a | cost mean | 123456\n", "a | cost mean | 123457\n") != "");
  CHECK(difference("a | fingerprint of trial 0 | 00ff\n", "a | fingerprint of trial 0 | 00fe\n") != "");
  CHECK(difference("same\n", "same\n") == "");
}

}  // namespace fleetcast::tests
