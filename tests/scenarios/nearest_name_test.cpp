#include "scenarios/nearest_name.hpp"

#include <doctest/doctest.h>

namespace fleetcast::scenarios {
namespace {

TEST_CASE("look-alikes, case and swapped letters are near, other names are not") {
  const std::vector<std::string> gpus{"A100-80GB", "H800", "H200", "H100", "B200"};
  CHECK(nearest_name("H1OO", gpus) == "H100");
  CHECK(nearest_name("h100", gpus) == "H100");
  CHECK(nearest_name("H010", gpus) == "H100");
  CHECK(nearest_name("A100_80GB", gpus) == "A100-80GB");
  CHECK(nearest_name("TPU-v5e", gpus).empty());
  CHECK(nearest_name("", {}).empty());
}

TEST_CASE("a list is cut and sorted by nearness") {
  CHECK(nearest_first("b2", {"a1", "b3", "b2x"}) == "b3, b2x, a1");
  CHECK(nearest_first("", {"z", "a"}) == "z, a");
  CHECK(nearest_first("a", {"a", "b", "c"}, 2) == "a, b, ...");
}

TEST_CASE("distances count edits") {
  CHECK(name_distance("kitten", "sitting") == 3.0);
  CHECK(name_distance("abcd", "acbd") == 1.0);
  CHECK(name_distance("", "abc") == 3.0);
  CHECK(name_distance("micro-batch", "micro_batch") == 0.0);
}

}  // namespace
}  // namespace fleetcast::scenarios
