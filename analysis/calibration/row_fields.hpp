#pragma once
// Fields of a row of measured throughputs, read as what they mean. Blank is no value.
#include <optional>
#include <string>

#include "analysis/calibration/csv_table.hpp"
#include "models/links.hpp"
#include "models/step_question.hpp"

namespace fleetcast::analysis {

/// Throws InputError for a text that is no finite number.
std::optional<double> field(const CsvLine& line, const std::string& name);
double field_or(const CsvLine& line, const std::string& name, double otherwise);

constexpr double largest_count = 1e7;
/// A count: whole, from 1 to `largest_count`. Throws InputError for any other field that is not blank.
std::optional<double> count_in(const CsvLine& line, const std::string& name);
double count_or(const CsvLine& line, const std::string& name, double otherwise);
/// Throws InputError that names the row and shows the field.
[[noreturn]] void refuse_field(const CsvLine& line, const std::string& name, const std::string& allowed);

std::string text_in(const CsvLine& line, const std::string& name);

/// Kind and date of the training software: from the names in `source` and `notes` (JAX, vendor recipes, Megatron before
/// mid-2023; anything else is PyTorch) and a container, release or document date there, else a quarter into `year`.
models::Software software_of(const CsvLine& line);

/// "1600 Gbps per node" in `interconnect` replaces the usual network of the GPU's machines; `gpus_per_node` the node.
models::Links links_of(const CsvLine& line, const models::GpuSpec& gpu);

/// Usual machine of a GPU: A100 8 x 200 Gbit/s, H100 to GB200 8 x 400, B300 and GB300 8 x 800; racks of 72 for GB200
/// and GB300; pairs for PCIe cards; V100 100 Gbit/s a node.
models::Links usual_links(const models::GpuSpec& gpu);

}  // namespace fleetcast::analysis
