#pragma once
// Calibration files of the spot market, as `fleetcast calibrate market` writes them.
#include <string>

#include "models/market.hpp"

namespace fleetcast::scenarios {

struct MarketFile {
  models::LayeredMarket market;
  std::string about;  ///< which traces, in one line
  std::string kind;   ///< "held", "probe", "not stated"
};

/// Throws InputError with every fault: another format, values out of range, thresholds that fall, weights that do not
/// sum to 1.
MarketFile read_market_file(const std::string& path);

}  // namespace fleetcast::scenarios
