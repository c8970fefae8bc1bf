// Recorded capacity and prices, and measured values from files: what is read, and what is refused where.
#include <doctest/doctest.h>

#include <fstream>

#include "reading.hpp"
#include "scenarios/recording_file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace fleetcast::scenarios::test {
namespace {

/// A folder with data files; texts that name them.
class Files {
 public:
  std::string add(const std::string& name, const std::string& text) const {
    std::ofstream{folder_.path() / name} << text;
    return (folder_.path() / name).string();
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

 private:
  fleetcast::tests::TemporaryFolder folder_;
};

const std::string steps_head = "# interval_s: 300\n# form: step function; last row marks the end\n";

std::string replayed(const std::string& file, const std::string& more = "", const std::string& pool_more = "") {
  return with_pool(R"({ "instance": "aws/p5", "region": "us-east-1", "nodes": 4, "market": "spot",
    "price": "10 USD/node-h", "replay": { "file": ")" +
                   file + "\"" + more + " }" + pool_more + " }");
}

std::string why_refused(const Files& files, const std::string& text) {
  return messages(replayed(files.add("t.csv", text)));
}

}  // namespace

TEST_CASE("a recording in the form of public traces is read with its shares") {
  const Files files;
  const std::string path =
      files.add("t.csv", "# start: 2025-10-04T00:10:00.002281+02:00\n" + steps_head +
                             "# span_s: 1000\ntime_s,capacity\n0,4\n100,0\n400,3\n500,4\n1000,4\n");
  const ScenarioFile file = read(replayed(path));
  const Scenario& base = file.strategies.front();
  REQUIRE(base.fleet[0].replay);
  const models::Recording& recording = *base.fleet[0].replay->recording;
  CHECK(recording.length_s == 1000.0);
  CHECK(models::share_at_least(recording, 4.0) == 0.6);
  CHECK(recording.start_utc_s == 1759529400.0);  // 2025-10-03T22:10Z
  CHECK(has(assumed(base, "/fleet/main/replay/file").value, "4 nodes 60.0 %"));
  CHECK(assumed(base, "/fleet/main/replay/at_end").value == "repeat");
  CHECK(assumed(base, "/fleet/main/lifetime").value.empty());
  CHECK(assumed(base, "/fleet/main/wait").value.empty());
}

TEST_CASE("paths are relative to the scenario, and a missing file is named") {
  CHECK(has(messages(replayed("none.csv")), "folder/none.csv"));
  CHECK(has(messages(replayed("none.csv")), "no such file"));
}

TEST_CASE("rows out of order are refused with their line") {
  const Files files;
  const std::string text = why_refused(files, steps_head + "time_s,capacity\n0,4\n500,3\n300,4\n");
  CHECK(has(text, "t.csv:6"));
  CHECK(has(text, "time goes back: 300 s after 500 s"));
}

TEST_CASE("equal rows of one time are merged and counted, contradicting ones refused") {
  const Files files;
  CHECK(has(why_refused(files, "time_s,capacity\n0,4\n500,3\n500,2\n900,1\n"), "says something else"));
  const std::string path = files.add("t.csv", "time_s,capacity\n0,4\n500,3\n500,3\n500,3\n900,1\n");
  const std::vector<std::string> warnings = read(replayed(path)).strategies[0].warnings;
  REQUIRE(!warnings.empty());
  CHECK(has(warnings[0], "2 rows repeat the row before"));
}

TEST_CASE("the polarity of the column is checked") {
  const Files files;
  const std::string text = why_refused(files, "time_s,preempted\n0,1\n300,0\n");
  CHECK(has(text, "counts what is gone"));
  CHECK(has(text, "capacity"));
  CHECK(has(why_refused(files, "time_s,capasity\n0,1\n300,0\n"), "did you mean \"capasity\""));
}

TEST_CASE("values that are no counts are refused with their line") {
  const Files files;
  for (const std::string bad : {"-1", "2.5", "many", "1e400"}) {
    CAPTURE(bad);
    CHECK(has(why_refused(files, "time_s,capacity\n0,4\n300," + bad + "\n"), "t.csv:3"));
  }
  CHECK(has(why_refused(files, "time_s,capacity\n0,4,5\n"), "found 3 fields"));
  CHECK(has(why_refused(files, "time_s,capacity\n"), "no row"));
  CHECK(has(why_refused(files, "time_s,capacity\n0,4\n"), "no length"));
  CHECK(has(why_refused(files, ""), "no rows"));
}

TEST_CASE("dates need an offset; a day of a clock change has the hours that it has") {
  const Files files;
  CHECK(has(why_refused(files, "time,capacity\n2025-10-26T00:00:00,4\n"), "offset from UTC is missing"));
  const std::string path =
      files.add("t.csv",
                "time,capacity\n2025-10-26T00:00:00+02:00,4\n2025-10-26T02:30:00+02:00,3\n2025-10-26T02:30:00+01:00,4\n"
                "2025-10-27T00:00:00+01:00,4\n");
  const ScenarioFile file = read(replayed(path));
  const models::Recording& recording = *file.strategies[0].fleet[0].replay->recording;
  CHECK(recording.length_s == 25.0 * 3600.0);
  CHECK(models::share_at_least(recording, 4.0) == 24.0 / 25.0);
}

TEST_CASE("samples with a hole: unchanged or down, and it is said which") {
  const Files files;
  const std::string path =
      files.add("t.csv", "# interval_s: 600\ntime_s,capacity\n0,4\n600,4\n1200,4\n7800,4\n8400,4\n");
  const ScenarioFile same = read(replayed(path)), down = read(replayed(path, R"(, "gaps": "down")"));
  CHECK(models::share_at_least(*same.strategies[0].fleet[0].replay->recording, 4.0) == 1.0);
  CHECK(models::share_at_least(*down.strategies[0].fleet[0].replay->recording, 4.0) ==
        doctest::Approx(3000.0 / 9000.0));
  CHECK(has(same.strategies[0].warnings.at(0), "1 gaps, 1.67 h in all, read as unchanged"));
  CHECK(has(down.strategies[0].warnings.at(0), "read as down"));
}

TEST_CASE("a head that disagrees with the rows is shown with both") {
  const Files files;
  const std::string path =
      files.add("t.csv", steps_head +
                             "# span_s: 1123200\n# max_capacity: 3\n# kind: probe (launches)\ntime_s,capacity\n0,4\n"
                             "2332800,4\n");
  const std::vector<std::string> warnings = read(replayed(path)).strategies[0].warnings;
  REQUIRE(warnings.size() >= 3);
  CHECK(has(warnings[0], "says that it lasts 13 d, its rows last 27 d"));
  CHECK(has(warnings[1], "above the max_capacity"));
  CHECK(has(warnings[2], "launch attempts"));
}

TEST_CASE("a replay excludes what it replaces, and needs a spot market") {
  const Files files;
  const std::string path = files.add("t.csv", "time_s,capacity\n0,4\n900,4\n");
  for (const std::string field : {"lifetime", "wait"}) {
    CHECK(has(messages(replayed(path, "", ", \"" + field + "\": \"3 h\"")), "/fleet/main/" + field));
  }
  CHECK(has(messages(replayed(path, "", R"(, "bulk": { "single": 0.5 })")), "/fleet/main/bulk"));
  std::string on_demand = replayed(path);
  on_demand.replace(on_demand.find("\"spot\""), 6, "\"on-demand\"");
  CHECK(has(messages(on_demand), "only spot nodes"));
}

TEST_CASE("windows and ends are checked") {
  const Files files;
  const std::string path = files.add("t.csv", "time_s,capacity\n0,4\n7200,4\n");
  CHECK(read(replayed(path, R"(, "window": "1 h", "at_end": "stop")")).strategies[0].fleet[0].replay->window->value() ==
        3600.0);
  CHECK(has(messages(replayed(path, R"(, "window": "3 h")")), "below 2 h"));
  CHECK(has(messages(replayed(path, R"(, "at_end": "loop")")), "hold"));
  CHECK(has(messages(replayed(path, R"(, "windows": "1 h")")), "did you mean \"window\""));
}

TEST_CASE("a price series gives mean and range; its column says what it is for") {
  const Files files;
  const std::string path =
      files.add("p.csv", "time_s,usd_per_hour,usd_per_gpu_hour,usd\n0,10,1,3\n3600,20,2,3\n7200,20,2,3\n");
  const auto priced = [&](const std::string& column) {
    return with_pool(R"x({ "instance": "aws/p5", "region": "us-east-1", "nodes": 4, "price": "data()x" + path + ", " +
                     column + R"x()" })x");
  };
  const Pool pool = read(priced("usd_per_hour")).strategies[0].fleet[0];
  CHECK(pool.price_per_node_h == 15.0);
  CHECK(pool.price_low == 10.0);
  CHECK(pool.price_high == 20.0);
  CHECK(read(priced("usd_per_gpu_hour")).strategies[0].fleet[0].price_per_node_h == 8 * 1.5);
  CHECK(has(messages(priced("usd")), "does not say what a price is for"));
}

TEST_CASE("data(file, column) draws measured times, in the unit of the column's name") {
  const Files files;
  const std::string path = files.add("w.csv", "# waits of a week\nwait_min,zone,wait\n10,1,2\n30,1,2\n20,2,3\n");
  const auto waits = [&](const std::string& column) {
    return with_pool(R"x({ "instance": "aws/p5", "region": "us-east-1", "nodes": 4, "wait": "data()x" + path + ", " +
                     column + R"x()" })x");
  };
  const models::Distribution law = read(waits("wait_min")).strategies[0].fleet[0].wait;
  CHECK(models::mean(law) == 1200.0);
  CHECK(models::lower_bound(law) == 600.0);
  CHECK(models::upper_bound(law) == 1800.0);
  CHECK(models::survival(law, 600.0) == doctest::Approx(2.0 / 3.0));
  CHECK(models::variance(law) == doctest::Approx(240000.0));
  CHECK(has(messages(waits("wait")), "does not say its unit"));
  CHECK(has(messages(waits("wait_mi")), "did you mean \"wait_min\""));
}

TEST_CASE("public traces are read whole, with the shares that were worked out from them") {
  const std::filesystem::path folder = std::filesystem::path{FLEETCAST_SOURCE_DIR} / "../shared/data/spot/traces";
  if (!std::filesystem::exists(folder)) {
    MESSAGE("skipped: ../shared/data is not there");
    return;
  }
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    const std::string name = entry.path().filename().string();
    CAPTURE(name);
    if (name.starts_with("avail_"))
      CHECK_NOTHROW(read_recording(entry.path().string(), capacity_form(Gaps::unchanged)));
    if (name.starts_with("price_")) CHECK_NOTHROW(read_recording(entry.path().string(), price_form("usd_per_hour")));
    ++files;
  }
  CHECK(files > 50);
  const auto trace = [&](const std::string& name) {
    return read_recording((folder / name).string(), capacity_form(Gaps::unchanged)).recording;
  };
  // Four V100 in us-west-2c: 17.8 days, all up 79.0 % of them, none 16.1 %.
  const models::Recording west = trace("avail_aws-08-03-2023_4n_us-west-2c_v100_1.csv");
  CHECK(west.length_s / 86400.0 == doctest::Approx(17.8).epsilon(0.005));
  CHECK(models::share_at_least(west, 4.0) == doctest::Approx(0.790).epsilon(0.001));
  CHECK(1.0 - models::share_at_least(west, 1.0) == doctest::Approx(0.161).epsilon(0.004));
  // Sixteen in us-west-2a: all 41.8 %, none 55.4 %.
  const models::Recording sixteen = trace("avail_aws-08-27-2023_16n_us-west-2a_v100_1.csv");
  CHECK(models::share_at_least(sixteen, 16.0) == doctest::Approx(0.418).epsilon(0.002));
  CHECK(1.0 - models::share_at_least(sixteen, 1.0) == doctest::Approx(0.554).epsilon(0.002));
}

}  // namespace fleetcast::scenarios::test
