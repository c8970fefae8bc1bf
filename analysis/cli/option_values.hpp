#pragma once
// Reading single options, for all commands alike. All throw InputError for what cannot be understood.
#include <boost/program_options.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/cli/refuse.hpp"
#include "analysis/cli/terminal.hpp"

namespace fleetcast::cli {

using Texts = std::vector<std::string>;

/// Columns of the list of options in a help text.
constexpr unsigned description_columns = 100;
/// The key of what is no option.
constexpr const char* words_key = "words";

/// Options of `visible` and any number of words. Unknown options are refused with the nearest name.
boost::program_options::variables_map parse(std::span<const std::string> arguments,
                                            const boost::program_options::options_description& visible);

std::optional<std::string> text_of(const boost::program_options::variables_map& values, const char* name);
Texts texts_of(const boost::program_options::variables_map& values, const char* name);
std::uint64_t whole_number(const std::string& option, const std::string& text, std::uint64_t low, std::uint64_t high);
/// Of --threads; 0 for "all" and where it is not given.
unsigned threads_of(const boost::program_options::variables_map& values);
/// Of --color.
ColorChoice color_of(const boost::program_options::variables_map& values);
/// The list of options as help shows it.
std::string described(const boost::program_options::options_description& options);

}  // namespace fleetcast::cli
