#pragma once
// The error types of the whole program. Only main() turns them into exit codes.
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fleetcast::models {

/// One thing that is wrong with an input: where it is, what was found, what is allowed.
struct Fault {
  std::string file;        ///< path as the user gave it; empty for the command line
  std::size_t line = 0;    ///< 1-based; 0 where there is none
  std::size_t column = 0;  ///< 1-based; 0 where there is none
  std::string pointer;     ///< JSON pointer of the value, "" for the whole document
  std::string problem;     ///< one sentence: what is wrong, with the value that was found
  std::string allowed;     ///< range, unit or list of what is allowed; may be empty
  std::string nearest;     ///< nearest valid name; may be empty
};

/// The input is wrong (exit code 2). Carries every fault found, not only the first.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Fault> faults);
  [[nodiscard]] const std::vector<Fault>& faults() const { return faults_; }

 private:
  std::vector<Fault> faults_;
};

/// A valid input that cannot work: no memory, no progress (exit code 3).
class InfeasibleError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An output could not be written or read back (exit code 5).
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Our own bug (exit code 1).
class ContractError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws ContractError with the place of the call unless `holds`.
void require(bool holds, std::string_view what, std::source_location where = std::source_location::current());

/// "file:line:column: /pointer: problem (allowed: ...; did you mean ...?)", one line.
std::string describe(const Fault& fault);

}  // namespace fleetcast::models
