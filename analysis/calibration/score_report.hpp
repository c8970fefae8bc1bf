#pragma once
// A score on the terminal.
#include <ostream>
#include <span>

#include "analysis/calibration/score.hpp"
#include "analysis/style.hpp"

namespace fleetcast::analysis {

/// The answer in one sentence, errors by group, the worst rows, what was skipped and why.
void print_score(std::ostream& out, const Score& score, const Style& style);

/// The parts of it that a calibration shows too. Each begins with an empty line, and prints nothing where there is
/// nothing to say.
void print_error_groups(std::ostream& out, const Score& score, const Style& style);
void print_worst_rows(std::ostream& out, const Score& score, const Style& style);
void print_skipped(std::ostream& out, std::span<const SkippedRow> skipped, const Style& style);

}  // namespace fleetcast::analysis
