#pragma once
// What the program says to the shell, and the one place where exceptions become that.
#include <functional>
#include <ostream>

namespace fleetcast::cli {

/// Listed for users in `fleetcast --help`.
enum class ExitCode : int {
  answered = 0,
  bug = 1,            ///< ours
  bad_input = 2,      ///< scenario or command line
  infeasible = 3,     ///< valid, but cannot work; or no trial of any strategy finished
  limit = 4,          ///< an enforced limit ended every trial, or memory or threads ran out
  output_failed = 5,  ///< a result could not be written
  interrupted = 130   ///< by Ctrl-C or SIGTERM
};

/// Runs `work` and turns whatever it throws into a message on `messages` and an exit code.
ExitCode guarded(const std::function<ExitCode()>& work, std::ostream& messages);

}  // namespace fleetcast::cli
