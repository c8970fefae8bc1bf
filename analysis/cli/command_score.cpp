#include "analysis/cli/command_score.hpp"

#include <sstream>

#include "analysis/calibration/score_html.hpp"
#include "analysis/calibration/score_json.hpp"
#include "analysis/calibration/score_report.hpp"
#include "analysis/calibration/throughput_commands.hpp"
#include "analysis/cli/answer.hpp"
#include "analysis/cli/help.hpp"
#include "analysis/cli/market_commands.hpp"
#include "analysis/cli/measured.hpp"
#include "analysis/cli/output_place.hpp"

namespace fleetcast::cli {
namespace {

analysis::Score score_of(const MeasuredOptions& options) {
  const models::Catalog catalog = catalog_of(options);
  if (options.kind == "runs") return analysis::score_runs(options.data, catalog);
  return analysis::score_throughput(options.data, catalog);
}

std::string rendered(const analysis::Score& score, const MeasuredOptions& options) {
  if (options.json) return analysis::score_json(score);
  std::ostringstream out;
  analysis::print_score(out, score, answer_style(inspect_terminal(), options.color));
  return out.str();
}

}  // namespace

ExitCode command_score(std::span<const std::string> arguments) {
  const ScoreOptions asked = parse_score_options(arguments);
  const MeasuredOptions& options = asked.measured;
  if (options.help) {
    write_answer(score_help());
    return ExitCode::answered;
  }
  if (!options.traces.empty()) return score_market(asked);
  if (options.html)
    check_output_place({"--html", *options.html, options.force}, {"file of measured rows", options.data});
  const analysis::Score score = score_of(options);
  if (options.html) write_file(*options.html, analysis::score_html(score, origin_of(options)), "the page", options);
  write_answer(rendered(score, options));
  if (!score.scored.empty()) return ExitCode::answered;
  explain_unusable(options.data, score.rows, score.skipped);
  return ExitCode::infeasible;
}

}  // namespace fleetcast::cli
