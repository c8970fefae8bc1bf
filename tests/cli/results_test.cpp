// `--out`: nothing is lost, nothing is overwritten unasked, and a resumed run is the same run.
#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "analysis/results_file.hpp"
#include "tests/cli/runs.hpp"

using namespace fleetcast::tests;
namespace fs = std::filesystem;
using Outcomes = std::vector<std::vector<fleetcast::sim::Outcome>>;

namespace {

Outcomes outcomes_in(const std::string& path) {
  return fleetcast::analysis::read_results(path).outcomes;
}

std::size_t parts_of(const std::string& path) {
  const fs::path folder = path + ".parts";
  std::size_t parts = 0;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator{folder, ignored}) parts += entry.path().extension() == ".h5" ? 1 : 0;
  return parts;
}

/// Waits until the run has completed this many parts, or all and joined them; false after a minute.
bool wait_for_parts(const std::string& path, std::size_t parts) {
  for (int tries = 0; tries < 6000; ++tries) {
    if (parts_of(path) >= parts || fs::exists(path)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  return false;
}

/// Node grain: seconds of work on one thread, so that there is time to interrupt it. 16 parts of 30 trials.
std::vector<std::string> slow(const Runs& runs, std::vector<std::string> options) {
  options.insert(options.end(), {"--grain", "node", "--replicates", "480", "--set", "/workload/steps=3600", "--json"});
  return runs.arguments(std::move(options));
}

}  // namespace

TEST_CASE("the file holds the trials that the answer is about, and no parts are left") {
  const Runs runs;
  const std::string out = runs.path("r.h5");
  const Finished with = runs.run({"--json", "--out", out}), without = runs.run({"--json"});
  CHECK(with.code == 0);
  CHECK(with.out == without.out);
  CHECK(has(with.err, out));
  const Outcomes outcomes = outcomes_in(out);
  REQUIRE(outcomes.size() == 3);
  CHECK(outcomes[0].size() == 200);
  CHECK(!fs::exists(out + ".parts"));
  CHECK(std::distance(fs::directory_iterator{runs.folder()}, {}) == 2);
}

TEST_CASE("an existing file is left alone without --force and replaced with it") {
  const Runs runs;
  const std::string out = runs.path("r.h5");
  REQUIRE(runs.run({"--out", out, "--replicates", "20"}).code == 0);
  const Outcomes before = outcomes_in(out);
  const Finished refused = runs.run({"--out", out, "--replicates", "30"});
  CHECK(refused.code == 5);
  CHECK(refused.out.empty());
  CHECK(has(refused.err, out));
  CHECK(has(refused.err, "--force"));
  CHECK(outcomes_in(out) == before);
  CHECK(runs.run({"--out", out, "--replicates", "30", "--force"}).code == 0);
  CHECK(outcomes_in(out)[0].size() == 30);
}

TEST_CASE("a place that cannot be written is known before any work") {
  const Runs runs;
  fs::create_directory(runs.path("folder"));
  for (const std::string& out : {runs.path("no/such/folder/r.h5"), runs.path("folder"), runs.path("folder/"),
                                 std::string{"/proc/r.h5"}, runs.scenario() + "/r.h5"}) {
    const auto begin = std::chrono::steady_clock::now();
    // A million trials: an hour, if they were begun.
    const Finished refused = runs.run({"--out", out, "--grain", "node", "--replicates", "1000000"});
    CAPTURE(out);
    CHECK(refused.code == 5);
    CHECK(refused.out.empty());
    CHECK(has(refused.err, fs::path{out}.parent_path().string()));
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds{20});
  }
}

TEST_CASE("a folder without permission to write is refused") {
  const Runs runs;
  fs::create_directory(runs.path("closed"));
  const fs::perms all_may_read = fs::perms{0555};
  fs::permissions(runs.path("closed"), all_may_read);
  fs::permissions(runs.folder(), all_may_read | fs::perms::owner_write);
  // Permissions do not bind root, so that a test as root becomes nobody.
  const Finished refused = runs.run({"--out", runs.path("closed/r.h5")}, {.folder = {}, .as_nobody = geteuid() == 0});
  if (refused.code == cannot_be_started) {
    MESSAGE("skipped: the build folder is closed to other users");
    return;
  }
  CHECK(refused.code == 5);
  CHECK(refused.out.empty());
  CHECK(has(refused.err, "closed"));
}

TEST_CASE("the scenario itself is never the output, even with --force") {
  const Runs runs;
  const Finished refused = runs.run({"--out", runs.scenario(), "--force"});
  CHECK(refused.code == 2);
  CHECK(has(refused.err, "is the scenario file itself"));
  CHECK(fs::file_size(runs.scenario()) == small_scenario.size());
}

TEST_CASE("paths with blanks, other scripts, a leading dash, percent and number signs work") {
  const Runs runs;
  for (const std::string name : {"Läufe 2026/проба 试验", "-dash", "100%", "#1", "it's"}) {
    CAPTURE(name);
    const fs::path folder = runs.folder() / name;
    write_scenario(folder / "-szenario für alle.json");
    const Finished answer =
        run_fleetcast({"run", "--json", "--replicates", "20", "--out=-ergebnis №1.h5", "--", "-szenario für alle.json"},
                      {.folder = folder});
    CHECK_MESSAGE(answer.code == 0, answer.err);
    CHECK(outcomes_in((folder / "-ergebnis №1.h5").string())[0].size() == 20);
  }
}

TEST_CASE("a path of 300 characters works; one that the system cannot have is shown unharmed") {
  const Runs runs;
  const fs::path folder = runs.folder() / std::string(140, 'a') / std::string(140, 'b');
  const std::string scenario = write_scenario(folder / "s.json");
  CHECK(run_fleetcast({"run", scenario, "--replicates", "20", "--out", (folder / "r.h5").string()}).code == 0);
  CHECK(outcomes_in((folder / "r.h5").string())[0].size() == 20);
  const std::string too_long = runs.path(std::string(300, 'c') + ".h5");
  const Finished refused = runs.run({"--out", too_long});
  CHECK(refused.code == 5);
  CHECK(has(refused.err, too_long));
}

TEST_CASE("Ctrl-C answers from the complete trials, keeps their parts, and --resume gives the same data") {
  const Runs runs;
  const std::string out = runs.path("r.h5"), whole = runs.path("whole.h5");
  for (const int signal : {SIGINT, SIGTERM}) {
    Running running{slow(runs, {"--out", out, "--threads", "1"}), {}};
    REQUIRE(wait_for_parts(out, 2));
    running.send(signal);
    const Finished stopped = running.finish();
    CHECK(stopped.code == 130);
    CHECK(has(stopped.err, "interrupted: "));
    CHECK(has(stopped.err, " of 480 trials"));
    CHECK(has(stopped.err, "--resume"));
    const nlohmann::json answer = nlohmann::json::parse(stopped.out);
    CHECK(has(answer["warnings"][0], "interrupted: "));
    CHECK(answer["strategies"][0]["replicates"].get<std::size_t>() == parts_of(out) * 30);
    CHECK(!fs::exists(out));
    if (signal == SIGINT) fs::remove_all(out + ".parts");
  }
  const Finished resumed = run_fleetcast(slow(runs, {"--out", out, "--resume"}));
  const Finished uninterrupted = run_fleetcast(slow(runs, {"--out", whole}));
  CHECK(resumed.code == 0);
  CHECK(resumed.out == uninterrupted.out);
  CHECK(outcomes_in(out) == outcomes_in(whole));
}

TEST_CASE("a second Ctrl-C ends the program at once") {
  // Trials of millions of steps: the first signal has to wait for one to end, the second does not.
  const Runs runs;
  Running running{runs.arguments({"--grain", "node", "--replicates", "16", "--set", "/workload/steps=30000000", "--set",
                                  "/limits/horizon=36525 d", "--out", runs.path("r.h5")}),
                  {}};
  std::this_thread::sleep_for(std::chrono::milliseconds{1000});
  running.send(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds{300});
  REQUIRE(running.goes_on());
  const auto begin = std::chrono::steady_clock::now();
  running.send(SIGINT);
  CHECK(running.finish().code == 130);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds{2});
}

TEST_CASE("twenty kills at odd moments lose no complete part, and --resume gives the same data") {
  const Runs runs;
  const std::string out = runs.path("r.h5"), whole = runs.path("whole.h5");
  // Milliseconds, drawn once from 5 to 60. Every second kill strikes so long after one more part has been completed,
  // the others so long after the start.
  constexpr std::array<int, 20> moments{44, 12, 31, 57, 19, 9, 50, 28, 6, 39, 60, 7, 25, 48, 15, 36, 53, 17, 22, 41};
  std::size_t parts = 0;
  int kills = 0;
  for (const int moment : moments) {
    Running running{slow(runs, {"--out", out, "--threads", "1", "--resume"}), {}};
    if (kills % 2 == 1 && !wait_for_parts(out, parts + 1)) break;
    std::this_thread::sleep_for(std::chrono::milliseconds{moment});
    running.send(SIGKILL);
    if (running.finish().code != 128 + SIGKILL) break;  // it was faster
    ++kills;
    CHECK(parts_of(out) >= parts);
    parts = parts_of(out);
  }
  MESSAGE(kills << " kills, " << parts << " of 16 parts complete after the last");
  CHECK(kills >= 10);
  CHECK(parts >= 5);
  const Finished resumed = run_fleetcast(slow(runs, {"--out", out, "--resume"}));
  const Finished uninterrupted = run_fleetcast(slow(runs, {"--out", whole}));
  CHECK_MESSAGE(resumed.code == 0, resumed.err);
  CHECK(resumed.out == uninterrupted.out);
  CHECK(outcomes_in(out) == outcomes_in(whole));
}

TEST_CASE("the parts of another run are not resumed") {
  const Runs runs;
  const std::string out = runs.path("r.h5");
  {
    Running running{slow(runs, {"--out", out, "--threads", "1"}), {}};
    REQUIRE(wait_for_parts(out, 1));
    running.send(SIGINT);
    CHECK(running.finish().code == 130);
  }
  const std::size_t parts = parts_of(out);
  const Finished refused = run_fleetcast(slow(runs, {"--out", out, "--resume", "--seed", "8"}));
  CHECK(refused.code == 5);
  CHECK(has(refused.err, "seed"));
  CHECK(parts_of(out) == parts);
}
