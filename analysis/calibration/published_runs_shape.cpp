#include "analysis/calibration/published_runs_shape.hpp"

#include <algorithm>
#include <cmath>
#include <regex>

#include "analysis/calibration/row_fields.hpp"
#include "analysis/calibration/row_shape.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double narrow_model = 2048, narrow_head = 64, usual_head = 128;
constexpr double usual_vocabulary = 51200;
constexpr double rounding = 64;  // widths are multiples of it

double usual_heads(double hidden) {
  return std::max(1.0, std::round(hidden / (hidden < narrow_model ? narrow_head : usual_head)));
}

/// Three matrices in what is left of the parameters after the embedding, once, and 4 h^2 of attention; else 4 h.
double usual_ffn(const CsvLine& line, double layers, double hidden) {
  const double embedding = count_or(line, "vocab", usual_vocabulary) * hidden;
  const double left = field_or(line, "params_b", 0.0) * 1e9 - embedding - 4.0 * hidden * hidden * layers;
  const double width = std::round(left / (3.0 * hidden * layers) / rounding) * rounding;
  return width < hidden ? 4.0 * hidden : width;
}

void set(CsvLine& line, const char* column, double value) {
  line.fields[column] = std::to_string(std::llround(value));
}

void fill_widths(CsvLine& line) {
  const double layers = count_or(line, "layers", 0.0), hidden = count_or(line, "hidden", 0.0);
  if (layers <= 0.0 || hidden <= 0.0) return;
  if (!count_in(line, "heads")) set(line, "heads", usual_heads(hidden));
  if (!count_in(line, "ffn")) set(line, "ffn", usual_ffn(line, layers, hidden));
}

/// "Llama 4 Scout 17Bx16E" is the catalog's "llama-4-scout-17b-16e".
std::string catalog_name(const std::string& model) {
  return std::regex_replace(model, std::regex{R"((\d+B)x(\d+E))"}, "$1-$2");
}

bool is_mixture(const CsvLine& line) {
  const double all = field_or(line, "params_b", 0.0), active = field_or(line, "active_b", all);
  return active < 0.9 * all;
}

}  // namespace

std::optional<models::TransformerShape> run_shape(const CsvLine& line, const models::Catalog& catalog) {
  CsvLine filled = line;
  filled.fields["model"] = catalog_name(text_in(line, "model"));
  fill_widths(filled);
  auto found = row_shape(filled, catalog);
  if (!found || (is_mixture(line) && found->experts == 0)) return std::nullopt;
  return found;
}

}  // namespace fleetcast::analysis
