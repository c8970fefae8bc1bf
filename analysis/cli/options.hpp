#pragma once
// The command line as typed values.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/cli/refuse.hpp"
#include "analysis/cli/terminal.hpp"

namespace fleetcast::cli {

/// What every command takes.
struct CommonOptions {
  bool help = false;                    ///< print the help of the command and do nothing else
  std::string scenario;                 ///< path as given
  std::vector<std::string> overrides;   ///< "/pointer=value" of --set, then those of --seed, --replicates, --grain
  std::vector<std::string> strategies;  ///< empty: all
  std::optional<std::string> catalog;   ///< folder with catalog files of the user
  unsigned threads = 0;                 ///< 0: all cores
  bool json = false;
  bool quiet = false;
  ColorChoice color = ColorChoice::automatic;
};

struct RunOptions {
  CommonOptions common;
  std::optional<std::string> out;
  bool force = false, resume = false;  ///< never both; only with `out`
  std::optional<std::uint32_t> trial;  ///< replay this one; never with `out`
};

struct CatalogOptions {
  bool help = false;
  std::string kind, id;                ///< empty: all of them
  std::optional<std::string> catalog;  ///< folder with catalog files of the user
  bool json = false;
  ColorChoice color = ColorChoice::automatic;
};

/// One trial as a timeline.
struct TraceOptions {
  CommonOptions common;            ///< one strategy
  std::optional<std::string> out;  ///< standard output without it
  bool force = false;              ///< only with `out`
  std::uint32_t trial = 0;
  double from_s = 0.0, to_s = 0.0;     ///< single steps in [from, to), seconds of the simulation; equal: none
  std::optional<std::uint32_t> nodes;  ///< tracks for the first so many; nothing: all
};

/// All throw InputError for a command line that cannot be understood.
CommonOptions parse_check_options(std::span<const std::string> arguments);
RunOptions parse_run_options(std::span<const std::string> arguments);
CatalogOptions parse_catalog_options(std::span<const std::string> arguments);
TraceOptions parse_trace_options(std::span<const std::string> arguments);

/// The list of options, for `--help`.
std::string check_options_text();
std::string run_options_text();
std::string catalog_options_text();
std::string trace_options_text();

}  // namespace fleetcast::cli
