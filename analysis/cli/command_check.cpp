#include "analysis/cli/command_check.hpp"

#include <iostream>
#include <sstream>

#include "analysis/cli/answer.hpp"
#include "analysis/cli/help.hpp"
#include "analysis/cli/prepare.hpp"
#include "analysis/cli/verdict.hpp"
#include "analysis/report.hpp"

namespace fleetcast::cli {
namespace {

std::string rendered(const Prepared& prepared, const CommonOptions& options) {
  if (options.json) return analysis::check_json(prepared.file, prepared.plans);
  std::ostringstream out;
  analysis::print_check(out, prepared.file, prepared.plans, answer_style(inspect_terminal(), options.color));
  return out.str();
}

}  // namespace

ExitCode command_check(std::span<const std::string> arguments) {
  const CommonOptions options = parse_check_options(arguments);
  if (options.help) {
    write_answer(check_help());
    return ExitCode::answered;
  }
  const Prepared prepared = prepare(options);
  write_answer(rendered(prepared, options));
  const ExitCode code = verdict_of_plans(prepared.plans);
  if (code != ExitCode::answered) explain_hopeless(prepared.plans, std::cerr);
  return code;
}

}  // namespace fleetcast::cli
