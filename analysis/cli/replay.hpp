#pragma once
// One trial alone, as it was or will be in the whole run.
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/cli/prepare.hpp"
#include "sim/outcome.hpp"

namespace fleetcast::cli {

struct Replay {
  std::uint32_t trial = 0;
  std::vector<sim::Outcome> outcomes;  ///< one per strategy
};

Replay replay(const Prepared& prepared, std::uint32_t trial);

std::string replay_text(const Prepared& prepared, const Replay& replay);
/// {"scenario","seed","trial","grain","strategies":[{"name","status","time_s","cost_usd","held_gpu_seconds",
/// "accounts_gpu_seconds":{…},"billed":{…},"storage_usd","egress_usd","kept_steps","kept_wall_s",
/// "interruptions":{"stops","by_cause":{…},"planned","during_restart"},"checkpoints":{…},"events","fingerprint"}]}.
/// The fingerprint is a text of 16 hexadecimal digits: many readers of JSON round whole numbers above 2^53.
std::string replay_json(const Prepared& prepared, const Replay& replay);

}  // namespace fleetcast::cli
