#pragma once
// Thin wrapper around the C interface of HDF5; only hdf5_*.cpp include it. The C interface and not the C++ one:
// there, a destructor that cannot close a file after a failed write prints and ends the program.
#include <cstdint>
#include <string>
#include <utility>

namespace fleetcast::analysis {

/// An HDF5 identifier that closes itself.
class Hdf5Handle {
 public:
  using Close = int (*)(std::int64_t);
  Hdf5Handle() = default;
  Hdf5Handle(std::int64_t id, Close closer) : id_{id}, close_{closer} {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_{std::exchange(other.id_, -1)}, close_{other.close_} {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Handle() { (void)close(); }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;

  [[nodiscard]] std::int64_t id() const { return id_; }
  /// Closes now; negative if that failed.
  int close() {
    const std::int64_t id = std::exchange(id_, -1);
    return id >= 0 ? close_(id) : 0;
  }

 private:
  std::int64_t id_ = -1;
  Close close_ = nullptr;
};

/// While it lives, HDF5 does not print its error stack; what it holds goes into our own message.
class Hdf5Quiet {
 public:
  Hdf5Quiet();
  ~Hdf5Quiet();
  Hdf5Quiet(const Hdf5Quiet&) = delete;
  Hdf5Quiet& operator=(const Hdf5Quiet&) = delete;

 private:
  int (*function_)(std::int64_t, void*) = nullptr;
  void* data_ = nullptr;
};

/// Knows the file it works on. Every failure throws OutputError with the path and HDF5's innermost reason.
class Hdf5Check {
 public:
  explicit Hdf5Check(std::string path) : path_{std::move(path)} {}
  /// For calls that answer with a negative number on failure.
  void operator()(std::int64_t result, const char* what) const {
    if (result < 0) fail(what);
  }
  [[nodiscard]] Hdf5Handle handle(std::int64_t id, Hdf5Handle::Close close, const char* what) const {
    if (id < 0) fail(what);
    return {id, close};
  }
  [[noreturn]] void fail(const char* what) const;

 private:
  std::string path_;
};

/// What HDF5 said first, e.g. "No space left on device"; with advice where it is about file locks.
std::string hdf5_reason();
/// The same from a message of HDF5: the text of the system's error if it holds one, else all of it.
std::string readable_reason(const std::string& message);

/// A variable-length UTF-8 string type.
Hdf5Handle utf8_type(const Hdf5Check& check);
/// A text of an attribute or scalar dataset that holds one variable-length string.
std::string read_text_attribute(std::int64_t object, const char* name, const Hdf5Check& check);

}  // namespace fleetcast::analysis
