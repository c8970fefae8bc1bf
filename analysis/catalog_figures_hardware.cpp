// GPUs and instances.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "analysis/catalog_figures.hpp"
#include "analysis/format.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double gib = 1024.0 * 1024.0 * 1024.0, giga = 1e9, tera = 1e12;
constexpr double gbit = 1e9 / 8.0;

std::string upper_case(std::string_view text) {
  std::string upper;
  for (const char c : text) upper += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return upper;
}

/// Zero means that there is none, or none that anybody knows.
std::optional<double> known(double value) {
  if (value > 0.0) return value;
  return std::nullopt;
}

using Choice = std::optional<models::UsdPerNodeHour> models::PriceEntry::*;

std::optional<PriceRange> range_of(const models::InstanceSpec& instance, Choice choice, bool with_discount) {
  std::optional<PriceRange> range;
  for (const models::PriceEntry& entry : instance.prices) {
    if (!(entry.*choice) || (with_discount && !entry.spot_gives_discount)) continue;
    const double usd = (entry.*choice)->value();
    if (!range) range = PriceRange{usd, usd, 0};
    range->low = std::min(range->low, usd);
    range->high = std::max(range->high, usd);
    ++range->places;
  }
  return range;
}

const std::vector<scenarios::Node>& price_lists(const scenarios::Node& instance) {
  static const std::vector<scenarios::Node> none;
  const scenarios::Node* lists = instance.find("prices");
  return lists ? lists->items : none;
}

/// "12.3-23.3", or one number where all places agree.
std::string range_text(const std::optional<PriceRange>& range, double gpus, int digits) {
  if (!range) return "";
  const std::string low = significant(range->low / gpus, digits), high = significant(range->high / gpus, digits);
  return low == high ? low : low + "-" + high;
}

void add_prices(CatalogFigures& figures, const std::string& key, const std::string& label,
                const std::optional<PriceRange>& range, double gpus) {
  const auto usd = [&](double PriceRange::*end, double divisor) {
    return range ? std::optional<double>{(*range).*end / divisor} : std::nullopt;
  };
  figures.push_back(amount(key + "_low_usd_per_node_h", "", usd(&PriceRange::low, 1), 1, ""));
  figures.push_back(amount(key + "_high_usd_per_node_h", "", usd(&PriceRange::high, 1), 1, ""));
  figures.push_back(amount(key + "_low_usd_per_gpu_h", "", usd(&PriceRange::low, gpus), 1, ""));
  figures.push_back(amount(key + "_high_usd_per_gpu_h", "", usd(&PriceRange::high, gpus), 1, ""));
  figures.push_back(amount(key + "_places", label + ", places", range ? range->places : 0, 1, ""));
  figures.push_back({"", label + ", per machine", range_text(range, 1.0, 4), "USD/node-h"});
  figures.push_back({"", label, range_text(range, gpus, 3), "USD/GPU-h"});
}

std::string generation_name(models::Generation generation) {
  constexpr std::array<std::string_view, 4> names{"volta", "ampere", "hopper", "blackwell"};
  return std::string{names[static_cast<std::size_t>(generation)]};
}

/// Measured rates only; what stands in for others is no fact of the catalog.
void add_ceilings(CatalogFigures& figures, const models::GpuSpec& gpu) {
  for (const models::Precision precision : models::all_precisions()) {
    const auto measured = std::ranges::find(gpu.ceilings, precision, &models::Peak::precision);
    const bool known = measured != gpu.ceilings.end();
    figures.push_back(amount("ceiling_flops_" + std::string{name_of(precision)},
                             upper_case(name_of(precision)) + ", large products",
                             known ? std::optional<double>{measured->dense.value()} : std::nullopt, tera, "TFLOP/s"));
  }
}

}  // namespace

std::optional<PriceRange> on_demand_range(const models::InstanceSpec& instance) {
  return range_of(instance, &models::PriceEntry::on_demand, false);
}

std::optional<PriceRange> spot_range(const models::InstanceSpec& instance) {
  return range_of(instance, &models::PriceEntry::spot, true);
}

std::string oldest_price_date(const scenarios::Node& instance) {
  std::string oldest;
  for (const scenarios::Node& list : price_lists(instance)) {
    const std::string date = written_text(list, "date");
    const std::string month = date.substr(0, date.size() > 4 && date[4] == '-' ? 7 : 4);
    if (oldest.empty() || month < oldest) oldest = month;
  }
  return oldest;
}

std::string weakest_price_check(const scenarios::Node& instance) {
  constexpr std::array<std::string_view, 5> from_weakest{"estimate", "recalled", "conflict", "part", "checked"};
  std::size_t weakest = from_weakest.size();
  for (const scenarios::Node& list : price_lists(instance)) {
    const std::string check = written_text(list, "check");
    if (check.empty()) return "not stated";
    const auto place = std::ranges::find(from_weakest, std::string_view{check}) - from_weakest.begin();
    weakest = std::min(weakest, static_cast<std::size_t>(place));
  }
  return weakest < from_weakest.size() ? std::string{from_weakest[weakest]} : "";
}

CatalogFigures figures_of(const models::GpuSpec& gpu, const scenarios::Node& written) {
  CatalogFigures figures{amount("memory_bytes", "memory", gpu.memory.value(), gib, "GiB"),
                         amount("memory_bytes_per_s", "memory rate", gpu.memory_rate.value(), giga, "GB/s"),
                         amount("nvlink_bytes_per_s", "NVLink, both directions", gpu.nvlink.value(), giga, "GB/s")};
  for (const models::Precision precision : models::all_precisions()) {
    const auto peak = gpu.peak(precision);
    figures.push_back(amount("peak_flops_" + std::string{name_of(precision)}, upper_case(name_of(precision)),
                             peak ? std::optional<double>{peak->value()} : std::nullopt, tera, "TFLOP/s"));
  }
  add_ceilings(figures, gpu);
  figures.push_back(words("generation", "generation", generation_name(gpu.generation)));
  figures.push_back(amount("power_w", "power", known(gpu.power_w), 1, "W"));
  figures.push_back(words("check", "check", written_text(written, "check")));
  return figures;
}

CatalogFigures figures_of(const models::InstanceSpec& instance, const scenarios::Node& written) {
  const auto gpus = static_cast<double>(instance.gpus);
  CatalogFigures figures{
      words("provider", "provider", instance.provider),
      words("gpu", "GPU", instance.gpu),
      amount("gpus", "GPUs", gpus, 1, ""),
      {"", "machine", whole(gpus) + " " + instance.gpu, ""},
      amount("nvlink_domain_gpus", "GPUs that share NVLink", instance.domain, 1, ""),
      amount("vcpus", "vCPUs", known(instance.vcpus), 1, ""),
      amount("host_memory_bytes", "memory", known(instance.host_memory.value()), gib, "GiB"),
      amount("intra_bytes_per_s", "link inside, per GPU", instance.intra.value(), giga, "GB/s"),
      amount("inter_bytes_per_s", "network, per machine", instance.inter.value(), gbit, "Gbit/s"),
      amount("nvme_bytes", "local disk", instance.nvme.value(), tera, "TB"),
      amount("nvme_bytes_per_s", "local disk, reading", known(instance.nvme_rate.value()), giga, "GB/s")};
  add_prices(figures, "on_demand", "on demand", on_demand_range(instance), gpus);
  add_prices(figures, "spot", "spot", spot_range(instance), gpus);
  figures.push_back(words("prices_date", "prices as of", oldest_price_date(written)));
  figures.push_back(words("prices_check", "price check", weakest_price_check(written)));
  figures.push_back(words("check", "check", written_text(written, "check")));
  return figures;
}

}  // namespace fleetcast::analysis
