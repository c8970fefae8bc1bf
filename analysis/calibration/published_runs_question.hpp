#pragma once
// One row of published_runs.csv as a question to the step model, its layout apart.
#include <string>

#include "analysis/calibration/csv_table.hpp"
#include "analysis/calibration/published_runs_rows.hpp"

namespace fleetcast::analysis {

/// Whether `text` has the pattern (a regular expression, in any case).
bool says(const std::string& text, const char* pattern);

/// All words about the run, from every column that has some.
std::string words_about(const CsvLine& line);

/// "yes", "weak" or "no".
std::string usable_group(const CsvLine& line);

/// Tokens; of the catalog's shape where the row is silent, 0 if that is too.
double run_sequence_length(const CsvLine& line, const models::TransformerShape& shape);

/// Where the row is silent: GPUs for about a month at 40 % of the peak, on a power of two; a batch of 4 million tokens,
/// at least 2,048 a GPU. The row has GPU-hours and tokens. Throws InputError for a field that is no number.
PublishedRun published_run(const CsvLine& line, const models::GpuSpec& gpu, models::Precision precision,
                           models::TransformerShape shape);

}  // namespace fleetcast::analysis
