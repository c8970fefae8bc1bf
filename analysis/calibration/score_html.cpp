#include "analysis/calibration/score_html.hpp"

#include "analysis/calibration/error_html.hpp"
#include "analysis/calibration/score_plots.hpp"
#include "analysis/calibration/score_words.hpp"
#include "analysis/html_page.hpp"

namespace fleetcast::analysis {

namespace {

std::string tile(const std::string& figure, const std::string& meaning) {
  return "<div class=\"tile\"><b>" + html_text(figure) + "</b><span>" + html_text(meaning) + "</span></div>\n";
}

std::string rows_table(const std::vector<ScoredRow>& rows) {
  std::vector<std::vector<std::string>> lines;
  for (const ScoredRow& row : rows)
    lines.push_back({html_text(row.id), short_figure(row.measured), short_figure(row.predicted),
                     short_figure(row.low) + " to " + short_figure(row.high), html_text(row.unit),
                     signed_percent_error(row.rel_error()), std::string{models::name_of(row.grade)},
                     html_text(subject_of(row)), html_text(row.source)});
  return html_table({{"row", false, true},
                     {"measured", true},
                     {"predicted", true},
                     {"90 % interval", true},
                     {"unit"},
                     {"error, %", true},
                     {"grade"},
                     {"what"},
                     {"source"}},
                    lines);
}

}  // namespace

std::string error_tiles_html(const Score& score) {
  const auto errors = error_statistics(score.scored);
  if (!errors) return "";
  return "<div class=\"tiles\">\n" + tile(percent_error(errors->median) + " %", "median error") +
         tile(percent_error(errors->p90) + " %", "error of nine in ten") +
         tile(signed_percent_error(errors->bias) + " %", "bias (median)") +
         tile(percent_share(errors->coverage90) + " %", "inside the 90 % interval") +
         tile(std::to_string(errors->rows), "of " + counted(score.rows, "row") + " predicted") + "</div>\n";
}

std::string score_figures_html(const Score& score) {
  if (score.scored.empty()) return "";
  std::string html = "<div class=\"figures\">\n";
  for (const std::string& unit : units_of(score)) html += scatter_figure(score, unit);
  return html + residual_figure(score) + "</div>\n";
}

std::string error_groups_html(const Score& score) {
  const std::vector<ErrorGroup> groups = error_groups(score);
  if (groups.empty()) return "";
  std::string html;
  for (std::size_t at = 0; at < groups.size();) {
    const std::string by = groups[at].by;
    NamedErrors errors;
    for (; at < groups.size() && groups[at].by == by; ++at) errors.emplace_back(groups[at].name, groups[at].statistics);
    html += "<h3>by " + html_text(by) + "</h3>\n" + error_table_html(by, errors);
  }
  return html_section("Where it is right, and where not",
                      "Bars: dark to the median error, pale to the error of nine in ten.", html);
}

std::string worst_rows_html(const Score& score) {
  constexpr std::size_t worst_shown = 10;
  if (score.scored.empty()) return "";
  return html_section("The worst rows", "", rows_table(worst_rows(score, worst_shown)));
}

std::string skipped_html(std::span<const SkippedRow> skipped) {
  if (skipped.empty()) return "";
  std::vector<std::vector<std::string>> lines;
  for (const SkippedReason& each : skipped_reasons(skipped))
    lines.push_back({std::to_string(each.rows), html_text(each.reason), html_text(each.first_id)});
  return html_section("Skipped", counted(skipped.size(), "row") + " that could not be predicted.",
                      html_table({{"rows", true}, {"reason"}, {"the first"}}, lines));
}

std::string all_rows_html(const Score& score) {
  if (score.scored.empty()) return "";
  return html_folded("All " + counted(score.scored.size(), "row"), rows_table(score.scored));
}

std::string score_html(const Score& score, const std::string& origin) {
  return html_page("fleetcast score " + score.kind,
                   "<p class=\"answer\">" + html_text(unbroken_percents(headline_of(score))) +
                       "</p>\n<p class=\"soft\">" + html_text(score.about) + "</p>\n" + error_tiles_html(score) +
                       score_figures_html(score) + error_groups_html(score) + worst_rows_html(score) +
                       skipped_html(score.skipped) + all_rows_html(score),
                   origin);
}

}  // namespace fleetcast::analysis
