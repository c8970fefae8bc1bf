#include "analysis/market/bulk_losses.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "analysis/market/nelder_mead.hpp"
#include "models/normal90.hpp"

namespace fleetcast::analysis {

namespace {

struct Fall {
  int held = 0, size = 0;
};

std::vector<Fall> falls_of(const CapacitySeries& series) {
  std::vector<Fall> falls;
  for (std::size_t i = 1; i < series.capacity.size(); ++i) {
    const int held = series.capacity[i - 1], size = held - series.capacity[i];
    if (size > 0 && held >= 2) falls.push_back({held, size});
  }
  return falls;
}

/// Chance of this size of 2..held under a geometric law cut at `held`.
double geometric_chance(const Fall& fall, double ratio) {
  return std::pow(ratio, fall.size - 2) * (1.0 - ratio) / (1.0 - std::pow(ratio, fall.held - 1));
}

double all_or_uniform_chance(const Fall& fall, double share_of_all) {
  const double uniform = 1.0 / (fall.held - 1);
  return (1.0 - share_of_all) * uniform + (fall.size == fall.held ? share_of_all : 0.0);
}

SizeLaw fit(const std::string& form, const std::vector<Fall>& falls,
            const std::function<double(const Fall&, double)>& chance) {
  const auto parameter = [](double logit) { return 1.0 / (1.0 + std::exp(-logit)); };
  const Minimum found = minimize(
      [&](const std::vector<double>& at) {
        double sum = 0.0;
        for (const Fall& fall : falls) sum -= std::log(chance(fall, parameter(at[0])));
        return sum;
      },
      {0.0}, {0.5, 200, 1e-4, 1e-6});
  return {form, parameter(found.at[0]), 2.0 + 2.0 * found.value};
}

void set_single_share(BulkLosses& bulk, double singles) {
  constexpr double z = models::normal90;
  const double n = static_cast<double>(bulk.events), p = singles / n, square = z * z / n;
  const double middle = (p + square / 2.0) / (1.0 + square);
  const double half = z * std::sqrt(p * (1.0 - p) / n + square / (4.0 * n)) / (1.0 + square);
  bulk.single_share = p;
  bulk.single_low = std::max(0.0, middle - half);
  bulk.single_high = std::min(1.0, middle + half);
}

}  // namespace

BulkLosses find_bulk(const CapacitySeries& series) {
  std::vector<Fall> falls = falls_of(series);
  BulkLosses bulk;
  bulk.events = falls.size();
  if (falls.empty()) return bulk;
  const auto singles = std::erase_if(falls, [](const Fall& fall) { return fall.size == 1; });
  set_single_share(bulk, static_cast<double>(singles));
  if (falls.empty()) return bulk;
  double uniform = 0.0;
  for (const Fall& fall : falls) uniform -= std::log(1.0 / (fall.held - 1));
  bulk.laws = {{"uniform", 0.0, 2.0 * uniform},
               fit("geometric", falls, geometric_chance),
               fit("all or uniform", falls, all_or_uniform_chance)};
  std::stable_sort(bulk.laws.begin(), bulk.laws.end(), [](const SizeLaw& a, const SizeLaw& b) {
    return a.information_criterion < b.information_criterion;
  });
  return bulk;
}

}  // namespace fleetcast::analysis
