#include "models/batch_choices.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "models/memory.hpp"

using namespace fleetcast::models;

namespace {

/// 5B, of which only the size is known: 40 layers of width 3072, 2,048 tokens a sequence.
MemoryQuestion five_billion(int gpus, double micro_batch) {
  MemoryQuestion asked;
  asked.shape.layers = 40;
  asked.shape.hidden = 3072;
  asked.shape.heads = asked.shape.kv_heads = 24;
  asked.shape.ffn = 9216;
  asked.shape.vocab = 50257;
  asked.sequence_length = 2048;
  asked.layout.data = gpus;
  asked.layout.micro_batch = micro_batch;
  return asked;
}

double largest_micro_batch(int gpus) {
  double size = 0;
  while (estimate_memory(five_billion(gpus, size + 1), Bytes{120.0 * (1 << 30)}).verdict ==
         MemoryEstimate::Verdict::fits)
    ++size;
  return size;
}

}  // namespace

// ServiceNow/Fast-LLM 241: 60 nodes of 8, micro-batch 6, batch 2,880 within 10 %, 120 GiB: all but 80 and 100 nodes.
TEST_CASE("a batch of 2,880 within a tenth can be kept on 1 to 100 nodes, but not on 80 and 100") {
  CHECK(std::abs(parameters(five_billion(480, 6).shape) / 5e9 - 1.0) < 0.05);
  std::set<int> impossible;
  for (int nodes = 1; nodes <= 100; ++nodes) {
    const std::vector<BatchChoice> choices = batch_choices(8.0 * nodes, 2880, 0.10, largest_micro_batch(8 * nodes));
    if (choices.empty()) impossible.insert(nodes);
    for (const BatchChoice& choice : choices) {
      CHECK(choice.batch >= 2592);
      CHECK(choice.batch <= 3168);
      CHECK(choice.batch == 8.0 * nodes * choice.micro_batch * choice.accumulation);
    }
  }
  CHECK(impossible == std::set<int>{80, 100});
}

TEST_CASE("on 60 nodes the planned micro-batch of 6 comes first, on 53 the batch is 2,968") {
  CHECK(largest_micro_batch(480) >= 6);
  const BatchChoice planned = batch_choices(480, 2880, 0.10, 6).front();
  CHECK(planned.micro_batch == 6);
  CHECK(planned.accumulation == 1);
  CHECK(planned.batch == 2880);
  const BatchChoice fewer = batch_choices(424, 2880, 0.10, 6).front();
  CHECK(fewer.batch == 2968);
  CHECK(fewer.micro_batch * fewer.accumulation == 7);
}

TEST_CASE("no tolerance asks for an exact divisor, and memory caps the micro-batch alone") {
  CHECK(batch_choices(480, 2880, 0.0, 100).size() == 4);  // 6, 3, 2, 1 at a time
  CHECK(batch_choices(424, 2880, 0.0, 100).empty());
  CHECK(batch_choices(480, 2880, 0.0, 2).front().accumulation == 3);
  CHECK(batch_choices(480, 2880, 0.0, 0).empty());
  CHECK(batch_choices(5000, 2880, 0.1, 8).empty());
}
