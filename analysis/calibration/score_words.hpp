#pragma once
// Errors and figures of a score as people read them, on a terminal or a page.
#include <string>

#include "analysis/calibration/score.hpp"

namespace fleetcast::analysis {

/// "4.9" for 0.0491 and "-0.5" for -0.0051: percent with one decimal, none from 100 on.
std::string percent_error(double error);
/// The same, with a plus where it is positive.
std::string signed_percent_error(double error);
/// "90" for 0.8968.
std::string percent_share(double share);
/// Three significant digits, thousands grouped.
std::string short_figure(double value);
/// "1 row", "654 rows".
std::string counted(std::size_t count, const std::string& one);
/// "Llama-70B, H100, fp8": what a row is about, as far as it is known.
std::string subject_of(const ScoredRow& row);
/// With unbreakable blanks (UTF-8) before percent signs.
std::string unbroken_percents(std::string text);
/// Units of a score: "tokens/s per GPU and samples/s per GPU".
std::string quantity_of(const Score& score);

}  // namespace fleetcast::analysis
