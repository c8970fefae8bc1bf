#include "analysis/calibration/efficiency_fit.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>

#include "analysis/calibration/efficiency_errors.hpp"
#include "models/errors.hpp"
#include "scenarios/catalog_reader.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace fleetcast;
using analysis::EfficiencyRow;
using analysis::Stack;

namespace {

const models::Catalog& catalog() {
  return scenarios::built_in_catalog();
}

EfficiencyRow row(const std::string& group, const std::string& gpu, models::Precision precision, Stack stack,
                  double efficiency) {
  EfficiencyRow made;
  made.shape = *catalog().shape("llama-3-8b");
  made.row = {"id", "Llama3-8B", gpu, precision, false, models::active_parameters(made.shape), 64, 8192, 1000};
  made.group = group;
  made.stack = stack;
  made.efficiency = efficiency;
  made.attention_share = 0.0;
  return made;
}

const models::EfficiencyCell& cell_of(const models::EfficiencyTable& table, const std::string& gpu,
                                      models::Precision precision) {
  for (const models::EfficiencyCell& cell : table.cells)
    if (cell.gpu == gpu && cell.precision == precision) return cell;
  FAIL("no such cell");
  return table.cells.front();
}

constexpr auto bf16 = models::Precision::bf16;
constexpr auto fp8 = models::Precision::fp8;

}  // namespace

TEST_CASE("rows that a source repeats weigh together as much as one row of another") {
  std::vector<EfficiencyRow> rows(9, row("a", "H100", bf16, Stack::ordinary, 0.4));
  rows.push_back(row("b", "H100", bf16, Stack::ordinary, 0.5));
  const auto table = analysis::fit_efficiency(rows, catalog()).table;
  REQUIRE(table.cells.size() == 1);
  // One kind of software alone is held at its level by a tiny weight, which costs half of a double's digits.
  CHECK(table.cells[0].efficiency == doctest::Approx(std::sqrt(0.4 * 0.5)).epsilon(1e-6));
  CHECK(table.cells[0].rows == 10);
  CHECK(table.cells[0].groups == 2);
}

TEST_CASE("precisions that were measured with different software are not compared by their software") {
  // On H100 tuned code is 1.3 times as fast; FP8 was measured with it alone, A100 with ordinary code alone.
  const std::vector<EfficiencyRow> rows{
      row("a", "H100", bf16, Stack::tuned, 0.52),
      row("b", "H100", bf16, Stack::ordinary, 0.40),
      row("a", "H100", fp8, Stack::tuned, 0.364),
      row("b", "A100-80GB", bf16, Stack::ordinary, 0.50),
  };
  const auto fit = analysis::fit_efficiency(rows, catalog());
  const double ratio = cell_of(fit.table, "H100", fp8).efficiency / cell_of(fit.table, "H100", bf16).efficiency;
  CHECK(ratio == doctest::Approx(0.364 / 0.52).epsilon(1e-9));
  const double older = cell_of(fit.table, "H100", bf16).efficiency / cell_of(fit.table, "A100-80GB", bf16).efficiency;
  CHECK(older == doctest::Approx(0.40 / 0.50).epsilon(1e-9));
  CHECK(fit.table.log_sd_common == doctest::Approx(0.5 * std::log(1.3)).epsilon(1e-9));
}

TEST_CASE("FP16 and BF16 of one GPU share a cell, and a lone group still has a spread") {
  const std::vector<EfficiencyRow> rows{row("a", "A100-80GB", models::Precision::fp16, Stack::ordinary, 0.4),
                                        row("b", "A100-80GB", bf16, Stack::ordinary, 0.5),
                                        row("a", "H100", bf16, Stack::ordinary, 0.4)};
  const auto table = analysis::fit_efficiency(rows, catalog()).table;
  CHECK(table.cells.size() == 2);
  for (const models::EfficiencyCell& cell : table.cells) CHECK(cell.log_sd > 0.05);
}

TEST_CASE("a group that is left out is predicted by the others alone") {
  const std::vector<EfficiencyRow> rows{row("a", "H100", bf16, Stack::ordinary, 0.4),
                                        row("b", "H100", bf16, Stack::ordinary, 0.5)};
  const auto errors = analysis::left_out_errors(rows, catalog());
  REQUIRE(!errors.empty());
  CHECK(errors.front().what == "all");
  CHECK(errors.front().rows == 2);
  // 0.5 for 0.4 and 0.4 for 0.5: +25 % and -20 %.
  CHECK(errors.front().mean == doctest::Approx(0.225).epsilon(1e-9));
  CHECK(errors.front().bias == doctest::Approx(0.025).epsilon(1e-9));
}

TEST_CASE("no rows give an empty table and no errors") {
  CHECK(analysis::fit_efficiency({}, catalog()).table.cells.empty());
  CHECK(analysis::left_out_errors({}, catalog()).empty());
}

TEST_CASE("a measured row becomes model FLOPs over dense peak, and what does not fit is counted with its reason") {
  const tests::TemporaryFolder folder;
  const std::string measured = (folder.path() / "m.csv").string(), suspicious = (folder.path() / "s.csv").string();
  std::ofstream{measured}
      << "id,source,gpu,n_gpus,precision,task,model,params_b,layers,hidden,heads,kv_heads,ffn,vocab,"
         "activation_ckpt,seq_len,tokens_per_s_per_gpu\n"
         "1,\"x, y\",H100-SXM,64,bf16,pretrain,Llama3-8B,8.03,32,4096,32,8,14336,128256,none,8192,9606\n"
         "2,x,H100-SXM,64,bf16,pretrain,Llama3-8B,8.03,32,4096,32,8,14336,128256,none,8192,9606\n"
         "3,x,H100-SXM,8,bf16,cv,ResNet,,,,,,,,,,\n"
         "4,x,TPU,64,bf16,pretrain,Llama3-8B,8.03,32,4096,32,8,14336,128256,none,8192,9606\n";
  std::ofstream{suspicious} << "id,reason\n2,looks odd\n";
  const auto read = analysis::read_efficiency_rows(measured, suspicious, catalog());
  REQUIRE(read.rows.size() == 1);
  CHECK(read.rows[0].group == "x, y | Llama3-8B");
  CHECK(read.rows[0].efficiency == doctest::Approx(9606 * 51.5e9 / 989.4e12).epsilon(0.002));
  CHECK(read.skipped.at("listed as suspicious") == 1);
  CHECK(read.skipped.at("images") == 1);
  CHECK(read.skipped.at("GPU or precision not in the catalog") == 1);
}

TEST_CASE("a table without the columns it needs, or with a short line, is refused with its place") {
  const tests::TemporaryFolder folder;
  const std::string path = (folder.path() / "m.csv").string();
  std::ofstream{path} << "id,source\n1,x\n";
  CHECK_THROWS_AS(analysis::read_efficiency_rows(path, path, catalog()), models::InputError);
  std::ofstream{path} << "id,source\n1\n";
  try {
    analysis::read_efficiency_rows(path, path, catalog());
    FAIL("it was read");
  } catch (const models::InputError& error) {
    CHECK(error.faults().front().line == 2);
  }
}
