#pragma once
// A small catalog of its own for the reader's tests: figures are round and made up, so that no test depends on what
// the real catalog says.
#include <string>
#include <vector>

#include "models/catalog.hpp"

namespace fleetcast::scenarios::test {

using models::Bytes;
using models::BytesPerSecond;
using models::Constant;
using models::FlopsPerSecond;
using models::Grade;
using models::Precision;
using models::Seconds;
using models::Usd;
using models::UsdPerNodeHour;

inline models::GpuSpec gpu(const std::string& id, std::vector<models::Peak> peaks) {
  models::GpuSpec spec;
  spec.id = id;
  spec.peaks = std::move(peaks);
  spec.memory = Bytes{80e9};
  spec.nvlink = BytesPerSecond{600e9};
  return spec;
}

inline std::vector<models::GpuSpec> gpus() {
  const FlopsPerSecond rate{1e14};
  std::vector<models::GpuSpec> list{
      gpu("V100", {{Precision::fp32, rate}, {Precision::fp16, rate}}),
      gpu("A100", {{Precision::fp32, rate}, {Precision::tf32, rate}, {Precision::fp16, rate}, {Precision::bf16, rate}}),
      gpu("H100", {{Precision::fp32, rate},
                   {Precision::tf32, rate},
                   {Precision::fp16, rate},
                   {Precision::bf16, rate},
                   {Precision::fp8, rate}})};
  list.back().aliases = {"H100-SXM"};
  return list;
}

inline models::PriceEntry price(const std::string& region, const std::string& zone, double on_demand, double spot) {
  models::PriceEntry entry;
  entry.region = region;
  entry.zone = zone;
  if (on_demand > 0) entry.on_demand = UsdPerNodeHour{on_demand};
  if (spot > 0) entry.spot = UsdPerNodeHour{spot};
  entry.spot_gives_discount = spot > 0 && spot < on_demand;
  entry.date = "2026-01";
  entry.source = "made up";
  return entry;
}

inline models::InstanceSpec instance(const std::string& id, const std::string& provider, const std::string& gpu_id,
                                     std::vector<models::PriceEntry> prices) {
  models::InstanceSpec spec;
  spec.id = id;
  spec.provider = provider;
  spec.gpu = gpu_id;
  spec.intra = BytesPerSecond{600e9};
  spec.inter = BytesPerSecond{50e9};
  spec.prices = std::move(prices);
  return spec;
}

inline std::vector<models::InstanceSpec> instances() {
  return {instance("aws/p5", "aws", "H100",
                   {price("us-east-1", "a", 80, 24), price("us-east-1", "b", 80, 40), price("us-east-1", "c", 80, 32),
                    price("us-east-1", "d", 80, 80), price("us-west-2", "a", 88, 0)}),
          instance("aws/p4d", "aws", "A100", {price("us-east-1", "", 24, 12)}),
          instance("aws/p3", "aws", "V100", {price("us-east-1", "", 8, 4)}),
          instance("gcp/a3", "gcp", "H100", {price("us-central1", "", 88, 20)}),
          instance("lambda/h100", "lambda", "H100", {price("us-east-1", "", 24, 0)}),
          instance("azure/nd", "", "A100", {})};
}

inline models::GradedTime graded(models::Distribution law, const std::string& source) {
  return {std::move(law), Grade::assumed, source};
}

inline models::ProviderSpec provider(const std::string& id, const std::string& title) {
  models::ProviderSpec spec;
  spec.id = id;
  spec.title = title;
  spec.billing_on_demand = {Seconds{1}, Seconds{60}, true, false};
  spec.billing_spot = {Seconds{1}, Seconds{60}, true, true};
  spec.billing_source = "price list";
  spec.notice = graded(Constant{120}, "manual");
  spec.wait_on_demand = graded(Constant{300}, "planning value");
  spec.wait_spot = graded(Constant{900}, "planning value");
  spec.markets = {{{"H100"}, 0.1, 0.2, 0.7, models::pooled_market(), 0.8, Grade::assumed, "a guess"},
                  {{}, 0.2, 0.2, 0.6, models::pooled_market(), 0.0, Grade::fitted, "another guess"}};
  spec.announced_notice = Seconds{120};
  spec.boot = graded(Constant{180}, "log");
  spec.image = graded(Constant{240}, "log");
  spec.default_store = id + "/object";
  return spec;
}

inline std::vector<models::ProviderSpec> providers() {
  std::vector<models::ProviderSpec> list{provider("aws", "Amazon"), provider("gcp", "Google"),
                                         provider("lambda", "Lambda")};
  list.back().sells_spot = false;
  return list;
}

inline models::StoreSpec store(const std::string& id, const std::string& provider_id) {
  models::StoreSpec spec;
  spec.id = id;
  spec.provider = provider_id;
  spec.kind = "object";
  spec.node_rate = BytesPerSecond{2e9};
  spec.fixed = Seconds{1};
  spec.per_gb_month = Usd{0.02};
  spec.source = "made up";
  return spec;
}

inline models::TransformerShape shape(const std::string& id, std::int64_t layers, std::int64_t hidden,
                                      std::int64_t heads) {
  models::TransformerShape spec;
  spec.id = id;
  spec.layers = layers;
  spec.hidden = hidden;
  spec.heads = heads;
  spec.kv_heads = heads / 4;
  spec.ffn = 3 * hidden;
  spec.vocab = 128000;
  spec.sequence_length = 8192;
  spec.source = "made up";
  return spec;
}

inline models::TypicalFailures failures(std::vector<std::string> gpu_ids) {
  models::TypicalFailures mix;
  mix.gpus = std::move(gpu_ids);
  mix.causes = {{"hardware", models::PerSecond{2e-5 / 3600}, true, Constant{120}, Constant{0}},
                {"software", models::PerSecond{1e-5 / 3600}, false, Constant{600}, Constant{0}}};
  mix.rate_sigma = 0.6;
  mix.source = "made up mix";
  return mix;
}

inline models::Catalog catalog() {
  models::Catalog result;
  result.gpus = gpus();
  result.instances = instances();
  result.providers = providers();
  result.stores = {store("aws/object", "aws"), store("gcp/object", "gcp"), store("lambda/object", "lambda")};
  result.shapes = {shape("eight-b", 32, 4096, 32), shape("seventy-b", 80, 8192, 64)};
  result.failures = {failures({"H100"}), failures({})};
  return result;
}

}  // namespace fleetcast::scenarios::test
