#pragma once
// Losses that are more likely at some hours of the day.

namespace fleetcast::models {

/// Hour of the day (UTC) at which spot machines are scarcest: 15 to 18 in zones of the United States (launch probes of
/// V100 on AWS in 2023 and of H100 on Google Cloud in October 2025).
constexpr double scarcest_hour_utc = 17.0;

/// When a life ends, seconds from its start, whose hazard is multiplied by 1 + swing cos(2 pi (hour - 17) / 24);
/// without the swing it would end after `life_s`, which may be infinite. 0 <= swing < 1. `start_hour` is the hour of
/// the day at its start, any number. Exact for a constant hazard, and a change of clock for the others.
double time_of_daily_hazard(double life_s, double swing, double start_hour);

}  // namespace fleetcast::models
