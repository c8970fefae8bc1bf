#pragma once
// From bytes to a document with positions.
#include <cstddef>
#include <string>
#include <string_view>

#include "scenarios/document.hpp"

namespace fleetcast::scenarios {

/// What a scenario may ask of memory: a document of that many values takes about 40 MB.
struct ParseLimits {
  std::size_t bytes = std::size_t{64} << 20;
  std::size_t values = 250'000;
  std::size_t depth = 64;
};

/// JSON (RFC 8259) in UTF-8 with // and /* */ comments. A byte order mark is skipped. `file` is used in messages.
/// Throws InputError: bad syntax, trailing comma, duplicate keys (each with both lines), NaN, numbers beyond a
/// double, bytes that are no UTF-8, and what exceeds the limits.
Node parse_document(std::string_view text, const std::string& file, const ParseLimits& limits = {});

/// The text with every comment replaced by blanks, same length, same lines. Throws InputError for a comment that
/// does not end.
std::string blank_comments(std::string_view text, const std::string& file);

}  // namespace fleetcast::scenarios
