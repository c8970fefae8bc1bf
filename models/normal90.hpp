#pragma once

namespace fleetcast::models {

/// A standard normal lies within this of 0 nine times in ten.
constexpr double normal90 = 1.6448536269514722;

}  // namespace fleetcast::models
