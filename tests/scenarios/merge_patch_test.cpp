#include "scenarios/merge_patch.hpp"

#include <doctest/doctest.h>

#include "reading.hpp"
#include "scenarios/overrides.hpp"
#include "scenarios/parse.hpp"

namespace fleetcast::scenarios {
namespace {

using test::has;

/// Compact JSON, to compare trees at a glance.
std::string compact(const Node& node) {
  std::string text;
  switch (node.kind) {
    case Node::Kind::null:
      return "null";
    case Node::Kind::boolean:
      return node.boolean ? "true" : "false";
    case Node::Kind::number:
      return node.text;
    case Node::Kind::text:
      return '"' + node.text + '"';
    case Node::Kind::list:
      for (const Node& item : node.items) text += (text.empty() ? "" : ",") + compact(item);
      return '[' + text + ']';
    case Node::Kind::object:
      for (const Member& member : node.members) {
        text += (text.empty() ? "\"" : ",\"") + member.key + "\":" + compact(member.value);
      }
      return '{' + text + '}';
  }
  return text;
}

TEST_CASE("the examples of RFC 7396 come out as printed there") {
  struct Example {
    const char *original, *patch, *result;
  };
  // appendix A of the RFC, top-level nulls left out
  for (const Example& example :
       {Example{R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
        Example{R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
        Example{R"({"a":"b"})", R"({"a":null})", R"({})"},
        Example{R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
        Example{R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
        Example{R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
        Example{R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
        Example{R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
        Example{R"(["a","b"])", R"(["c","d"])", R"(["c","d"])"}, Example{R"({"a":"b"})", R"(["c"])", R"(["c"])"},
        Example{R"({"e":null})", R"({"a":1})", R"({"e":null,"a":1})"},
        Example{R"([1,2])", R"({"a":"b","c":null})", R"({"a":"b"})"},
        Example{R"({})", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"}}) {
    CAPTURE(example.original);
    CAPTURE(example.patch);
    Node target = parse_document(example.original, "f");
    apply_merge_patch(target, parse_document(example.patch, "f"));
    CHECK(compact(target) == example.result);
  }
}

TEST_CASE("what a patch brings keeps its place in the file") {
  Node target = parse_document("{ \"a\": { \"x\": 1 } }", "f");
  apply_merge_patch(target, parse_document("{\n\n \"a\": { \"y\": 2 } }", "f"));
  const Node* a = target.find("a");
  CHECK(a->at.line == 1);
  CHECK_FALSE(a->patched);
  CHECK(a->find("y")->at.line == 3);
  CHECK(a->find("y")->patched);
  CHECK_FALSE(a->find("x")->patched);
}

std::string set(const char* document, std::vector<std::string> overrides) {
  Node node = parse_document(document, "f");
  apply_overrides(node, overrides);
  return compact(node);
}

TEST_CASE("--set changes, adds and removes what a pointer names") {
  CHECK(set(R"({"a":{"b":1}})", {"/a/b=2"}) == R"({"a":{"b":2}})");
  CHECK(set(R"({})", {"/a/b/c=x y"}) == R"({"a":{"b":{"c":"x y"}}})");
  CHECK(set(R"({"a":1,"b":2})", {"/a=null"}) == R"({"b":2})");
  CHECK(set(R"({"a":[1,2]})", {"/a/1=5", "/a/-=6"}) == R"({"a":[1,5,6]})");
  CHECK(set(R"({})", {"/a=true", "/b={\"c\":[1]}", "/d=\"8\"", "/e=a=b"}) ==
        R"({"a":true,"b":{"c":[1]},"d":"8","e":"a=b"})");
  CHECK(set(R"({})", {"/strategies/50~150 ~0/a=1"}) == R"({"strategies":{"50/50 ~":{"a":1}}})");
  CHECK(set(R"({})", {"/seed=18446744073709551615"}) == R"({"seed":18446744073709551615})");
  CHECK(set(R"({})", {"/a="}) == R"({"a":""})");
}

TEST_CASE("a bad override is refused, and all of them at once") {
  Node node = parse_document(R"({"a":[1],"b":2})", "f");
  try {
    apply_overrides(node, {"a=1", "/a", "/a/7=1", "/b/c=1", "/c~2=1", "/d={\"x\":1,}", "=3"});
    FAIL("accepted");
  } catch (const models::InputError& error) {
    REQUIRE(error.faults().size() == 7);
    CHECK(has(error.faults()[0].allowed, "/pointer=value"));
    CHECK(has(error.faults()[2].problem, "no item \"7\""));
    CHECK(has(error.faults()[3].problem, "the number 2 on the way"));
    CHECK(has(error.faults()[4].problem, "~ stands alone"));
    CHECK(has(error.faults()[5].problem, "trailing comma"));
    for (const models::Fault& fault : error.faults()) CHECK(fault.file.empty());
  }
}

}  // namespace
}  // namespace fleetcast::scenarios
