#pragma once
// How often something fails, from counts: gamma-Poisson, so that the rate stays uncertain.
#include <cstdint>
#include <optional>
#include <span>

#include "analysis/records/search.hpp"

namespace fleetcast::analysis {

/// Events seen in so much exposure (GPU-hours; > 0).
struct Counted {
  double events = 0.0, exposure = 1.0;
};

struct Estimate {
  double value = 0.0, low = 0.0, high = 0.0;  ///< 90 % interval
};

/// Of a rate that is Gamma(shape) / exposure: mean, and the 5 % and 95 % points.
Estimate gamma_estimate(double shape, double exposure);
/// Rate = Gamma(events + 1/2) / exposure, which is the posterior under Jeffreys' prior for a Poisson count.
Estimate jeffreys(const Counted& counted);

/// Sources whose rates differ: each rate is Gamma(shape) with the common mean, so that counts are negative binomial.
/// Maximum likelihood. What a new source may have covers the spread between sources and the error of the mean, both
/// widened as Student's law is for so few.
struct BetweenSources {
  Estimate mean;        ///< of the rates; Student's interval of the logarithm
  double log_sd = 0.0;  ///< of a rate between sources: sqrt(trigamma(shape)); 0: none shows
  double log_sd_low = 0.0, log_sd_high = 0.0;
  bool open_high = false;  ///< the sources are too few to bound it
  double p_equal = 1.0;    ///< chance of at least this spread if all rates were equal (likelihood ratio, halved)
  double new_shape = 0.0;  ///< Gamma shape of the rate of a new source
  Estimate new_source;
};

/// Nothing for less than two sources, or if none has an event.
std::optional<BetweenSources> between_sources(std::span<const Counted> sources);

/// Gamma shape with this sd of the logarithm: trigamma(shape) = log_sd^2. log_sd > 0.
double shape_of(double log_sd);

/// The notation of a scenario for a rate of Gamma(shape) and this mean: whole events + 1/2 = about shape, and the
/// exposure that keeps the mean. A shape below 1/2 becomes 1/2.
struct EventsAndExposure {
  std::uint64_t events = 0;
  double exposure = 1.0;
};
EventsAndExposure as_events(double shape, double mean);

}  // namespace fleetcast::analysis
