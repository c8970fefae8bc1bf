#include "analysis/check_tables.hpp"
#include "analysis/headline.hpp"
#include "analysis/report.hpp"
#include "analysis/stopping_report.hpp"

namespace fleetcast::analysis {

namespace {

std::string names_text(const std::vector<std::string>& strategies) {
  std::string text;
  for (const std::string& name : strategies) text += (text.empty() ? "(" : ", ") + name;
  return text.empty() ? "" : text + ") ";
}

void print_remarks(std::ostream& out, const scenarios::ScenarioFile& file, std::span<const sim::Plan> plans,
                   const Style& style) {
  auto list = remarks(plans);
  if (file.montecarlo.until) list.push_back({{}, rule_sentence(file.montecarlo)});
  for (const scenarios::Uncertain& each : file.uncertain)
    list.push_back(
        {{}, each.pointer + " is unknown but fixed: " + each.text + ", drawn once a trial; here its median"});
  if (list.empty()) return;
  out << "\n" << emphasized(wrapped("How the figures come about", style.width, "", ""), Emphasis::bold, style);
  for (const Remark& remark : list)
    out << wrapped(shown(names_text(remark.strategies) + remark.text, style), style.width, "  ", "    ");
}

void print_assumptions(std::ostream& out, const scenarios::ScenarioFile& file, std::span<const sim::Plan> plans,
                       const Style& style) {
  const auto list = shared_assumptions(file, plans);
  out << "\n"
      << emphasized(wrapped("Not given in the scenario, so assumed", style.width, "", ""), Emphasis::bold, style);
  if (list.empty()) out << "  nothing\n";
  for (const SharedAssumption& each : list) {
    const models::Assumption& assumption = each.assumption;
    out << wrapped(shown(names_text(each.strategies) + assumption.pointer + " = " + assumption.value, style),
                   style.width, "  ", "    ");
    out << emphasized(wrapped(shown(std::string{name_of(assumption.grade)} + ": " + assumption.source, style),
                              style.width, "      ", "      "),
                      Emphasis::dim, style);
  }
}

}  // namespace

void print_check(std::ostream& out, const scenarios::ScenarioFile& file, std::span<const sim::Plan> plans,
                 const Style& style) {
  print_warnings(out, check_warnings(file, plans), style);
  const std::string title = file.name + (file.about.empty() ? "" : ": " + file.about);
  out << emphasized(wrapped(shown(title, style), style.width, "", ""), Emphasis::bold, style);
  print(out, plan_table(plans, style), style);
  print_remarks(out, file, plans, style);
  print_assumptions(out, file, plans, style);
}

}  // namespace fleetcast::analysis
