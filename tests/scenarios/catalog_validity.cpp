#include "tests/scenarios/catalog_validity.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "models/errors.hpp"
#include "models/random/distribution.hpp"
#include "scenarios/catalog_documents.hpp"
#include "scenarios/catalog_reader.hpp"
#include "scenarios/values.hpp"

namespace fleetcast::tests {

namespace {

using scenarios::Node;

class Findings {
 public:
  void expect(bool holds, const std::string& what) {
    if (!holds) found_.push_back(what);
  }
  /// Bounds are far outside of anything on sale: they catch slips of units and digits.
  void within(double value, double low, double high, const std::string& what) {
    expect(value >= low && value <= high,
           what + " is " + std::to_string(value) + ", not " + std::to_string(low) + " to " + std::to_string(high));
  }
  std::vector<std::string> found() && { return std::move(found_); }

 private:
  std::vector<std::string> found_;
};

bool is_check(const std::string& word) {
  static const std::set<std::string> known{"checked", "part", "recalled", "conflict", "estimate"};
  return known.contains(word);
}

/// "2026", "2026-05-20", "2025-12 to 2026", "data sheets as read in 2026".
bool names_a_year(const std::string& date) {
  for (std::size_t at = 0; at + 4 <= date.size(); ++at)
    if ((date.compare(at, 2, "20") == 0) && std::isdigit(static_cast<unsigned char>(date[at + 2])) != 0 &&
        std::isdigit(static_cast<unsigned char>(date[at + 3])) != 0)
      return true;
  return false;
}

std::string text_at(const Node& node, const char* key) {
  const Node* found = node.find(key);
  return found ? found->text : "";
}

/// Whatever names a source anywhere in an entry also has a date, and a check or a grade.
void check_sources(Findings& findings, const Node& node, const std::string& where) {
  if (node.find("source")) {
    findings.expect(!text_at(node, "source").empty(), where + ": an empty source");
    findings.expect(names_a_year(text_at(node, "date")), where + ": a date without a year");
    if (node.find("check") || !node.find("grade"))
      findings.expect(is_check(text_at(node, "check")), where + ": check is \"" + text_at(node, "check") + "\"");
  }
  for (const scenarios::Member& member : node.members) check_sources(findings, member.value, where + "/" + member.key);
  for (const Node& item : node.items) check_sources(findings, item, where);
}

void check_gpu(Findings& findings, const models::GpuSpec& gpu) {
  constexpr double gib = 1024.0 * 1024.0 * 1024.0;
  findings.within(gpu.memory.value() / gib, 8, 500, gpu.id + ": GiB of memory");
  findings.within(gpu.memory_rate.value(), 1e11, 2e13, gpu.id + ": bytes a second of memory");
  findings.within(gpu.nvlink.value(), 0, 5e12, gpu.id + ": bytes a second of NVLink");
  findings.within(gpu.power_w, 50, 2000, gpu.id + ": W");
  findings.expect(!gpu.peaks.empty(), gpu.id + ": no peak");
  for (const models::Peak& peak : gpu.peaks) findings.within(peak.dense.value(), 5e12, 5e16, gpu.id + ": peak");
}

/// Large products reach two thirds to all of the peak, on whatever was measured.
void check_ceilings(Findings& findings, const models::GpuSpec& gpu) {
  for (const models::Peak& ceiling : gpu.ceilings)
    findings.within(ceiling.dense.value() / gpu.peak(ceiling.precision)->value(), 0.55, 0.95, gpu.id + ": ceiling");
}

/// The AWS catalogue prints spot prices with four decimals, on-demand prices with five.
constexpr double spot_rounding = 5.1e-5;

/// Dearest today: 54 USD for a GB200 in Brazil; cheapest: 0.14 for a V100 on demand.
void check_price(Findings& findings, const models::InstanceSpec& instance, const models::PriceEntry& price) {
  const std::string where = instance.id + " in " + price.region + " " + price.zone;
  if (price.on_demand) findings.within(price.on_demand->value() / instance.gpus, 0.1, 60, where + ": USD/GPU-h");
  if (price.spot) findings.within(price.spot->value() / instance.gpus, 0.05, 60, where + ": spot USD/GPU-h");
  if (!price.on_demand || !price.spot) return;
  const double discount = price.on_demand->value() - price.spot->value();
  findings.expect(discount >= -spot_rounding, where + ": spot is dearer than on-demand");
  findings.expect(price.spot_gives_discount == (discount > spot_rounding),
                  where + ": spot_gives_discount does not fit the prices");
}

void check_places(Findings& findings, const models::InstanceSpec& instance) {
  std::set<std::pair<std::string, std::string>> seen;
  for (const models::PriceEntry& price : instance.prices) {
    findings.expect(!price.region.empty(), instance.id + ": a price without a region");
    findings.expect(seen.insert({price.region, price.zone}).second,
                    instance.id + ": two prices in " + price.region + " " + price.zone);
  }
}

void check_instance(Findings& findings, const models::Catalog& catalog, const models::InstanceSpec& instance) {
  const std::string& id = instance.id;
  const models::GpuSpec& gpu = *catalog.gpu(instance.gpu);
  findings.expect(gpu.id == instance.gpu, id + ": names its GPU by another name");
  findings.expect(id.starts_with(instance.provider + "/"), id + ": is not of " + instance.provider);
  findings.expect(std::set{1, 2, 4, 8, 16}.contains(instance.gpus), id + ": an odd number of GPUs");
  findings.within(instance.domain, 1, 72, id + ": domain");
  findings.within(instance.vcpus / instance.gpus, 2, 64, id + ": vCPUs a GPU");
  findings.within(instance.host_memory.value() / instance.gpus, 12e9, 1e12, id + ": bytes of memory a GPU");
  findings.expect((instance.intra.value() == 0.0) == (instance.gpus == 1),
                  id + ": a link inside for several GPUs only");
  findings.expect(instance.domain > 1 ? instance.intra.value() <= gpu.nvlink.value() : instance.intra.value() <= 64e9,
                  id + ": a link inside beyond that of the GPU");
  findings.within(instance.inter.value() * 8 / 1e9, 1, 12800, id + ": Gbit/s");
  findings.within(instance.nvme.value(), 0, 1e14, id + ": bytes of local disk");
  for (const models::PriceEntry& price : instance.prices) check_price(findings, instance, price);
  check_places(findings, instance);
}

/// Half of the last digit that is printed: 0.05 for "6.7B".
double half_a_digit(const std::string& published) {
  const double unit = static_cast<double>(*scenarios::parse_count("1" + published.substr(published.size() - 1)).value);
  const std::size_t point = published.find('.');
  const std::size_t decimals = point == std::string::npos ? 0 : published.size() - point - 2;
  return 0.5 * unit * std::pow(10.0, -static_cast<double>(decimals));
}

/// Learned positions, biases and poolers are not in a shape: up to 0.7 % (GPT-2 small). One layer too many or too few
/// of the deepest model is 0.8 %.
constexpr double left_out_of_shapes = 0.007;

void check_shape(Findings& findings, const models::TransformerShape& shape, const Node& written) {
  const std::string text = text_at(written, "parameters");
  const auto published = static_cast<double>(*scenarios::parse_count(text).value);
  const double allowed = half_a_digit(text) + left_out_of_shapes * published;
  findings.within(models::parameters(shape), published - allowed, published + allowed, shape.id + ": parameters");
  findings.within(static_cast<double>(shape.sequence_length), 128, 1e6, shape.id + ": sequence length");
  findings.expect(shape.kv_heads > 0 && shape.heads % shape.kv_heads == 0, shape.id + ": heads per key/value head");
}

void check_billing(Findings& findings, const std::string& id, const models::Billing& billing) {
  findings.within(billing.increment.value(), 1, models::seconds_per_hour, id + ": billing increment");
  findings.within(billing.minimum.value(), 0, models::seconds_per_hour, id + ": billing minimum");
}

void check_provider(Findings& findings, const models::Catalog& catalog, const models::ProviderSpec& provider) {
  check_billing(findings, provider.id, provider.billing_on_demand);
  check_billing(findings, provider.id, provider.billing_spot);
  const double longest_notice = models::upper_bound(provider.notice.law);
  if (std::isfinite(longest_notice)) findings.within(longest_notice, 0, 600, provider.id + ": notice");
  findings.within(models::mean(provider.wait_on_demand.law), 1, models::seconds_per_day, provider.id + ": wait");
  findings.within(models::mean(provider.boot.law), 1, models::seconds_per_hour, provider.id + ": boot");
  findings.within(models::mean(provider.image.law), 1, models::seconds_per_hour, provider.id + ": image");
  findings.expect(catalog.store(provider.default_store)->provider == provider.id, provider.id + ": store of another");
  findings.expect(
      std::ranges::any_of(catalog.instances, [&](const auto& instance) { return instance.provider == provider.id; }),
      provider.id + ": no machine");
  const bool some_spot = std::ranges::any_of(catalog.instances, [&](const auto& instance) {
    return instance.provider == provider.id &&
           std::ranges::any_of(instance.prices, [](const auto& price) { return price.spot.has_value(); });
  });
  findings.expect(provider.sells_spot || !some_spot, provider.id + ": a spot price without a spot market");
}

void check_store(Findings& findings, const models::StoreSpec& store) {
  findings.within(store.node_rate.value(), 1e8, 1e11, store.id + ": bytes a second");
  findings.expect(store.aggregate.value() == 0.0 || store.aggregate >= store.node_rate,
                  store.id + ": all together are slower than one");
  findings.within(store.fixed.value(), 0, 10, store.id + ": fixed time");
  findings.within(store.per_gb_month.value(), 0, 1, store.id + ": USD a GB and month");
  findings.within(store.per_1k_writes.value(), 0, 0.1, store.id + ": USD for 1,000 writes");
}

void check_failures(Findings& findings, const models::TypicalFailures& mix) {
  double per_second = 0.0;
  for (const models::TypicalCause& cause : mix.causes) per_second += cause.per_gpu.value();
  findings.within(per_second * models::seconds_per_hour, 1e-6, 1e-3, "failures: rate per GPU-hour");
}

void check_all(Findings& findings, const models::Catalog& catalog, const std::string& folder) {
  for (const char* kind : {"gpus", "instances", "models", "providers", "stores", "failures"})
    for (const Node& entry : scenarios::catalog_document(kind, folder).entries)
      check_sources(findings, entry, std::string{kind} + "/" + text_at(entry, "id"));
  for (const models::GpuSpec& gpu : catalog.gpus) check_gpu(findings, gpu);
  for (const models::GpuSpec& gpu : catalog.gpus) check_ceilings(findings, gpu);
  for (const models::InstanceSpec& instance : catalog.instances) check_instance(findings, catalog, instance);
  const std::vector<Node> shapes = scenarios::catalog_document("models", folder).entries;
  for (std::size_t i = 0; i < shapes.size(); ++i) check_shape(findings, catalog.shapes[i], shapes[i]);
  for (const models::ProviderSpec& provider : catalog.providers) check_provider(findings, catalog, provider);
  for (const models::StoreSpec& store : catalog.stores) check_store(findings, store);
  for (const models::TypicalFailures& mix : catalog.failures) check_failures(findings, mix);
}

}  // namespace

std::vector<std::string> violations_of_catalog(const std::string& folder) {
  try {
    Findings findings;
    check_all(findings, folder.empty() ? scenarios::built_in_catalog() : scenarios::read_catalog(folder), folder);
    return std::move(findings).found();
  } catch (const models::InputError& error) {
    std::vector<std::string> found;
    for (const models::Fault& fault : error.faults()) found.push_back(models::describe(fault));
    return found;
  }
}

}  // namespace fleetcast::tests
