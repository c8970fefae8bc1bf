// The answers of `score market` and `calibrate market` on a terminal.
#include "analysis/calibration/score_words.hpp"
#include "analysis/format.hpp"
#include "analysis/market/market_score.hpp"
#include "analysis/market/market_words.hpp"
#include "analysis/table.hpp"

namespace fleetcast::analysis {

namespace {

void print_heading(std::ostream& out, const std::string& text, const Style& style) {
  out << "\n" << emphasized(wrapped(text, style.width, "", ""), Emphasis::bold, style);
}

/// Trace beside model: two columns of one figure of each row.
struct Beside {
  std::string head;
  std::vector<std::string> trace{}, model{};
  void add(const std::string& of_trace, const std::string& of_model) {
    trace.push_back(of_trace);
    model.push_back(of_model);
  }
  [[nodiscard]] ColumnGroup columns() const { return {head, {{"trace", trace}, {"model", model}}}; }
};

Table statistics_table(const MarketCalibration& calibration, const Style& style) {
  Table table;
  table.corner = "capacity";
  Beside up{"up, %"}, up50{"up p50, h"}, up90{"up p90, h"}, down50{"down p50, h"}, down90{"down p90, h"};
  Beside group{"in groups, %"}, dispersion{"dispersion"};
  const auto share = [](const std::optional<double>& value) { return value ? percent_share(*value) : "-"; };
  for (const TraceCalibration& trace : calibration.traces) {
    for (std::size_t i = 0; i < trace.observed.levels.size(); ++i) {
      const LevelStatistics &a = trace.observed.levels[i], &b = trace.modelled.levels[i];
      table.names.push_back(shown(short_name(trace.trace.file) + " >= " + std::to_string(a.nodes), style));
      up.add(percent_share(a.up_fraction), percent_share(b.up_fraction));
      up50.add(figure_or_dash(a.up.p50_h), figure_or_dash(b.up.p50_h));
      up90.add(figure_or_dash(a.up.p90_h), figure_or_dash(b.up.p90_h));
      down50.add(figure_or_dash(a.down.p50_h), figure_or_dash(b.down.p50_h));
      down90.add(figure_or_dash(a.down.p90_h), figure_or_dash(b.down.p90_h));
      const bool first = i == 0;
      group.add(first ? share(trace.observed.losses_in_groups) : "",
                first ? share(trace.modelled.losses_in_groups) : "");
      dispersion.add(first ? figure_or_dash(trace.observed.hourly_loss_dispersion) : "",
                     first ? figure_or_dash(trace.modelled.hourly_loss_dispersion) : "");
    }
  }
  table.groups = {up.columns(),     up50.columns(),  up90.columns(),      down50.columns(),
                  down90.columns(), group.columns(), dispersion.columns()};
  return table;
}

Table shares_table(const MarketCalibration& calibration) {
  Table table;
  table.corner = "statistic";
  Column within{"within, %", {}}, of{"of", {}};
  for (const AgreedShare& each : agreed_shares(calibration)) {
    table.names.push_back(each.name);
    within.cells.push_back(each.statistics > 0 ? percent_share(each.share) : "-");
    of.cells.push_back(std::to_string(each.statistics));
  }
  table.groups = {{"", {within, of}}};
  return table;
}

std::string with_interval(const Estimate& estimate) {
  return short_figure(estimate.value) +
         (estimate.fitted ? " (" + short_figure(estimate.low) + " to " + short_figure(estimate.high) + ")"
                          : " (fixed)");
}

Table parameters_table(const MarketCalibration& calibration) {
  Table table;
  table.corner = "parameter";
  Column value{"value (90 % interval)", {}, true};
  const std::vector<MarketFigure> names = dynamics_figures(calibration.market);
  for (std::size_t i = 0; i < names.size(); ++i) {
    table.names.push_back(names[i].name);
    value.cells.push_back(with_interval(calibration.dynamics[i]));
  }
  const auto add = [&](const char* name, const Estimate& estimate) {
    table.names.emplace_back(name);
    value.cells.push_back(with_interval(estimate));
  };
  add("daily_swing", calibration.daily_swing);
  add("daily_peak_utc_h", calibration.daily_peak_h);
  add("climate", calibration.climate);
  add("regional", calibration.regional);
  table.groups = {{"", {value}}};
  return table;
}

Table laws_table(const MarketCalibration& calibration, const Style& style) {
  Table table;
  table.corner = "runs";
  Column runs{"runs", {}}, law{"best law", {}, true}, scale{"scale, h", {}}, shape{"shape", {}}, distance{"D", {}},
      limit{"5 % limit", {}};
  const auto add = [&](const std::string& name, const RunLaws& laws) {
    if (laws.fits.empty()) return;
    const FittedLaw& best = laws.fits.front();
    table.names.push_back(shown(name, style));
    runs.cells.push_back(std::to_string(laws.runs));
    law.cells.push_back(name_of(best.law.form));
    scale.cells.push_back(short_figure(best.law.scale_h));
    shape.cells.push_back(best.law.form == LawForm::exponential ? "-" : short_figure(best.law.shape));
    distance.cells.push_back(three_decimals(best.distance));
    limit.cells.push_back(three_decimals(laws.distance_limit));
  };
  for (const TraceCalibration& trace : calibration.traces)
    for (const LevelLaws& laws : trace.laws) {
      const std::string name = short_name(trace.trace.file) + " >= " + std::to_string(laws.nodes);
      add(name + " up", laws.up);
      add(name + " down", laws.down);
    }
  table.groups = {{"", {runs}}, {"", {law, scale, shape}}, {"", {distance, limit}}};
  return table;
}

}  // namespace

std::string market_headline(const MarketCalibration& calibration) {
  std::string text = "The layered market agrees with " + counted(calibration.traces.size(), "trace") + " in";
  std::string separator = " ";
  for (const AgreedShare& each : agreed_shares(calibration)) {
    if (each.statistics == 0) continue;
    text += separator + percent_share(each.share) + " % of " + each.name;
    separator = ", ";
  }
  return text;
}

void print_market_score(std::ostream& out, const MarketCalibration& calibration, const Style& style) {
  out << emphasized(wrapped(market_headline(calibration), style.width, "", ""), Emphasis::bold, style) << "\n";
  print(out, shares_table(calibration), style);
  print_heading(out, "Trace and fitted model", style);
  print(out, statistics_table(calibration, style), style);
}

void print_market_calibration(std::ostream& out, const MarketCalibration& calibration, const Style& style) {
  print_market_score(out, calibration, style);
  print_heading(out, "Parameters", style);
  print(out, parameters_table(calibration), style);
  print_heading(out, "Laws of run lengths by likelihood; D: distance to what was seen", style);
  print(out, laws_table(calibration, style), style);
}

}  // namespace fleetcast::analysis
