// The table that is compiled in: made from the data, honest about its error, and right in the ratios people act on.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "analysis/calibration/efficiency_file.hpp"
#include "models/compute.hpp"
#include "models/errors.hpp"
#include "scenarios/catalog_reader.hpp"

using namespace fleetcast;

namespace {

const std::filesystem::path source{FLEETCAST_SOURCE_DIR};
const std::filesystem::path data = source / ".." / "shared" / "data" / "throughput";

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

models::StepEstimate estimate(const std::string& shape, const std::string& gpu, models::Precision precision,
                              double gpus = 128) {
  const models::Catalog& catalog = scenarios::built_in_catalog();
  models::EfficiencyQuestion question;
  question.shape = *catalog.shape(shape);
  question.gpu = *catalog.gpu(gpu);
  question.precision = precision;
  question.gpus = gpus;
  question.sequence_length = 8192;
  return models::estimate_step(question, catalog.efficiency, false);
}

double speed_ratio(const std::string& shape, const std::string& gpu, models::Precision precision,
                   const std::string& other_gpu, models::Precision other) {
  return estimate(shape, other_gpu, other).parts.total() / estimate(shape, gpu, precision).parts.total();
}

constexpr auto bf16 = models::Precision::bf16;
constexpr auto fp8 = models::Precision::fp8;

}  // namespace

TEST_CASE("the committed calibration is what the program makes from the measurements today") {
  if (!std::filesystem::exists(data / "measured_calibration.csv")) {
    MESSAGE("skipped: the measurements are not at " << data.string());
    return;
  }
  const std::string made =
      analysis::efficiency_file((data / "measured_calibration.csv").string(), (data / "suspicious_rows.csv").string(),
                                scenarios::built_in_catalog());
  CHECK(first_difference(made, text_of(source / "models" / "calibration" / "efficiency.json")) == "");
}

TEST_CASE("the calibration states its error on rows left out, by GPU and precision, and its interval is no boast") {
  const auto file = nlohmann::json::parse(text_of(source / "models" / "calibration" / "efficiency.json"));
  const auto& errors = file.at("left_out_errors");
  REQUIRE(errors.size() > 10);
  const auto& all = errors.at(0);
  CHECK(all.at("what") == "all");
  CHECK(all.at("rows").get<int>() >= 450);
  CHECK(all.at("median").get<double>() < 0.20);
  CHECK(all.at("p90").get<double>() < 0.40);
  CHECK(std::abs(all.at("bias").get<double>()) < 0.05);
  CHECK(all.at("coverage90").get<double>() >= 0.85);
  CHECK(scenarios::built_in_catalog().efficiency.error_statement == file.at("error_statement").get<std::string>());
}

TEST_CASE("no cell is faster than a large matrix product, and none is certain") {
  for (const models::EfficiencyCell& cell : scenarios::built_in_catalog().efficiency.cells) {
    CHECK_MESSAGE(cell.efficiency < 0.9, cell.gpu);
    CHECK_MESSAGE(cell.log_sd > 0.05, cell.gpu);
    CHECK_MESSAGE(cell.params_low <= cell.params_center, cell.gpu);
    CHECK_MESSAGE(cell.params_center < cell.params_high, cell.gpu);
  }
}

TEST_CASE("FP8 is faster than BF16 on H100 by 1.15 to 1.6") {
  // Measured pairs of the same model, source and GPUs: 1.29 to 1.37 (8B), 1.32 to 1.49 (70B).
  for (const char* shape : {"llama-3-8b", "llama-3-70b", "llama-3-405b"}) {
    const double ratio = speed_ratio(shape, "H100", fp8, "H100", bf16);
    CHECK_MESSAGE(ratio > 1.15, shape);
    CHECK_MESSAGE(ratio < 1.6, shape);
  }
}

TEST_CASE("an H100 is 1.8 to 2.9 times an A100 in BF16") {
  // Measured pairs: 1.81 to 2.84, median 2.16 (80 GB) and 2.40 (40 GB).
  for (const char* shape : {"llama-2-7b", "llama-3-8b", "gpt-neox-20b", "llama-3-70b"})
    for (const char* older : {"A100-80GB", "A100-40GB"}) {
      const double ratio = speed_ratio(shape, "H100", bf16, older, bf16);
      CHECK_MESSAGE(ratio > 1.8, shape << " " << older);
      CHECK_MESSAGE(ratio < 2.9, shape << " " << older);
    }
}

TEST_CASE("a B200 is 1.8 to 2.7 times an H100 in FP8, a GB200 more, and FP4 gains less than its peak") {
  for (const char* shape : {"llama-3-8b", "llama-3-70b", "llama-3-405b"}) {
    const double ratio = speed_ratio(shape, "B200", fp8, "H100", fp8);
    CHECK_MESSAGE(ratio > 1.8, shape);
    CHECK_MESSAGE(ratio < 2.7, shape);
  }
  const double four_bit = speed_ratio("llama-3-405b", "GB200", models::Precision::nvfp4, "GB200", fp8);
  CHECK(four_bit > 1.1);  // measured pairs: 1.32 to 1.41
  CHECK(four_bit < 1.7);
}

TEST_CASE("true FP32 on tensor-core GPUs has no measurement: slower than TF32, and the grade says assumed") {
  for (const char* gpu : {"A100-80GB", "H100", "B200"}) {
    const auto fp32 = estimate("llama-3-8b", gpu, models::Precision::fp32);
    CHECK(fp32.grade == models::Grade::assumed);
    CHECK(fp32.log_sd_contrast > estimate("llama-3-8b", gpu, bf16).log_sd_contrast);
    CHECK(speed_ratio("llama-3-8b", gpu, models::Precision::tf32, gpu, models::Precision::fp32) > 2.0);
  }
}

TEST_CASE("TF32 is about half as fast as BF16, as measured on A100, H100 and B200") {
  for (const char* gpu : {"A100-80GB", "H100", "B200"}) {
    const double ratio = speed_ratio("llama-3-8b", gpu, bf16, gpu, models::Precision::tf32);
    CHECK_MESSAGE(ratio > 1.4, gpu);  // measured pairs: 1.36 to 2.97, typically 1.8 to 2
    CHECK_MESSAGE(ratio < 2.6, gpu);
  }
}

TEST_CASE("a measured case is graded so and names its row, and a class without rows is refused by name") {
  const auto measured = estimate("llama-3-8b", "H100", bf16);
  CHECK(measured.grade == models::Grade::measured);
  CHECK(measured.nearest.what.find("Llama3-8B bf16 on") != std::string::npos);
  CHECK(estimate("llama-3-8b", "H200", bf16).grade == models::Grade::assumed);
  CHECK_THROWS_WITH_AS(estimate("llama-3-405b", "L4", bf16), doctest::Contains("the nearest is"),
                       models::InfeasibleError);
}

TEST_CASE("wide experts reach more than narrow ones, and both less than a dense model of their active size") {
  const double dense = estimate("llama-3-70b", "H100", bf16).efficiency;
  const double wide = estimate("grok-1", "H100", fp8, 512).efficiency;
  const double narrow = estimate("qwen3-235b-a22b", "H100", fp8, 256).efficiency;
  CHECK(narrow < wide);
  CHECK(wide < dense);
}
