#pragma once
// The strategies of a scenario file: patches on the base.
#include <string>
#include <vector>

#include "scenarios/fields.hpp"

namespace fleetcast::scenarios {

struct Strategy {
  std::string name;
  const Node* patch = nullptr;  ///< an object; lives as long as the document
};

/// In file order, `base` not among them. Faults for names that are reserved, levers (there are none yet), fields
/// that a strategy cannot patch, and what is no patch.
std::vector<Strategy> read_strategies(const Object& top);

/// "base" or a name of `strategies`.
std::string read_compare_to(const Object& top, const std::vector<Strategy>& strategies);

/// The document as a strategy sees it: the base, without its strategies, patched.
Node patched_document(const Node& base, const Node& patch);
/// The base itself, without its strategies.
Node base_document(const Node& document);

}  // namespace fleetcast::scenarios
