#pragma once
// What a calibration from records found: on the terminal, as JSON, as a page.
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "analysis/calibration/score.hpp"
#include "analysis/style.hpp"

namespace fleetcast::analysis {

struct RecordParameter {
  std::string name, unit, about;
  double value = 0.0;
  std::optional<double> low, high;  ///< 90 % interval; one that is missing is not bounded by the data
};

/// A table of texts. Each row has as many cells as there are heads; the first cell is its name.
struct RecordListing {
  std::string title, about;
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;
};

struct RecordReport {
  std::string kind;      ///< "failures", "price", "storage"
  std::string headline;  ///< the answer in one sentence
  std::string about;     ///< from what, how
  std::size_t rows = 0;  ///< used
  std::vector<RecordParameter> parameters;
  std::vector<RecordListing> listings;
  std::vector<std::pair<std::string, std::string>> findings;  ///< name and text; what the data cannot tell is here, too
  std::vector<SkippedRow> skipped;
  std::vector<std::string> figures;  ///< HTML
  std::string ready_for;             ///< where `ready` goes in a scenario: "/failures"
  std::string ready;                 ///< the member or value, as text
};

void print_records(std::ostream& out, const RecordReport& report, const Style& style);
/// {"kind","headline","rows","parameters":[{"name","value","low","high","unit","about"}],"findings":[{"name","text"}],
/// "skipped":[{"id","reason"}],"ready_for","ready"}; a bound that is missing is null. Throws ContractError for a figure
/// that is not finite.
std::string record_report_json(const RecordReport& report);
/// A page of its own. `origin` says what made it, from which data.
std::string records_html(const RecordReport& report, const std::string& origin);

/// Five significant digits: more than a fit knows, and the same text from every compiler.
double five_digits(double value);
/// Three significant digits, in any size: "0.00379", "1.97e-05" below a thousandth of a thousandth.
std::string three_digits(double value);
/// "3.5 to 4.1"; "above 3.5" or "below 4.1" or "not bounded" where a bound is missing.
std::string interval_text(const RecordParameter& parameter);

}  // namespace fleetcast::analysis
