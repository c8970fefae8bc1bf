// The page of a market: survival of runs, capacity over time, the day.
#include <algorithm>
#include <cmath>

#include "analysis/calibration/log_axis.hpp"
#include "analysis/calibration/score_words.hpp"
#include "analysis/calibration/svg.hpp"
#include "analysis/html_page.hpp"
#include "analysis/market/market_draw.hpp"
#include "analysis/market/market_score.hpp"
#include "analysis/market/market_words.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double width = 440.0, height = 220.0, left = 36.0, bottom = 24.0, top = 8.0;
constexpr double plot_width = width - left - 8.0, plot_height = height - top - bottom;
constexpr std::uint64_t page_seed = 5;
constexpr std::size_t page_rows = 20;

double y_of(double share) {
  return top + plot_height * (1.0 - std::clamp(share, 0.0, 1.0));
}

std::string figure(const std::string& title, const std::string& about, const std::string& svg) {
  return "<figure><figcaption>" + html_text(title) + "<small>" + html_text(about) + "</small></figcaption>" + svg +
         "</figure>\n";
}

std::string frame() {
  std::string svg;
  for (const double share : {0.0, 0.5, 1.0}) {
    svg += svg_line("grid", left, y_of(share), left + plot_width, y_of(share));
    svg += svg_text(percent_share(share) + "%", left - 4.0, y_of(share) + 4.0, "end");
  }
  return svg;
}

/// Draws the steps of a Kaplan-Meier estimate, or dots.
std::string survival_svg(const std::vector<SurvivalStep>& steps, double interval_h, const LogAxis& axis, bool dots) {
  std::string svg;
  double before = 1.0, x_before = left;
  for (const SurvivalStep& step : steps) {
    const double x = left + std::clamp(axis.at(static_cast<double>(step.samples) * interval_h), 0.0, plot_width);
    if (dots) {
      svg += svg_circle("value", x, y_of(step.survival), 1.6);
    } else {
      svg += svg_line("axis", x_before, y_of(before), x, y_of(before));
      svg += svg_line("axis", x, y_of(before), x, y_of(step.survival));
    }
    before = step.survival;
    x_before = x;
  }
  return svg;
}

std::string law_svg(const RunLaws& laws, double interval_h, const LogAxis& axis) {
  if (laws.fits.empty()) return "";
  const RunLaw& law = laws.fits.front().law;
  const double seen = seen_for(law, interval_h, 1.0);
  constexpr int points = 60;
  std::string svg;
  double x_before = 0.0, y_before = 0.0;
  for (int i = 0; i <= points; ++i) {
    const double hours = axis.low * std::pow(axis.high / axis.low, static_cast<double>(i) / points);
    const double x = left + axis.at(hours), y = y_of(seen_for(law, interval_h, hours / interval_h + 1.0) / seen);
    if (i > 0) svg += svg_line("marker", x_before, y_before, x, y);
    x_before = x;
    y_before = y;
  }
  return svg;
}

std::string survival_figure(const TraceCalibration& trace, const LevelLaws& laws, bool up) {
  const CapacitySeries& series = trace.trace.series;
  const std::vector<SurvivalStep> seen = kaplan_meier(seen_runs(series, laws.nodes, up));
  if (seen.size() < 2) return "";
  std::vector<SeenRun> drawn;
  for (const CapacitySeries& draw :
       draw_rows(trace.fit.market, page_seed, form_of(series, trace.trace.start_utc_h), page_rows)) {
    const std::vector<SeenRun> runs = seen_runs(draw, laws.nodes, up);
    drawn.insert(drawn.end(), runs.begin(), runs.end());
  }
  const LogAxis axis{series.interval_h,
                     std::max(series.interval_h * 2.0, static_cast<double>(seen.back().samples) * series.interval_h),
                     plot_width};
  std::string svg = frame() + survival_svg(kaplan_meier(drawn), series.interval_h, axis, true) +
                    survival_svg(seen, series.interval_h, axis, false) +
                    law_svg(up ? laws.up : laws.down, series.interval_h, axis);
  for (const auto& [value, label] : axis.marks()) svg += svg_text(label, left + axis.at(value), height - 6.0, "middle");
  const RunLaws& fitted = up ? laws.up : laws.down;
  const std::string law = fitted.fits.empty() ? "" : "; dashed: " + name_of(fitted.fits.front().law.form);
  return figure(std::string{up ? "Up" : "Down"} + " runs, capacity " + (up ? ">= " : "< ") + std::to_string(laws.nodes),
                "share longer than so many hours; line: trace; dots: draws of the layered market" + law,
                svg_picture(width, height, "survival of runs", svg));
}

std::string strip_figure(const TraceCalibration& trace) {
  const CapacitySeries& series = trace.trace.series;
  constexpr std::size_t columns = 380;
  const std::size_t count = std::min(columns, series.capacity.size());
  const double step = plot_width / static_cast<double>(count);
  std::string svg = frame();
  for (std::size_t c = 0; c < count; ++c) {
    const std::size_t from = c * series.capacity.size() / count, to = (c + 1) * series.capacity.size() / count;
    const double share = mean_share(part_of(series, from, std::max(to, from + 1)));
    if (share > 0.0)
      svg += svg_rectangle("bar", left + step * static_cast<double>(c), y_of(share), step, plot_height * share);
  }
  svg += svg_text("0", left, height - 6.0, "start");
  svg += svg_text(short_figure(series.hours() / 24.0) + " d", left + plot_width, height - 6.0, "end");
  return figure("Capacity over time",
                "share of " + std::to_string(series.nodes) + (series.nodes == 1 ? " node" : " nodes"),
                svg_picture(width, height, "capacity over time", svg));
}

std::string day_figure(const TraceCalibration& trace) {
  std::string svg = frame();
  const double step = plot_width / 24.0;
  for (std::size_t hour = 0; hour < trace.daily.hourly.size(); ++hour) {
    const double share = trace.daily.hourly[hour];
    svg += svg_rectangle("bar", left + step * static_cast<double>(hour) + 1.0, y_of(share), step - 2.0,
                         plot_height * share);
  }
  for (const int hour : {0, 6, 12, 18})
    svg += svg_text(std::to_string(hour), left + step * (hour + 0.5), height - 6.0, "middle");
  const std::string clock =
      trace.trace.has_calendar ? "hour of the day, UTC" : "hour since the first sample, modulo 24";
  return figure("The day", clock + "; chance of such a wave without one: " + short_figure(trace.daily.chance),
                svg_picture(width, height, "mean capacity by hour", svg));
}

std::string compared_table(const TraceCalibration& trace) {
  std::vector<std::vector<std::string>> rows;
  for (const ComparedStatistic& each : trace.compared)
    rows.push_back({html_text(each.name), html_text(each.detail), short_figure(each.of_trace),
                    figure_or_dash(each.of_model), each.within ? "yes" : "no"});
  return html_table({{"statistic"}, {"of"}, {"trace", true}, {"model", true}, {"within the target"}}, rows);
}

std::string parameters_html(const MarketCalibration& calibration) {
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const std::string& name, const Estimate& estimate) {
    rows.push_back({html_text(name), short_figure(estimate.value),
                    estimate.fitted ? short_figure(estimate.low) + " to " + short_figure(estimate.high) : "fixed"});
  };
  const std::vector<MarketFigure> names = dynamics_figures(calibration.market);
  for (std::size_t i = 0; i < names.size(); ++i) add(names[i].name, calibration.dynamics[i]);
  add("daily_swing", calibration.daily_swing);
  add("climate", calibration.climate);
  add("regional", calibration.regional);
  return html_section("Parameters of the pooled market", "",
                      html_table({{"parameter", false, true}, {"value", true}, {"90 % interval", true}}, rows));
}

std::string trace_html(const TraceCalibration& trace) {
  std::string figures = strip_figure(trace) + day_figure(trace);
  for (const LevelLaws& laws : trace.laws)
    for (const bool up : {true, false}) figures += survival_figure(trace, laws, up);
  return html_section(short_name(trace.trace.file),
                      trace.trace.provider + " " + trace.trace.zone + ", " + trace.trace.instance + ", " +
                          name_of(trace.trace.kind) + ", " + short_figure(trace.trace.series.hours() / 24.0) + " days",
                      "<div class=\"figures\">\n" + figures + "</div>\n" + compared_table(trace));
}

}  // namespace

std::string market_html(const MarketCalibration& calibration, const std::string& command, const std::string& origin) {
  std::string body = "<p class=\"answer\">" + html_text(unbroken_percents(market_headline(calibration))) + "</p>\n" +
                     parameters_html(calibration);
  for (const TraceCalibration& trace : calibration.traces) body += trace_html(trace);
  return html_page("fleetcast " + command, body, origin);
}

}  // namespace fleetcast::analysis
