// The page of a calibration.
#include <algorithm>
#include <cmath>

#include "analysis/calibration/calibration_report.hpp"
#include "analysis/calibration/error_html.hpp"
#include "analysis/calibration/score_html.hpp"
#include "analysis/calibration/score_words.hpp"
#include "analysis/calibration/svg.hpp"
#include "analysis/html_page.hpp"

namespace fleetcast::analysis {

namespace {

/// Place of a value on the common scale of both intervals of a parameter; logarithmic if all are positive.
class Scale {
 public:
  Scale(const FittedParameter& parameter, double pixels) : pixels_{pixels} {
    const auto [low, high] = std::minmax(
        {parameter.low, parameter.high, parameter.value, parameter.prior, parameter.prior_low, parameter.prior_high});
    logarithmic_ = low > 0.0;
    low_ = of(low);
    high_ = of(high);
  }
  [[nodiscard]] double at(double value) const {
    constexpr double margin = 6.0;
    if (!(low_ < high_)) return pixels_ / 2.0;
    return margin + (pixels_ - 2.0 * margin) * (of(value) - low_) / (high_ - low_);
  }

 private:
  [[nodiscard]] double of(double value) const { return logarithmic_ ? std::log(value) : value; }

  double pixels_, low_ = 0.0, high_ = 0.0;
  bool logarithmic_ = false;
};

std::string intervals_svg(const FittedParameter& parameter) {
  constexpr double width = 170.0, height = 18.0, middle = height / 2.0, radius = 3.5;
  const Scale scale{parameter, width};
  std::string svg = svg_line("prior", scale.at(parameter.prior_low), middle, scale.at(parameter.prior_high), middle);
  if (!parameter.fixed) svg += svg_line("posterior", scale.at(parameter.low), middle, scale.at(parameter.high), middle);
  svg += svg_circle("value", scale.at(parameter.value), middle, radius);
  return svg_picture(width, height, parameter.name + " before and after the fit", svg);
}

std::string interval(double low, double high) {
  return short_figure(low) + " to " + short_figure(high);
}

std::string parameters_html(const CalibrationReport& report) {
  if (report.parameters.empty()) return "";
  std::vector<std::vector<std::string>> lines;
  for (const FittedParameter& each : report.parameters)
    lines.push_back({html_text(each.name), short_figure(each.value),
                     each.fixed ? "fixed" : interval(each.low, each.high), html_text(each.unit), intervals_svg(each),
                     interval(each.prior_low, each.prior_high), each.fixed ? "" : percent_share(each.information),
                     html_text(each.about)});
  return html_section(
      "Parameters", "Thin: 90 % interval before the fit; thick: after it; dot: the value. Each on a scale of its own.",
      html_table({{"parameter", false, true},
                  {"value", true},
                  {"90 % interval", true},
                  {"unit"},
                  {""},
                  {"before the fit", true},
                  {"learnt, %", true, false, "1 - standard deviation after / before the fit"},
                  {"what"}},
                 lines));
}

std::string findings_html(const CalibrationReport& report) {
  if (report.findings.empty()) return "";
  std::string html = "<dl>\n";
  for (const auto& [name, text] : report.findings)
    html += "<dt>" + html_text(name) + "</dt><dd>" + html_text(text) + "</dd>\n";
  return html_section("Ratios and scaling", "", html + "</dl>\n");
}

std::string validations_html(const CalibrationReport& report) {
  return html_section("Rows that were not fitted", "Each row is predicted by a fit without the rows that are named.",
                      error_table_html("left out", validation_errors(report)));
}

}  // namespace

std::string calibration_html(const CalibrationReport& report, const std::string& origin) {
  const Score& judged = judged_score(report);
  const std::string about = counted(report.rows, "row") + " in " + counted(report.groups, "group") + " fitted with " +
                            counted(fitted_parameters(report), "parameter") + ". " + report.in_sample.about;
  return html_page("fleetcast calibrate " + report.in_sample.kind,
                   "<p class=\"answer\">" + html_text(unbroken_percents(headline_of(report))) +
                       "</p>\n<p class=\"soft\">" + html_text(about) + "</p>\n" + error_tiles_html(judged) +
                       validations_html(report) + score_figures_html(judged) + error_groups_html(judged) +
                       parameters_html(report) + findings_html(report) + worst_rows_html(judged) +
                       skipped_html(report.skipped) + all_rows_html(judged),
                   origin);
}

}  // namespace fleetcast::analysis
