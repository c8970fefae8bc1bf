#include "analysis/records/storage_fit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <set>

#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
/// Squares below this are rounding: such data fit exactly, and the form with the fewest parameters is taken.
constexpr double exact = 1e-12;
constexpr double same_size = 0.01;

/// One form of the law. Rates beyond `saturated_from` nodes do not grow: 0 for an aggregate alone, infinity for none.
struct Form {
  bool fixed = false;
  double saturated_from = infinite;
  double free_bytes = 0.0;  ///< bytes that the fixed part would move at the rate of one unit
  double rate = 1.0;        ///< of one unit: a node, or the store
  double squares = 0.0;     ///< of the residuals
  double score = infinite;  ///< corrected Akaike criterion
};

/// Bytes for one unit of rate.
double load_of(const Transfer& transfer, double saturated_from) {
  return transfer.bytes / (saturated_from == 0.0 ? 1.0 : std::min(transfer.nodes, saturated_from));
}

/// ln seconds = ln(free + load) - ln rate: the rate that suits best is a mean.
double squares_of(std::span<const Transfer> transfers, double saturated_from, double free_bytes, double& rate) {
  double sum = 0.0, squares = 0.0;
  for (const Transfer& each : transfers) {
    const double ratio = std::log(each.seconds / (free_bytes + load_of(each, saturated_from)));
    sum += ratio;
    squares += ratio * ratio;
  }
  const double mean = sum / static_cast<double>(transfers.size());
  rate = std::exp(-mean);
  return std::max(0.0, squares - mean * sum);
}

/// Squares of the best fixed part for a point of saturation.
Form best_fixed(std::span<const Transfer> transfers, double saturated_from, bool fixed) {
  Form form;
  form.fixed = fixed;
  form.saturated_from = saturated_from;
  if (fixed) {
    double least = infinite, most = 0.0;
    for (const Transfer& each : transfers) {
      least = std::min(least, load_of(each, saturated_from));
      most = std::max(most, load_of(each, saturated_from));
    }
    double ignored = 1.0;
    const Curve fit = [&](double x) { return -squares_of(transfers, saturated_from, std::exp(x), ignored); };
    form.free_bytes = std::exp(largest(fit, std::log(least * 1e-4), std::log(most * 1e3), 60).at);
  }
  form.squares = squares_of(transfers, saturated_from, form.free_bytes, form.rate);
  return form;
}

Form best_saturation(std::span<const Transfer> transfers, double low, double high, bool fixed) {
  const Curve fit = [&](double x) { return -best_fixed(transfers, std::exp(x), fixed).squares; };
  return best_fixed(transfers, std::exp(largest(fit, std::log(low), std::log(high), 60).at), fixed);
}

std::size_t parameters_of(const Form& form) {
  const bool both = form.saturated_from > 0.0 && form.saturated_from < infinite;
  return 1U + (form.fixed ? 1U : 0U) + (both ? 1U : 0U);
}

double score_of(const Form& form, double n) {
  const double k = static_cast<double>(parameters_of(form)) + 1.0;  // and the spread
  if (n - k - 1.0 <= 0.0) return infinite;
  return n * std::log(std::max(form.squares, exact * n) / n) + 2.0 * k + 2.0 * k * (k + 1.0) / (n - k - 1.0);
}

Form best_form(std::span<const Transfer> transfers, const StorageFit& facts) {
  std::vector<Form> forms{best_fixed(transfers, infinite, false), best_fixed(transfers, infinite, true)};
  if (facts.node_counts > 1)
    for (const bool fixed : {false, true}) {
      forms.push_back(best_fixed(transfers, 0.0, fixed));
      forms.push_back(best_saturation(transfers, facts.least_nodes, facts.most_nodes, fixed));
    }
  for (Form& form : forms) form.score = score_of(form, static_cast<double>(transfers.size()));
  return *std::ranges::min_element(forms, {}, &Form::score);
}

void note_facts(std::span<const Transfer> transfers, StorageFit& fit) {
  std::vector<double> sizes;
  std::set<double> counts;
  for (const Transfer& each : transfers) {
    sizes.push_back(each.bytes);
    counts.insert(each.nodes);
    fit.fastest = std::max(fit.fastest, each.bytes / each.seconds);
  }
  std::ranges::sort(sizes);
  fit.sizes = 0;
  double last = 0.0;
  for (const double size : sizes)
    if (size > last * (1.0 + same_size)) {
      ++fit.sizes;
      last = size;
    }
  fit.node_counts = counts.size();
  fit.least_nodes = *counts.begin();
  fit.most_nodes = *counts.rbegin();
}

/// Derivatives of ln seconds by (fixed, ln node rate, ln aggregate), those that the form has.
Eigen::MatrixXd derivatives(std::span<const Transfer> transfers, const Form& form) {
  const double fixed = form.free_bytes / form.rate;
  Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(transfers.size()),
                                                   static_cast<Eigen::Index>(parameters_of(form)));
  const Eigen::Index first_rate = form.fixed ? 1 : 0;
  for (Eigen::Index row = 0; row < jacobian.rows(); ++row) {
    const Transfer& each = transfers[static_cast<std::size_t>(row)];
    const double flow = load_of(each, form.saturated_from) / form.rate, seconds = fixed + flow;
    if (form.fixed) jacobian(row, 0) = 1.0 / seconds;
    const bool both = jacobian.cols() == first_rate + 2;
    const Eigen::Index rate = first_rate + (both && each.nodes > form.saturated_from ? 1 : 0);
    jacobian(row, rate) = -flow / seconds;
  }
  return jacobian;
}

/// Standard errors of the parameters; infinite where the rows do not tell them.
Eigen::VectorXd errors_of(const Eigen::MatrixXd& jacobian, double variance) {
  const Eigen::MatrixXd normal = jacobian.transpose() * jacobian;
  const Eigen::FullPivLU<Eigen::MatrixXd> solver{normal};
  if (!solver.isInvertible()) return Eigen::VectorXd::Constant(jacobian.cols(), infinite);
  return (variance * solver.inverse().diagonal()).cwiseSqrt();
}

void set_figures(std::span<const Transfer> transfers, const Form& form, StorageFit& fit) {
  const double n = static_cast<double>(transfers.size()), free = n - static_cast<double>(parameters_of(form));
  fit.bounded = free >= 1.0;
  fit.log_sd = fit.bounded ? std::sqrt(form.squares / free) : 0.0;
  const double t = fit.bounded ? boost::math::quantile(boost::math::students_t{free}, 0.95) : 0.0;
  fit.half_width = t * fit.log_sd;
  const Eigen::VectorXd errors = errors_of(derivatives(transfers, form), fit.log_sd * fit.log_sd);
  const auto rate = [&](double value, Eigen::Index at) {
    const double factor = std::exp(std::min(t * errors(at), 50.0));
    return Estimate{value, value / factor, value * factor};
  };
  Eigen::Index at = 0;
  if (form.fixed) {
    const double fixed = form.free_bytes / form.rate, error = std::min(t * errors(at++), 1e9);
    fit.fixed_s = Estimate{fixed, std::max(0.0, fixed - error), fixed + error};
  }
  if (form.saturated_from > 0.0) fit.node_rate = rate(form.rate, at++);
  if (form.saturated_from == 0.0)
    fit.aggregate = rate(form.rate, at);
  else if (form.saturated_from < infinite)
    fit.aggregate = rate(form.rate * form.saturated_from, at);
}

}  // namespace

double StorageFit::node_rate_to_write() const {
  return node_rate ? node_rate->value : aggregate->value / least_nodes;
}

double StorageFit::seconds(double bytes, double nodes) const {
  double rate = node_rate ? node_rate->value * nodes : infinite;
  if (aggregate) rate = std::min(rate, aggregate->value);
  return (fixed_s ? fixed_s->value : 0.0) + bytes / rate;
}

StorageFit fit_storage(std::span<const Transfer> transfers) {
  models::require(!transfers.empty(), "a store is fitted to transfers");
  StorageFit fit;
  note_facts(transfers, fit);
  set_figures(transfers, best_form(transfers, fit), fit);
  return fit;
}

std::optional<RankEffect> rank_effect(std::span<const Transfer> transfers, const StorageFit& fit) {
  std::vector<std::pair<double, double>> points;
  double mean_x = 0.0, mean_y = 0.0;
  for (const Transfer& each : transfers)
    if (each.ranks > 0.0) {
      points.emplace_back(std::log2(each.ranks / each.nodes),
                          std::log(each.seconds / fit.seconds(each.bytes, each.nodes)));
      mean_x += points.back().first;
      mean_y += points.back().second;
    }
  const auto n = static_cast<double>(points.size());
  if (points.size() < 5) return std::nullopt;
  mean_x /= n;
  mean_y /= n;
  double xx = 0.0, xy = 0.0, yy = 0.0;
  for (const auto& [x, y] : points) {
    xx += (x - mean_x) * (x - mean_x);
    xy += (x - mean_x) * (y - mean_y);
    yy += (y - mean_y) * (y - mean_y);
  }
  if (!(xx > 1e-9)) return std::nullopt;
  const double slope = xy / xx, rest = std::max(yy - slope * xy, exact);
  const double t = std::abs(slope) / std::sqrt(rest / (n - 2.0) / xx);
  const boost::math::students_t law{n - 2.0};
  return RankEffect{std::exp(slope) - 1.0, 2.0 * boost::math::cdf(boost::math::complement(law, t))};
}

}  // namespace fleetcast::analysis
