#include "scenarios/merge_patch.hpp"

#include <algorithm>

namespace fleetcast::scenarios {
namespace {

void mark_patched(Node& node) {
  node.patched = true;
  for (Node& item : node.items) mark_patched(item);
  for (Member& member : node.members) mark_patched(member.value);
}

void remove(Node& object, const std::string& key) {
  std::erase_if(object.members, [&](const Member& member) { return member.key == key; });
}

void make_empty_object(Node& target, const Node& patch) {
  target = Node{};
  target.kind = Node::Kind::object;
  target.at = patch.at;
  target.patched = true;
}

}  // namespace

void apply_merge_patch(Node& target, const Node& patch) {
  if (patch.kind != Node::Kind::object) {
    target = patch;
    mark_patched(target);
    return;
  }
  if (target.kind != Node::Kind::object) make_empty_object(target, patch);
  for (const Member& member : patch.members) {
    if (member.value.kind == Node::Kind::null) {
      remove(target, member.key);
      continue;
    }
    Node* existing = target.find(member.key);
    if (existing == nullptr) existing = &target.members.emplace_back(Member{member.key, member.at, {}}).value;
    apply_merge_patch(*existing, member.value);
  }
}

}  // namespace fleetcast::scenarios
