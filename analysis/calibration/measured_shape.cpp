#include "analysis/calibration/measured_shape.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "models/transformer.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double usual_vocabulary = 51200;  // of Megatron's GPT recipes, where a row is silent

std::int64_t whole(double value) {
  return static_cast<std::int64_t>(std::llround(value));
}

/// The row does not say whether the MLP is gated and the embedding shared: what gives its parameter count fits.
models::TransformerShape with_best_layout(models::TransformerShape shape, double parameters) {
  models::TransformerShape best = shape;
  double smallest = -1.0;
  for (const bool gated : {true, false})
    for (const bool tied : {true, false}) {
      shape.gated = gated;
      shape.tied = tied;
      const double miss = std::abs(std::log(models::parameters(shape) / parameters));
      if (smallest >= 0.0 && miss >= smallest) continue;
      smallest = miss;
      best = shape;
    }
  return best;
}

models::TransformerShape shape_of_columns(const CsvLine& line) {
  models::TransformerShape shape;
  shape.id = line.at("model");
  shape.layers = whole(number_in(line, "layers"));
  shape.hidden = whole(number_in(line, "hidden"));
  shape.heads = whole(number_in(line, "heads"));
  shape.kv_heads = whole(number_in(line, "kv_heads"));
  shape.ffn = whole(number_in(line, "ffn"));
  const double vocabulary = number_in(line, "vocab");
  shape.vocab = whole(vocabulary > 0.0 ? vocabulary : usual_vocabulary);
  return with_best_layout(shape, number_in(line, "params_b") * 1e9);
}

/// Letters and digits only, lower case: "GPT-OSS-120B" and "gpt-oss-120b" are one name.
std::string plain(const std::string& name) {
  std::string letters;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z')
      letters += static_cast<char>(c - 'A' + 'a');
    else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      letters += c;
  }
  return letters;
}

/// The catalog's mixture of experts with that name; tables add the size ("Grok1-314B").
const models::TransformerShape* mixture_named(const std::string& model, const models::Catalog& catalog) {
  const auto fits = [&](const models::TransformerShape& shape) {
    return shape.experts > 0 && plain(model).starts_with(plain(shape.id));
  };
  const auto found = std::find_if(catalog.shapes.begin(), catalog.shapes.end(), fits);
  return found == catalog.shapes.end() ? nullptr : &*found;
}

}  // namespace

double number_in(const CsvLine& line, const std::string& name) {
  const auto field = line.find(name);
  double value = 0.0;
  if (field != line.end()) std::from_chars(field->second.data(), field->second.data() + field->second.size(), value);
  return std::isfinite(value) ? value : 0.0;
}

std::optional<models::TransformerShape> measured_shape(const CsvLine& line, const models::Catalog& catalog) {
  if (const auto* mixture = mixture_named(line.at("model"), catalog)) return *mixture;
  for (const char* column : {"layers", "hidden", "heads", "ffn", "params_b"})
    if (number_in(line, column) <= 0.0) return std::nullopt;
  return shape_of_columns(line);
}

}  // namespace fleetcast::analysis
