#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/cli/runs.hpp"

using namespace fleetcast::tests;

namespace {

using Json = nlohmann::json;

/// Ten days of two nodes that come and go together, every few hours.
std::string trace(const std::string& zone, int shift) {
  std::string text = "# provider: aws\n# zone: " + zone +
                     "\n# instance: p3.2xlarge\n# start: 2023-02-15\n# interval_s: 300\n# max_capacity: 2\n"
                     "# kind: probe (launches)\n# form: step function; last row marks the end\ntime_s,capacity\n";
  int time = 0;
  for (int i = 0; time < 864000; ++i) {
    text += std::to_string(time) + "," + std::to_string((i + shift) % 2 == 0 ? 2 : 0) + "\n";
    time += 300 * (1 + (i * i + shift) % 97);
  }
  return text + std::to_string(time) + ",0\n";
}

class Traces {
 public:
  Traces() {
    std::ofstream{path("a.csv")} << trace("us-east-1a", 0);
    std::ofstream{path("b.csv")} << trace("us-east-1b", 3);
  }
  [[nodiscard]] Finished run(const std::string& command, std::vector<std::string> options) const {
    options.insert(options.begin(), {command, "market", path("a.csv"), path("b.csv")});
    return run_fleetcast(options);
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

 private:
  TemporaryFolder folder_;
};

std::string text_of(const std::string& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace

TEST_CASE("score market prints the statistics of trace and model side by side") {
  const Traces traces;
  const Finished text = traces.run("score", {});
  CHECK_MESSAGE(text.code == 0, text.err);
  CHECK_MESSAGE(text.out.starts_with("The layered market agrees with 2 traces in "), text.out);
  CHECK(has(text.err, "records launch attempts"));
  const Json json = Json::parse(traces.run("score", {"--json", "--quiet", "--threads", "1"}).out);
  REQUIRE(json.at("traces").size() == 2);
  for (const char* side : {"trace", "model"})
    for (const char* key : {"up_fraction", "up_hours", "down_hours", "losses_in_groups", "hourly_loss_dispersion"})
      CHECK(json.at("traces")[0].at(side).contains(key));
  CHECK(json.at("traces")[0].at("trace").at("losses_in_groups") == 1.0);
  CHECK(json.at("within").at("up_fraction").at("within") == 1.0);
}

TEST_CASE("calibrate market writes file and page, the same with any number of threads") {
  const Traces traces;
  const std::string file = traces.path("market.json"), page = traces.path("market.html");
  const Finished done = traces.run("calibrate", {"--out", file, "--html", page, "--threads", "2"});
  CHECK_MESSAGE(done.code == 0, done.err);
  CHECK(has(done.out, "mean_gap_1_h"));
  const Json json = Json::parse(text_of(file));
  CHECK(json.at("format") == "fleetcast-market-1");
  CHECK(json.at("kind") == "probe");
  CHECK(json.at("nodes") == 2);
  CHECK(json.at("layers").size() == 4);
  CHECK(json.at("thresholds").size() == 2);
  CHECK(json.at("sources")[1].at("file") == "b.csv");
  CHECK(json.at("climate").at("value") == 0.6);
  CHECK_FALSE(has(text_of(file), traces.path("")));
  CHECK(has(text_of(page), "</html>"));
  CHECK(traces.run("calibrate", {"--out", file}).code == 5);  // it is there and --force is not
  CHECK(traces.run("calibrate", {"--out", traces.path("one.json"), "--threads", "1"}).code == 0);
  CHECK(text_of(traces.path("one.json")) == text_of(file));
}

TEST_CASE("score market --jobs compares the forecast with the controls") {
  const Traces traces;
  const Json json = Json::parse(traces.run("score", {"--jobs", "--json"}).out);
  const Json& all = json.at("later_half").back();
  CHECK(all.at("group") == "all");
  CHECK(all.at("forecasts") == 2);
  CHECK(all.at("models").contains("layers"));
  CHECK(all.at("models").at("replay").at("time").at("crps").get<double>() > 0.0);
  CHECK(json.at("next_zone").back().at("forecasts") == 2);
}

TEST_CASE("traces that cannot be read are all named; options of other kinds are refused") {
  const Traces traces;
  std::ofstream{traces.path("short.csv")} << "time_s,capacity\n0,1\n600,1\n";
  const Finished refused = run_fleetcast({"score", "market", traces.path("short.csv"), traces.path("none.csv")});
  CHECK(refused.code == 2);
  CHECK(has(refused.err, "short.csv"));
  CHECK(has(refused.err, "none.csv"));
  CHECK(has(run_fleetcast({"score", "runs", "x.csv", "--jobs"}).err, "--jobs is for traces of a market"));
  CHECK(has(traces.run("calibrate", {"--also", "x.csv"}).err, "for tables of throughputs"));
}
