#include "analysis/calibration/throughput_fit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "analysis/calibration/throughput_study.hpp"
#include "models/compute.hpp"
#include "scenarios/catalog_reader.hpp"

using namespace fleetcast;
using namespace fleetcast::analysis;
using models::Precision;

namespace {

constexpr double pi = 3.14159265358979323846;

/// Rows of a model of this size on 8 to 512 GPUs, in two formats and two sequence lengths.
std::vector<ThroughputRow> rows_of(const std::string& source, std::int64_t layers, std::int64_t hidden) {
  std::vector<ThroughputRow> rows;
  const models::GpuSpec* gpu = scenarios::built_in_catalog().gpu("H100");
  for (const Precision precision : {Precision::bf16, Precision::fp8})
    for (const double sequence : {2048.0, 8192.0})
      for (const int data : {8, 64, 512}) {
        ThroughputRow row;
        row.id = source + std::to_string(rows.size());
        row.source = source;
        row.model = row.family = "made-up-" + std::to_string(hidden);
        row.gpu = gpu->id;
        auto& question = row.question;
        question.gpu = *gpu;
        question.links = {8, 8, 450e9, 50e9};
        question.precision = precision;
        question.sequence_length = sequence;
        question.software = {models::Stack::tuned, 2025.0};
        question.imbalance = 1.0;
        question.shape.layers = layers;
        question.shape.hidden = hidden;
        question.shape.heads = question.shape.kv_heads = hidden / 128;
        question.shape.ffn = 4 * hidden;
        question.shape.vocab = 50000;
        question.layout.data = data;
        question.layout.micro_batches = 4;
        row.work = models::workpiece_of(question);
        row.tokens_per_step = 4 * sequence * data;
        rows.push_back(row);
      }
  return rows;
}

std::vector<ThroughputRow> made_up_rows() {
  std::vector<ThroughputRow> all;
  for (const auto& [source, layers, hidden] : {std::tuple{"one", 16, 2048}, {"two", 32, 4096}, {"three", 40, 8192}})
    for (ThroughputRow& row : rows_of(source, layers, hidden)) all.push_back(std::move(row));
  return all;
}

/// Speeds by these constants, with an error of `scatter` that has no trend.
void measure(std::vector<ThroughputRow>& rows, const models::ThroughputParameters& truth, double scatter) {
  for (std::size_t at = 0; at < rows.size(); ++at)
    rows[at].measured = predicted_speed(rows[at], truth) * std::exp(scatter * std::sin(2 * pi * 0.618 * double(at)));
}

std::vector<const ThroughputRow*> pointers(const std::vector<ThroughputRow>& rows) {
  std::vector<const ThroughputRow*> list;
  for (const ThroughputRow& row : rows) list.push_back(&row);
  return list;
}

double median_error(const std::vector<ThroughputRow>& rows, const std::vector<double>& predicted) {
  std::vector<double> errors;
  for (std::size_t at = 0; at < rows.size(); ++at)
    errors.push_back(std::abs(std::log(predicted[at] / rows[at].measured)));
  std::ranges::nth_element(errors, errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2));
  return errors[errors.size() / 2];
}

}  // namespace

TEST_CASE("the fit finds the constants that made the rows") {
  std::vector<ThroughputRow> rows = made_up_rows();
  models::ThroughputParameters truth = parameters_of(prior_theta());
  truth.matmul_hopper = 0.70;
  truth.attention_hopper = 0.90;
  measure(rows, truth, 0.0);
  const auto found = parameters_of(fit_throughput(pointers(rows), prior_theta()).theta);
  CHECK(std::abs(found.matmul_hopper / truth.matmul_hopper - 1) < 0.06);  // the priors pull, with the spread of 12 %
  std::vector<double> predicted;
  for (const ThroughputRow& row : rows) predicted.push_back(predicted_speed(row, found));
  CHECK(median_error(rows, predicted) < 0.01);
}

TEST_CASE("a row that is twice too fast hardly moves the fit") {
  std::vector<ThroughputRow> rows = made_up_rows();
  const models::ThroughputParameters truth = parameters_of(prior_theta());
  measure(rows, truth, 0.02);
  const auto before = parameters_of(fit_throughput(pointers(rows), prior_theta()).theta);
  rows[7].measured *= 2.0;
  const auto after = parameters_of(fit_throughput(pointers(rows), prior_theta()).theta);
  CHECK(std::abs(after.matmul_hopper / before.matmul_hopper - 1) < 0.03);
}

TEST_CASE("left-out errors: rows that follow a law are predicted, shuffled ones are not") {
  StudyRows study;
  study.judged = made_up_rows();
  measure(study.judged, parameters_of(prior_theta()), 0.03);
  const ThroughputStudy honest = study_throughput(study, 1);
  CHECK(median_error(study.judged, honest.by_model.predicted) < 0.06);
  // The same speeds on other rows: nothing can be learnt, and the study must say so.
  for (std::size_t at = 0; at + 18 < study.judged.size(); ++at)
    std::swap(study.judged[at].measured, study.judged[at + 18].measured);
  const ThroughputStudy shuffled = study_throughput(study, 1);
  CHECK(median_error(study.judged, shuffled.by_model.predicted) > 0.3);
  CHECK(shuffled.spreads.front().unseen > 3 * honest.spreads.front().unseen);
}

TEST_CASE("the number of threads changes no bit of a study") {
  StudyRows study;
  study.judged = made_up_rows();
  measure(study.judged, parameters_of(prior_theta()), 0.05);
  const ThroughputStudy one = study_throughput(study, 1), three = study_throughput(study, 3);
  CHECK(one.by_model.predicted == three.by_model.predicted);
  CHECK(one.by_source.half_width == three.by_source.half_width);
}
