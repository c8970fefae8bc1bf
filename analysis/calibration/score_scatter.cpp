// Predicted against measured.
#include <algorithm>
#include <map>

#include "analysis/calibration/log_axis.hpp"
#include "analysis/calibration/score_plots.hpp"
#include "analysis/calibration/score_words.hpp"
#include "analysis/calibration/svg.hpp"
#include "analysis/html_page.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double side = 440.0, left = 68.0, top = 10.0, bottom = 48.0, right = 14.0;
constexpr double band = 0.2;
constexpr std::size_t few_rows = 60;  // up to here all intervals can be seen at once
constexpr std::size_t colours = 8;

struct Kind {
  std::string name;
  std::size_t rows = 0;
};

/// Most frequent first: the colours that are best told apart go to those.
std::vector<Kind> kinds_of(const std::vector<ScoredRow>& rows) {
  std::map<std::string, std::size_t> counts;
  for (const ScoredRow& row : rows) ++counts[row.kind];
  std::vector<Kind> kinds;
  for (const auto& [name, count] : counts) kinds.push_back({name, count});
  std::ranges::stable_sort(kinds, std::greater{}, &Kind::rows);
  return kinds;
}

std::string colour_of(const std::string& kind, const std::vector<Kind>& kinds) {
  const auto place = std::ranges::find(kinds, kind, &Kind::name) - kinds.begin();
  return "k" + std::to_string(std::min<std::size_t>(static_cast<std::size_t>(place), colours - 1));
}

bool has_evidence(const ScoredRow& row) {
  return row.grade == models::Grade::measured || row.grade == models::Grade::fitted;
}

double x_of(const LogAxis& axis, double value) {
  return left + std::clamp(axis.at(value), 0.0, side);
}
double y_of(const LogAxis& axis, double value) {
  return top + side - std::clamp(axis.at(value), 0.0, side);
}

std::string title_of(const ScoredRow& row) {
  std::string title = row.id + (subject_of(row).empty() ? "" : ": " + subject_of(row)) + "\nmeasured " +
                      short_figure(row.measured) + ", predicted " + short_figure(row.predicted) + " " + row.unit +
                      " (" + signed_percent_error(row.rel_error()) + " %)\n90 % interval " + short_figure(row.low) +
                      " to " + short_figure(row.high) + ", " + std::string{models::name_of(row.grade)};
  if (!row.source.empty()) title += "\n" + row.source;
  return title;
}

std::string point(const ScoredRow& row, const LogAxis& axis, const std::string& css) {
  constexpr double radius = 3.6;
  const double x = x_of(axis, row.measured);
  return "<g class=\"point " + css + "\"><title>" + html_text(title_of(row)) + "</title>" +
         svg_line("", x, y_of(axis, row.low), x, y_of(axis, row.high)) +
         svg_circle("", x, y_of(axis, row.predicted), radius) + "</g>\n";
}

/// Between (1 - band) and (1 + band) times the measured value: parallel to the diagonal, cut at the frame.
std::string band_and_diagonal(const LogAxis& axis) {
  const double down = top + side, far = left + side;
  const double rise = axis.at(axis.low * (1.0 + band)), sink = side - axis.at(axis.high * (1.0 - band));
  const auto corner = [](double x, double y) { return svg_number(x) + "," + svg_number(y) + " "; };
  return "<polygon class=\"band\" points=\"" + corner(left, down) + corner(left, down - rise) +
         corner(far - rise, top) + corner(far, top) + corner(far, top + sink) + corner(left + sink, down) + "\"/>" +
         svg_line("identity", left, down, far, top);
}

std::string frame(const LogAxis& axis, const std::string& unit) {
  std::string svg;
  for (const auto& [value, label] : axis.marks()) {
    const double x = x_of(axis, value), y = y_of(axis, value);
    svg += svg_line("grid", x, top, x, top + side) + svg_line("grid", left, y, left + side, y);
    svg += svg_text(label, x, top + side + 18.0, "middle") + svg_text(label, left - 8.0, y + 4.0, "end");
  }
  svg += svg_line("axis", left, top + side, left + side, top + side) + svg_line("axis", left, top, left, top + side);
  svg += svg_text("measured, " + unit, left + side / 2.0, top + side + 40.0, "middle");
  return svg + svg_text_upwards("predicted, " + unit, 14.0, top + side / 2.0);
}

std::string legend(const std::vector<Kind>& kinds, const std::vector<ScoredRow>& rows) {
  std::string html = "<div class=\"legend\">";
  for (const Kind& kind : kinds)
    html += "<span><i class=\"" + colour_of(kind.name, kinds) + "\"></i>" +
            html_text((kind.name.empty() ? "other" : kind.name) + ", " + std::to_string(kind.rows)) + "</span>";
  const auto hollow = std::ranges::count_if(rows, [](const ScoredRow& row) { return !has_evidence(row); });
  if (hollow > 0) html += "<span><i class=\"open\"></i>extrapolated or assumed, " + std::to_string(hollow) + "</span>";
  return html + "</div>\n";
}

LogAxis axis_for(const std::vector<ScoredRow>& rows) {
  std::vector<double> values;
  for (const ScoredRow& row : rows) values.insert(values.end(), {row.measured, row.predicted});
  return axis_around(values, side);
}

}  // namespace

std::string scatter_figure(const Score& score, const std::string& unit) {
  std::vector<ScoredRow> rows;
  std::ranges::copy_if(score.scored, std::back_inserter(rows), [&](const ScoredRow& row) { return row.unit == unit; });
  const std::vector<Kind> kinds = kinds_of(rows);
  const LogAxis axis = axis_for(rows);
  std::string svg = frame(axis, unit) + band_and_diagonal(axis) + "\n";
  for (const Kind& kind : kinds)  // the rarest on top
    for (const ScoredRow& row : rows)
      if (row.kind == kind.name)
        svg += point(row, axis,
                     colour_of(kind.name, kinds) + (has_evidence(row) ? "" : " hollow") +
                         (rows.size() <= few_rows ? " few" : ""));
  return "<figure><figcaption>Predicted against measured<small>The line is equality, the band 20 % around it. Point at "
         "a "
         "row for its name and interval.</small></figcaption>" +
         svg_picture(left + side + right, top + side + bottom, "predicted against measured, " + unit, svg) +
         legend(kinds, rows) + "</figure>\n";
}

}  // namespace fleetcast::analysis
