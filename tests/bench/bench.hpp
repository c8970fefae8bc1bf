#pragma once
// How fast, and how small: measured as ratios, in one interleaved run. Each file registers its measurements and says
// which rows of the table at the end they make.
#include <string>
#include <vector>

#include "tests/bench/collector.hpp"

namespace fleetcast::tests {

/// Which way a figure is wanted.
enum class Wanted { nothing, at_least, below };

/// One line of the table at the end. `figure` is NaN where it was not measured (a filter was given).
struct Row {
  std::string what, size;
  double figure = 0.0;
  std::string unit;  ///< "x" for ratios
  Wanted wanted = Wanted::nothing;
  double limit = 0.0;
};
using Rows = std::vector<Row>;

/// The yardstick in every grain against the bare event loop.
void register_yardstick();
Rows yardstick_rows(Collector& collector);

/// The event queue against std::priority_queue with lazy cancelling.
void register_queue();
Rows queue_rows(Collector& collector);

/// Replicates of scenarios of the gallery a second.
void register_gallery();
Rows gallery_rows(Collector& collector);

/// Peak memory of the program; runs it. To be called before anything else: a child begins with what its parent holds.
Rows memory_rows();

}  // namespace fleetcast::tests
