// measured_speed.json as the reader takes it: whole, with every fault named.
#include <doctest/doctest.h>

#include <fstream>

#include "models/errors.hpp"
#include "scenarios/catalog_reader.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace fleetcast;

namespace {

const std::string constant = R"({"value": 0.3, "low": 0.2, "high": 0.5})";

std::string file_with(const std::string& row, const std::string& matrix = constant) {
  return R"({"format": "fleetcast-measured-speed-1", "about": "x", "rows_skipped": {},
    "left_out_errors": [{"what": "all", "rows": 1, "median": 0.1, "mean": 0.1, "p90": 0.2, "bias": 0, "coverage90": 0.9}],
    "spread": {"setup": 0.2, "gpu": 0, "gpu_source": 0, "width_source": 0, "gpu_width": 0, "count": 0, "cell": 0, "row": 0.1},
    "works": [{"model": "net", "unit": "images", "rows": 1, "level": -7, "matrix": )" +
         matrix + R"(, "memory": )" + constant + R"(, "host": )" + constant + R"(, "step": )" + constant +
         R"(, "several": )" + constant + R"(, "nodes": )" + constant + R"(, "reference_batch": 0}],
    "factors": [{"of": "tf32", "generation": "hopper", "factor": )" +
         constant + R"(}],
    "sources": [{"id": "S1", "address": "a", "source": "s", "date": "2026", "check": "part"}],
    "rows": [)" +
         row + "]}";
}

std::string row_with(const std::string& gpu, const std::string& rest) {
  return R"({"id": "r", "model": "net", "task": "cv", "source": "s", "gpu": ")" + gpu + R"(", "precision": "fp16", )" +
         rest + R"(, "unit": "images"})";
}

const std::string fine = R"("gpus": 8, "batch": 64, "per_s_per_gpu": 100, "reference": "S1")";

models::Catalog read(const std::string& text) {
  const tests::TemporaryFolder folder;
  std::ofstream{folder.path() / "measured_speed.json"} << text;
  return scenarios::read_catalog(folder.path().string());
}

/// The pointers of all faults, one after the other.
std::string faults_of(const std::string& text) {
  std::string pointers;
  try {
    read(text);
  } catch (const models::InputError& error) {
    for (const models::Fault& fault : error.faults()) pointers += fault.pointer + " ";
  }
  return pointers;
}

}  // namespace

TEST_CASE("a file of measured speeds is read whole, with defaults for what a row does not say") {
  const auto table = read(file_with(row_with("H100", fine))).measured_speed;
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].at.gpus == 8);
  CHECK(table.rows[0].at.gpus_per_node == 8);
  CHECK(table.rows[0].at.batch_per_gpu == 64);
  CHECK(table.rows[0].at.sequence == 0);
  CHECK(table.works[0].matrix.high == 0.5);
  CHECK(table.factors[0].of == models::SpeedFactor::Of::tf32);
  CHECK(table.factors[0].generation == models::Generation::hopper);
  CHECK(table.spread.setup == 0.2);
  CHECK(table.sources[0].address == "a");
}

TEST_CASE("all faults of measured speeds are noted at once, with their places") {
  const std::string bad = R"("gpus": 0, "per_s_per_gpu": -1, "reference": "S1", "colour": 3)";
  CHECK(faults_of(file_with(row_with("H100", bad))) == "/rows/0/gpus /rows/0/per_s_per_gpu /rows/0/colour ");
  CHECK(faults_of(file_with(row_with("H100", fine), R"({"value": 0.6, "low": 0.2, "high": 0.5})")) ==
        "/works/0/matrix/value ");
}

TEST_CASE("a GPU, source or model that is not there is a fault") {
  CHECK(faults_of(file_with(row_with("TPU", fine))) == "/rows/0/gpu ");
  const std::string lost = R"("gpus": 8, "per_s_per_gpu": 100, "reference": "S2")";
  CHECK(faults_of(file_with(row_with("H100", lost))) == "/rows/0/reference ");
}

TEST_CASE("every measured row that is compiled in names its source, and every model has its constants") {
  const auto& table = scenarios::built_in_catalog().measured_speed;
  CHECK(table.rows.size() > 300);
  CHECK(table.works.size() >= 11);
  for (const models::MeasuredSource& source : table.sources) CHECK_MESSAGE(!source.provenance.date.empty(), source.id);
}
