#pragma once
// A CSV file with a header, read whole.
#include <map>
#include <string>
#include <vector>

namespace fleetcast::analysis {

/// One line by column name. Fields are texts as they stand; an absent field is "".
using CsvLine = std::map<std::string, std::string>;

/// Quoted fields may hold commas; a quote inside one is dropped. Throws models::InputError with file and line for
/// what cannot be read or has another number of fields than the header.
std::vector<CsvLine> read_csv(const std::string& path);

}  // namespace fleetcast::analysis
