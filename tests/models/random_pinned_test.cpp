// Draws and functions to the last bit, so that another machine, compiler, library or processor setting that changes
// one of them is noticed. The figures come from this code on an x86-64 machine with GCC 12, Boost 1.74 and SLEEF
// 3.5.1; that they are right is shown by the other tests. Also to be run with the processor's FMA hidden:
// GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4
#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "models/random/deterministic_math.hpp"
#include "models/random/distribution.hpp"

namespace fleetcast::models {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
using Four = std::array<double, 4>;

struct PinnedLaw {
  Distribution law;
  Four draws;
  std::uint64_t hash_of_many;
};

const std::vector<PinnedLaw>& pinned_laws() {
  static const std::vector<PinnedLaw> list{
      {Exponential{120.0},
       {0x1.4db276fd5dc38p+5, 0x1.c6aa5ddfba9e2p+4, 0x1.e3c241ced87dap+6, 0x1.6804ccd278481p+7},
       0xa84b30916286c9ae},
      {Uniform{1020.0, 1800.0},
       {0x1.17011f470812p+10, 0x1.5a2e0ee1d857p+10, 0x1.79bfc3b59b80dp+10, 0x1.9a69fe688796fp+10},
       0xb3edb32ae6c371be},
      {LogNormal{222.0, 0.3},
       {0x1.d36fe0ac173d3p+7, 0x1.6680deed8d119p+8, 0x1.5a50a8d8bada5p+8, 0x1.3a2f31ba01e9p+7},
       0x2a71b7f3456035b9},
      {Weibull{5040.0, 0.62},
       {0x1.03203898fae52p+8, 0x1.529bf198dfdbcp+13, 0x1.594e97f9f2a16p+10, 0x1.1c6584dcb1243p+14},
       0xe28cb288ec787b97},
      {PiecewiseHazard{{{900.0, 0.0005}, {infinity, 0.0001}}},
       {0x1.eb6b173e7afafp+10, 0x1.e0e7417a91d62p+11, 0x1.37ad49e2f435ap+10, 0x1.5c3718ce41a97p+13},
       0xa6be2e121d5806b5},
      {Mixture{{{0.2, None{}}, {0.8, Exponential{30.0}}}},
       {0x0p+0, 0x1.5b644983d0359p+4, 0x1.125b5f27f2c51p+4, 0x1.23b0a993c4998p+4},
       0x045afdb5a7028f22}};
  return list;
}

template <class Draw>
double draw(std::uint32_t entity, std::uint32_t number, Draw take) {
  Stream stream{{.seed = 99, .trial = 1, .entity = entity, .sample = number}};
  return take(stream);
}

template <class Draw>
void check_four(std::uint32_t entity, const Four& expected, Draw take) {
  for (std::uint32_t i = 0; i < 4; ++i) CHECK(draw(entity, i, take) == expected[i]);
}

/// FNV-1a over 64-bit words.
template <class Draw>
std::uint64_t hash_of_draws(std::uint32_t entity, std::uint32_t count, Draw take) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::uint32_t i = 0; i < count; ++i)
    hash = (hash ^ std::bit_cast<std::uint64_t>(draw(entity, i, take))) * 0x100000001b3;
  return hash;
}

}  // namespace

TEST_CASE("Pinned: the first draws of every law have these bits") {
  std::uint32_t entity = 0;
  for (const PinnedLaw& pinned : pinned_laws()) {
    CAPTURE(describe_time(pinned.law));
    check_four(entity++, pinned.draws, [&](Stream& stream) { return sample(pinned.law, stream); });
  }
}

TEST_CASE("Pinned: a hundred thousand draws of every law have these bits") {
  std::uint32_t entity = 0;
  for (const PinnedLaw& pinned : pinned_laws()) {
    CAPTURE(describe_time(pinned.law));
    CHECK(hash_of_draws(entity++, 100'000, [&](Stream& stream) { return sample(pinned.law, stream); }) ==
          pinned.hash_of_many);
  }
}

TEST_CASE("Pinned: the standard draws have these bits") {
  check_four(6, {0x1.1f9f369c6d66cp+1, 0x1.486f4f792e6cbp+1, 0x1.7b70a641a112ep+0, 0x1.3ed44e865e619p-1},
             unit_exponential);
  check_four(7, {-0x1.699bea12f3b82p-1, -0x1.e33dd304ff6c8p-1, 0x1.5a90d9d74d168p+0, 0x1.4bccaa62c8eccp-1},
             unit_normal);
  check_four(8, {0x1.083ed9dd3759bp-1, 0x1.d8099a2d1cbfdp-1, 0x1.7765cb0efe87p-2, 0x1.4d1b10a6c3a42p-1}, unit_uniform);
  check_four(9, {0x1.dd9aa2eefefbcp+1, 0x1.40cb340dc5186p+2, 0x1.9097fce50b347p+0, 0x1.93b4f3c929832p-1},
             [](Stream& stream) { return unit_gamma(2.5, stream); });
  check_four(10, {0x1.24f6e82a9c624p-3, 0x1.b81dec0c114f2p-1, 0x1.05e61bf4b4116p-3, 0x1.eaa43b92115d9p-2},
             [](Stream& stream) { return unit_gamma(0.4, stream); });
}

TEST_CASE("Pinned: the deterministic functions have these bits") {
  CHECK(det::exp(1.7) == 0x1.5e552770df8a6p+2);
  CHECK(det::expm1(0.017) == 0x1.18e8b1aaa4752p-6);
  CHECK(det::log(1.7) == 0x1.0fae81914a991p-1);
  CHECK(det::log1p(0.017) == 0x1.142fdfa0540cp-6);
  CHECK(det::pow(1.7, 2.3) == 0x1.b1c0c46dcb4eap+1);
  CHECK(det::erfc(1.7) == 0x1.0993be8f17094p-6);
  CHECK(det::gamma(4.7) == 0x1.edce1fb32a336p+3);
  CHECK(det::normal_cdf(-1.7) == 0x1.6d148ca287903p-5);
  CHECK(det::normal_quantile(0.0317) == -0x1.db3b7324e33a2p+0);
}

TEST_CASE("One bit in one of the draws changes the hash of them") {
  const auto flipped = [](Stream& stream) {
    const double value = unit_exponential(stream);
    return value == draw(6, 50, unit_exponential) ? std::nextafter(value, 0.0) : value;
  };
  CHECK(hash_of_draws(6, 100, unit_exponential) != hash_of_draws(6, 100, flipped));
}

}  // namespace fleetcast::models
