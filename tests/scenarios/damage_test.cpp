// Whatever happens to a file, the reader answers with a scenario or with faults.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "reading.hpp"

namespace fleetcast::scenarios {
namespace {

std::vector<std::string> good_files() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator{std::string{FLEETCAST_SOURCE_DIR} + "/tests/scenarios/corpus/good"}) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const std::filesystem::path& path : paths) {
    std::ostringstream text;
    text << std::ifstream{path}.rdbuf();
    texts.push_back(text.str());
  }
  return texts;
}

/// One to four bytes changed, removed, doubled or swapped for a piece of another place.
std::string damaged(std::string text, std::mt19937& engine) {
  const auto place = [&] { return engine() % text.size(); };
  static const std::string marks = "{}[]\",:0129eE.-+/* ntfkMd()\0\xFF";
  for (unsigned i = 1 + engine() % 4; i > 0 && !text.empty(); --i) {
    const std::size_t at = place(), length = std::min<std::size_t>(1 + engine() % 12, text.size() - at);
    switch (engine() % 4) {
      case 0:
        text[at] = marks[engine() % marks.size()];
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(place(), length));
        break;
      default:
        text.replace(at, length, text.substr(place(), length));
    }
  }
  return text;
}

TEST_CASE("a damaged file gives a scenario or faults with a message, nothing else") {
  std::mt19937 engine{20260301};  // NOLINT: the same damage in every run
  int refused = 0, accepted = 0;
  const std::vector<std::string> files = good_files();
  for (int i = 0; i < 3000; ++i) {
    const std::string text = damaged(files[engine() % files.size()], engine);
    CAPTURE(text);
    try {
      test::read(text);
      ++accepted;
    } catch (const models::InputError& error) {
      ++refused;
      for (const models::Fault& fault : error.faults()) CHECK_FALSE(fault.problem.empty());
    }
  }
  CHECK(refused > 1000);
  CHECK(accepted > 10);
}

TEST_CASE("N20: very many unknown keys are refused quickly and cut short") {
  std::string text = "{ \"workload\": { \"tokens\": 1";
  for (int i = 0; i < 200'000; ++i) text += ",\"key" + std::to_string(i) + "\":1";
  const auto list = test::faults(text + "} }");
  CHECK(list.size() <= 201);
  CHECK(test::has(list.back().problem + list.front().problem, "more faults"));
}

}  // namespace
}  // namespace fleetcast::scenarios
