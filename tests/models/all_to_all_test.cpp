#include <doctest/doctest.h>

#include <cmath>

#include "models/collective.hpp"
#include "models/errors.hpp"

using namespace fleetcast::models;

namespace {

bool close(double a, double b) {
  return std::abs(a / b - 1) < 1e-12;
}

Interconnect ideal() {
  Interconnect net;
  net.links.intra = 100e9;
  net.links.inter = 10e9;
  net.message = 0;
  return net;
}

}  // namespace

TEST_CASE("in a node every rank sends all but its own part, on two nodes half of it goes over the network") {
  CHECK(close(all_to_all({.bytes = 8e9}, {8, 8}, ideal()).seconds, 7e9 / 100e9));
  const Collective across = all_to_all({.bytes = 8e9}, {16, 8}, ideal());
  CHECK(close(across.seconds, 4e9 / 10e9));
  CHECK(across.bound == Bound::across);
  CHECK(all_to_all({.bytes = 8e9}, {1, 1}, ideal()).seconds == 0);
}

TEST_CASE("a token that goes once to each node that it reaches, and is spread there, spares the network") {
  const double reached = expected_nodes(8, 256, 8);
  const AllToAll apart{.bytes = 8e9, .copies = 8}, once{.bytes = 8e9, .copies = 8, .nodes_reached = reached};
  const double gain = all_to_all(apart, {64, 8}, ideal()).seconds / all_to_all(once, {64, 8}, ideal()).seconds;
  CHECK(close(gain, 8 / reached));
  CHECK(gain > 1.4);
}

TEST_CASE("messages cost something each") {
  Interconnect net = ideal();
  net.message = 1e-6;
  const double few = all_to_all({.bytes = 1e3, .messages = 10}, {64, 8}, net).seconds;
  const double many = all_to_all({.bytes = 1e3}, {64, 8}, net).seconds;
  CHECK(std::abs(many - few - 53e-6) < 1e-12);
  CHECK(all_to_all({.bytes = 1e3}, {64, 8}, net).bound == Bound::latency);
}

TEST_CASE("expected nodes: one expert one node, all experts all nodes, two of two on two nodes both") {
  CHECK(close(expected_nodes(8, 256, 1), 1));
  CHECK(close(expected_nodes(8, 256, 256), 8));
  CHECK(close(expected_nodes(2, 2, 2), 2));
  CHECK(close(expected_nodes(1, 64, 8), 1));
  // Two of four experts on two nodes: of the six pairs two share a node.
  CHECK(close(expected_nodes(2, 4, 2), (2 * 1 + 4 * 2) / 6.0));
  CHECK_THROWS_AS(expected_nodes(8, 4, 2), ContractError);
}
