#include "analysis/calibration/measured_speed_fit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "models/errors.hpp"
#include "models/measured_speed_law.hpp"
#include "models/throughput_calibration.hpp"

namespace fleetcast::analysis {

namespace {

using Eigen::Index;
using models::FittedConstant;
using models::SpeedCase;
using models::SpeedFactor;
using models::SpeedWork;

constexpr models::SpeedSpread spread{.setup = 0.22,
                                     .gpu = 0.05,
                                     .gpu_source = 0.08,
                                     .width_source = 0.10,
                                     .gpu_width = 0.08,
                                     .count = 0.045,
                                     .cell = 0.04,
                                     .row = 0.09};

struct Prior {
  FittedConstant SpeedWork::*part;
  double center, log_sd;
};
/// In the order of models::parts_of.
constexpr std::array<Prior, 6> priors{{{&SpeedWork::matrix, 0.50, 0.7},
                                       {&SpeedWork::memory, 0.25, 0.7},
                                       {&SpeedWork::host, 0.10, 1.0},
                                       {&SpeedWork::step, 0.05, 0.8},
                                       {&SpeedWork::several, 0.04, 0.8},
                                       {&SpeedWork::nodes, 0.02, 0.8}}};
constexpr Index per_work = static_cast<Index>(priors.size()) + 1;  // and the level, free
constexpr double factor_log_sd = 0.25;

std::vector<SpeedFactor> factors_of_generations() {
  using Of = SpeedFactor::Of;
  using models::Generation;
  const std::pair<Of, Generation> all[]{{Of::half, Generation::volta},    {Of::fp32, Generation::volta},
                                        {Of::tf32, Generation::ampere},   {Of::half, Generation::hopper},
                                        {Of::tf32, Generation::hopper},   {Of::half, Generation::blackwell},
                                        {Of::tf32, Generation::blackwell}};
  std::vector<SpeedFactor> factors;
  for (const auto& [of, generation] : all) factors.push_back({of, generation, {1.0, 1.0, 1.0}});
  return factors;
}

/// Rows of one model.
struct Block {
  SpeedWork work;
  std::vector<SpeedCase> cases;
  Eigen::VectorXd measured;  ///< ln seconds
  Eigen::MatrixXd root;      ///< lower Cholesky factor of the covariance
};

double median_batch(const std::vector<SpeedCase>& cases) {
  std::vector<double> known;
  for (const SpeedCase& each : cases)
    if (each.batch > 0) known.push_back(each.batch);
  if (known.empty()) return 0.0;
  std::ranges::sort(known);
  const std::size_t middle = known.size() / 2;
  return known.size() % 2 == 1 ? known[middle] : 0.5 * (known[middle - 1] + known[middle]);
}

Eigen::MatrixXd root_of_covariance(const std::vector<SpeedCase>& cases) {
  const auto n = static_cast<Index>(cases.size());
  Eigen::MatrixXd covariance{n, n};
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      covariance(i, j) =
          models::shared_variance(cases[static_cast<std::size_t>(i)], cases[static_cast<std::size_t>(j)], spread) +
          (i == j ? spread.row * spread.row : 0.0);
  return covariance.llt().matrixL();
}

Eigen::VectorXd law(std::span<const SpeedCase> cases, const SpeedWork& work, std::span<const SpeedFactor> factors) {
  Eigen::VectorXd values{static_cast<Index>(cases.size())};
  for (std::size_t at = 0; at < cases.size(); ++at)
    values(static_cast<Index>(at)) = models::log_seconds(cases[at], work, factors);
  return values;
}

Block block_of(const std::string& model, std::span<const models::MeasuredSpeedEntry> rows,
               std::span<const models::GpuSpec> gpus) {
  Block block;
  std::vector<double> measured;
  for (const models::MeasuredSpeedEntry& row : rows) {
    if (row.at.model != model) continue;
    const auto conditions = models::speed_case(row.at, gpus);
    models::require(conditions.has_value(), "a row to fit names a GPU and precision of the catalog");
    block.cases.push_back(*conditions);
    measured.push_back(models::log_measured(row));
    block.work.unit = row.unit;
  }
  block.work.model = model;
  block.work.rows = static_cast<int>(measured.size());
  block.work.reference_batch = median_batch(block.cases);
  for (const Prior& prior : priors) block.work.*prior.part = {prior.center, prior.center, prior.center};
  block.measured = Eigen::Map<const Eigen::VectorXd>(measured.data(), static_cast<Index>(measured.size()));
  block.root = root_of_covariance(block.cases);
  block.work.level = (block.measured - law(block.cases, block.work, {})).mean();
  return block;
}

struct State {
  std::vector<Block> blocks;
  std::vector<SpeedFactor> factors;

  [[nodiscard]] Index size() const {
    return per_work * static_cast<Index>(blocks.size()) + static_cast<Index>(factors.size());
  }
};

void scale(FittedConstant& constant, double log_step) {
  constant.value *= std::exp(log_step);
}

/// Derivatives of a block's law: by its level and the logarithms of its parts, then of the factors.
Eigen::MatrixXd slopes(const Block& block, const std::vector<SpeedFactor>& factors) {
  Eigen::MatrixXd columns{block.measured.size(), per_work + static_cast<Index>(factors.size())};
  for (Index row = 0; row < columns.rows(); ++row) {
    const SpeedCase& conditions = block.cases[static_cast<std::size_t>(row)];
    const auto parts = models::parts_of(conditions, block.work, factors);
    const double total = std::accumulate(parts.begin(), parts.end(), 0.0);
    Index at = 0;
    columns(row, at++) = 1.0;
    for (const double part : parts) columns(row, at++) = part / total;
    for (const SpeedFactor& each : factors)
      columns(row, at++) = models::concerns(each, conditions) ? -parts.front() / total : 0.0;
  }
  return columns;
}

struct Normal {
  Eigen::MatrixXd matrix;
  Eigen::VectorXd right;
};

/// Adds a block's rows: its own parameters start at `first`, the factors are the last ones.
void add_rows(Normal& normal, const Block& block, const std::vector<SpeedFactor>& factors, Index first) {
  const auto root = block.root.triangularView<Eigen::Lower>();
  const Eigen::MatrixXd columns = root.solve(slopes(block, factors));
  const Eigen::VectorXd left = root.solve(block.measured - law(block.cases, block.work, factors));
  const Index count = columns.cols(), last = normal.right.size() - (count - per_work);
  std::vector<Index> place(static_cast<std::size_t>(count));
  for (Index at = 0; at < count; ++at)
    place[static_cast<std::size_t>(at)] = at < per_work ? first + at : last + at - per_work;
  normal.matrix(place, place) += columns.transpose() * columns;
  normal.right(place) += columns.transpose() * left;
}

void add_prior(Normal& normal, Index at, double log_distance, double log_sd) {
  normal.matrix(at, at) += 1.0 / (log_sd * log_sd);
  normal.right(at) += log_distance / (log_sd * log_sd);
}

Normal normal_equations(const State& state) {
  Normal normal{Eigen::MatrixXd::Zero(state.size(), state.size()), Eigen::VectorXd::Zero(state.size())};
  Index at = 0;
  for (const Block& block : state.blocks) {
    add_rows(normal, block, state.factors, at++);
    for (const Prior& prior : priors)
      add_prior(normal, at++, std::log(prior.center / (block.work.*prior.part).value), prior.log_sd);
  }
  for (const SpeedFactor& each : state.factors) add_prior(normal, at++, -std::log(each.factor.value), factor_log_sd);
  return normal;
}

void move_by(State& state, const Eigen::VectorXd& step) {
  Index at = 0;
  for (Block& block : state.blocks) {
    block.work.level += step(at++);
    for (const Prior& prior : priors) scale(block.work.*prior.part, step(at++));
  }
  for (SpeedFactor& each : state.factors) scale(each.factor, step(at++));
}

/// Gauss-Newton with steps of at most a factor e.
void minimise(State& state) {
  for (int round = 0; round < 40; ++round) {
    const Normal normal = normal_equations(state);
    const Eigen::VectorXd step = normal.matrix.ldlt().solve(normal.right).cwiseMax(-1.0).cwiseMin(1.0);
    move_by(state, step);
    if (step.cwiseAbs().maxCoeff() < 1e-6) return;
  }
}

void set_interval(FittedConstant& constant, double log_sd) {
  constant.low = constant.value * std::exp(-models::normal90 * log_sd);
  constant.high = constant.value * std::exp(models::normal90 * log_sd);
}

void set_intervals(State& state) {
  const Eigen::MatrixXd covariance =
      normal_equations(state).matrix.ldlt().solve(Eigen::MatrixXd::Identity(state.size(), state.size()));
  Index at = 0;
  for (Block& block : state.blocks) {
    ++at;
    for (const Prior& prior : priors) {
      set_interval(block.work.*prior.part, std::sqrt(covariance(at, at)));
      ++at;
    }
  }
  for (SpeedFactor& each : state.factors) {
    set_interval(each.factor, std::sqrt(covariance(at, at)));
    ++at;
  }
}

}  // namespace

models::MeasuredSpeedTable fit_measured_speeds(std::span<const models::MeasuredSpeedEntry> rows,
                                               std::span<const models::GpuSpec> gpus) {
  State state;
  std::map<std::string, int> seen;
  for (const models::MeasuredSpeedEntry& row : rows) ++seen[row.at.model];
  for (const auto& [model, count] : seen) state.blocks.push_back(block_of(model, rows, gpus));
  state.factors = factors_of_generations();
  minimise(state);
  set_intervals(state);
  models::MeasuredSpeedTable table;
  table.rows.assign(rows.begin(), rows.end());
  for (const Block& block : state.blocks) table.works.push_back(block.work);
  table.factors = state.factors;
  table.spread = spread;
  return table;
}

}  // namespace fleetcast::analysis
