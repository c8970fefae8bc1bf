#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "tests/architecture/rules.hpp"
#include "tests/support/temporary_folder.hpp"

namespace {

using namespace fleetcast::tests;
namespace fs = std::filesystem;

const SourceTree& this_repository() {
  static const SourceTree tree = read_tree(FLEETCAST_SOURCE_DIR);
  return tree;
}

std::string listed(const Violations& violations) {
  std::string text;
  for (const std::string& each : violations) text += "\n  " + each;
  return text;
}

using Rule = std::function<Violations(const SourceTree&)>;

/// The violations that a tree of this one file has.
Violations violations_of(const Rule& rule, const std::string& path, const std::string& text) {
  const TemporaryFolder folder;
  fs::create_directories((folder.path() / path).parent_path());
  std::ofstream{folder.path() / path} << text;
  return rule(read_tree(folder.path()));
}

struct Control {
  const char* title;
  Rule rule;
  std::string path, bad, good;
};

const Control controls[] = {
    {"models include scenarios", forbidden_arrows, "models/a.cpp", "#include \"scenarios/scenario.hpp\"\n",
     "#include \"models/units.hpp\"\n"},
    {"scenarios include sim", forbidden_arrows, "scenarios/a.cpp", "#include \"sim/plan.hpp\"\n",
     "#include \"models/random/distribution.hpp\"\n"},
    {"sim includes the reader", forbidden_arrows, "sim/a.cpp", "#include \"scenarios/reader.hpp\"\n",
     "#include \"scenarios/scenario.hpp\"\n"},
    {"sim includes analysis", forbidden_arrows, "sim/a.cpp", "#include \"analysis/summary.hpp\"\n",
     "#include \"sim/kernel/time.hpp\"\n"},
    {"the kernel includes models", forbidden_arrows, "sim/kernel/a.hpp", "#include \"models/units.hpp\"\n",
     "#include \"sim/kernel/time.hpp\"\n"},
    {"analysis includes the program", forbidden_arrows, "analysis/a.cpp", "#include \"analysis/cli/help.hpp\"\n",
     "#include \"sim/trial.hpp\"\n"},
    {"a folder inside analysis includes the program", forbidden_arrows, "analysis/calibration/a.cpp",
     "#include \"analysis/cli/help.hpp\"\n",
     "#include \"analysis/calibration/b.hpp\"\n#include \"models/units.hpp\"\n"},
    {"a path that does not begin at the root", forbidden_arrows, "sim/a.cpp", "#include \"plan.hpp\"\n",
     "#include \"sim/plan.hpp\"\n"},
    {"a source includes a test", forbidden_arrows, "sim/a.cpp", "#include \"tests/support/temporary_folder.hpp\"\n",
     "// #include \"tests/support/temporary_folder.hpp\"\n"},
    {"JSON in a header", libraries_out_of_their_room, "scenarios/a.hpp", "#include <nlohmann/json.hpp>\n",
     "#include <string>\n"},
    {"JSON in a model", libraries_out_of_their_room, "models/a.cpp", "#include <nlohmann/json.hpp>\n",
     "#include <boost/math/distributions/normal.hpp>\n"},
    {"HDF5 outside its files", libraries_out_of_their_room, "analysis/a.cpp", "#include <hdf5.h>\n",
     "#include <unistd.h>\n"},
    {"Boost.Program_options outside the program", libraries_out_of_their_room, "analysis/a.cpp",
     "#include <boost/program_options.hpp>\n", "#include <boost/version.hpp>\n"},
    {"SLEEF in a header", libraries_out_of_their_room, "models/random/a.hpp", "#include <sleef.h>\n",
     "#include <cmath>\n"},
    {"a system header in sim", libraries_out_of_their_room, "sim/a.cpp", "#include <unistd.h>\n",
     "#include <thread>\n"},
    {"Boost in the kernel", libraries_out_of_their_room, "sim/kernel/a.hpp", "#include <boost/heap/d_ary_heap.hpp>\n",
     "#include <queue>\n"},
    {"a library that nobody agreed on", libraries_out_of_their_room, "analysis/a.cpp", "#include <fmt/format.h>\n",
     "const char* text = R\"(\n#include <fmt/format.h>\n)\";\n"},
    {"a domain word in a comment of the kernel", domain_words_in_the_kernel, "sim/kernel/a.hpp", "// of a GPU\n",
     "// of an entry\n"},
    {"a domain word inside a name of the kernel", domain_words_in_the_kernel, "sim/kernel/a.hpp",
     "int lastCheckpointTime;\n", "int last_time;\n"},
    {"std::log in a model", library_math_in_results, "models/a.cpp", "double a = std::log(2.0);\n",
     "double a = det::log(2.0);\n"},
    {"pow without a namespace in sim", library_math_in_results, "sim/a.cpp", "double a = pow (2.0, b);\n",
     "double a = std::sqrt(2.0) + law.log(3) + models::det::pow(2.0, 3.0);  // std::pow(\n"},
    {"::exp in the kernel", library_math_in_results, "sim/kernel/a.hpp", "double a = ::exp(2.0);\n",
     "double a = x->exp(2.0) + 1'000.0;\n"},
    {"a header without #pragma once", headers_without_pragma_once, "sim/a.hpp", "int a();\n",
     "#pragma once\nint a();\n"},
    {"351 lines", long_files, "sim/a.cpp", std::string(351, '\n'), std::string(350, '\n')},
    {"a folder that the design does not have", unexpected_top_level_names, "util/a.cpp", "", ""},
};

}  // namespace

TEST_CASE("no include points against the order of the layers") {
  const Violations found = forbidden_arrows(this_repository());
  CHECK_MESSAGE(found.empty(), listed(found));
}

TEST_CASE("every library stays in its room") {
  const Violations found = libraries_out_of_their_room(this_repository());
  CHECK_MESSAGE(found.empty(), listed(found));
}

TEST_CASE("the kernel has no domain word") {
  const Violations found = domain_words_in_the_kernel(this_repository());
  CHECK_MESSAGE(found.empty(), listed(found));
}

TEST_CASE("nothing that reaches a simulated result calls exp, log, pow and their like from the C library") {
  const Violations found = library_math_in_results(this_repository());
  CHECK_MESSAGE(found.empty(), listed(found));
  const Violations stale = stale_math_exceptions(this_repository());
  CHECK_MESSAGE(stale.empty(), listed(stale));
}

TEST_CASE("the top level holds what the design names") {
  const Violations found = unexpected_top_level_names(this_repository());
  CHECK_MESSAGE(found.empty(), listed(found));
}

TEST_CASE("every header has #pragma once") {
  const Violations found = headers_without_pragma_once(this_repository());
  CHECK_MESSAGE(found.empty(), listed(found));
}

TEST_CASE("no source is longer than 350 lines") {
  const Violations found = long_files(this_repository());
  CHECK_MESSAGE(found.empty(), listed(found));
}

TEST_CASE("the repository that is looked at is the whole one") {
  std::size_t own_includes = 0;
  for (const SourceFile& file : this_repository().files) {
    for (const Include& include : file.includes) own_includes += include.quoted ? 1 : 0;
  }
  CHECK(this_repository().files.size() > 50);
  CHECK(own_includes > 100);
}

TEST_CASE("each rule notices a made-up violation and lets its neighbour pass") {
  for (const Control& control : controls) {
    CAPTURE(control.title);
    CHECK(violations_of(control.rule, control.path, control.bad).size() == 1);
    if (!control.good.empty()) CHECK(violations_of(control.rule, control.path, control.good).empty());
  }
}
