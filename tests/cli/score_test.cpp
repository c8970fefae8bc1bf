#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "tests/cli/runs.hpp"

using namespace fleetcast::tests;

namespace {

using Json = nlohmann::json;

const std::string head =
    "id,source,source_ref,year,gpu,gpu_mem_gb,n_gpus,gpus_per_node,interconnect,precision,task,model,params_b,layers,"
    "hidden,heads,kv_heads,ffn,vocab,seq_len,micro_batch,global_batch,tp,pp,vpp,cp,ep,dp,sharding,activation_ckpt,"
    "moe_active_params_b,moe_experts,tokens_per_s_per_gpu,tflops_per_gpu_reported,mfu_reported,step_time_s,notes,"
    "samples_per_s_per_gpu,sample_unit\n";

/// A dense model of 13 billion parameters on 64 H100.
std::string row(const std::string& id, const std::string& tokens_per_s) {
  return id +
         ",a table,,2024,H100-SXM,80,64,8,,bf16,pretrain,a-13b,13,40,5120,40,40,13824,32000,4096,2,512,2,1,,1,,32," +
         "zero1,none,,," + tokens_per_s + ",,,,,,\n";
}

class Data {
 public:
  explicit Data(const std::string& text = head + row("a1", "2500") + row("a2", "2600") + row("a3", "2400")) {
    std::ofstream{path("rows.csv")} << text;
  }
  [[nodiscard]] Finished score(std::vector<std::string> options = {}) const { return run("score", std::move(options)); }
  [[nodiscard]] Finished calibrate(std::vector<std::string> options = {}) const {
    return run("calibrate", std::move(options));
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

 private:
  [[nodiscard]] Finished run(const std::string& command, std::vector<std::string> options) const {
    options.insert(options.begin(), {command, "throughput", path("rows.csv")});
    return run_fleetcast(options);
  }
  TemporaryFolder folder_;
};

std::string text_of(const std::string& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace

TEST_CASE("score prints the answer first, and as JSON the same rows with their errors") {
  const Data data;
  const Finished text = data.score();
  CHECK_MESSAGE(text.code == 0, text.err);
  CHECK(text.err.empty());
  CHECK_MESSAGE(text.out.starts_with("tokens/s per GPU predicted within "), text.out);
  const Finished answer = data.score({"--json"});
  REQUIRE_MESSAGE(answer.code == 0, answer.err);
  const Json json = Json::parse(answer.out);
  CHECK(json.at("kind") == "throughput");
  CHECK(json.at("rows") == 3);
  CHECK(json.at("scored") == 3);
  REQUIRE(json.at("detail").size() == 3);
  CHECK(json.at("detail")[0].at("id") == "a1");
  CHECK(json.at("detail")[0].at("measured") == 2500);
  for (const Json& each : json.at("detail")) {
    const double ratio = each.at("predicted").get<double>() / each.at("measured").get<double>();
    CHECK(std::abs(each.at("rel_error").get<double>() - (ratio - 1.0)) < 1e-12);
    CHECK(each.at("interval90")[0] <= each.at("predicted"));
    CHECK(each.at("predicted") <= each.at("interval90")[1]);
  }
}

TEST_CASE("a page is written beside the answer, and nothing is overwritten unasked") {
  const Data data;
  const std::string page = data.path("page.html");
  const Finished first = data.score({"--html", page});
  CHECK(first.code == 0);
  CHECK(has(first.err, "the page is in " + page));
  CHECK(text_of(page).starts_with("<!DOCTYPE html>"));
  const Finished again = data.score({"--html", page});
  CHECK(again.code == 5);
  CHECK(has(again.err, "exists already (--force overwrites it)"));
  CHECK(again.out.empty());
  const Finished forced = data.score({"--html", page, "--force", "--quiet"});
  CHECK(forced.code == 0);
  CHECK(forced.err.empty());
  CHECK(data.score({"--html", data.path("no/such/folder.html")}).code == 5);
  CHECK(data.score({"--html", data.path("rows.csv"), "--force"}).code == 2);
}

TEST_CASE("data that cannot be read are bad input, with the place of the fault") {
  struct Case {
    std::string text;
    std::vector<std::string> parts;
  };
  const std::vector<Case> cases{
      {"", {"rows.csv"}},
      {"id,gpu\nx,H100\n", {"rows.csv", "tokens_per_s_per_gpu"}},
      {head + row("a1", "2500") + "a2,short\n", {"rows.csv:3"}},
      {head + row("a1", "2500") + row("a2", "fast"), {"rows.csv:3", "tokens_per_s_per_gpu", "\"fast\""}}};
  for (const Case& each : cases) {
    const Data data{each.text};
    for (const Finished& refused : {data.score(), data.calibrate()}) {
      CHECK(refused.code == 2);
      CHECK(refused.out.empty());
      for (const std::string& part : each.parts) CHECK_MESSAGE(has(refused.err, part), refused.err);
    }
  }
  CHECK(run_fleetcast({"score", "throughput", "/no/such/rows.csv"}).code == 2);
}

TEST_CASE("a list of doubtful rows needs ids, and a table is read once") {
  const Data data;
  std::ofstream{data.path("doubtful.csv")} << "row\na1\n";
  const Finished listed = data.calibrate({"--doubtful", data.path("doubtful.csv")});
  CHECK(listed.code == 2);
  CHECK_MESSAGE(has(listed.err, "the column id is missing"), listed.err);
  std::ofstream{data.path("more.csv")} << head << row("b1", "2500");
  const Finished twice = data.calibrate({"--also", data.path("./rows.csv")});
  CHECK(twice.code == 2);
  CHECK_MESSAGE(has(twice.err, "its rows are read already"), twice.err);
  CHECK(data.calibrate({"--also", data.path("more.csv"), "--also", data.path("more.csv")}).code == 2);
  CHECK(data.calibrate({"--also", data.path("more.csv"), "--threads", "1024"}).code == 0);
  CHECK(data.calibrate({"--also", data.path("more.csv"), "--out", data.path("more.csv"), "--force"}).code == 2);
}

TEST_CASE("a page names the table and the catalog without the folders that they lie in") {
  const Data data;
  std::filesystem::create_directory(data.path("mine"));
  REQUIRE(data.score({"--html", data.path("page.html"), "--catalog", data.path("mine/")}).code == 0);
  const std::string page = text_of(data.path("page.html"));
  CHECK(has(page, "from rows.csv, catalog mine"));
  CHECK_FALSE(has(page, data.path("rows.csv")));
  CHECK_FALSE(has(page, "built-in"));
}

TEST_CASE("rows of which none is usable are answered with nulls and exit code 3") {
  const Data data{head + row("a1", "") + row("a2", "")};
  const Finished answer = data.score({"--json"});
  CHECK(answer.code == 3);
  CHECK_MESSAGE(has(answer.err, "no row is usable, of 2; most often: "), answer.err);
  const Json json = Json::parse(answer.out);
  CHECK(json.at("scored") == 0);
  CHECK(json.at("skipped").size() == 2);
  CHECK(json.at("bias").is_null());
  CHECK(data.calibrate({"--out", data.path("c.json")}).code == 3);
  CHECK_FALSE(std::filesystem::exists(data.path("c.json")));
}

TEST_CASE("kinds and files that are not there are refused, kinds with the nearest") {
  struct Case {
    std::vector<std::string> arguments;
    std::string message;
  };
  const std::vector<Case> cases{{{"calibrate", "failures", "x.csv"}, "there is no such file"},
                                {{"score", "troughput", "x.csv"}, "did you mean \"throughput\"?"},
                                {{"calibrate", "runs", "x.csv"}, "unknown kind \"runs\" (allowed: "},
                                {{"score"}, "the kind of data is missing"},
                                {{"score", "runs"}, "the file with measured rows is missing"},
                                {{"score", "runs", "a", "b"}, "one file at a time"},
                                {{"score", "runs", "a", "--out", "x"}, "unknown option --out"},
                                {{"score", "runs", "a", "--force"}, "--force says what may happen"},
                                {{"calibrate", "throughput", "a", "--force"}, "--force says what may happen"},
                                {{"calibrate", "throughput", "a", "--out", "x", "--html", "x"}, "the same file"},
                                {{"calibrate", "throughput", "a", "--threads", "0"}, "1 to 1024"}};
  for (const Case& each : cases) {
    const Finished refused = run_fleetcast(each.arguments);
    CAPTURE(each.message);
    CHECK(refused.code == 2);
    CHECK(refused.out.empty());
    CHECK_MESSAGE(has(refused.err, each.message), refused.err);
  }
}

TEST_CASE("calibrate writes the calibration and the page, and answers with the errors on rows left out") {
  const Data data;
  const Finished answer =
      data.calibrate({"--out", data.path("c.json"), "--html", data.path("c.html"), "--json", "--threads", "1"});
  REQUIRE_MESSAGE(answer.code == 0, answer.err);
  CHECK(has(answer.err, "the calibration is in "));
  CHECK(has(answer.err, "the page is in "));
  const Json json = Json::parse(answer.out);
  CHECK(json.at("rows") == 3);
  CHECK(json.at("cross_validation")[0].at("left_out").is_string());
  CHECK_FALSE(json.at("parameters").empty());
  CHECK(Json::parse(text_of(data.path("c.json"))).contains("format"));
  CHECK(text_of(data.path("c.html")).starts_with("<!DOCTYPE html>"));
  CHECK(data.calibrate({"--out", data.path("c.json")}).code == 5);
  CHECK(data.calibrate({"--out", data.path("c.json"), "--force"}).code == 0);
}

TEST_CASE("score and calibrate are in the help, each with an example") {
  const std::string overview = run_fleetcast({"--help"}).out;
  for (const std::string& command : {std::string{"score"}, std::string{"calibrate"}}) {
    CHECK(has(overview, "fleetcast " + command + " KIND DATA"));
    const Finished help = run_fleetcast({command, "--help"});
    CHECK(help.code == 0);
    for (const std::string& part :
         {std::string{"Example"}, std::string{"--json"}, "fleetcast " + command + " throughput"})
      CHECK_MESSAGE(has(help.out, part), help.out);
  }
}
