#include "analysis/hdf5_handle.hpp"

#include <hdf5.h>

#include <cstdlib>

#include "analysis/version.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

/// H5Ewalk calls this from the innermost entry (0) outwards.
herr_t keep_first(unsigned index, const H5E_error2_t* entry, void* text) {
  if (index == 0 && entry->desc != nullptr) *static_cast<std::string*>(text) = entry->desc;
  return 0;
}

bool mentions_lock(const std::string& message) {
  return message.find("lock file") != std::string::npos;
}

}  // namespace

Hdf5Quiet::Hdf5Quiet() {
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5Eclear2(H5E_DEFAULT);
}

Hdf5Quiet::~Hdf5Quiet() {
  H5Eset_auto2(H5E_DEFAULT, function_, data_);
}

std::string readable_reason(const std::string& message) {
  if (message.empty()) return "HDF5 gives no reason";
  std::string reason = message;
  const std::string mark = "error message = '";
  if (const auto begin = message.find(mark); begin != std::string::npos) {
    const auto from = begin + mark.size();
    reason = message.substr(from, message.find('\'', from) - from);
  }
  if (mentions_lock(message))
    reason +=
        " (the file system does not give file locks, and HDF5 was told to need them; set the environment "
        "variable HDF5_USE_FILE_LOCKING=FALSE: nothing here relies on them)";
  return reason;
}

std::string hdf5_reason() {
  std::string message;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &message);
  return readable_reason(message);
}

void Hdf5Check::fail(const char* what) const {
  throw models::OutputError{path_ + ": " + what + ": " + hdf5_reason()};
}

Hdf5Handle utf8_type(const Hdf5Check& check) {
  Hdf5Handle type = check.handle(H5Tcopy(H5T_C_S1), H5Tclose, "cannot make a text type");
  check(H5Tset_size(type.id(), H5T_VARIABLE), "cannot make a text type");
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "cannot make a text type");
  return type;
}

std::string read_text_attribute(std::int64_t object, const char* name, const Hdf5Check& check) {
  const Hdf5Handle attribute = check.handle(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, "an attribute is missing");
  const Hdf5Handle stored = check.handle(H5Aget_type(attribute.id()), H5Tclose, "an attribute cannot be read");
  if (H5Tis_variable_str(stored.id()) <= 0) check.fail("an attribute is not a text");
  const Hdf5Handle type = utf8_type(check);
  char* text = nullptr;
  check(H5Aread(attribute.id(), type.id(), static_cast<void*>(&text)), "an attribute cannot be read");
  const std::string copy = text != nullptr ? text : "";
  H5free_memory(text);
  return copy;
}

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release);
}

std::string hdf5_mismatch(const std::array<unsigned, 3>& headers, const std::array<unsigned, 3>& library) {
  if (headers == library) return "";
  const auto text = [](const std::array<unsigned, 3>& version) {
    return std::to_string(version[0]) + "." + std::to_string(version[1]) + "." + std::to_string(version[2]);
  };
  return "this program was built for HDF5 " + text(headers) + " but loads HDF5 " + text(library) +
         ": rebuild it with the installed version, or install that one (check LD_LIBRARY_PATH); "
         "HDF5_DISABLE_VERSION_CHECK=1 tries it as it is";
}

void require_matching_hdf5() {
  // No clean-up by HDF5 at the end of the program: every handle is closed by its owner, and after a failed write that
  // clean-up is known to crash (1.10.8). Only has an effect before the library is first used.
  H5dont_atexit();
  std::array<unsigned, 3> library{};
  H5get_libversion(&library[0], &library[1], &library[2]);
  const std::string problem = hdf5_mismatch({H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE}, library);
  const char* disabled = std::getenv("HDF5_DISABLE_VERSION_CHECK");
  if (!problem.empty() && (disabled == nullptr || std::string_view{disabled} == "0"))
    throw models::ContractError{problem};
}

}  // namespace fleetcast::analysis
