// One trace.
#include "analysis/market/layered_forecast.hpp"
#include "analysis/market/market_calibration.hpp"
#include "analysis/market/market_draw.hpp"

namespace fleetcast::analysis {

namespace {

constexpr std::uint64_t judging_seed = 7;
constexpr std::size_t judging_rows = 40;

FitQuestion question_of(const MarketTrace& trace, const DailySwing& daily) {
  FitQuestion question{trace.series, trace.kind == TraceKind::held && trace.series.nodes > 1, trace.start_utc_h};
  if (!daily.significant()) return question;
  question.daily_swing = daily.amplitude;
  question.daily_peak_h = daily.peak_h;
  return question;
}

std::vector<LevelLaws> laws_of(const CapacitySeries& series) {
  std::vector<LevelLaws> laws;
  for (const int level : levels_of(series.nodes))
    laws.push_back({level, fit_run_laws(seen_runs(series, level, true), series.interval_h),
                    fit_run_laws(seen_runs(series, level, false), series.interval_h)});
  return laws;
}

double level_difference(const CapacitySeries& series) {
  return level_of(later_half(series)) - level_of(first_half(series));
}

}  // namespace

TraceCalibration calibrate_trace(const MarketTrace& trace) {
  TraceCalibration made;
  made.trace = trace;
  made.observed = market_statistics(trace.series);
  made.laws = laws_of(trace.series);
  made.regimes = find_regimes(trace.series);
  made.bulk = find_bulk(trace.series);
  made.daily = find_daily_swing(trace.series, trace.start_utc_h);
  const FitQuestion question = question_of(trace, made.daily);
  made.fit = fit_layers(question);
  made.intervals = figure_intervals(question, made.fit);
  const std::vector<CapacitySeries> draws =
      draw_rows(made.fit.market, judging_seed, form_of(trace.series, trace.start_utc_h), judging_rows);
  made.modelled = market_statistics(draws);
  made.compared = compare(made.observed, made.modelled, trace.series.interval_h);
  made.level_difference = level_difference(trace.series);
  for (const CapacitySeries& draw : draws) {
    const double difference = level_difference(draw);
    made.expected_square += difference * difference / static_cast<double>(draws.size());
  }
  return made;
}

}  // namespace fleetcast::analysis
