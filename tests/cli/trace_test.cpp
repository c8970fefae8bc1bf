// `fleetcast trace` as a process.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/analysis/trace_reading.hpp"
#include "tests/cli/runs.hpp"

using namespace fleetcast::tests;
using Json = nlohmann::json;

namespace {

class Traces {
 public:
  [[nodiscard]] Finished trace(std::vector<std::string> options, const Surroundings& surroundings = {}) const {
    options.insert(options.begin(), {"trace", runs_.scenario()});
    return run_fleetcast(options, surroundings);
  }
  [[nodiscard]] std::string path(const std::string& name) const { return runs_.path(name); }
  [[nodiscard]] const Runs& runs() const { return runs_; }

 private:
  Runs runs_;
};

Json read(const std::string& path) {
  std::ifstream file{path};
  return Json::parse(file);
}

}  // namespace

TEST_CASE("the timeline goes to a pipe, is of the trial that run replays, and sums to its accounts, in both grains") {
  const Traces traces;
  for (const std::string grain : {"span", "node"}) {
    const std::vector<std::string> which{"--strategy", "frequent", "--trial", "17", "--grain", grain};
    const Finished traced = traces.trace(which);
    REQUIRE(traced.code == 0);
    CHECK(traced.err.empty());
    const Json file = Json::parse(traced.out);
    CHECK(format_faults(file).empty());
    const Json trial = traces.runs().json(which)["strategies"][0];
    CHECK(file["otherData"]["strategy"] == "frequent");
    CHECK(file["otherData"]["fingerprint"] == trial["fingerprint"]);
    CHECK(file["otherData"]["cost_usd"] == trial["cost_usd"]);
    std::map<std::string, double> shown = shown_gpu_seconds(file);
    for (const auto& [account, value] : trial["accounts_gpu_seconds"].items()) {
      CHECK(shown[account] == doctest::Approx(value.get<double>()).epsilon(1e-9));
    }
  }
}

TEST_CASE("without options it is trial 0 of base") {
  const Traces traces;
  const Json head = Json::parse(traces.trace({}).out)["otherData"];
  CHECK(head["strategy"] == "base");
  CHECK(head["trial"] == 0);
  CHECK(head["seed"] == 7);
  CHECK(head["window_s"].is_null());
}

TEST_CASE("--out writes the same file, prints how the trial went, and overwrites only with --force") {
  const Traces traces;
  const std::string out = traces.path("t.json");
  const Finished traced = traces.trace({"--trial", "3", "--out", out});
  REQUIRE(traced.code == 0);
  CHECK(has(traced.out, "trial 3"));
  CHECK(has(traced.err, "perfetto"));
  CHECK(read(out) == Json::parse(traces.trace({"--trial", "3"}).out));
  const Finished again = traces.trace({"--trial", "4", "--out", out});
  CHECK(again.code == 5);
  CHECK(has(again.err, "--force"));
  CHECK(read(out)["otherData"]["trial"] == 3);
  const Finished forced = traces.trace({"--trial", "4", "--out", out, "--force", "--quiet", "--json"});
  CHECK(forced.code == 0);
  CHECK(forced.err.empty());
  CHECK(Json::parse(forced.out)["trial"] == 4);
  CHECK(read(out)["otherData"]["trial"] == 4);
  CHECK(!std::filesystem::exists(out + ".tmp"));
}

TEST_CASE("the window shows single steps, --nodes takes tracks away") {
  const Traces traces;
  const Finished traced = traces.trace({"--strategy", "calm", "--window", "2 h..2.05 h", "--nodes", "1"});
  REQUIRE(traced.code == 0);
  const Json file = Json::parse(traced.out);
  int steps = 0;
  for (const Json& event : events_of(file, 1, "steps and saves", "X")) {
    if (!event["name"].get<std::string>().starts_with("step ")) continue;
    ++steps;
    CHECK(event["cat"] == "interpolated");
    CHECK(event["ts"].get<double>() < 2.05 * 3600e6);
    CHECK(event["ts"].get<double>() + event["dur"].get<double>() > 2.0 * 3600e6);
  }
  CHECK(steps >= 17);  // 180 s at 10 s, less a save of a minute at most, plus the two at the ends
  CHECK(steps <= 20);
  CHECK(!events_of(file, 2, "node 0", "X").empty());
  CHECK(events_of(file, 2, "node 1", "X").empty());
  CHECK(has(traces.trace({"--window", "900 h..901 h"}).err, "after the end"));
}

TEST_CASE("2: what cannot be understood") {
  const Traces traces;
  struct Case {
    std::vector<std::string> options;
    std::string message;
  };
  const std::vector<Case> cases{
      {{"--window", "2 h"}, "48 h..50 h"},       {{"--window", "2 h..x"}, "48 h..50 h"},
      {{"--window", "2..3"}, "48 h..50 h"},      {{"--window", "3 h..2 h"}, "a later one"},
      {{"--window", "2 h..2 h"}, "a later one"}, {{"--nodes", "-1"}, "--nodes"},
      {{"--trial", "1.5"}, "--trial"},           {{"--strategy", "base", "--strategy", "calm"}, "one strategy"},
      {{"--strategy", "cam"}, "calm"},           {{"--force"}, "--out"},
      {{"--resume"}, "unknown option"},          {{"--out", traces.runs().scenario()}, "scenario file itself"}};
  for (const Case& each : cases) {
    const Finished refused = traces.trace(each.options);
    CAPTURE(each.options.back());
    CHECK(refused.code == 2);
    CHECK(refused.out.empty());
    CHECK_MESSAGE(has(refused.err, each.message), refused.err);
  }
}

TEST_CASE("a timeline does not flood a terminal") {
  const Traces traces;
  const Shown shown = run_on_terminal({"trace", traces.runs().scenario()}, 100, {});
  CHECK(shown.code == 2);
  CHECK(has(shown.text, "--out"));
  CHECK(shown.text.size() < 1000);
}

TEST_CASE("4: a file of gigabytes is not written; what helps is said") {
  const Traces traces;
  const std::string out = traces.path("large.json");
  const Finished refused = traces.trace({"--strategy", "calm", "--set", "/fleet/main/nodes=1000", "--grain", "node",
                                         "--window", "0 s..10 d", "--out", out});
  CHECK(refused.code == 4);
  CHECK(refused.out.empty());
  CHECK(has(refused.err, "GB"));
  CHECK(has(refused.err, "--window"));
  CHECK(has(refused.err, "--nodes; 1000 now"));
  CHECK(!std::filesystem::exists(out));
}

TEST_CASE("5: places that cannot be written") {
  const Traces traces;
  CHECK(traces.trace({}, {.folder = {}, .out_path = "/dev/full"}).code == 5);
  CHECK(traces.trace({"--out", traces.path("no/such/folder.json")}).code == 5);
  CHECK(traces.trace({"--out", traces.runs().folder().string()}).code == 5);
}

TEST_CASE("the help has an example") {
  const Finished help = run_fleetcast({"trace", "--help"});
  CHECK(help.code == 0);
  CHECK(has(help.out, "fleetcast trace scenarios/gallery/quickstart.json"));
  CHECK(has(help.out, "--window FROM..TO"));
  CHECK(run_fleetcast({"--help", "trace"}).out == help.out);
}
