#pragma once
// A CSV file with a header, read whole.
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace fleetcast::analysis {

/// One line by column name. Fields are texts as they stand; an absent field is "".
struct CsvLine {
  std::size_t number = 0;  ///< in the file, from 1
  std::map<std::string, std::string> fields;
};

/// Quoted fields may hold commas; a quote inside one is dropped. Throws models::InputError with file and line for
/// what cannot be read or has another number of fields than the header.
std::vector<CsvLine> read_csv(const std::string& path);

}  // namespace fleetcast::analysis
