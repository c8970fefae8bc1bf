#include "analysis/market/jobs_report.hpp"

#include "analysis/calibration/score_words.hpp"
#include "analysis/format.hpp"
#include "analysis/html_page.hpp"
#include "analysis/market/market_words.hpp"
#include "analysis/table.hpp"

namespace fleetcast::analysis {

namespace {

std::string pair_of(double time, double cost) {
  return two_decimals(time) + "/" + two_decimals(cost);
}

std::string scores_of(const JobForecastScore& score) {
  return three_decimals(score.time.crps) + "/" + three_decimals(score.cost.crps);
}

/// One row a model and group: group, forecasts, model, coverage, CRPS, distance, share well covered.
std::vector<std::vector<std::string>> rows_of(const std::vector<ForecastPair>& pairs) {
  std::vector<std::vector<std::string>> rows;
  for (const ForecastSummary& summary : summarize(pairs))
    for (std::size_t m = 0; m < forecast_models.size(); ++m) {
      const JobForecastScore& mean = summary.mean[m];
      rows.push_back({summary.group, std::to_string(summary.pairs), name_of(forecast_models[m]),
                      pair_of(mean.time.coverage, mean.cost.coverage), scores_of(mean),
                      pair_of(mean.time.kolmogorov, mean.cost.kolmogorov),
                      pair_of(summary.well_covered[m].first, summary.well_covered[m].second)});
    }
  return rows;
}

const std::vector<std::string> heads{"group", "forecasts", "model", "coverage", "CRPS", "distance", "well covered"};

/// "Losses in groups as forecast in 92 % of 12, hourly dispersion in 83 % of 12"
std::string shape_text(const std::vector<ForecastPair>& pairs) {
  std::string text;
  for (const AgreedShare& each : agreed_shares(pairs)) {
    if (each.statistics == 0 || (each.name != "losses_in_groups" && each.name != "hourly_loss_dispersion")) continue;
    const bool groups = each.name == "losses_in_groups";
    text += (text.empty() ? "" : ", ") + std::string{groups ? "Losses in groups" : "Hourly dispersion of losses"} +
            " as forecast in " + percent_share(each.share) + " % of " + std::to_string(each.statistics);
  }
  return text.empty() ? text : text + " (within 15 points, a factor 1.5).";
}

void print_pairs(std::ostream& out, const std::string& title, const std::vector<ForecastPair>& pairs,
                 const Style& style) {
  if (pairs.empty()) return;
  out << "\n" << emphasized(wrapped(title, style.width, "", ""), Emphasis::bold, style);
  Table table;
  table.corner = heads[0];
  for (std::size_t c = 1; c < heads.size(); ++c) table.groups.push_back({"", {{heads[c], {}, c == 2}}});
  std::string last;
  for (const std::vector<std::string>& row : rows_of(pairs)) {
    const bool same = row[0] == last;
    table.names.push_back(same ? "" : shown(row[0], style));
    for (std::size_t c = 1; c < row.size(); ++c)
      table.groups[c - 1].columns[0].cells.push_back(c == 1 && same ? "" : row[c]);
    last = row[0];
  }
  print(out, table, style);
  out << wrapped(shape_text(pairs), style.width, "", "");
}

std::string pairs_html(const std::string& title, const std::vector<ForecastPair>& pairs) {
  if (pairs.empty()) return "";
  std::vector<std::vector<std::string>> rows = rows_of(pairs);
  for (auto& row : rows)
    for (std::string& cell : row) cell = html_text(cell);
  return html_section(title, shape_text(pairs),
                      html_table({{heads[0]},
                                  {heads[1], true},
                                  {heads[2], false, true},
                                  {heads[3], true},
                                  {heads[4], true},
                                  {heads[5], true},
                                  {heads[6], true}},
                                 rows));
}

const char* const explained =
    "Each figure is that of time and that of cost. Coverage: share of what came that lay in the 90 % interval; CRPS: "
    "of "
    "ln time and of cost per node-hour of work, less is better; distance: Kolmogorov's; well covered: share of "
    "forecasts "
    "whose interval held at least 80 %.";
const char* const later_title = "The later half forecast from the first";
const char* const neighbour_title = "The next zone forecast from a zone";

}  // namespace

std::string jobs_headline(const JobsStudy& study) {
  if (study.later.empty()) return "No trace is long enough and changes often enough to be judged";
  const ForecastSummary all = summarize(study.later).back();
  const JobForecastScore &own = all.mean[0], &replay = all.mean[1];
  return "Intervals of 90 % held " + percent_share(own.time.coverage) + " % of the times and " +
         percent_share(own.cost.coverage) + " % of the costs of jobs in the later halves of " +
         counted(all.pairs, "trace") + "; replay of the first halves: " + percent_share(replay.time.coverage) +
         " % and " + percent_share(replay.cost.coverage) + " %";
}

void print_jobs_study(std::ostream& out, const JobsStudy& study, const Style& style) {
  out << emphasized(wrapped(jobs_headline(study), style.width, "", ""), Emphasis::bold, style) << "\n"
      << wrapped(explained, style.width, "", "");
  print_pairs(out, later_title, study.later, style);
  print_pairs(out, neighbour_title, study.neighbour, style);
  if (study.skipped.empty()) return;
  out << "\n";
  for (const auto& [file, reason] : study.skipped)
    out << wrapped("left out: " + shown(file, style) + ": " + reason, style.width, "", "  ");
}

std::string jobs_study_html(const JobsStudy& study, const std::string& origin) {
  return html_page("fleetcast score market --jobs",
                   "<p class=\"answer\">" + html_text(unbroken_percents(jobs_headline(study))) +
                       "</p>\n<p class=\"soft\">" + html_text(explained) + "</p>\n" +
                       pairs_html(later_title, study.later) + pairs_html(neighbour_title, study.neighbour),
                   origin);
}

}  // namespace fleetcast::analysis
