#include "analysis/cli/option_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

#include "scenarios/nearest_name.hpp"

namespace fleetcast::cli {
namespace {

namespace po = boost::program_options;

/// Options of stages to come: refused by name, so that nobody looks for a typing error.
constexpr std::array<std::string_view, 3> later_options{"--report", "--shard", "--mpi"};

/// True for what an unexpected name may have meant: everything that can be typed.
Texts known_names(const po::options_description& options) {
  Texts names;
  for (const auto& option : options.options()) names.push_back("--" + option->long_name());
  return names;
}

[[noreturn]] void refuse_option(const std::string& name, const po::options_description& options) {
  const std::string bare = name.substr(0, name.find('='));
  if (std::find(later_options.begin(), later_options.end(), bare) != later_options.end()) {
    refuse("option " + bare + " is not yet supported");
  }
  if (!bare.starts_with("--")) {
    refuse("unknown option " + bare, "for a file whose name begins with a dash: fleetcast COMMAND -- " + bare);
  }
  refuse("unknown option " + bare, "see --help", scenarios::nearest_name(bare, known_names(options)));
}

}  // namespace

po::variables_map parse(std::span<const std::string> arguments, const po::options_description& visible) try {
  po::options_description all;
  all.add(visible).add_options()(words_key, po::value<Texts>());
  po::positional_options_description positional;
  positional.add(words_key, -1);
  // Abbreviations would change their meaning with every new option.
  const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
  po::variables_map values;
  po::store(po::command_line_parser(Texts{arguments.begin(), arguments.end()})
                .options(all)
                .positional(positional)
                .style(style)
                .run(),
            values);
  return values;
} catch (const po::unknown_option& error) {
  refuse_option(error.get_option_name(), visible);
} catch (const po::error& error) {
  refuse(error.what(), "see --help");
}

std::optional<std::string> text_of(const po::variables_map& values, const char* name) {
  if (values.count(name) == 0) return std::nullopt;
  return values[name].as<std::string>();
}

Texts texts_of(const po::variables_map& values, const char* name) {
  return values.count(name) == 0 ? Texts{} : values[name].as<Texts>();
}

std::uint64_t whole_number(const std::string& option, const std::string& text, std::uint64_t low, std::uint64_t high) {
  std::uint64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc{} || end != text.data() + text.size() || number < low || number > high) {
    refuse(option + ": found \"" + text + "\"",
           "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  }
  return number;
}

unsigned threads_of(const po::variables_map& values) {
  const std::string text = text_of(values, "threads").value_or("all");
  return text == "all" ? 0 : static_cast<unsigned>(whole_number("--threads", text, 1, 1024));
}

ColorChoice color_of(const po::variables_map& values) {
  const std::string text = text_of(values, "color").value_or("auto");
  if (text == "auto") return ColorChoice::automatic;
  if (text == "always") return ColorChoice::always;
  if (text == "never") return ColorChoice::never;
  refuse("--color: found \"" + text + "\"", "auto, always, never",
         scenarios::nearest_name(text, {"auto", "always", "never"}));
}

std::string described(const po::options_description& options) {
  std::ostringstream out;
  out << options;
  return out.str();
}

}  // namespace fleetcast::cli
