#include "analysis/cli/program.hpp"

#include <algorithm>
#include <array>
#include <iostream>
#include <string_view>
#include <vector>

#include "analysis/cli/answer.hpp"
#include "analysis/cli/command_calibrate.hpp"
#include "analysis/cli/command_catalog.hpp"
#include "analysis/cli/command_check.hpp"
#include "analysis/cli/command_run.hpp"
#include "analysis/cli/command_score.hpp"
#include "analysis/cli/command_trace.hpp"
#include "analysis/cli/help.hpp"
#include "analysis/cli/options.hpp"
#include "analysis/cli/terms.hpp"
#include "scenarios/nearest_name.hpp"

namespace fleetcast::cli {
namespace {

struct Command {
  std::string_view name;
  ExitCode (*run)(std::span<const std::string>);
  std::string (*help)();
};

constexpr std::array<Command, 6> commands{{{"run", command_run, run_help},
                                           {"check", command_check, check_help},
                                           {"trace", command_trace, trace_help},
                                           {"catalog", command_catalog, catalog_help},
                                           {"score", command_score, score_help},
                                           {"calibrate", command_calibrate, calibrate_help}}};
constexpr std::array<std::string_view, 4> later_commands{"rank", "plan", "report", "merge"};

const Command* find(std::string_view name) {
  const auto found = std::ranges::find(commands, name, &Command::name);
  return found == commands.end() ? nullptr : &*found;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands) names.emplace_back(command.name);
  return names;
}

ExitCode print_help(std::span<const std::string> topics) {
  if (topics.empty()) {
    write_answer(program_help());
  } else if (topics.front() == "terms") {
    write_answer(terms_text());
  } else if (const Command* command = find(topics.front())) {
    write_answer(command->help());
  } else {
    std::vector<std::string> known = command_names();
    known.emplace_back("terms");
    refuse("no help on \"" + topics.front() + "\"", scenarios::nearest_first(topics.front(), known));
  }
  return ExitCode::answered;
}

[[noreturn]] void refuse_command(const std::string& name) {
  if (std::ranges::find(later_commands, name) != later_commands.end()) {
    refuse("command " + name + " is not yet supported", scenarios::nearest_first(name, command_names()));
  }
  if (name.starts_with('-')) refuse("the command comes first, then " + name, "fleetcast run SCENARIO " + name);
  refuse("unknown command \"" + name + "\"", scenarios::nearest_first(name, command_names()),
         scenarios::nearest_name(name, command_names()));
}

}  // namespace

ExitCode run_program(std::span<const std::string> arguments) {
  if (arguments.empty()) {
    std::cerr << program_help();
    return ExitCode::bad_input;
  }
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h" || name == "help") return print_help(arguments.subspan(1));
  if (name == "--version") {
    write_answer(version_text());
    return ExitCode::answered;
  }
  if (const Command* command = find(name)) return command->run(arguments.subspan(1));
  refuse_command(name);
}

}  // namespace fleetcast::cli
