// models.json.
#include <cmath>
#include <utility>

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
  shape.expert_latent = entry.count_or("expert_latent", 0);
  if (shape.dense_layers > mlp_layers(shape)) entry.fault("dense_layers", "is more than there are layers with an MLP");
  if (shape.expert_latent > 0 && shape.experts == 0) entry.fault("expert_latent", "needs experts");
}

/// A state-space layer is a layer of its own, and so is then every layer with attention or an MLP.
void read_hybrid(Entry& entry, models::TransformerShape& shape) {
  shape.attention_layers = entry.count_or("attention_layers", 0);
  shape.mamba_layers = entry.count_or("mamba_layers", 0);
  shape.mamba_inner = entry.count_or("mamba_inner", 0);
  shape.mamba_state = entry.count_or("mamba_state", 0);
  shape.mamba_groups = entry.count_or("mamba_groups", 0);
  const bool has_mamba = shape.mamba_layers > 0;
  if (shape.attention_layers + shape.mamba_layers > shape.layers)
    entry.fault("attention_layers", "makes more than layers together with mamba_layers");
  if (has_mamba && shape.attention_layers == 0) entry.fault("mamba_layers", "needs attention_layers", "at least 1");
  for (const auto& [key, value] : {std::pair{"mamba_inner", shape.mamba_inner},
                                   {"mamba_state", shape.mamba_state},
                                   {"mamba_groups", shape.mamba_groups}})
    if (has_mamba != (value > 0)) entry.fault(key, "belongs to mamba_layers", "both or neither");
}

void read_attention(Entry& entry, models::TransformerShape& shape) {
  shape.heads = positive(entry, "heads");
  shape.kv_heads = entry.count_or("kv_heads", shape.heads);
  shape.head_dim = entry.count_or("head_dim", 0);
  shape.causal = entry.flag_or("causal", true);
  shape.window = entry.count_or("window", 0);
  if (entry.has("windowed_share")) shape.windowed_share = entry.number("windowed_share");
  if (shape.windowed_share < 0.0 || shape.windowed_share > 1.0)
    entry.fault("windowed_share", "is no share", "a number in [0, 1]");
  if ((shape.window > 0) != (shape.windowed_share > 0.0))
    entry.fault("window", "belongs to windowed_share", "both above 0, or neither");
}

void read_latent_attention(Entry& entry, models::TransformerShape& shape) {
  shape.query_rank = entry.count_or("query_rank", 0);
  shape.kv_rank = entry.count_or("kv_rank", 0);
  shape.rope_dim = entry.count_or("rope_dim", 0);
  if (shape.kv_rank == 0 && (shape.query_rank > 0 || shape.rope_dim > 0))
    entry.fault("kv_rank", "is missing", "query_rank and rope_dim belong to latent attention");
  if (shape.kv_rank > 0 && shape.head_dim == 0) entry.fault("head_dim", "is missing", "latent attention needs it");
}

/// Only where some layer has a plain MLP.
void read_ffn(Entry& entry, models::TransformerShape& shape) {
  const bool needed = mlp_layers(shape) > mixture_layers(shape);
  shape.ffn = needed ? positive(entry, "ffn") : entry.count_or("ffn", 0);
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
  shape.vocab = positive(entry, "vocab");
  shape.gated = entry.flag_or("gated", true);
  shape.tied = entry.flag_or("tied", false);
  read_attention(entry, shape);
  read_latent_attention(entry, shape);
  read_hybrid(entry, shape);
  read_experts(entry, shape);
  read_ffn(entry, shape);
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
