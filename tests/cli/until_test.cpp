// montecarlo.until as a whole: the number of trials is a property of the scenario, whatever happens to the run.
#include <doctest/doctest.h>
#include <signal.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "analysis/results_file.hpp"
#include "tests/cli/runs.hpp"

using namespace fleetcast::tests;
namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

/// Half of the interval of the mean over the mean, from the answer.
double width_in(const Json& figure) {
  return (figure["ci95"][1].get<double>() - figure["ci95"][0].get<double>()) / 2.0 / figure["mean"].get<double>();
}

std::vector<std::string> with_rule(const std::string& half_width, std::vector<std::string> options) {
  options.insert(options.end(),
                 {"--set", R"(/montecarlo/until={"figure":"cost_usd","half_width":)" + half_width + "}"});
  return options;
}

std::size_t parts_of(const std::string& path) {
  std::size_t parts = 0;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator{path + ".parts", ignored}) parts += entry.path().extension() == ".h5";
  return parts;
}

/// Node grain: seconds of work. First look at 60 trials, then 120 and 240, where 1.2 % is reached.
std::vector<std::string> slow(const Runs& runs, std::vector<std::string> options) {
  options.insert(options.end(), {"--grain", "node", "--replicates", "60", "--set", "/workload/steps=3600", "--json"});
  return runs.arguments(with_rule("0.012", std::move(options)));
}

}  // namespace

TEST_CASE("the run doubles its trials until the width is reached; answer and file hold so many") {
  const Runs runs;
  const std::string out = runs.path("r.h5");
  const Json answer = runs.json(with_rule("0.008", {"--replicates", "100", "--out", out}));
  const std::uint64_t trials = answer["strategies"][0]["replicates"];
  CHECK(answer["until"]["met"] == true);
  CHECK(answer["until"]["replicates"] == trials);
  CHECK(trials == 100U << (answer["until"]["looks"].get<unsigned>() - 1));
  CHECK(trials > 100);
  double widest = 0.0;
  for (std::size_t at = 0; at < 3; ++at) {
    const Json& strategy = answer["strategies"][at];
    const double width = answer["until"]["reached"][at]["half_width"];
    CHECK(strategy["replicates"] == trials);
    CHECK(width == doctest::Approx(width_in(strategy["cost_usd"])).epsilon(1e-9));
    widest = std::max(widest, width);
  }
  CHECK(widest <= 0.008);
  const auto stored = fleetcast::analysis::read_results(out);
  CHECK(stored.header.replicates == trials);
  CHECK(stored.outcomes[2].size() == trials);
  CHECK(!fs::exists(out + ".parts"));
  // One doubling earlier it was not enough, and the trials are those of a plain run.
  const Json half = runs.json({"--replicates", std::to_string(trials / 2)});
  double before = 0.0;
  for (const Json& strategy : half["strategies"]) before = std::max(before, width_in(strategy["cost_usd"]));
  CHECK(before > 0.008);
  Json plain = runs.json({"--replicates", std::to_string(trials)}), same = answer;
  plain.erase("until");
  same.erase("until");
  CHECK(plain == same);
}

TEST_CASE("any number of threads gives the same answer and the same file") {
  const Runs runs;
  std::vector<std::string> answers;
  for (const char* threads : {"1", "2", "5"}) {
    const Finished run = runs.run(
        with_rule("0.01", {"--replicates", "64", "--json", "--threads", threads, "--out", runs.path(threads)}));
    CHECK(run.code == 0);
    answers.push_back(run.out);
  }
  CHECK(answers[0] == answers[1]);
  CHECK(answers[0] == answers[2]);
  const auto one = fleetcast::analysis::read_results(runs.path("1"));
  CHECK(one.outcomes == fleetcast::analysis::read_results(runs.path("5")).outcomes);
  CHECK(one.outcomes[0].size() == Json::parse(answers[0])["until"]["replicates"]);
}

TEST_CASE("runs that are killed or interrupted and resumed end with the same number of trials and the same data") {
  const Runs runs;
  const std::string out = runs.path("r.h5"), whole = runs.path("whole.h5");
  // Milliseconds after one more part has been completed, drawn once.
  constexpr std::array<int, 8> moments{30, 5, 44, 12, 57, 21, 9, 36};
  int interrupted = 0;
  for (const int moment : moments) {
    const std::size_t parts = parts_of(out);
    Running running{slow(runs, {"--out", out, "--threads", "1", "--resume"}), {}};
    for (int tries = 0; tries < 6000 && parts_of(out) <= parts && !fs::exists(out); ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds{10});
    std::this_thread::sleep_for(std::chrono::milliseconds{moment});
    running.send(interrupted % 2 == 0 ? SIGKILL : SIGINT);
    const Finished stopped = running.finish();
    if (stopped.code == 0) break;  // it was faster
    ++interrupted;
    if (stopped.code == 130) CHECK(has(stopped.err, " of at most 3840 trials"));
    if (stopped.code == 130 && !stopped.out.empty()) CHECK(Json::parse(stopped.out)["until"].is_null());
  }
  CHECK(interrupted >= 4);
  const Finished resumed = run_fleetcast(slow(runs, {"--out", out, "--resume"}));
  const Finished uninterrupted = run_fleetcast(slow(runs, {"--out", whole}));
  CHECK_MESSAGE(resumed.code == 0, resumed.err);
  CHECK(resumed.out == uninterrupted.out);
  const auto data = fleetcast::analysis::read_results(out);
  CHECK(data.outcomes == fleetcast::analysis::read_results(whole).outcomes);
  CHECK(data.outcomes[0].size() == Json::parse(resumed.out)["until"]["replicates"]);
  MESSAGE(interrupted << " interruptions, " << data.outcomes[0].size() << " trials");
  CHECK(data.outcomes[0].size() > 60);
  const Finished again = run_fleetcast(slow(runs, {"--out", out, "--resume"}));
  CHECK(again.out == resumed.out);
  CHECK(has(again.err, "complete already"));
}

TEST_CASE("at_most ends the run with a warning that says how wide the interval still is") {
  const Runs runs;
  const std::string rule = R"(/montecarlo/until={"figure":"time_s","half_width":0.0001,"at_most":300})";
  const Json answer = runs.json({"--replicates", "128", "--set", rule});
  CHECK(answer["strategies"][0]["replicates"] == 300);
  CHECK(answer["until"]["met"] == false);
  CHECK(has(answer["warnings"].back(), "montecarlo.until is not met with the 300 trials that at_most allows"));
  const Finished text = runs.run({"--replicates", "128", "--set", rule});
  CHECK(text.code == 0);
  CHECK(has(text.out, "Stopping rule: not met after 2 doublings, at 300"));
  const Finished refused = runs.run({"--replicates", "301", "--set", rule});
  CHECK(refused.code == 2);
  CHECK(has(refused.err, "/montecarlo/until/at_most"));
}

TEST_CASE("a run that never finishes a trial does not go on until at_most") {
  const Runs runs;
  const Finished none =
      runs.run(with_rule("0.0001", {"--json", "--replicates", "100", "--set", "/limits/horizon=1 h"}));
  CHECK(none.code == 3);
  CHECK(Json::parse(none.out)["until"]["replicates"] == 100);
  CHECK(Json::parse(none.out)["until"]["reached"][0]["of"].is_null());
}

TEST_CASE("check prints the rule, and a single trial needs none") {
  const Runs runs;
  const Finished check = run_fleetcast(
      {"check", runs.scenario(), "--set", R"(/montecarlo/until={"figure":"gpu_hours","half_width":0.02})"});
  CHECK(check.code == 0);
  std::string line = check.out;
  for (char& sign : line) sign = sign == '\n' ? ' ' : sign;
  CHECK(has(line, "Trials: 200 per strategy, doubled until"));
  CHECK(has(line, "/montecarlo/until/at_most = 12800"));
  const Finished with = runs.run(with_rule("0.01", {"--trial", "5000", "--json"})),
                 without = runs.run({"--trial", "5000", "--json"});
  CHECK(with.code == 0);
  CHECK(with.out == without.out);
}
