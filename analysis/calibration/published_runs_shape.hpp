#pragma once
// The shape of a published run's model, with usual widths where they are not published.
#include <optional>
#include <string>

#include "analysis/calibration/csv_table.hpp"
#include "models/catalog.hpp"

namespace fleetcast::analysis {

/// As `row_shape`. Heads that are not given are 128 wide (64 in models narrower than 2,048); an MLP that is not given
/// makes up what the parameter count leaves, gated. Mixtures of experts come from the catalog by name. Nothing if the
/// shape is not known.
std::optional<models::TransformerShape> run_shape(const CsvLine& line, const models::Catalog& catalog);

}  // namespace fleetcast::analysis
