#pragma once
// Predicted against measured: the rows of a score, and how wrong they are.
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/grade.hpp"

namespace fleetcast::analysis {

/// One measured row with its prediction. All figures are finite and positive, in `unit`.
struct ScoredRow {
  std::string id;
  double measured = 0.0, predicted = 0.0;
  double low = 0.0, high = 0.0;  ///< 90 % interval of the prediction
  models::Grade grade = models::Grade::fitted;
  std::string unit;  ///< "tokens/s/GPU", "samples/s/GPU", "GPU-hours"
  std::string source, model, gpu, precision;
  std::string size_class;  ///< e.g. "below 1B", "1-10B"
  std::string kind;        ///< "dense", "moe", "hybrid", "lora" ...
  double weight = 1.0;     ///< at least 0

  /// predicted / measured - 1.
  [[nodiscard]] double rel_error() const { return predicted / measured - 1.0; }
  [[nodiscard]] bool inside_interval() const { return low <= measured && measured <= high; }
};

/// Sets the interval to `half_width` in the logarithm on either side of the prediction.
void set_interval(ScoredRow& row, double half_width);

/// A row that was not predicted, and why.
struct SkippedRow {
  std::string id, reason;
};

struct Score {
  std::string kind;      ///< "throughput", "runs"
  std::size_t rows = 0;  ///< in the file
  std::vector<ScoredRow> scored;
  std::vector<SkippedRow> skipped;
  std::string about;  ///< one sentence: what was predicted and how
};

/// Of |rel_error| unless said otherwise; every figure weighs rows by `weight`.
struct ErrorStatistics {
  std::size_t rows = 0;
  double median = 0.0, mean = 0.0, p90 = 0.0, max = 0.0;
  double bias = 0.0;        ///< median of rel_error, with its sign
  double coverage90 = 0.0;  ///< share of the rows whose measured value is inside the 90 % interval
};

/// Nothing for no rows. Throws ContractError for figures that are not positive and finite, and for weights that sum to
/// nothing.
std::optional<ErrorStatistics> error_statistics(std::span<const ScoredRow> rows);

/// Rows that have something in common.
struct ErrorGroup {
  std::string by;  ///< "source", "GPU and precision", "size", "kind", "grade"
  std::string name;
  ErrorStatistics statistics;
};

/// By source, by GPU and precision, by size, by kind, by grade, in this order; of each the largest group first, except
/// sizes (ascending) and grades (best first). A row without the property is in no group of it.
std::vector<ErrorGroup> error_groups(const Score& score);

/// The `most` rows with the largest |rel_error|, worst first.
std::vector<ScoredRow> worst_rows(const Score& score, std::size_t most);

/// Reasons with their number of rows and the first id, most frequent first.
struct SkippedReason {
  std::string reason, first_id;
  std::size_t rows = 0;
};
std::vector<SkippedReason> skipped_reasons(std::span<const SkippedRow> skipped);

/// The units in `score`, in the order in which they come first.
std::vector<std::string> units_of(const Score& score);

/// The answer in one sentence, whatever `rows_of` calls the rows ("654 rows" + rows_of).
std::string headline_of(const Score& score, std::string_view rows_of = "");

}  // namespace fleetcast::analysis
