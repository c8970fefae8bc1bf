// The prices of the catalog against the table of facts that they were taken from, where that lies beside the
// repository.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <tuple>
#include <vector>

#include "scenarios/catalog_reader.hpp"

using namespace fleetcast;

namespace {

using Place = std::tuple<std::string, std::string, std::string>;  ///< instance, region, zone

struct Facts {
  std::map<Place, std::vector<double>> on_demand, spot;
};

/// Columns 0, 1, 6 to 9: cloud, instance, region, zone, on-demand and spot price. Only the marketplace, which is not in
/// the catalog, has commas in its regions.
std::optional<Facts> read_facts() {
  std::ifstream file{std::string{FLEETCAST_SOURCE_DIR} + "/../shared/data/facts/instances.csv"};
  if (!file) return std::nullopt;
  Facts facts;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    if (line.starts_with("vast,")) continue;
    std::vector<std::string> cells;
    std::istringstream row{line};
    for (std::string cell; cells.size() < 10 && std::getline(row, cell, ',');) cells.push_back(cell);
    const Place place{cells[0] + "/" + cells[1], cells[6], cells[7]};
    if (!cells[8].empty()) facts.on_demand[place].push_back(std::stod(cells[8]));
    if (!cells[9].empty()) facts.spot[place].push_back(std::stod(cells[9]));
  }
  return facts;
}

/// Both print at most five decimals.
bool is_among(const std::map<Place, std::vector<double>>& facts, const Place& place, double usd) {
  const auto found = facts.find(place);
  return found != facts.end() && std::ranges::any_of(found->second, [&](double fact) {
           return std::abs(fact - usd) < 1e-5 * std::max(1.0, usd);
         });
}

/// Oracle has one price for all regions. RunPod's is from a newer page, and a V100 host of GCP is a sum of two rows.
Place place_in_facts(const models::InstanceSpec& instance, const models::PriceEntry& price) {
  if (instance.provider == "oci") return {instance.id, "(every region)", ""};
  return {instance.id, price.region, price.zone};
}

bool from_elsewhere(const models::InstanceSpec& instance) {
  return instance.provider == "runpod" || instance.id == "gcp/n1-standard-96-v100x8";
}

}  // namespace

TEST_CASE("every price of the catalog stands in the table of facts at that place") {
  const std::optional<Facts> facts = read_facts();
  if (!facts) {
    MESSAGE("skipped: ../shared/data/facts/instances.csv is not there");
    return;
  }
  int checked = 0;
  for (const models::InstanceSpec& instance : scenarios::built_in_catalog().instances) {
    if (from_elsewhere(instance)) continue;
    for (const models::PriceEntry& price : instance.prices) {
      const Place place = place_in_facts(instance, price);
      const std::string where = instance.id + " " + price.region + " " + price.zone;
      if (price.on_demand) CHECK_MESSAGE(is_among(facts->on_demand, place, price.on_demand->value()), where);
      // Where spot equals on-demand the facts round to four decimals.
      if (price.spot && price.spot_gives_discount)
        CHECK_MESSAGE(is_among(facts->spot, place, price.spot->value()), where << " spot");
      ++checked;
    }
  }
  CHECK(checked > 1000);
  const Place p5{"aws/p5.48xlarge", "us-east-1", "use1-az1"};
  CHECK_FALSE(is_among(facts->on_demand, p5, 55.05));  // the comparison can fail
  CHECK_FALSE(is_among(facts->on_demand, {"aws/p5.48xlarge", "mars", ""}, 55.04));
}
