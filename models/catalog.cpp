#include "models/catalog.hpp"

#include <algorithm>

namespace fleetcast::models {

namespace {

template <class Entry>
const Entry* by_id(const std::vector<Entry>& entries, std::string_view id) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.id == id; });
  return found == entries.end() ? nullptr : &*found;
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The entry that names the GPU, or the one for any other.
template <class Entry>
const Entry* for_gpu(const std::vector<Entry>& entries, std::string_view gpu) {
  const Entry* for_any_other = nullptr;
  for (const Entry& entry : entries) {
    if (contains(entry.gpus, gpu)) return &entry;
    if (entry.gpus.empty()) for_any_other = &entry;
  }
  return for_any_other;
}

}  // namespace

const GpuSpec* Catalog::gpu(std::string_view id) const {
  if (const GpuSpec* found = by_id(gpus, id)) return found;
  const auto found =
      std::find_if(gpus.begin(), gpus.end(), [&](const GpuSpec& spec) { return contains(spec.aliases, id); });
  return found == gpus.end() ? nullptr : &*found;
}

const InstanceSpec* Catalog::instance(std::string_view id) const {
  return by_id(instances, id);
}
const ProviderSpec* Catalog::provider(std::string_view id) const {
  return by_id(providers, id);
}
const StoreSpec* Catalog::store(std::string_view id) const {
  return by_id(stores, id);
}
const TransformerShape* Catalog::shape(std::string_view id) const {
  return by_id(shapes, id);
}

const TypicalFailures* Catalog::typical_failures(std::string_view gpu) const {
  return for_gpu(failures, gpu);
}

const SpotMarketClass* ProviderSpec::market_of(std::string_view gpu) const {
  return for_gpu(markets, gpu);
}

}  // namespace fleetcast::models
