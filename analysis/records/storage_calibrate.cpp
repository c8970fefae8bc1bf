// `calibrate storage`: read, fit, report.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/calibration/score_plots.hpp"
#include "analysis/calibration/score_words.hpp"
#include "analysis/format.hpp"
#include "analysis/records/record_commands.hpp"
#include "analysis/records/storage_fit.hpp"
#include "scenarios/decimal.hpp"

namespace fleetcast::analysis {

namespace {

using Json = nlohmann::ordered_json;

constexpr double level = 0.05;  // below it an effect is told

struct FittedStore {
  std::string name;  ///< of the entry
  std::string kind;
  std::vector<Transfer> transfers;
  StorageFit fit;
};

std::vector<FittedStore> fitted_stores(const StorageRows& rows) {
  std::vector<FittedStore> stores;
  for (const auto& [key, transfers] : rows.groups) {
    const auto& [store, kind] = key;
    const bool beside_saves = kind == "load" && rows.groups.contains({store, "save"});
    stores.push_back({store + (beside_saves ? " (load)" : ""), kind, transfers, fit_storage(transfers)});
  }
  return stores;
}

std::string rate_text(double bytes_per_s) {
  return scenarios::format_rounded(bytes_per_s / 1e9, 4) + " GB/s";
}

Json entry_json(const StorageFit& fit) {
  Json entry{{"node_rate", rate_text(fit.node_rate_to_write())}};
  if (fit.aggregate) entry["aggregate"] = rate_text(fit.aggregate->value);
  if (fit.fixed_s) entry["fixed"] = scenarios::format_rounded(fit.fixed_s->value, 4) + " s";
  return entry;
}

Json estimate_json(const std::optional<Estimate>& estimate, bool bounded) {
  if (!estimate) return nullptr;
  if (!bounded) return {{"value", five_digits(estimate->value)}, {"low", nullptr}, {"high", nullptr}};
  return {{"value", five_digits(estimate->value)},
          {"low", five_digits(estimate->low)},
          {"high", five_digits(estimate->high)}};
}

Json stores_json(const std::vector<FittedStore>& stores) {
  Json entries = Json::object();
  for (const FittedStore& store : stores) entries[store.name] = entry_json(store.fit);
  return entries;
}

std::string storage_file(const std::vector<FittedStore>& stores, const StorageRows& rows, const std::string& origin) {
  Json fits = Json::array(), skipped = Json::array();
  for (const FittedStore& store : stores)
    fits.push_back({{"store", store.name},
                    {"kind", store.kind},
                    {"rows", store.transfers.size()},
                    {"nodes", {store.fit.least_nodes, store.fit.most_nodes}},
                    {"fixed_s", estimate_json(store.fit.fixed_s, store.fit.bounded)},
                    {"node_rate_bytes_per_s", estimate_json(store.fit.node_rate, store.fit.bounded)},
                    {"aggregate_bytes_per_s", estimate_json(store.fit.aggregate, store.fit.bounded)},
                    {"log_sd", five_digits(store.fit.log_sd)}});
  for (const SkippedRow& row : rows.skipped) skipped.push_back({{"id", row.id}, {"reason", row.reason}});
  const Json file{{"format", "fleetcast-storage-1"},
                  {"about",
                   "Rates of stores from timed transfers: seconds = fixed + bytes / min(node_rate x nodes, aggregate). "
                   "Made by `fleetcast calibrate storage " +
                       origin + "`; do not edit."},
                  {"source", origin},
                  {"define", {{"stores", stores_json(stores)}}},
                  {"fits", fits},
                  {"rows_skipped", skipped}};
  return file.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void add_parameter(RecordReport& report, const FittedStore& store, const char* name, const char* unit, double scale,
                   const std::optional<Estimate>& estimate, const char* about) {
  if (!estimate) return;
  RecordParameter parameter{store.name + ", " + name, unit, about, estimate->value * scale, {}, {}};
  if (store.fit.bounded) {
    parameter.low = estimate->low * scale;
    parameter.high = estimate->high * scale;
  }
  report.parameters.push_back(parameter);
}

std::string whole_text(double value) {
  return grouped(value, 0);
}

/// What the data cannot tell.
std::vector<std::string> limits_of(const FittedStore& store) {
  const StorageFit& fit = store.fit;
  std::vector<std::string> texts;
  if (fit.node_counts == 1)
    texts.push_back("All are of " + counted(static_cast<std::size_t>(fit.least_nodes), "node") +
                    ": whether the nodes or the store set the rate cannot be told. The node rate is that rate over the "
                    "nodes; no aggregate is written, so more nodes may be forecast too fast.");
  else if (!fit.aggregate)
    texts.push_back("No limit of the store shows up to " + whole_text(fit.most_nodes) +
                    " nodes: an aggregate, if there is one, is at least " + rate_text(fit.fastest) + ".");
  else if (!fit.node_rate)
    texts.push_back("The rate does not grow from " + whole_text(fit.least_nodes) + " nodes on: a node does at least " +
                    rate_text(fit.node_rate_to_write()) +
                    ", which is written; fewer nodes may be faster than forecast.");
  if (!fit.fixed_s)
    texts.emplace_back(fit.sizes == 1 && fit.node_counts == 1
                           ? "All are of one size on one node count: a fixed part cannot be told from the rate."
                           : "No fixed part shows.");
  if (fit.sizes == 1 && fit.node_counts > 1)
    texts.emplace_back("All are of one size: a fixed part and a limit of the store look alike; trust neither far.");
  if (!fit.bounded) texts.emplace_back("No more rows than parameters: no intervals.");
  return texts;
}

std::string spread_text(const StorageFit& fit) {
  return "One takes between " + three_digits(std::exp(-fit.half_width)) + " and " +
         three_digits(std::exp(fit.half_width)) + " times the forecast (90 %; log-sd " + three_digits(fit.log_sd) +
         "). A store has no spread; checkpoint.measured takes lognormal(...).";
}

void add_findings(RecordReport& report, const FittedStore& store) {
  for (const std::string& text : limits_of(store)) report.findings.emplace_back(store.name, text);
  if (store.fit.bounded) report.findings.emplace_back(store.name + ", spread", spread_text(store.fit));
  const auto effect = rank_effect(store.transfers, store.fit);
  if (effect && effect->p < level)
    report.findings.emplace_back(
        store.name + ", ranks", "With twice the ranks a node the time grows by " + percent_error(effect->per_doubling) +
                                    " % (p = " + three_digits(effect->p) + "), for which a store has no term.");
}

/// By node count: how many, how fast, how far off.
RecordListing residuals_listing(const std::vector<FittedStore>& stores) {
  RecordListing listing{"Residuals",
                        "Geometric means; measured over forecast.",
                        {"store", "nodes", "rows", "GB/s in all", "off by, %", "worst, %"},
                        {}};
  for (const FittedStore& store : stores) {
    std::map<double, std::vector<const Transfer*>> by_nodes;
    for (const Transfer& each : store.transfers) by_nodes[each.nodes].push_back(&each);
    for (const auto& [nodes, rows] : by_nodes) {
      double rate = 0.0, off = 0.0, worst = 0.0;
      for (const Transfer* each : rows) {
        const double residual = std::log(each->seconds / store.fit.seconds(each->bytes, nodes));
        rate += std::log(each->bytes / each->seconds) / static_cast<double>(rows.size());
        off += residual / static_cast<double>(rows.size());
        if (std::abs(residual) > std::abs(worst)) worst = residual;
      }
      listing.rows.push_back({store.name, whole_text(nodes), std::to_string(rows.size()),
                              three_digits(std::exp(rate) / 1e9), signed_percent_error(std::exp(off) - 1.0),
                              signed_percent_error(std::exp(worst) - 1.0)});
    }
  }
  return listing;
}

std::string scatter_of(const std::vector<FittedStore>& stores) {
  Score score;
  for (const FittedStore& store : stores)
    for (const Transfer& each : store.transfers) {
      ScoredRow row;
      row.id = each.id;
      row.measured = each.seconds;
      row.predicted = store.fit.seconds(each.bytes, each.nodes);
      row.unit = "s";
      row.kind = store.name;
      set_interval(row, store.fit.half_width);
      score.scored.push_back(row);
    }
  return scatter_figure(score, "s");
}

std::string headline(const FittedStore& store) {
  const StorageFit& fit = store.fit;
  return store.name + ": " + (fit.fixed_s ? duration(fit.fixed_s->value) + " and then " : "") +
         (fit.node_rate ? rate_text(fit.node_rate->value) + " a node" : "") +
         (fit.node_rate && fit.aggregate ? ", at most " : "") +
         (fit.aggregate ? rate_text(fit.aggregate->value) + " in all" : "") + ".";
}

}  // namespace

RecordCalibration calibrate_storage(const StorageInput& input) {
  const StorageRows rows = read_storage_rows(input);
  const std::vector<FittedStore> stores = fitted_stores(rows);
  RecordCalibration calibration;
  RecordReport& report = calibration.report;
  report.kind = "storage";
  report.skipped = rows.skipped;
  report.rows = rows.rows - rows.skipped.size();
  report.headline = stores.empty() ? "Nothing was timed." : headline(stores.front());
  if (stores.empty()) return calibration;
  report.about = counted(report.rows, "transfer") + ", " + counted(stores.size(), "store") +
                 ". Least squares on the logarithm of the time; the form by Akaike's criterion.";
  for (const FittedStore& store : stores) {
    add_parameter(report, store, "fixed", "s", 1.0, store.fit.fixed_s, "before bytes flow");
    add_parameter(report, store, "node rate", "GB/s", 1e-9, store.fit.node_rate, "one node");
    add_parameter(report, store, "aggregate", "GB/s", 1e-9, store.fit.aggregate, "all nodes together");
    add_findings(report, store);
  }
  report.listings.push_back(residuals_listing(stores));
  report.figures.push_back(scatter_of(stores));
  report.ready_for = "\"define\": { \"stores\" }";
  report.ready = stores_json(stores).dump(2, ' ', false, Json::error_handler_t::replace);
  calibration.json = storage_file(stores, rows, std::filesystem::path{input.data}.filename().string());
  return calibration;
}

}  // namespace fleetcast::analysis
