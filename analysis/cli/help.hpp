#pragma once
// What `--help` prints.
#include <string>

namespace fleetcast::cli {

/// Of the program: commands, exit codes, examples.
std::string program_help();
std::string run_help();
std::string check_help();
std::string catalog_help();
std::string trace_help();
std::string score_help();
std::string calibrate_help();
std::string version_text();

}  // namespace fleetcast::cli
