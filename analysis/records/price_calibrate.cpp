// `calibrate price`: read, fit each trace and each kind of machine, report.
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/calibration/score_words.hpp"
#include "analysis/format.hpp"
#include "analysis/records/price_fit.hpp"
#include "analysis/records/record_commands.hpp"
#include "analysis/records/record_figures.hpp"
#include "models/errors.hpp"
#include "models/normal90.hpp"
#include "models/random/distribution.hpp"

namespace fleetcast::analysis {

namespace {

using Json = nlohmann::ordered_json;

struct PricePool {
  std::string provider, instance;
  std::vector<PriceTrace> traces;
  PriceFit fit;
  std::vector<PriceFit> fits;  ///< of each trace alone

  [[nodiscard]] std::string name() const {
    const std::string both = provider + (provider.empty() || instance.empty() ? "" : " ") + instance;
    return both.empty() ? traces.front().name : both;
  }
};

std::vector<PricePool> pools_of(const std::vector<std::string>& paths) {
  std::map<std::pair<std::string, std::string>, PricePool> pools;
  for (const std::string& path : paths) {
    PriceTrace trace = read_price_trace(path);
    PricePool& pool = pools[{trace.provider, trace.instance}];
    pool.provider = trace.provider;
    pool.instance = trace.instance;
    pool.traces.push_back(std::move(trace));
  }
  std::vector<PricePool> list;
  for (auto& [key, pool] : pools) {
    pool.fit = fit_price(pool.traces);
    for (const PriceTrace& trace : pool.traces) pool.fits.push_back(fit_price({&trace, 1}));
    list.push_back(std::move(pool));
  }
  return list;
}

std::string form_text(PriceForm form) {
  return form == PriceForm::constant ? "constant" : form == PriceForm::list_changes ? "list changes" : "mean-reverting";
}

/// Share below the price on demand; nothing if that is not known.
std::optional<double> discount(double price, const PriceTrace& trace) {
  if (!trace.on_demand) return std::nullopt;
  return std::round(1e4 * (1.0 - price / *trace.on_demand)) / 1e4;  // digits beyond are rounding
}

struct Discounts {
  std::vector<double> values;
  [[nodiscard]] double mean() const {
    double sum = 0.0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  }
};

Discounts discounts_of(const PricePool& pool) {
  Discounts all;
  for (std::size_t at = 0; at < pool.traces.size(); ++at)
    if (const auto value = discount(pool.fits[at].time_means.front(), pool.traces[at])) all.values.push_back(*value);
  return all;
}

Json bounded_json(const Estimate& estimate, bool open) {
  return {{"value", five_digits(estimate.value)},
          {"low", five_digits(estimate.low)},
          {"high", open ? Json(nullptr) : Json(five_digits(estimate.high))}};
}

Json fit_json(const PriceFit& fit) {
  Json json{{"form", form_text(fit.form)},
            {"price", price_text(fit)},
            {"median_usd_per_hour", bounded_json(fit.median, false)}};
  if (fit.form != PriceForm::constant) json["sigma"] = bounded_json(fit.sigma, fit.sigma_open);
  if (fit.changes > 0) json["mean_gap_s"] = bounded_json(fit.mean_gap_s, false);
  if (fit.form == PriceForm::mean_reverting) json["half_life_s"] = bounded_json(fit.half_life_s, fit.half_life_open);
  json["changes"] = fit.changes;
  json["length_s"] = five_digits(fit.length_s);
  return json;
}

Json trace_json(const PriceTrace& trace, const PriceFit& fit) {
  Json json{{"trace", trace.name}, {"zone", trace.zone}};
  json.update(fit_json(fit));
  json["mean_usd_per_hour"] = five_digits(fit.time_means.front());
  const auto below = discount(fit.time_means.front(), trace);
  json["discount"] = below ? Json(five_digits(*below)) : Json(nullptr);
  return json;
}

Json pool_json(const PricePool& pool) {
  Json json{{"provider", pool.provider}, {"instance", pool.instance}};
  json.update(fit_json(pool.fit));
  const Discounts discounts = discounts_of(pool);
  json["discount"] = discounts.values.empty() ? Json(nullptr) : Json(five_digits(discounts.mean()));
  json["between_traces_log_sd"] = pool.traces.size() > 1 ? Json(five_digits(pool.fit.between_log_sd)) : Json(nullptr);
  json["traces"] = Json::array();
  for (std::size_t at = 0; at < pool.traces.size(); ++at)
    json["traces"].push_back(trace_json(pool.traces[at], pool.fits[at]));
  return json;
}

std::string price_file(const std::vector<PricePool>& pools) {
  Json list = Json::array();
  std::string names;
  for (const PricePool& pool : pools) {
    list.push_back(pool_json(pool));
    for (const PriceTrace& trace : pool.traces) names += (names.empty() ? "" : ", ") + trace.name;
  }
  Json file{{"format", "fleetcast-price-1"},
            {"about",
             "Laws of recorded prices, each trace alone and all of one machine together. Made by `fleetcast calibrate "
             "price`; do not edit."},
            {"source", names}};
  if (pools.size() == 1) file["price"] = price_text(pools.front().fit);
  file["pools"] = list;
  return file.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void add_parameters(RecordReport& report, const PricePool& pool) {
  const PriceFit& fit = pool.fit;
  const auto add = [&](const char* name, const char* unit, const char* about, double scale, const Estimate& each,
                       bool open) {
    report.parameters.push_back({pool.name() + ", " + name, unit, about, each.value * scale, each.low * scale,
                                 open ? std::nullopt : std::optional{each.high * scale}});
  };
  add("median", "USD/h", pool.traces.size() > 1 ? "middle of the traces" : "", 1.0, fit.median, false);
  if (fit.form == PriceForm::constant) return;
  add("sigma", "", "sd of the logarithm, within a trace", 1.0, fit.sigma, fit.sigma_open);
  add("mean gap", "h", "between changes", 1.0 / 3600.0, fit.mean_gap_s, false);
  if (fit.form == PriceForm::mean_reverting)
    add("half-life", "h", "", 1.0 / 3600.0, fit.half_life_s, fit.half_life_open);
}

std::string choice_text(const PriceFit& fit) {
  if (fit.form == PriceForm::constant)
    return fit.changes == 0 ? "The price never changes."
                            : "The price changes, but its logarithm has a sd of " + three_digits(fit.time_log_sd) +
                                  " over time, below " + three_digits(still) + ": constant is as good for a bill.";
  if (fit.gain == 0.0) return "Too few changes to see a memory: list prices.";
  return std::string{"Akaike's criterion is "} + three_digits(std::abs(fit.gain)) + " better for " +
         (fit.gain > 0.0 ? "mean-reverting than for list changes." : "list changes than for mean-reverting.");
}

void add_doubts(RecordReport& report, const std::string& name, const PriceFit& fit) {
  constexpr double regular = 0.7, bursts = 1.5, pinned = 0.4, long_share = 1.0 / 3.0;
  const double length = fit.length_s / static_cast<double>(fit.time_means.size());
  if (fit.form == PriceForm::constant) return;
  if (fit.gap_variation > 0.0 && fit.gap_variation < regular)
    report.findings.emplace_back(name + ", gaps", "More regular than the law has them (sd / mean " +
                                                      three_digits(fit.gap_variation) + "; 1 for a Poisson process).");
  if (fit.gap_variation > bursts)
    report.findings.emplace_back(name + ", gaps", "Changes come in bursts (sd / mean of the gaps " +
                                                      three_digits(fit.gap_variation) + "; 1 for a Poisson process).");
  if (fit.at_lowest > pinned)
    report.findings.emplace_back(name + ", floor",
                                 percent(fit.at_lowest) +
                                     " % of the time at the lowest price: a floor, which the law does not have. Its "
                                     "mean is that of the traces, its low prices are too low.");
  if (fit.form == PriceForm::mean_reverting && fit.half_life_s.value > long_share * length)
    report.findings.emplace_back(name + ", too short",
                                 "The half-life of " + duration(fit.half_life_s.value) + " is long beside traces of " +
                                     duration(length) +
                                     ": how far the price wanders in the long run rests on the form of the law.");
}

void add_findings(RecordReport& report, const PricePool& pool) {
  report.findings.emplace_back(pool.name() + ", form", choice_text(pool.fit));
  const Discounts discounts = discounts_of(pool);
  if (!discounts.values.empty()) {
    const auto [low, high] = std::ranges::minmax(discounts.values);
    report.findings.emplace_back(
        pool.name() + ", discount",
        percent(discounts.mean()) + " % below on demand (mean over time" +
            (discounts.values.size() > 1 ? " and traces; " + percent(low) + " to " + percent(high) + " %)." : ")."));
  }
  if (pool.traces.size() > 1)
    report.findings.emplace_back(pool.name() + ", traces",
                                 "Levels of " + std::to_string(pool.traces.size()) + " traces differ by a log-sd of " +
                                     three_digits(pool.fit.between_log_sd) +
                                     ": name the zone if you can; the law holds the spread within a trace only.");
  if (pool.fit.without_discount > 0)
    report.findings.emplace_back(pool.name() + ", no discount", counted(pool.fit.without_discount, "trace") +
                                                                    " at the price on demand, left out of the level.");
  add_doubts(report, pool.name(), pool.fit);
  for (const PriceTrace& trace : pool.traces)
    for (const std::string& note : trace.notes) report.findings.emplace_back(trace.name, note + ".");
}

RecordListing traces_listing(const std::vector<PricePool>& pools) {
  RecordListing listing{"Each trace alone",
                        "Means over time in USD an hour.",
                        {"trace", "form", "mean", "sigma", "changes a day", "half-life, h", "discount, %"},
                        {}};
  for (const PricePool& pool : pools)
    for (std::size_t at = 0; at < pool.traces.size(); ++at) {
      const PriceTrace& trace = pool.traces[at];
      const PriceFit& fit = pool.fits[at];
      const bool moves = fit.form != PriceForm::constant;
      const auto below = discount(fit.time_means.front(), trace);
      listing.rows.push_back({pool.name() + (trace.zone.empty() ? "" : " " + trace.zone), form_text(fit.form),
                              three_digits(fit.time_means.front()), moves ? three_digits(fit.sigma.value) : "",
                              fit.changes > 0 ? three_digits(86400.0 / fit.mean_gap_s.value) : "0",
                              fit.form == PriceForm::mean_reverting ? three_digits(fit.half_life_s.value / 3600.0) : "",
                              below ? percent(*below) : ""});
    }
  return listing;
}

std::string figure_of(const PricePool& pool) {
  std::vector<Course> courses;
  for (const PriceTrace& trace : pool.traces) {
    Course& course = courses.emplace_back();
    course.name = trace.zone.empty() ? trace.name : trace.zone;
    for (const models::RecordedChange& change : trace.recording.changes) {
      course.at_d.push_back(change.at_s / 86400.0);
      course.values.push_back(change.value);
    }
    course.until_d = trace.recording.length_s / 86400.0;
  }
  const double reach = pool.fit.form == PriceForm::constant ? 0.0 : std::exp(models::normal90 * pool.fit.sigma.value);
  return course_figure(pool.name(), "Band: where the law spends 90 % of the time.", "USD an hour", courses,
                       reach > 0.0 ? pool.fit.median.value / reach : 0.0, pool.fit.median.value * reach);
}

std::string headline(const std::vector<PricePool>& pools) {
  const auto count = [&](PriceForm form) {
    return std::to_string(std::ranges::count_if(pools, [&](const PricePool& pool) { return pool.fit.form == form; }));
  };
  if (pools.size() > 1)
    return std::to_string(pools.size()) + " kinds of machines: the price of " + count(PriceForm::constant) +
           " stands still, " + count(PriceForm::list_changes) + " have list changes, " +
           count(PriceForm::mean_reverting) + " are mean-reverting.";
  const PricePool& pool = pools.front();
  const Discounts discounts = discounts_of(pool);
  return pool.name() + ": " + form_text(pool.fit.form) + " around " + three_digits(pool.fit.median.value) +
         " USD an hour" + (discounts.values.empty() ? "." : ", " + percent(discounts.mean()) + " % below on demand.");
}

std::string ready_text(const std::vector<PricePool>& pools) {
  if (pools.size() == 1) return "\"" + price_text(pools.front().fit) + "\"";
  Json all = Json::object();
  for (const PricePool& pool : pools) all[pool.name()] = price_text(pool.fit);
  return all.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

RecordCalibration calibrate_price(const std::vector<std::string>& traces) {
  models::require(!traces.empty(), "a price is fitted to traces");
  const std::vector<PricePool> pools = pools_of(traces);
  RecordCalibration calibration;
  RecordReport& report = calibration.report;
  report.kind = "price";
  report.headline = headline(pools);
  report.about = counted(traces.size(), "trace") + " of " +
                 (pools.size() == 1 ? "one kind" : std::to_string(pools.size()) + " kinds") +
                 " of machines. Maximum likelihood at the changes; the mean over time is kept.";
  report.rows = traces.size();
  for (const PricePool& pool : pools) {
    add_parameters(report, pool);
    add_findings(report, pool);
    report.figures.push_back(figure_of(pool));
  }
  report.listings.push_back(traces_listing(pools));
  report.ready_for = "\"price\" of a pool";
  report.ready = ready_text(pools);
  calibration.json = price_file(pools);
  return calibration;
}

}  // namespace fleetcast::analysis
