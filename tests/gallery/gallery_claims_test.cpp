// Claims that are often heard, and what the model says to each; the ranges are those of published measurements, quoted
// in the scenarios.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "tests/gallery/answer.hpp"

namespace fleetcast::tests {
namespace {

bool within(double value, double low, double high) {
  return value >= low && value <= high;
}

double share(double part, double whole) {
  return part / whole;
}

double usd_per_token(const Answer& run, const std::string& strategy) {
  const auto& facts = run.plan(strategy).facts;
  return facts.fleet_usd_per_hour / 3600 * facts.step_time_s / facts.tokens_per_step;
}

}  // namespace

TEST_CASE("claim: BF16 is 60 to 100 % faster than FP32 - of TF32 true, of FP32 far too low") {
  const Answer run = planned("claims/bf16-over-fp32");
  // Measured FP16/TF32: H100 1.36 to 2.29, B200 1.64 to 2.18.
  CHECK(within(run.gain("base", "H100, TF32"), 1.36, 2.29));
  CHECK(within(run.gain("B200", "B200, TF32"), 1.64, 2.18));
  CHECK(within(run.gain("base", "H100, TF32"), 1.6, 2.0));
  CHECK(within(run.gain("B200", "B200, TF32"), 1.6, 2.0));
  // Without tensor cores the peaks are 15 and 28 times apart; V100, 8 times apart, gained up to 4.8 times.
  CHECK(within(run.gain("base", "H100, FP32"), 4.8, 989.4 / 67));
  CHECK(within(run.gain("B200", "B200, FP32"), 4.8, 2250.0 / 75));
  // Every product runs at the lower rate, the output layer's and the attention's, too.
  CHECK(run.parts("H100, TF32").output_layer > 1.5 * run.parts("base").output_layer);
  CHECK(run.parts("H100, TF32").attention > 1.5 * run.parts("base").attention);
  for (const char* name : {"H100, TF32", "H100, FP32", "B200, TF32", "B200, FP32"})
    CHECK(run.plan(name).facts.step_grade == models::Grade::assumed);
}

TEST_CASE("claim: FP8 gains 30 to 40 % on H100 - for 8B and 70B; more for 405B, less for 1B") {
  const Answer run = planned("claims/fp8-on-h100");
  const double small = run.gain("1B, FP8", "1B"), medium = run.gain("8B, FP8", "8B"), large = run.gain("FP8", "base"),
               largest = run.gain("405B, FP8", "405B");
  // Measured: 1B and 3B 1.00 to 1.35, 8B 1.16 (PyTorch) to 1.37, 70B 1.32 to 1.49, 405B 1.43 to 1.61.
  CHECK(within(small, 1.00, 1.35));
  CHECK(within(medium, 1.16, 1.37));
  CHECK(within(large, 1.32, 1.49));
  CHECK(within(largest, 1.43, 1.61));
  CHECK(within(large, 1.3, 1.4));
  CHECK(small < 1.2);
  CHECK(small < medium);
  CHECK(medium < large);
  CHECK(large < largest);
}

TEST_CASE("claim: FP8 gains 60 to 80 % on B200 - no, 10 to 50 %") {
  const Answer run = planned("claims/fp8-on-b200");
  // Measured: 15B 1.11 to 1.29 on B200; 340B 1.34 to 1.49; 405B 1.38 to 1.53 on GB200; 70B in MXFP8 1.22 to 1.28. The
  // model may be 5 % off a measured range: its own error per row is that large.
  CHECK(within(run.gain("15B, FP8", "15B"), 1.11 * 0.95, 1.29 * 1.05));
  CHECK(within(run.gain("405B, FP8", "405B"), 1.38 * 0.95, 1.53 * 1.05));
  CHECK(within(run.gain("MXFP8", "base"), 1.22 * 0.95, 1.28 * 1.05));
  // Mixtures of experts: 0.83 to 1.08 on B200, 1.30 on GB200.
  CHECK(within(run.gain("MoE, MXFP8", "MoE"), 0.83, 1.30));
  const char* pairs[][2] = {{"FP8", "base"}, {"MXFP8", "base"}, {"15B, FP8", "15B"}, {"405B, FP8", "405B"}};
  for (const auto& pair : pairs) CHECK(run.gain(pair[0], pair[1]) < 1.6);
  CHECK(run.gain("MXFP8", "base") < run.gain("FP8", "base"));  // measured: 4 to 8 % slower
}

TEST_CASE("claim: FP4 on B200 gives another factor of 2 - about a third for dense models, nothing with experts") {
  const Answer run = planned("claims/fp4-on-b200");
  // Measured over FP8: B200 1.01 to 1.36; over MXFP8 with experts 0.88 to 1.04; over BF16 1.7 to about 2.
  CHECK(within(run.gain("NVFP4", "base"), 1.01, 1.36));
  CHECK(within(run.gain("70B, NVFP4", "70B"), 1.01, 1.36));
  CHECK(within(run.gain("MoE, NVFP4", "MoE, MXFP8"), 0.88, 1.04));
  CHECK(within(run.gain("NVFP4", "BF16"), 1.6, 2.1));
}

TEST_CASE("claim: p5 has twice the throughput of p4d at 35 % less per token - twice and more, but less than 35 %") {
  const Answer run = planned("claims/p4d-to-p5");
  // Measured A100-40 to H100: 1.99 to 3.76.
  CHECK(within(run.gain("p5", "base"), 2.0, 3.76));
  CHECK(within(run.gain("13B, p5", "13B"), 2.0, 3.76));
  const auto cheaper = [&](const char* of, const char* than) {
    return 1 - usd_per_token(run, of) / usd_per_token(run, than);
  };
  for (const double saved : {cheaper("p5", "base"), cheaper("13B, p5", "13B")}) CHECK(within(saved, 0.05, 0.35));
  for (const double saved : {cheaper("p5, FP8", "base"), cheaper("13B, p5, FP8", "13B")}) CHECK(saved > 0.35);
  // Twice as fast at 2.5 times the price would be dearer: the price decides as much as the speed.
  const double prices = run.plan("p5").facts.fleet_usd_per_hour / run.plan("base").facts.fleet_usd_per_hour;
  CHECK(prices > 2.0);
}

TEST_CASE("claim: FSDP of 70B on 64 GPUs exchanges for 200 ms, under 10 % with K = 4 - not under FSDP") {
  const Answer run = planned("claims/fsdp-70b-64-gpus");
  const auto exposed = [&](const std::string& name) {
    return share(run.plan(name).facts.exposed_communication_s, run.plan(name).facts.step_time_s);
  };
  // The claim's own arithmetic, and that K = 3 would not do.
  CHECK(std::abs(exposed("as claimed, K = 1") / 0.30 - 1) < 1e-3);
  CHECK(exposed("as claimed, K = 4") < 0.10);
  CHECK(0.2 / (0.2 + 3 * 0.4667) > 0.10);
  // 70B in 16 bits is gathered twice and its gradients are scattered once: 3 x 138 GB through 50 GB/s a node of 8.
  const double least_s = 3 * 138e9 * 7 / 8 / 50e9;
  CHECK(run.parts("base").weight_traffic + run.parts("base").hidden > least_s);
  CHECK(run.parts("base").weight_traffic > 10 * 0.2);
  CHECK(within(exposed("base"), 0.2, 0.5));
  for (const char* name : {"FSDP, K = 2", "FSDP, K = 4", "FSDP, K = 8"})
    CHECK(std::abs(exposed(name) / exposed("base") - 1) < 0.02);
  CHECK(exposed("FSDP, micro-batch 2") < 0.6 * exposed("base"));
  CHECK(exposed("FSDP, 3,200 Gbit/s") < 0.10);
  // Where gradients are exchanged once, the exchange stays and the rest grows: the smallest K below 10 % is seen.
  const auto exchanged = [&](const std::string& k) {
    return share(run.parts("TP 8, K = " + k).gradient_traffic, run.parts("TP 8, K = " + k).total());
  };
  CHECK(exchanged("1") > exchanged("2"));
  CHECK(exchanged("2") > exchanged("4"));
  CHECK(exchanged("4") > exchanged("8"));
  CHECK(exchanged("8") > 0.10);
  CHECK(exchanged("64") < 0.10);
}

TEST_CASE("claim: checkpointing costs 33 % and saves 60 % of the activations - costs less, saves more") {
  const Answer run = planned("claims/gradient-checkpointing");
  const auto operations = [&](const char* name) {
    const auto& estimate = *run.plan(name).facts.estimate;
    return estimate.hfu / estimate.mfu;
  };
  // One forward pass more than one forward and two backward, all but the output layer's: at most a third.
  CHECK(within(operations("full") / operations("base"), 1.25, 4.0 / 3));
  CHECK(within(run.gain("base", "full"), 1.2, 4.0 / 3));
  // Measured full against selective on A100: 1.29 to 1.32, in early software; the model may be 7 % off.
  CHECK(within(run.gain("selective", "full"), 1.29 * 0.93, 1.32));
  const auto saved = [&](auto part) { return 1 - part(run.memory("full")) / part(run.memory("base")); };
  CHECK(saved([](const auto& memory) { return memory.parts.activations; }) > 0.9);  // 2 of 34 s b h are kept
  CHECK(within(saved([](const auto& memory) { return memory.total; }), 0.55, 0.70));
  CHECK(run.memory("selective").parts.activations > 0.95 * run.memory("base").parts.activations);
}

TEST_CASE("claim: 4 A100 of 40 GB with offload do what 8 of 80 GB do - in more than twice the time") {
  const Answer run = planned("claims/offload-4xa100-40");
  const auto gang = [&](const char* name) { return run.speed(name) * run.plan(name).facts.gpus; };
  CHECK(run.memory("4 x 40 GB").verdict == models::MemoryEstimate::Verdict::fits);
  // Sixteen bytes a parameter are on the host: master weights, moments and gradients in FP32.
  CHECK(std::abs(run.memory("4 x 40 GB").host_bytes / (16 * 13.016e9 / 4) - 1) < 0.01);
  CHECK(gang("base") / gang("4 x 40 GB") > 2);
  CHECK(gang("base") / gang("4 x 40 GB, all") > gang("base") / gang("4 x 40 GB"));
  CHECK(within(run.speed("base") / run.speed("4 x 40 GB"), 4.0 / 3, 2));  // GPU-hours: recomputation, then the link
  CHECK(run.parts("4 x 40 GB").host_traffic > 0);
  CHECK(run.parts("base").host_traffic == 0);
  const std::string without = refusal("claims/offload-4xa100-40", {"/strategies/4 x 40 GB/training/offload=none"});
  CHECK(without.find("does not fit in memory") != std::string::npos);
}

}  // namespace fleetcast::tests
