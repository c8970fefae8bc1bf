#include "analysis/calibration/row_shape.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <regex>

#include "analysis/calibration/row_fields.hpp"

namespace fleetcast::analysis {

namespace {

constexpr std::int64_t most_layers = 10000;
constexpr double usual_vocabulary = 51200;  // of Megatron's GPT recipes, where a row is silent

std::int64_t whole(double value) {
  return static_cast<std::int64_t>(std::llround(value));
}

/// Letters and digits only, lower case: "GPT-OSS-120B" and "gpt-oss-120b" are one name.
std::string plain(const std::string& name) {
  std::string letters;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)))
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return letters;
}

/// Tables shorten names ("Llama4-Scout") or add the size ("Grok1-314B").
const models::TransformerShape* shape_named(const std::string& model, const models::Catalog& catalog) {
  const std::string wanted = plain(model);
  const models::TransformerShape* best = nullptr;
  std::size_t longest = 0;
  for (const models::TransformerShape& shape : catalog.shapes) {
    const std::string known = plain(shape.id);
    if (known == wanted) return &shape;
    const bool fits = known.size() > 4 && wanted.size() > 4 && (wanted.starts_with(known) || known.starts_with(wanted));
    const std::size_t common = std::min(known.size(), wanted.size());
    if (fits && common > longest) {
      best = &shape;
      longest = common;
    }
  }
  return best;
}

/// What columns of widths cannot say.
bool is_special(const models::TransformerShape& shape) {
  return shape.experts > 0 || shape.mamba_layers > 0 || shape.window > 0 || shape.kv_rank > 0 || !shape.causal;
}

/// The row does not say whether the MLP is gated and the embedding shared: what gives its parameter count fits.
void choose_matrices(models::TransformerShape& shape, double parameters) {
  models::TransformerShape best = shape;
  double smallest = HUGE_VAL;
  for (const bool gated : {true, false})
    for (const bool tied : {true, false}) {
      shape.gated = gated;
      shape.tied = tied;
      const double miss = std::abs(std::log(models::parameters(shape) / parameters));
      if (miss >= smallest) continue;
      smallest = miss;
      best = shape;
    }
  shape = best;
}

bool gated_by_name(const std::string& model) {
  return std::regex_search(model, std::regex{"llama|qwen|mistral|mixtral|gemma|deepseek|yi-|olmo", std::regex::icase});
}

std::optional<models::TransformerShape> shape_of_columns(const CsvLine& line) {
  for (const char* column : {"layers", "hidden", "heads", "ffn"})
    if (!count_in(line, column)) return std::nullopt;
  if (field_or(line, "moe_experts", 0.0) > 0.0) return std::nullopt;
  models::TransformerShape shape;
  shape.id = text_in(line, "model");
  shape.layers = whole(*field(line, "layers"));
  shape.hidden = whole(*field(line, "hidden"));
  shape.heads = whole(*field(line, "heads"));
  shape.kv_heads = whole(count_or(line, "kv_heads", *field(line, "heads")));
  shape.ffn = whole(*field(line, "ffn"));
  shape.vocab = whole(count_or(line, "vocab", usual_vocabulary));
  shape.gated = gated_by_name(shape.id);
  shape.tied = !shape.gated;
  if (const double billions = field_or(line, "params_b", 0.0); billions > 0.0) choose_matrices(shape, billions * 1e9);
  return shape;
}

/// Layers of a stand-in: "Grok1-314B-proxy-8L".
std::optional<std::int64_t> proxy_layers(const CsvLine& line) {
  const std::string model = text_in(line, "model");
  std::smatch found;
  if (!std::regex_search(model, found, std::regex{R"(-proxy-(\d+)L)"})) return std::nullopt;
  const std::string digits = found[1];
  std::int64_t layers = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), layers);
  if (error != std::errc{} || layers < 1 || layers > most_layers)
    refuse_field(line, "model", "a stand-in of 1 to 10,000 layers");
  return layers;
}

}  // namespace

std::optional<models::TransformerShape> row_shape(const CsvLine& line, const models::Catalog& catalog) {
  const std::string model = text_in(line, "model");
  const std::string name = std::regex_replace(model, std::regex{"-proxy.*"}, "");
  const models::TransformerShape* known = shape_named(name, catalog);
  std::optional<models::TransformerShape> shape;
  if (known && is_special(*known)) shape = *known;
  if (!shape) shape = shape_of_columns(line);
  if (!shape && known) shape = *known;
  if (!shape) return std::nullopt;
  if (const auto layers = proxy_layers(line)) shape->layers = *layers;
  return shape;
}

}  // namespace fleetcast::analysis
