#include "analysis/calibration/throughput_fit.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <unsupported/Eigen/NonLinearOptimization>

#include "models/step_model.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double scatter = 0.08;  // log residual beyond which a row counts as an outlier
constexpr double far = 5.0;       // prior spreads that a parameter may move

using Rows = std::span<const ThroughputRow* const>;

double prior_of(const models::ParameterInfo& info) {
  return info.logarithmic ? std::log(info.prior) : info.prior;
}

/// Quadratic near zero, linear far away (pseudo-Huber), as a residual whose square is that.
double robust(double residual) {
  const double mapped = std::sqrt(2.0 * (std::sqrt(1.0 + residual * residual) - 1.0));
  return residual < 0.0 ? -mapped : mapped;
}

/// The free parameters only.
class Problem {
 public:
  using Scalar = double;
  using InputType = Eigen::VectorXd;
  using ValueType = Eigen::VectorXd;
  using JacobianType = Eigen::MatrixXd;

  Problem(Rows rows, Theta start) : rows_{rows}, theta_{std::move(start)} {
    const auto list = models::parameter_list();
    for (std::size_t i = 0; i < list.size(); ++i)
      if (list[i].spread > 0.0) free_.push_back(i);
  }

  [[nodiscard]] int inputs() const { return static_cast<int>(free_.size()); }
  [[nodiscard]] int values() const { return static_cast<int>(rows_.size() + free_.size()); }

  int operator()(const Eigen::VectorXd& x, Eigen::VectorXd& residuals) const {
    const models::ThroughputParameters parameters = parameters_of(whole(x));
    Eigen::Index at = 0;
    for (const ThroughputRow* row : rows_) {
      const double miss = std::log(predicted_speed(*row, parameters) / row->measured) / scatter;
      residuals(at++) = std::sqrt(row->weight) * robust(miss);
    }
    const auto list = models::parameter_list();
    for (std::size_t i = 0; i < free_.size(); ++i) {
      const auto& info = list[free_[i]];
      residuals(at++) = (x(static_cast<Eigen::Index>(i)) - prior_of(info)) / info.spread;
    }
    return 0;
  }

  /// Forward differences in steps of a thousandth of the prior's spread.
  int df(const Eigen::VectorXd& x, Eigen::MatrixXd& jacobian) const {
    Eigen::VectorXd base(values()), moved(values());
    (*this)(x, base);
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      const double step = 1e-3 * models::parameter_list()[free_[static_cast<std::size_t>(i)]].spread;
      Eigen::VectorXd shifted = x;
      shifted(i) += step;
      (*this)(shifted, moved);
      jacobian.col(i) = (moved - base) / step;
    }
    return 0;
  }

  [[nodiscard]] Eigen::VectorXd free_part() const {
    Eigen::VectorXd x(inputs());
    for (std::size_t i = 0; i < free_.size(); ++i) x(static_cast<Eigen::Index>(i)) = theta_[free_[i]];
    return x;
  }
  [[nodiscard]] Theta whole(const Eigen::VectorXd& x) const {
    Theta theta = theta_;
    const auto list = models::parameter_list();
    for (std::size_t i = 0; i < free_.size(); ++i) {
      const auto& info = list[free_[i]];
      const double prior = prior_of(info), reach = far * info.spread;
      theta[free_[i]] = std::clamp(x(static_cast<Eigen::Index>(i)), prior - reach, prior + reach);
    }
    return theta;
  }
  [[nodiscard]] std::vector<double> sd(const Eigen::MatrixXd& jacobian) const {
    const Eigen::MatrixXd covariance =
        (jacobian.transpose() * jacobian).ldlt().solve(Eigen::MatrixXd::Identity(jacobian.cols(), jacobian.cols()));
    std::vector<double> all(theta_.size(), 0.0);
    for (std::size_t i = 0; i < free_.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      all[free_[i]] = std::sqrt(std::max(0.0, covariance(at, at)));
    }
    return all;
  }

 private:
  Rows rows_;
  Theta theta_;
  std::vector<std::size_t> free_;
};

}  // namespace

Theta prior_theta() {
  const auto list = models::parameter_list();
  Theta theta;
  for (const models::ParameterInfo& info : list) theta.push_back(prior_of(info));
  return theta;
}

models::ThroughputParameters parameters_of(const Theta& theta) {
  models::ThroughputParameters parameters;
  const auto list = models::parameter_list();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const double value = theta[i];
    parameters.*list[i].value = list[i].logarithmic ? std::exp(value) : value;
  }
  return parameters;
}

double predicted_speed(const ThroughputRow& row, const models::ThroughputParameters& parameters) {
  return row.tokens_per_step / models::step_breakdown(row.work, parameters).total() / row.work.gpus;
}

ThroughputFit fit_throughput(std::span<const ThroughputRow* const> rows, const Theta& start) {
  Problem problem{rows, start};
  Eigen::VectorXd x = problem.free_part();
  Eigen::LevenbergMarquardt<Problem> solver{problem};
  solver.parameters.maxfev = 200;
  solver.parameters.ftol = 1e-7;
  solver.parameters.xtol = 1e-6;
  solver.minimize(x);
  Eigen::MatrixXd jacobian(problem.values(), problem.inputs());
  problem.df(x, jacobian);
  return {problem.whole(x), problem.sd(jacobian), solver.fnorm * solver.fnorm / 2.0, static_cast<int>(solver.iter)};
}

}  // namespace fleetcast::analysis
