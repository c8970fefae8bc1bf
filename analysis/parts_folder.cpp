#include "analysis/parts_folder.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "analysis/disk.hpp"

namespace fleetcast::analysis {

namespace {

constexpr std::string_view suffix = ".h5", temporary_suffix = ".h5.tmp";
constexpr std::size_t least_digits = 6;

std::optional<std::uint64_t> index_of(std::string_view name) {
  if (!name.ends_with(suffix) || name.size() < least_digits + suffix.size()) return std::nullopt;
  const std::string_view digits = name.substr(0, name.size() - suffix.size());
  std::uint64_t index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return index;
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  if (kind_of(folder) != PathKind::folder) return names;
  std::error_code error;
  for (auto entry = std::filesystem::directory_iterator{folder, error}; !error && entry != end(entry);
       entry.increment(error))
    names.push_back(entry->path().filename().string());
  if (error) throw_system_error(folder, "cannot be listed", error.value());
  std::ranges::sort(names);
  return names;
}

}  // namespace

std::string PartsFolder::part_path(std::uint64_t index) const {
  std::string digits = std::to_string(index);
  if (digits.size() < least_digits) digits.insert(0, least_digits - digits.size(), '0');
  return path_ + "/" + digits + std::string{suffix};
}

std::vector<std::uint64_t> PartsFolder::indices() const {
  std::vector<std::uint64_t> found;
  for (const std::string& name : names_in(path_))
    if (const auto index = index_of(name)) found.push_back(*index);
  std::ranges::sort(found);
  return found;
}

void PartsFolder::write(const Part& part) const {
  write_durably(part_path(part.block.index), part_bytes(part));
}

Part PartsFolder::read(std::uint64_t index) const {
  const std::string file = part_path(index);
  return part_from(read_bytes(file), file);
}

void PartsFolder::remove_temporary_files() const {
  for (const std::string& name : names_in(path_))
    if (name.ends_with(temporary_suffix)) remove_quietly(path_ + "/" + name);
}

void PartsFolder::remove_all() const {
  remove_temporary_files();
  for (const std::uint64_t index : indices()) remove_quietly(part_path(index));
  remove_if_empty();
}

void PartsFolder::remove_if_empty() const noexcept {
  ::rmdir(path_.c_str());
}

}  // namespace fleetcast::analysis
