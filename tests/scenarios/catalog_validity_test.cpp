#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "scenarios/catalog_documents.hpp"
#include "scenarios/catalog_reader.hpp"
#include "tests/scenarios/catalog_validity.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace fleetcast;

namespace {

std::string catalog_text(const std::string& file) {
  std::ifstream stream{std::string{FLEETCAST_SOURCE_DIR} + "/models/catalog/" + file};
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// One change to a file of the catalog, at its first place after `behind`.
struct Damage {
  std::string file, behind, from, to;
  std::string complaint;  ///< what must be said
};

std::vector<std::string> violations_after(const Damage& damage) {
  std::string text = catalog_text(damage.file);
  const std::size_t start = text.find(damage.behind);
  REQUIRE_MESSAGE(start != std::string::npos, damage.behind);
  const std::size_t at = text.find(damage.from, start);
  REQUIRE_MESSAGE(at != std::string::npos, damage.from);
  text.replace(at, damage.from.size(), damage.to);
  const tests::TemporaryFolder folder;
  std::ofstream{folder.path() / damage.file} << text;
  return tests::violations_of_catalog(folder.path().string());
}

bool any_says(const std::vector<std::string>& violations, const std::string& part) {
  return std::ranges::any_of(violations, [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("every figure of the catalog has a source, a date and a check, and lies in a plausible range") {
  for (const std::string& violation : tests::violations_of_catalog("")) FAIL_CHECK(violation);
}

TEST_CASE("each of these slips in the catalog is found") {
  const std::vector<Damage> slips{
      {"gpus.json", "\"H100\"", "\"80 GiB\"", "\"80 GB/s\"", "memory"},
      {"gpus.json", "\"H100\"", "\"power_w\": 700", "\"power_w\": 7", "H100: W"},
      {"gpus.json", "\"V100-32GB\"", "\"fp16\": 125", "\"fp16\": 0.125", "V100-32GB: peak"},
      {"gpus.json", "\"H100\"", "\"bf16\": 794.5", "\"bf16\": 994.5", "bf16 is above its peak"},
      {"gpus.json", "\"H100\"", "\"fp8\": 1402.6", "\"fp8\": 140.26", "H100: ceiling"},
      {"gpus.json", "\"H100\"", "\"hopper\"", "\"hooper\"", "is \"hooper\""},
      {"gpus.json", "\"H200\"", "\"H200-SXM\"", "\"H100-SXM\"", "\"H100-SXM\" names another GPU already"},
      {"gpus.json", "\"H100\"", "\"check\": \"checked\"", "\"check\": \"sure\"", "check is \"sure\""},
      {"instances.json", "aws/p5.48xlarge", "\"gpu\": \"H100\"", "\"gpu\": \"H101\"", "\"H101\" is not in the catalog"},
      {"instances.json", "aws/p5.48xlarge", "\"gpus\": 8", "\"gpus\": 80", "aws/p5.48xlarge: an odd number of GPUs"},
      {"instances.json", "aws/p5.48xlarge", "\"inter\": \"3200 Gbit/s\"", "\"inter\": \"3200 GB/s\"",
       "aws/p5.48xlarge: Gbit/s"},
      {"instances.json", "aws/p5.48xlarge", "\"intra\": \"900 GB/s\"", "\"intra\": \"9000 GB/s\"",
       "aws/p5.48xlarge: a link inside beyond"},
      {"instances.json", "aws/p5.48xlarge", "\"on_demand\": \"55.04 USD/node-h\"", "\"on_demand\": \"5504 USD/node-h\"",
       "USD/GPU-h is 688"},
      {"instances.json", "aws/p5.48xlarge", "\"on_demand\": \"55.04 USD/node-h\"", "\"on_demand\": \"5.04 USD/node-h\"",
       "aws/p5.48xlarge in us-"},
      {"instances.json", "aws/p5.48xlarge", "\"on_demand\": \"55.04 USD/node-h\"", "\"on_demand\": \"55.04 USD/GPU-h\"",
       "a price per node"},
      {"instances.json", "azure/Standard_ND96amsr_A100_v4", "\"spot\": \"12.35416", "\"spot\": \"52.35416",
       "azure/Standard_ND96amsr_A100_v4 in australiaeast : spot is dearer"},
      {"instances.json", "azure/Standard_ND96amsr_A100_v4", "\"spot\": \"12.35416", "\"spot\": \"47.516",
       "spot_gives_discount does not fit"},
      {"instances.json", "azure/Standard_ND96amsr_A100_v4", "\"region\": \"brazilsouth\"",
       "\"region\": \"australiaeast\"", "two prices in australiaeast"},
      {"instances.json", "azure/Standard_ND96amsr_A100_v4", "\"date\": \"2026-05-20\",\n          \"source\"",
       "\"date\": \"last spring\",\n          \"source\"", "a date without a year"},
      {"instances.json", "azure/Standard_ND96amsr_A100_v4", "          \"check\": \"checked\",\n", "", "check is \"\""},
      {"models.json", "\"llama-3-405b\"", "\"layers\": 126", "\"layers\": 125", "llama-3-405b: parameters"},
      {"models.json", "\"llama-3-8b\"", "\"kv_heads\": 8", "\"kv_heads\": 7", "llama-3-8b: heads per key/value head"},
      {"models.json", "\"gpt-2\"", "\"layers\": 12", "\"layers\": 13", "the shape has"},
      {"models.json", "\"deepseek-v3\"", "\"kv_rank\": 512", "\"kv_rank\": 5120", "the shape has"},
      {"models.json", "\"nemotron-h-56b\"", "\"mamba_layers\": 54", "\"mamba_layers\": 50", "the shape has"},
      {"providers.json", "\"id\": \"azure\"", "\"minimum\": \"60 s\"", "\"minimum\": \"60 h\"",
       "azure: billing minimum"},
      {"providers.json", "\"id\": \"azure\"", "uniform(8 s, 28 s)", "uniform(8 s, 28 min)", "azure: notice"},
      {"providers.json", "\"id\": \"azure\"", "uniform(8 s, 28 s)", "uniform(28 s, 8 s)", "/notice/law"},
      {"providers.json", "\"id\": \"azure\"", "azure/blob-hot", "aws/s3", "azure: store of another"},
      {"providers.json", "\"notes\"", "\"check\": \"recalled\"", "\"checked\": \"recalled\"", "check: is missing"},
      {"providers.json", "\"id\": \"nebius\"", "\"id\": \"nebius\"", "\"id\": \"nebula\"", "\"nebius\" is not in"},
      {"stores.json", "\"azure/blob-hot\"", "\"0.018 USD/GB\"", "\"1.8 USD/GB\"", "azure/blob-hot: USD a GB"},
      {"stores.json", "\"aws/efs\"", "\"aggregate\": \"3 GiB/s\"", "\"aggregate\": \"3 MiB/s\"", "slower than one"},
      {"failures.json", "\"H100\"", "\"1.97e-5 /GPU-h\"", "\"1.97e-5 /GPU-ms\"", "rate"},
      {"failures.json", "\"H100\"", "\"share\": 0.301", "\"share\": 0.401", "do not sum to 1"}};
  for (const Damage& slip : slips) {
    const std::vector<std::string> violations = violations_after(slip);
    const std::string first = violations.empty() ? "nothing" : violations.front();
    CHECK_MESSAGE(any_says(violations, slip.complaint), slip.file << ": " << slip.to << " gave " << first);
  }
}

TEST_CASE("the classes of GPU that people train on can be rented at a known price, on several providers") {
  const models::Catalog& catalog = scenarios::built_in_catalog();
  for (const auto& [gpu, least] : std::vector<std::pair<std::string, std::size_t>>{{"V100-16GB", 3},
                                                                                   {"A10G", 1},
                                                                                   {"L4", 2},
                                                                                   {"A100-40GB", 4},
                                                                                   {"A100-80GB", 5},
                                                                                   {"H100", 6},
                                                                                   {"H200", 6},
                                                                                   {"B200", 6},
                                                                                   {"B300", 4},
                                                                                   {"GB200", 3}}) {
    std::set<std::string> providers;
    for (const models::InstanceSpec& instance : catalog.instances)
      if (instance.gpu == gpu && !instance.prices.empty()) providers.insert(instance.provider);
    CHECK_MESSAGE(providers.size() >= least, gpu << " on " << providers.size());
  }
  CHECK(catalog.shapes.size() >= 40);
}

TEST_CASE("bare metal at Oracle has no spot price and an hour as its least bill; its virtual machines have one") {
  const models::Catalog& catalog = scenarios::built_in_catalog();
  CHECK(catalog.provider("oci")->billing_on_demand.minimum.value() == 3600.0);
  bool virtual_spot = false;
  for (const models::InstanceSpec& instance : catalog.instances) {
    const bool bare_metal = instance.id.starts_with("oci/BM.");
    for (const models::PriceEntry& price : instance.prices) {
      if (bare_metal) CHECK_FALSE(price.spot);
      if (instance.id.starts_with("oci/VM.")) virtual_spot = virtual_spot || price.spot.has_value();
    }
  }
  CHECK(virtual_spot);
}

TEST_CASE("documents come in the order of the typed catalog, from the user's folder where that has the file") {
  const std::vector<scenarios::Node> entries = scenarios::catalog_document("instances", "").entries;
  const models::Catalog& catalog = scenarios::built_in_catalog();
  REQUIRE(entries.size() == catalog.instances.size());
  for (std::size_t i = 0; i < entries.size(); ++i) CHECK(entries[i].find("id")->text == catalog.instances[i].id);
  const tests::TemporaryFolder folder;
  std::ofstream{folder.path() / "gpus.json"} << R"({"about": "mine", "entries": [{"id": "X1"}]})";
  CHECK(scenarios::catalog_document("gpus", folder.path().string()).about == "mine");
  CHECK(scenarios::catalog_document("stores", folder.path().string()).about != "mine");
}
