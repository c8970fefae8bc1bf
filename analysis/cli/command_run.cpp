#include "analysis/cli/command_run.hpp"

#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>

#include "analysis/cli/answer.hpp"
#include "analysis/cli/help.hpp"
#include "analysis/cli/interrupt.hpp"
#include "analysis/cli/prepare.hpp"
#include "analysis/cli/replay.hpp"
#include "analysis/cli/simulate.hpp"
#include "analysis/cli/verdict.hpp"
#include "analysis/report.hpp"
#include "analysis/stopping_report.hpp"
#include "analysis/summary.hpp"

namespace fleetcast::cli {
namespace {

using analysis::ExistingResults;
using analysis::ResultsFile;

ExistingResults existing(const RunOptions& options) {
  if (options.force) return ExistingResults::overwrite;
  return options.resume ? ExistingResults::resume : ExistingResults::refuse;
}

/// "; recording a.csv 1f2e3d4c": another content is another run.
std::string recordings_in(const std::vector<sim::Plan>& plans) {
  std::set<std::string> texts;
  for (const sim::Plan& plan : plans) {
    for (const sim::PoolPlan& pool : plan.pools) {
      for (const auto& course : {pool.capacity, pool.price}) {
        if (!course) continue;
        std::ostringstream text;
        text << "; recording " << course->recording().name << ' ' << std::hex << course->recording().key;
        texts.insert(text.str());
      }
    }
  }
  std::string all;
  for (const std::string& text : texts) all += text;
  return all;
}

analysis::ResultsHeader header_of(const Prepared& prepared) {
  const models::ThroughputCalibration& speed = prepared.catalog.throughput;
  analysis::ResultsHeader header;
  header.scenario_name = prepared.file.name;
  header.scenario_text = prepared.file.text;
  header.overrides = prepared.file.overrides;
  header.calibration_text =
      speed.source + ", " + speed.date + ". " + speed.error_statement + recordings_in(prepared.plans);
  for (const sim::Plan& plan : prepared.plans) header.strategies.push_back(plan.name);
  header.causes = prepared.plans.front().cause_names;
  header.seed = prepared.file.montecarlo.seed;
  const scenarios::MonteCarlo& montecarlo = prepared.file.montecarlo;
  header.replicates = most_trials(montecarlo);
  header.block_size = block_size_for(montecarlo.replicates);
  if (!montecarlo.until) return header;
  header.first_look = static_cast<std::uint32_t>(montecarlo.replicates);
  header.until = analysis::rule_text(*montecarlo.until);
  return header;
}

/// Nothing if no file was asked for. The file is opened before any work, so that a bad place is known at once.
std::unique_ptr<ResultsFile> open_results(const Prepared& prepared, const RunOptions& options) {
  if (!options.out) return nullptr;
  std::error_code ignored;
  if (std::filesystem::equivalent(*options.out, options.common.scenario, ignored)) {
    refuse("--out: \"" + *options.out + "\" is the scenario file itself");
  }
  auto results = std::make_unique<ResultsFile>(*options.out, header_of(prepared), existing(options));
  for (const std::string& note : results->notes()) {
    if (!options.common.quiet) std::cerr << "fleetcast: " << note << '\n';
  }
  return results;
}

std::string rendered(const analysis::RunSummary& summary, const Prepared& prepared, const CommonOptions& options,
                     const Terminal& terminal) {
  if (options.json) return analysis::to_json(summary);
  std::ostringstream out;
  analysis::print_run(out, summary, prepared.plans, answer_style(terminal, options.color));
  return out.str();
}

/// Joins the parts. A failure is kept for later: the answer is printed first, it took work to get.
std::exception_ptr assembled(ResultsFile* results, std::uint64_t replicates) {
  try {
    if (results) results->assemble(static_cast<std::uint32_t>(replicates));
    return nullptr;
  } catch (const models::OutputError&) {
    return std::current_exception();
  }
}

/// "480 of 1000 trials"; a stopping rule knows only the most there can be.
std::string progress_made(const scenarios::MonteCarlo& montecarlo, std::uint64_t done) {
  return std::to_string(done) + (montecarlo.until ? " of at most " : " of ") + std::to_string(most_trials(montecarlo)) +
         " trials";
}

void say_how_to_go_on(const RunOptions& options, const std::string& made) {
  std::cerr << "fleetcast: interrupted: " << made << " per strategy are complete";
  if (options.out) std::cerr << " and kept; complete them with --out '" << *options.out << "' --resume";
  std::cerr << '\n';
}

ExitCode answer_interrupted(Trials&& trials, const Prepared& prepared, const RunOptions& options,
                            const Terminal& terminal) {
  const std::uint64_t done = trials.count();
  const std::string made = progress_made(prepared.file.montecarlo, done);
  say_how_to_go_on(options, made);
  if (done == 0) return ExitCode::interrupted;
  const bool consecutive = trials.blocks.rbegin()->first + 1 == trials.blocks.size();
  analysis::RunSummary summary =
      analysis::summarize(prepared.file, prepared.plans, in_trial_order(std::move(trials)), consecutive);
  summary.warnings.insert(summary.warnings.begin(), "interrupted: " + made);
  write_answer(rendered(summary, prepared, options.common, terminal));
  return ExitCode::interrupted;
}

ExitCode answer_complete(Trials&& trials, const Prepared& prepared, const RunOptions& options, const Terminal& terminal,
                         ResultsFile* results) {
  const std::exception_ptr trouble = assembled(results, trials.count());
  const std::optional<analysis::Stopping> stopping = std::move(trials.stopping);
  analysis::RunSummary summary = analysis::summarize(prepared.file, prepared.plans, in_trial_order(std::move(trials)));
  if (stopping) tell(summary, *stopping);
  write_answer(rendered(summary, prepared, options.common, terminal));
  if (trouble) std::rethrow_exception(trouble);
  if (results && !options.common.quiet) std::cerr << "fleetcast: every trial is in " << *options.out << '\n';
  const ExitCode code = verdict(summary, prepared.plans);
  if (code != ExitCode::answered) explain_unfinished(summary, prepared.plans, std::cerr);
  return code;
}

ExitCode simulate_and_answer(const Prepared& prepared, const RunOptions& options) {
  const Terminal terminal = inspect_terminal();
  const InterruptWatch interrupt;
  const std::unique_ptr<ResultsFile> results = open_results(prepared, options);
  Trials trials;
  {
    Progress progress{terminal.shows_messages && !options.common.quiet, terminal.unicode};
    trials = simulate(prepared, options.common.threads, results.get(), interrupt.requested(), progress);
  }
  if (!trials.complete) return answer_interrupted(std::move(trials), prepared, options, terminal);
  return answer_complete(std::move(trials), prepared, options, terminal, results.get());
}

void note_missing_reference(const Prepared& prepared, const CommonOptions& options) {
  if (options.strategies.empty() || options.quiet) return;
  for (const scenarios::Scenario& strategy : prepared.file.strategies) {
    if (strategy.strategy == prepared.file.compare_to) return;
  }
  std::cerr << "fleetcast: no differences: add --strategy '" << prepared.file.compare_to << "' to compare with it\n";
}

}  // namespace

ExitCode command_run(std::span<const std::string> arguments) {
  const RunOptions options = parse_run_options(arguments);
  if (options.common.help) {
    write_answer(run_help());
    return ExitCode::answered;
  }
  const Prepared prepared = prepare(options.common);
  if (options.trial) {
    const Replay one = replay(prepared, *options.trial);
    write_answer(options.common.json ? replay_json(prepared, one) : replay_text(prepared, one));
    return ExitCode::answered;
  }
  note_missing_reference(prepared, options.common);
  return simulate_and_answer(prepared, options);
}

}  // namespace fleetcast::cli
