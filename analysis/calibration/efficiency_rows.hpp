#pragma once
// The measured rows that the efficiency table is fitted on.
#include <map>
#include <string>
#include <vector>

#include "models/catalog.hpp"

namespace fleetcast::analysis {

/// What the code behind a measurement is like. It moves the speed on all GPUs alike.
enum class Stack {
  tuned,     ///< the GPU maker's recipes (Megatron, NeMo, Transformer Engine) and independent runs of them
  ordinary,  ///< PyTorch with sharding, vendors' examples of 2020-2021, selective recomputation of 2022
  early      ///< Megatron-LM of 2021-2022 with full recomputation and unfused attention: nobody's choice today
};

struct EfficiencyRow {
  models::MeasuredRow row;
  models::TransformerShape shape;
  std::string group;  ///< source and model: rows of one group are no independent evidence
  Stack stack = Stack::ordinary;
  double efficiency = 0.0;  ///< model FLOPs over dense peak
  double attention_share = 0.0;
};

struct EfficiencyRows {
  std::vector<EfficiencyRow> rows;
  std::map<std::string, int> skipped;  ///< rows by reason
};

/// Reads a table of measured throughputs (columns id, source, gpu, n_gpus, precision, task, model, params_b, layers,
/// hidden, heads, kv_heads, ffn, vocab, activation_ckpt, seq_len, tokens_per_s_per_gpu) and keeps pre-training and full
/// fine-tuning of language models on GPUs of the catalog. `suspicious` is a CSV file with the ids to leave out in its
/// column id. Throws models::InputError.
EfficiencyRows read_efficiency_rows(const std::string& measured, const std::string& suspicious,
                                    const models::Catalog& catalog);

}  // namespace fleetcast::analysis
