#include "analysis/cli/score_options.hpp"

#include <algorithm>

#include "analysis/cli/option_values.hpp"
#include "scenarios/nearest_name.hpp"

namespace fleetcast::cli {
namespace {

namespace po = boost::program_options;

const std::string market_kind = "market", price_kind = "price";

/// What a command can do with measured rows.
struct Kinds {
  std::string command;
  Texts known;
};
const Kinds& score_kinds() {
  static const Kinds kinds{"score", {"throughput", "runs", "market"}};
  return kinds;
}
const Kinds& calibrate_kinds() {
  static const Kinds kinds{"calibrate", {"throughput", "market", "failures", "price", "storage"}};
  return kinds;
}

void add_threads(po::options_description& options) {
  options.add_options()("threads", po::value<std::string>()->value_name("N|all"),
                        "cores to use, 1 to 1024 (default all); never changes the answer");
}

po::options_description measured_description() {
  po::options_description options{"Options", description_columns};
  options.add_options()("help", "print this")("json", "print the answer as JSON")(
      "html", po::value<std::string>()->value_name("FILE"), "write a page with pictures and all rows to FILE")(
      "force", "overwrite the files to write")("catalog", po::value<std::string>()->value_name("DIR"),
                                               "take each catalog file found in DIR instead of the built-in one")(
      "quiet", "no notes; warnings and errors stay")("color", po::value<std::string>()->value_name("auto|always|never"),
                                                     "auto: on a terminal, unless NO_COLOR is set or TERM is dumb");
  return options;
}

po::options_description score_description() {
  po::options_description options = measured_description();
  options.add_options()("jobs",
                        "of market: forecast jobs, the later half of each trace from its first and each zone "
                        "from its neighbour, against models that must be beaten");
  add_threads(options);
  return options;
}

po::options_description calibrate_description() {
  po::options_description options = measured_description();
  options.add_options()("out", po::value<std::string>()->value_name("FILE"), "write the calibration to FILE (JSON)")(
      "also", po::value<std::vector<std::string>>()->value_name("FILE")->composing(),
      "rows of one code at many small shapes, fitted too; they weigh as much as 15 rows; may be repeated")(
      "doubtful", po::value<std::string>()->value_name("FILE"), "CSV file whose column id names rows to leave out");
  add_threads(options);
  return options;
}

void check_kind(const std::string& kind, const Kinds& kinds) {
  if (std::ranges::find(kinds.known, kind) != kinds.known.end()) return;
  refuse("unknown kind \"" + kind + "\"", scenarios::nearest_first(kind, kinds.known),
         scenarios::nearest_name(kind, kinds.known));
}

void read_words(const Texts& words, const Kinds& kinds, MeasuredOptions& options) {
  const std::string usage = "fleetcast " + kinds.command + " KIND DATA";
  if (words.empty())
    refuse("the kind of data is missing", usage + "; kinds: " + scenarios::nearest_first("", kinds.known));
  check_kind(words[0], kinds);
  if (words.size() < 2) refuse("the file with measured rows is missing", usage);
  options.kind = words[0];
  options.data = words[1];
  if (options.kind == market_kind || options.kind == price_kind) {
    options.traces.assign(words.begin() + 1, words.end());
    return;
  }
  if (words.size() > 2) refuse("one file at a time; found \"" + words[1] + "\" and \"" + words[2] + "\"", usage);
}

MeasuredOptions measured_of(const po::variables_map& values, const Kinds& kinds) {
  MeasuredOptions options;
  options.help = values.count("help") > 0;
  if (options.help) return options;
  read_words(texts_of(values, words_key), kinds, options);
  options.html = text_of(values, "html");
  options.catalog = text_of(values, "catalog");
  options.force = values.count("force") > 0;
  options.json = values.count("json") > 0;
  options.quiet = values.count("quiet") > 0;
  options.color = color_of(values);
  return options;
}

}  // namespace

ScoreOptions parse_score_options(std::span<const std::string> arguments) {
  const po::variables_map values = parse(arguments, score_description());
  ScoreOptions options{measured_of(values, score_kinds()), values.count("jobs") > 0, 0};
  const MeasuredOptions& measured = options.measured;
  if (measured.help) return options;
  if (measured.force && !measured.html) refuse("--force says what may happen to the file of --html, which is missing");
  const bool market = measured.kind == market_kind;
  if (options.jobs && !market) refuse("--jobs is for traces of a market", "fleetcast score market --jobs TRACE...");
  if (values.count("threads") > 0 && !market) refuse("--threads is for traces of a market; rows are scored at once");
  options.threads = threads_of(values);
  return options;
}

CalibrateOptions parse_calibrate_options(std::span<const std::string> arguments) {
  const po::variables_map values = parse(arguments, calibrate_description());
  CalibrateOptions options{measured_of(values, calibrate_kinds()), {}, {}, {}, 0};
  if (options.measured.help) return options;
  options.out = text_of(values, "out");
  options.threads = threads_of(values);
  if (values.count("also") > 0) options.also = values["also"].as<std::vector<std::string>>();
  options.doubtful = text_of(values, "doubtful");
  if (options.measured.kind != "throughput" && (!options.also.empty() || options.doubtful))
    refuse("--also and --doubtful are for tables of throughputs; name all traces one after the other");
  if (options.measured.force && !options.out && !options.measured.html)
    refuse("--force says what may happen to the files of --out and --html, which are missing");
  if (options.out && options.out == options.measured.html)
    refuse("--out and --html name the same file, " + *options.out);
  return options;
}

std::string score_options_text() {
  return described(score_description());
}

std::string calibrate_options_text() {
  return described(calibrate_description());
}

}  // namespace fleetcast::cli
