#pragma once
// The shape of the model of a measured row.
#include <optional>

#include "analysis/calibration/csv_table.hpp"
#include "models/catalog.hpp"
#include "models/transformer.hpp"

namespace fleetcast::analysis {

/// Of the catalog for mixtures of experts, hybrids and models with windows, and where the row has no columns; else of
/// the columns. "-proxy-8L" at the end of a name is the model cut to 8 layers. Nothing if the shape is not known.
std::optional<models::TransformerShape> row_shape(const CsvLine& line, const models::Catalog& catalog);

}  // namespace fleetcast::analysis
