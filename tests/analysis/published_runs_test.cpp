// GPU-hours of published runs: what their layout texts mean, made-up rows in closed form, and the error on real rows.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "analysis/calibration/published_runs_hours.hpp"
#include "analysis/calibration/published_runs_layout.hpp"
#include "analysis/calibration/published_runs_shape.hpp"
#include "analysis/calibration/throughput_commands.hpp"
#include "models/compute.hpp"
#include "models/errors.hpp"
#include "scenarios/catalog_reader.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace fleetcast;
using namespace fleetcast::analysis;
using models::Recompute;
using models::Sharding;
using models::Stack;
using tests::TemporaryFolder;

namespace {

const std::string table = std::string{FLEETCAST_SOURCE_DIR} + "/../shared/data/runs/published_runs.csv";

const models::Catalog& catalog() {
  return scenarios::built_in_catalog();
}

const std::string header =
    "run_id,family,model,year,kind,params_b,active_b,layers,hidden,heads,kv_heads,ffn,vocab,tokens_b,seq_len,"
    "batch_tokens_m,gpu,n_gpus,precision,parallelism,gpu_hours,gpu_hours_basis,goodput_pct,note,usable\n";

/// A 13B-like dense run on 512 A100 that lost time.
const std::string usual =
    "a1,made,Made 13B,2024,gpu,13.0,13.0,40,5120,40,40,13824,32000,1000,4096,4.2,A100-80GB,512,bf16,"
    "TP2 PP2 DP128 ZeRO-1,200000,reported,,,yes: fine\n";

std::string written(const TemporaryFolder& folder, const std::string& lines) {
  const std::string path = (folder.path() / "runs.csv").string();
  std::ofstream{path} << header << lines;
  return path;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::vector<ScoredRow> of_kind(const Score& score, const std::string& kind) {
  std::vector<ScoredRow> rows;
  std::ranges::copy_if(score.scored, std::back_inserter(rows), [&](const ScoredRow& row) { return row.kind == kind; });
  return rows;
}

}  // namespace

TEST_CASE("degrees, sharding and recomputation are read from a layout's words") {
  const StatedLayout large = parse_parallelism("TP8 PP16 CP1 DP128 FSDP");
  CHECK(large.tensor == 8);
  CHECK(large.pipeline == 16);
  CHECK(large.context == 1);
  CHECK(large.data == 128);
  CHECK(large.sharding == Sharding::zero1);  // not gathered for each micro-batch of a pipeline
  CHECK_FALSE(large.recompute.has_value());

  const StatedLayout small = parse_parallelism("TP1 PP1 DP ZeRO-1, activation checkpointing every layer");
  CHECK(small.tensor == 1);
  CHECK(small.pipeline == 1);
  CHECK_FALSE(small.data.has_value());
  CHECK(small.sharding == Sharding::zero1);
  CHECK(small.recompute == Recompute::full);

  const StatedLayout experts = parse_parallelism("PP16 EP64 ZeRO-1 DualPipe");
  CHECK(experts.tensor == 1);
  CHECK(experts.expert == 64);
  CHECK(experts.interleaved);
  CHECK(experts.both_ways);
  CHECK_FALSE(large.both_ways);
}

TEST_CASE("a sharding alone cuts no layer, and degrees without figures stay open") {
  const StatedLayout sharded = parse_parallelism("ZeRO-3, activation checkpointing");
  CHECK(sharded.tensor == 1);
  CHECK(sharded.pipeline == 1);
  CHECK(sharded.sharding == Sharding::zero3);
  CHECK(sharded.recompute == Recompute::full);
  CHECK(parse_parallelism("HSDP (shard 64)").sharding == Sharding::hsdp);
  CHECK(parse_parallelism("HSDP (shard 64), feed-forward recompute").recomputed_share.has_value());
  CHECK_FALSE(parse_parallelism("FSDP (3B) / DDP").sharding.has_value());
  CHECK(parse_parallelism("DDP").sharding == Sharding::none);

  const StatedLayout open = parse_parallelism("TP PP DP Megatron");
  CHECK_FALSE(open.tensor.has_value());
  CHECK_FALSE(open.pipeline.has_value());
  CHECK_FALSE(parse_parallelism("TP8 PP DP").pipeline.has_value());
  CHECK(parse_parallelism("TP8 PP DP").context == 1);
  CHECK(parse_parallelism("TP8 FSDP124").data == 124);
  CHECK_FALSE(parse_parallelism("").tensor.has_value());
}

TEST_CASE("code is half a year older than its publication") {
  CHECK(std::abs(code_date("Wei 2023 arXiv:2310.19341; others", 2023) - 2023.2917) < 1e-3);  // mid-October less half
  CHECK(code_date("a README", 2024) == 2024.0);
}

TEST_CASE("software follows words and date") {
  const StatedLayout none, cut = parse_parallelism("TP4 PP4 DP32");
  CHECK(run_software("", cut, 2022).stack == Stack::early);
  CHECK(run_software("", cut, 2024).stack == Stack::tuned);
  CHECK(run_software("FSDP", none, 2024).stack == Stack::pytorch);
  CHECK(run_software("ZeRO-1", none, 2022.9).stack == Stack::early);
  CHECK(run_software("ZeRO-1", none, 2024).stack == Stack::pytorch);
  CHECK(run_software("", none, 2022).known);
  CHECK_FALSE(run_software("", none, 2023).known);
  CHECK(run_software("Megatron", none, 2025).year == 2025.0);
}

TEST_CASE("batches published in rounded millions are the multiples that divide") {
  CHECK(sequences_of_step(16e6, 8192, 16384, 128) == 2048.0);  // 16 x 2^20
  CHECK(sequences_of_step(62.9e6, 4096, 2048, 1) == 15360.0);
  CHECK(sequences_of_step(8.65e6, 2048, 768, 24) == 4224.0);  // 24 replicas: a multiple of 3 x 128
  CHECK(sequences_of_step(1000, 4096, 8, 1) == 1.0);
  CHECK(std::fmod(sequences_of_step(4e6, 2048, 160, 1), 5.0) == 0.0);
}

TEST_CASE("widths that are not published make up the parameter count") {
  const TemporaryFolder folder;
  const auto runs =
      read_published_runs(written(folder, replaced(usual, "40,5120,40,40,13824", "40,5120,,,")), catalog());
  REQUIRE(runs.runs.size() == 1);
  const auto& shape = runs.runs.front().question.shape;
  CHECK(shape.heads == 40);
  CHECK(std::abs(models::parameters(shape) / 13.0e9 - 1.0) < 0.01);  // widths are rounded to 64
}

TEST_CASE("GPU-hours are steps times step time over the goodput") {
  const TemporaryFolder folder;
  const std::string path = written(folder, usual + replaced(replaced(usual, "a1", "a2"), "reported,,", "reported,50,") +
                                               replaced(replaced(usual, "a1", "a3"), "reported,", "no lost time,"));
  const Score score = score_runs(path, catalog());
  REQUIRE(score.scored.size() == 3);
  const PublishedRuns runs = read_published_runs(path, catalog());
  const auto question = with_layout(runs.runs.front(), catalog().throughput);
  REQUIRE(question.has_value());
  CHECK(question->layout.gpus() == 512);
  CHECK(question->layout.tensor == 2);
  CHECK(question->layout.pipeline == 2);
  // 4.2 million tokens are 1,024 sequences of 4,096.
  CHECK(question->layout.micro_batch * question->layout.micro_batches * question->layout.data == 1024.0);
  const double step_s = models::quick_step(*question, catalog().throughput).total();
  const double pure = 1000e9 / (1024.0 * 4096.0) * step_s * 512.0 / 3600.0;
  CHECK(std::abs(score.scored[2].predicted / pure - 1.0) < 1e-9);
  CHECK(std::abs(score.scored[1].predicted / (2.0 * pure) - 1.0) < 1e-9);
  CHECK(std::abs(score.scored[0].predicted / (pure / usual_goodput) - 1.0) < 1e-9);
  // Lost time is one more thing that is not known.
  CHECK(score.scored[0].high / score.scored[0].predicted > score.scored[2].high / score.scored[2].predicted);
}

TEST_CASE("rows that are no runs of language models on GPUs are skipped with a reason") {
  const TemporaryFolder folder;
  std::string lines = replaced(replaced(usual, "a1", "no"), "yes: fine", "no: bad");
  lines += replaced(replaced(usual, "a1", "tpu"), ",gpu,", ",tpu,");
  lines += replaced(replaced(usual, "a1", "moe"), "13.0,13.0", "13.0,3.0");
  lines += replaced(replaced(usual, "a1", "images"), "yes: fine", "weak: diffusion");
  lines += replaced(replaced(usual, "a1", "hours"), ",200000,", ",,");
  lines += replaced(replaced(usual, "a1", "weak"), "yes: fine", "weak: rounded");
  const Score score = score_runs(written(folder, lines), catalog());
  CHECK(score.rows == 6);
  REQUIRE(score.scored.size() == 1);
  CHECK(score.scored.front().kind == "weak");
  REQUIRE(score.skipped.size() == 5);
  for (const SkippedRow& row : score.skipped) CHECK_FALSE(row.reason.empty());
  CHECK(score.skipped[2].reason == "no public shape of the model");
}

TEST_CASE("a field that is no number and a missing column are named") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(score_runs(written(folder, replaced(usual, "200000", "many")), catalog()), models::InputError);
  std::ofstream{(folder.path() / "short.csv").string()} << "run_id,model\nx,y\n";
  CHECK_THROWS_AS(score_runs((folder.path() / "short.csv").string(), catalog()), models::InputError);
}

TEST_CASE("gangs and degrees that cannot be are refused with their line, and nothing searches for ever") {
  const TemporaryFolder folder;
  for (const auto& [from, to] : {std::pair{",512,", ",0.25,"},
                                 {",512,", ",-1,"},
                                 {"TP2", "TP99999999999999999999"},
                                 {"TP2", "TP0"},
                                 {",4096,4.2,", ",4096,1e300,"},
                                 {",4096,4.2,", ",1e300,4.2,"}}) {
    CAPTURE(to);
    try {
      score_runs(written(folder, "\n" + replaced(usual, from, to)), catalog());
      FAIL("must throw");
    } catch (const models::InputError& error) {
      CHECK(error.faults().front().line == 3);
    }
  }
  CHECK(sequences_of_step(4e6, 4096, 0.25, 0) > 0.0);
}

TEST_CASE("code that is not known to be tuned runs longer, with a wider interval") {
  const TemporaryFolder folder;
  // Nothing said: the search finds its own layout, so only the width of the interval and the factor are compared.
  const std::string path = written(folder, usual + replaced(replaced(usual, "a1", "a2"), "TP2 PP2 DP128 ZeRO-1", ""));
  const Score score = score_runs(path, catalog());
  REQUIRE(score.scored.size() == 2);
  const auto width = [](const ScoredRow& row) { return row.high / row.low; };
  CHECK(width(score.scored[1]) > width(score.scored[0]));
  const PublishedRuns runs = read_published_runs(path, catalog());
  CHECK(has_tuned_code(runs.runs[0]));
  CHECK_FALSE(has_tuned_code(runs.runs[1]));
  models::StepQuestion question = *with_layout(runs.runs[0], catalog().throughput);
  const double longer = run_gpu_hours(runs.runs[1], question, 1.0) / run_gpu_hours(runs.runs[0], question, 1.0);
  CHECK(std::abs(longer / everyday_factor - 1.0) < 1e-12);
}

TEST_CASE("a number of GPUs that is assumed fits a month and widens the interval") {
  const TemporaryFolder folder;
  const std::string open = replaced(usual, "TP2 PP2 DP128 ZeRO-1", "Megatron");
  const std::string path = written(folder, open + replaced(replaced(open, "a1", "a2"), ",512,bf16", ",,bf16"));
  const PublishedRuns runs = read_published_runs(path, catalog());
  REQUIRE(runs.runs.size() == 2);
  CHECK_FALSE(runs.runs[0].assumed_gpus);
  CHECK(runs.runs[1].assumed_gpus);
  // 1e12 tokens x 6 x 13e9 and attention at 40 % of 312 TFLOPS are 190,000 GPU-hours: 256 GPUs for a month.
  CHECK(runs.runs[1].gpus == 256.0);
  const Score score = score_runs(path, catalog());
  REQUIRE(score.scored.size() == 2);
  const auto width = [](const ScoredRow& row) { return row.high / row.low; };
  CHECK(width(score.scored[1]) > width(score.scored[0]));
}

TEST_CASE("both directions at once hide the exchange of experts and half the bubble") {
  PublishedRun run;
  models::StepBreakdown parts;
  parts.matrix = 5.0;
  parts.expert_traffic = 2.0;
  parts.bubble = 1.0;
  CHECK(step_seconds(run, parts) == 8.0);
  run.stated.both_ways = true;
  CHECK(step_seconds(run, parts) == 5.5);
}

namespace {

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

/// measured / predicted without the factor, of the good rows whose code is not known to be tuned, by family.
std::map<std::string, std::vector<double>> everyday_ratios(const std::vector<ScoredRow>& good,
                                                           const PublishedRuns& runs) {
  std::map<std::string, std::vector<double>> ratios;
  for (const ScoredRow& row : good) {
    const auto run = std::ranges::find(runs.runs, row.id, &PublishedRun::id);
    if (!has_tuned_code(*run)) ratios[row.source].push_back(everyday_factor * row.measured / row.predicted);
  }
  return ratios;
}

/// The factor as it would be without a family.
double factor_without(const std::map<std::string, std::vector<double>>& ratios, const std::string& family) {
  std::vector<double> medians;
  for (const auto& [name, values] : ratios)
    if (name != family) medians.push_back(median(values));
  return median(medians);
}

}  // namespace

TEST_CASE("GPU-hours of published runs are predicted within 12 % in the median") {
  if (!std::filesystem::exists(table)) {
    MESSAGE("skipped: ../shared/data/runs/published_runs.csv is not there");
    return;
  }
  const Score score = score_runs(table, catalog());
  const PublishedRuns runs = read_published_runs(table, catalog());
  const std::vector<ScoredRow> good = of_kind(score, "yes"), weak = of_kind(score, "weak");
  REQUIRE(good.size() >= 20);
  REQUIRE(weak.size() >= 15);
  const ErrorStatistics errors = *error_statistics(good), doubtful = *error_statistics(weak);
  CHECK(errors.median < 0.12);
  CHECK(errors.p90 < 0.35);
  CHECK(std::abs(errors.bias) < 0.10);
  CHECK(errors.coverage90 > 0.75);
  CHECK(doubtful.median < 0.25);  // no row of these is in the fitted factor

  const auto ratios = everyday_ratios(good, runs);
  CHECK(std::abs(factor_without(ratios, "") / everyday_factor - 1.0) < 0.05);  // rounded to a tenth
  std::vector<double> left_out, without_factor;
  for (const ScoredRow& row : good) {
    const bool everyday = !has_tuned_code(*std::ranges::find(runs.runs, row.id, &PublishedRun::id));
    const double bare = row.predicted / row.measured / (everyday ? everyday_factor : 1.0);
    left_out.push_back(std::abs(bare * (everyday ? factor_without(ratios, row.source) : 1.0) - 1.0));
    without_factor.push_back(std::abs(bare - 1.0));
  }
  CHECK(median(left_out) < 0.12);
  CHECK(median(without_factor) > 0.15);  // what the factor is for
  MESSAGE("median error " << 100.0 * errors.median << " %, each family left out " << 100.0 * median(left_out)
                          << " %, without the factor " << 100.0 * median(without_factor) << " %, weak "
                          << 100.0 * doubtful.median << " %");
}
