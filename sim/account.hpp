#pragma once
// The accounts: every GPU-second of every held node is booked to exactly one of them.
#include <array>
#include <cstddef>
#include <string_view>

namespace fleetcast::sim {

enum class Account : std::size_t {
  compute,                ///< kept steps: forward, backward, optimiser
  exposed_communication,  ///< kept steps: collectives that nothing hides
  pipeline_bubble,        ///< kept steps
  straggler_wait,         ///< kept steps: waiting for the slowest node
  data_stall,             ///< kept steps: waiting for the loader
  checkpoint_stall,       ///< blocked by a save that became usable
  evaluation,
  lost_work,  ///< booked since the last usable checkpoint, then rolled back
  detection,  ///< a stop, until it is known what to do
  start_up,   ///< boot, image, set-up, compile, load, skip, fill
  idle,       ///< waiting for the gang, or announced as lost
  spare
};
constexpr std::size_t account_count = 12;

constexpr std::array<std::string_view, account_count> account_names{"compute",
                                                                    "exposed_communication",
                                                                    "pipeline_bubble",
                                                                    "straggler_wait",
                                                                    "data_stall",
                                                                    "checkpoint_stall",
                                                                    "evaluation",
                                                                    "lost_work",
                                                                    "detection",
                                                                    "start_up",
                                                                    "idle",
                                                                    "spare"};

constexpr std::string_view name_of(Account account) {
  return account_names[static_cast<std::size_t>(account)];
}

}  // namespace fleetcast::sim
