#pragma once
// JSON Merge Patch (RFC 7396) on documents that keep their positions.
#include "scenarios/document.hpp"

namespace fleetcast::scenarios {

/// Changes `target` as `patch` says: objects are merged member by member, null removes, everything else replaces.
/// What comes from the patch keeps its place in the file and is marked as patched.
void apply_merge_patch(Node& target, const Node& patch);

}  // namespace fleetcast::scenarios
