#include "scenarios/nearest_name.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace fleetcast::scenarios {
namespace {

constexpr std::size_t longest_compared = 80;

std::string plain(std::string_view name) {
  std::string result;
  for (const char c : name.substr(0, longest_compared)) {
    if (c != '-' && c != '_' && c != ' ') result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

bool look_alike(char a, char b) {
  static constexpr std::array<std::string_view, 3> groups{"o0", "l1i", "s5"};
  return std::any_of(groups.begin(), groups.end(), [&](std::string_view group) {
    return group.find(a) != std::string_view::npos && group.find(b) != std::string_view::npos;
  });
}

double replacement(char a, char b) {
  if (a == b) return 0.0;
  return look_alike(a, b) ? 0.5 : 1.0;
}

}  // namespace

// Optimal string alignment: three rows of the usual table.
double name_distance(std::string_view first, std::string_view second) {
  const std::string a = plain(first), b = plain(second);
  std::vector<double> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = static_cast<double>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<double>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + replacement(a[i - 1], b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = above;
    above = row;
  }
  return above[b.size()];
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  const double limit = std::max(1.5, static_cast<double>(std::min(name.size(), longest_compared)) / 3.0);
  std::string best;
  double best_distance = limit;
  for (const std::string& candidate : known) {
    const double distance = name_distance(name, candidate);
    if (distance < best_distance || (best.empty() && distance <= best_distance)) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string nearest_first(std::string_view name, std::vector<std::string> known, std::size_t most) {
  if (!name.empty())
    std::stable_sort(known.begin(), known.end(), [&](const std::string& a, const std::string& b) {
      return name_distance(name, a) < name_distance(name, b);
    });
  std::string text;
  for (std::size_t i = 0; i < known.size() && i < most; ++i) text += (i > 0 ? ", " : "") + known[i];
  if (known.size() > most) text += ", ...";
  return text;
}

}  // namespace fleetcast::scenarios
