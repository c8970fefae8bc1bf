#pragma once
// Files that are either whole or absent, and the checks that a place can be written at all. Paths go to the
// system as they are; every failure is an OutputError with the path and the system's reason.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fleetcast::analysis {

/// "PATH: what: reason of the system error `error`", with a hint about quotas, locks or space where one helps.
[[noreturn]] void throw_system_error(const std::string& path, const std::string& what, int error);

enum class PathKind { absent, file, folder, other };
PathKind kind_of(const std::string& path);

/// "." for a bare name.
std::string folder_of(const std::string& path);

/// Creates and removes a small file there. Throws OutputError if the folder is missing or cannot be written.
void require_writable_folder(const std::string& folder);

/// Creates the folder unless it is there.
void make_folder(const std::string& folder);

/// Bytes that an ordinary user can still write on the file system of this folder; nothing if it will not say.
std::optional<std::uint64_t> free_bytes(const std::string& folder);

/// Writes PATH.tmp, forces it to the disk, renames it to PATH and forces the folder: whoever sees PATH sees all of it.
void write_durably(const std::string& path, std::string_view bytes);

/// Forces an existing file to the disk, renames it and forces the folder of the new name.
void publish(const std::string& temporary, const std::string& path);

/// The whole file. Throws OutputError.
std::string read_bytes(const std::string& path);

/// Removes a file if it is there; a failure is not reported (clean-up).
void remove_quietly(const std::string& path) noexcept;

}  // namespace fleetcast::analysis
