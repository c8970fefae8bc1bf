#pragma once
// The stopping rule in words and in JSON's terms.
#include <string>

#include "analysis/summary.hpp"

namespace fleetcast::analysis {

/// Notes in the summary how the rule ended the run, and warns if that was for another reason than being met.
/// `stopping.last.widths` are those of `summary.strategies`.
void tell(RunSummary& summary, const Stopping& stopping);

/// "Stopping rule: met after 2 doublings, at 4,000 trials: ..."; empty without a rule.
std::string stopping_line(const RunSummary& summary);

/// What the rule will do, for `check`; empty without a rule.
std::string rule_sentence(const scenarios::MonteCarlo& montecarlo);

}  // namespace fleetcast::analysis
