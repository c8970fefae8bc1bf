#pragma once
// Faults of a table, with the place where they stand.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/calibration/csv_table.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {

/// Throws InputError that names each column of `needed` that the table lacks. A table without rows has none to lack.
void require_columns(const std::string& path, const std::vector<CsvLine>& lines,
                     std::span<const std::string_view> needed);

/// The same faults with file and line: a field does not know where it stands.
[[noreturn]] void rethrow_at(const std::string& path, std::size_t line, const models::InputError& error);

}  // namespace fleetcast::analysis
