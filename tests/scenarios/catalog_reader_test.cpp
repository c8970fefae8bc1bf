#include "scenarios/catalog_reader.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <tuple>

#include "models/errors.hpp"
#include "models/price.hpp"
#include "models/random/distribution.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace fleetcast;

namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream{file} << text;
}

/// The faults of a catalog folder that holds one file.
std::vector<models::Fault> faults_of(const std::string& name, const std::string& text) {
  const tests::TemporaryFolder folder;
  write(folder.path() / name, text);
  try {
    scenarios::read_catalog(folder.path().string());
  } catch (const models::InputError& error) {
    return error.faults();
  }
  return {};
}

bool has_fault(const std::vector<models::Fault>& faults, const std::string& pointer, const std::string& problem) {
  for (const models::Fault& fault : faults)
    if (fault.pointer == pointer && fault.problem.find(problem) != std::string::npos) return true;
  return false;
}

std::string store_file(const std::string& more) {
  return R"({"format": "fleetcast-catalog-1", "about": "x", "entries": [
    {"id": "aws/s3", "provider": "aws", "kind": "object", "node_rate": "4 GB/s", "fixed": "1 s",
     "per_gb_month": "0.023 USD/GB", "per_1k_writes": "0.005 USD", "grade": "assumed")" +
         more + "}]}";
}

/// A shape of 6.74B with more said about it.
std::string model_file(const std::string& more, const std::string& ffn = R"("ffn": 11008,)") {
  return R"({"format": "fleetcast-catalog-1", "about": "x", "entries": [
    {"id": "a", "layers": 32, "hidden": 4096, "heads": 32, "vocab": 32000, "parameters": "6.74B", "source": "s",
     "date": "2026", )" +
         ffn + more + R"("check": "part"}]})";
}

std::string gpu_file(const std::string& more) {
  return R"({"format": "fleetcast-catalog-1", "about": "x", "entries": [
    {"id": "X1", "aliases": [], "peaks_tflops": {"bf16": 100}, "memory": "80 GiB", "memory_rate": "2 TB/s",
     "nvlink": "0 GB/s", "power_w": 300, "source": "s", "date": "2026", )" +
         more + R"("check": "part"}]})";
}

const std::string provenance = R"(, "source": "s", "date": "2026", "check": "part")";

}  // namespace

TEST_CASE("the catalog that is compiled in can be read, and every GPU, provider and store that it names is there") {
  const models::Catalog& catalog = scenarios::built_in_catalog();
  for (const char* id : {"V100-16GB", "V100-32GB", "A10G", "L4", "A100-40GB", "A100-80GB", "H100", "H800", "H200",
                         "B200", "GB200", "B300", "GB300"})
    CHECK_MESSAGE(catalog.gpu(id) != nullptr, id);
  for (const char* id :
       {"aws/p4d.24xlarge", "aws/p4de.24xlarge", "aws/p5.48xlarge", "aws/p5en.48xlarge", "aws/p6-b200.48xlarge",
        "aws/p3.2xlarge", "aws/p3.16xlarge", "gcp/a2-highgpu-8g", "gcp/a2-ultragpu-8g", "gcp/a3-highgpu-8g",
        "gcp/a3-megagpu-8g", "gcp/a4-highgpu-8g", "lambda/gpu_8x_h100_sxm5", "lambda/gpu_8x_a100_80gb_sxm4"}) {
    REQUIRE_MESSAGE(catalog.instance(id) != nullptr, id);
    CHECK_MESSAGE(!catalog.instance(id)->prices.empty(), id);
  }
  for (const char* id : {"aws", "gcp", "azure", "oci", "coreweave", "lambda", "nebius", "runpod", "verda"})
    CHECK_MESSAGE(catalog.provider(id) != nullptr, id);
  for (const char* id : {"aws/s3", "aws/efs", "aws/fsx-lustre-250", "gcp/gcs", "lambda/filesystem", "local-nvme"})
    CHECK(catalog.store(id) != nullptr);
}

TEST_CASE("dense peaks are in order: wider formats are never faster, and MX formats run at the rate of their width") {
  for (const models::GpuSpec& gpu : scenarios::built_in_catalog().gpus) {
    double before = 0.0;
    for (const auto precision : {models::Precision::fp32, models::Precision::tf32, models::Precision::fp16,
                                 models::Precision::fp8, models::Precision::nvfp4}) {
      if (!gpu.peak(precision)) continue;
      CHECK_MESSAGE(gpu.peak(precision)->value() >= before, gpu.id);
      before = gpu.peak(precision)->value();
    }
    if (gpu.peak(models::Precision::mxfp8))
      CHECK(gpu.peak(models::Precision::mxfp8) == gpu.peak(models::Precision::fp8));
    if (gpu.peak(models::Precision::mxfp4))
      CHECK(gpu.peak(models::Precision::mxfp4) == gpu.peak(models::Precision::nvfp4));
  }
  CHECK(scenarios::built_in_catalog().gpu("H100")->peak(models::Precision::bf16)->value() == 989.4e12);
  CHECK_FALSE(scenarios::built_in_catalog().gpu("V100-16GB")->peak(models::Precision::bf16));
}

TEST_CASE("shapes give the published parameter counts") {
  // Published totals in billions, after dense models: latent attention and hybrids.
  const models::Catalog& catalog = scenarios::built_in_catalog();
  for (const auto& [id, billions] : std::vector<std::pair<std::string, double>>{{"llama-2-7b", 6.738},
                                                                                {"llama-3-8b", 8.03},
                                                                                {"llama-3-70b", 70.55},
                                                                                {"llama-3-405b", 405.85},
                                                                                {"mixtral-8x7b", 46.7},
                                                                                {"gpt-3-175b", 174.6},
                                                                                {"gpt-neox-20b", 20.55},
                                                                                {"bloom-176b", 176.2},
                                                                                {"nemotron-4-340b", 341.0},
                                                                                {"deepseek-v2", 235.7},
                                                                                {"deepseek-v3", 671.0},
                                                                                {"kimi-k2", 1030.0},
                                                                                {"nemotron-h-8b", 8.1},
                                                                                {"nemotron-3-nano-30b-a3b", 31.6}}) {
    REQUIRE_MESSAGE(catalog.shape(id) != nullptr, id);
    CHECK_MESSAGE(models::parameters(*catalog.shape(id)) / 1e9 == doctest::Approx(billions).epsilon(0.005), id);
  }
}

TEST_CASE("mixtures of experts give the published number of active parameters") {
  // Printed to one or two digits, with or without the input embedding: 5 %. One expert more or less is 7 % and up.
  const models::Catalog& catalog = scenarios::built_in_catalog();
  for (const auto& [id, billions] : std::vector<std::pair<std::string, double>>{{"deepseek-v2", 21.0},
                                                                                {"deepseek-v3", 37.0},
                                                                                {"kimi-k2", 32.0},
                                                                                {"nemotron-3-nano-30b-a3b", 3.2},
                                                                                {"nemotron-3-super-120b-a12b", 12.0},
                                                                                {"gpt-oss-120b", 5.1},
                                                                                {"qwen3-235b-a22b", 22.0},
                                                                                {"mixtral-8x7b", 12.9}}) {
    REQUIRE_MESSAGE(catalog.shape(id) != nullptr, id);
    const double ratio = models::active_matrix_parameters(*catalog.shape(id)) / 1e9 / billions;
    CHECK_MESSAGE(std::abs(ratio - 1.0) < 0.05, id << " " << ratio);
  }
}

TEST_CASE("what a shape says beyond the plain decoder arrives: encoders, windows, latent attention, hybrids") {
  const models::Catalog& catalog = scenarios::built_in_catalog();
  CHECK_FALSE(catalog.shape("bert-large")->causal);
  CHECK(catalog.shape("llama-3-8b")->causal);
  CHECK(catalog.shape("gpt-oss-120b")->window == 128);
  CHECK(catalog.shape("gpt-oss-120b")->windowed_share == 0.5);
  CHECK(catalog.shape("mistral-7b")->windowed_share == 1.0);
  const models::TransformerShape& v3 = *catalog.shape("deepseek-v3");
  CHECK(std::tuple{v3.query_rank, v3.kv_rank, v3.rope_dim, v3.head_dim} == std::tuple{1536, 512, 64, 128});
  const models::TransformerShape& super = *catalog.shape("nemotron-3-super-120b-a12b");
  CHECK(std::tuple{super.attention_layers, super.mamba_layers, models::mixture_layers(super)} == std::tuple{8, 40, 40});
  CHECK(std::tuple{super.mamba_inner, super.mamba_state, super.mamba_groups} == std::tuple{8192, 128, 8});
  CHECK(super.expert_latent == 1024);
  CHECK(models::mlp_layers(*catalog.shape("nemotron-h-56b")) == 54);
}

TEST_CASE("each contradiction in a shape is a fault") {
  CHECK(faults_of("models.json", model_file("")).empty());
  for (const auto& [more, key] : std::vector<std::pair<std::string, std::string>>{
           {R"("window": 4096, )", "window"},
           {R"("windowed_share": 0.5, )", "window"},
           {R"("window": 4096, "windowed_share": 1.5, )", "windowed_share"},
           {R"("query_rank": 1536, )", "kv_rank"},
           {R"("kv_rank": 512, "rope_dim": 64, )", "head_dim"},
           {R"("mamba_layers": 4, "mamba_inner": 8192, "mamba_state": 128, "mamba_groups": 8, )", "mamba_layers"},
           {R"("attention_layers": 4, "mamba_layers": 4, "mamba_state": 128, "mamba_groups": 8, )", "mamba_inner"},
           {R"("mamba_groups": 8, )", "mamba_groups"},
           {R"("attention_layers": 33, )", "attention_layers"},
           {R"("dense_layers": 33, )", "dense_layers"},
           {R"("expert_latent": 1024, )", "expert_latent"},
           {R"("causal": 0, )", "causal"}})
    CHECK_MESSAGE(has_fault(faults_of("models.json", model_file(more)), "/entries/0/" + key, ""), more);
  CHECK(has_fault(faults_of("models.json", model_file("", "")), "/entries/0/ffn", "is missing"));
}

TEST_CASE("the width of an MLP is needed only where some layer has a plain one") {
  const std::string experts = R"("experts": 4, "experts_active": 2, "expert_ffn": 2752, )";
  CHECK(faults_of("models.json", model_file(experts, "")).empty());
  CHECK(has_fault(faults_of("models.json", model_file(experts + R"("dense_layers": 1, )", "")), "/entries/0/ffn", ""));
}

TEST_CASE("a GPU says its generation, and no ceiling is above its peak") {
  CHECK(has_fault(faults_of("gpus.json", gpu_file("")), "/entries/0/generation", "is missing"));
  CHECK(has_fault(faults_of("gpus.json", gpu_file(R"("generation": "ada", )")), "/entries/0/generation", "\"ada\""));
  for (const char* ceilings : {R"({"bf16": 101})", R"({"fp8": 50})"}) {
    const std::string more = std::string{R"("generation": "hopper", "ceilings_tflops": )"} + ceilings + ", ";
    CHECK(has_fault(faults_of("gpus.json", gpu_file(more)), "/entries/0/ceilings_tflops", "above its peak"));
  }
}

TEST_CASE("every name that published measurements use for a GPU leads to one, with its measured ceiling if any") {
  const models::Catalog& catalog = scenarios::built_in_catalog();
  for (const char* name : {"A100-PCIe-40GB", "A100-SXM4-80GB", "H100-80GB-HBM3", "H100-SXM", "H100-PCIe", "H200-SXM",
                           "B200-SXM", "B300-SXM", "GB200 (per GPU)", "GB300 (per GPU)", "V100-SXM2", "A800", "GH200"})
    CHECK_MESSAGE(catalog.gpu(name) != nullptr, name);
  using enum models::Precision;
  CHECK(catalog.gpu("A100-80GB")->ceiling(bf16)->value() == 271.2e12);
  CHECK(catalog.gpu("A100-PCIe-40GB")->ceiling(fp16)->value() == 252.9e12);
  CHECK(catalog.gpu("GB200")->ceiling(fp8)->value() == 3615.6e12);
  CHECK(catalog.gpu("H100-96GB")->ceiling(bf16)->value() == 640e12);
  CHECK(catalog.gpu("H100")->generation == models::Generation::hopper);
  CHECK(catalog.gpu("GB300")->ceilings.empty());
}

TEST_CASE(
    "AWS prices after the cut of June 2025 are known by place, and spot medians leave out zones without discount") {
  const models::InstanceSpec& p5 = *scenarios::built_in_catalog().instance("aws/p5.48xlarge");
  CHECK(models::on_demand_price(p5, "us-east-1", "")->price.value() == 55.04);
  const auto spot = models::spot_price(p5, "us-east-1", "");
  REQUIRE(spot);
  CHECK(spot->high < 55.04);
  CHECK(spot->low > 0.0);
  CHECK_FALSE(models::on_demand_price(p5, "mars-1", ""));
}

TEST_CASE(
    "no catalog price is implausible: an H100 node of GCP is never cheaper on demand than half of its list price") {
  for (const models::PriceEntry& price : scenarios::built_in_catalog().instance("gcp/a3-highgpu-8g")->prices)
    if (price.on_demand) CHECK(price.on_demand->value() > 80.0);
}

TEST_CASE("every provider of spot machines has a market for any GPU, and its level is never certain") {
  for (const models::ProviderSpec& provider : scenarios::built_in_catalog().providers) {
    CAPTURE(provider.id);
    CHECK(provider.sells_spot == (provider.market_of("no such GPU") != nullptr));
    for (const models::SpotMarketClass& market : provider.markets) {
      CHECK(market.none + market.some + market.all == doctest::Approx(1.0));
      CHECK(market.zone_sd >= 0.6);
      CHECK(market.market.climate >= 0.4);
      CHECK(!market.source.empty());
    }
  }
}

TEST_CASE("the guess for AWS A100 and newer has its mean life half way, in log, between what is measured and advised") {
  const models::SpotMarketClass& like = *scenarios::built_in_catalog().provider("aws")->market_of("A100-40GB");
  CHECK(like.grade == models::Grade::assumed);
  models::LayeredMarket market = like.market;
  market.climate = 0.0;
  market.thresholds = models::thresholds_of_shares(8, like.none, like.some, like.all);
  // of the middle one of eight nodes
  const double losses_per_h =
      3600.0 * (models::falls_per_second(market, 4) / models::share_at_least(market, 4) + market.lone_loss_per_s);
  CHECK(1.0 / losses_per_h == doctest::Approx(std::sqrt(10.0 * 14600.0)).epsilon(0.1));
}

TEST_CASE(
    "typical failures of 16,384 H100 in 54 days are the published 419, three quarters and more of them hardware") {
  const models::TypicalFailures& mix = *scenarios::built_in_catalog().typical_failures("H100");
  double all = 0.0, hardware = 0.0;
  for (const models::TypicalCause& cause : mix.causes) {
    all += cause.per_gpu.value();
    hardware += cause.needs_node ? cause.per_gpu.value() : 0.0;
  }
  CHECK(all * 16384 * 54 * 86400 == doctest::Approx(419).epsilon(0.005));
  CHECK(hardware / all == doctest::Approx(0.78).epsilon(0.05));
}

TEST_CASE("a file in a folder takes the place of the built-in one, the others stay") {
  const tests::TemporaryFolder folder;
  // The built-in providers name more stores than this one; keep their defaults alive.
  write(folder.path() / "models.json",
        R"({"format": "fleetcast-catalog-1", "about": "x", "entries": [
           {"id": "mine", "layers": 32, "hidden": 4096, "heads": 32, "ffn": 11008, "vocab": 32000,
            "parameters": "6.74B", "source": "s", "date": "2026", "check": "part"}]})");
  const models::Catalog catalog = scenarios::read_catalog(folder.path().string());
  CHECK(catalog.shape("mine") != nullptr);
  CHECK(catalog.shape("llama-3-8b") == nullptr);
  CHECK(catalog.gpu("H100") != nullptr);
}

TEST_CASE("a folder that is not there is a fault") {
  CHECK_THROWS_AS(scenarios::read_catalog("/no/such/folder"), models::InputError);
}

TEST_CASE("an unknown key is a fault with its place and the nearest key") {
  const auto faults = faults_of("stores.json", store_file(provenance + R"(, "node_rates": "4 GB/s")"));
  REQUIRE(has_fault(faults, "/entries/0/node_rates", "is not a field"));
  for (const models::Fault& fault : faults)
    if (fault.pointer == "/entries/0/node_rates") {
      CHECK(fault.nearest == "node_rate");
      CHECK(fault.line == 3);
    }
}

TEST_CASE("figures without a source, a date or a check are faults") {
  const auto faults = faults_of("stores.json", store_file(""));
  for (const char* key : {"source", "date", "check"})
    CHECK(has_fault(faults, std::string{"/entries/0/"} + key, "is missing"));
  CHECK(has_fault(faults_of("stores.json", store_file(R"(, "source": "", "date": "2026", "check": "part")")),
                  "/entries/0/source", "is empty"));
}

TEST_CASE("a name that leads nowhere is a fault of the file that uses it") {
  // One store alone: the default stores of all providers but AWS are gone.
  const auto faults = faults_of("stores.json", store_file(provenance));
  CHECK(faults.size() == scenarios::built_in_catalog().providers.size() - 1);
  CHECK(has_fault(faults, "/entries/1/default_store", "\"gcp/gcs\" is not in the catalog"));
}

TEST_CASE("an id that is there twice is a fault") {
  const std::string shape =
      R"({"id": "a", "layers": 32, "hidden": 4096, "heads": 32, "ffn": 11008, "vocab": 32000, "parameters": "6.74B",
          "source": "s", "date": "2026", "check": "part"})";
  const auto faults = faults_of(
      "models.json", R"({"format": "fleetcast-catalog-1", "about": "x", "entries": [)" + shape + "," + shape + "]}");
  CHECK(has_fault(faults, "/entries/1/id", "is there twice"));
}

TEST_CASE("a shape that misses its published total by more than one percent is a fault") {
  const auto faults = faults_of("models.json", R"({"format": "fleetcast-catalog-1", "about": "x", "entries": [
      {"id": "a", "layers": 33, "hidden": 4096, "heads": 32, "ffn": 11008, "vocab": 32000, "parameters": "6.74B",
       "source": "s", "date": "2026", "check": "part"}]})");
  CHECK(has_fault(faults, "/entries/0/parameters", "the shape has 6.9"));
}

TEST_CASE("shares of failures that do not sum to one are a fault") {
  const auto faults = faults_of("failures.json", R"({"format": "fleetcast-catalog-1", "about": "x", "entries": [
      {"gpus": [], "rate": "2e-5 /GPU-h", "rate_sigma": 0.6, "grade": "assumed", "source": "s", "date": "2026",
       "check": "part", "causes": [{"name": "a", "share": 0.9, "detect": "2 min", "repair": "0 s"}]}]})");
  CHECK(has_fault(faults, "/entries/0/causes", "do not sum to 1"));
}

TEST_CASE("values of the wrong unit, kind or size are faults where they stand, all at once") {
  const auto faults = faults_of("stores.json", R"({"format": "fleetcast-catalog-2", "about": 7, "entries": [
      {"id": "aws/s3", "provider": "aws", "kind": "tape", "node_rate": "4 GB", "fixed": 1, "per_gb_month": "1 USD/h",
       "per_1k_writes": "0.005 USD", "grade": "sure", "source": "s", "date": "2026", "check": "part"}]})");
  CHECK(has_fault(faults, "/format", "fleetcast-catalog-2"));
  for (const char* key : {"kind", "node_rate", "fixed", "per_gb_month", "grade"})
    CHECK_MESSAGE(has_fault(faults, std::string{"/entries/0/"} + key, ""), key);
  CHECK(has_fault(faults, "/about", ""));
  for (const models::Fault& fault : faults)
    CHECK_MESSAGE(fault.problem.find("found found") == std::string::npos, fault.problem);
  CHECK(has_fault(faults, "/entries/0/node_rate", "found \"4 GB\""));
  CHECK(has_fault(faults, "/entries/0/per_gb_month", "found \"1 USD/h\""));
}

TEST_CASE("what is no JSON is one fault with its line") {
  const auto faults = faults_of("gpus.json", "{\n  oops\n}");
  REQUIRE(!faults.empty());
  CHECK(faults.front().line == 2);
}
