#include "analysis/identity.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "analysis/fnv.hpp"
#include "analysis/version.hpp"

namespace fleetcast::analysis {

namespace {

constexpr std::size_t longest_shown = 60;

std::string digest(std::string_view text) {
  char digits[17];
  const auto end = std::to_chars(digits, digits + sizeof digits, fnv1a(text), 16).ptr;
  return std::to_string(text.size()) + " bytes, hash " + std::string{digits, end};
}

/// Each entry with its length in front, so that no two lists give the same text.
std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += std::to_string(text.size()) + ":" + text + " ";
  return all;
}

bool is_plain(std::string_view text) {
  return text.size() <= longest_shown && std::ranges::none_of(text, [](char c) { return c == '\n' || c == '\t'; });
}

std::string listed(const std::vector<std::string>& texts) {
  const std::string all = joined(texts);
  if (is_plain(all)) return "'" + all.substr(0, all.empty() ? 0 : all.size() - 1) + "'";
  return std::to_string(texts.size()) + " entries, " + digest(all);
}

}  // namespace

Identity identity_of(const ResultsHeader& header) {
  return {{"program", program_version() + " " + program_commit()},
          {"seed", std::to_string(header.seed)},
          {"replicates", std::to_string(header.first_look > 0 ? header.first_look : header.replicates)},
          {"until", header.until.empty() ? "none" : header.until},
          {"block size", std::to_string(header.block_size)},
          {"scenario text", digest(header.scenario_text)},
          {"scenario name", is_plain(header.scenario_name) ? header.scenario_name : digest(header.scenario_name)},
          {"overrides", listed(header.overrides)},
          {"calibration", digest(header.calibration_text)},
          {"strategies", listed(header.strategies)},
          {"causes", listed(header.causes)}};
}

std::string to_text(const Identity& identity) {
  std::string text;
  for (const auto& [name, value] : identity) text += name + "\t" + value + "\n";
  return text;
}

std::optional<Identity> identity_from(const std::string& text) {
  Identity identity;
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) {
    const auto tab = line.find('\t');
    if (tab == std::string::npos) return std::nullopt;
    identity.emplace_back(line.substr(0, tab), line.substr(tab + 1));
  }
  if (identity.empty()) return std::nullopt;
  return identity;
}

std::string differences_between(const Identity& there, const Identity& here) {
  std::string text;
  for (const auto& [name, value] : here) {
    const auto found = std::ranges::find(there, name, &Identity::value_type::first);
    const std::string other = found == there.end() ? "not stated" : found->second;
    if (other != value) text += (text.empty() ? "" : "; ") + name + " is " + other + " there and " + value + " here";
  }
  return text;
}

}  // namespace fleetcast::analysis
