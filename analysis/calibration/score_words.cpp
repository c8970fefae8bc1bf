#include "analysis/calibration/score_words.hpp"

#include <cmath>

#include "analysis/format.hpp"

namespace fleetcast::analysis {

std::string percent_error(double error) {
  constexpr double no_decimals_from = 0.9995;
  return grouped(100.0 * error, std::abs(error) < no_decimals_from ? 1 : 0);
}

std::string signed_percent_error(double error) {
  const std::string text = percent_error(error);
  const bool zero = text.find_first_of("123456789") == std::string::npos;
  return error > 0.0 && !zero ? "+" + text : text;
}

std::string percent_share(double share) {
  return grouped(100.0 * share, 0);
}

std::string short_figure(double value) {
  constexpr int digits = 3;
  return significant(value, digits);
}

std::string counted(std::size_t count, const std::string& one) {
  return grouped(static_cast<double>(count), 0) + " " + one + (count == 1 ? "" : "s");
}

std::string subject_of(const ScoredRow& row) {
  std::string subject;
  for (const std::string* part : {&row.model, &row.gpu, &row.precision})
    if (!part->empty()) subject += (subject.empty() ? "" : ", ") + *part;
  return subject;
}

std::string quantity_of(const Score& score) {
  const std::string per_gpu = "/GPU";
  std::string quantity;
  for (std::string unit : units_of(score)) {
    if (unit.ends_with(per_gpu)) unit.replace(unit.size() - per_gpu.size(), per_gpu.size(), " per GPU");
    quantity += (quantity.empty() ? "" : " and ") + unit;
  }
  return quantity;
}

std::string unbroken_percents(std::string text) {
  for (std::size_t at = text.find(" %"); at != std::string::npos; at = text.find(" %", at))
    text.replace(at, 1, "\u00a0");
  return text;
}

std::string headline_of(const Score& score, std::string_view rows_of) {
  const auto errors = error_statistics(score.scored);
  if (!errors) return "Nothing could be predicted: none of " + counted(score.rows, "row") + " was usable";
  return quantity_of(score) + " predicted within " + percent_error(errors->median) + " % (median), " +
         percent_error(errors->p90) + " % for nine in ten, bias " + signed_percent_error(errors->bias) +
         " %; the 90 % intervals hold " + percent_share(errors->coverage90) + " % of " + counted(errors->rows, "row") +
         std::string{rows_of};
}

}  // namespace fleetcast::analysis
