#pragma once
// How good a forecast of a quantity is, given draws of it and what really came.
#include <vector>

namespace fleetcast::analysis {

struct ForecastScore {
  double coverage = 0.0;    ///< share of the real values inside the 90 % interval of the draws
  double crps = 0.0;        ///< mean continuous ranked probability score, in the quantity's unit
  double kolmogorov = 0.0;  ///< largest distance of the two distributions
};

/// Adds so much of each figure.
void add(ForecastScore& sum, const ForecastScore& score, double weight);

/// Neither is empty; both are sorted by this. CRPS: Gneiting and Raftery, "Strictly proper scoring rules, prediction,
/// and estimation", Journal of the American Statistical Association 102 (2007), equation 21.
ForecastScore score_forecast(std::vector<double> draws, std::vector<double> real);

/// Mean over the real values of E|X - y| - E|X - X'|/2.
double ranked_probability_score(const std::vector<double>& sorted_draws, const std::vector<double>& real);
/// Largest distance of two empirical distributions, both sorted.
double kolmogorov_distance(const std::vector<double>& sorted_a, const std::vector<double>& sorted_b);

}  // namespace fleetcast::analysis
