// Holds the JSON Schema for editors and the reader together: every good file is accepted by both; every bad file is
// refused by the reader, and by the schema too where the fault can be seen without knowing the catalog or arithmetic.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "reading.hpp"
#include "scenarios/known_fields.hpp"

namespace fleetcast::scenarios {
namespace {

using nlohmann::json;

/// The first line of a bad file says who sees the fault: "// structure: ..." (both) or "// meaning: ..." (the reader).
struct Case {
  std::string name, text;
  bool structural = false;
};

std::vector<Case> corpus(const std::string& folder) {
  std::vector<Case> cases;
  for (const auto& entry :
       std::filesystem::directory_iterator{std::string{FLEETCAST_SOURCE_DIR} + "/tests/scenarios/corpus/" + folder}) {
    std::ostringstream text;
    text << std::ifstream{entry.path()}.rdbuf();
    cases.push_back({entry.path().filename().string(), text.str(), text.str().starts_with("// structure:")});
  }
  std::sort(cases.begin(), cases.end(), [](const Case& a, const Case& b) { return a.name < b.name; });
  return cases;
}

class Schema {
 public:
  Schema() {
    const json document = json::parse(scenario_schema());
    const valijson::adapters::NlohmannJsonAdapter adapter{document};
    valijson::SchemaParser{}.populateSchema(adapter, schema_);
  }

  /// Why the schema refuses the text; empty if it does not.
  std::string refusal(const std::string& text) {
    const json document = json::parse(text, nullptr, false, true);
    if (document.is_discarded()) return "not JSON";
    valijson::Validator validator{valijson::Validator::kStrongTypes};
    valijson::ValidationResults results;
    if (validator.validate(schema_, valijson::adapters::NlohmannJsonAdapter{document}, &results)) return "";
    std::string why;
    valijson::ValidationResults::Error error;
    while (results.popError(error)) {
      for (const std::string& part : error.context) why += part;
      why += ": " + error.description + '\n';
    }
    return why;
  }

 private:
  valijson::Schema schema_;
};

TEST_CASE("every good file of the corpus is accepted by reader and schema") {
  const std::vector<Case> cases = corpus("good");
  CHECK(cases.size() >= 12);
  Schema schema;
  for (const Case& one : cases) {
    CAPTURE(one.name);
    CHECK(test::messages(one.text) == "");
    CHECK(schema.refusal(one.text) == "");
  }
}

TEST_CASE("every bad file of the corpus is refused by the reader, and by the schema if its structure is at fault") {
  const std::vector<Case> cases = corpus("bad");
  CHECK(cases.size() >= 30);
  Schema schema;
  for (const Case& one : cases) {
    CAPTURE(one.name);
    REQUIRE((one.structural || one.text.starts_with("// meaning:")));
    CHECK(test::messages(one.text) != "");
    CHECK((schema.refusal(one.text) != "") == one.structural);
  }
}

/// Names of all properties that a part of the schema allows at its own level.
std::vector<std::string> properties(const json& part) {
  std::vector<std::string> names;
  if (part.contains("properties")) {
    for (const auto& [name, value] : part["properties"].items()) names.push_back(name);
  }
  return names;
}

void check_same_fields(const json& part, const KnownObject& known) {
  CAPTURE(known.path);
  std::vector<std::string> in_reader = split_words(known.now), in_schema = properties(part);
  std::sort(in_reader.begin(), in_reader.end());
  std::sort(in_schema.begin(), in_schema.end());
  CHECK(in_reader == in_schema);
}

TEST_CASE("reader and schema know the same fields, object by object") {
  const json schema = json::parse(scenario_schema());
  const json& parts = schema["definitions"];
  check_same_fields(schema, known::top);
  check_same_fields(parts["workload"], known::workload);
  check_same_fields(parts["shape"], known::shape);
  check_same_fields(parts["workload"]["properties"]["measured"], known::measured);
  check_same_fields(parts["measured_row"], known::measured_row);
  check_same_fields(parts["pool"], known::pool);
  check_same_fields(parts["instance"], known::instance);
  check_same_fields(parts["billing"], known::billing);
  check_same_fields(parts["pool"]["properties"]["bulk"], known::bulk);
  check_same_fields(parts["training"], known::training);
  check_same_fields(parts["training"]["properties"]["parallelism"]["anyOf"][1], known::parallelism);
  check_same_fields(parts["training"]["properties"]["exchange"], known::local_steps);
  check_same_fields(parts["data"], known::data);
  check_same_fields(parts["checkpoint"], known::checkpoint);
  check_same_fields(parts["checkpoint"]["properties"]["measured"], known::measured_checkpoint);
  check_same_fields(parts["recovery"], known::recovery);
  check_same_fields(parts["recovery"]["properties"]["restart"]["anyOf"][1], known::restart);
  check_same_fields(parts["part_time"]["anyOf"][1], known::part_time);
  check_same_fields(parts["failures"]["anyOf"][1], known::failures);
  check_same_fields(parts["cause"], known::cause);
  check_same_fields(parts["limits"], known::limits);
  check_same_fields(parts["montecarlo"], known::montecarlo);
  check_same_fields(parts["montecarlo"]["properties"]["until"], known::until);
  check_same_fields(parts["define"], known::define);
  check_same_fields(parts["store"], known::store);
}

TEST_CASE("negative control: the schema refuses a field that it does not know") {
  CHECK(Schema{}.refusal(test::with(R"("nonsense": 1)")) != "");
  CHECK(Schema{}.refusal(test::with("")) == "");
}

}  // namespace
}  // namespace fleetcast::scenarios
