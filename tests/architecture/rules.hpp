#pragma once
// The walls of the house: who may include whom, and what may stand where. Each rule returns one line per violation,
// "path:line: what", nothing if all is well.
#include <string>
#include <vector>

#include "tests/architecture/source_tree.hpp"

namespace fleetcast::tests {

using Violations = std::vector<std::string>;

/// Includes between our own folders point one way: models, scenarios, sim, analysis, analysis/cli.
Violations forbidden_arrows(const SourceTree& tree);
/// Each library and the system's headers have their rooms.
Violations libraries_out_of_their_room(const SourceTree& tree);
/// sim/kernel knows nothing of what it is used for.
Violations domain_words_in_the_kernel(const SourceTree& tree);
/// exp, log, pow ... of the C library give other bits on other processors: models/ and sim/ use those of
/// models/random/deterministic_math.hpp.
Violations library_math_in_results(const SourceTree& tree);
/// Exceptions to the rule before that nothing needs any more.
Violations stale_math_exceptions(const SourceTree& tree);
Violations unexpected_top_level_names(const SourceTree& tree);
Violations headers_without_pragma_once(const SourceTree& tree);
/// Above 350 lines a file has two purposes.
Violations long_files(const SourceTree& tree);

}  // namespace fleetcast::tests
