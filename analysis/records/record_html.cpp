// The page of a calibration from records.
#include "analysis/calibration/score_html.hpp"
#include "analysis/calibration/score_words.hpp"
#include "analysis/html_page.hpp"
#include "analysis/records/record_report.hpp"

namespace fleetcast::analysis {

namespace {

std::string parameters_html(const RecordReport& report) {
  if (report.parameters.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const RecordParameter& each : report.parameters)
    rows.push_back({html_text(each.name), three_digits(each.value), html_text(interval_text(each)),
                    html_text(each.unit), html_text(each.about)});
  return html_section(
      "Parameters", "",
      html_table({{"parameter", false, true}, {"value", true}, {"90 % interval", true}, {"unit"}, {"what"}}, rows));
}

std::string listing_html(const RecordListing& listing) {
  if (listing.rows.empty()) return "";
  std::vector<HtmlColumn> columns;
  for (const std::string& head : listing.heads) columns.push_back({head, !columns.empty()});
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : listing.rows) {
    auto& cells = rows.emplace_back();
    for (const std::string& cell : row) cells.push_back(html_text(cell));
  }
  return html_section(listing.title, listing.about, html_table(columns, rows));
}

std::string findings_html(const RecordReport& report) {
  if (report.findings.empty()) return "";
  std::string html = "<dl>\n";
  for (const auto& [name, text] : report.findings)
    html += "<dt>" + html_text(name) + "</dt><dd>" + html_text(text) + "</dd>\n";
  return html_section("What the data say, and what they cannot", "", html + "</dl>\n");
}

std::string figures_html(const RecordReport& report) {
  if (report.figures.empty()) return "";
  std::string html = "<div class=\"figures\">\n";
  for (const std::string& figure : report.figures) html += figure;
  return html + "</div>\n";
}

}  // namespace

std::string records_html(const RecordReport& report, const std::string& origin) {
  std::string body = "<p class=\"answer\">" + html_text(unbroken_percents(report.headline)) +
                     "</p>\n<p class=\"soft\">" + html_text(report.about) + "</p>\n" + figures_html(report) +
                     parameters_html(report);
  for (const RecordListing& listing : report.listings) body += listing_html(listing);
  body += findings_html(report);
  if (!report.ready.empty())
    body += html_section("For a scenario, " + report.ready_for, "",
                         "<div class=\"scroll\"><pre>" + html_text(report.ready) + "</pre></div>\n");
  return html_page("fleetcast calibrate " + report.kind, body + skipped_html(report.skipped), origin);
}

}  // namespace fleetcast::analysis
