#include "analysis/disk.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

std::string hint_for(int error) {
  if (error == ENOSPC) return " (free some space and use --resume: what is complete is kept)";
  if (error == EDQUOT) return " (your quota is used up, though the disk may have room)";
  if (error == EFBIG) return " (a limit on the size of files was reached; see ulimit -f)";
  return "";
}

/// An open file that closes itself. `close` reports what the destructor would have to hide.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : path_{path}, fd_{::open(path.c_str(), flags | O_CLOEXEC, 0666)} {
    if (fd_ < 0) throw_system_error(path, "cannot be opened", errno);
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  void write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t done = ::write(fd_, bytes.data(), bytes.size());
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) throw_system_error(path_, "cannot be written", errno);
      bytes.remove_prefix(static_cast<std::size_t>(done));
    }
  }

  std::size_t read(char* to, std::size_t size) const {
    ssize_t done = ::read(fd_, to, size);
    while (done < 0 && errno == EINTR) done = ::read(fd_, to, size);
    if (done < 0) throw_system_error(path_, "cannot be read", errno);
    return static_cast<std::size_t>(done);
  }

  /// Some file systems cannot sync a folder; they say EINVAL, and nothing better can be done there.
  void sync() const {
    if (::fsync(fd_) != 0 && errno != EINVAL && errno != ENOTSUP)
      throw_system_error(path_, "cannot be forced to the disk", errno);
  }

  void close() {
    if (::close(std::exchange(fd_, -1)) != 0) throw_system_error(path_, "cannot be closed", errno);
  }

 private:
  std::string path_;
  int fd_;
};

/// Removes the temporary file unless it was published.
struct Leftover {
  std::string path;
  bool published = false;
  ~Leftover() {
    if (!published) remove_quietly(path);
  }
};

}  // namespace

void throw_system_error(const std::string& path, const std::string& what, int error) {
  throw models::OutputError{path + ": " + what + ": " + std::generic_category().message(error) + hint_for(error)};
}

PathKind kind_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return PathKind::absent;
    throw_system_error(path, "cannot be examined", errno);
  }
  if (S_ISREG(status.st_mode)) return PathKind::file;
  return S_ISDIR(status.st_mode) ? PathKind::folder : PathKind::other;
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

void require_writable_folder(const std::string& folder) {
  const PathKind kind = kind_of(folder);
  if (kind == PathKind::absent) throw models::OutputError{folder + ": there is no such folder; create it first"};
  if (kind != PathKind::folder) throw models::OutputError{folder + ": is not a folder"};
  const std::string probe = folder + "/.fleetcast-probe-" + std::to_string(::getpid());
  const Leftover remove_it{probe};
  Descriptor file{probe, O_WRONLY | O_CREAT | O_TRUNC};
  file.write("probe");
  file.close();
}

void make_folder(const std::string& folder) {
  if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) throw_system_error(folder, "cannot be created", errno);
}

std::optional<std::uint64_t> free_bytes(const std::string& folder) {
  struct statvfs status {};
  if (::statvfs(folder.c_str(), &status) != 0 || status.f_blocks == 0) return std::nullopt;
  return std::uint64_t{status.f_bavail} * status.f_frsize;
}

void publish(const std::string& temporary, const std::string& path) {
  Descriptor{temporary, O_RDONLY}.sync();
  if (::rename(temporary.c_str(), path.c_str()) != 0) throw_system_error(path, "cannot be put in place", errno);
  Descriptor{folder_of(path), O_RDONLY | O_DIRECTORY}.sync();
}

void write_durably(const std::string& path, std::string_view bytes) {
  Leftover temporary{path + ".tmp"};
  Descriptor file{temporary.path, O_WRONLY | O_CREAT | O_TRUNC};
  file.write(bytes);
  file.close();
  publish(temporary.path, path);
  temporary.published = true;
}

std::string read_bytes(const std::string& path) {
  const Descriptor file{path, O_RDONLY};
  std::string bytes, buffer(std::size_t{1} << 16, '\0');
  while (const std::size_t got = file.read(buffer.data(), buffer.size())) bytes.append(buffer, 0, got);
  return bytes;
}

void remove_quietly(const std::string& path) noexcept {
  ::unlink(path.c_str());
}

}  // namespace fleetcast::analysis
