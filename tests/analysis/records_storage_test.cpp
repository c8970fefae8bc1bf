#include <nlohmann/json.hpp>

#include "analysis/records/record_commands.hpp"
#include "analysis/records/storage_fit.hpp"
#include "scenarios/catalog_reader.hpp"
#include "scenarios/reader.hpp"
#include "tests/analysis/records_files.hpp"

using namespace fleetcast;
using namespace fleetcast::analysis;
using namespace fleetcast::tests;
using doctest::Approx;

namespace {

constexpr double gb = 1e9;

struct Store {
  double fixed_s = 0.0, node_rate = 0.0, aggregate = 1e30;
};

double seconds_of(const Store& store, double bytes, double nodes) {
  return store.fixed_s + bytes / std::min(store.node_rate * nodes, store.aggregate);
}

std::vector<Transfer> transfers_of(const Store& store, const std::vector<double>& nodes,
                                   const std::vector<double>& sizes, double spread, std::uint32_t entity) {
  Draws draws{entity};
  std::vector<Transfer> list;
  for (const double count : nodes)
    for (const double size : sizes)
      list.push_back({"row", size * gb, count, seconds_of(store, size * gb, count) * std::exp(spread * draws.normal()),
                      8.0 * count});
  return list;
}

bool holds(const std::optional<Estimate>& interval, double truth) {
  return interval && interval->low <= truth && truth <= interval->high;
}

const Store lustre{12.0, 2.0 * gb, 40.0 * gb};
const std::vector<double> many_nodes{1, 2, 4, 8, 16, 32, 64}, many_sizes{100, 400, 1600};

}  // namespace

TEST_CASE("exact times give back fixed part, node rate and aggregate") {
  const StorageFit fit = fit_storage(transfers_of(lustre, many_nodes, many_sizes, 0.0, 1));
  REQUIRE(fit.fixed_s);
  REQUIRE(fit.node_rate);
  REQUIRE(fit.aggregate);
  CHECK(fit.fixed_s->value == Approx(12.0).epsilon(1e-3));
  CHECK(fit.node_rate->value == Approx(2.0 * gb).epsilon(1e-3));
  CHECK(fit.aggregate->value == Approx(40.0 * gb).epsilon(1e-3));
  CHECK(fit.seconds(100.0 * gb, 4.0) == Approx(12.0 + 12.5).epsilon(1e-3));
}

TEST_CASE("nine in ten intervals of the three figures of a store hold the truth") {
  // 100 stores: in 81 to 99 of them (three standard errors of 3 points)
  int fixed = 0, node = 0, all = 0, fitted = 0;
  for (std::uint32_t each = 0; each < 100; ++each) {
    const StorageFit fit = fit_storage(transfers_of(lustre, many_nodes, many_sizes, 0.08, 100 + each));
    if (!fit.fixed_s || !fit.node_rate || !fit.aggregate) continue;
    ++fitted;
    if (holds(fit.fixed_s, lustre.fixed_s)) ++fixed;
    if (holds(fit.node_rate, lustre.node_rate)) ++node;
    if (holds(fit.aggregate, lustre.aggregate)) ++all;
  }
  CHECK(fitted == 100);
  CHECK(fixed >= 81);
  CHECK(node >= 81);
  CHECK(all >= 81);
  CHECK(fixed <= 99);
  CHECK(node <= 99);
  CHECK(all <= 99);
}

TEST_CASE("a store without a limit shows none, and one without a fixed part none") {
  const StorageFit fit = fit_storage(transfers_of({0.0, 2.0 * gb}, many_nodes, many_sizes, 0.0, 2));
  CHECK_FALSE(fit.aggregate);
  CHECK_FALSE(fit.fixed_s);
  CHECK(fit.node_rate->value == Approx(2.0 * gb));
  CHECK(fit.fastest == Approx(128.0 * gb));
}

TEST_CASE("a rate that does not grow with the nodes is the store's") {
  const StorageFit fit = fit_storage(transfers_of({3.0, 1e3 * gb, 10.0 * gb}, {4, 8, 16}, many_sizes, 0.0, 3));
  CHECK_FALSE(fit.node_rate);
  REQUIRE(fit.aggregate);
  CHECK(fit.aggregate->value == Approx(10.0 * gb).epsilon(1e-3));
  CHECK(fit.node_rate_to_write() == Approx(2.5 * gb).epsilon(1e-3));
}

TEST_CASE("one node count tells no aggregate, one size no fixed part, one row no interval") {
  const StorageFit nodes = fit_storage(transfers_of(lustre, {8}, {100, 200, 400, 800, 1600}, 0.0, 4));
  CHECK_FALSE(nodes.aggregate);
  REQUIRE(nodes.fixed_s);
  CHECK(nodes.fixed_s->value == Approx(12.0).epsilon(1e-3));
  const StorageFit one = fit_storage(transfers_of(lustre, {8}, {100}, 0.0, 5));
  CHECK_FALSE(one.bounded);
  CHECK_FALSE(one.fixed_s);
  CHECK(one.seconds(100.0 * gb, 8.0) == Approx(seconds_of(lustre, 100.0 * gb, 8.0)));
  const RecordFiles files;
  const auto report = calibrate_storage({files.write("s.csv", "bytes,nodes,seconds\n1e11,8,20\n"), "disk"}).report;
  std::string said;
  for (const auto& [name, text] : report.findings) said += text + "\n";
  CHECK(has(said, "All are of 8 nodes"));
  CHECK(has(said, "one size on one node count"));
  CHECK(has(said, "no intervals"));
}

TEST_CASE("ranks that slow a save are seen, and others are not") {
  Draws draws{6};
  std::vector<Transfer> slowed, plain;
  for (int i = 0; i < 40; ++i) {
    const double ranks = i % 2 == 0 ? 8.0 : 64.0, seconds = 20.0 * std::exp(0.05 * draws.normal());
    slowed.push_back({"row", 40.0 * gb, 1.0, seconds * (i % 2 == 0 ? 1.0 : 1.331), ranks});
    plain.push_back({"row", 40.0 * gb, 1.0, seconds, ranks});
  }
  const auto effect = rank_effect(slowed, fit_storage(slowed)), none = rank_effect(plain, fit_storage(plain));
  REQUIRE(effect);
  REQUIRE(none);
  CHECK(effect->per_doubling == Approx(0.1).epsilon(0.2));  // 1.331 over three doublings
  CHECK(effect->p < 1e-6);
  CHECK(none->p > 0.01);
  CHECK_FALSE(rank_effect(transfers_of(lustre, many_nodes, many_sizes, 0.1, 7), fit_storage(plain)));
}

TEST_CASE("timed saves become an entry that a scenario reads") {
  const RecordFiles files;
  std::string text = "store,kind,gb,nodes,seconds\n";
  for (const Transfer& each : transfers_of(lustre, many_nodes, many_sizes, 0.0, 8))
    for (const char* kind : {"save", "load"})
      text += "lustre," + std::string{kind} + "," + std::to_string(each.bytes / gb) + "," +
              std::to_string(static_cast<int>(each.nodes)) + "," + std::to_string(each.seconds) + "\n";
  const std::string path = files.write("s.csv", text);
  const RecordCalibration calibration = calibrate_storage({path});
  const auto file = nlohmann::json::parse(calibration.json);
  CHECK(file["format"] == "fleetcast-storage-1");
  CHECK(file["define"]["stores"].contains("lustre (load)"));
  const auto entry = file["define"]["stores"]["lustre"];
  const auto scenario = scenarios::read_scenario_text(
      R"({ "workload": { "work": "10 h", "measured": { "step_time": "1 s" } }, "failures": "none",
      "fleet": { "main": { "instance": { "gpu": "H100", "gpus": 8 }, "nodes": 2, "market": "owned", "wait": "0 s" } },
      "checkpoint": { "size": "100 GB", "store": "lustre" }, "define": )" +
          file["define"].dump() + " }",
      "case.json", scenarios::built_in_catalog(), {});
  const models::StoreSpec& store = scenario.strategies[0].checkpoint.store;
  CHECK(store.node_rate.value() == Approx(2.0 * gb).epsilon(1e-3));
  CHECK(store.aggregate.value() == Approx(40.0 * gb).epsilon(1e-3));
  CHECK(store.fixed.value() == Approx(12.0).epsilon(1e-3));
  CHECK(calibrate_storage({path}).json == calibration.json);
  CHECK(has(records_html(calibration.report, "test"), "<svg"));
}

TEST_CASE("faults of timed saves have their place, and blank rows are skipped") {
  const RecordFiles files;
  const auto read = [&](const std::string& text) {
    return faults_of([&] { calibrate_storage({files.write("s.csv", text)}); });
  };
  const auto faults = read("bytes,nodes,seconds,kind\n1,1.5,1,save\n-1,1,1,save\n1,1,0,save\n1,1,1,copy\n");
  REQUIRE(faults.size() == 4);
  check_fault(faults[0], 2, 3, "nodes are \"1.5\"");
  check_fault(faults[1], 3, 1, "bytes is \"-1\"");
  check_fault(faults[2], 4, 5, "seconds is \"0\"");
  check_fault(faults[3], 5, 7, "kind is \"copy\"");
  check_fault(read("bytes,node,seconds\n1,1,1\n").at(0), 1, 1, "did you mean \"node\"");
  const auto blank = calibrate_storage({files.write("s.csv", "bytes,nodes,seconds\n1,1,\n")});
  CHECK(blank.report.rows == 0);
  CHECK(blank.json.empty());
}

TEST_CASE("the made-up saves of the gallery give back their store") {
  const auto file = nlohmann::json::parse(
      calibrate_storage({std::string{FLEETCAST_SOURCE_DIR} + "/scenarios/gallery/records/made-up-saves.csv"}).json);
  for (const auto& fit : file["fits"]) {
    const bool save = fit["kind"] == "save";
    CHECK(fit["fixed_s"]["value"].get<double>() == Approx(save ? 12.0 : 5.0).epsilon(0.2));
    CHECK(fit["node_rate_bytes_per_s"]["value"].get<double>() == Approx(save ? 2e9 : 3e9).epsilon(0.1));
    CHECK(fit["aggregate_bytes_per_s"]["value"].get<double>() == Approx(4e10).epsilon(0.15));
  }
}
