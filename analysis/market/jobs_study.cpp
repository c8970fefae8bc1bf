#include "analysis/market/jobs_study.hpp"

#include <algorithm>

#include "analysis/calibration/each_index.hpp"
#include "analysis/market/control_models.hpp"
#include "analysis/market/layered_forecast.hpp"

namespace fleetcast::analysis {

namespace {

constexpr int windows = 200, draws = 300, draws_of_shape = 40;

struct Question {
  ForecastPair pair;
  CapacitySeries known, to_come;
  TraceKind kind = TraceKind::not_stated;
  double prior = 0.0;
  bool later = false;
};

template <class Control>
JobSamples play_control(const CapacitySeries& known, const std::vector<SpotJob>& jobs) {
  const Control control{known};
  return play_draws([&](const GridForm& form, std::uint32_t draw) { return control.draw(form, draw + 1); },
                    known.interval_h, jobs, draws);
}

JobSamples play_layers(const models::LayeredMarket& market, double interval_h, const std::vector<SpotJob>& jobs) {
  return play_draws([&](const GridForm& form, std::uint32_t draw) { return draw_forecast(market, form, draw); },
                    interval_h, jobs, draws);
}

JobSamples play_other(ForecastModel model, const CapacitySeries& known, const std::vector<SpotJob>& jobs) {
  if (model == ForecastModel::replay) return play_windows(known, jobs, windows);
  if (model == ForecastModel::markov) return play_control<MarkovControl>(known, jobs);
  return play_control<IndependentNodesControl>(known, jobs);
}

/// Draws as long as what came, each with a climate of its own.
std::vector<ComparedStatistic> shape_of(const models::LayeredMarket& market, const CapacitySeries& to_come) {
  std::vector<CapacitySeries> rows;
  const GridForm form = form_of(to_come);
  for (std::uint32_t draw = 0; draw < draws_of_shape; ++draw) rows.push_back(draw_forecast(market, form, draw));
  return compare(market_statistics(to_come), market_statistics(rows), to_come.interval_h);
}

void answer(Question& question) {
  const std::vector<SpotJob> jobs = jobs_for(question.known.nodes);
  const JobSamples real = play_windows(question.to_come, jobs, windows);
  const models::LayeredMarket market = forecast_market(question.known, question.kind, question.prior);
  question.pair.scores[0] = score_jobs(play_layers(market, question.known.interval_h, jobs), real, jobs);
  for (std::size_t m = 1; m < forecast_models.size(); ++m)
    question.pair.scores[m] = score_jobs(play_other(forecast_models[m], question.known, jobs), real, jobs);
  question.pair.shape = shape_of(market, question.to_come);
}

void ask_later_halves(const std::vector<const MarketTrace*>& traces, std::vector<Question>& questions) {
  std::vector<KnownLevel> levels;
  for (const MarketTrace* trace : traces) levels.push_back(known_level(*trace, first_half(trace->series)));
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const MarketTrace& trace = *traces[i];
    questions.push_back({{group_of(trace), trace.file, trace.file, {}, {}},
                         first_half(trace.series),
                         later_half(trace.series),
                         trace.kind,
                         prior_level(levels, levels[i], levels[i]),
                         true});
  }
}

/// Of the same group and interval.
std::vector<std::size_t> group_around(const std::vector<const MarketTrace*>& traces, std::size_t own) {
  std::vector<std::size_t> group;
  for (std::size_t i = 0; i < traces.size(); ++i)
    if (group_of(*traces[i]) == group_of(*traces[own]) &&
        traces[i]->series.interval_h == traces[own]->series.interval_h)
      group.push_back(i);
  return group;
}

/// Each trace forecasts the next of its group, the last one the first.
void ask_neighbours(const std::vector<const MarketTrace*>& traces, std::vector<Question>& questions) {
  std::vector<KnownLevel> levels;
  for (const MarketTrace* trace : traces) levels.push_back(known_level(*trace, trace->series));
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const std::vector<std::size_t> group = group_around(traces, i);
    if (group.size() < 2) continue;
    const auto own = static_cast<std::size_t>(std::find(group.begin(), group.end(), i) - group.begin());
    const std::size_t next = group[(own + 1) % group.size()];
    const MarketTrace& trace = *traces[i];
    questions.push_back({{group_of(trace), trace.file, traces[next]->file, {}, {}},
                         trace.series,
                         traces[next]->series,
                         trace.kind,
                         prior_level(levels, levels[i], levels[next]),
                         false});
  }
}

ForecastSummary summary_of(const std::string& group, const std::vector<const ForecastPair*>& pairs) {
  constexpr double well = 0.8;
  ForecastSummary summary{group, pairs.size(), {}, {}};
  const double weight = 1.0 / static_cast<double>(pairs.size());
  for (const ForecastPair* pair : pairs) {
    for (std::size_t m = 0; m < forecast_models.size(); ++m) {
      const JobForecastScore& score = pair->scores[m];
      add(summary.mean[m].time, score.time, weight);
      add(summary.mean[m].cost, score.cost, weight);
      if (score.time.coverage >= well) summary.well_covered[m].first += weight;
      if (score.cost.coverage >= well) summary.well_covered[m].second += weight;
    }
  }
  return summary;
}

}  // namespace

std::string name_of(ForecastModel model) {
  switch (model) {
    case ForecastModel::layers:
      return "layers";
    case ForecastModel::replay:
      return "replay";
    case ForecastModel::markov:
      return "Markov chain";
    case ForecastModel::nodes:
      break;
  }
  return "independent nodes";
}

JobsStudy study_jobs(const std::vector<MarketTrace>& traces, unsigned threads) {
  JobsStudy study;
  std::vector<const MarketTrace*> used;
  for (const MarketTrace& trace : traces) {
    const std::string reason = why_too_little(trace.series);
    if (reason.empty())
      used.push_back(&trace);
    else
      study.skipped.emplace_back(trace.file, reason);
  }
  std::vector<Question> questions;
  ask_later_halves(used, questions);
  ask_neighbours(used, questions);
  each_index(questions.size(), threads, [&](std::size_t at) { answer(questions[at]); });
  for (Question& question : questions)
    (question.later ? study.later : study.neighbour).push_back(std::move(question.pair));
  return study;
}

std::vector<AgreedShare> agreed_shares(const std::vector<ForecastPair>& pairs) {
  std::vector<const std::vector<ComparedStatistic>*> comparisons;
  for (const ForecastPair& pair : pairs) comparisons.push_back(&pair.shape);
  return agreed_shares(comparisons);
}

std::vector<ForecastSummary> summarize(const std::vector<ForecastPair>& pairs) {
  std::vector<std::string> groups;
  std::vector<const ForecastPair*> all;
  for (const ForecastPair& pair : pairs) {
    if (std::ranges::find(groups, pair.group) == groups.end()) groups.push_back(pair.group);
    all.push_back(&pair);
  }
  std::vector<ForecastSummary> summaries;
  for (const std::string& group : groups) {
    std::vector<const ForecastPair*> own;
    for (const ForecastPair* pair : all)
      if (pair->group == group) own.push_back(pair);
    summaries.push_back(summary_of(group, own));
  }
  if (!all.empty()) summaries.push_back(summary_of("all", all));
  return summaries;
}

}  // namespace fleetcast::analysis
