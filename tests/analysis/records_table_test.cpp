#include "analysis/records/record_table.hpp"

#include "analysis/records/record_report.hpp"
#include "analysis/records/search.hpp"
#include "tests/analysis/records_files.hpp"

using namespace fleetcast;
using namespace fleetcast::analysis;
using namespace fleetcast::tests;

TEST_CASE("a table of records knows its head, quoted fields and the place of every field") {
  const RecordFiles files;
  const std::string path =
      files.write("a.csv", "# nodes: 12\n#  note\nname, count\n\"one, \"\"two\"\"\", 3\n# between\n\n x ,bad\r\n");
  RecordTable table{path};
  CHECK(table.head("nodes") == "12");
  CHECK(table.head_number("nodes", 1.0, 20.0) == 12.0);
  REQUIRE(table.rows() == 2);
  CHECK(table.text(0, 0) == "one, \"two\"");
  CHECK(table.need_number(0, 1, 0.0, 10.0) == 3.0);
  CHECK(table.text(1, 0) == "x");
  CHECK_FALSE(table.need_number(1, 1, 0.0, 10.0));
  CHECK_FALSE(table.number(0, 1, 4.0, 10.0));
  CHECK_FALSE(table.head_number("nodes", 13.0, 20.0));
  const auto faults = faults_of([&] { table.throw_if_any(); });
  REQUIRE(faults.size() == 3);
  check_fault(faults[0], 7, 5, "count is \"bad\"");
  check_fault(faults[1], 4, 17, "count is \"3\"");
  check_fault(faults[2], 1, 10, "nodes is \"12\"");
}

TEST_CASE("a table that is none is refused with the place") {
  const RecordFiles files;
  const auto read = [&](const std::string& text) {
    return faults_of([&] { const RecordTable table{files.write("b.csv", text)}; });
  };
  CHECK(has(faults_of([] { const RecordTable table{"/nowhere/b.csv"}; }).at(0).problem, "no such file"));
  CHECK(has(faults_of([] { const RecordTable table{"/"}; }).at(0).problem, "not an ordinary file"));
  CHECK(has(read("").at(0).problem, "no header"));
  check_fault(read("# a: b\na,b\n").at(0), 2, 0, "no rows");
  const auto ragged = read("a,b\n1,2\n1\n1,2,3\n");
  REQUIRE(ragged.size() == 2);
  check_fault(ragged[0], 3, 1, "found 1 fields");
  check_fault(ragged[1], 4, 1, "found 3 fields");
  const RecordTable table{files.write("c.csv", "evnts,b\n1,2\n")};
  check_fault(faults_of([&] { (void)table.need({"events", "count"}); }).at(0), 1, 1, "did you mean \"evnts\"");
}

TEST_CASE("the highest of two peaks is found, and where it falls off") {
  const Curve curve = [](double x) { return -0.5 * (x - 2.0) * (x - 2.0) * (x + 2.0) * (x + 2.0) + x; };
  const Peak peak = largest(curve, -4.0, 4.0);
  CHECK(peak.at == doctest::Approx(2.06).epsilon(0.01));
  const Curve normal = [](double x) { return -0.5 * x * x; };
  const Range90 range = range_within(normal, largest(normal, -5.0, 4.0), -5.0, 4.0);
  CHECK(range.low == doctest::Approx(-1.6448536).epsilon(1e-6));
  CHECK(range.high == doctest::Approx(1.6448536).epsilon(1e-6));
  const Range90 cut = range_within(normal, largest(normal, -5.0, 1.0), -5.0, 1.0);
  CHECK(cut.open_high);
  CHECK_FALSE(cut.open_low);
  CHECK(cut.high == 1.0);
}

TEST_CASE("a report shows what is not bounded, and escapes what it is given") {
  RecordReport report;
  report.kind = "failures";
  report.headline = "<b>";
  report.parameters = {{"a", "s", "", 2.0, 1.0, {}}, {"b", "s", "", 2.0, {}, {}}, {"c", "s", "", 2.0, 1.0, 3.0}};
  report.listings = {{"list", "", {"x", "y"}, {{"<i>", "2"}}}};
  report.findings = {{"f", "&"}};
  CHECK(interval_text(report.parameters[0]) == "above 1.00");
  CHECK(interval_text(report.parameters[1]) == "not bounded");
  CHECK(interval_text(report.parameters[2]) == "1.00 to 3.00");
  const std::string page = records_html(report, "test");
  CHECK(has(page, "&lt;b&gt;"));
  CHECK_FALSE(has(page, "<i>"));
  CHECK(has(record_report_json(report), "\"high\": null"));
  report.parameters[0].value = std::nan("");
  CHECK_THROWS_AS(record_report_json(report), models::ContractError);
  CHECK(five_digits(123456.0) == 123460.0);
  CHECK(five_digits(0.0) == 0.0);
}
