#pragma once
// Every field of the language by name: what is read now, and what is known but not yet supported.
#include <string>
#include <string_view>
#include <vector>

namespace fleetcast::scenarios {

/// One kind of object. The names are separated by blanks.
struct KnownObject {
  std::string_view path;   ///< where it stands, e.g. "fleet.<pool>"
  std::string_view now;    ///< fields that are read
  std::string_view later;  ///< fields that are refused as not yet supported
};

namespace known {
extern const KnownObject top, workload, shape, measured, measured_row, pool, instance, billing, bulk, replay, training,
    parallelism, data, checkpoint, measured_checkpoint, recovery, restart, part_time, failures, cause, limits,
    montecarlo, define, store;
extern const KnownObject until, local_steps, notice, regime, availability, sourcing, retry, brake, bad_nodes;
}  // namespace known

bool contains_word(std::string_view words, std::string_view word);
std::vector<std::string> split_words(std::string_view words);

/// Paths of the objects that have a field of this name, joined with " or "; "" if none has.
std::string where_it_belongs(std::string_view field);

}  // namespace fleetcast::scenarios
