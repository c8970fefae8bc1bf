// gpus.json and instances.json.
#include <algorithm>
#include <array>
#include <utility>

#include "scenarios/catalog_entry.hpp"
#include "scenarios/catalog_files.hpp"
#include "scenarios/catalog_lists.hpp"
#include "scenarios/catalog_values.hpp"

namespace fleetcast::scenarios::catalog {

namespace {

constexpr double tera = 1e12;

std::vector<models::Peak> read_rates(Entry& entry, const std::string& key) {
  std::vector<models::Peak> rates;
  for (const auto& [name, tflops] : entry.numbers(key)) {
    const auto precision = models::precision_from(name);
    if (!precision)
      entry.fault(key + "/" + name, "is no precision", "fp32 tf32 fp16 bf16 fp8 mxfp8 mxfp4 nvfp4");
    else if (tflops <= 0.0)
      entry.fault(key + "/" + name, "must be above 0", "TFLOP/s");
    else
      rates.push_back({*precision, models::FlopsPerSecond{tflops * tera}});
  }
  return rates;
}

/// No product is faster than the peak of its precision.
void check_ceilings(Entry& entry, const models::GpuSpec& gpu) {
  for (const models::Peak& ceiling : gpu.ceilings) {
    const auto peak = gpu.peak(ceiling.precision);
    if (!peak || ceiling.dense > *peak)
      entry.fault("ceilings_tflops", std::string{name_of(ceiling.precision)} + " is above its peak",
                  "at most the rate in peaks_tflops");
  }
}

models::Generation read_generation(Entry& entry) {
  using enum models::Generation;
  constexpr std::array<std::pair<std::string_view, models::Generation>, 4> names{
      {{"volta", volta}, {"ampere", ampere}, {"hopper", hopper}, {"blackwell", blackwell}}};
  const std::string word = entry.text("generation");
  const auto* const found = std::ranges::find(names, word, [](const auto& name) { return name.first; });
  if (found != names.end()) return found->second;
  if (!word.empty()) entry.fault("generation", "is \"" + word + "\"", "volta ampere hopper blackwell");
  return ampere;
}

models::GpuSpec read_gpu(Entry& entry) {
  models::GpuSpec gpu;
  gpu.id = entry.text("id");
  gpu.aliases = entry.texts("aliases");
  gpu.generation = read_generation(entry);
  gpu.peaks = read_rates(entry, "peaks_tflops");
  if (entry.has("ceilings_tflops")) gpu.ceilings = read_rates(entry, "ceilings_tflops");
  check_ceilings(entry, gpu);
  gpu.memory = models::Bytes{entry.value("memory", parse_bytes)};
  gpu.memory_rate = models::BytesPerSecond{entry.value("memory_rate", parse_byte_rate)};
  gpu.nvlink = models::BytesPerSecond{entry.value("nvlink", parse_byte_rate)};
  gpu.power_w = entry.number("power_w");
  gpu.provenance = entry.provenance();
  return gpu;
}

models::PriceEntry read_price(Entry& entry) {
  models::PriceEntry price;
  price.region = entry.text("region");
  price.zone = entry.text_or("zone", "");
  if (const auto usd = entry.optional_value("on_demand", parse_node_price))
    price.on_demand = models::UsdPerNodeHour{*usd};
  if (const auto usd = entry.optional_value("spot", parse_node_price)) price.spot = models::UsdPerNodeHour{*usd};
  price.spot_gives_discount = entry.flag_or("spot_gives_discount", true);
  if (!price.on_demand && !price.spot) entry.fault("", "has neither an on-demand nor a spot price");
  entry.close();
  return price;
}

/// Prices of one source and date; the list says once what holds for all of them.
void read_price_list(Entry& list, std::vector<models::PriceEntry>& prices) {
  const std::string date = list.text("date"), source = list.text("source"), note = list.text_or("note", "");
  list.text_or("check", "");  // for people: `fleetcast catalog` shows it
  if (date.empty() || source.empty()) list.fault("", "a price needs a date and a source");
  for (Entry& entry : list.list("entries")) {
    models::PriceEntry price = read_price(entry);
    price.date = date;
    price.source = source;
    price.note = note;
    prices.push_back(std::move(price));
  }
  list.close();
}

models::InstanceSpec read_instance(Entry& entry) {
  models::InstanceSpec instance;
  instance.id = entry.text("id");
  instance.provider = entry.text("provider");
  instance.gpu = entry.text("gpu");
  instance.gpus = static_cast<int>(entry.count("gpus"));
  instance.domain = static_cast<int>(entry.count("domain"));
  if (instance.gpus < 1) entry.fault("gpus", "must be at least 1");
  if (instance.domain < 1) entry.fault("domain", "must be at least 1");
  instance.vcpus = entry.number("vcpus");
  instance.host_memory = models::Bytes{entry.value("host_memory", parse_bytes)};
  instance.intra = models::BytesPerSecond{entry.value("intra", parse_byte_rate)};
  instance.inter = models::BytesPerSecond{entry.value("inter", parse_byte_rate)};
  instance.nvme = models::Bytes{entry.optional_value("nvme", parse_bytes).value_or(0.0)};
  instance.nvme_rate = models::BytesPerSecond{entry.optional_value("nvme_rate", parse_byte_rate).value_or(0.0)};
  instance.provenance = entry.provenance();
  for (Entry& list : entry.list("prices")) read_price_list(list, instance.prices);
  return instance;
}

}  // namespace

std::vector<models::GpuSpec> read_gpus(const File& file, Faults& faults) {
  return read_entries<models::GpuSpec>(file, faults, read_gpu);
}

std::vector<models::InstanceSpec> read_instances(const File& file, Faults& faults) {
  return read_entries<models::InstanceSpec>(file, faults, read_instance);
}

}  // namespace fleetcast::scenarios::catalog
