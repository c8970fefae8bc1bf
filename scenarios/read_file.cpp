#include "scenarios/read_file.hpp"

#include <filesystem>
#include <fstream>

#include "models/errors.hpp"

namespace fleetcast::scenarios {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& problem, const std::string& allowed) {
  throw models::InputError{{{path, 0, 0, "", problem, allowed, ""}}};
}

std::string full_path(const std::string& path) {
  std::error_code error;
  const std::filesystem::path full = std::filesystem::absolute(path, error);
  return error ? path : full.string();
}

}  // namespace

std::string read_whole_file(const std::string& path, std::size_t most) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (path.empty() || !std::filesystem::exists(status)) {
    refuse(path, "there is no such file: " + full_path(path), "the path of a scenario file");
  }
  if (std::filesystem::is_directory(status)) refuse(path, "this is a folder: " + full_path(path), "a file");
  std::ifstream stream{path, std::ios::binary};
  if (!stream) refuse(path, "the file cannot be opened: " + full_path(path), "a file that may be read");
  // one byte more than allowed shows that there is more; works for pipes too
  std::string text;
  std::string block(std::size_t{1} << 16, '\0');
  while (text.size() <= most &&
         (stream.read(block.data(), static_cast<std::streamsize>(block.size())), stream.gcount() > 0)) {
    text.append(block, 0, static_cast<std::size_t>(stream.gcount()));
  }
  if (stream.bad()) refuse(path, "the file could not be read to its end: " + full_path(path), "");
  if (text.size() > most)
    refuse(path, "the file is larger than " + std::to_string(most >> 20) + " MiB",
           "large tables belong in files of their own");
  return text;
}

}  // namespace fleetcast::scenarios
