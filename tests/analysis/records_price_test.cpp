#include <Eigen/Dense>
#include <nlohmann/json.hpp>

#include "analysis/records/price_fit.hpp"
#include "analysis/records/price_likelihood.hpp"
#include "analysis/records/record_commands.hpp"
#include "models/price_law.hpp"
#include "scenarios/price_law.hpp"
#include "tests/analysis/records_files.hpp"

using namespace fleetcast;
using namespace fleetcast::analysis;
using namespace fleetcast::tests;
using doctest::Approx;

namespace {

constexpr double hour = 3600.0;

PriceTrace trace_of(std::vector<models::RecordedChange> changes, double length_s) {
  PriceTrace trace;
  trace.name = "made up";
  trace.recording.changes = std::move(changes);
  trace.recording.length_s = length_s;
  return trace;
}

PriceTrace drawn(const models::PriceLaw& law, std::size_t changes, std::uint32_t entity) {
  Draws draws{entity};
  std::vector<models::RecordedChange> list;
  double at = 0.0, x = law.log_sd * draws.normal();
  for (std::size_t i = 0; i < changes; ++i) {
    list.push_back({at, law.median * std::exp(x)});
    at += law.mean_gap_s * draws.exponential();
    x = law.memory * x + std::sqrt(1.0 - law.memory * law.memory) * law.log_sd * draws.normal();
  }
  return trace_of(std::move(list), at);
}

bool holds(const Estimate& interval, double truth) {
  return interval.low <= truth && truth <= interval.high;
}

/// Log-likelihood of one trace by its covariance matrix, the level set to its best; constants left out.
double by_matrix(const PriceTrace& trace, double memory, double sigma) {
  const auto n = static_cast<Eigen::Index>(trace.recording.changes.size());
  Eigen::VectorXd x{n};
  Eigen::MatrixXd covariance{n, n};
  for (Eigen::Index i = 0; i < n; ++i) {
    x(i) = std::log(trace.recording.changes[static_cast<std::size_t>(i)].value);
    for (Eigen::Index j = 0; j < n; ++j)
      covariance(i, j) = sigma * sigma * std::pow(memory, static_cast<double>(std::abs(i - j)));
  }
  const Eigen::MatrixXd inverse = covariance.inverse();
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(n);
  const double level = ones.dot(inverse * x) / ones.dot(inverse * ones);
  const Eigen::VectorXd rest = x - level * ones;
  return -0.5 * std::log(covariance.determinant()) - 0.5 * rest.dot(inverse * rest);
}

models::PriceLaw parsed(const std::string& text) {
  const auto law = scenarios::parse_price_law(text, 8);
  REQUIRE(law);
  REQUIRE(law->value);
  return *law->value;
}

}  // namespace

TEST_CASE("the likelihood of prices is that of the covariance matrix of an autoregression") {
  const std::vector<PriceTrace> traces{drawn({2.0, 0.3, hour, 0.6}, 6, 1), drawn({5.0, 0.3, hour, 0.6}, 9, 2)};
  const PriceLikelihood likelihood{traces};
  for (const double memory : {0.0, 0.4, 0.95})
    for (const double sigma : {0.1, 0.5})
      CHECK(likelihood.at(memory, sigma) ==
            Approx(by_matrix(traces[0], memory, sigma) + by_matrix(traces[1], memory, sigma)));
}

TEST_CASE("a price that wanders gives back its law, within the intervals") {
  const double memory = std::exp2(-6.0 / 48.0);
  const PriceTrace trace = drawn({1.2, 0.2, 6.0 * hour, memory}, 800, 3);
  const PriceFit fit = fit_price({&trace, 1});
  CHECK(fit.form == PriceForm::mean_reverting);
  CHECK(fit.gain > 10.0);
  CHECK(holds(fit.median, 1.2));
  CHECK(fit.sigma.value == Approx(0.2).epsilon(0.2));
  CHECK(holds(fit.mean_gap_s, 6.0 * hour));
  CHECK(holds(fit.half_life_s, 48.0 * hour));
  const models::PriceLaw law = parsed(price_text(fit));
  CHECK(law.memory == Approx(fit.memory).epsilon(0.01));
  CHECK(models::mean_price(law) == Approx(models::mean_value(trace.recording)).epsilon(0.002));
}

TEST_CASE("list prices that forget are told from those that wander") {
  const PriceTrace trace = drawn({15.0, 0.15, 720.0 * hour, 0.0}, 60, 4);
  const PriceFit fit = fit_price({&trace, 1});
  CHECK(fit.form == PriceForm::list_changes);
  CHECK(holds(fit.sigma, 0.15));
  CHECK(holds(fit.median, 15.0));
  CHECK(parsed(price_text(fit)).memory == 0.0);
  // 40 traces without memory: Akaike's criterion sees one in at most 8 (16 % at the border of the possible, halved)
  int mistaken = 0;
  for (std::uint32_t each = 0; each < 40; ++each) {
    const PriceTrace other = drawn({15.0, 0.15, hour, 0.0}, 60, 50 + each);
    if (fit_price({&other, 1}).form == PriceForm::mean_reverting) ++mistaken;
  }
  CHECK(mistaken <= 8);
}

TEST_CASE("nine in ten intervals of the half-life and sigma hold the truth") {
  // 200 traces: a 90 % interval holds in 170 to 190 of them (three standard errors of 2.1 points)
  int half_lives = 0, sigmas = 0, gaps = 0, fitted = 0;
  for (std::uint32_t each = 0; each < 200; ++each) {
    const PriceTrace trace = drawn({1.0, 0.2, hour, 0.8}, 150, 200 + each);
    const PriceFit fit = fit_price({&trace, 1});
    if (fit.form != PriceForm::mean_reverting) continue;
    ++fitted;
    if (holds(fit.half_life_s, std::log(0.5) / std::log(0.8) * hour)) ++half_lives;
    if (holds(fit.sigma, 0.2)) ++sigmas;
    if (holds(fit.mean_gap_s, hour)) ++gaps;
  }
  CHECK(fitted == 200);
  CHECK(half_lives >= 167);
  CHECK(half_lives <= 193);
  CHECK(sigmas >= 167);
  CHECK(sigmas <= 193);
  CHECK(gaps >= 167);
  CHECK(gaps <= 193);
}

TEST_CASE("what stands still or hardly moves is constant") {
  const PriceTrace still_trace = trace_of({{0.0, 0.918}}, 100.0 * hour);
  CHECK(price_text(fit_price({&still_trace, 1})) == "0.918 USD/node-h");
  const PriceTrace nearly = drawn({2.0, 0.001, hour, 0.5}, 50, 5);
  const PriceFit fit = fit_price({&nearly, 1});
  CHECK(fit.form == PriceForm::constant);
  CHECK(fit.median.value == Approx(models::mean_value(nearly.recording)));
  const PriceTrace few = trace_of({{0.0, 1.0}, {hour, 2.0}, {3.0 * hour, 1.5}}, 5.0 * hour);
  CHECK(fit_price({&few, 1}).form == PriceForm::list_changes);
}

TEST_CASE("several traces share their law around levels of their own; one without discount is left out of the level") {
  const double memory = std::exp2(-1.0 / 8.0);
  std::vector<PriceTrace> traces;
  for (std::uint32_t at = 0; at < 3; ++at) {
    traces.push_back(drawn({1.0 + at, 0.1, hour, memory}, 400, 10 + at));
    traces.back().on_demand = 8.0;
  }
  traces.push_back(trace_of({{0.0, 8.0}}, 400.0 * hour));
  traces.back().on_demand = 8.0;
  const PriceFit fit = fit_price(traces);
  CHECK(fit.without_discount == 1);
  CHECK(fit.median.value == Approx(2.0).epsilon(0.06));
  CHECK(holds(fit.sigma, 0.1));
  CHECK(holds(fit.half_life_s, 8.0 * hour));
  CHECK(fit.between_log_sd == Approx(0.55).epsilon(0.15));  // sd of ln 1, ln 2, ln 3
}

TEST_CASE("a trace file becomes a price with its discount") {
  const RecordFiles files;
  const std::string head = "# provider: nobody\n# instance: big (8 GPUs)\n# zone: z\n# on_demand_usd_per_hour: 4\n";
  const std::string path = files.write("p.csv", head + "time_s,usd_per_hour\n0,1\n7200,1\n");
  const auto calibration = calibrate_price({path});
  const auto file = nlohmann::json::parse(calibration.json);
  CHECK(file["format"] == "fleetcast-price-1");
  CHECK(file["price"] == "1 USD/node-h");
  CHECK(file["pools"][0]["instance"] == "big");
  CHECK(file["pools"][0]["discount"] == 0.75);
  CHECK(has(calibration.report.headline, "75.0 % below on demand"));
  CHECK(has(records_html(calibration.report, "test"), "<path"));
  CHECK(calibrate_price({path}).json == calibration.json);
}

TEST_CASE("faults of a price trace have their place") {
  const RecordFiles files;
  const auto read = [&](const std::string& text) {
    return faults_of([&] { calibrate_price({files.write("p.csv", text)}); });
  };
  check_fault(read("time_s,usd_per_hour\n0,1\n5,0\n9,x\n").at(0), 3, 3, "usd_per_hour is \"0\"");
  CHECK(read("time_s,usd_per_hour\n0,1\n5,0\n9,x\n").size() == 2);
  check_fault(read("time_s,usd_per_hour\n0,\n5,1\n").at(0), 2, 3, "blank");
  check_fault(read("time_s,usd_per_hours\n0,1\n").at(0), 1, 1, "did you mean \"usd_per_hours\"");
  check_fault(read("# on_demand_usd_per_hour: dear\ntime_s,usd_per_hour\n0,1\n5,1\n").at(0), 1, 27, "dear");
  CHECK(has(read("time_s,usd_per_hour\n5,1\n0,1\n").at(0).problem, "time goes back"));
  CHECK_THROWS_AS(calibrate_price({}), models::ContractError);
}

TEST_CASE("the made-up price of the gallery gives back its law") {
  const auto file = nlohmann::json::parse(
      calibrate_price({std::string{FLEETCAST_SOURCE_DIR} + "/scenarios/gallery/records/made-up-price.csv"}).json);
  const models::PriceLaw law = parsed(file["price"].get<std::string>());
  CHECK(law.median == Approx(1.2).epsilon(0.1));
  CHECK(law.log_sd == Approx(0.15).epsilon(0.3));
  CHECK(law.mean_gap_s == Approx(6.0 * hour).epsilon(0.1));
}

TEST_CASE("public spot prices: zones pinned at their floor are constant, discounts are those that were worked out") {
  const auto folder = shared_data("spot/traces");
  if (!folder) return;
  std::vector<std::string> v100;
  for (const auto& entry : std::filesystem::directory_iterator{*folder}) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("price_")) continue;
    CAPTURE(name);
    const PriceTrace trace = read_price_trace(entry.path().string());
    const PriceFit fit = fit_price({&trace, 1});
    if (fit.form == PriceForm::constant)
      CHECK(price_text(fit).ends_with(" USD/node-h"));
    else
      CHECK(models::mean_price(parsed(price_text(fit))) == Approx(models::mean_value(trace.recording)).epsilon(0.005));
    if (name.starts_with("price_aws-p3-2xlarge-2023")) v100.push_back(entry.path().string());
  }
  std::ranges::sort(v100);
  REQUIRE(v100.size() == 6);
  const auto file = nlohmann::json::parse(calibrate_price(v100).json);
  for (const auto& trace : file["pools"][0]["traces"]) {
    const bool east1 = trace["zone"].get<std::string>().starts_with("us-east-1");
    CHECK(trace["discount"].get<double>() > (east1 ? 0.46 : 0.685));
    CHECK(trace["discount"].get<double>() < (east1 ? 0.61 : 0.705));
  }
}
