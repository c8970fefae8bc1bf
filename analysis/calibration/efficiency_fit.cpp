#include "analysis/calibration/efficiency_fit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace fleetcast::analysis {

namespace {

constexpr std::array<double, 7> class_borders{0.0, 1e9, 3e9, 1e10, 3e10, 1e11, 1e14};
constexpr double pooled_groups = 3.0;  // weight of the pooled spread, in groups

/// GPU, precision, kind, size class.
using CellKey = std::tuple<std::string, models::Precision, std::string, std::size_t>;

struct Cells {
  std::vector<CellKey> keys;
  std::vector<std::size_t> of_row;  ///< index into keys
  std::vector<double> weights;      ///< of the rows: 1 a group and cell
};

std::size_t size_class(double params) {
  const auto above = std::upper_bound(class_borders.begin(), class_borders.end(), params);
  return static_cast<std::size_t>(above - class_borders.begin()) - 1;
}

CellKey key_of(const EfficiencyRow& row, const models::Catalog& catalog) {
  const models::Precision filed = models::filed_precision(*catalog.gpu(row.row.gpu), row.row.precision);
  return {row.row.gpu, filed, models::kind_of(row.shape), size_class(row.row.params)};
}

Cells cells_of(std::span<const EfficiencyRow> rows, const models::Catalog& catalog) {
  Cells cells;
  std::map<CellKey, std::size_t> index;
  for (const EfficiencyRow& row : rows) index.emplace(key_of(row, catalog), 0);
  for (auto& [key, at] : index) {
    at = cells.keys.size();
    cells.keys.push_back(key);
  }
  std::map<std::pair<std::size_t, std::string>, int> repeats;
  for (const EfficiencyRow& row : rows) {
    cells.of_row.push_back(index.at(key_of(row, catalog)));
    ++repeats[{cells.of_row.back(), row.group}];
  }
  for (std::size_t at = 0; at < rows.size(); ++at)
    cells.weights.push_back(1.0 / repeats.at({cells.of_row[at], rows[at].group}));
  return cells;
}

struct Solution {
  std::vector<double> levels;  ///< of the cells, at attention share 0
  std::array<double, 3> stacks{};
  double slope = 0.0;
};

/// Columns: cells, then the stacks but the first, then minus the attention share. Two last rows hold a stack at 0 that
/// no cell compares with another, by a weight that nothing else feels.
Solution solve(std::span<const EfficiencyRow> rows, const Cells& cells) {
  const auto n = static_cast<Eigen::Index>(rows.size()), c = static_cast<Eigen::Index>(cells.keys.size());
  Eigen::MatrixXd design = Eigen::MatrixXd::Zero(n + 2, c + 3);
  Eigen::VectorXd target = Eigen::VectorXd::Zero(n + 2);
  design(n, c) = design(n + 1, c + 1) = 1e-5;
  for (Eigen::Index at = 0; at < n; ++at) {
    const EfficiencyRow& row = rows[static_cast<std::size_t>(at)];
    const double root = std::sqrt(cells.weights[static_cast<std::size_t>(at)]);
    const auto stack = static_cast<Eigen::Index>(row.stack);
    design(at, static_cast<Eigen::Index>(cells.of_row[static_cast<std::size_t>(at)])) = root;
    if (stack > 0) design(at, c + stack - 1) = root;
    design(at, c + 2) = -root * row.attention_share;
    target(at) = root * std::log(row.efficiency);
  }
  const Eigen::VectorXd x = design.completeOrthogonalDecomposition().solve(target);
  return {{x.data(), x.data() + c}, {0.0, x(c), x(c + 1)}, x(c + 2)};
}

double effect_of(const Solution& solution, Stack stack) {
  return solution.stacks[static_cast<std::size_t>(stack)];
}

/// Moves the level of the cells half way between tuned and ordinary software: nobody says which the user has.
void centre(Solution& solution) {
  const double middle = 0.5 * (effect_of(solution, Stack::tuned) + effect_of(solution, Stack::ordinary));
  for (double& level : solution.levels) level += middle;
  for (double& stack : solution.stacks) stack -= middle;
}

/// Weighted squares of what the fit leaves, of a cell or of all cells of a kind.
struct Residuals {
  double squares = 0.0, groups = 0.0, degrees = 0.0;
  [[nodiscard]] double variance() const { return degrees > 0.0 ? squares / degrees : 0.0; }
};

std::vector<Residuals> residuals_of(std::span<const EfficiencyRow> rows, const Cells& cells, const Solution& solution) {
  std::vector<Residuals> found(cells.keys.size());
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const EfficiencyRow& row = rows[at];
    const double rest = std::log(row.efficiency) - solution.levels[cells.of_row[at]] -
                        solution.stacks[static_cast<std::size_t>(row.stack)] + solution.slope * row.attention_share;
    found[cells.of_row[at]].squares += cells.weights[at] * rest * rest;
    found[cells.of_row[at]].groups += cells.weights[at];
  }
  for (Residuals& cell : found) cell.degrees = std::max(0.0, cell.groups - 1.0);
  return found;
}

std::map<std::string, Residuals> pooled_by_kind(const Cells& cells, const std::vector<Residuals>& residuals) {
  std::map<std::string, Residuals> pooled;
  for (std::size_t at = 0; at < cells.keys.size(); ++at) {
    if (residuals[at].degrees <= 0.0) continue;  // one group fits itself
    Residuals& kind = pooled[std::get<2>(cells.keys[at])];
    kind.squares += residuals[at].squares;
    kind.degrees += residuals[at].degrees;
  }
  return pooled;
}

/// The kind's pooled variance; the largest of all kinds where a kind has no cell with two groups.
double pooled_variance(const std::map<std::string, Residuals>& pooled, const std::string& kind) {
  if (const auto found = pooled.find(kind); found != pooled.end()) return found->second.variance();
  double largest = 0.0;
  for (const auto& [name, residuals] : pooled) largest = std::max(largest, residuals.variance());
  return largest > 0.0 ? largest : 0.2 * 0.2;  // nothing to pool: a planning value
}

/// Counts, ranges, and means of the rows of one cell.
void describe_rows(models::EfficiencyCell& cell, std::size_t index, std::span<const EfficiencyRow> rows,
                   const Cells& cells) {
  std::set<std::string> groups;
  double weight = 0.0, log_size = 0.0, share = 0.0;
  cell.gpus_low = cell.sequence_low = 1e12;
  for (std::size_t at = 0; at < rows.size(); ++at) {
    if (cells.of_row[at] != index) continue;
    const EfficiencyRow& row = rows[at];
    groups.insert(row.group);
    ++cell.rows;
    weight += cells.weights[at];
    log_size += cells.weights[at] * std::log(row.row.params);
    share += cells.weights[at] * row.attention_share;
    cell.gpus_low = std::min(cell.gpus_low, row.row.gpus);
    cell.gpus_high = std::max(cell.gpus_high, row.row.gpus);
    cell.sequence_low = std::min(cell.sequence_low, row.row.sequence_length);
    cell.sequence_high = std::max(cell.sequence_high, row.row.sequence_length);
  }
  cell.groups = static_cast<int>(groups.size());
  cell.params_center = std::exp(log_size / weight);
  cell.attention_share = share / weight;
}

models::EfficiencyCell cell_at(std::size_t index, std::span<const EfficiencyRow> rows, const Cells& cells,
                               const Solution& solution, const models::Catalog& catalog) {
  const auto& [gpu, precision, kind, size] = cells.keys[index];
  models::EfficiencyCell cell;
  cell.gpu = gpu;
  cell.precision = precision;
  cell.kind = kind;
  cell.params_low = class_borders[size];
  cell.params_high = class_borders[size + 1];
  cell.peak = *catalog.gpu(gpu)->peak(precision);
  cell.memory_rate = catalog.gpu(gpu)->memory_rate;
  describe_rows(cell, index, rows, cells);
  cell.efficiency = std::exp(solution.levels[index] - solution.slope * cell.attention_share);
  return cell;
}

}  // namespace

EfficiencyFit fit_efficiency(std::span<const EfficiencyRow> rows, const models::Catalog& catalog) {
  EfficiencyFit fit;
  if (rows.empty()) return fit;
  const Cells cells = cells_of(rows, catalog);
  Solution solution = solve(rows, cells);
  centre(solution);
  const std::vector<Residuals> residuals = residuals_of(rows, cells, solution);
  const auto by_kind = pooled_by_kind(cells, residuals);
  for (std::size_t at = 0; at < cells.keys.size(); ++at) {
    models::EfficiencyCell cell = cell_at(at, rows, cells, solution, catalog);
    const double pooled = pooled_variance(by_kind, cell.kind);
    const double variance = (residuals[at].squares + pooled_groups * pooled) / (residuals[at].degrees + pooled_groups);
    cell.log_sd = std::sqrt(variance * (1.0 + 1.0 / cell.groups));  // the level itself is known from few groups only
    fit.table.cells.push_back(std::move(cell));
  }
  for (const EfficiencyRow& row : rows) fit.table.rows.push_back(row.row);
  fit.table.attention_slope = solution.slope;
  fit.table.log_sd_common = std::abs(effect_of(solution, Stack::tuned));
  fit.stack_effects = solution.stacks;
  return fit;
}

}  // namespace fleetcast::analysis
