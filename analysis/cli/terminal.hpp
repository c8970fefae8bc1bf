#pragma once
// What the terminal can show.
#include "analysis/report.hpp"

namespace fleetcast::cli {

enum class ColorChoice { automatic, always, never };

struct Terminal {
  bool shows_answer = false;    ///< standard output is a terminal
  bool shows_messages = false;  ///< standard error is a terminal
  bool unicode = false;         ///< the locale's encoding is UTF-8
  bool plain = false;           ///< NO_COLOR is set, or TERM is unset or "dumb"
};

Terminal inspect_terminal();

/// Columns of that descriptor's terminal; without one the variable COLUMNS; without that 100. At least 20.
int columns_of(int descriptor);

/// How to print the answer. Colour: only on a terminal that is not plain, unless it is forced.
analysis::Style answer_style(const Terminal& terminal, ColorChoice color);

}  // namespace fleetcast::cli
