#include "scenarios/parse.hpp"

#include <doctest/doctest.h>

#include "reading.hpp"

namespace fleetcast::scenarios {
namespace {

using test::has;

models::Fault only_fault(std::string_view text, const ParseLimits& limits = {}) {
  try {
    parse_document(text, "case.json", limits);
  } catch (const models::InputError& error) {
    REQUIRE(error.faults().size() == 1);
    return error.faults().front();
  }
  FAIL("accepted: ", text.substr(0, 80));
  return {};
}

void check_place(const models::Fault& fault, std::size_t line, std::size_t column) {
  CAPTURE(models::describe(fault));
  CHECK(fault.line == line);
  CHECK(fault.column == column);
}

void check_at(const Node* node, std::uint32_t line, std::uint32_t column) {
  REQUIRE(node != nullptr);
  CHECK(node->at.line == line);
  CHECK(node->at.column == column);
}

TEST_CASE("every value knows its line and column, behind comments and strings too") {
  const Node root = parse_document(
      "// head\n"
      "{ \"a\": 1,  /* between */ \"b\": [ true, // end\n"
      "      null, -2.5e3 ],\n"
      "  \"s, : [\\\"{\": \"x // no comment\", \"o\" : { } }",
      "f");
  check_at(&root, 2, 1);
  check_at(root.find("a"), 2, 8);
  check_at(root.find("b"), 2, 31);
  check_at(&root.find("b")->items[0], 2, 33);
  check_at(&root.find("b")->items[1], 3, 7);
  check_at(&root.find("b")->items[2], 3, 13);
  check_at(root.find("s, : [\"{"), 4, 16);
  check_at(root.find("o"), 4, 41);
  CHECK(root.find("s, : [\"{")->text == "x // no comment");
  CHECK(root.members[2].at.column == 3);
}

TEST_CASE("columns count characters, not bytes, and a byte order mark counts nothing") {
  const Node root = parse_document("\xEF\xBB\xBF{ \"\xC3\xA4\xE2\x82\xAC\": 7, /* \xC3\xA4 */ \"b\": 8 }", "f");
  check_at(root.find("\xC3\xA4\xE2\x82\xAC"), 1, 9);
  check_at(root.find("b"), 1, 25);
}

TEST_CASE("lines may end as on Windows") {
  check_at(parse_document("{\r\n  \"a\": 1\r\n}", "f").find("a"), 2, 8);
}

TEST_CASE("N06: numbers keep every digit that was written") {
  const Node root = parse_document(R"([18446744073709551615, 9007199254740993, 1e3, 1000.0, -0.0, 1e-999])", "f");
  CHECK(root.items[0].text == "18446744073709551615");
  CHECK(root.items[1].text == "9007199254740993");
  CHECK(root.items[2].text == "1e3");
  CHECK(root.items[3].text == "1000.0");
  CHECK(root.items[4].text == "-0.0");
  CHECK(root.items[5].text == "1e-999");
}

TEST_CASE("members stay in the order of the file") {
  const Node root = parse_document(R"({ "z": 1, "a": 2, "m": 3 })", "f");
  REQUIRE(root.members.size() == 3);
  CHECK(root.members[0].key == "z");
  CHECK(root.members[1].key == "a");
  CHECK(root.members[2].key == "m");
}

TEST_CASE("N15: a key given twice is a fault that names both lines, at any depth and each time") {
  try {
    parse_document("{\n \"limit\": 9,\n \"o\": { \"x\": 1,\n \"x\": 2 },\n \"limit\": 0\n}", "f");
    FAIL("accepted");
  } catch (const models::InputError& error) {
    REQUIRE(error.faults().size() == 2);
    CHECK(has(error.faults()[0].problem, "\"x\" is given twice: in line 3 and in line 4"));
    CHECK(has(error.faults()[1].problem, "\"limit\" is given twice: in line 2 and in line 5"));
    check_place(error.faults()[1], 5, 2);
  }
}

TEST_CASE("N16: a trailing comma is refused in these words and at its place") {
  const models::Fault in_object = only_fault("{\n  \"a\": 1, // note\n}");
  CHECK(has(in_object.problem, "trailing comma before '}'"));
  check_place(in_object, 2, 9);
  const models::Fault in_list = only_fault("[1, 2, ]");
  CHECK(has(in_list.problem, "trailing comma before ']'"));
  check_place(in_list, 1, 6);
}

TEST_CASE("N16: both kinds of comment are allowed, one that never ends is not") {
  CHECK(parse_document("/* a\n b */ [ 1 // c\n ]", "f").items.size() == 1);
  const models::Fault fault = only_fault("{ \"a\": 1 }\n  /* forgotten");
  CHECK(has(fault.problem, "never ends"));
  check_place(fault, 2, 3);
}

TEST_CASE("N03: bare NaN and Infinity are refused with line and column") {
  for (const char* word : {"NaN", "nan", "Infinity", "-Infinity", "inf"}) {
    CAPTURE(word);
    const models::Fault fault = only_fault(std::string{"{\n \"a\": "} + word + " }");
    CHECK(has(fault.problem, std::string{word} + " is not a number"));
    check_place(fault, 2, 7);
  }
}

TEST_CASE("N04: a number beyond a double is refused where it stands") {
  for (const char* word : {"1e999", "-22e2222", "1.5E+400"}) {
    CAPTURE(word);
    const models::Fault fault = only_fault(std::string{"[ 0,\n "} + word + " ]");
    CHECK(has(fault.problem, std::string{word} + " is too large"));
    check_place(fault, 2, 2);
  }
}

TEST_CASE("N20: depth, number of values and size are limited") {
  CHECK(has(only_fault(std::string(500'000, '[')).problem, "more than 64 levels"));
  check_place(only_fault(std::string(500'000, '[')), 1, 65);
  CHECK(parse_document(std::string(64, '[') + std::string(64, ']'), "f").items.size() == 1);
  CHECK(has(only_fault("[1, 2, 3, 4]", {1000, 4, 64}).problem, "more than 4 values"));
  CHECK(parse_document("[1, 2, 3]", "f", {1000, 4, 64}).items.size() == 3);
  CHECK(has(only_fault("[1, 2, 3]", {8, 100, 64}).problem, "larger than"));
}

TEST_CASE("N21: an empty file is told from a broken one") {
  for (const char* text : {"", " \n\t", "// only a comment\n", "\xEF\xBB\xBF"}) {
    CAPTURE(text);
    CHECK(has(only_fault(text).problem, "the file is empty"));
  }
}

TEST_CASE("what is no JSON is refused at its place") {
  check_place(only_fault("{ \"a\" 12 }"), 1, 7);
  check_place(only_fault("{ \"a\": 1\n  \"b\": 2 }"), 2, 3);
  check_place(only_fault("{ \"a\": tru }"), 1, 8);
  check_place(only_fault("[1] 2"), 1, 5);
  check_place(only_fault("{ 'a': 1 }"), 1, 3);
  check_place(only_fault("[1, 2"), 1, 6);
  CHECK(has(only_fault(std::string_view{"[1]\0[2]", 7}).problem, "zero byte"));
  CHECK(has(only_fault("\xFF\xFE{\0}").problem, "UTF-16"));
}

TEST_CASE("bytes that are no UTF-8 are refused at their place") {
  const models::Fault fault = only_fault("{ \"name\": \"L\xFFufe\" }");
  CHECK(fault.line == 1);
  CHECK(fault.column >= 11);
  CHECK(fault.column <= 13);
}

TEST_CASE("a long line of many values is read in linear time") {
  std::string text = "[0";
  for (int i = 0; i < 200'000; ++i) text += ",0";
  const Node root = parse_document(text + "]", "f");
  CHECK(root.items.size() == 200'001);
  check_at(&root.items.back(), 1, 400'002);
}

}  // namespace
}  // namespace fleetcast::scenarios
