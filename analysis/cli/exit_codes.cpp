#include "analysis/cli/exit_codes.hpp"

#include <algorithm>
#include <new>
#include <system_error>
#include <tuple>
#include <vector>

#include "analysis/cli/answer.hpp"
#include "models/errors.hpp"

namespace fleetcast::cli {
namespace {

using models::Fault;

/// File by file, from top to bottom; what has no line stands behind what has one.
bool stands_before(const Fault& a, const Fault& b) {
  return std::tuple{a.file, a.line == 0, a.line, a.column} < std::tuple{b.file, b.line == 0, b.line, b.column};
}

void print_faults(const models::InputError& error, std::ostream& messages) {
  std::vector<Fault> faults = error.faults();
  std::stable_sort(faults.begin(), faults.end(), stands_before);
  for (const Fault& fault : faults) messages << (fault.file.empty() ? "fleetcast: " : "") << describe(fault) << '\n';
  if (faults.size() > 1) messages << "fleetcast: " << faults.size() << " faults; nothing was run\n";
}

ExitCode report_bug(const char* what, std::ostream& messages) {
  messages << "fleetcast: internal error: " << what << '\n'
           << "This is a bug in fleetcast, not in your scenario. Please report it with the command line, the scenario"
              " file\nand the output of `fleetcast --version`.\n";
  return ExitCode::bug;
}

}  // namespace

ExitCode guarded(const std::function<ExitCode()>& work, std::ostream& messages) try {
  return work();
} catch (const models::InputError& error) {
  print_faults(error, messages);
  return ExitCode::bad_input;
} catch (const models::InfeasibleError& error) {
  messages << "fleetcast: this cannot work: " << error.what() << '\n';
  return ExitCode::infeasible;
} catch (const ReaderGone&) {
  return ExitCode::output_failed;  // `| head` has what it wanted; a message would only disturb
} catch (const models::OutputError& error) {
  messages << "fleetcast: " << error.what() << '\n';
  return ExitCode::output_failed;
} catch (const std::bad_alloc&) {
  messages << "fleetcast: out of memory; fewer --replicates or fewer strategies at a time need less\n";
  return ExitCode::limit;
} catch (const std::system_error& error) {
  messages << "fleetcast: the system refused: " << error.what() << "; fewer --threads need less\n";
  return ExitCode::limit;
} catch (const std::exception& error) {
  return report_bug(error.what(), messages);
} catch (...) {
  return report_bug("an exception of an unknown type", messages);
}

}  // namespace fleetcast::cli
