#pragma once
// What the JSON parser stumbled over, said so that a person finds it.
#include <cstddef>
#include <string>
#include <string_view>

#include "models/errors.hpp"

namespace fleetcast::scenarios {

struct SyntaxError {
  std::string_view original;    ///< the text as written
  std::string_view blanked;     ///< the same without comments
  std::size_t last_good = 0;    ///< end of the last token that was fine
  std::size_t parser_position;  ///< bytes the parser had read
  std::string parser_message;
};

/// The fault, at the token where it starts.
models::Fault syntax_fault(const SyntaxError& error, const std::string& file);

}  // namespace fleetcast::scenarios
