#include "scenarios/values.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "reading.hpp"
#include "scenarios/decimal.hpp"

namespace fleetcast::scenarios {
namespace {

using test::has;

template <class T>
T good(Parsed<T> parsed) {
  CAPTURE(parsed.problem.found);
  REQUIRE(parsed.value.has_value());
  return *parsed.value;
}

template <class T>
Problem bad(const Parsed<T>& parsed) {
  REQUIRE(!parsed.value.has_value());
  return parsed.problem;
}

TEST_CASE("N06: counts are exact over 64 bits and may be written with an exponent or a suffix") {
  CHECK(good(parse_count("18446744073709551615")) == 18446744073709551615ULL);
  CHECK(good(parse_count("9007199254740993")) == 9007199254740993ULL);
  CHECK(good(parse_count("1e3")) == 1000);
  CHECK(good(parse_count("1000.0")) == 1000);
  CHECK(good(parse_count("1.4T")) == 1'400'000'000'000ULL);
  CHECK(good(parse_count("0.1k")) == 100);
  CHECK(good(parse_count("4Mi")) == 4'194'304);
  CHECK(good(parse_count("0.5Gi")) == 536'870'912);
  CHECK(good(parse_count("-0")) == 0);
  CHECK(has(bad(parse_count("8.5")).found, "not whole"));
  CHECK(has(bad(parse_count("0.0001k")).found, "not whole"));
  CHECK(has(bad(parse_count("0.1Ki")).found, "not whole"));
  CHECK(has(bad(parse_count("-1")).found, "negative"));
  CHECK(has(bad(parse_count("18446744073709551616")).found, "too large"));
  CHECK(has(bad(parse_count("17179869184Gi")).found, "too large"));
}

TEST_CASE("N07: separators in digits and wrong suffixes get a hint") {
  CHECK(bad(parse_count("1,024")).nearest == "1024");
  CHECK(bad(parse_time("1,024 s")).nearest == "1024 s");
  CHECK(bad(parse_count("10G")).nearest == "10B");
  CHECK(bad(parse_count("10K")).nearest == "10k");
  CHECK(bad(parse_count("eight")).nearest.empty());
}

TEST_CASE("times have a unit, and none is guessed") {
  CHECK(good(parse_time("30 min")) == 1800.0);
  CHECK(good(parse_time("1.5h")) == 5400.0);
  CHECK(good(parse_time("2 d")) == 172800.0);
  CHECK(good(parse_time("70 ms")) == doctest::Approx(0.07));
  CHECK(good(parse_time("0 s")) == 0.0);
  CHECK(has(bad(parse_time("3")).found, "the unit is missing"));
  CHECK(bad(parse_time("3 hours")).nearest == "3 h");
  CHECK(bad(parse_time("5 m")).nearest == "5 min");
  CHECK(has(bad(parse_time("-1 s")).found, "negative"));
  CHECK(has(bad(parse_time("1.2.3 s")).found, "1.2.3"));
  CHECK(has(bad(parse_time("")).found, "found \"\""));
}

TEST_CASE("N04: overflow is refused, underflow is zero, minus zero is zero") {
  CHECK(has(bad(parse_time("1e999 s")).found, "too large"));
  CHECK(has(bad(parse_time("1e308 d")).found, "too large"));
  CHECK(good(parse_time("1e-999 s")) == 0.0);
  CHECK(good(parse_time("0.1e-400 s")) == 0.0);
  CHECK(good(parse_time("-0.0 s")) == 0.0);
  CHECK(*to_double(*parse_decimal("0." + std::string(400, '0') + "1e401")) == doctest::Approx(1.0));
  CHECK(!to_double(*parse_decimal("1" + std::string(400, '0'))).has_value());
  CHECK(*to_double(*parse_decimal("1e-99999999999999999999")) == 0.0);
}

TEST_CASE("N09: decimal and binary bytes differ") {
  CHECK(good(parse_bytes("80 GB")) == 80e9);
  CHECK(good(parse_bytes("80 GiB")) == 80.0 * 1073741824.0);
  CHECK(good(parse_bytes("1 kB")) == 1000.0);
  CHECK(bad(parse_bytes("1 KB")).nearest == "1 kB");
  CHECK(bad(parse_bytes("80 Gb")).nearest == "80 GB");
  CHECK(has(bad(parse_bytes("80")).found, "the unit is missing"));
}

TEST_CASE("N10: bits and bytes per second differ by eight, and Gbps is asked about") {
  CHECK(good(parse_byte_rate("400 Gbit/s")) == 50e9);
  CHECK(good(parse_byte_rate("50 GB/s")) == 50e9);
  CHECK(bad(parse_byte_rate("400 Gbps")).nearest == "400 Gbit/s");
  CHECK(bad(parse_byte_rate("400 Gb/s")).nearest == "400 Gbit/s");
  CHECK(has(bad(parse_byte_rate("400 Gbps")).allowed, "8 Gbit/s are 1 GB/s"));
}

TEST_CASE("N12: a price says per what") {
  CHECK(good(parse_price("1.22 USD/GPU-h")).per == Price::Per::gpu_hour);
  CHECK(good(parse_price("32.77 USD/node-h")).usd == 32.77);
  CHECK(good(parse_price("0.02 USD/GB")).per == Price::Per::gigabyte);
  CHECK(good(parse_price("0 USD/GPU-h")).usd == 0.0);
  CHECK(has(bad(parse_price("3 USD/h")).found, "whether a GPU or a node"));
  CHECK(bad(parse_price("3 $/GPU-h")).nearest == "3 USD/GPU-h");
  CHECK(has(bad(parse_price("3 EUR/GPU-h")).found, "is not a price"));
  CHECK(has(bad(parse_price("-1 USD/GPU-h")).found, "negative"));
}

TEST_CASE("N12: event rates are per node, per GPU or of the fleet, in any unit of time") {
  CHECK(good(parse_event_rate("8.64 /node-d")).per_second == doctest::Approx(1e-4));
  CHECK(good(parse_event_rate("2e-5 /GPU-h")).per == EventRate::Per::gpu);
  CHECK(good(parse_event_rate("2 /d")).per == EventRate::Per::fleet);
  CHECK(good(parse_event_rate("0 /d")).per_second == 0.0);
  CHECK(has(bad(parse_event_rate("2")).found, "not a rate"));
  CHECK(has(bad(parse_event_rate("2 /rack-d")).allowed, "per node, GPU or fleet"));
}

TEST_CASE("spans are steps or time and never nothing") {
  CHECK(good(parse_span("500 steps")).value == 500.0);
  CHECK(good(parse_span("1 step")).in_steps);
  CHECK(good(parse_span("2k steps")).value == 2000.0);
  CHECK(good(parse_span("30 min")).value == 1800.0);
  CHECK_FALSE(good(parse_span("30 min")).in_steps);
  for (const char* text : {"0 steps", "0 s", "500", "1.5 steps", "-3 steps", "soon"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_span(text).value.has_value());
  }
}

TEST_CASE("dates need an offset and must exist") {
  CHECK(good(parse_date("1970-01-02T00:00Z")) == 86400);
  CHECK(good(parse_date("2026-03-02T11:30Z")) == 1772451000);
  CHECK(good(parse_date("2026-03-02T12:30:00+01:00")) == 1772451000);
  CHECK(good(parse_date("2026-03-02T03:30-08:00")) == 1772451000);
  CHECK(bad(parse_date("2026-03-02T11:30")).nearest == "2026-03-02T11:30Z");
  for (const char* text :
       {"2026-02-30T00:00Z", "2026-03-02", "2026-03-02T25:00Z", "02.03.2026", "2026-03-02T11:30Zx"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_date(text).value.has_value());
  }
}

TEST_CASE("every law of a random time is read") {
  const RandomRules all{true, true, true};
  const auto law = [&](std::string_view text) { return good(parse_random_time(text, all)); };
  CHECK(std::get<models::Constant>(law("30 s")).value == 30.0);
  CHECK(std::get<models::Exponential>(law("exponential(mean 2 min)")).mean == 120.0);
  CHECK(std::get<models::Uniform>(law("uniform(17 min, 30 min)")).high == 1800.0);
  const auto lognormal = std::get<models::LogNormal>(law("lognormal(median 3.7 min, sigma 0.3)"));
  CHECK(lognormal.median == doctest::Approx(222.0));
  CHECK(lognormal.sigma == 0.3);
  CHECK(std::get<models::Weibull>(law("weibull(scale 1.4 h, shape 0.62)")).shape == 0.62);
  CHECK(std::holds_alternative<models::Never>(law("never")));
  CHECK(std::holds_alternative<models::None>(law("none")));
  const auto hazard = std::get<models::PiecewiseHazard>(law("hazard(1.7 /h until 15 min, 0.2 /h)"));
  REQUIRE(hazard.pieces.size() == 2);
  CHECK(hazard.pieces[0].until == 900.0);
  CHECK(hazard.pieces[0].rate == doctest::Approx(1.7 / 3600));
  CHECK(std::isinf(hazard.pieces[1].until));
  const auto mix = std::get<models::Mixture>(law("mix(0.2: none, 0.3: uniform(1 s, 2 s), 0.5: mix(1: 30 s))"));
  REQUIRE(mix.components.size() == 3);
  CHECK(mix.components[1].share == 0.3);
  CHECK(std::holds_alternative<models::Uniform>(mix.components[1].law));
}

TEST_CASE("a law that cannot be is refused with the reason") {
  const RandomRules all{true, true, true};
  const auto why = [&](std::string_view text) { return bad(parse_random_time(text, all)).found; };
  CHECK(has(why("exponential(mean 0 s)"), "must be more than 0"));
  CHECK(has(why("exponential(2 min)"), "its one argument is the mean"));
  CHECK(has(why("uniform(30 min, 17 min)"), "the first is more than the second"));
  CHECK(has(why("lognormal(median 1 s, sigma -1)"), "sigma is \"-1\""));
  CHECK(has(why("weibull(scale 1 h, shape 0)"), "shape is \"0\""));
  CHECK(has(why("hazard(1.7 /h, 0.2 /h)"), "every piece but the last"));
  CHECK(has(why("hazard(1 /h until 2 h, 2 /h until 1 h, 1 /h)"), "the times must grow"));
  CHECK(has(why("mix(0.2: none, 0.7: 30 s)"), "the shares sum to 0.9"));
  CHECK(has(why("data(file.csv, column)"), "no data file can be named here"));
  CHECK(has(why("uniform(1 s, 2 s"), "the bracket is not closed"));
  CHECK(has(why("exponential(mean 2)"), "the unit is missing"));
  CHECK(bad(parse_random_time("lognorm(median 1 s, sigma 1)", all)).nearest == "lognormal");
}

TEST_CASE("zero, never and none are laws only where they have a meaning") {
  const RandomRules positive{false, false, false};
  for (const char* text : {"0 s", "never", "none", "uniform(0 s, 0 s)", "mix(0.5: none, 0.5: 1 s)",
                           "mix(0.5: 0 s, 0.5: 1 s)", "hazard(1 /h until 1 h, 0 /h)"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_random_time(text, positive).value.has_value());
  }
  CHECK(parse_random_time("0 s", {}).value.has_value());
  CHECK_FALSE(parse_random_time("none", {}).value.has_value());
  CHECK(parse_random_time("mix(0.5: none, 0.5: 1 s)", {}).value.has_value());
}

}  // namespace
}  // namespace fleetcast::scenarios
