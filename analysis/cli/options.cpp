#include "analysis/cli/options.hpp"

#include <limits>

#include "analysis/cli/option_values.hpp"
#include "scenarios/values.hpp"

namespace fleetcast::cli {
namespace {

namespace po = boost::program_options;

po::options_description common_description() {
  po::options_description options{"Options", description_columns};
  options.add_options()("help", "print this")("json", "print the answer as JSON")(
      "set", po::value<Texts>()->composing()->value_name("/POINTER=VALUE"),
      "change one value of the scenario, e.g. --set /fleet/main/nodes=32 (repeatable)")(
      "strategy", po::value<Texts>()->composing()->value_name("NAME"),
      "only this strategy, with the same random numbers as in a run of all (repeatable); differences are shown if"
      " the one to compare with is among them")("seed", po::value<std::string>()->value_name("N"),
                                                "seed of all random numbers, 0 to 2^64-1")(
      "replicates", po::value<std::string>()->value_name("N"),
      "trials per strategy, at least 1; with montecarlo.until, of its first look")(
      "grain", po::value<std::string>()->value_name("span|step|node"),
      "span: jump from one disturbance to the next; node: every phase of every node is an event")(
      "threads", po::value<std::string>()->value_name("N|all"),
      "cores to use, 1 to 1024 (default all); never changes the answer")(
      "catalog", po::value<std::string>()->value_name("DIR"),
      "take each catalog file found in DIR instead of the built-in one")(
      "quiet", "no progress and no notes; warnings and errors stay")(
      "color", po::value<std::string>()->value_name("auto|always|never"),
      "auto: on a terminal, unless NO_COLOR is set or TERM is dumb");
  return options;
}

po::options_description run_description() {
  po::options_description options = common_description();
  options.add_options()("out", po::value<std::string>()->value_name("FILE"),
                        "write every trial to FILE (HDF5, readable as netCDF-4); without it nothing is written")(
      "force", "with --out: overwrite FILE and what an unfinished run left beside it")(
      "resume", "with --out: take what an unfinished run of the same scenario left and compute the rest")(
      "trial", po::value<std::string>()->value_name("K"),
      "replay trial K alone (the first is 0) and print how it went");
  return options;
}

po::options_description catalog_description() {
  po::options_description options{"Options", description_columns};
  options.add_options()("help", "print this")("json", "print the answer as JSON: SI units, null for what is not known")(
      "catalog", po::value<std::string>()->value_name("DIR"),
      "take each catalog file found in DIR instead of the built-in one")(
      "color", po::value<std::string>()->value_name("auto|always|never"),
      "auto: on a terminal, unless NO_COLOR is set or TERM is dumb");
  return options;
}

po::options_description trace_description() {
  po::options_description options = common_description();
  options.add_options()("out", po::value<std::string>()->value_name("FILE"),
                        "write the timeline to FILE and print how the trial went; without it the timeline goes to"
                        " standard output, unless that is a terminal")("force", "with --out: overwrite FILE")(
      "trial", po::value<std::string>()->value_name("K"), "the trial to show (default 0, the first)")(
      "window", po::value<std::string>()->value_name("FROM..TO"),
      "show single steps between two times of the simulation, e.g. --window \"48 h..50 h\"")(
      "nodes", po::value<std::string>()->value_name("N"), "tracks for the first N nodes only; 0: none (default all)");
  return options;
}

/// --seed and its like are short for a --set: the reader checks them like any other value of the scenario.
Texts overrides_of(const po::variables_map& values) {
  Texts overrides = texts_of(values, "set");
  for (const char* name : {"seed", "replicates", "grain"}) {
    if (const auto text = text_of(values, name)) overrides.push_back("/montecarlo/" + std::string{name} + "=" + *text);
  }
  return overrides;
}

std::string scenario_of(const po::variables_map& values) {
  const Texts files = texts_of(values, words_key);
  if (files.empty()) refuse("the scenario file is missing", "fleetcast COMMAND SCENARIO");
  if (files.size() > 1) refuse("one scenario file at a time; found \"" + files[0] + "\" and \"" + files[1] + "\"");
  return files.front();
}

CommonOptions common_of(const po::variables_map& values) {
  CommonOptions options;
  options.help = values.count("help") > 0;
  if (options.help) return options;
  options.scenario = scenario_of(values);
  options.overrides = overrides_of(values);
  options.strategies = texts_of(values, "strategy");
  options.catalog = text_of(values, "catalog");
  options.threads = threads_of(values);
  options.json = values.count("json") > 0;
  options.quiet = values.count("quiet") > 0;
  options.color = color_of(values);
  return options;
}

std::uint32_t trial_of(const std::string& text) {
  return static_cast<std::uint32_t>(whole_number("--trial", text, 0, std::numeric_limits<std::uint32_t>::max()));
}

double window_time(const std::string& window, const std::string& text) {
  const scenarios::Parsed<double> time = scenarios::parse_time(text);
  if (!time.value) {
    refuse("--window: found \"" + text + "\" in \"" + window + "\"", "two times, e.g. \"48 h..50 h\"",
           time.problem.nearest);
  }
  return *time.value;
}

void read_window(const std::string& window, TraceOptions& options) {
  const std::size_t dots = window.find("..");
  if (dots == std::string::npos) refuse("--window: found \"" + window + "\"", "two times, e.g. \"48 h..50 h\"");
  options.from_s = window_time(window, window.substr(0, dots));
  options.to_s = window_time(window, window.substr(dots + 2));
  if (!(options.from_s < options.to_s)) {
    refuse("--window: found \"" + window + "\"", "a time and a later one, e.g. \"48 h..50 h\"");
  }
}

void check_together(const RunOptions& options) {
  if (options.force && options.resume) refuse("--force starts anew, --resume continues: give one of them");
  if (options.force && !options.out) refuse("--force says what may happen to the file of --out, which is missing");
  if (options.resume && !options.out) refuse("--resume needs the file to complete: --out FILE");
  if (options.trial && options.out) refuse("--trial prints one trial and writes no file: leave --out away");
}

}  // namespace

CommonOptions parse_check_options(std::span<const std::string> arguments) {
  return common_of(parse(arguments, common_description()));
}

RunOptions parse_run_options(std::span<const std::string> arguments) {
  const po::variables_map values = parse(arguments, run_description());
  RunOptions options;
  options.common = common_of(values);
  options.out = text_of(values, "out");
  options.force = values.count("force") > 0;
  options.resume = values.count("resume") > 0;
  if (const auto trial = text_of(values, "trial")) {
    options.trial = trial_of(*trial);
  }
  check_together(options);
  return options;
}

CatalogOptions parse_catalog_options(std::span<const std::string> arguments) {
  const po::variables_map values = parse(arguments, catalog_description());
  CatalogOptions options;
  options.help = values.count("help") > 0;
  if (options.help) return options;
  const Texts words = texts_of(values, words_key);
  if (words.size() > 2) refuse("one entry at a time; found \"" + words[2] + "\" too", "fleetcast catalog [KIND] [ID]");
  if (!words.empty()) options.kind = words[0];
  if (words.size() > 1) options.id = words[1];
  options.catalog = text_of(values, "catalog");
  options.json = values.count("json") > 0;
  options.color = color_of(values);
  return options;
}

TraceOptions parse_trace_options(std::span<const std::string> arguments) {
  const po::variables_map values = parse(arguments, trace_description());
  TraceOptions options;
  options.common = common_of(values);
  if (options.common.help) return options;
  if (options.common.strategies.size() > 1) refuse("trace shows one trial of one strategy: one --strategy NAME");
  if (options.common.strategies.empty()) options.common.strategies = {"base"};
  options.out = text_of(values, "out");
  options.force = values.count("force") > 0;
  if (options.force && !options.out) refuse("--force says what may happen to the file of --out, which is missing");
  if (const auto trial = text_of(values, "trial")) options.trial = trial_of(*trial);
  if (const auto window = text_of(values, "window")) read_window(*window, options);
  if (const auto nodes = text_of(values, "nodes")) {
    options.nodes =
        static_cast<std::uint32_t>(whole_number("--nodes", *nodes, 0, std::numeric_limits<std::uint32_t>::max()));
  }
  return options;
}

std::string check_options_text() {
  return described(common_description());
}

std::string run_options_text() {
  return described(run_description());
}

std::string catalog_options_text() {
  return described(catalog_description());
}

std::string trace_options_text() {
  return described(trace_description());
}

}  // namespace fleetcast::cli
