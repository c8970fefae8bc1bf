#include "models/transformer.hpp"

#include <doctest/doctest.h>

using namespace fleetcast::models;

namespace {

TransformerShape llama_2_7b() {
  TransformerShape shape;
  shape.layers = 32;
  shape.hidden = 4096;
  shape.heads = shape.kv_heads = 32;
  shape.ffn = 11008;
  shape.vocab = 32000;
  return shape;
}

TransformerShape mixtral() {
  TransformerShape shape;
  shape.layers = 32;
  shape.hidden = 4096;
  shape.heads = 32;
  shape.kv_heads = 8;
  shape.ffn = 14336;
  shape.vocab = 32000;
  shape.experts = 8;
  shape.experts_active = 2;
  shape.expert_ffn = 14336;
  return shape;
}

TransformerShape tiny() {
  TransformerShape shape;
  shape.layers = 2;
  shape.hidden = 8;
  shape.heads = 2;
  shape.kv_heads = 1;
  shape.ffn = 16;
  shape.vocab = 10;
  return shape;
}

}  // namespace

TEST_CASE("Llama 2 7B has its published 6,738,415,616 parameters to the last one") {
  CHECK(parameters(llama_2_7b()) == 6738415616.0);
}

TEST_CASE("Mixtral 8x7B has 46.7 billion parameters, of which a token meets 12.9 billion") {
  CHECK(parameters(mixtral()) == doctest::Approx(46.7e9).epsilon(0.001));
  CHECK(flops_per_token_6nd(mixtral()) / 6.0 == doctest::Approx(12.9e9).epsilon(0.002));
}

TEST_CASE("weights of a small shape are what a pencil gives") {
  // attention 8 x 4 x (2 x 2 + 2 x 1) = 192, MLP 3 x 8 x 16 = 384, embedding 10 x 8 = 80, norms 5 x 8 = 40
  const TransformerShape shape = tiny();
  CHECK(parameters(shape) == 2 * (192 + 384) + 2 * 80 + 40);
  CHECK(active_matrix_parameters(shape) == 2 * (192 + 384) + 80);
}

TEST_CASE("a plain MLP has two matrices and a tied embedding counts once, but is multiplied all the same") {
  TransformerShape shape = tiny();
  shape.gated = false;
  shape.tied = true;
  CHECK(parameters(shape) == 2 * (192 + 256) + 80 + 40);
  CHECK(active_matrix_parameters(shape) == 2 * (192 + 256) + 80);
}

TEST_CASE("a head size of its own widens the attention") {
  TransformerShape shape = tiny();
  shape.head_dim = 8;
  CHECK(parameters(shape) == 2 * (2 * 192 + 384) + 2 * 80 + 40);
}

TEST_CASE("of a mixture a token meets the active and shared experts, the router and the dense layers") {
  TransformerShape shape = tiny();
  shape.experts = 4;
  shape.experts_active = 1;
  shape.expert_ffn = 2;
  shape.shared_experts = 1;
  shape.dense_layers = 1;
  const double expert = 3 * 8 * 2, router = 4 * 8;
  CHECK(parameters(shape) == 2 * 192 + 384 + 5 * expert + router + 2 * 80 + 40);
  CHECK(active_matrix_parameters(shape) == 2 * 192 + 384 + 2 * expert + router + 80);
}

TEST_CASE("model FLOPs are six per matrix weight and half of the full attention") {
  const TransformerShape shape = tiny();
  const double attention_full = 12.0 * 2 * 2 * 4 * 100;  // 12 x layers x heads x head size x sequence
  CHECK(model_flops_per_token(shape, 100) == 6.0 * active_matrix_parameters(shape) + attention_full / 2);
  CHECK(flops_per_token_6nd(shape) == 6.0 * parameters(shape));
}

TEST_CASE("Llama 3 8B costs 51.5 GFLOP a token at 8,192 tokens, as vendors that count causally print") {
  TransformerShape shape = llama_2_7b();
  shape.kv_heads = 8;
  shape.ffn = 14336;
  shape.vocab = 128256;
  CHECK(model_flops_per_token(shape, 8192) == doctest::Approx(51.5e9).epsilon(0.002));
}

TEST_CASE("a checkpoint of a 7B model takes 12 bytes a parameter with AdamW and less with leaner optimisers") {
  const double n = parameters(llama_2_7b());
  CHECK(checkpoint_bytes(llama_2_7b(), Optimizer::adamw).value() == 12.0 * n);
  CHECK(checkpoint_bytes(llama_2_7b(), Optimizer::paged_adamw).value() == 12.0 * n);
  CHECK(checkpoint_bytes(llama_2_7b(), Optimizer::sgd).value() == 8.0 * n);
  CHECK(checkpoint_bytes(llama_2_7b(), Optimizer::adam8bit).value() == 6.0 * n);
  CHECK(checkpoint_bytes(llama_2_7b(), Optimizer::adamw_bf16).value() == 6.0 * n);
  CHECK(checkpoint_bytes(llama_2_7b(), Optimizer::adafactor).value() == 4.0 * n);
}
