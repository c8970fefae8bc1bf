// `calibrate failures`: read, fit, report.
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <filesystem>

#include "analysis/calibration/score_words.hpp"
#include "analysis/format.hpp"
#include "analysis/records/failure_fit.hpp"
#include "analysis/records/record_commands.hpp"
#include "analysis/records/record_figures.hpp"

namespace fleetcast::analysis {

namespace {

const std::string rate_unit = "per 1,000 node-days of 8 GPUs";

std::string per_node_days(double per_gpu_hour) {
  return three_digits(per_gpu_hour * per_1000_node_days);
}

std::string interval_of(const Estimate& estimate) {
  return per_node_days(estimate.low) + " to " + per_node_days(estimate.high);
}

RecordParameter rate_parameter(std::string name, const Estimate& rate, std::string about) {
  return {std::move(name),
          rate_unit,
          std::move(about),
          rate.value * per_1000_node_days,
          rate.low * per_1000_node_days,
          rate.high * per_1000_node_days};
}

void add_delay(RecordReport& report, const std::string& name, const std::optional<DelayFit>& fit) {
  if (!fit || fit->times == fit->zeros) return;
  const std::string of = counted(fit->times, "time");
  const auto bound = [&](double value) { return fit->spread_known ? std::optional{value} : std::nullopt; };
  report.parameters.push_back(
      {name + ", median", "s", of, fit->median_s.value, bound(fit->median_s.low), bound(fit->median_s.high)});
  if (fit->spread_known)
    report.parameters.push_back(
        {name + ", sigma", "", "sd of the logarithm", fit->sigma.value, fit->sigma.low, fit->sigma.high});
  else
    report.findings.emplace_back(name, of + " tell no spread: the law is one value.");
  if (fit->zeros > 0)
    report.findings.emplace_back(
        name, counted(fit->zeros, "time") + " of 0 s are a share of their own; the log-normal law is of the others.");
}

void add_cause(RecordReport& report, const FittedCause& cause) {
  if (cause.between) {
    const BetweenSources& between = *cause.between;
    report.parameters.push_back(rate_parameter(cause.name + ", a new source", between.new_source,
                                               "spread between sources and error of the mean"));
    report.parameters.push_back(
        rate_parameter(cause.name + ", mean of sources", between.mean, "negative binomial, maximum likelihood"));
    RecordParameter spread{cause.name + ", log-sd", "", "of the rate between sources", between.log_sd,
                           between.log_sd_low,      {}};
    if (!between.open_high) spread.high = between.log_sd_high;
    report.parameters.push_back(spread);
  } else {
    report.parameters.push_back(
        rate_parameter(cause.name, cause.pooled, counted(static_cast<std::size_t>(cause.all.events), "event")));
  }
  add_delay(report, cause.name + ", detection", cause.detect);
  add_delay(report, cause.name + ", repair", cause.repair);
}

RecordListing sources_listing(const FailureFit& fit) {
  RecordListing listing{"What was counted",
                        "Rates " + rate_unit + ", each alone (Jeffreys).",
                        {"source", "cause", "events", "GPU-hours", "rate", "90 % interval"},
                        {}};
  for (const FittedCause& cause : fit.causes)
    for (const FittedSource& each : cause.sources)
      listing.rows.push_back({each.source.name, cause.name, whole(each.source.counted.events),
                              significant(each.source.counted.exposure, 3), per_node_days(each.rate.value),
                              interval_of(each.rate)});
  return listing;
}

std::string between_text(const BetweenSources& between, std::size_t sources) {
  if (between.log_sd == 0.0) return "The " + std::to_string(sources) + " sources agree with one rate.";
  return "Rates of " + std::to_string(sources) + " sources differ by a log-sd of " + three_digits(between.log_sd) +
         (between.p_equal < 0.001
              ? "; equal rates are ruled out (p below 0.001)."
              : "; equal rates would do so with a chance of " + three_digits(between.p_equal) + ".") +
         (between.open_high ? " So few sources do not bound it from above." : "");
}

std::string bad_nodes_text(const BadNodesFit& fit) {
  const std::string seen = "Failures of a node have a variance of " + three_digits(fit.dispersion) +
                           " times their mean (1 for equal nodes; chance of that or more among equal nodes " +
                           three_digits(fit.p_equal) + "). ";
  if (!fit.shown) return seen + "The data do not show bad nodes: none are written.";
  const auto range = [](const Estimate& estimate, bool open) {
    return open ? "above " + three_digits(estimate.low)
                : three_digits(estimate.low) + " to " + three_digits(estimate.high);
  };
  return seen + percent(fit.share.value) + " % of the nodes (90 %: " + percent(fit.share.low) +
         (fit.share_open ? " % and more" : " to " + percent(fit.share.high) + " %") + ") fail " +
         three_digits(fit.factor.value) + " times as often as the others (90 %: " + range(fit.factor, fit.factor_open) +
         ").";
}

void add_log_findings(RecordReport& report, const FailureFit& fit, const FailureRecords& records) {
  if (fit.bad_nodes) {
    report.findings.emplace_back("Bad nodes", bad_nodes_text(*fit.bad_nodes));
    if (fit.bad_nodes->shown) {
      const BadNodesFit& bad = *fit.bad_nodes;
      report.parameters.push_back({"bad nodes, share", "", "of all nodes", bad.share.value, bad.share.low,
                                   bad.share_open ? std::nullopt : std::optional{bad.share.high}});
      report.parameters.push_back({"bad nodes, factor", "", "failures against the other nodes", bad.factor.value,
                                   bad.factor.low, bad.factor_open ? std::nullopt : std::optional{bad.factor.high}});
    }
  } else {
    report.findings.emplace_back("Bad nodes", "The events name no nodes: nothing is known.");
  }
  if (records.unnamed > 0)
    report.findings.emplace_back("Events without a node",
                                 std::to_string(records.unnamed) + "; they count for the rate only.");
  const double p = boost::math::erfc(std::abs(fit.trend) / std::sqrt(2.0));
  const char* direction = fit.trend > 0.0 ? "more often towards the end" : "less often towards the end";
  report.findings.emplace_back("Over time",
                               (p < 0.05 ? std::string{"Failures come "} + direction : std::string{"No trend shows"}) +
                                   " (Laplace's test, p = " + three_digits(p) + "). One constant rate is fitted.");
  report.findings.emplace_back(
      "Another fleet",
      "One log does not tell how rates differ between fleets; published sources differ by a log-sd of about 0.6.");
}

void add_findings(RecordReport& report, const FailureFit& fit, const FailureRecords& records) {
  for (const FittedCause& cause : fit.causes) {
    if (cause.between)
      report.findings.emplace_back(cause.name + ", between sources",
                                   between_text(*cause.between, cause.sources.size()));
    for (const FittedSource& each : cause.sources)
      if (!each.source.note.empty()) report.findings.emplace_back(each.source.name, each.source.note);
  }
  if (records.is_log) add_log_findings(report, fit, records);
  report.findings.emplace_back("For a scenario",
                               "Records do not say which causes need a new node: all do unless needs_node is false.");
  for (const std::string& note : records.notes) report.findings.emplace_back("Note", note + ".");
}

void add_figure(RecordReport& report, const FailureFit& fit) {
  std::vector<IntervalBar> bars;
  const auto bar = [&](const std::string& name, const Estimate& rate, bool emphasized) {
    const double least = rate.value * 1e-3;  // an interval that begins near zero has no place on a logarithmic axis
    bars.push_back({name, "", rate.value * per_1000_node_days, std::max(rate.low, least) * per_1000_node_days,
                    rate.high * per_1000_node_days, emphasized});
  };
  for (const FittedCause& cause : fit.causes) {
    if (!cause.between) {
      bar(cause.name, cause.pooled, false);
      continue;
    }
    for (const FittedSource& each : cause.sources) bar(each.source.name, each.rate, false);
    bar(cause.name + ": a new source", cause.between->new_source, true);
  }
  if (fit.total) bar("all causes", *fit.total, true);
  report.figures.push_back(
      interval_figure("Rates with their 90 % intervals", "Thick: what a scenario is given.", rate_unit, bars));
}

std::string headline(const FailureFit& fit) {
  if (fit.causes.empty()) return "Nothing could be counted.";
  const FittedCause& first = fit.causes.front();
  const Estimate& rate = fit.total ? *fit.total : first.rate();
  const std::string what = fit.total ? "All causes" : first.between ? first.name + ", a new source" : first.name;
  return what + ": " + per_node_days(rate.value) + " " + rate_unit + " (90 %: " + interval_of(rate) + ").";
}

}  // namespace

RecordCalibration calibrate_failures(const FailureInput& input) {
  const FailureRecords records = read_failure_records(input);
  const FailureFit fit = fit_failures(records);
  RecordCalibration calibration;
  RecordReport& report = calibration.report;
  report.kind = "failures";
  report.headline = headline(fit);
  report.skipped = records.skipped;
  report.rows = records.rows - records.skipped.size();
  if (fit.causes.empty()) return calibration;
  report.about = counted(report.rows, records.is_log ? "event" : "row") + " of " + counted(fit.causes.size(), "cause") +
                 ". Rates are Gamma(events + 1/2) / exposure (Jeffreys).";
  if (fit.total) report.parameters.push_back(rate_parameter("all causes", *fit.total, "sum of the causes"));
  for (const FittedCause& cause : fit.causes) add_cause(report, cause);
  report.listings.push_back(sources_listing(fit));
  add_findings(report, fit, records);
  add_figure(report, fit);
  report.ready_for = "\"failures\"";
  report.ready = failures_object(fit);
  calibration.json = failures_file(fit, records, std::filesystem::path{input.data}.filename().string());
  return calibration;
}

}  // namespace fleetcast::analysis
