#include "scenarios/report.hpp"

#include <algorithm>

namespace fleetcast::scenarios {
namespace {

/// More than anyone reads; keeps a hostile file from costing hours.
constexpr std::size_t most_faults = 200;

}  // namespace

bool Report::known(Position at, const std::string& pointer, const std::string& problem) const {
  return std::any_of(seen_.begin(), seen_.end(), [&](const Seen& seen) {
    return seen.at.line == at.line && seen.at.column == at.column && seen.pointer == pointer && seen.problem == problem;
  });
}

void Report::fault(Position at, bool patched, const std::string& pointer, const Problem& problem) {
  ++count_;
  if (known(at, pointer, problem.found)) return;
  if (faults_.size() >= most_faults) {
    cut_ = true;
    return;
  }
  seen_.push_back({at, pointer, problem.found});
  const bool in_strategy = !strategy_.empty();
  const std::string place = in_strategy && patched ? pointer_below("/strategies", strategy_) + pointer : pointer;
  const std::string prefix = in_strategy && !patched ? "with strategy " + in_quotes(strategy_) + ": " : "";
  faults_.push_back({at.line > 0 ? file_ : std::string{}, at.line, at.column, place, prefix + problem.found,
                     problem.allowed, problem.nearest});
}

void Report::throw_if_any() const {
  if (faults_.empty()) return;
  std::vector<models::Fault> sorted = faults_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const models::Fault& a, const models::Fault& b) {
    return a.line != b.line ? a.line < b.line : a.column < b.column;
  });
  if (cut_) sorted.push_back({file_, 0, 0, "", "there are more faults than are shown here", "", ""});
  throw models::InputError{std::move(sorted)};
}

}  // namespace fleetcast::scenarios
