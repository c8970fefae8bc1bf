#include "analysis/calibration/published_runs_text.hpp"

#include <charconv>
#include <regex>

#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

using models::Recompute;
using models::Sharding;
using models::Software;
using models::Stack;

// Tables of early 2023 measure current code, publications of mid-2023 describe it: the same date as in row_fields.cpp.
constexpr double early_until = 2023.0;
constexpr double before_publication = 0.5;
constexpr int largest_degree = 100000;

bool mentions(const std::string& text, const char* pattern) {
  return std::regex_search(text, std::regex{pattern, std::regex::icase});
}

int degree_of(const std::string& name, const std::string& digits) {
  int degree = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), degree);
  if (error == std::errc{} && degree >= 1 && degree <= largest_degree) return degree;
  throw models::InputError{{{"", 0, 0, "", "parallelism names " + name + digits, "degrees from 1 to 100,000", ""}}};
}

std::optional<int> degree(const std::string& text, const std::string& name) {
  std::smatch found;
  if (std::regex_search(text, found, std::regex{"\\b" + name + "(\\d+)"})) return degree_of(name, found[1]);
  if (std::regex_search(text, std::regex{"\\bno " + name + "\\b"})) return 1;
  return std::nullopt;
}

std::optional<Sharding> sharding_in(const std::string& text) {
  const bool whole = mentions(text, "\\bFSDP|ZeRO-?3"), replicated = mentions(text, "\\bDDP\\b");
  if (mentions(text, "\\bHSDP")) return Sharding::hsdp;
  if (whole && replicated) return std::nullopt;
  if (whole) return Sharding::zero3;
  if (mentions(text, "ZeRO-?2")) return Sharding::zero2;
  if (mentions(text, "ZeRO-?1|distributed optimi[sz]er")) return Sharding::zero1;
  return replicated ? std::optional{Sharding::none} : std::nullopt;
}

/// Share of the MLP in a layer's matrix products: two thirds with 4 h wide plain or 8/3 h wide gated MLPs.
constexpr double feed_forward_share = 2.0 / 3.0;

void read_recompute(const std::string& text, StatedLayout& layout) {
  if (mentions(text, "feed-?forward recompute"))
    layout.recomputed_share = feed_forward_share;
  else if (mentions(text, "selective"))
    layout.recompute = Recompute::selective;
  else if (mentions(text, "no (?:activation )?(?:checkpointing|recompute)"))
    layout.recompute = Recompute::none;
  else if (mentions(text, "activation checkpointing|recompute"))
    layout.recompute = Recompute::full;
}

/// The other degrees of a text that names some, or that shards without a word of tensors and pipelines; a name without
/// a figure stays open.
void close_degrees(const std::string& text, StatedLayout& layout) {
  const auto bare = [&](const char* name) {
    return std::regex_search(text, std::regex{std::string{"\\b"} + name + "\\b"});
  };
  const bool named = layout.tensor || layout.pipeline || layout.context;
  const bool sharded_alone = !named && !bare("(TP|PP|CP)") && mentions(text, "FSDP|HSDP|DDP|ZeRO");
  if (!named && !sharded_alone) return;
  if (!layout.tensor && !bare("TP")) layout.tensor = 1;
  if (!layout.pipeline && !bare("PP")) layout.pipeline = 1;
  if (!layout.context && !bare("CP")) layout.context = 1;
}

}  // namespace

StatedLayout parse_parallelism(const std::string& text) {
  StatedLayout layout;
  layout.tensor = degree(text, "TP");
  layout.pipeline = degree(text, "PP");
  layout.context = degree(text, "CP");
  layout.expert = degree(text, "EP");
  layout.data = degree(text, "DP");
  if (!layout.data) layout.data = degree(text, "FSDP");
  close_degrees(text, layout);
  layout.sharding = sharding_in(text);
  // In a pipeline weights stay gathered and gradients whole until the last micro-batch: what ZeRO-1 exchanges.
  if (layout.pipeline.value_or(1) > 1 && layout.sharding == Sharding::zero3) layout.sharding = Sharding::zero1;
  layout.both_ways = mentions(text, "DualPipe");
  layout.interleaved = layout.both_ways || mentions(text, "interleaved|zero.bubble");
  read_recompute(text, layout);
  return layout;
}

double code_date(const std::string& text, double year) {
  std::smatch found;
  if (!std::regex_search(text, found, std::regex{R"(arXiv:(\d\d)(\d\d)\.\d{4,5})"}))
    return year + 0.5 - before_publication;
  return 2000.0 + std::stoi(found[1]) + (std::stoi(found[2]) - 0.5) / 12.0 - before_publication;
}

Software run_software(const std::string& text, const StatedLayout& layout, double date) {
  const bool early = date < early_until;
  if (mentions(text, "\\bJAX\\b|MaxText|Paxml")) return {Stack::jax, date};
  if (mentions(text, "llm\\.c")) return {Stack::tuned, date};
  if (layout.divides_layers() || mentions(text, "Megatron|NeMo\\b|NeoX"))
    return {early ? Stack::early : Stack::tuned, date};
  if (mentions(text, "\\bFSDP|\\bHSDP|\\bDDP\\b|PyTorch|torchtitan|nanoGPT")) return {Stack::pytorch, date};
  if (mentions(text, "DeepSpeed|ZeRO")) return {early ? Stack::early : Stack::pytorch, date};
  if (early) return {Stack::early, date};
  return {Stack::tuned, date, false};
}

}  // namespace fleetcast::analysis
