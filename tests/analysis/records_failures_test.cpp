#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <nlohmann/json.hpp>
#include <numbers>

#include "analysis/records/bad_nodes.hpp"
#include "analysis/records/delay_fit.hpp"
#include "analysis/records/failure_rate.hpp"
#include "analysis/records/record_commands.hpp"
#include "scenarios/catalog_reader.hpp"
#include "scenarios/reader.hpp"
#include "tests/analysis/records_files.hpp"

using namespace fleetcast;
using namespace fleetcast::analysis;
using namespace fleetcast::tests;
using doctest::Approx;

namespace {

bool holds(const Estimate& interval, double truth) {
  return interval.low <= truth && truth <= interval.high;
}

/// So many sources of 1,000 GPU-hours each with rates of Gamma(shape), or equal ones for shape 0.
std::vector<Counted> drawn_sources(std::size_t sources, double shape, double mean_events, std::uint32_t entity) {
  Draws draws{entity};
  std::vector<Counted> counts;
  for (std::size_t at = 0; at < sources; ++at)
    counts.push_back({draws.poisson(mean_events * (shape > 0.0 ? draws.gamma(shape) / shape : 1.0)), 1000.0});
  return counts;
}

std::vector<std::uint32_t> drawn_nodes(std::size_t nodes, double mean, double share, double factor,
                                       std::uint32_t entity) {
  Draws draws{entity};
  std::vector<std::uint32_t> counts;
  for (std::size_t at = 0; at < nodes; ++at) {
    const double times = draws.uniform() < share ? factor : 1.0;
    counts.push_back(static_cast<std::uint32_t>(draws.poisson(mean * times / (1.0 + share * (factor - 1.0)))));
  }
  return counts;
}

const std::string log_head = "# nodes: 4\n# gpus_per_node: 2\n# span_days: 10\n";

scenarios::ScenarioFile read_with(const std::string& failures) {
  const models::Catalog& catalog = scenarios::built_in_catalog();
  return scenarios::read_scenario_text(R"({ "workload": { "work": "10 h", "measured": { "step_time": "1 s" } },
    "fleet": { "main": { "instance": { "gpu": "H100", "gpus": 8 }, "nodes": 2, "market": "owned", "wait": "0 s" } },
    "checkpoint": { "mode": "off" }, "failures": )" +
                                           failures + " }",
                                       "case.json", catalog, {});
}

}  // namespace

TEST_CASE("a rate from a count has the quantiles of Gamma(n + 1/2), by the chi-squared law of 2 n + 1 too") {
  for (const double events : {0.0, 1.0, 7.0, 419.0}) {
    const Estimate rate = jeffreys({events, 2.0e4});
    CHECK(rate.value == Approx((events + 0.5) / 2.0e4));
    CHECK(boost::math::cdf(boost::math::gamma_distribution<double>{events + 0.5, 1.0 / 2.0e4}, rate.low) ==
          Approx(0.05));
    CHECK(rate.low == Approx(boost::math::quantile(boost::math::chi_squared{2.0 * events + 1.0}, 0.05) / 4.0e4));
    CHECK(rate.high == Approx(boost::math::quantile(boost::math::chi_squared{2.0 * events + 1.0}, 0.95) / 4.0e4));
  }
}

TEST_CASE("the shape of a log-sd is the inverse of trigamma") {
  CHECK(shape_of(std::numbers::pi / std::sqrt(6.0)) == Approx(1.0));
  CHECK(shape_of(std::numbers::pi / std::sqrt(2.0)) == Approx(0.5));
  CHECK(shape_of(0.01) == Approx(10000.5).epsilon(1e-4));
}

TEST_CASE("a rate in events and exposure keeps its mean, and its shape to a whole event") {
  const EventsAndExposure as = as_events(4.4, 1e-5);
  CHECK(as.events == 4);
  CHECK((static_cast<double>(as.events) + 0.5) / as.exposure == Approx(1e-5));
  CHECK(as_events(0.1, 1.0).events == 0);
}

TEST_CASE("sources of one exposure have the mean of their counts, whatever their spread") {
  const std::vector<Counted> counts{{3.0, 10.0}, {9.0, 10.0}, {30.0, 10.0}, {2.0, 10.0}};
  const auto between = between_sources(counts);
  REQUIRE(between);
  CHECK(between->mean.value == Approx(44.0 / 40.0).epsilon(1e-6));
  CHECK(between->p_equal < 0.001);
  CHECK(holds(between->new_source, between->mean.value));
  CHECK(between->new_source.high > between->mean.high);
}

TEST_CASE("the spread between drawn sources is found in nine intervals of ten, and a new source lies in its own") {
  // 200 sets of 20 sources: 90 % are 180, three standard errors of 2.1 points are 13
  const double truth = std::sqrt(std::numbers::pi * std::numbers::pi / 6.0 - 1.0);  // trigamma(2)
  int means = 0, spreads = 0, new_ones = 0;
  for (std::uint32_t set = 0; set < 200; ++set) {
    const auto between = between_sources(drawn_sources(20, 2.0, 25.0, 1000 + set));
    REQUIRE(between);
    if (holds(between->mean, 0.025)) ++means;
    if (between->log_sd_low <= truth && truth <= between->log_sd_high) ++spreads;
    Draws draws{2000 + set};
    if (holds(between->new_source, 0.025 * draws.gamma(2.0) / 2.0)) ++new_ones;
    CHECK(between->p_equal < 0.01);
  }
  CAPTURE(means);
  CAPTURE(spreads);
  CAPTURE(new_ones);
  CHECK(means >= 167);
  CHECK(means <= 193);
  CHECK(spreads >= 167);
  CHECK(spreads <= 193);
  CHECK(new_ones >= 167);
}

TEST_CASE("sources of one rate are rarely said to differ") {
  // 200 sets: one in 20 has p_equal below 5 %, that is 10; three standard errors of 1.5 points are 9
  int alarms = 0, means = 0;
  for (std::uint32_t set = 0; set < 200; ++set) {
    const auto between = between_sources(drawn_sources(20, 0.0, 25.0, 3000 + set));
    REQUIRE(between);
    if (between->p_equal < 0.05) ++alarms;
    if (holds(between->mean, 0.025)) ++means;
    CHECK(between->log_sd < 0.3);
  }
  CHECK(alarms <= 19);
  CHECK(means >= 167);
}

TEST_CASE("one source, or sources without an event, tell no spread; two do not bound it") {
  CHECK_FALSE(between_sources(std::vector<Counted>{{3.0, 10.0}}));
  CHECK_FALSE(between_sources(std::vector<Counted>{{0.0, 10.0}, {0.0, 10.0}}));
  const auto two = between_sources(std::vector<Counted>{{1.0, 10.0}, {200.0, 10.0}});
  REQUIRE(two);
  CHECK(two->log_sd_high > 2.0);
  CHECK(two->new_source.high / two->new_source.low > 1e3);
}

TEST_CASE("times of three values have the closed form of a log-normal sample") {
  const auto fit = fit_delay(std::vector<double>{std::exp(1.0), std::exp(2.0), std::exp(3.0)});
  REQUIRE(fit);
  CHECK(fit->median_s.value == Approx(std::exp(2.0)));
  CHECK(fit->sigma.value == Approx(1.0));
  CHECK(std::log(fit->median_s.high) == Approx(2.0 + 2.919986 / std::sqrt(3.0)));  // Student's t(0.95, 2)
  CHECK(fit->sigma.low == Approx(std::sqrt(2.0 / 5.991465)));                      // chi-squared(0.95, 2)
  CHECK(models::describe_time(fit->law) == "lognormal(median 7.389 s, sigma 1)");
}

TEST_CASE("two times are one value, none are nothing, zeros a share of their own") {
  CHECK_FALSE(fit_delay({}));
  CHECK(models::describe_time(fit_delay(std::vector<double>{10.0, 1000.0})->law) == "100 s");
  CHECK(models::describe_time(fit_delay(std::vector<double>{0.0, 0.0})->law) == "0 s");
  const auto mixed = fit_delay(std::vector<double>{0.0, 60.0, 60.0, 60.0});
  CHECK(mixed->zeros == 1);
  CHECK(models::describe_time(mixed->law) == "mix(0.25: 0 s, 0.75: 1 min)");
}

TEST_CASE("bad nodes are found with their share and factor, and none among equal nodes") {
  // 20 fleets: 90 % are 18, three standard errors of 6.7 points are 4
  int shares = 0, factors = 0, shown = 0;
  for (std::uint32_t fleet = 0; fleet < 20; ++fleet) {
    const BadNodesFit bad = fit_bad_nodes(drawn_nodes(500, 2.0, 0.1, 6.0, 4000 + fleet), 99);
    if (bad.shown) ++shown;
    if (holds(bad.share, 0.1)) ++shares;
    if (holds(bad.factor, 6.0)) ++factors;
  }
  CHECK(shown == 20);
  CHECK(shares >= 14);
  CHECK(factors >= 14);
  // 20 fleets of equal nodes: one in 20 passes the first of two hurdles; more than four have a chance of 0.003
  int alarms = 0;
  for (std::uint32_t fleet = 0; fleet < 20; ++fleet)
    if (fit_bad_nodes(drawn_nodes(100, 0.6, 0.0, 1.0, 100 + fleet), 99).shown) ++alarms;
  CHECK(alarms <= 4);
  CHECK_FALSE(fit_bad_nodes(std::vector<std::uint32_t>(50, 0)).shown);
  CHECK_THROWS_AS(fit_bad_nodes(std::vector<std::uint32_t>{1}), models::ContractError);
}

TEST_CASE("a log becomes causes that a scenario reads") {
  const RecordFiles files;
  std::string text = log_head + "time_s,node,cause,detect_s,repair_s\n";
  for (int i = 0; i < 4; ++i)
    text +=
        std::to_string(100000 * (i + 1)) + ",n" + std::to_string(i) + ",GPU," + std::to_string(60 + 20 * i) + ",3600\n";
  text += "500000,n1,,,\n";
  const RecordCalibration calibration = calibrate_failures({files.write("log.csv", text), {}});
  const auto file = nlohmann::json::parse(calibration.json);
  CHECK(file["format"] == "fleetcast-failures-1");
  CHECK(file["failures"]["causes"]["GPU"]["events"] == 4);
  CHECK(file["failures"]["causes"]["GPU"]["exposure"] == "1920 GPU-h");  // 4 nodes of 2, 10 days
  CHECK(file["failures"]["causes"]["GPU"]["repair"] == "1 h");
  CHECK(file["failures"]["causes"]["failure"]["events"] <= 2);  // a rate known within a factor of several
  CHECK_FALSE(file["failures"].contains("bad_nodes"));
  const auto scenario = read_with(file["failures"].dump());
  REQUIRE(scenario.strategies[0].failures.size() == 2);
  CHECK(scenario.strategies[0].failures[0].rate_per_gpu == Approx(4.5 / 1920.0 / 3600.0));
  CHECK(calibrate_failures({files.write("log.csv", text), {}}).json == calibration.json);
  CHECK(has(records_html(calibration.report, "test"), "<svg"));
  CHECK(nlohmann::json::parse(record_report_json(calibration.report))["rows"] == 5);
}

TEST_CASE("a log with dates begins at its first event unless it says its start") {
  const RecordFiles files;
  const std::string rows = "time,node\n2026-01-03T00:00Z,a\n2026-01-05T00:00Z,b\n";
  const FailureRecords plain = read_failure_records({files.write("a.csv", log_head + rows), {}});
  CHECK(plain.times_h == std::vector<double>{0.0, 48.0});
  const FailureRecords dated =
      read_failure_records({files.write("b.csv", "# start: 2026-01-01T00:00Z\n" + log_head + rows), {}});
  CHECK(dated.times_h == std::vector<double>{48.0, 96.0});
  CHECK(dated.per_node == std::vector<std::uint32_t>{1, 1, 0, 0});
}

TEST_CASE("faults of a log have their place, all at once") {
  const RecordFiles files;
  const auto read = [&](const std::string& text) {
    return faults_of([&] { read_failure_records({files.write("log.csv", text), {}}); });
  };
  const auto head = read("time_s,node\n1,a\n");
  REQUIRE(head.size() >= 2);
  CHECK(has(head[0].problem, "does not say nodes"));
  CHECK(has(head[1].problem, "does not say span_days"));
  const auto rows = read(log_head + "time_s,node,detect_s\nx,a,1\n5,b,-1\n9e9,c,1\n,d,1\n");
  REQUIRE(rows.size() == 4);
  check_fault(rows[0], 5, 1, "time_s is \"x\"");
  check_fault(rows[1], 6, 5, "detect_s is \"-1\"");
  check_fault(rows[2], 7, 1, "outside of the span");
  check_fault(rows[3], 8, 1, "blank");
  check_fault(read(log_head + "time_s,node\n1,a\n2,b\n3,c\n4,d\n5,e\n").at(0), 1, 10, "5 nodes fail");
  check_fault(read("# nodes: many\n# span_days: 1\ntime_s\n1\n").at(0), 1, 10, "nodes is \"many\"");
  check_fault(read(log_head + "time,node\nyesterday,a\n").at(0), 5, 1, "yesterday");
}

TEST_CASE("counts are read with any exposure, and rows of the same observations once") {
  const RecordFiles files;
  const auto read = [&](const std::string& text) { return read_failure_records({files.write("c.csv", text), {}}); };
  CHECK(read("cause,events,gpu_hours\na,2,100\nb,5,100\n").causes.at(0).name == "b");
  CHECK(read("events,node_days,gpus_per_node\n2,10,4\n").causes.at(0).sources.at(0).counted.exposure == 960.0);
  CHECK(read("events,nodes,span_days\n2,10,1\n").causes.at(0).sources.at(0).counted.exposure == 1920.0);
  const FailureRecords twice = read(
      "source,nodes_8gpu,span_days,events,rate_per_node_day\nrun (x 1),10,5,7,\nrun hardware only,10,5,4,\n"
      "other (x 1) too,10,5,4,\nother run,10,5,4,\nrated,100,10,,0.0065\nunknown,,,,0.01\n");
  REQUIRE(twice.causes.at(0).sources.size() == 3);
  CHECK(twice.causes[0].sources[2].counted.events == 7.0);  // 0.0065 x 1,000 node-days
  REQUIRE(twice.skipped.size() == 3);
  CHECK(twice.skipped[0].reason == "the same observations as line 2, counted otherwise");
  CHECK(twice.skipped[2].id == "line 7");
}

TEST_CASE("causes of one exposure have a total") {
  const RecordFiles files;
  const auto report =
      calibrate_failures({files.write("c.csv", "cause,events,gpu_hours\na,2,1e6\nb,5,1e6\n"), {}}).report;
  CHECK(report.parameters.at(0).name == "all causes");
  CHECK(report.parameters[0].value == Approx(7.5 * 0.192));  // a million GPU-hours are 5,208 node-days
  const auto apart =
      calibrate_failures({files.write("c.csv", "cause,events,gpu_hours\na,2,1e6\nb,5,2e6\n"), {}}).report;
  CHECK(apart.parameters.at(0).name == "b");
}

TEST_CASE("faults of counts have their place") {
  const RecordFiles files;
  const auto read = [&](const std::string& text) {
    return faults_of([&] { read_failure_records({files.write("c.csv", text), {}}); });
  };
  check_fault(read("cause,events,gpu_hours\na,2.5,100\n").at(0), 2, 3, "the count is \"2.5\"");
  check_fault(read("cause,events,gpu_hours\na,2,0\n").at(0), 2, 5, "a number above 0");
  check_fault(read("cause,events,gpu_hour\na,2,1\n").at(0), 1, 1, "gpu_hour");
  check_fault(read("cause,gpu_hours\na,1\n").at(0), 1, 1, "no column events");
}

TEST_CASE("nothing that could be counted is said, and no file is made") {
  const RecordFiles files;
  const RecordCalibration none = calibrate_failures({files.write("c.csv", "events,gpu_hours\n,10\n"), {}});
  CHECK(none.report.rows == 0);
  CHECK(none.json.empty());
  CHECK(none.report.skipped.size() == 1);
}

TEST_CASE("the made-up log of the gallery gives back what it was made with") {
  const std::string path = std::string{FLEETCAST_SOURCE_DIR} + "/scenarios/gallery/records/made-up-failure-log.csv";
  const auto file = nlohmann::json::parse(calibrate_failures({path, {}}).json);
  const auto& bad = file["bad_nodes"];
  CHECK(bad["shown"] == true);
  CHECK(bad["share"]["low"] < 0.1);
  CHECK(bad["share"]["high"] > 0.1);
  CHECK(bad["factor"]["low"] < 8.0);
  CHECK(bad["factor"]["high"] > 8.0);
  CHECK(file["failures"]["bad_nodes"]["factor"] == bad["factor"]["value"]);
  const auto scenario = read_with(file["failures"].dump());
  CHECK(scenario.strategies[0].bad_nodes.factor == Approx(bad["factor"]["value"].get<double>()));
  CHECK(scenario.strategies[0].failures.size() == 3);
}

TEST_CASE("published failure rates differ by a factor that a new source has to expect") {
  const auto path = shared_data("spot/failure_rates.csv");
  if (!path) return;
  const FailureRecords records = read_failure_records({*path, {}});
  REQUIRE(records.causes.size() == 1);
  CHECK(records.causes[0].sources.size() == 6);
  CHECK(records.skipped.size() == 4);
  const auto file = nlohmann::json::parse(calibrate_failures({*path, {}}).json);
  const auto& between = file["rates"][0]["between_sources"];
  CHECK(between["log_sd"]["value"].get<double>() == Approx(0.68).epsilon(0.1));  // rates 0.0023 to 0.0141
  CHECK(between["p_equal"] < 0.001);
  CHECK(file["failures"]["causes"]["failure"]["events"] <= 2);  // a rate known within a factor of several
  const FailureRecords h100 = read_failure_records({*path, "H100"});
  CHECK(h100.causes.at(0).sources.size() == 1);
}
