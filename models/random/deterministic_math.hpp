#pragma once
// exp, log, pow ... with the same bits on every x86-64 machine. The C library picks code by the processor's
// features (FMA or not) and the last bit differs; SLEEF's pure C functions do not. Whatever reaches a result
// uses these. All are accurate to 1 ulp (erfc to 1.5).
#include <span>

namespace fleetcast::models::det {

double exp(double x);
/// Each value in place, with the bits of exp(double), in about half its time.
void exp_each(std::span<double> values);
double expm1(double x);
double log(double x);
double log1p(double x);
double pow(double base, double exponent);
double erfc(double x);
double gamma(double x);
/// x in radians.
double cos(double x);

/// Standard normal distribution function, accurate in both tails.
double normal_cdf(double x);
/// Its inverse for p in (0, 1): Wichura's algorithm AS 241, relative error about 1e-16.
double normal_quantile(double p);

}  // namespace fleetcast::models::det
