#pragma once
// What a calibration found, and how far to trust it: on the terminal, as JSON, as a page.
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "analysis/calibration/score.hpp"
#include "analysis/style.hpp"

namespace fleetcast::analysis {

struct FittedParameter {
  std::string name, about;
  std::string unit;  ///< "" for a pure number
  double value = 0.0;
  double low = 0.0, high = 0.0;  ///< 90 % interval after the fit; both `value` where fixed
  double prior = 0.0;
  double prior_low = 0.0, prior_high = 0.0;  ///< 90 % interval before the fit
  bool fixed = false;                        ///< not fitted: the data do not tell it
  double information = 0.0;                  ///< 1 - posterior sd / prior sd; 0: the data said nothing
};

struct CalibrationReport {
  std::vector<FittedParameter> parameters;
  /// What was left out ("source and model left out", "whole source left out") and how those rows were predicted; the
  /// first is the one to quote.
  std::vector<std::pair<std::string, Score>> cross_validation;
  Score in_sample;
  std::size_t rows = 0;    ///< fitted
  std::size_t groups = 0;  ///< of rows that are no independent evidence
  std::vector<SkippedRow> skipped;
  std::vector<std::pair<std::string, std::string>> findings;  ///< name and text: ratios, scaling
};

/// Parameters that the rows moved; the others are fixed.
std::size_t fitted_parameters(const CalibrationReport& report);

/// The answer in one sentence: the errors on rows that were not fitted.
std::string headline_of(const CalibrationReport& report);

/// The score to judge the calibration by: the first cross-validation, or the fit itself if there is none.
const Score& judged_score(const CalibrationReport& report);

/// Errors by what was left out, the fit itself last.
std::vector<std::pair<std::string, ErrorStatistics>> validation_errors(const CalibrationReport& report);

/// The errors on rows that were not fitted first, then the tables.
void print_calibration(std::ostream& out, const CalibrationReport& report, const Style& style);

/// {"rows","groups","skipped","in_sample","cross_validation","parameters","findings"}; each score in the form of
/// `score_json`. Throws ContractError for a figure that is not finite.
std::string calibration_report_json(const CalibrationReport& report);

/// A page of its own. `origin` says what made it, from which data.
std::string calibration_html(const CalibrationReport& report, const std::string& origin);

}  // namespace fleetcast::analysis
