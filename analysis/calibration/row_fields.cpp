#include "analysis/calibration/row_fields.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <regex>

#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

using models::Stack;

constexpr double early_until = 2023.5;  // fused attention reached Megatron then

bool mentions(const std::string& text, const char* pattern) {
  return std::regex_search(text, std::regex{pattern});
}

/// "container 25.04" or "release 24.11" or "document of 2024-07": the middle of that month.
std::optional<double> dated(const std::string& notes) {
  std::smatch found;
  if (std::regex_search(notes, found, std::regex{R"((?:container|release) (\d\d)\.(\d\d))"}))
    return 2000.0 + std::stoi(found[1]) + (std::stoi(found[2]) - 0.5) / 12.0;
  if (std::regex_search(notes, found, std::regex{R"(document of (\d{4})-(\d\d))"}))
    return std::stoi(found[1]) + (std::stoi(found[2]) - 0.5) / 12.0;
  return std::nullopt;
}

Stack stack_named(const std::string& text, double year) {
  if (mentions(text, "JAX|Paxml|MaxText")) return Stack::jax;
  if (mentions(text, "DeepLearningExamples|vTrain")) return Stack::early;
  if (mentions(text, "AutoModel|torchtitan|torchao|PyTorch|FSDP|DeepSpeed|Lightning")) {
    if (!mentions(text, "Megatron|Korthikanti")) return Stack::pytorch;
  }
  if (mentions(text, "Korthikanti|Megatron-LM|Megatron")) {
    if (year < early_until) return Stack::early;
  }
  return mentions(text,
                  "Korthikanti|Megatron|NeMo|dgxc|Together|MLPerf|llm\\.c|DGX Station|TransformerEngine|"
                  "Transformer Engine")
             ? Stack::tuned
             : Stack::pytorch;
}

double network_per_gpu(const models::GpuSpec& gpu) {
  const std::string& id = gpu.id;
  if (id.starts_with("B300") || id.starts_with("GB300")) return 100e9;
  if (gpu.generation == models::Generation::volta) return 12.5e9;
  if (gpu.nvlink.value() <= 0.0) return 6e9;
  if (id.find("PCIe") != std::string::npos) return gpu.generation == models::Generation::hopper ? 25e9 : 12.5e9;
  return gpu.generation == models::Generation::ampere ? 25e9 : 50e9;
}

int domain_of(const models::GpuSpec& gpu) {
  if (gpu.id.starts_with("GB")) return 72;
  if (gpu.nvlink.value() <= 0.0) return 1;
  return gpu.id.find("PCIe") != std::string::npos ? 2 : 8;
}

}  // namespace

std::optional<double> field(const CsvLine& line, const std::string& name) {
  const std::string text = text_in(line, name);
  if (text.empty()) return std::nullopt;
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    refuse_field(line, name, "a number, or blank");
  return value;
}

double field_or(const CsvLine& line, const std::string& name, double otherwise) {
  return field(line, name).value_or(otherwise);
}

std::optional<double> count_in(const CsvLine& line, const std::string& name) {
  const auto value = field(line, name);
  if (value && (*value < 1.0 || *value > largest_count || *value != std::floor(*value)))
    refuse_field(line, name, "a whole number from 1 to 10,000,000, or blank");
  return value;
}

double count_or(const CsvLine& line, const std::string& name, double otherwise) {
  return count_in(line, name).value_or(otherwise);
}

void refuse_field(const CsvLine& line, const std::string& name, const std::string& allowed) {
  throw models::InputError{
      {{"", line.number, 0, "", "row " + text_in(line, "id") + ": " + name + " is \"" + text_in(line, name) + "\"",
        allowed, ""}}};
}

std::string text_in(const CsvLine& line, const std::string& name) {
  const auto found = line.fields.find(name);
  return found == line.fields.end() ? std::string{} : found->second;
}

models::Software software_of(const CsvLine& line) {
  const std::string notes = text_in(line, "notes"), text = text_in(line, "source") + " " + notes;
  const double year = field_or(line, "year", 2024.25);
  return {stack_named(text, year), dated(notes).value_or(year + 0.25)};
}

models::Links usual_links(const models::GpuSpec& gpu) {
  const int domain = domain_of(gpu);
  const double intra = gpu.nvlink.value() > 0.0 ? gpu.nvlink.value() / 2.0 : 16e9;
  return {domain >= 8 ? 8 : domain, domain, intra, network_per_gpu(gpu)};
}

models::Links links_of(const CsvLine& line, const models::GpuSpec& gpu) {
  models::Links links = usual_links(gpu);
  std::smatch found;
  const std::string network = text_in(line, "interconnect");
  if (std::regex_search(network, found, std::regex{R"(\b([1-9]\d{0,6}) Gbps (?:per node|node-node))"}))
    links.inter = std::stod(found[1]) * 1e9 / 8.0 / 8.0;
  return links;
}

}  // namespace fleetcast::analysis
