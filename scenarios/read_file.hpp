#pragma once
#include <cstddef>
#include <string>

namespace fleetcast::scenarios {

/// The bytes of a file. Throws InputError if it is missing (the message shows the full path), a folder, unreadable or
/// larger than `most` bytes.
std::string read_whole_file(const std::string& path, std::size_t most);

}  // namespace fleetcast::scenarios
