#include "analysis/calibration/score_report.hpp"

#include "analysis/calibration/error_table.hpp"
#include "analysis/calibration/score_words.hpp"

namespace fleetcast::analysis {

namespace {

constexpr std::size_t worst_shown = 10;

void print_heading(std::ostream& out, const std::string& text, const Style& style) {
  out << "\n" << emphasized(wrapped(text, style.width, "", ""), Emphasis::bold, style);
}

template <class Text>
Column column(const std::string& head, const std::vector<ScoredRow>& rows, Text&& text, bool left = false) {
  Column made{head, {}, left};
  for (const ScoredRow& row : rows) made.cells.push_back(text(row));
  return made;
}

Table worst_table(const std::vector<ScoredRow>& rows, bool several_units, const Style& style) {
  Table table;
  table.corner = "row";
  for (const ScoredRow& row : rows) table.names.push_back(shown(row.id, style));
  const std::string dash = signs_of(style).dash;
  const auto interval = [&](const ScoredRow& row) { return short_figure(row.low) + dash + short_figure(row.high); };
  table.groups = {
      {"", {column("measured", rows, [](const ScoredRow& row) { return short_figure(row.measured); })}},
      {"",
       {column("predicted", rows, [](const ScoredRow& row) { return short_figure(row.predicted); }),
        column("90 % interval", rows, interval)}},
      {"", {column("error, %", rows, [](const ScoredRow& row) { return signed_percent_error(row.rel_error()); })}},
      {"",
       {column(
           "grade", rows, [](const ScoredRow& row) { return std::string{models::name_of(row.grade)}; }, true)}},
      {"",
       {column(
           "what", rows, [&](const ScoredRow& row) { return shown(subject_of(row), style); }, true)}}};
  if (several_units)
    table.groups.insert(table.groups.begin() + 3,
                        {"",
                         {column(
                             "unit", rows, [&](const ScoredRow& row) { return shown(row.unit, style); }, true)}});
  return table;
}

/// Of very many groups only the first, which are the largest.
void print_groups(std::ostream& out, const std::string& by, NamedErrors errors, const Style& style) {
  constexpr std::size_t most = 25;
  const std::size_t left_out = errors.size() > most ? errors.size() - most : 0;
  errors.resize(errors.size() - left_out);
  out << "\n";
  print(out, error_table(by, errors, style), style);
  if (left_out > 0)
    out << wrapped(
        "and " + std::to_string(left_out) + " more, each with at most " + counted(errors.back().second.rows, "row"),
        style.width, "", "");
}

}  // namespace

void print_error_groups(std::ostream& out, const Score& score, const Style& style) {
  const std::vector<ErrorGroup> groups = error_groups(score);
  for (std::size_t at = 0; at < groups.size();) {
    const std::string by = groups[at].by;
    NamedErrors errors;
    for (; at < groups.size() && groups[at].by == by; ++at) errors.emplace_back(groups[at].name, groups[at].statistics);
    print_groups(out, by, errors, style);
  }
}

void print_worst_rows(std::ostream& out, const Score& score, const Style& style) {
  const std::vector<ScoredRow> rows = worst_rows(score, worst_shown);
  if (rows.empty()) return;
  const bool several_units = units_of(score).size() > 1;
  print_heading(out, "The worst " + counted(rows.size(), "row") + (several_units ? "" : ", in " + units_of(score)[0]),
                style);
  print(out, worst_table(rows, several_units, style), style);
}

void print_skipped(std::ostream& out, std::span<const SkippedRow> skipped, const Style& style) {
  if (skipped.empty()) return;
  print_heading(out, "Skipped: " + counted(skipped.size(), "row"), style);
  for (const SkippedReason& each : skipped_reasons(skipped)) {
    const std::string example = each.rows == 1 ? " (" + each.first_id + ")" : " (e.g. " + each.first_id + ")";
    const std::string count = padded_left(std::to_string(each.rows), 5) + "  ";
    out << wrapped(shown(each.reason + example, style), style.width, count, "       ");
  }
}

void print_score(std::ostream& out, const Score& score, const Style& style) {
  out << emphasized(wrapped(shown(headline_of(score), style), style.width, "", ""), Emphasis::bold, style);
  if (!score.about.empty()) out << wrapped(shown(score.about, style), style.width, "", "");
  print_error_groups(out, score, style);
  print_worst_rows(out, score, style);
  print_skipped(out, score.skipped, style);
}

}  // namespace fleetcast::analysis
