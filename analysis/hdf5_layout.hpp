#pragma once
// Building stones of the results file: texts, attributes and variables with dimension scales.
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/hdf5_handle.hpp"

namespace fleetcast::analysis {

constexpr const char* format_name = "fleetcast-results";
constexpr std::int32_t format_version = 1;

struct VariableText {
  std::string name, units, long_name;
};

/// A dimension with its coordinate variable.
struct Dimension {
  Hdf5Handle scale;
  std::uint64_t length = 0, chunk = 0;
};

enum class Stored { real, real_or_missing, int32, uint32, uint64 };

void put_text(std::int64_t object, const std::string& name, const std::string& value, const Hdf5Check& check);
void put_int32s(std::int64_t object, const std::string& name, const std::vector<std::int32_t>& values,
                const Hdf5Check& check);
void put_uint64(std::int64_t object, const std::string& name, std::uint64_t value, const Hdf5Check& check);

/// A dataset of variable-length UTF-8 texts: one-dimensional, or a single one. Texts must not hold a NUL.
Hdf5Handle put_texts(std::int64_t group, const std::string& name, const std::vector<std::string>& values,
                     const Hdf5Check& check);
Hdf5Handle put_single_text(std::int64_t group, const std::string& name, const std::string& value,
                           const Hdf5Check& check);
std::vector<std::string> get_texts(std::int64_t group, const std::string& name, const Hdf5Check& check);

/// A coordinate of names, or of the numbers 0, 1, ...
Dimension named_dimension(std::int64_t file, const VariableText& text, const std::vector<std::string>& names,
                          const Hdf5Check& check);
Dimension counted_dimension(std::int64_t file, const VariableText& text, std::uint64_t length, std::uint64_t chunk,
                            const Hdf5Check& check);

/// A variable over these dimensions: chunked, shuffled, deflate 1, with `units`, `long_name` and, where trials may
/// have no figure, `_FillValue` NaN.
Hdf5Handle make_variable(std::int64_t file, const VariableText& text, Stored stored,
                         const std::vector<const Dimension*>& dimensions, const Hdf5Check& check);

}  // namespace fleetcast::analysis
