#include "analysis/report_tables.hpp"

#include <algorithm>
#include <functional>

namespace fleetcast::analysis {

namespace {

using Strategies = std::vector<StrategySummary>;

double half_width(const Interval& interval) {
  return interval ? (interval->second - interval->first) / 2.0 : 0.0;
}

Table table_of(const std::string& corner, const RunSummary& summary, const Style& style) {
  Table table{corner, {}, {}, {}};
  for (const StrategySummary& strategy : summary.strategies) table.names.push_back(shown(strategy.name, style));
  return table;
}

/// A figure in a unit, to the digits that its own error supports; `fallback` is the error where it has none.
std::string figure(Figure value, double unit, double error, double fallback) {
  if (!value) return "n/a";
  return rounded_to(*value / unit, step_for(*value / unit, (error > 0.0 ? error : fallback) / unit));
}

/// Error with which a quantile may be shown where its limits are not known: one in a thousand.
double tolerated(Figure value) {
  return value ? *value * 0.0035 : 0.0;
}

std::string mean_cell(const Spread& spread, double unit, const Signs& signs) {
  if (spread.mean) return figure(spread.mean, unit, half_width(spread.ci95), tolerated(spread.mean));
  return signs.at_least + figure(spread.mean_at_least, unit, 0.0, tolerated(spread.mean_at_least));
}

std::string error_cell(const Spread& spread, double unit, const Signs& signs) {
  if (!spread.ci95) return "n/a";
  const double half = half_width(spread.ci95) / unit;
  return signs.plus_minus + (half > 0.0 ? rounded_to(half, step_for(half, half)) : "0");
}

ColumnGroup spread_group(const std::string& head, const RunSummary& summary, Spread StrategySummary::*member,
                         double unit, const Style& style) {
  const Signs signs = signs_of(style);
  ColumnGroup group{head, {{"mean", {}}, {"95%", {}}, {"p5", {}}, {"p50", {}}, {"p95", {}}}};
  for (const StrategySummary& strategy : summary.strategies) {
    const Spread& spread = strategy.*member;
    group.columns[0].cells.push_back(mean_cell(spread, unit, signs));
    group.columns[1].cells.push_back(error_cell(spread, unit, signs));
    group.columns[2].cells.push_back(figure(spread.p5, unit, half_width(spread.p5_limits), tolerated(spread.p5)));
    group.columns[3].cells.push_back(figure(spread.p50, unit, half_width(spread.p50_limits), tolerated(spread.p50)));
    group.columns[4].cells.push_back(figure(spread.p95, unit, half_width(spread.p95_limits), tolerated(spread.p95)));
  }
  return group;
}

ColumnGroup one_column(const std::string& head, const std::string& below, const Strategies& strategies,
                       const std::function<std::string(const StrategySummary&)>& cell) {
  ColumnGroup group{head, {{below, {}}}};
  for (const StrategySummary& strategy : strategies) group.columns[0].cells.push_back(cell(strategy));
  return group;
}

std::string share(Figure value) {
  return value ? percent(*value) : "n/a";
}

bool any(const Strategies& strategies, const std::function<bool(const StrategySummary&)>& holds) {
  return std::ranges::any_of(strategies, holds);
}

double total_hours(const StrategySummary& strategy) {
  double total = 0.0;
  for (const auto& [name, hours] : strategy.accounts_gpu_hours) total += hours;
  return total;
}

std::string count(double mean) {
  return mean == 0.0 ? "0" : significant(mean, mean >= 100.0 ? 4 : 3);
}

std::string dollars(double usd) {
  return grouped(usd, 0);
}

double billed(const StrategySummary& strategy, std::string_view line) {
  for (const auto& [name, usd] : strategy.billed)
    if (name == line) return usd;
  return 0.0;
}

std::string interval_text(const PairedSpread& spread, double unit) {
  if (!spread.ci95) return "n/a";
  const double step = step_for(spread.ci95->first / unit, half_width(spread.ci95) / unit);
  return "[" + rounded_to(spread.ci95->first / unit, step) + ", " + rounded_to(spread.ci95->second / unit, step) + "]";
}

std::string limits_text(const Interval& limits, double unit) {
  if (!limits) return "n/a";
  const double step = step_for(limits->first / unit, (limits->second - limits->first) / 2.0 / unit);
  return rounded_to(limits->first / unit, step) + " to " + rounded_to(limits->second / unit, step);
}

std::string signed_figure(const PairedSpread& spread, double unit) {
  if (!spread.mean) return "n/a";
  const std::string text = figure(spread.mean, unit, half_width(spread.ci95), std::abs(tolerated(spread.mean)));
  return *spread.mean > 0.0 ? "+" + text : text;
}

/// Relative to the mean of the reference, where that is known.
std::string relative(const PairedSpread& spread, Figure reference) {
  if (!spread.mean || !reference || *reference <= 0.0) return "n/a";
  return (*spread.mean > 0.0 ? "+" : "") + grouped(100.0 * *spread.mean / *reference, 1);
}

/// Causes that happen, but make under 2 % of the stops in every strategy; empty if there is only one.
std::vector<std::size_t> rare_causes(const Strategies& all) {
  std::vector<std::size_t> rare;
  for (std::size_t i = 0; !all.empty() && i < all[0].stops_by_cause.size(); ++i) {
    const auto mean_of = [i](const StrategySummary& each) { return each.stops_by_cause[i].second; };
    const auto often = [&](const StrategySummary& each) {
      return mean_of(each) > 0.0 && mean_of(each) >= 0.02 * each.stops.value_or(0.0);
    };
    const auto happens = [&](const StrategySummary& each) { return mean_of(each) > 0.0; };
    if (any(all, happens) && !any(all, often)) rare.push_back(i);
  }
  if (rare.size() == 1) rare.clear();
  return rare;
}

}  // namespace

TimeUnit time_unit(const RunSummary& summary) {
  double longest = 0.0;
  for (const StrategySummary& strategy : summary.strategies)
    longest = std::max(longest, strategy.time_s.mean_at_least.value_or(0.0));
  return unit_for(longest);
}

int cheapest(const Strategies& strategies) {
  for (const auto figure_of : {+[](const StrategySummary& each) { return each.cost_usd.mean; },
                               +[](const StrategySummary& each) { return each.cost_usd.p50; }}) {
    int best = -1;
    Figure least;
    for (std::size_t i = 0; i < strategies.size(); ++i) {
      const Figure cost = figure_of(strategies[i]);
      if (!cost || (least && *cost >= *least)) continue;
      least = cost;
      best = static_cast<int>(i);
    }
    if (best >= 0) return best;
  }
  return -1;
}

Table answer_table(const RunSummary& summary, const Style& style) {
  Table table = table_of("strategy", summary, style);
  const TimeUnit unit = time_unit(summary);
  table.groups.push_back(one_column("", "finished", summary.strategies, [](const StrategySummary& each) {
    return std::to_string(each.finished) + "/" + std::to_string(each.replicates);
  }));
  table.groups.push_back(spread_group("cost, $", summary, &StrategySummary::cost_usd, 1.0, style));
  table.groups.push_back(spread_group("time, " + unit.name, summary, &StrategySummary::time_s, unit.seconds, style));
  table.good.assign(summary.strategies.size(), false);
  if (const int best = cheapest(summary.strategies); best >= 0 && summary.strategies.size() > 1)
    table.good[static_cast<std::size_t>(best)] = true;
  return table;
}

Table efficiency_table(const RunSummary& summary, const Style& style) {
  Table table = table_of("strategy", summary, style);
  const Strategies& all = summary.strategies;
  const auto add = [&](const std::string& head, const std::string& below, auto&& cell) {
    table.groups.push_back(one_column(head, below, all, cell));
  };
  using S = const StrategySummary&;
  if (any(all, [](S each) { return each.usd_per_token.has_value(); }))
    add("$ per", "M tokens",
        [](S each) { return each.usd_per_token ? significant(*each.usd_per_token * 1e6, 3) : "n/a"; });
  add("goodput", "%", [](S each) { return share(each.goodput); });
  add("of held", "%", [](S each) { return share(each.goodput_held); });
  add("MFU", "%", [](S each) { return share(each.mfu); });
  add("of run", "%", [](S each) { return share(each.mfu_run); });
  if (any(all, [](S each) { return each.tokens_per_s_per_gpu.has_value(); }))
    add("tokens/s", "per GPU",
        [](S each) { return each.tokens_per_s_per_gpu ? significant(*each.tokens_per_s_per_gpu, 4) : "n/a"; });
  add("inter-", "ruptions", [](S each) { return each.stops ? count(*each.stops) : "n/a"; });
  if (any(all, [](S each) { return each.deadline_met.has_value(); }))
    add("deadline", "met, %", [](S each) { return share(each.deadline_met); });
  if (any(all, [](S each) { return each.within_budget.has_value(); }))
    add("in bud-", "get, %", [](S each) { return share(each.within_budget); });
  return table;
}

Table account_table(const RunSummary& summary, const Style& style) {
  Table table{"% of GPU-hours", {}, {}, {}};
  const Strategies& all = summary.strategies;
  std::vector<std::size_t> used;
  for (std::size_t i = 0; !all.empty() && i < all[0].accounts_gpu_hours.size(); ++i)
    if (any(all, [i](const StrategySummary& each) { return each.accounts_gpu_hours[i].second > 0.0; })) {
      used.push_back(i);
      std::string name = all[0].accounts_gpu_hours[i].first;
      std::ranges::replace(name, '_', ' ');
      table.names.push_back(name);
    }
  table.names.emplace_back("GPU-hours");
  for (const StrategySummary& strategy : all) {
    Column column{shown(strategy.name, style), {}};
    const double total = total_hours(strategy);
    for (const std::size_t i : used)
      column.cells.push_back(total > 0.0 ? percent(strategy.accounts_gpu_hours[i].second / total) : "n/a");
    column.cells.push_back(significant(total, 4));
    table.groups.push_back({"", {column}});
  }
  return table;
}

Table bill_table(const RunSummary& summary, const Style& style) {
  Table table = table_of("mean, $", summary, style);
  const auto add = [&](const std::string& head, auto&& cell) {
    table.groups.push_back(
        one_column("", head, summary.strategies, [&](const StrategySummary& each) { return dollars(cell(each)); }));
  };
  using S = const StrategySummary&;
  add("machines held", [](S each) { return billed(each, "held"); });
  add("rounding", [](S each) { return billed(each, "rounding"); });
  add("forgiven", [](S each) { return billed(each, "forgiven"); });
  add("storage", [](S each) { return each.storage_usd; });
  add("egress", [](S each) { return each.egress_usd; });
  return table;
}

Table stop_table(const RunSummary& summary, const Style& style) {
  Table table{"mean per run", {}, {}, {}};
  const Strategies& all = summary.strategies;
  for (const StrategySummary& strategy : all) table.groups.push_back({"", {{shown(strategy.name, style), {}}}});
  const auto add = [&](const std::string& name, const std::function<double(const StrategySummary&)>& mean_of) {
    if (!any(all, [&](const StrategySummary& each) { return mean_of(each) > 0.0; })) return;
    table.names.push_back(name);
    for (std::size_t i = 0; i < all.size(); ++i) table.groups[i].columns[0].cells.push_back(count(mean_of(all[i])));
  };
  const std::vector<std::size_t> rare = rare_causes(all);
  for (std::size_t i = 0; !all.empty() && i < all[0].stops_by_cause.size(); ++i)
    if (std::ranges::find(rare, i) == rare.end())
      add(shown(all[0].stops_by_cause[i].first, style),
          [i](const StrategySummary& each) { return each.stops_by_cause[i].second; });
  add(std::to_string(rare.size()) + " rarer causes", [&](const StrategySummary& each) {
    double total = 0.0;
    for (const std::size_t i : rare) total += each.stops_by_cause[i].second;
    return total;
  });
  add("planned stops", [](const StrategySummary& each) { return each.planned_stops; });
  add("losses during restart", [](const StrategySummary& each) { return each.losses_during_restart; });
  add("saves begun", [](const StrategySummary& each) { return each.checkpoints_started; });
  add("saves usable", [](const StrategySummary& each) { return each.checkpoints_usable; });
  return table;
}

Table unknowns_table(const RunSummary& summary, const Style& style) {
  const Strategies& strategies = summary.strategies;
  Table table = table_of("strategy", summary, style);
  const bool known = !any(strategies, [](const auto& each) { return each.cost_usd.model_share.value_or(0.0) > 0.0; });
  const bool recorded = any(strategies, [](const auto& each) { return each.independent_windows.has_value(); });
  if (known && !recorded) return {};
  const double unit = time_unit(summary).seconds;
  table.groups.push_back(one_column("mean cost, $", "lies in", strategies, [](const StrategySummary& each) {
    return limits_text(each.cost_usd.model_interval, 1.0);
  }));
  table.groups.push_back(
      one_column("mean time, " + time_unit(summary).name, "lies in", strategies,
                 [unit](const StrategySummary& each) { return limits_text(each.time_s.model_interval, unit); }));
  table.groups.push_back(one_column("of the variance", "of cost, %", strategies,
                                    [](const StrategySummary& each) { return share(each.cost_usd.model_share); }));
  if (recorded) {
    table.groups.push_back(one_column("windows in", "recording", strategies, [](const StrategySummary& each) {
      return each.independent_windows ? significant(*each.independent_windows, 3) : "n/a";
    }));
  }
  return table;
}

Table difference_table(const RunSummary& summary, const Style& style) {
  Table table{"minus " + (summary.differences.empty() ? "" : shown(summary.differences[0].to, style)), {}, {}, {}};
  const TimeUnit unit = time_unit(summary);
  ColumnGroup cost{"cost, $", {{"mean", {}}, {"95% interval", {}}, {"%", {}}}};
  ColumnGroup time{"time, " + unit.name, {{"mean", {}}, {"95% interval", {}}, {"%", {}}}};
  ColumnGroup pairs{"pairs", {{"%", {}}}};
  for (const Difference& each : summary.differences) {
    const auto to = std::ranges::find(summary.strategies, each.to, &StrategySummary::name);
    const bool known = to != summary.strategies.end();
    table.names.push_back(shown(each.of, style));
    cost.columns[0].cells.push_back(signed_figure(each.cost_usd, 1.0));
    cost.columns[1].cells.push_back(interval_text(each.cost_usd, 1.0));
    cost.columns[2].cells.push_back(relative(each.cost_usd, known ? to->cost_usd.mean : std::nullopt));
    time.columns[0].cells.push_back(signed_figure(each.time_s, unit.seconds));
    time.columns[1].cells.push_back(interval_text(each.time_s, unit.seconds));
    time.columns[2].cells.push_back(relative(each.time_s, known ? to->time_s.mean : std::nullopt));
    pairs.columns[0].cells.push_back(percent(each.pairs_share));
  }
  table.groups = {cost, time};
  if (std::ranges::any_of(summary.differences, [](const Difference& each) { return each.pairs_share < 1.0; }))
    table.groups.push_back(pairs);
  return table;
}

}  // namespace fleetcast::analysis
