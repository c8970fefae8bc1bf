#include "scenarios/reader.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include <filesystem>
#include <fstream>

#include "models/random/deterministic_math.hpp"
#include "reading.hpp"

namespace fleetcast::scenarios {
namespace {

using test::assumed;
using test::has;
using test::messages;
using test::read;
using test::with;
using test::with_pool;

TEST_CASE("the two required fields are enough, and every default is noted with grade and source") {
  const ScenarioFile file = read(with(""));
  CHECK(file.name == "case");
  CHECK(file.compare_to == "base");
  REQUIRE(file.strategies.size() == 1);
  const Scenario& base = file.strategies[0];
  CHECK(base.strategy == "base");
  CHECK(base.workload.model->id == "eight-b");
  CHECK(base.workload.amount.count == 1e12);
  CHECK(*base.workload.sequence_length == 8192);
  REQUIRE(base.fleet.size() == 1);
  const Pool& pool = base.fleet[0];
  CHECK(pool.nodes == 16);
  CHECK(pool.market == Market::on_demand);
  CHECK(pool.price_per_node_h == 80.0);
  CHECK_FALSE(pool.price_given);
  CHECK(std::holds_alternative<models::Never>(pool.lifetime));
  CHECK(std::get<models::Constant>(pool.wait).value == 300.0);
  CHECK(std::get<models::Constant>(pool.boot).value == 180.0);
  CHECK(pool.billing.minimum.value() == 60.0);
  CHECK_FALSE(pool.billing.first_hour_free);
  CHECK(base.training.precision == models::Precision::bf16);
  CHECK(base.training.jitter == 0.03);
  CHECK(base.checkpoint.store.id == "aws/object");
  CHECK_FALSE(base.checkpoint.interval.has_value());
  CHECK(base.failures_typical);
  CHECK(base.failures.size() == 2);
  CHECK(base.warnings.empty());
  CHECK(assumed(base, "/fleet/main/price").value == "80 USD/node-h");
  CHECK(has(assumed(base, "/fleet/main/price").source, "2026-01"));
  CHECK(assumed(base, "/fleet/main/price").grade == models::Grade::measured);
  CHECK(assumed(base, "/fleet/main/wait").value == "5 min");
  CHECK(assumed(base, "/fleet/main/wait").source == "planning value");
  CHECK(assumed(base, "/recovery/restart/boot").value == "3 min");
  CHECK(assumed(base, "/training/jitter").value == "0.03");
  CHECK(assumed(base, "/checkpoint/keep").value == "3");
  CHECK(assumed(base, "/data").value == "never waits");
  CHECK(has(assumed(base, "/failures/causes/hardware").value, "2e-05 /GPU-h"));
  CHECK(has(assumed(base, "/failures/causes/hardware").source, "made up mix"));
  CHECK(assumed(base, "/fleet/main/lifetime").value.empty());
}

TEST_CASE("no default is noted twice, and nothing that was given is called a default") {
  const Scenario base =
      read(with(R"("training": { "jitter": 0, "precision": "fp8" }, "checkpoint": { "keep": "all" })")).strategies[0];
  for (std::size_t i = 0; i < base.assumptions.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) CHECK(base.assumptions[i].pointer != base.assumptions[j].pointer);
    CHECK_FALSE(base.assumptions[i].value.empty());
    CHECK_FALSE(base.assumptions[i].source.empty());
  }
  CHECK(assumed(base, "/training/jitter").value.empty());
  CHECK(assumed(base, "/training/precision").value.empty());
  CHECK(assumed(base, "/checkpoint/keep").value.empty());
  CHECK(base.training.jitter == 0.0);
  CHECK_FALSE(base.checkpoint.keep.has_value());
}

TEST_CASE("N06: a seed keeps all 64 bits") {
  CHECK(read(with(R"("montecarlo": { "seed": 18446744073709551615 })")).montecarlo.seed == 18446744073709551615ULL);
  CHECK(read(with(R"("montecarlo": { "seed": 9007199254740993 })")).montecarlo.seed == 9007199254740993ULL);
  CHECK(has(messages(with(R"("montecarlo": { "seed": 18446744073709551616 })")), "too large"));
}

TEST_CASE("spot without a zone takes the median of the zones that discount and shows the range") {
  const Scenario spot =
      read(with_pool(R"({ "instance": "aws/p5", "region": "us-east-1", "nodes": 2, "market": "spot" })")).strategies[0];
  const Pool& pool = spot.fleet[0];
  CHECK(pool.price_per_node_h == 32.0);
  CHECK(pool.price_low == 24.0);
  CHECK(pool.price_high == 40.0);
  CHECK(assumed(spot, "/fleet/main/price").grade == models::Grade::assumed);
  CHECK(has(assumed(spot, "/fleet/main/price").source, "median of 3 zones, 24 USD/node-h to 40 USD/node-h"));
  REQUIRE(pool.spot_model);
  CHECK(pool.spot_model->guessed);
  CHECK(models::det::normal_cdf(pool.spot_model->market.thresholds[1]) == doctest::Approx(0.3));
  CHECK(pool.spot_model->market.climate == doctest::Approx(std::hypot(0.6, 0.8)));
  CHECK(assumed(spot, "/fleet/main/capacity").source == "a guess");
  CHECK(pool.billing.first_hour_free);
  CHECK(std::get<models::Constant>(pool.wait).value == 0.0);
  CHECK(std::get<models::Constant>(pool.notice).value == 120.0);
  const Scenario other =
      read(with_pool(R"({ "instance": "aws/p4d", "region": "us-east-1", "nodes": 2, "market": "spot" })"))
          .strategies[0];
  CHECK(models::det::normal_cdf(other.fleet[0].spot_model->market.thresholds[1]) == doctest::Approx(0.4));
  CHECK(other.fleet[0].spot_model->market.climate == doctest::Approx(0.6));
  const Scenario zone =
      read(with_pool(R"({ "instance": "aws/p5", "region": "us-east-1", "zone": "b", "nodes": 2, "market": "spot" })"))
          .strategies[0];
  CHECK(zone.fleet[0].price_per_node_h == 40.0);
}

TEST_CASE("a price per GPU-hour becomes one per node-hour; free is a price") {
  const auto price = [](const std::string& text) {
    return read(with_pool(R"({ "instance": "aws/p5", "nodes": 1, "price": ")" + text + "\" }")).strategies[0];
  };
  CHECK(price("1.5 USD/GPU-h").fleet[0].price_per_node_h == 12.0);
  CHECK(price("1.5 USD/node-h").fleet[0].price_per_node_h == 1.5);
  CHECK(price("0 USD/GPU-h").fleet[0].price_per_node_h == 0.0);
  CHECK(price("0 USD/GPU-h").warnings.empty());
  CHECK(price("1.5 USD/GPU-h").fleet[0].price_source == "given");
  CHECK(price("1.5 USD/GPU-h").fleet[0].price_given);
}

TEST_CASE("an unknown price is a fault that says which one is missing") {
  const auto why = [](const std::string& pool) { return messages(with_pool(pool)); };
  CHECK(has(why(R"({ "instance": "azure/nd", "nodes": 1 })"), "no on-demand price is known for azure/nd"));
  CHECK(has(why(R"({ "instance": "aws/p5", "nodes": 1 })"), "\"region\" is missing"));
  CHECK(has(why(R"({ "instance": "aws/p5", "nodes": 1, "region": "us-west-2", "market": "spot" })"),
            "no spot price is known for aws/p5 in us-west-2"));
  const std::string region = why(R"({ "instance": "aws/p5", "nodes": 1, "region": "us-east-2" })");
  CHECK(has(region, "in region \"us-east-2\""));
  CHECK(has(region, "allowed: us-east-1, us-west-2; did you mean \"us-east-1\"?"));
  const std::string zone =
      why(R"({ "instance": "aws/p5", "nodes": 1, "region": "us-east-1", "zone": "A1", "market": "spot" })");
  CHECK(has(zone, "in zone \"A1\""));
  CHECK(has(zone, "a, b, c, d"));
  CHECK(has(
      why(R"({ "instance": "lambda/h100", "nodes": 1, "region": "us-east-1", "market": "spot", "price": "1 USD/GPU-h" })"),
      "Lambda sells no spot nodes"));
  CHECK(has(why(R"({ "instance": "aws/p5", "nodes": 1, "price": "0.02 USD/GB" })"), "USD/GPU-h or USD/node-h"));
}

TEST_CASE("owned nodes need no region and cost nothing") {
  const Scenario owned = read(with_pool(R"({ "instance": "aws/p5", "nodes": 2, "market": "owned" })")).strategies[0];
  CHECK(owned.fleet[0].price_per_node_h == 0.0);
  CHECK(owned.fleet[0].price_source == "owned");
  CHECK(std::get<models::Constant>(owned.fleet[0].wait).value == 0.0);
  CHECK(assumed(owned, "/fleet/main/billing").value.empty());
}

TEST_CASE("an own machine takes what is said, NVLink from its GPU, and assumed times of starting") {
  const Scenario own = read(R"({ "checkpoint": { "mode": "off" }, "workload": { "model": "eight-b", "tokens": "1T" },
    "fleet": { "main": { "nodes": 2, "price": "2 USD/GPU-h",
      "instance": { "gpu": "H100-SXM", "gpus": 4, "inter": "400 Gbit/s", "memory": "1 TiB" } } } })")
                           .strategies[0];
  const Pool& pool = own.fleet[0];
  CHECK(pool.gpu.id == "H100");
  CHECK(pool.instance.gpus == 4);
  CHECK(pool.instance.domain == 4);
  CHECK(pool.instance.intra.value() == 600e9);
  CHECK(pool.instance.inter.value() == 50e9);
  CHECK(pool.price_per_node_h == 8.0);
  CHECK(std::get<models::Constant>(pool.boot).value == 120.0);
  CHECK(std::get<models::Constant>(pool.image).value == 60.0);
  CHECK(has(
      messages(with_pool(R"({ "instance": { "gpu": "H100" }, "nodes": 2, "price": "2 USD/GPU-h", "market": "spot" })")),
      "\"lifetime\" is missing"));
  CHECK(has(messages(with_pool(R"({ "instance": { "gpu": "H100" }, "nodes": 2, "price": "2 USD/GPU-h" })")),
            "\"store\" is missing in checkpoint"));
}

TEST_CASE("own entries come before the catalog, inherit by like, and lose prices with another number of GPUs") {
  const std::string text = R"({
    "define": {
      "instances": { "half": { "like": "aws/p5", "gpus": 4 }, "aws/p4d": { "like": "aws/p4d", "inter": "1 GB/s" } },
      "stores": { "mine": { "node_rate": "1 GB/s", "per_gb_month": "0.1 USD/GB" } },
      "models": { "big": { "like": "eight-b", "layers": 64 } } },
    "workload": { "model": "big", "tokens": "1T" },
    "checkpoint": { "store": "mine" },
    "fleet": { "a": { "instance": "half", "nodes": 1, "price": "1 USD/GPU-h" },
               "b": { "instance": "aws/p4d", "nodes": 1, "region": "us-east-1" } } })";
  const Scenario base = read(text).strategies[0];
  CHECK(base.workload.model->layers == 64);
  CHECK(base.workload.model->hidden == 4096);
  CHECK(base.workload.model->id == "big");
  CHECK(base.fleet[0].instance.gpus == 4);
  CHECK(base.fleet[0].instance.prices.empty());
  CHECK(base.fleet[1].instance.inter.value() == 1e9);
  CHECK(base.fleet[1].price_per_node_h == 24.0);
  CHECK(base.checkpoint.store.per_gb_month.value() == 0.1);
  CHECK(has(messages(R"({ "define": { "models": { "a": { "like": "b" }, "b": { "like": "a" } } },
    "workload": { "model": "a", "tokens": 1, "sequence_length": 1 }, "fleet": { "m": { "instance": "aws/p5", "region": "us-east-1", "nodes": 1 } } })"),
            "is described by itself"));
}

TEST_CASE("missing files, folders and huge files are refused with the full path") {
  const models::Catalog known = test::catalog();
  const auto why = [&](const std::string& path) {
    try {
      read_scenario_file(path, known, {});
    } catch (const models::InputError& error) {
      return std::string{error.what()};
    }
    return std::string{};
  };
  const std::string missing = why("no/such file.json");
  CHECK(has(missing, "there is no such file: " + (std::filesystem::current_path() / "no/such file.json").string()));
  CHECK(has(why(std::filesystem::temp_directory_path().string()), "this is a folder"));
  CHECK(has(why(""), "there is no such file"));
}

TEST_CASE("a file whose path has spaces and letters of all kinds is read and keeps its text") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "fleetcast L\xC3\xA4ufe \xE8\xAF\x95 %#";
  std::filesystem::create_directories(folder);
  const std::filesystem::path path = folder / "-my run.jsonc";
  const std::string text = "// mine\n" + with("");
  std::ofstream{path} << text;
  const ScenarioFile file = read_scenario_file(path.string(), test::catalog(), {});
  CHECK(file.text == text);
  CHECK(file.path == path.string());
  CHECK(file.name == "-my run");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace fleetcast::scenarios
