#include "analysis/calibration/score.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>

#include "analysis/calibration/log_axis.hpp"
#include "analysis/calibration/score_json.hpp"
#include "analysis/calibration/score_plots.hpp"
#include "analysis/calibration/score_report.hpp"
#include "analysis/calibration/weighted_quantile.hpp"
#include "analysis/format.hpp"
#include "made_up_score.hpp"
#include "models/errors.hpp"

using namespace fleetcast::analysis;
using fleetcast::models::ContractError;
using fleetcast::models::Grade;

namespace {

using Json = nlohmann::json;
constexpr double rounding = 1e-12;  // a few sums and quotients of doubles

bool near(double a, double b) {
  return std::abs(a - b) < rounding;
}

std::string report_of(const Score& score, const Style& style) {
  std::ostringstream out;
  print_score(out, score, style);
  return out.str();
}

std::string report_of(const CalibrationReport& report, const Style& style) {
  std::ostringstream out;
  print_calibration(out, report, style);
  return out.str();
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t widest_line(const std::string& text) {
  std::istringstream lines{text};
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, columns_of(line));
  return widest;
}

std::vector<std::string> names_by(const Score& score, const std::string& by) {
  std::vector<std::string> names;
  for (const ErrorGroup& group : error_groups(score))
    if (group.by == by) names.push_back(group.name);
  return names;
}

}  // namespace

TEST_CASE("Errors of five rows are those that one can count") {
  const auto errors = error_statistics(made_up::score({0.02, -0.04, 0.08, -0.16, 0.32}).scored);
  REQUIRE(errors);
  CHECK(errors->rows == 5);
  CHECK(near(errors->median, 0.08));
  CHECK(near(errors->mean, 0.124));
  CHECK(near(errors->p90, 0.16 + 0.6 * 0.16));  // type 7: 3.6 steps after the smallest of five
  CHECK(near(errors->max, 0.32));
  CHECK(near(errors->bias, 0.02));
  CHECK(near(errors->coverage90, 0.6));  // the interval of 10 % holds 100 where the error is within 10 %
}

TEST_CASE("Without rows there are no errors, and one row is its own median") {
  CHECK_FALSE(error_statistics({}));
  const auto errors = error_statistics(made_up::score({-0.25}).scored);
  REQUIRE(errors);
  for (const double size : {errors->median, errors->mean, errors->p90, errors->max}) CHECK(near(size, 0.25));
  CHECK(near(errors->bias, -0.25));
  CHECK(errors->coverage90 == 0.0);
}

TEST_CASE("An interval holds its own limits and nothing beyond") {
  ScoredRow row = made_up::row("r", 0.0);
  row.low = row.measured;
  CHECK(row.inside_interval());
  row.low = std::nextafter(row.measured, 200.0);
  CHECK_FALSE(row.inside_interval());
  row.low = 1.0;
  row.high = row.measured;
  CHECK(row.inside_interval());
  row.high = std::nextafter(row.measured, 0.0);
  CHECK_FALSE(row.inside_interval());
}

TEST_CASE("A row weighs what its weight says: 0 is not there, 2 is twice there in the mean") {
  Score score = made_up::score({0.0, 0.1, 0.9});
  score.scored[2].weight = 0.0;
  const auto without = error_statistics(made_up::score({0.0, 0.1}).scored);
  const auto with = error_statistics(score.scored);
  CHECK(near(with->median, without->median));
  CHECK(near(with->p90, without->p90));
  CHECK(near(with->mean, without->mean));
  score.scored[2].weight = 2.0;
  CHECK(near(error_statistics(score.scored)->mean, 1.9 / 4.0));
  for (ScoredRow& row : score.scored) row.weight = 0.0;
  CHECK_THROWS_AS(error_statistics(score.scored), ContractError);
}

TEST_CASE("Weighted quantiles with equal weights are numpy's, whatever the weight") {
  // numpy.quantile([3, 1, 4, 1, 5, 9, 2, 6], [0, 0.1, 0.25, 0.5, 0.9, 1])
  const std::vector<std::pair<double, double>> expected{{0.0, 1.0}, {0.1, 1.0}, {0.25, 1.75},
                                                        {0.5, 3.5}, {0.9, 6.9}, {1.0, 9.0}};
  for (const double weight : {1.0, 1e-3, 7.0})
    for (const auto& [share, quantile] : expected) {
      std::vector<WeightedValue> sample;
      for (const double value : {3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0}) sample.push_back({value, weight});
      CAPTURE(share);
      CHECK(near(weighted_quantile(sample, share), quantile));
    }
}

TEST_CASE("A heavy half of the sample draws the median to itself, and equal weights do not") {
  std::vector<WeightedValue> sample;
  for (int i = 0; i < 1000; ++i) sample.push_back({i < 500 ? 1.0 : 2.0, i < 500 ? 3.0 : 1.0});
  CHECK(near(weighted_quantile(sample, 0.5), 1.0));
  CHECK(near(weighted_quantile(sample, 0.74), 1.0));  // three quarters of the weight lie at 1
  CHECK(near(weighted_quantile(sample, 0.76), 2.0));
  for (WeightedValue& each : sample) each.weight = 1.0;
  CHECK(near(weighted_quantile(sample, 0.5), 1.5));
}

TEST_CASE("Figures that no score can have are our bug") {
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    Score score = made_up::score({0.0});
    score.scored[0].predicted = bad;
    CHECK_THROWS_AS(error_statistics(score.scored), ContractError);
    CHECK_THROWS_AS(score_json(score), ContractError);
  }
}

TEST_CASE("Groups: the largest first, sizes ascending, grades best first, and no group without a name") {
  Score score = made_up::score({0.1, 0.1, 0.1, 0.1, 0.1, 0.1});
  const std::vector<std::string> sizes{"above 200B", "10-50B", "1-10B", "below 1B", "50-200B", "1-10B"};
  const std::vector<Grade> grades{Grade::assumed, Grade::fitted,   Grade::extrapolated,
                                  Grade::fitted,  Grade::measured, Grade::fitted};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    score.scored[i].size_class = sizes[i];
    score.scored[i].grade = grades[i];
    score.scored[i].source = i < 2 ? "few" : "many";
    score.scored[i].kind = i == 0 ? "" : "dense";
  }
  CHECK(names_by(score, "size") == std::vector<std::string>{"below 1B", "1-10B", "10-50B", "50-200B", "above 200B"});
  CHECK(names_by(score, "grade") == std::vector<std::string>{"measured", "fitted", "extrapolated", "assumed"});
  CHECK(names_by(score, "source") == std::vector<std::string>{"many", "few"});
  CHECK(names_by(score, "GPU and precision") == std::vector<std::string>{"H100 fp8"});
  CHECK(names_by(score, "kind") == std::vector<std::string>{"dense"});
  for (const ErrorGroup& group : error_groups(score))
    if (group.by == "kind") CHECK(group.statistics.rows == 5);
}

TEST_CASE("The worst rows come worst first, over- and underestimates alike, reasons most frequent first") {
  Score score = made_up::score({0.1, -0.5, 0.3, 0.0});
  const auto worst = worst_rows(score, 2);
  REQUIRE(worst.size() == 2);
  CHECK(worst[0].id == "r1");
  CHECK(worst[1].id == "r2");
  CHECK(worst_rows(score, 9).size() == 4);
  for (const char* id : {"a", "b", "c"}) made_up::skip(score, id, id[0] == 'a' ? "once" : "twice");
  const auto reasons = skipped_reasons(score.skipped);
  REQUIRE(reasons.size() == 2);
  CHECK(reasons[0].reason == "twice");
  CHECK(reasons[0].rows == 2);
  CHECK(reasons[0].first_id == "b");
}

TEST_CASE("The JSON of a score has the keys of the contract in their order, and one more at the end") {
  Score score = made_up::score({0.05, -0.2});
  made_up::skip(score, "s\xff", "no shape");  // not UTF-8
  const auto json = nlohmann::ordered_json::parse(score_json(score));
  std::vector<std::string> keys;
  for (const auto& item : json.items()) keys.push_back(item.key());
  CHECK(keys == std::vector<std::string>{"kind", "rows", "scored", "skipped", "median_abs_rel_error",
                                         "mean_abs_rel_error", "p90_abs_rel_error", "max_abs_rel_error", "bias",
                                         "coverage90", "detail", "groups"});
  CHECK(json.at("rows") == 3);
  CHECK(json.at("scored") == 2);
  CHECK(json.at("skipped")[0].at("reason") == "no shape");
  CHECK(near(json.at("max_abs_rel_error"), 0.2));
  const auto& row = json.at("detail")[1];
  CHECK(row.size() == 6);
  CHECK(row.at("id") == "r1");
  CHECK(near(row.at("rel_error"), -0.2));
  CHECK(near(row.at("interval90")[1], 88.0));
  CHECK(row.at("grade") == "fitted");
  CHECK(json.at("groups").size() == 5);
}

TEST_CASE("Where nothing was scored the figures are null, and the report says so first") {
  Score score = made_up::score({});
  made_up::skip(score, "s1", "no shape");
  const Json json = Json::parse(score_json(score));
  for (const char* key : {"median_abs_rel_error", "p90_abs_rel_error", "bias", "coverage90"})
    CHECK(json.at(key).is_null());
  CHECK(json.at("detail").empty());
  CHECK(json.at("detail").is_array());
  const std::string text = report_of(score, {});
  CHECK(text.starts_with("Nothing could be predicted: none of 1 row was usable\n"));
  CHECK(contains(text, "no shape (s1)"));
}

TEST_CASE("The report begins with the answer, then groups, worst rows and what was skipped") {
  Score score = made_up::score({0.05, -0.2, 0.01});
  score.scored[2].unit = "samples/s/GPU";
  made_up::skip(score, "s1", "no shape");
  made_up::skip(score, "s2", "no shape");
  const std::string text = report_of(score, {160, false, false});
  CHECK(
      text.starts_with("tokens/s per GPU and samples/s per GPU predicted within 5.0 % (median), 17.0 % for nine in ten,"
                       " bias +1.0 %; the 90 % intervals hold 67 % of 3 rows\n"));
  CHECK(contains(text, "GPU and precision"));
  CHECK(contains(text, "The worst 3 rows"));
  CHECK(text.find("r1 ") < text.find("r0 "));
  CHECK(contains(text, "-20.0"));
  CHECK(contains(text, "Skipped: 2 rows"));
  CHECK(contains(text, "    2  no shape (e.g. s1)"));
}

TEST_CASE("Of very many groups the terminal shows the largest, JSON all") {
  Score score = made_up::score(std::vector<double>(30, 0.1));
  for (std::size_t i = 0; i < 30; ++i) score.scored[i].source = "source " + std::to_string(i);
  CHECK(contains(report_of(score, {}), "and 5 more, each with at most 1 row"));
  CHECK(names_by(score, "source").size() == 30);
  score.scored.resize(25);
  CHECK_FALSE(contains(report_of(score, {}), " more, each"));
}

TEST_CASE("Reports fit the terminal and stay ASCII where it is plain") {
  Score score = made_up::score({0.05, -0.2, 0.01});
  score.scored[0].source = "a source with a very long name \xc3\xa9 that goes on and on, page 7 of the second report";
  made_up::skip(score, "s1", "a reason with\x1b[31m colour");
  for (const int width : {20, 40, 60, 80, 100, 160})
    for (const std::string& text :
         {report_of(score, {width, false, false}), report_of(made_up::calibration(), {width, false, false})}) {
      CAPTURE(width);
      CHECK(widest_line(text) <= static_cast<std::size_t>(width));
      CHECK(std::ranges::all_of(text, [](char c) { return c == '\n' || (c >= 0x20 && c < 0x7f); }));
    }
}

TEST_CASE("A calibration is judged by the rows that it did not see") {
  const std::string text = report_of(made_up::calibration(), {300, false, false});
  CHECK(text.starts_with("tokens/s per GPU predicted within 5.0 % (median), "));
  CHECK(contains(text, "3 rows that were not fitted (source and model left out)"));
  for (const char* part : {"whole source left out", "nothing (the fit itself)", "3 rows in 2 groups", "fixed", "83",
                           "FP8 over BF16: measured 1.38", "no shape (s1)"})
    CHECK_MESSAGE(contains(text, part), part);
  CalibrationReport report = made_up::calibration();
  report.cross_validation.clear();
  CHECK(contains(report_of(report, {300, false, false}), "that were fitted"));
}

TEST_CASE("The JSON of a calibration holds every score in the form of a score") {
  const Json json = Json::parse(calibration_report_json(made_up::calibration()));
  CHECK(json.at("rows") == 3);
  CHECK(json.at("groups") == 2);
  REQUIRE(json.at("cross_validation").size() == 2);
  CHECK(json.at("cross_validation")[1].at("left_out") == "whole source left out");
  CHECK(near(json.at("cross_validation")[1].at("median_abs_rel_error"), 0.1));
  CHECK(json.at("in_sample") == Json::parse(score_json(made_up::calibration().in_sample)));
  CHECK(json.at("parameters")[0].at("interval90") == Json::array({0.84, 0.91}));
  CHECK(json.at("parameters")[1].at("fixed") == true);
  CHECK(json.at("findings")[0].at("name") == "FP8 over BF16");
  CalibrationReport broken = made_up::calibration();
  broken.parameters[0].high = std::nan("");
  CHECK_THROWS_AS(calibration_report_json(broken), ContractError);
}

TEST_CASE("A logarithmic axis holds its values, and its marks lie inside in rising order") {
  for (const std::vector<double>& values : {std::vector{3.0}, {0.004, 0.07}, {210.0, 55000.0}, {1.0, 3e9}}) {
    const LogAxis axis = axis_around(values, 400.0);
    for (const double value : values) {
      CHECK(axis.at(value) > 0.0);
      CHECK(axis.at(value) < 400.0);
    }
    double last = 0.0;
    for (const auto& [value, label] : axis.marks()) {
      CHECK(axis.at(value) >= last);
      CHECK(axis.at(value) <= 400.0);
      CHECK_FALSE(label.empty());
      last = axis.at(value);
    }
  }
  CHECK(near(LogAxis{1.0, 100.0, 400.0}.at(10.0), 200.0));
  CHECK_THROWS_AS(axis_around({}, 400.0), ContractError);
  CHECK_THROWS_AS(axis_around({0.0, 1.0}, 400.0), ContractError);
}

TEST_CASE("Bars of errors hold every row once, what lies beyond in the last") {
  const Score score = made_up::score({0.0, 0.001, -0.001, 0.039, -5e-3, 9.0, -0.9});
  const ResidualBars bars = residual_bars(score.scored);
  std::size_t rows = 0;
  for (const std::size_t count : bars.counts) rows += count;
  CHECK(rows == 7);
  CHECK(bars.counts.back() == 1);
  CHECK(near(bars.left_of(bars.counts.size() / 2), 0.0));
}
