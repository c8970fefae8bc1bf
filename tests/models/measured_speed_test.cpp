#include "models/measured_speed.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "models/errors.hpp"

using namespace fleetcast::models;

namespace {

constexpr auto fp16 = Precision::fp16;
constexpr auto tf32 = Precision::tf32;
constexpr double rounding = 1e-6;  // of exp and log, and of the tiny scatter in the tables below

GpuSpec gpu(std::string id, double peak_16, double memory_rate) {
  GpuSpec spec;
  spec.id = std::move(id);
  spec.peaks = {{Precision::fp32, FlopsPerSecond{peak_16 / 16}},
                {tf32, FlopsPerSecond{peak_16 / 2}},
                {fp16, FlopsPerSecond{peak_16}},
                {Precision::bf16, FlopsPerSecond{peak_16}}};
  spec.memory_rate = BytesPerSecond{memory_rate};
  return spec;
}

const std::vector<GpuSpec>& gpus() {
  static const std::vector<GpuSpec> all{gpu("small", 100e12, 1e12), gpu("middle", 200e12, 1.5e12),
                                        gpu("large", 400e12, 3e12), gpu("huge", 4000e12, 12e12)};
  return all;
}

FittedConstant part(double value) {
  return {value, value, value};
}

/// Parts without an effect are tiny, not 0, as in a fit.
SpeedWork work(double matrix, double memory, double host) {
  SpeedWork made;
  made.model = "net";
  made.unit = "images";
  made.matrix = part(matrix);
  made.memory = part(memory);
  made.host = part(host);
  made.step = made.several = made.nodes = part(1e-12);
  made.level = -7.0;
  made.reference_batch = 64;
  made.rows = 1;
  return made;
}

SpeedConditions at(const std::string& gpu_id, Precision precision = fp16, double count = 1) {
  SpeedConditions conditions;
  conditions.model = "net";
  conditions.task = "cv";
  conditions.source = "here";
  conditions.gpu = gpu_id;
  conditions.precision = precision;
  conditions.gpus = count;
  return conditions;
}

MeasuredSpeedEntry row(const SpeedConditions& conditions, double speed, const std::string& id = "r1") {
  return {id, conditions, speed, "images", "S1"};
}

/// Rows of one setup decide its level nearly alone: what is left is the law.
MeasuredSpeedTable table(const SpeedWork& of, std::vector<MeasuredSpeedEntry> rows) {
  MeasuredSpeedTable made;
  made.works = {of};
  made.rows = std::move(rows);
  made.spread.setup = 1.0;
  made.spread.row = 1e-5;
  return made;
}

double speed(const SpeedConditions& question, const MeasuredSpeedTable& of) {
  const auto answer = measured_speed(question, of, gpus());
  REQUIRE(answer);
  return answer->samples_per_s_per_gpu;
}

/// All GPUs but the largest, two precisions, 1 and 8 GPUs, by the law of a mixed work.
std::vector<MeasuredSpeedEntry> mixed_rows() {
  SpeedWork truth = work(0.4, 0.3, 0.2);
  truth.several = part(0.05);
  const MeasuredSpeedTable anchor = table(truth, {row(at("small"), 500.0)});
  std::vector<MeasuredSpeedEntry> rows;
  for (const char* id : {"small", "middle", "large"})
    for (const Precision precision : {fp16, tf32})
      for (const double count : {1.0, 8.0}) {
        const auto conditions = at(id, precision, count);
        rows.push_back(row(conditions, speed(conditions, anchor), "r" + std::to_string(rows.size())));
      }
  return rows;
}

/// Median of |ln(predicted / measured)|, each row predicted from the others.
double left_out_error(const std::vector<MeasuredSpeedEntry>& rows) {
  SpeedWork truth = work(0.4, 0.3, 0.2);
  truth.several = part(0.05);
  std::vector<double> misses;
  for (std::size_t out = 0; out < rows.size(); ++out) {
    auto others = rows;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(out));
    MeasuredSpeedTable from_others = table(truth, others);
    from_others.spread.row = 0.05;
    misses.push_back(std::abs(std::log(speed(rows[out].at, from_others) / rows[out].samples_per_s_per_gpu)));
  }
  std::ranges::sort(misses);
  return misses[misses.size() / 2];
}

std::string refusal(const SpeedConditions& question) {
  std::string why_not;
  const auto answer = measured_speed(question, table(work(1, 1, 1), {row(at("small"), 100)}), gpus(), &why_not);
  CHECK(!answer);
  return why_not;
}

}  // namespace

TEST_CASE("pure matrix work follows the peak, pure memory work the memory rate and bytes, pure host work nothing") {
  const auto matrix = table(work(1, 1e-12, 1e-12), {row(at("small"), 100)});
  CHECK(std::abs(speed(at("large"), matrix) / 400 - 1) < rounding);
  CHECK(std::abs(speed(at("small", tf32), matrix) / 50 - 1) < rounding);
  CHECK(std::abs(speed(at("small", Precision::fp32), matrix) / 6.25 - 1) < rounding);
  const auto memory = table(work(1e-12, 1, 1e-12), {row(at("small"), 100)});
  CHECK(std::abs(speed(at("large"), memory) / 300 - 1) < rounding);
  CHECK(std::abs(speed(at("large", tf32), memory) / 150 - 1) < rounding);
  const auto host = table(work(1e-12, 1e-12, 1), {row(at("small"), 100)});
  CHECK(std::abs(speed(at("large", tf32), host) / 100 - 1) < rounding);
}

TEST_CASE("BF16 is as fast as FP16") {
  const auto rows = table(work(1, 1, 1), {row(at("small"), 100)});
  CHECK(std::abs(speed(at("small", Precision::bf16), rows) / 100 - 1) < rounding);
}

TEST_CASE("what a step costs once shrinks with the batch, and what several GPUs cost comes with the second") {
  SpeedWork of = work(1e-12, 1e-12, 1);
  of.step = part(1);
  of.several = part(2);
  of.nodes = part(4);
  auto measured = at("small");
  measured.batch_per_gpu = 64;
  const auto rows = table(of, {row(measured, 100)});
  auto question = measured;
  question.batch_per_gpu = 32;
  CHECK(std::abs(speed(question, rows) / (100 * 2.0 / 3.0) - 1) < rounding);
  question = measured;
  question.gpus = 8;
  CHECK(std::abs(speed(question, rows) / (100 * 2.0 / 4.0) - 1) < rounding);
  question.gpus = 16;  // two nodes: one doubling
  CHECK(std::abs(speed(question, rows) / (100 * 2.0 / 8.0) - 1) < rounding);
}

TEST_CASE("a factor of a generation scales its matrix products alone") {
  auto rows = table(work(1, 1e-12, 1), {row(at("small"), 100)});
  // The GPUs have TF32 and no FP8: Ampere. On the reference's peak matrix and host work take equal times.
  const double before = speed(at("small", tf32), rows);
  const double share = (312.0 / 50) / (312.0 / 50 + 1);
  rows.factors = {{SpeedFactor::Of::tf32, Generation::ampere, part(2.0)},
                  {SpeedFactor::Of::tf32, Generation::hopper, part(5.0)}};
  CHECK(std::abs(speed(at("small", tf32), rows) / (before / (1 - share / 2)) - 1) < rounding);
  CHECK(std::abs(speed(at("small"), rows) / 100 - 1) < rounding);
}

TEST_CASE("a row corrects the law by the share of its deviation that is common, and the rest is the spread") {
  MeasuredSpeedTable rows = table(work(1, 1, 1), {row(at("small"), 100)});
  rows.spread = {};
  rows.spread.setup = 0.3;
  rows.spread.row = 0.1;
  MeasuredSpeedTable doubled = rows;
  doubled.rows[0].samples_per_s_per_gpu = 200;
  const double share = 0.09 / (0.09 + 0.01);
  CHECK(std::abs(std::log(speed(at("large"), doubled) / speed(at("large"), rows)) / (share * std::log(2.0)) - 1) <
        rounding);
  const auto answer = measured_speed(at("large"), rows, gpus());
  CHECK(std::abs(answer->log_sd / std::sqrt(0.09 - 0.09 * share + 0.01) - 1) < rounding);
  auto elsewhere = at("large");
  elsewhere.source = "there";
  CHECK(std::abs(measured_speed(elsewhere, rows, gpus())->log_sd / std::sqrt(0.09 + 0.01) - 1) < rounding);
  elsewhere.source = "";  // one source alone: taken for granted, but not for sure
  const auto silent = measured_speed(elsewhere, rows, gpus());
  CHECK(silent->samples_per_s_per_gpu == answer->samples_per_s_per_gpu);
  CHECK(std::abs(silent->log_sd / std::hypot(answer->log_sd, 0.3) - 1) < rounding);
}

TEST_CASE("samples of a longer sequence take as much longer, and a silent question means the sequence of the rows") {
  SpeedWork of = work(1, 1, 1);
  of.unit = "sequences";
  auto measured = at("small");
  measured.sequence = 128;
  auto rows = table(of, {row(measured, 400)});
  rows.spread.setup = 1e-3;  // another sequence is another setup: the law alone speaks
  rows.works[0].level = -std::log(400.0 * 128) - std::log(312.0 / 100 + 2.039 + 1);
  auto question = measured;
  question.sequence = 512;
  CHECK(std::abs(speed(question, rows) / 100 - 1) < rounding);
  question.sequence = 0;
  CHECK(std::abs(speed(question, rows) / 400 - 1) < rounding);
}

TEST_CASE("grades: the same case is measured, inside the rows' range fitted, beyond it extrapolated") {
  const auto rows = table(work(0.4, 0.3, 0.2), mixed_rows());
  const auto grade = [&](const SpeedConditions& question) { return measured_speed(question, rows, gpus())->grade; };
  CHECK(grade(at("middle", fp16, 8)) == Grade::measured);
  CHECK(grade(at("middle", fp16, 16)) == Grade::measured);
  CHECK(grade(at("middle", fp16, 32)) == Grade::extrapolated);
  CHECK(grade(at("middle", Precision::fp32)) == Grade::extrapolated);
  CHECK(grade(at("huge")) == Grade::extrapolated);
  auto without_middle = rows;
  std::erase_if(without_middle.rows, [](const MeasuredSpeedEntry& each) { return each.at.gpu == "middle"; });
  const auto answer = measured_speed(at("middle"), without_middle, gpus());
  CHECK(answer->grade == Grade::fitted);
  CHECK(answer->distance > 0);
  CHECK(answer->basis.find("net tf32 on 1 large") != std::string::npos);  // has the same peak
}

TEST_CASE("the same case names its row at distance 0") {
  const auto answer = measured_speed(at("large", tf32, 8), table(work(0.4, 0.3, 0.2), mixed_rows()), gpus());
  CHECK(answer->nearest_row == "r11");
  CHECK(answer->distance == 0.0);
  CHECK(answer->unit == "images");
}

TEST_CASE("what nobody measured is refused with the reason") {
  auto other = at("small");
  other.model = "unknown-net";
  CHECK(refusal(other).find("measured: net") != std::string::npos);
  CHECK(refusal(at("small", Precision::fp8)).find("fp8") != std::string::npos);
  CHECK(refusal(at("no-such-gpu")).find("no-such-gpu") != std::string::npos);
  CHECK(refusal(at("small", fp16, 17)).find("at most 1 GPUs") != std::string::npos);
  CHECK(measured_speed(at("small", fp16, 16), table(work(1, 1, 1), {row(at("small"), 100)}), gpus()));
  CHECK(!measured_speed(at("small"), {}, gpus()));
}

TEST_CASE("less than one GPU, or a table with GPUs that nobody knows, is a bug of the caller") {
  CHECK_THROWS_AS(measured_speed(at("small", fp16, 0), table(work(1, 1, 1), {row(at("small"), 100)}), gpus()),
                  ContractError);
  CHECK_THROWS_AS(measured_speed(at("small"), table(work(1, 1, 1), {row(at("gone"), 100)}), gpus()), ContractError);
}

TEST_CASE("control: rows whose speeds are permuted predict each other much worse") {
  auto rows = mixed_rows();
  CHECK(left_out_error(rows) < 1e-3);  // the law made them; the row scatter of 0.05 shrinks what is common a little
  for (std::size_t i = 0; i + 5 < rows.size(); ++i)
    std::swap(rows[i].samples_per_s_per_gpu, rows[i + 5].samples_per_s_per_gpu);
  CHECK(left_out_error(rows) > 0.1);
}
