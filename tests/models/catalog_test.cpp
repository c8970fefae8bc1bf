#include "models/catalog.hpp"

#include <doctest/doctest.h>

using namespace fleetcast::models;

TEST_CASE("entries are found by id, GPUs by their other names too, and nothing else is") {
  Catalog catalog;
  catalog.gpus.resize(2);
  catalog.gpus[0].id = "H100";
  catalog.gpus[0].aliases = {"H100-SXM"};
  catalog.gpus[1].id = "A100-80GB";
  catalog.instances.resize(1);
  catalog.instances[0].id = "aws/p5.48xlarge";
  CHECK(catalog.gpu("H100") == &catalog.gpus[0]);
  CHECK(catalog.gpu("H100-SXM") == &catalog.gpus[0]);
  CHECK(catalog.gpu("H1000") == nullptr);
  CHECK(catalog.instance("aws/p5.48xlarge") == &catalog.instances[0]);
  CHECK(catalog.instance("p5.48xlarge") == nullptr);
  CHECK(catalog.provider("aws") == nullptr);
}

TEST_CASE("typical failures are those of the GPU, else those of any other") {
  Catalog catalog;
  CHECK(catalog.typical_failures("H100") == nullptr);
  catalog.failures.resize(2);
  catalog.failures[1].gpus = {"H100"};
  CHECK(catalog.typical_failures("H100") == &catalog.failures[1]);
  CHECK(catalog.typical_failures("L4") == &catalog.failures[0]);
}
