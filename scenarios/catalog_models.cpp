// models.json.
#include <cmath>

#include "models/transformer.hpp"
#include "scenarios/catalog_entry.hpp"
#include "scenarios/catalog_files.hpp"
#include "scenarios/catalog_lists.hpp"
#include "scenarios/catalog_values.hpp"

namespace fleetcast::scenarios::catalog {

namespace {

/// Published totals are rounded, and biases and learned positions are not in the shape.
constexpr double published_tolerance = 0.01;

std::int64_t positive(Entry& entry, const std::string& key) {
  const std::int64_t value = entry.count(key);
  if (value == 0 && entry.has(key)) entry.fault(key, "must be at least 1");
  return value;
}

void read_experts(Entry& entry, models::TransformerShape& shape) {
  shape.experts = entry.count_or("experts", 0);
  shape.experts_active = entry.count_or("experts_active", 0);
  shape.expert_ffn = entry.count_or("expert_ffn", 0);
  shape.shared_experts = entry.count_or("shared_experts", 0);
  shape.dense_layers = entry.count_or("dense_layers", 0);
  if (shape.experts > 0 && (shape.experts_active < 1 || shape.experts_active > shape.experts || shape.expert_ffn < 1))
    entry.fault("experts", "needs experts_active from 1 to experts, and expert_ffn");
  if (shape.dense_layers > shape.layers) entry.fault("dense_layers", "is more than layers");
}

void check_parameters(Entry& entry, const models::TransformerShape& shape) {
  const double published = entry.value("parameters", parse_count);
  const double computed = models::parameters(shape);
  if (published <= 0.0 || std::abs(computed / published - 1.0) > published_tolerance)
    entry.fault("parameters", "the shape has " + std::to_string(computed / 1e9) + "B",
                "within 1 % of the published total");
}

models::TransformerShape read_shape(Entry& entry) {
  models::TransformerShape shape;
  shape.id = entry.text("id");
  shape.layers = positive(entry, "layers");
  shape.hidden = positive(entry, "hidden");
  shape.heads = positive(entry, "heads");
  shape.kv_heads = entry.count_or("kv_heads", shape.heads);
  shape.head_dim = entry.count_or("head_dim", 0);
  shape.ffn = positive(entry, "ffn");
  shape.vocab = positive(entry, "vocab");
  shape.gated = entry.flag_or("gated", true);
  shape.tied = entry.flag_or("tied", false);
  read_experts(entry, shape);
  shape.sequence_length = entry.count_or("sequence_length", 0);
  if (shape.heads > 0) check_parameters(entry, shape);
  const models::Provenance provenance = entry.provenance();
  shape.source = provenance.source + " (" + provenance.date + ", " + provenance.check + ")";
  return shape;
}

}  // namespace

std::vector<models::TransformerShape> read_models(const File& file, Faults& faults) {
  return read_entries<models::TransformerShape>(file, faults, read_shape);
}

}  // namespace fleetcast::scenarios::catalog
