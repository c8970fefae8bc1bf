// The only place that ends the process.
#include <iostream>
#include <string>
#include <vector>

#include "analysis/cli/answer.hpp"
#include "analysis/cli/exit_codes.hpp"
#include "analysis/cli/program.hpp"

int main(int count, char** values) {
  fleetcast::cli::secure_standard_streams();
  const auto work = [&] {
    const std::vector<std::string> arguments(values + (count > 0 ? 1 : 0), values + count);
    return fleetcast::cli::run_program(arguments);
  };
  return static_cast<int>(fleetcast::cli::guarded(work, std::cerr));
}
