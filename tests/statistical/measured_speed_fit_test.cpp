#include "analysis/calibration/measured_speed_fit.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "analysis/calibration/measured_speed_errors.hpp"
#include "analysis/calibration/measured_speed_file.hpp"
#include "analysis/calibration/measured_speed_rows.hpp"
#include "models/errors.hpp"
#include "models/measured_speed_law.hpp"
#include "scenarios/catalog_reader.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace fleetcast;
using models::MeasuredSpeedEntry;
using models::Precision;

namespace {

const std::filesystem::path source{FLEETCAST_SOURCE_DIR};
const std::filesystem::path data = source / ".." / "shared" / "data" / "throughput";
const std::string measured = (data / "measured_calibration.csv").string();
const std::string suspicious = (data / "suspicious_rows.csv").string();

bool have_data() {
  if (std::filesystem::exists(measured)) return true;
  MESSAGE("skipped: the measurements are not at " << data.string());
  return false;
}

const std::vector<models::GpuSpec>& gpus() {
  return scenarios::built_in_catalog().gpus;
}

const models::MeasuredSpeedTable& built_in() {
  return scenarios::built_in_catalog().measured_speed;
}

/// Rows of a model that follow the law exactly.
std::vector<MeasuredSpeedEntry> rows_by(const models::SpeedWork& work) {
  std::vector<MeasuredSpeedEntry> rows;
  for (const char* gpu : {"A10", "A100-40GB", "A100-80GB", "H100", "B200"})
    for (const Precision precision : {Precision::tf32, Precision::fp16})
      for (const double count : {1.0, 8.0}) {
        models::SpeedConditions at{work.model, "cv", "made up", gpu, precision, count, 8, 0, 0};
        const double seconds = std::exp(models::log_seconds(*models::speed_case(at, gpus()), work, {}));
        rows.push_back({std::to_string(rows.size()), at, 1 / seconds, "images", "S1"});
      }
  return rows;
}

models::SpeedWork work(const std::string& model, double matrix, double memory, double host) {
  models::SpeedWork made;
  made.model = model;
  made.matrix.value = matrix;
  made.memory.value = memory;
  made.host.value = host;
  made.several.value = made.step.value = 0.04;
  made.nodes.value = 0.02;
  made.level = -6;
  return made;
}

std::string configuration(const MeasuredSpeedEntry& row) {
  return row.at.model + row.at.gpu + std::string{models::name_of(row.at.precision)} + std::to_string(row.at.gpus);
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The first line in which two texts differ; empty if they are the same.
std::string first_difference(const std::string& a, const std::string& b) {
  std::istringstream lines_a{a}, lines_b{b};
  std::string line_a, line_b;
  while (true) {
    const bool more_a = static_cast<bool>(std::getline(lines_a, line_a));
    const bool more_b = static_cast<bool>(std::getline(lines_b, line_b));
    if (!more_a && !more_b) return {};
    if (more_a != more_b || line_a != line_b) return line_a + " | " + line_b;
  }
}

}  // namespace

TEST_CASE("rows that follow the law are fitted, and a model of matrix work is told from one of host work") {
  auto rows = rows_by(work("matrix net", 0.9, 0.1, 0.02));
  for (const MeasuredSpeedEntry& row : rows_by(work("host net", 0.1, 0.1, 0.8))) rows.push_back(row);
  const auto table = analysis::fit_measured_speeds(rows, gpus());
  REQUIRE(table.works.size() == 2);
  const models::SpeedWork &host = table.works[0], &matrix = table.works[1];
  CHECK(host.host.value > 2 * host.matrix.value);
  CHECK(matrix.matrix.value > 5 * matrix.host.value);
  CHECK(matrix.matrix.low < matrix.matrix.value);
  CHECK(matrix.matrix.high > matrix.matrix.value);
  // The priors pull a little: 3 % where the scatter of a real row is 9 %.
  CHECK(analysis::speeds_left_out(rows, gpus(), "exact", configuration, true).median < 0.03);
}

TEST_CASE("no rows give an empty table") {
  CHECK(analysis::fit_measured_speeds({}, gpus()).works.empty());
}

TEST_CASE("a row for a GPU that is not in the list is a bug of the caller") {
  auto rows = rows_by(work("net", 0.5, 0.2, 0.1));
  rows[0].at.gpu = "TPU";
  CHECK_THROWS_AS(analysis::fit_measured_speeds(rows, gpus()), models::ContractError);
}

TEST_CASE("lines of a table become rows with their source, and what is left out is counted with its reason") {
  const tests::TemporaryFolder folder;
  const std::string table = (folder.path() / "m.csv").string(), doubtful = (folder.path() / "s.csv").string();
  std::ofstream{table}
      << "id,source,source_ref,year,gpu,n_gpus,gpus_per_node,precision,task,model,seq_len,micro_batch,"
         "samples_per_s_per_gpu,sample_unit\n"
         "1,Lambda deep learning benchmark,a.csv row x,2023,H100-SXM,8,8,tf32,sft,BERT,,64,130,sequences\n"
         "2,Lambda deep learning benchmark,a.csv row y,2023,H100-SXM,1,1,tf32,cv,ResNet,,64,130,images\n"
         "3,Lambda deep learning benchmark,a.csv row y,2023,TPU,1,1,tf32,cv,ResNet,,64,130,images\n"
         "4,NVIDIA DeepLearningExamples,b,2021,H100-SXM,1,1,tf32,cv,ResNet,,64,130,images\n"
         "5,NVIDIA DeepLearningExamples,b,2021,H100-SXM,1,1,tf32,pretrain,GPT,2048,64,,\n";
  std::ofstream{doubtful} << "id,reason\n4,looks odd\n";
  const auto read = analysis::read_measured_speeds(table, doubtful, gpus());
  REQUIRE(read.rows.size() == 2);
  CHECK(read.rows[0].at.sequence == 384);
  CHECK(read.rows[0].at.source == "lambda");
  CHECK(read.rows[0].at.gpu == "H100");
  CHECK(read.rows[1].at.sequence == 0);
  REQUIRE(read.sources.size() == 1);
  CHECK(read.sources[0].address == "a.csv");
  CHECK(read.skipped.at("listed as suspicious") == 1);
  CHECK(read.skipped.at("no samples per second") == 1);
  CHECK(read.skipped.at("GPU or precision not in the catalog") == 1);
}

TEST_CASE("the committed measured speeds are what the program makes from the measurements today") {
  if (!have_data()) return;
  const std::string made = analysis::measured_speed_file(measured, suspicious, scenarios::built_in_catalog());
  CHECK(first_difference(made, text_of(source / "models" / "calibration" / "measured_speed.json")) == "");
}

TEST_CASE("a configuration or a GPU that the fit has not seen is predicted to 12 % in the median") {
  const auto& errors = built_in().left_out_errors;
  REQUIRE(errors.size() == 5);
  for (std::size_t at : {0, 1}) {
    CHECK_MESSAGE(errors[at].rows > 300, errors[at].what);
    CHECK_MESSAGE(errors[at].median <= 0.12, errors[at].what);
    CHECK_MESSAGE(std::abs(errors[at].bias) < 0.05, errors[at].what);
    CHECK_MESSAGE(errors[at].coverage90 > 0.85, errors[at].what);
  }
}

TEST_CASE("control: with the measured speeds permuted among the rows of a model the errors are three times as large") {
  if (!have_data()) return;
  auto rows = analysis::read_measured_speeds(measured, suspicious, gpus()).rows;
  std::map<std::string, MeasuredSpeedEntry*> last;
  for (MeasuredSpeedEntry& row : rows) {
    MeasuredSpeedEntry*& before = last[row.at.model + row.at.task + row.at.source];
    if (before) std::swap(before->samples_per_s_per_gpu, row.samples_per_s_per_gpu);
    before = &row;
  }
  const auto permuted = analysis::speeds_left_out(rows, gpus(), "permuted", configuration, true);
  CHECK(permuted.median > 3 * built_in().left_out_errors.at(0).median);
}

TEST_CASE("ratios that people act on agree with the measured pairs") {
  const auto speed = [](const char* model, const char* gpu, Precision precision, double count) {
    models::SpeedConditions at;
    at.model = model;
    at.gpu = gpu;
    at.precision = precision;
    at.gpus = count;
    return models::measured_speed(at, built_in(), gpus())->samples_per_s_per_gpu;
  };
  // Measured: ResNet-50 1.5 to 2.6, Mask R-CNN 1.02 to 1.08 on A100; on B200 input holds ResNet-50 at 1.04.
  const double half = speed("ResNet-50", "A100-80GB", Precision::fp16, 1);
  CHECK(half / speed("ResNet-50", "A100-80GB", Precision::tf32, 1) > 1.4);
  CHECK(half / speed("ResNet-50", "A100-80GB", Precision::tf32, 1) < 2.6);
  const double mask = speed("MaskRCNN", "A100-80GB", Precision::fp16, 8);
  CHECK(mask / speed("MaskRCNN", "A100-80GB", Precision::tf32, 8) > 0.98);
  CHECK(mask / speed("MaskRCNN", "A100-80GB", Precision::tf32, 8) < 1.25);
}
