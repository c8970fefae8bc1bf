#include "analysis/market/market_words.hpp"

#include "analysis/calibration/score_words.hpp"
#include "analysis/format.hpp"

namespace fleetcast::analysis {

std::string figure_or_dash(const std::optional<double>& value) {
  return value ? short_figure(*value) : "-";
}

std::string two_decimals(double value) {
  return grouped(value, 2);
}

std::string three_decimals(double value) {
  return grouped(value, 3);
}

std::string short_name(const std::string& file) {
  std::string name = file;
  if (name.starts_with("avail_")) name.erase(0, 6);
  if (name.ends_with(".csv")) name.erase(name.size() - 4);
  return name;
}

}  // namespace fleetcast::analysis
