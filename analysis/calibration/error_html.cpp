#include "analysis/calibration/error_html.hpp"

#include <algorithm>

#include "analysis/calibration/score_words.hpp"
#include "analysis/calibration/svg.hpp"
#include "analysis/html_page.hpp"

namespace fleetcast::analysis {

namespace {

std::string meter(const char* css, double share) {
  constexpr double widest_em = 9.0;
  return "<span class=\"" + std::string{css} +
         "\" style=\"width:" + svg_number(widest_em * std::clamp(share, 0.0, 1.0)) + "em\"></span>";
}

std::string meters(const ErrorStatistics& errors, double scale) {
  return "<span class=\"meters\">" + meter("meter", errors.median / scale) +
         meter("meter wide", (errors.p90 - errors.median) / scale) + "</span>";
}

/// The largest error of nine in ten, but no more than 100 %: one hopeless group does not hide the others.
double scale_of(const NamedErrors& errors) {
  double scale = 1e-6;
  for (const auto& [name, statistics] : errors) scale = std::max(scale, statistics.p90);
  return std::min(scale, 1.0);
}

}  // namespace

std::string error_table_html(const std::string& corner, const NamedErrors& errors) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, each] : errors)
    rows.push_back({html_text(name), std::to_string(each.rows), percent_error(each.median), percent_error(each.mean),
                    percent_error(each.p90), meters(each, scale_of(errors)), percent_error(each.max),
                    signed_percent_error(each.bias), percent_share(each.coverage90)});
  return html_table({{corner},
                     {"rows", true},
                     {"median, %", true, false, "median of |predicted / measured - 1|"},
                     {"mean, %", true},
                     {"9 in 10, %", true, false, "nine rows in ten are closer"},
                     {"", false},
                     {"largest, %", true},
                     {"bias, %", true, false, "median of predicted / measured - 1"},
                     {"in interval, %", true, false, "rows whose measured value is inside the 90 % interval"}},
                    rows);
}

}  // namespace fleetcast::analysis
