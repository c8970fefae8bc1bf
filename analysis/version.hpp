#pragma once
// What this program was built from and with; stored in results and printed by `--version`.
#include <array>
#include <string>

namespace fleetcast::analysis {

/// "0.1.0", or "unknown" if the build did not say.
std::string program_version();
/// Abbreviated commit, or "unknown".
std::string program_commit();
/// "1.74.0".
std::string boost_version();
/// Of the library that is loaded, "1.10.8".
std::string hdf5_version();

/// Empty, or what is wrong when the headers of one HDF5 release meet the library of another, and what to do.
std::string hdf5_mismatch(const std::array<unsigned, 3>& headers, const std::array<unsigned, 3>& library);

/// Compares the HDF5 headers that were compiled with the library that was loaded, before HDF5 itself does, which
/// would abort the program. Throws ContractError; respects HDF5_DISABLE_VERSION_CHECK.
void require_matching_hdf5();

}  // namespace fleetcast::analysis
