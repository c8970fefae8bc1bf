#pragma once
// The bar on standard error: how far, how fast, how long still.
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace fleetcast::cli {

struct ProgressState {
  std::uint64_t done = 0, total = 0;  ///< trials
  double rate = 0.0;                  ///< trials per second; 0: not known yet
};

/// One line that takes at most `columns`; plain ASCII unless `unicode`. Narrow terminals get less of it.
std::string progress_line(const ProgressState& state, int columns, bool unicode);

/// Draws the line at most ten times a second; may be called from any thread. Uses carriage returns only, no escape
/// codes, and leaves an empty line behind.
class Progress {
 public:
  /// Draws nothing unless `shown`.
  Progress(bool shown, bool unicode);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(std::uint64_t done, std::uint64_t total);

 private:
  using Clock = std::chrono::steady_clock;
  void draw(const std::string& line, int columns);

  const bool shown_, unicode_;
  std::mutex mutex_;
  Clock::time_point start_, last_;
  std::uint64_t first_done_ = 0;  ///< what was there already when it began (resume)
  bool begun_ = false;
  int drawn_columns_ = 0;
};

}  // namespace fleetcast::cli
