#include "analysis/cli/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>

#include "analysis/cli/terminal.hpp"

namespace fleetcast::cli {
namespace {

constexpr int least_bar = 6, most_bar = 40, percent_columns = 5;

std::string grouped(double value) {
  std::string digits = std::to_string(static_cast<long long>(std::llround(value)));
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string rate_text(double rate) {
  if (rate >= 10.0) return grouped(rate) + "/s";
  return grouped(rate * 60.0) + "/min";
}

std::string left_text(double seconds) {
  if (seconds < 100.0) return grouped(std::ceil(seconds)) + " s left";
  if (seconds < 6000.0) return grouped(seconds / 60.0) + " min left";
  return grouped(seconds / 3600.0) + " h left";
}

/// From the most to the least that can stand behind the bar.
std::array<std::string, 4> tails(const ProgressState& state) {
  const std::string count =
      " " + grouped(static_cast<double>(state.done)) + "/" + grouped(static_cast<double>(state.total)) + " trials";
  if (!(state.rate > 0.0)) return {count, count, "", ""};
  const std::string left = left_text(static_cast<double>(state.total - state.done) / state.rate);
  return {count + ", " + rate_text(state.rate) + ", " + left, " " + rate_text(state.rate) + ", " + left, " " + left,
          ""};
}

std::string bar(double share, int columns, bool unicode) {
  const int full = static_cast<int>(share * columns);
  std::string text;
  for (int at = 0; at < columns; ++at) text += at < full ? (unicode ? "█" : "#") : (unicode ? "░" : ".");
  return text;
}

std::string percent(double share) {
  const std::string digits = std::to_string(static_cast<int>(share * 100.0));
  return std::string(3 - std::min<std::size_t>(3, digits.size()), ' ') + digits + "% ";
}

}  // namespace

std::string progress_line(const ProgressState& state, int columns, bool unicode) {
  const double share =
      state.total == 0 ? 1.0 : std::min(1.0, static_cast<double>(state.done) / static_cast<double>(state.total));
  for (const std::string& tail : tails(state)) {
    const int room = columns - percent_columns - static_cast<int>(tail.size());
    if (room >= least_bar) return percent(share) + bar(share, std::min(room, most_bar), unicode) + tail;
  }
  return percent(share).substr(0, static_cast<std::size_t>(std::max(0, columns)));
}

Progress::Progress(bool shown, bool unicode) : shown_{shown}, unicode_{unicode} {}

Progress::~Progress() {
  if (drawn_columns_ > 0) std::cerr << '\r' << std::string(static_cast<std::size_t>(drawn_columns_), ' ') << '\r';
  std::cerr.flush();
}

void Progress::update(std::uint64_t done, std::uint64_t total) {
  if (!shown_) return;
  const std::lock_guard lock{mutex_};
  const Clock::time_point now = Clock::now();
  if (!begun_) {
    begun_ = true;
    start_ = now;
    first_done_ = done;
  } else if (now - last_ < std::chrono::milliseconds{100}) {
    return;
  }
  last_ = now;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double rate = elapsed > 0.0 && done > first_done_ ? static_cast<double>(done - first_done_) / elapsed : 0.0;
  // One column stays free: a full last column makes some terminals wrap.
  const int columns = columns_of(STDERR_FILENO) - 1;
  draw(progress_line({.done = done, .total = total, .rate = rate}, columns, unicode_), columns);
}

void Progress::draw(const std::string& line, int columns) {
  // Blanks wipe out a longer line drawn before; a carriage return alone keeps to what every terminal understands.
  std::cerr << '\r' << std::string(static_cast<std::size_t>(std::min(columns, std::max(drawn_columns_, 0))), ' ')
            << '\r' << line << std::flush;
  drawn_columns_ = columns;
}

}  // namespace fleetcast::cli
