#pragma once
// Files and numbers for tests of calibrations from records.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "models/errors.hpp"
#include "models/random/distribution.hpp"
#include "tests/support/temporary_folder.hpp"

namespace fleetcast::tests {

/// Files of this text, in a folder of their own.
class RecordFiles {
 public:
  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = (folder_.path() / name).string();
    std::ofstream{path} << text;
    return path;
  }

 private:
  TemporaryFolder folder_;
};

/// Independent draws, the same in every run.
class Draws {
 public:
  explicit Draws(std::uint32_t entity) : entity_{entity} {}
  double normal() {
    return with([](models::Stream& stream) { return models::unit_normal(stream); });
  }
  double exponential() {
    return with([](models::Stream& stream) { return models::unit_exponential(stream); });
  }
  double uniform() {
    return with([](models::Stream& stream) { return models::unit_uniform(stream); });
  }
  double gamma(double shape) {
    return with([shape](models::Stream& stream) { return models::unit_gamma(shape, stream); });
  }
  /// By the arrivals of a process of rate 1.
  double poisson(double mean) {
    double count = 0.0;
    for (double at = exponential(); at < mean; at += exponential()) ++count;
    return count;
  }

 private:
  template <class Take>
  double with(Take&& take) {
    models::Stream stream{{20261130, 0, models::Purpose::test, entity_, sample_++}};
    return take(stream);
  }
  std::uint32_t entity_, sample_ = 0;
};

/// The faults that a call reports; none if it succeeds.
template <class Call>
std::vector<models::Fault> faults_of(Call&& call) {
  try {
    call();
  } catch (const models::InputError& error) {
    return error.faults();
  }
  return {};
}

inline bool has(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

/// One fault at this place that says this.
inline void check_fault(const models::Fault& fault, std::size_t line, std::size_t column, const std::string& piece) {
  const std::string said = models::describe(fault);
  CAPTURE(said);
  CHECK(fault.line == line);
  CHECK(fault.column == column);
  CHECK(has(said, piece));
}

/// A file of ../shared/data; nothing, with a message, where that is not there.
inline std::optional<std::string> shared_data(const std::string& name) {
  const std::filesystem::path path = std::filesystem::path{FLEETCAST_SOURCE_DIR} / "../shared/data" / name;
  if (std::filesystem::exists(path)) return path.string();
  MESSAGE("skipped: ../shared/data/" << name << " is not there");
  return std::nullopt;
}

}  // namespace fleetcast::tests
