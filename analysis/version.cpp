#include "analysis/version.hpp"

#include <boost/version.hpp>

namespace fleetcast::analysis {

#ifndef FLEETCAST_VERSION
#define FLEETCAST_VERSION "unknown"
#endif
#ifndef FLEETCAST_COMMIT
#define FLEETCAST_COMMIT "unknown"
#endif

std::string program_version() {
  return FLEETCAST_VERSION;
}
std::string program_commit() {
  return FLEETCAST_COMMIT;
}

std::string boost_version() {
  return std::to_string(BOOST_VERSION / 100000) + "." + std::to_string(BOOST_VERSION / 100 % 1000) + "." +
         std::to_string(BOOST_VERSION % 100);
}

}  // namespace fleetcast::analysis
