#include "analysis/output_lock.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <ctime>
#include <fstream>
#include <sstream>

#include "analysis/disk.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

struct Holder {
  long process = 0;
  std::string host, started;
  std::string birth;  ///< boot of the machine and tick at which the process began: tells a reused number apart
};

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 && name[0] != '\0' ? name : "unknown";
}

std::string now_utc() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

/// Field 22 of /proc/PID/stat (proc(5)); the name in field 2 may contain blanks, so count after its bracket.
std::string start_tick(long process) {
  std::ifstream file{"/proc/" + std::to_string(process) + "/stat"};
  std::string text;
  std::getline(file, text);
  const auto bracket = text.rfind(')');
  if (bracket == std::string::npos) return "";
  std::istringstream fields{text.substr(bracket + 1)};
  std::string field;
  for (int i = 3; i <= 22; ++i) fields >> field;
  return field;
}

/// Empty where the system does not say.
std::string birth_of(long process) {
  std::ifstream file{"/proc/sys/kernel/random/boot_id"};
  std::string boot;
  std::getline(file, boot);
  const std::string tick = start_tick(process);
  return boot.empty() || tick.empty() ? "" : boot + "/" + tick;
}

std::string to_text(const Holder& holder) {
  return "process " + std::to_string(holder.process) + "\nhost " + holder.host + "\nstarted " + holder.started +
         "\nbirth " + holder.birth + "\n";
}

Holder holder_from(const std::string& text) {
  Holder holder;
  std::istringstream lines{text};
  std::string word;
  lines >> word >> holder.process >> word >> holder.host >> word >> holder.started >> word >> holder.birth;
  return holder;
}

bool is_gone(const Holder& holder) {
  if (holder.process <= 0 || holder.host != host_name()) return false;
  if (::kill(static_cast<pid_t>(holder.process), 0) != 0 && errno == ESRCH) return true;
  const std::string birth = birth_of(holder.process);
  return !holder.birth.empty() && !birth.empty() && holder.birth != birth;
}

/// False if the file is there already.
bool create(const std::string& path, const std::string& text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0 && errno == EEXIST) return false;
  if (fd < 0) throw_system_error(path, "cannot be created", errno);
  const bool written = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int error = errno;
  if (::close(fd) == 0 && written) return true;
  remove_quietly(path);
  throw_system_error(path, "cannot be written", written ? errno : error);
}

std::string read_if_there(const std::string& path) {
  std::ifstream file{path};
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Takes the stale file away under a name of our own. If it was meanwhile replaced by a living one, puts that back.
void remove_stale(const std::string& path, const std::string& stale) {
  const std::string aside = path + "." + std::to_string(::getpid());
  if (::rename(path.c_str(), aside.c_str()) != 0) return;  // another process was faster
  if (read_if_there(aside) != stale && ::link(aside.c_str(), path.c_str()) != 0)
    throw models::OutputError{path + ": two processes took over the same lock; try again"};
  remove_quietly(aside);
}

[[noreturn]] void refuse(const std::string& path, const Holder& holder) {
  if (holder.process <= 0)
    throw models::OutputError{path +
                              ": in use by another process that is just starting; if none is running, remove it"};
  throw models::OutputError{path + ": in use by process " + std::to_string(holder.process) + " on " + holder.host +
                            ", started " + holder.started + " (if it is no longer running, remove this file)"};
}

}  // namespace

OutputLock::OutputLock(std::string path) : path_{std::move(path)}, owner_{::getpid()} {
  const std::string mine = to_text({owner_, host_name(), now_utc(), birth_of(owner_)});
  if (create(path_, mine)) return;
  const std::string theirs = read_if_there(path_);
  const Holder holder = holder_from(theirs);
  if (!is_gone(holder)) refuse(path_, holder);
  remove_stale(path_, theirs);
  if (!create(path_, mine)) refuse(path_, holder_from(read_if_there(path_)));
  note_ = "took over the lock of process " + std::to_string(holder.process) + ", which is gone";
}

OutputLock::~OutputLock() {
  if (owner_ == ::getpid()) remove_quietly(path_);
}

}  // namespace fleetcast::analysis
