// Means, variances, bounds and scaling in closed form, against numerical integrals of the survival function.
#include <doctest/doctest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <vector>

#include "models/random/distribution.hpp"

namespace fleetcast::models {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Integral of weight(x) P(X > x) from 0 to infinity, piece by piece between the places where the law bends.
template <class Weight>
double survival_integral(const Distribution& law, std::vector<double> bends, Weight weight) {
  using Rule = boost::math::quadrature::gauss_kronrod<double, 31>;
  bends.insert(bends.begin(), 0.0);
  bends.push_back(infinity);
  double sum = 0.0;
  for (std::size_t i = 1; i < bends.size(); ++i)
    sum += Rule::integrate([&](double x) { return weight(x) * survival(law, x); }, bends[i - 1], bends[i], 15, 1e-11);
  return sum;
}

void check_moments(const Distribution& law, const std::vector<double>& bends) {
  CAPTURE(describe_time(law));
  const double first = survival_integral(law, bends, [](double) { return 1.0; });
  const double second = survival_integral(law, bends, [](double x) { return 2.0 * x; });
  CHECK(mean(law) == doctest::Approx(first).epsilon(1e-8));
  CHECK(variance(law) == doctest::Approx(second - first * first).epsilon(1e-7));
}

}  // namespace

TEST_CASE("Mean and variance are the integrals of the survival function") {
  check_moments(Exponential{3.0}, {3.0});
  check_moments(Uniform{2.0, 5.0}, {2.0, 5.0});
  check_moments(LogNormal{2.0, 0.3}, {1.0, 2.0, 4.0});
  check_moments(LogNormal{2.0, 1.2}, {0.5, 2.0, 8.0, 80.0});
  check_moments(Weibull{3.0, 0.62}, {0.01, 3.0, 20.0});
  check_moments(Weibull{3.0, 4.0}, {1.0, 3.0, 5.0});
  check_moments(PiecewiseHazard{{{1.0, 2.0}, {infinity, 0.5}}}, {1.0, 3.0});
  check_moments(PiecewiseHazard{{{1.0, 0.0}, {2.0, 0.1}, {4.0, 0.0}, {4.5, 3.0}, {infinity, 0.5}}},
                {1.0, 2.0, 4.0, 4.5, 8.0});
  check_moments(PiecewiseHazard{{{1.0, 1e-9}, {2.0, 0.49}, {3.0, 0.51}, {infinity, 1.0}}}, {1.0, 2.0, 3.0, 6.0});
  check_moments(Mixture{{{0.25, None{}}, {0.25, Constant{2.0}}, {0.5, Exponential{1.0}}}}, {2.0, 4.0});
}

TEST_CASE("The check of moments notices a mean that is off by a millionth") {
  const double first = survival_integral(Exponential{3.0}, {3.0}, [](double) { return 1.0; });
  CHECK(3.0 * (1.0 + 1e-6) != doctest::Approx(first).epsilon(1e-8));
}

TEST_CASE("Equal hazards in all pieces are an exponential law") {
  const PiecewiseHazard pieces{{{0.1, 0.25}, {0.2, 0.25}, {7.0, 0.25}, {infinity, 0.25}}};
  CHECK(mean(pieces) == doctest::Approx(4.0).epsilon(1e-14));
  CHECK(variance(pieces) == doctest::Approx(16.0).epsilon(1e-14));
  CHECK(survival(pieces, 8.0) == doctest::Approx(std::exp(-2.0)).epsilon(1e-14));
}

TEST_CASE("The end given to the last hazard does not matter") {
  CHECK(mean(PiecewiseHazard{{{5.0, 0.25}}}) == doctest::Approx(4.0).epsilon(1e-14));
  CHECK(survival(PiecewiseHazard{{{5.0, 0.25}}}, 8.0) == doctest::Approx(std::exp(-2.0)).epsilon(1e-14));
}

TEST_CASE("What has no moments has infinite ones") {
  for (const Distribution& law : {Distribution{Never{}}, Distribution{PiecewiseHazard{{{1.0, 2.0}, {infinity, 0.0}}}},
                                  Distribution{Mixture{{{0.1, Never{}}, {0.9, Constant{1.0}}}}}}) {
    CHECK(mean(law) == infinity);
    CHECK(variance(law) == infinity);
  }
  // Gamma(1 + 2/k) is beyond double's range: infinite, not NaN.
  CHECK(variance(Weibull{1.0, 0.005}) == infinity);
}

TEST_CASE("A component with share zero does not count") {
  const Distribution law = Mixture{{{0.0, Never{}}, {1.0, Constant{3.0}}}};
  CHECK(mean(law) == 3.0);
  CHECK(variance(law) == 0.0);
  CHECK(is_constant(law));
  CHECK(upper_bound(law) == 3.0);
}

TEST_CASE("Nothing counts as zero") {
  CHECK(mean(None{}) == 0.0);
  CHECK(variance(None{}) == 0.0);
  CHECK(survival(None{}, 0.0) == 0.0);
  CHECK(survival(None{}, -1.0) == 1.0);
  Stream stream{{.seed = 1}};
  CHECK(sample(None{}, stream) == 0.0);
  CHECK(sample(Never{}, stream) == infinity);
  CHECK(sample(Constant{2.5}, stream) == 2.5);
}

TEST_CASE("Survival is P(X > x): both sides of every jump and border") {
  CHECK(survival(Constant{5.0}, std::nextafter(5.0, 0.0)) == 1.0);
  CHECK(survival(Constant{5.0}, 5.0) == 0.0);
  CHECK(survival(Never{}, 1e300) == 1.0);
  CHECK(survival(Never{}, infinity) == 0.0);
  CHECK(survival(Uniform{2.0, 4.0}, 2.0) == 1.0);
  CHECK(survival(Uniform{2.0, 4.0}, 3.0) == 0.5);
  CHECK(survival(Uniform{2.0, 4.0}, 4.0) == 0.0);
  CHECK(survival(Uniform{3.0, 3.0}, 3.0) == 0.0);
  CHECK(survival(LogNormal{2.0, 0.5}, 2.0) == 0.5);
  CHECK(survival(LogNormal{2.0, 0.0}, 1.999) == 1.0);
  CHECK(survival(LogNormal{2.0, 0.0}, 2.0) == 0.0);
  CHECK(survival(LogNormal{2.0, 0.5}, 0.0) == 1.0);
  CHECK(survival(Weibull{2.0, 0.5}, -1.0) == 1.0);
  CHECK(survival(Exponential{2.0}, infinity) == 0.0);
  CHECK(survival(PiecewiseHazard{{{1.0, 2.0}, {infinity, 0.0}}}, 1e9) == doctest::Approx(std::exp(-2.0)));
  CHECK(survival(PiecewiseHazard{{{1.0, 2.0}, {infinity, 0.0}}}, infinity) == 0.0);
}

TEST_CASE("Bounds are the smallest and largest possible draws") {
  const auto bounds = [](const Distribution& law) { return std::pair{lower_bound(law), upper_bound(law)}; };
  CHECK(bounds(Constant{3.0}) == std::pair{3.0, 3.0});
  CHECK(bounds(Never{}) == std::pair{infinity, infinity});
  CHECK(bounds(None{}) == std::pair{0.0, 0.0});
  CHECK(bounds(Uniform{2.0, 5.0}) == std::pair{2.0, 5.0});
  CHECK(bounds(Exponential{2.0}) == std::pair{0.0, infinity});
  CHECK(bounds(LogNormal{2.0, 0.3}) == std::pair{0.0, infinity});
  CHECK(bounds(LogNormal{2.0, 0.0}) == std::pair{2.0, 2.0});
  CHECK(bounds(Weibull{2.0, 0.3}) == std::pair{0.0, infinity});
  CHECK(bounds(PiecewiseHazard{{{4.0, 0.0}, {infinity, 1.0}}}) == std::pair{4.0, infinity});
  CHECK(bounds(PiecewiseHazard{{{infinity, 0.0}}}) == std::pair{infinity, infinity});
  CHECK(bounds(Mixture{{{0.5, Uniform{2.0, 5.0}}, {0.5, Constant{9.0}}}}) == std::pair{2.0, 9.0});
}

TEST_CASE("A law is constant exactly when its draws are") {
  CHECK(is_constant(Constant{3.0}));
  CHECK(is_constant(Never{}));
  CHECK(is_constant(None{}));
  CHECK(is_constant(Uniform{3.0, 3.0}));
  CHECK(is_constant(LogNormal{3.0, 0.0}));
  CHECK(is_constant(Mixture{{{0.5, Constant{3.0}}, {0.5, Uniform{3.0, 3.0}}}}));
  CHECK_FALSE(is_constant(Mixture{{{0.5, Constant{3.0}}, {0.5, None{}}}}));
  CHECK_FALSE(is_constant(Uniform{3.0, 3.1}));
  CHECK_FALSE(is_constant(Exponential{3.0}));
}

TEST_CASE("Scaling a law multiplies each of its draws, its mean and its bounds") {
  // 4 is a power of two, so the scaled draws have the same bits.
  for (const Distribution& law :
       {Distribution{Constant{3.0}}, Distribution{None{}}, Distribution{Exponential{2.0}},
        Distribution{Uniform{1.0, 2.0}}, Distribution{LogNormal{2.0, 0.4}}, Distribution{Weibull{2.0, 0.7}},
        Distribution{PiecewiseHazard{{{1.0, 0.5}, {2.0, 0.0}, {infinity, 0.25}}}},
        Distribution{Mixture{{{0.5, None{}}, {0.5, Exponential{1.0}}}}}, Distribution{Never{}}}) {
    CAPTURE(describe_time(law));
    const Distribution longer = scaled(law, 4.0);
    CHECK(mean(longer) == 4.0 * mean(law));
    CHECK(lower_bound(longer) == 4.0 * lower_bound(law));
    for (std::uint32_t i = 0; i < 100; ++i) {
      Stream one{{.seed = 3, .sample = i}}, other{{.seed = 3, .sample = i}};
      CHECK(sample(longer, one) == 4.0 * sample(law, other));
    }
  }
}

}  // namespace fleetcast::models
