#pragma once
// Runs the built program as a process of its own, as a shell or a terminal would.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.hpp"

namespace fleetcast::tests {

struct Finished {
  int code = 0;  ///< exit status; 128 + signal if a signal ended it
  std::string out, err;
};

struct Surroundings {
  std::filesystem::path folder;                    ///< working folder; empty: that of the test
  std::map<std::string, std::string> variables{};  ///< added to an environment of PATH and LC_ALL=C alone
  std::string out_path{};                          ///< standard output goes there, "" to Finished::out
  bool out_closed = false;                         ///< started without a standard output
  bool as_nobody = false;                          ///< without rights; only where the test itself runs as root
};

/// Exit status where the program could not be executed at all.
constexpr int cannot_be_started = 127;

/// Runs FLEETCAST_PROGRAM and waits for its end.
Finished run_fleetcast(const std::vector<std::string>& arguments, const Surroundings& surroundings = {});
/// The same with any program.
Finished execute(const std::string& program, const std::vector<std::string>& arguments,
                 const Surroundings& surroundings = {});

/// Everything that the program shows on a terminal of this many columns (both streams mixed), and its exit status.
struct Shown {
  int code = 0;
  std::string text;
};
Shown run_on_terminal(const std::vector<std::string>& arguments, int columns,
                      const std::map<std::string, std::string>& variables);

/// A run that is still going on.
class Running {
 public:
  Running(const std::vector<std::string>& arguments, const Surroundings& surroundings);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void send(int signal) const;
  [[nodiscard]] bool goes_on() const;
  /// Waits for the end.
  Finished finish();

 private:
  TemporaryFolder scratch_;
  std::string out_path_, err_path_;
  int process_ = -1;
};

}  // namespace fleetcast::tests
