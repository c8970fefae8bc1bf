#pragma once
// The shape of the model that a row was measured on.
#include <optional>

#include "analysis/calibration/csv_table.hpp"
#include "models/catalog.hpp"

namespace fleetcast::analysis {

/// From the row's own columns, or for a mixture of experts from the catalog model of that name. Nothing if neither
/// says enough.
std::optional<models::TransformerShape> measured_shape(const CsvLine& line, const models::Catalog& catalog);

/// A field as a number; 0 if it is empty or none.
double number_in(const CsvLine& line, const std::string& name);

}  // namespace fleetcast::analysis
