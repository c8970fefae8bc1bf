#pragma once
// Ctrl-C and SIGTERM, without signal handlers.
#include <atomic>
#include <thread>

namespace fleetcast::cli {

/// While it lives, the first SIGINT or SIGTERM sets `requested` instead of ending the process; a second one ends it
/// at once. Make it before any other thread, so that no other thread takes the signals. A signal that the parent
/// told us to ignore (nohup, background jobs) stays ignored.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  [[nodiscard]] const std::atomic<bool>& requested() const { return requested_; }

 private:
  void watch();

  std::atomic<bool> requested_ = false;
  int signals_ = -1;  ///< descriptor that becomes readable on a signal
  int end_ = -1;      ///< descriptor that the destructor makes readable
  std::thread watcher_;
};

}  // namespace fleetcast::cli
