// Rows of a score by what they have in common.
#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <tuple>

#include "analysis/calibration/score.hpp"

namespace fleetcast::analysis {

namespace {

struct Property {
  std::string name;
  std::string (*of)(const ScoredRow&);
  bool (*stands_before)(const ErrorGroup&, const ErrorGroup&);
};

bool larger(const ErrorGroup& a, const ErrorGroup& b) {
  return a.statistics.rows > b.statistics.rows;
}

/// "below 1B" comes before "1-10B", and that before "10-50B": by the first number, names that begin with it last.
std::tuple<double, bool> size_key(const std::string& name) {
  const auto digit = std::ranges::find_if(name, [](unsigned char c) { return std::isdigit(c) != 0; });
  double number = 0.0;
  for (auto at = digit; at != name.end() && std::isdigit(static_cast<unsigned char>(*at)) != 0; ++at)
    number = 10.0 * number + (*at - '0');
  return {number, digit == name.begin()};
}
bool smaller_size(const ErrorGroup& a, const ErrorGroup& b) {
  return size_key(a.name) < size_key(b.name);
}

int rank_of_grade(const std::string& name) {
  int rank = 0;
  for (const models::Grade grade : {models::Grade::measured, models::Grade::fitted, models::Grade::extrapolated}) {
    if (name == models::name_of(grade)) return rank;
    ++rank;
  }
  return rank;
}
bool better_grade(const ErrorGroup& a, const ErrorGroup& b) {
  return rank_of_grade(a.name) < rank_of_grade(b.name);
}

std::string gpu_and_precision(const ScoredRow& row) {
  return row.gpu + (row.gpu.empty() || row.precision.empty() ? "" : " ") + row.precision;
}

const std::vector<Property>& properties() {
  static const std::vector<Property> all{
      {"source", [](const ScoredRow& row) { return row.source; }, larger},
      {"GPU and precision", gpu_and_precision, larger},
      {"size", [](const ScoredRow& row) { return row.size_class; }, smaller_size},
      {"kind", [](const ScoredRow& row) { return row.kind; }, larger},
      {"grade", [](const ScoredRow& row) { return std::string{models::name_of(row.grade)}; }, better_grade}};
  return all;
}

double weight_of(const std::vector<ScoredRow>& rows) {
  double sum = 0.0;
  for (const ScoredRow& row : rows) sum += row.weight;
  return sum;
}

std::vector<ErrorGroup> groups_by(const Property& property, const std::vector<ScoredRow>& rows) {
  std::map<std::string, std::vector<ScoredRow>> members;
  for (const ScoredRow& row : rows)
    if (const std::string name = property.of(row); !name.empty()) members[name].push_back(row);
  std::vector<ErrorGroup> groups;
  for (const auto& [name, own] : members)
    if (weight_of(own) > 0.0) groups.push_back({property.name, name, *error_statistics(own)});
  std::ranges::stable_sort(groups, property.stands_before);
  return groups;
}

}  // namespace

std::vector<ErrorGroup> error_groups(const Score& score) {
  std::vector<ErrorGroup> groups;
  for (const Property& property : properties())
    for (ErrorGroup& group : groups_by(property, score.scored)) groups.push_back(std::move(group));
  return groups;
}

}  // namespace fleetcast::analysis
