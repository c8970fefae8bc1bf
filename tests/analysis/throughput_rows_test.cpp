#include "analysis/calibration/throughput_rows.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "analysis/calibration/row_fields.hpp"
#include "models/errors.hpp"
#include "scenarios/catalog_reader.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace fleetcast;
using namespace fleetcast::analysis;
using models::Recompute;
using models::Sharding;
using models::Stack;

namespace {

const std::string head =
    "id,source,year,gpu,gpu_mem_gb,n_gpus,interconnect,precision,task,model,params_b,layers,hidden,heads,kv_heads,ffn,"
    "vocab,seq_len,micro_batch,global_batch,tp,pp,vpp,cp,ep,sharding,activation_ckpt,tokens_per_s_per_gpu,notes\n";

ThroughputRows read(const std::string& rows) {
  const tests::TemporaryFolder folder;
  const std::string path = (folder.path() / "rows.csv").string();
  std::ofstream{path} << head << rows;
  return read_throughput_rows(path, scenarios::built_in_catalog());
}

ThroughputRow one(const std::string& row) {
  const ThroughputRows found = read(row);
  REQUIRE(found.rows.size() == 1);
  return found.rows.front();
}

}  // namespace

TEST_CASE("a full row becomes the question it describes") {
  const ThroughputRow row = one(
      "A,NVIDIA dgxc-benchmarking recipes,2025,H100-SXM,80,128,,fp8,pretrain,GPT3-175B,175,96,12288,96,96,49152,51200,"
      "2048,2,256,4,8,6,1,,none,full,800,release 25.04\n");
  const auto& question = row.question;
  CHECK(question.gpu.id == "H100");
  CHECK(question.precision == models::Precision::fp8);
  CHECK(question.software.stack == Stack::tuned);
  CHECK(std::abs(question.software.year - (2025 + 3.5 / 12)) < 1e-9);
  CHECK(question.layout.data == 4);
  CHECK(question.layout.micro_batches == 32.0);
  CHECK(question.layout.virtual_stages == 6);
  CHECK(question.layout.recompute == Recompute::full);
  CHECK(std::abs(row.tokens_per_step - 256 * 2048.0) < 1e-6);
  CHECK_FALSE(question.shape.gated);
}

TEST_CASE("silent fields are filled by the documented rules") {
  const ThroughputRow row = one(
      "A,mosaicml/llm-foundry,2023,A100-40GB,40,64,1600 Gbps node-node RoCE,bf16,pretrain,MPT-1b,1.316,24,2048,16,16,"
      "8192,50368,2048,,,,,,,,zero3/fsdp,unknown,14000,\n");
  const auto& layout = row.question.layout;
  CHECK(row.question.software.stack == Stack::pytorch);
  CHECK(layout.micro_batch == 4.0);  // 8,192 tokens
  CHECK(layout.micro_batches == 4.0);
  CHECK(layout.sharding == Sharding::zero3);
  CHECK(layout.recompute == Recompute::none);
  CHECK(row.question.links.inter == 25e9);  // 1,600 Gbit/s over 8 GPUs
}

TEST_CASE("PyTorch recomputes where activations do not fit") {
  const ThroughputRow row =
      one("A,some FSDP "
          "table,2024,A100-40GB,40,8,,bf16,pretrain,Llama2-7B,6.74,32,4096,32,32,11008,32000,4096,4,32,,,,,,fsdp,"
          ",3000,\n");
  CHECK(row.question.layout.recompute == Recompute::full);
}

TEST_CASE("mixtures come from the catalog, stand-ins are cut to their layers") {
  const ThroughputRow row = one(
      "A,NVIDIA dgxc-benchmarking recipes,2025,H100-SXM,80,64,,bf16,pretrain,Grok1-314B-proxy-8L,,,,,,,,8192,1,512,4,1,"
      ",2,8,none,,4000,\n");
  CHECK(row.question.shape.experts == 8);
  CHECK(row.question.shape.layers == 8);
  CHECK(row.family == "Grok1-314B");
  CHECK(row.mixture());
}

TEST_CASE("repeats of a configuration share one weight") {
  const std::string same =
      "NVIDIA "
      "NeMo,2025,H100-SXM,80,8,,bf16,pretrain,Llama3-8B,8.03,32,4096,32,8,14336,128256,8192,1,128,1,1,,1,,none,,";
  const ThroughputRows found = read("A," + same + "9000,\nB," + same + "9100,\nC," + same + "9200,\n");
  REQUIRE(found.rows.size() == 3);
  for (const ThroughputRow& row : found.rows) CHECK(std::abs(row.weight - 1.0 / 3.0) < 1e-12);
}

TEST_CASE("what cannot be predicted is named with a reason") {
  const ThroughputRows found = read(
      "A,x,2025,H100-SXM,80,8,,bf16,cv,ResNet-50,,,,,,,,,,,,,,,,,,,\n"
      "B,x,2025,TPU-v5,80,8,,bf16,pretrain,Llama3-8B,8.03,32,4096,32,8,14336,128256,8192,1,128,1,1,,1,,none,,9000,\n"
      "C,x,2025,A100-80GB,80,8,,fp8,pretrain,Llama3-8B,8.03,32,4096,32,8,14336,128256,8192,1,128,1,1,,1,,none,,9000,\n"
      "D,x,2025,H100-SXM,80,8,,bf16,pretrain,Secret-9B,,,,,,,,8192,1,128,1,1,,1,,none,,9000,\n");
  CHECK(found.rows.empty());
  REQUIRE(found.skipped.size() == 4);
  CHECK(found.skipped[0].reason == "task cv");
  CHECK(found.skipped[1].reason == "GPU not in the catalog: TPU-v5");
  CHECK(found.skipped[2].reason == "precision that the GPU does not have: fp8");
  CHECK(found.skipped[3].reason == "no public shape of the model");
}

TEST_CASE("a field that is no number is refused with its place") {
  try {
    read(
        "A,x,2025,H100-SXM,80,eight,,bf16,pretrain,Llama3-8B,8.03,32,4096,32,8,14336,128256,8192,1,128,1,1,,1,,none,,"
        "9000,\n");
    FAIL("must throw");
  } catch (const models::InputError& error) {
    REQUIRE(error.faults().size() == 1);
    CHECK(error.faults()[0].line == 2);
    CHECK(error.faults()[0].problem.find("n_gpus is \"eight\"") != std::string::npos);
  }
}

namespace {

/// The one fault of a table whose only data are these rows.
models::Fault fault_of(const std::string& rows) {
  try {
    read(rows);
  } catch (const models::InputError& error) {
    REQUIRE(error.faults().size() == 1);
    return error.faults().front();
  }
  FAIL("must throw");
  return {};
}

const std::string usual =
    "A,NVIDIA NeMo,2025,H100-SXM,80,8,,bf16,pretrain,Llama3-8B,8.03,32,4096,32,8,14336,128256,8192,1,128,2,1,,1,,none,,"
    "9000,\n";

std::string with(const std::string& from, const std::string& to) {
  std::string row = usual;
  const auto at = row.find(from);
  REQUIRE(at != std::string::npos);
  return row.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("fields of a layout and a shape are whole and positive, or refused with their place") {
  REQUIRE(read(usual).rows.size() == 1);
  struct Case {
    std::string from, to, problem;
  };
  const std::vector<Case> cases{{"8192,1,128", "8192,0,128", "micro_batch is \"0\""},
                                {"8192,1,128", "8192,1.5,128", "micro_batch is \"1.5\""},
                                {"8192,1,128", "1e300,1,128", "seq_len is \"1e300\""},
                                {"8192,1,128", "8192,1,-128", "global_batch is \"-128\""},
                                {"128,2,1", "128,0,1", "tp is \"0\""},
                                {"128,2,1", "128,2,99999999999", "pp is \"99999999999\""},
                                {"128,2,1", "128,3,1", "n_gpus is \"8\""},
                                {"80,8,", "80,0.25,", "n_gpus is \"0.25\""},
                                {"32,4096,32", "32,-4096,32", "hidden is \"-4096\""},
                                {"32,8,14336", "32,0,14336", "kv_heads is \"0\""},
                                {"Llama3-8B", "Llama3-8B-proxy-0L", "model is \"Llama3-8B-proxy-0L\""},
                                {"Llama3-8B", "Llama3-8B-proxy-99999999999999999999L", "99999999999999999999L"}};
  for (const Case& each : cases) {
    CAPTURE(each.problem);
    const models::Fault fault = fault_of(with(each.from, each.to));
    CHECK(fault.line == 2);
    CHECK(fault.problem.find(each.problem) != std::string::npos);
  }
}

TEST_CASE("lines are counted as an editor does, blank ones too") {
  CHECK(fault_of("\n\n" + usual + "\n" + with("8192,1,128", "8192,0,128")).line == 6);
}

TEST_CASE("a byte order mark before the header is no part of it") {
  const tests::TemporaryFolder folder;
  const std::string path = (folder.path() / "rows.csv").string();
  std::ofstream{path} << "\xEF\xBB\xBF" << head << usual;
  CHECK(read_throughput_rows(path, scenarios::built_in_catalog()).rows.front().id == "A");
}
