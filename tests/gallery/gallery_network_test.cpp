// Stories about what GPUs say to each other: exchanges, slow links, weak scaling, experts.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>

#include "tests/gallery/answer.hpp"

namespace fleetcast::tests {
namespace {

double off(double value, double reference) {
  return std::abs(value / reference - 1);
}

double samples_per_s(const Answer& run, const std::string& strategy) {
  return run.plan(strategy).facts.samples_per_step / run.plan(strategy).facts.step_time_s;
}

double exposed(const Answer& run, const std::string& strategy) {
  return run.plan(strategy).facts.exposed_communication_s / run.plan(strategy).facts.step_time_s;
}

}  // namespace

TEST_CASE("a hundred local steps make slow links bearable: 83 % across continents, 96 % in one country") {
  const Answer run = planned("local-steps");
  const auto exchange = [&](const char* name) { return run.parts(name).gradient_traffic; };
  const auto computing = [&](const char* name) { return 1 - exchange(name) / run.plan(name).facts.step_time_s; };
  CHECK(std::abs(computing("base") - 0.83) < 0.01);
  CHECK(std::abs(computing("one country") - 0.96) < 0.01);
  // Measured 36.2 to 41.4 % MFU; the model's own error is 7 %.
  for (const char* name : {"base", "one country"}) {
    const double mfu = run.plan(name).facts.estimate->mfu;
    CHECK(mfu > 0.362 * 0.93);
    CHECK(mfu < 0.414 * 1.07);
  }
  // H t / (H t + x): an exchange of x seconds every H steps.
  const double x = 100 * exchange("base"), t = run.plan("base").facts.step_time_s - exchange("base");
  CHECK(off(computing("every 20 steps"), 20 * t / (20 * t + x)) < 1e-9);
  CHECK(off(computing("every 500 steps"), 500 * t / (500 * t + x)) < 1e-9);
  // 400 times less traffic: 100 steps, a quarter of the width.
  CHECK(off(100 * exchange("100, in 32 bits") / exchange("base"), 400) < 1e-9);
  CHECK(computing("at every step") < 0.1);
  // Nobody waits at every step for an exchange that is not there.
  CHECK(run.parts("base").waiting < 0.02 * run.parts("base").total());
}

TEST_CASE("from the row of one node the network model finds one node best on a poor network, four on a good one") {
  const Answer run = planned("two-nodes-slower");
  const double one = samples_per_s(run, "base");
  CHECK(off(one, 240) < 1e-9);
  // Measured 160, 120; the gradients and the rate are assumptions, so only roughly.
  CHECK(off(samples_per_s(run, "poor network, two nodes"), 160) < 0.2);
  CHECK(off(samples_per_s(run, "poor network, three nodes"), 120) < 0.2);
  CHECK(samples_per_s(run, "poor network, two nodes") < one);
  // Measured: 20 % lost from one to four nodes.
  CHECK(samples_per_s(run, "good network, four nodes") > 0.8 * 4 * one);
  CHECK(samples_per_s(run, "good network, four nodes") < 4 * one);
}

TEST_CASE("a gigabyte of gradients on p4d follows the measured curve, not the data sheet") {
  const Answer run = planned("all-reduce-p4d");
  const auto ms = [&](const char* name) { return 1e3 * run.plan(name).facts.exposed_communication_s; };
  const double two = ms("two nodes"), three = ms("three nodes"), four = ms("four nodes");
  CHECK(off(three / two, 64.8 / 35.2) < 0.05);
  CHECK(off(four / two, 70.3 / 35.2) < 0.05);
  // One message was measured; gradients go in buckets, which are slower each.
  for (const auto& [model, measured] : {std::pair{two, 35.2}, {three, 64.8}, {four, 70.3}}) {
    CHECK(model > measured);
    CHECK(model < 1.4 * measured);
  }
  // The data sheet's 50 GB/s a node on three and four nodes: 57 and 69 % too fast as one message.
  CHECK(three > 1.5 * 1e3 * 2 * (1 - 1.0 / 24) * 1.0737 / 50);
  CHECK(off(ms("V100, 25 Gbit/s"), 300) < 0.15);  // 2 x 15/16 x 0.5 GB at 3.125 GB/s
}

TEST_CASE("to exchange gradients after every micro-batch takes more than twice the time; once takes the memory") {
  const Answer run = planned("sync-every-micro-batch");
  CHECK(run.gain("once a step", "base") > 2.0);
  CHECK(run.gain("shares every micro-batch", "base") > 1.1);
  CHECK(run.gain("once a step", "shares every micro-batch") > 1.1);
  const auto gradients = [&](const char* name) { return run.memory(name).parts.gradients; };
  CHECK(off(gradients("once a step"), 2 * 8.03e9) < 0.01);  // BF16, whole
  CHECK(off(gradients("once a step"), 32 * gradients("base")) < 0.01);
  CHECK(gradients("shares every micro-batch") == gradients("base"));
  // FSDP gathers its weights for every micro-batch, whenever gradients are exchanged.
  CHECK(run.gain("once, FSDP", "every, FSDP") < run.gain("once a step", "base"));
  CHECK(run.gain("once, FSDP", "every, FSDP") > 1.1);
}

TEST_CASE("PCIe boxes are cheaper per token only well below the price of NVLink boxes") {
  const Answer run = planned("pcie-or-nvlink");
  CHECK(off(run.gain("PCIe, same price", "base"), 2105.0 / 4234) < 1e-3);
  // Measured 4,234 and 2,105. The speed over PCIe is an assumption about the box: between half and two thirds.
  CHECK(off(run.speed("NVLink by the model"), 4234) < 0.15);
  CHECK(run.gain("PCIe by the model", "NVLink by the model") > 0.45);
  CHECK(run.gain("PCIe by the model", "NVLink by the model") < 0.67);
  CHECK(exposed(run, "PCIe by the model") > 0.3);
  CHECK(exposed(run, "NVLink by the model") < 0.05);
}

TEST_CASE("weak scaling: rows of 8 and 128 GPUs within 5 %, of 512 within 12 %; long contexts cost more") {
  const Answer run = planned("weak-scaling");
  CHECK(off(run.speed("7B, 8"), 10'643) < 0.05);
  CHECK(off(run.speed("7B, 8, 64k"), 1'956) < 0.05);
  CHECK(off(run.speed("base"), 10'475) < 0.05);
  CHECK(off(run.speed("1B, 128"), 44'123) < 0.05);
  CHECK(off(run.speed("30B, 128"), 2'199) < 0.05);
  CHECK(off(run.speed("7B, 256"), 10'119) < 0.10);
  CHECK(off(run.speed("7B, 512"), 9'670) < 0.12);
  CHECK(off(run.speed("1B, 512"), 39'837) < 0.12);
  CHECK(off(run.speed("30B, 512"), 2'115) < 0.12);
  // Measured losses from 128 to 512 are 4 to 10 %; the model's are smaller, but losses, and its 90 % holds the rows.
  const char* pairs[][2] = {
      {"7B, 512", "base"}, {"1B, 512", "1B, 128"}, {"30B, 512", "30B, 128"}, {"70B, 512", "70B, 128"}};
  for (const auto& pair : pairs) {
    CHECK(run.gain(pair[0], pair[1]) < 1.0);
    CHECK(run.gain(pair[0], pair[1]) > 0.9);
  }
  const auto& estimate = *run.plan("7B, 512").facts.estimate;
  const double log_sd = std::hypot(estimate.log_sd_common, estimate.log_sd_contrast);
  CHECK(std::abs(std::log(run.speed("7B, 512") / 9'670)) < 1.645 * log_sd);
}

TEST_CASE("a mixture of experts on 16 H100: the set-up makes a factor of two and more") {
  const Answer run = planned("moe-16-h100");
  const auto tflops = [&](const char* name) { return run.plan(name).facts.estimate->mfu * 989.4; };
  // Measured 130 before and 229 to 240 after tuning, in 2024.
  CHECK(tflops("no experts parallel") < 240);
  CHECK(tflops("base") > 229);
  CHECK(tflops("base") / tflops("no experts parallel") > 240.0 / 130);
  // An uneven router makes all wait for the fullest expert: their products take twice as long.
  CHECK(off(run.parts("uneven router").experts, 2 * run.parts("even router, full").experts) < 1e-9);
  CHECK(tflops("uneven router") < 0.7 * tflops("even router, full"));
  CHECK(run.gain("base", "no overlap") > 1.01);
}

TEST_CASE("a mixture of experts on a rack: which message over which link is 14 or 71 % of the step") {
  const Answer run = planned("moe-on-a-rack");
  const auto experts = [&](const char* name) { return run.parts(name).expert_traffic / run.parts(name).total(); };
  CHECK(experts("base") < 0.3);
  // Measured 77.8 % of a step: real cases near 80 % exist, and the part says where it comes from.
  CHECK(std::abs(experts("over the slow network") - 0.778) < 0.10);
  CHECK(run.plan("over the slow network").facts.estimate->bound == "communication");
  CHECK(run.parts("over the slow network").experts == run.parts("base").experts);
  CHECK(run.parts("experts in 8 GPUs").expert_traffic < run.parts("base").expert_traffic);
}

}  // namespace fleetcast::tests
