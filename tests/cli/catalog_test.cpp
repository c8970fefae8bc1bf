#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/runs.hpp"

using namespace fleetcast::tests;

namespace {

using Json = nlohmann::json;

const std::vector<std::string> kinds{"gpus", "instances", "models", "providers", "stores", "failures"};

Finished catalog(std::vector<std::string> arguments, const Surroundings& surroundings = {}) {
  arguments.insert(arguments.begin(), "catalog");
  return run_fleetcast(arguments, surroundings);
}

Json catalog_json(std::vector<std::string> arguments) {
  arguments.emplace_back("--json");
  const Finished finished = catalog(std::move(arguments));
  REQUIRE_MESSAGE(finished.code == 0, finished.err);
  return Json::parse(finished.out);
}

std::set<std::string> keys_of(const Json& object) {
  std::set<std::string> keys;
  for (const auto& item : object.items()) keys.insert(item.key());
  return keys;
}

Json entry_of(const Json& kind, const std::string& id) {
  for (const Json& entry : kind.at("entries"))
    if (entry.at("id") == id) return entry;
  return {};
}

/// The line of a table that begins with that name.
std::string line_with(const std::string& text, const std::string& name) {
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(name + " ")) return line;
  return "";
}

/// One machine with a price of its own.
std::string own_instances(const std::string& price) {
  return R"({"format": "fleetcast-catalog-1", "about": "prices of our contract", "entries": [
    {"id": "aws/p5.48xlarge", "provider": "aws", "gpu": "H100", "gpus": 8, "domain": 8, "vcpus": 192,
     "host_memory": "2048 GiB", "intra": "900 GB/s", "inter": "3200 Gbit/s",
     "source": "contract", "date": "2026-11-01", "check": "checked",
     "prices": [{"date": "2026-11-01", "source": "contract", "check": "checked",
                 "entries": [{"region": "us-east-1", "on_demand": ")" +
         price + R"("}]}]}]})";
}

}  // namespace

TEST_CASE("without a kind the catalog shows all kinds with their number of entries and an example") {
  const Finished overview = catalog({});
  CHECK(overview.code == 0);
  CHECK(overview.err.empty());
  const Json json = catalog_json({});
  REQUIRE(json.at("kinds").size() == kinds.size());
  for (const Json& kind : json.at("kinds")) {
    const std::string line = line_with(overview.out, kind.at("kind"));
    CHECK_MESSAGE(has(line, " " + kind.at("entries").dump() + " "), line);
    CHECK_MESSAGE(has(line, kind.at("example").get<std::string>()), line);
  }
}

TEST_CASE("the table of a kind has a line for every entry, and its JSON the same keys in every entry") {
  for (const std::string& kind : kinds) {
    CAPTURE(kind);
    const Json json = catalog_json({kind});
    const Finished table = catalog({kind}, {.folder = {}, .variables = {{"COLUMNS", "130"}}});
    CHECK(table.code == 0);
    CHECK(table.err.empty());
    REQUIRE(!json.at("entries").empty());
    for (const Json& entry : json.at("entries")) {
      CHECK_MESSAGE(!line_with(table.out, entry.at("id")).empty(), entry.at("id"));
      CHECK(keys_of(entry) == keys_of(json.at("entries").front()));
    }
  }
}

TEST_CASE("the table of instances shows GPUs, network, price ranges per GPU, their date and check") {
  const std::string table = catalog({"instances"}).out;
  const std::string line = line_with(table, "azure/Standard_ND96amsr_A100_v4");
  for (const char* part : {"8 A100-80GB", "1,600", "4.10-8.19", "1.07-2.13"}) CHECK_MESSAGE(has(line, part), line);
  CHECK(has(table, "azure, prices as of 2026-05, checked"));
  CHECK(has(line_with(table, "aws/p5.48xlarge"), "6.88-11.6"));
  CHECK_MESSAGE(line_with(table, "aws/p6e-gb200.36xlarge").ends_with("1,600"), "no price is known for it");
}

TEST_CASE("an unknown price is null in JSON, never zero, never left out, and nothing is not a number") {
  const Json instances = catalog_json({"instances"});
  const Json unknown = entry_of(instances, "aws/p6e-gb200.36xlarge");
  for (const char* key : {"on_demand_low_usd_per_node_h", "spot_high_usd_per_gpu_h", "nvme_bytes_per_s", "prices_date"})
    CHECK_MESSAGE(unknown.at(key).is_null(), key);
  const Json p5 = entry_of(instances, "aws/p5.48xlarge");
  CHECK(p5.at("on_demand_low_usd_per_node_h") == 55.04);
  CHECK(p5.at("on_demand_low_usd_per_gpu_h") == 6.88);
  CHECK(p5.at("spot_high_usd_per_node_h").get<double>() < p5.at("on_demand_high_usd_per_node_h").get<double>());
  CHECK(p5.at("gpus") == 8);
  for (const std::string& kind : kinds) {
    const std::string text = catalog({kind, "--json"}).out;
    CHECK_FALSE(has(text, ": nan"));
    CHECK_FALSE(has(text, "inf,"));
  }
}

TEST_CASE("figures of models follow from their shape") {
  const Json llama = entry_of(catalog_json({"models"}), "llama-3-8b");
  CHECK(llama.at("parameters") == 8030261248);
  CHECK(llama.at("checkpoint_bytes_adamw") == 12.0 * 8030261248.0);
  CHECK(llama.at("flops_per_token").get<double>() == doctest::Approx(51.47e9).epsilon(0.001));
}

TEST_CASE("an entry is shown with everything that its file says, sources and notes included") {
  const Finished shown = catalog({"instances", "azure/Standard_ND96amsr_A100_v4"});
  CHECK(shown.code == 0);
  for (const char* part : {"instance azure/Standard_ND96amsr_A100_v4", "host memory: 1800 GiB", "brazilsouth",
                           "65.54 USD/node-h", "2026-05-20: public mirror of an Azure catalogue", "spot: 1.07-2.13"})
    CHECK_MESSAGE(has(shown.out, part), part);
  const std::string oracle = catalog({"providers", "oci"}).out;
  CHECK(has(oracle, "cannot be preemptible"));
  CHECK(has(oracle, "checked, 2026-11: Oracle documentation"));
  const Json gpu = catalog_json({"gpus", "H100-SXM"});  // by another name
  CHECK(gpu.at("entry").at("id") == "H100");
  CHECK(gpu.at("written").at("peaks_tflops").at("bf16") == 989.4);
  CHECK(has(gpu.at("written").at("source").get<std::string>(), "NVIDIA"));
  CHECK(catalog_json({"failures", "A100-80GB"}).at("entry").at("id") == "A100-40GB");
  CHECK(catalog_json({"failures", "other"}).at("written").at("gpus").empty());
}

TEST_CASE("an unknown kind or entry is bad input, answered with the nearest name") {
  struct Case {
    std::vector<std::string> arguments;
    std::string message;
  };
  const std::vector<Case> cases{
      {{"instance"}, "unknown kind \"instance\" (allowed: instances, "},
      {{"gpsu", "H100"}, "did you mean \"gpus\"?"},
      {{"H100"}, "did you mean \"gpus H100\"?"},
      {{"instances", "aws/p5.48xlrge"}, "no instance \"aws/p5.48xlrge\" in the catalog (allowed: aws/p5.48xlarge, "},
      {{"gpus", "h10O"}, "did you mean \"H100\"?"},
      {{"models", "llama-3-7b", "--json"}, "did you mean \"llama-7b\"?"},
      {{"gpus", "H100", "H200"}, "fleetcast catalog [KIND] [ID]"},
      {{"gpus", "--seed", "1"}, "unknown option --seed"},
      {{"gpus", "--jsn"}, "did you mean \"--json\"?"}};
  for (const Case& each : cases) {
    const Finished refused = catalog(each.arguments);
    CAPTURE(each.message);
    CHECK(refused.code == 2);
    CHECK(refused.out.empty());
    CHECK_MESSAGE(has(refused.err, each.message), refused.err);
  }
}

TEST_CASE("a file in the folder of --catalog takes the place of the built-in one, the others stay") {
  const TemporaryFolder folder;
  std::ofstream{folder.path() / "instances.json"} << own_instances("8 USD/node-h");
  const std::string path = folder.path().string();
  const Json own = catalog_json({"instances", "--catalog", path});
  REQUIRE(own.at("entries").size() == 1);
  CHECK(own.at("about") == "prices of our contract");
  CHECK(own.at("entries")[0].at("on_demand_low_usd_per_gpu_h") == 1);
  CHECK(own.at("entries")[0].at("prices_date") == "2026-11");
  CHECK(catalog_json({"instances"}).at("entries").size() > 1);
  CHECK(catalog({"gpus", "--catalog", path}).out == catalog({"gpus"}).out);
  CHECK(has(catalog({"instances", "aws/p5.48xlarge", "--catalog", path}).out, "checked, 2026-11-01: contract"));
}

TEST_CASE("a folder that is missing or has faults is bad input with the place of the fault") {
  CHECK(catalog({"--catalog", "/no/such/folder"}).code == 2);
  const TemporaryFolder folder;
  std::ofstream{folder.path() / "instances.json"} << own_instances("8 USD");
  const Finished refused = catalog({"gpus", "--catalog", folder.path().string()});
  CHECK(refused.code == 2);
  CHECK_MESSAGE(has(refused.err, "instances.json:6:"), refused.err);
  CHECK_MESSAGE(has(refused.err, "/entries/0/prices/0/entries/0/on_demand: found \"8 USD\""), refused.err);
}

TEST_CASE("the catalog fits a narrow terminal, and has no sign beyond ASCII where the locale has none") {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{}, {"instances"}, {"providers", "aws"}, {"instances", "aws/p4d.24xlarge"}}) {
    std::istringstream lines{catalog(arguments, {.folder = {}, .variables = {{"COLUMNS", "40"}}}).out};
    for (std::string line; std::getline(lines, line);) {
      CHECK_MESSAGE(line.size() <= 40, line);
      for (const char c : line) CHECK(static_cast<unsigned char>(c) < 0x80);
    }
  }
}

TEST_CASE("help lists the catalog and shows an example") {
  CHECK(has(run_fleetcast({"--help"}).out, "fleetcast catalog [KIND]"));
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"catalog", "--help"}, {"--help", "catalog"}}) {
    const Finished help = run_fleetcast(arguments);
    CHECK(help.code == 0);
    for (const char* part : {"Example", "--json", "--catalog", "recalled", "fleetcast catalog instances"})
      CHECK_MESSAGE(has(help.out, part), part);
  }
}
