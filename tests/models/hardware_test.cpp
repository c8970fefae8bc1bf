#include "models/hardware.hpp"

#include <doctest/doctest.h>

using namespace fleetcast::models;

TEST_CASE("every precision has a name that leads back to it") {
  CHECK(all_precisions().size() == 8);
  for (const Precision precision : all_precisions()) CHECK(precision_from(name_of(precision)) == precision);
}

TEST_CASE("a name that is no precision gives nothing") {
  CHECK_FALSE(precision_from("fp64"));
  CHECK_FALSE(precision_from("BF16"));
  CHECK_FALSE(precision_from(""));
}

TEST_CASE("a GPU answers with the peak of the precision it has and with nothing for others") {
  GpuSpec gpu;
  gpu.peaks = {{Precision::fp32, FlopsPerSecond{15.7e12}}, {Precision::fp16, FlopsPerSecond{125e12}}};
  REQUIRE(gpu.peak(Precision::fp16));
  CHECK(gpu.peak(Precision::fp16)->value() == 125e12);
  CHECK_FALSE(gpu.peak(Precision::bf16));
}
