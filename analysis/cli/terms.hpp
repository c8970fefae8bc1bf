#pragma once
// `fleetcast --help terms`: the definitions behind every figure of an answer.
#include <string_view>

namespace fleetcast::cli {

std::string_view terms_text();

}  // namespace fleetcast::cli
