#include "analysis/calibration/published_runs_question.hpp"

#include <algorithm>
#include <cmath>
#include <regex>

#include "analysis/calibration/row_fields.hpp"

namespace fleetcast::analysis {

namespace {

// Published batches hold 4 million tokens or so, and all but one over 2,048 a GPU.
constexpr double most_step_tokens = 1e11;
constexpr double usual_step_tokens = 4e6, usual_tokens_per_gpu = 2048;
constexpr double fused_attention_from = 2022.75;  // FlashAttention is of May 2022; in large code bases by autumn
constexpr double usual_hours = 30.0 * 24.0;       // of a run whose number of GPUs is not published
constexpr double usual_mfu = 0.4;

/// A run of about a month at 40 % of the peak, on a power of two.
double usual_gpus(const PublishedRun& run) {
  const auto peak = run.question.gpu.peak(run.question.precision);
  const double work = models::model_flops_per_token(run.question.shape, run.question.sequence_length) * run.tokens;
  const double gpus = work / (usual_mfu * peak->value() * 3600.0 * usual_hours);
  return std::exp2(std::clamp(std::round(std::log2(gpus)), 3.0, std::floor(std::log2(largest_count))));
}

double stated_gpus(const CsvLine& line, const StatedLayout& stated) {
  const double given = count_or(line, "n_gpus", 0.0);
  if (given > 0.0 || !stated.data || !stated.tensor || !stated.pipeline || !stated.context) return given;
  const double gpus = 1.0 * *stated.data * *stated.tensor * *stated.pipeline * *stated.context;
  if (gpus > largest_count) refuse_field(line, "parallelism", "at most 10,000,000 GPUs");
  return gpus;
}

/// A100 machines of AWS have 400 Gbit/s to the network, a quarter of what is usual.
void adapt_links(const std::string& words, models::StepQuestion& question) {
  constexpr double aws_a100 = 400e9 / 8.0 / 8.0;
  if (question.gpu.id.starts_with("A100") && says(words, "\\bAWS\\b|\\bp4de?\\b")) question.links.inter = aws_a100;
}

void fill_question(const CsvLine& line, PublishedRun& run) {
  models::StepQuestion& question = run.question;
  const std::string words = words_about(line);
  const double date = code_date(text_in(line, "source"), field_or(line, "year", 2024.0));
  question.links = usual_links(question.gpu);
  adapt_links(words, question);
  question.software = run_software(words, run.stated, date);
  question.fused_attention = date >= fused_attention_from;
  question.imbalance = 1.0;
  // Megatron hides the exchange of gradients behind the backward pass since mid-2023; ZeRO-3 always gathered ahead.
  if (question.software.stack == models::Stack::early && run.stated.sharding != models::Sharding::zero3)
    question.overlap = 0.0;
}

}  // namespace

bool says(const std::string& text, const char* pattern) {
  return std::regex_search(text, std::regex{pattern, std::regex::icase});
}

std::string words_about(const CsvLine& line) {
  std::string words;
  for (const char* column : {"model", "parallelism", "source", "note", "usable", "gpu_hours_basis"})
    words += text_in(line, column) + "; ";
  return words;
}

std::string usable_group(const CsvLine& line) {
  const std::string text = text_in(line, "usable");
  for (const char* group : {"yes", "weak"})
    if (text.starts_with(group)) return group;
  return "no";
}

double run_sequence_length(const CsvLine& line, const models::TransformerShape& shape) {
  return count_or(line, "seq_len", static_cast<double>(shape.sequence_length));
}

PublishedRun published_run(const CsvLine& line, const models::GpuSpec& gpu, models::Precision precision,
                           models::TransformerShape shape) {
  PublishedRun run;
  run.id = text_in(line, "run_id");
  run.family = text_in(line, "family");
  run.model = text_in(line, "model");
  run.gpu = gpu.id;
  run.usable = usable_group(line);
  run.measured = *field(line, "gpu_hours");
  run.tokens = *field(line, "tokens_b") * 1e9;
  run.stated = parse_parallelism(text_in(line, "parallelism"));
  run.pure_steps = says(words_about(line), "logged step time|no lost time|tok/s/GPU");
  run.goodput = field_or(line, "goodput_pct", 0.0) / 100.0;
  if (run.goodput < 0.0 || run.goodput > 1.0) refuse_field(line, "goodput_pct", "0 to 100, or blank");
  run.question.sequence_length = run_sequence_length(line, shape);
  run.question.shape = std::move(shape);
  run.question.gpu = gpu;
  run.question.precision = precision;
  fill_question(line, run);
  run.gpus = stated_gpus(line, run.stated);
  run.assumed_gpus = run.gpus <= 0.0;
  if (run.assumed_gpus) run.gpus = usual_gpus(run);
  const double usual = std::max(usual_step_tokens, usual_tokens_per_gpu * run.gpus);
  run.step_tokens = field_or(line, "batch_tokens_m", usual / 1e6) * 1e6;
  if (run.step_tokens <= 0.0 || run.step_tokens > most_step_tokens)
    refuse_field(line, "batch_tokens_m", "millions of tokens above 0, at most 100,000");
  return run;
}

}  // namespace fleetcast::analysis
