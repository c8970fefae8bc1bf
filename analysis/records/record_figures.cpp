#include "analysis/records/record_figures.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/calibration/log_axis.hpp"
#include "analysis/calibration/score_words.hpp"
#include "analysis/calibration/svg.hpp"
#include "analysis/format.hpp"
#include "analysis/html_page.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double wide = 520.0, top = 12.0, bottom = 46.0, right = 16.0;
constexpr std::size_t colours = 8;
constexpr std::size_t most_points = 3000;  // of one course: the eye sees no more, and the page stays small

std::string figure_of(const std::string& caption, const std::string& about, const std::string& svg,
                      const std::string& legend) {
  return "<figure><figcaption>" + html_text(caption) + "<small>" + html_text(about) + "</small></figcaption>" + svg +
         legend + "</figure>\n";
}

std::string shortened(const std::string& name) {
  constexpr std::size_t most = 34;
  if (name.size() <= most) return name;
  std::size_t cut = most - 3;
  while (cut > 0 && (static_cast<unsigned char>(name[cut]) & 0xc0U) == 0x80U) --cut;  // not inside a character
  return name.substr(0, cut) + "...";
}

std::string bar_svg(const IntervalBar& bar, const LogAxis& axis, double left, double y) {
  constexpr double radius = 4.5;
  const auto x = [&](double value) { return left + std::clamp(axis.at(value), 0.0, axis.pixels); };
  const std::string title = bar.name + ": " + short_figure(bar.value) + " (" + short_figure(bar.low) + " to " +
                            short_figure(bar.high) + ")" + (bar.details.empty() ? "" : "\n" + bar.details);
  return "<g><title>" + html_text(title) + "</title>" +
         svg_line(bar.emphasized ? "posterior" : "prior", x(bar.low), y, x(bar.high), y) +
         svg_circle("value", x(bar.value), y, radius) + "</g>" +
         svg_text(shortened(bar.name), left - 10.0, y + 4.0, "end") + "\n";
}

/// Marks of the axis; on a short one, where round values are rare, five at equal distances.
std::vector<std::pair<double, std::string>> marks_of(const LogAxis& axis) {
  auto marks = axis.marks();
  if (marks.size() > 2) return marks;
  marks.clear();
  for (int mark = 0; mark <= 4; ++mark) {
    const double value = axis.low * std::pow(axis.high / axis.low, 0.25 * mark);
    marks.emplace_back(value, short_figure(value));
  }
  return marks;
}

double last_day(const std::vector<Course>& courses) {
  double last = 0.0;
  for (const Course& course : courses) last = std::max(last, course.until_d);
  return last;
}

std::string steps_svg(const Course& course, const LogAxis& axis, double left, double tall, double days,
                      std::size_t colour) {
  const auto x = [&](double day) { return svg_number(left + wide * day / days); };
  const auto y = [&](double value) { return svg_number(top + tall - std::clamp(axis.at(value), 0.0, tall)); };
  const std::size_t stride = course.at_d.size() / most_points + 1;
  std::string path;
  for (std::size_t at = 0; at < course.at_d.size(); at += stride)
    path += (path.empty() ? "M" : "H") + x(course.at_d[at]) + (path.empty() ? " " : "V") + y(course.values[at]);
  path += "H" + x(course.until_d);
  return "<g class=\"k" + std::to_string(std::min(colour, colours - 1)) +
         "\"><path fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.4\" d=\"" + path + "\"><title>" +
         html_text(course.name) + "</title></path></g>\n";
}

/// Marks at whole days, about six of them.
std::string day_axis(double left, double tall, double days) {
  double step = 1.0;
  for (const double candidate : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0})
    if (step = candidate; days / step <= 8.0) break;
  std::string svg = svg_line("axis", left, top + tall, left + wide, top + tall);
  for (int mark = 0; mark <= 1000 && mark * step <= days; ++mark) {
    const double x = left + wide * mark * step / days;
    svg += svg_line("axis", x, top + tall, x, top + tall + 5.0) +
           svg_text(grouped(mark * step, 0), x, top + tall + 18.0, "middle");
  }
  return svg + svg_text("days", left + wide / 2.0, top + tall + 38.0, "middle");
}

std::string legend_of(const std::vector<Course>& courses) {
  std::string html = "<div class=\"legend\">";
  for (std::size_t at = 0; at < courses.size(); ++at)
    html += "<span><i class=\"k" + std::to_string(std::min(at, colours - 1)) + "\"></i>" + html_text(courses[at].name) +
            "</span>";
  return html + "</div>\n";
}

}  // namespace

std::string interval_figure(const std::string& caption, const std::string& about, const std::string& unit,
                            const std::vector<IntervalBar>& bars) {
  if (bars.empty()) return "";
  constexpr double left = 240.0, row = 26.0;
  const double tall = row * static_cast<double>(bars.size());
  std::vector<double> values;
  for (const IntervalBar& bar : bars) values.insert(values.end(), {bar.value, bar.low, bar.high});
  const LogAxis axis = axis_around(values, wide);
  std::string svg;
  for (const auto& [value, label] : marks_of(axis)) {
    const double x = left + axis.at(value);
    svg += svg_line("grid", x, top, x, top + tall) + svg_text(label, x, top + tall + 18.0, "middle");
  }
  svg += svg_line("axis", left, top + tall, left + wide, top + tall) +
         svg_text(unit, left + wide / 2.0, top + tall + 38.0, "middle") + "\n";
  for (std::size_t at = 0; at < bars.size(); ++at)
    svg += bar_svg(bars[at], axis, left, top + row * (static_cast<double>(at) + 0.5));
  return figure_of(caption, about, svg_picture(left + wide + right, top + tall + bottom, caption, svg), "");
}

std::string course_figure(const std::string& caption, const std::string& about, const std::string& unit,
                          const std::vector<Course>& courses, double band_low, double band_high) {
  const double days = last_day(courses);
  if (!(days > 0.0)) return "";
  constexpr double left = 70.0, tall = 300.0;
  std::vector<double> values;
  for (const Course& course : courses) values.insert(values.end(), course.values.begin(), course.values.end());
  const bool band = band_low > 0.0 && band_low < band_high;
  if (band) values.insert(values.end(), {band_low, band_high});
  const LogAxis axis = axis_around(values, tall);
  const auto y = [&](double value) { return top + tall - axis.at(value); };
  std::string svg = band ? svg_rectangle("band", left, y(band_high), wide, y(band_low) - y(band_high)) : "";
  for (const auto& [value, label] : marks_of(axis))
    svg += svg_line("grid", left, y(value), left + wide, y(value)) + svg_text(label, left - 8.0, y(value) + 4.0, "end");
  svg += day_axis(left, tall, days) + svg_text_upwards(unit, 14.0, top + tall / 2.0) + "\n";
  for (std::size_t at = 0; at < courses.size(); ++at) svg += steps_svg(courses[at], axis, left, tall, days, at);
  return figure_of(caption, about, svg_picture(left + wide + right, top + tall + bottom, caption, svg),
                   legend_of(courses));
}

}  // namespace fleetcast::analysis
