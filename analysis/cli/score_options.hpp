#pragma once
// The command lines of `score` and `calibrate`.
#include <optional>
#include <span>
#include <string>

#include "analysis/cli/terminal.hpp"

namespace fleetcast::cli {

/// Measured rows, and where what is learnt from them goes.
struct MeasuredOptions {
  bool help = false;
  std::string kind;                    ///< one of those that the command knows
  std::string data;                    ///< path of the CSV file as given; of traces the first
  std::vector<std::string> traces;     ///< all files of the kinds "market" and "price"
  std::optional<std::string> html;     ///< page to write
  std::optional<std::string> catalog;  ///< folder with catalog files of the user
  bool force = false;                  ///< only with a file to write
  bool json = false;
  bool quiet = false;
  ColorChoice color = ColorChoice::automatic;
};

struct ScoreOptions {
  MeasuredOptions measured;
  bool jobs = false;     ///< of market: judge forecasts of jobs instead of the fit
  unsigned threads = 0;  ///< of market; 0: all cores
};

struct CalibrateOptions {
  MeasuredOptions measured;
  std::optional<std::string> out;       ///< calibration file to write; another than the page
  std::vector<std::string> also;        ///< further tables, fitted with little weight
  std::optional<std::string> doubtful;  ///< table of the ids of rows to leave out
  unsigned threads = 0;                 ///< 0: all cores
};

/// Both throw InputError for a command line that cannot be understood, and for a kind that is not supported.
ScoreOptions parse_score_options(std::span<const std::string> arguments);
CalibrateOptions parse_calibrate_options(std::span<const std::string> arguments);

/// The list of options, for `--help`.
std::string score_options_text();
std::string calibrate_options_text();

}  // namespace fleetcast::cli
