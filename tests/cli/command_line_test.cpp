#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/cli/runs.hpp"

using namespace fleetcast::tests;

TEST_CASE("help goes to standard output, with an example for each command") {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--help"}, {"run", "--help"}, {"check", "--help"}, {"--help", "run"}}) {
    const Finished help = run_fleetcast(arguments);
    CHECK(help.code == 0);
    CHECK(has(help.out, "Example"));
    CHECK(has(help.out, "fleetcast "));
    CHECK(help.err.empty());
  }
}

TEST_CASE("the help of run names every option of the manual") {
  const std::string help = run_fleetcast({"run", "--help"}).out;
  for (const char* option : {"--json", "--set", "--seed", "--replicates", "--threads", "--quiet", "--catalog",
                             "--strategy", "--out", "--force", "--resume", "--grain", "--trial", "--color", "--help"}) {
    CAPTURE(option);
    CHECK(has(help, option));
  }
}

TEST_CASE("the terms are explained") {
  const Finished terms = run_fleetcast({"--help", "terms"});
  CHECK(terms.code == 0);
  for (const char* term : {"goodput_held", "mfu_run", "cost per token", "ci95", "model_interval", "extrapolated",
                           "exposed_communication", "censored"}) {
    CAPTURE(term);
    CHECK(has(terms.out, term));
  }
}

TEST_CASE("the version names program and libraries") {
  const Finished version = run_fleetcast({"--version"});
  CHECK(version.code == 0);
  CHECK(version.out.starts_with("fleetcast "));
  CHECK(has(version.out, "HDF5 1."));
}

TEST_CASE("without a command the help comes on standard error, as bad input") {
  const Finished nothing = run_fleetcast({});
  CHECK(nothing.code == 2);
  CHECK(nothing.out.empty());
  CHECK(has(nothing.err, "fleetcast run SCENARIO"));
}

TEST_CASE("a mistyped command is answered with the nearest one") {
  const Finished mistyped = run_fleetcast({"chekc", "a.json"});
  CHECK(mistyped.code == 2);
  CHECK(has(mistyped.err, "unknown command \"chekc\""));
  CHECK(has(mistyped.err, "did you mean \"check\"?"));
}

TEST_CASE("commands and options of later versions are refused by name") {
  for (const char* command : {"rank", "plan", "report", "merge"}) {
    const Finished later = run_fleetcast({command, "a.json"});
    CHECK(later.code == 2);
    CHECK(has(later.err, std::string{command} + " is not yet supported"));
  }
  const Finished report = run_fleetcast({"run", "a.json", "--report", "r.html"});
  CHECK(report.code == 2);
  CHECK(has(report.err, "--report is not yet supported"));
}

TEST_CASE("a command line that cannot be understood is bad input, and says what is allowed") {
  struct Case {
    std::vector<std::string> arguments;
    std::string message;
  };
  const std::vector<Case> cases{{{"run"}, "the scenario file is missing"},
                                {{"run", "a.json", "b.json"}, "one scenario file at a time"},
                                {{"run", "a.json", "--replicate", "5"}, "did you mean \"--replicates\"?"},
                                {{"run", "a.json", "--thread=1"}, "did you mean \"--threads\"?"},
                                {{"run", "-a.json"}, "fleetcast COMMAND -- -a.json"},
                                {{"run", "a.json", "--threads", "0"}, "a whole number from 1 to 1024"},
                                {{"run", "a.json", "--threads", "two"}, "found \"two\""},
                                {{"run", "a.json", "--threads=-1"}, "found \"-1\""},
                                {{"run", "a.json", "--trial", "1.5"}, "found \"1.5\""},
                                {{"run", "a.json", "--trial", "4294967296"}, "from 0 to 4294967295"},
                                {{"run", "a.json", "--color", "alway"}, "did you mean \"always\"?"},
                                {{"run", "a.json", "--out"}, "--out"},
                                {{"run", "a.json", "--resume"}, "--resume needs the file"},
                                {{"run", "a.json", "--force"}, "--force"},
                                {{"run", "a.json", "--out", "r.h5", "--force", "--resume"}, "give one of them"},
                                {{"run", "a.json", "--out", "r.h5", "--trial", "1"}, "leave --out away"},
                                {{"check", "a.json", "--out", "r.h5"}, "unknown option --out"},
                                {{"--json", "run", "a.json"}, "the command comes first"},
                                {{"--help", "term"}, "terms"}};
  for (const Case& each : cases) {
    const Finished refused = run_fleetcast(each.arguments);
    CAPTURE(each.message);
    CHECK(refused.code == 2);
    CHECK(refused.out.empty());
    CHECK_MESSAGE(has(refused.err, each.message), refused.err);
  }
}

TEST_CASE("an unknown strategy is answered with the known ones, the nearest first") {
  const TemporaryFolder folder;
  const Finished refused =
      run_fleetcast({"run", write_scenario(folder.path() / "s.json"), "--strategy", "frequint", "--replicates", "2"});
  CHECK(refused.code == 2);
  CHECK(has(refused.err, "no strategy \"frequint\""));
  CHECK(has(refused.err, "allowed: frequent, "));
}

TEST_CASE("values on the command line are checked like values of the file") {
  const TemporaryFolder folder;
  const std::string scenario = write_scenario(folder.path() / "s.json");
  struct Case {
    std::vector<std::string> options;
    std::string message;
  };
  const std::vector<Case> cases{{{"--replicates", "0"}, "/montecarlo/replicates"},
                                {{"--replicates", "8.5"}, "/montecarlo/replicates"},
                                {{"--replicates=-3"}, "/montecarlo/replicates"},
                                {{"--seed", "18446744073709551616"}, "/montecarlo/seed"},
                                {{"--seed=-1"}, "/montecarlo/seed"},
                                {{"--grain", "steps"}, "/montecarlo/grain"},
                                {{"--set", "fleet/main/nodes=3"}, "/pointer=value"},
                                {{"--set", "/fleet/main/nodes=8.5"}, "/fleet/main/nodes"},
                                {{"--set", "/fleet/main/node=8"}, "nodes"}};
  for (const Case& each : cases) {
    std::vector<std::string> arguments{"run", scenario, "--replicates", "2"};
    if (each.options.front().starts_with("--replicates")) arguments.resize(2);
    arguments.insert(arguments.end(), each.options.begin(), each.options.end());
    const Finished refused = run_fleetcast(arguments);
    CAPTURE(each.options.back());
    CHECK(refused.code == 2);
    CHECK_MESSAGE(has(refused.err, each.message), refused.err);
  }
}

TEST_CASE("every fault of a file is on a line of its own that begins with file, line and column") {
  const TemporaryFolder folder;
  const std::string path =
      write_scenario(folder.path() / "bad.json",
                     "{\n  \"workload\": { \"steps\": 10, \"mesured\": 3 },\n"
                     "  \"fleet\": { \"main\": { \"instance\": { \"gpu\": \"H1OO\", \"gpus\": 8 },\n"
                     "    \"nodes\": 8.5, \"market\": \"owned\" } }\n}\n");
  const Finished refused = run_fleetcast({"run", path});
  CHECK(refused.code == 2);
  CHECK(refused.out.empty());
  CHECK_MESSAGE(has(refused.err, path + ":2:"), refused.err);
  CHECK_MESSAGE(has(refused.err, path + ":3:"), refused.err);
  CHECK_MESSAGE(has(refused.err, path + ":4:"), refused.err);
  CHECK(refused.err.find(":2:") < refused.err.find(":3:"));
  CHECK(refused.err.find(":3:") < refused.err.find(":4:"));
  CHECK(has(refused.err, "faults; nothing was run"));
}

TEST_CASE("a missing scenario file is bad input, not a bug") {
  const Finished refused = run_fleetcast({"run", "not-there.json"});
  CHECK(refused.code == 2);
  CHECK(has(refused.err, "not-there.json"));
  CHECK(!has(refused.err, "bug"));
}
