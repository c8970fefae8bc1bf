// How many rows are how wrong.
#include <algorithm>
#include <cmath>

#include "analysis/calibration/score_plots.hpp"
#include "analysis/calibration/score_words.hpp"
#include "analysis/calibration/svg.hpp"
#include "analysis/format.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double wide = 440.0, tall = 390.0, left = 52.0, top = 26.0, bottom = 48.0, right = 26.0;
constexpr double far_off = 0.2;

/// Bars of one to fifty percent: the narrowest with which eight on each side hold nine rows in ten.
double bar_width(const std::vector<ScoredRow>& rows) {
  constexpr std::size_t bars_for_nine_in_ten = 8;
  const double p90 = error_statistics(rows)->p90;
  for (const double width : {0.01, 0.02, 0.05, 0.1, 0.2})
    if (p90 <= width * bars_for_nine_in_ten) return width;
  return 0.5;
}

std::string range_of(const ResidualBars& bars, std::size_t bar) {
  const std::string from = signed_percent_error(bars.left_of(bar)), to = signed_percent_error(bars.left_of(bar + 1));
  if (bar == 0) return "below " + to + " %";
  return bar + 1 == bars.counts.size() ? "above " + from + " %" : from + " to " + to + " %";
}

std::string bars_svg(const ResidualBars& bars) {
  const double most = static_cast<double>(std::max<std::size_t>(std::ranges::max(bars.counts), 1));
  const double step = wide / static_cast<double>(bars.counts.size());
  constexpr double gap = 1.5, rounding = 1e-9;
  std::string svg;
  for (std::size_t bar = 0; bar < bars.counts.size(); ++bar) {
    const double height = tall * static_cast<double>(bars.counts[bar]) / most;
    const bool far = bars.left_of(bar) < -far_off - rounding || bars.left_of(bar + 1) > far_off + rounding;
    svg +=
        svg_rectangle(far ? "bar far" : "bar", left + step * static_cast<double>(bar) + gap / 2.0, top + tall - height,
                      step - gap, height, counted(bars.counts[bar], "row") + ": " + range_of(bars, bar)) +
        "\n";
  }
  return svg;
}

double x_of(const ResidualBars& bars, double error) {
  const double last = bars.left_of(bars.counts.size());
  return left + wide * (std::clamp(error, bars.low, last) - bars.low) / (last - bars.low);
}

/// Borders of bars are whole percents.
std::string axis_label(double error) {
  return (error > 0.0 ? "+" : "") + grouped(100.0 * error, 0);
}

/// One mark for every fourth border, counted from 0.
std::string error_axis(const ResidualBars& bars) {
  std::string svg = svg_line("axis", left, top + tall, left + wide, top + tall);
  const int half = static_cast<int>(bars.counts.size() / 2);
  for (int border = -half + half % 4; border <= half; border += 4) {
    const double error = border * bars.width;
    svg += svg_line("axis", x_of(bars, error), top + tall, x_of(bars, error), top + tall + 5.0) +
           svg_text(axis_label(error), x_of(bars, error), top + tall + 20.0, "middle");
  }
  return svg + svg_text("predicted / measured - 1, %", left + wide / 2.0, top + tall + 40.0, "middle");
}

std::string count_axis(const ResidualBars& bars) {
  const std::size_t most = std::ranges::max(bars.counts);
  std::string svg;
  for (const std::size_t count : {most / 2, most}) {
    if (count == 0) continue;
    const double y = top + tall - tall * static_cast<double>(count) / static_cast<double>(most);
    svg += svg_line("grid", left, y, left + wide, y) + svg_text(std::to_string(count), left - 8.0, y + 4.0, "end");
  }
  return svg + svg_text_upwards("rows", 14.0, top + tall / 2.0);
}

std::string bias_marker(const ResidualBars& bars, double bias) {
  const double x = x_of(bars, bias);
  const bool right_of_middle = x > left + wide / 2.0;
  return svg_line("marker", x, top - 6.0, x, top + tall) + svg_text("median " + signed_percent_error(bias) + " %",
                                                                    x + (right_of_middle ? 6.0 : -6.0), top - 10.0,
                                                                    right_of_middle ? "start" : "end");
}

}  // namespace

ResidualBars residual_bars(const std::vector<ScoredRow>& rows) {
  constexpr std::size_t bars_on_each_side = 12;
  const double width = bar_width(rows);
  ResidualBars bars{-width * bars_on_each_side, width, std::vector<std::size_t>(2 * bars_on_each_side)};
  for (const ScoredRow& row : rows) {
    const double bar = std::floor((row.rel_error() - bars.low) / width);
    ++bars.counts[static_cast<std::size_t>(std::clamp(bar, 0.0, 2.0 * bars_on_each_side - 1.0))];
  }
  return bars;
}

std::string residual_figure(const Score& score) {
  const ResidualBars bars = residual_bars(score.scored);
  const double bias = error_statistics(score.scored)->bias;
  const std::string svg = count_axis(bars) + bars_svg(bars) + error_axis(bars) + bias_marker(bars, bias);
  return "<figure><figcaption>How wrong, how often<small>The outermost bars hold all that lies beyond. Paler: off by "
         "more "
         "than 20 %.</small></figcaption>" +
         svg_picture(left + wide + right, top + tall + bottom, "histogram of the relative errors", svg) + "</figure>\n";
}

}  // namespace fleetcast::analysis
