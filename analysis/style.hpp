#pragma once
// What the place that shows a text can do.

namespace fleetcast::analysis {

struct Style {
  int width = 100;       ///< columns; everything fits even in 20
  bool unicode = false;  ///< else plain ASCII
  bool color = false;
};

}  // namespace fleetcast::analysis
