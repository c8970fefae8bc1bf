#pragma once
// One writer per results file. The lock is a small side file created exclusively, since locks of the file system
// (flock, fcntl) are missing or unreliable on many network file systems.
#include <string>

namespace fleetcast::analysis {

/// Holds `PATH` (a file that says who: process, host, start) while it lives. Throws OutputError "in use by process
/// ..., started ..." if another process holds it. A lock whose process is gone from this host is taken over.
class OutputLock {
 public:
  explicit OutputLock(std::string path);
  ~OutputLock();
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

  /// Empty, or whose lock was taken over.
  [[nodiscard]] const std::string& note() const { return note_; }

 private:
  std::string path_, note_;
  long owner_ = 0;  ///< process that created it: a forked child does not remove it
};

}  // namespace fleetcast::analysis
