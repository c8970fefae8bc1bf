// Which include is allowed where: DESIGN section "the house" as two tables.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string_view>

#include "tests/architecture/rules.hpp"

namespace fleetcast::tests {
namespace {

using Names = std::set<std::string, std::less<>>;

/// Layer of a file: layers it may include from. One file is named by itself.
const std::map<std::string, Names, std::less<>>& arrows() {
  static const std::map<std::string, Names, std::less<>> table{
      {"models", {"models"}},
      {"scenarios", {"models", "scenarios"}},
      {"sim/kernel", {"sim/kernel"}},
      {"sim", {"models", "sim", "sim/kernel", "scenarios/scenario.hpp"}},
      {"analysis", {"models", "scenarios", "sim", "sim/kernel", "analysis"}},
      {"analysis/cli", {"models", "scenarios", "sim", "sim/kernel", "analysis", "analysis/cli"}}};
  return table;
}

const Names& standard_headers() {
  static const Names names{"algorithm",
                           "any",
                           "array",
                           "atomic",
                           "barrier",
                           "bit",
                           "bitset",
                           "cassert",
                           "cctype",
                           "cerrno",
                           "cfenv",
                           "cfloat",
                           "charconv",
                           "chrono",
                           "cinttypes",
                           "climits",
                           "clocale",
                           "cmath",
                           "codecvt",
                           "compare",
                           "complex",
                           "concepts",
                           "condition_variable",
                           "coroutine",
                           "csetjmp",
                           "csignal",
                           "cstdarg",
                           "cstddef",
                           "cstdint",
                           "cstdio",
                           "cstdlib",
                           "cstring",
                           "ctime",
                           "cuchar",
                           "cwchar",
                           "cwctype",
                           "deque",
                           "exception",
                           "execution",
                           "filesystem",
                           "format",
                           "forward_list",
                           "fstream",
                           "functional",
                           "future",
                           "initializer_list",
                           "iomanip",
                           "ios",
                           "iosfwd",
                           "iostream",
                           "istream",
                           "iterator",
                           "latch",
                           "limits",
                           "list",
                           "locale",
                           "map",
                           "memory",
                           "memory_resource",
                           "mutex",
                           "new",
                           "numbers",
                           "numeric",
                           "optional",
                           "ostream",
                           "queue",
                           "random",
                           "ranges",
                           "ratio",
                           "regex",
                           "scoped_allocator",
                           "semaphore",
                           "set",
                           "shared_mutex",
                           "source_location",
                           "span",
                           "sstream",
                           "stack",
                           "stdexcept",
                           "stop_token",
                           "streambuf",
                           "string",
                           "string_view",
                           "syncstream",
                           "system_error",
                           "thread",
                           "tuple",
                           "type_traits",
                           "typeindex",
                           "typeinfo",
                           "unordered_map",
                           "unordered_set",
                           "utility",
                           "valarray",
                           "variant",
                           "vector",
                           "version"};
  return names;
}

struct Library {
  std::string_view title;
  std::vector<std::string_view> prefixes;  ///< of its headers
  std::function<bool(const SourceFile&)> may_be_used_by;
};

bool in(const SourceFile& file, std::initializer_list<std::string_view> layers) {
  return std::ranges::find(layers, file.layer) != layers.end();
}
bool is_test(const SourceFile& file) {
  return file.layer == "tests";
}
/// The formulas use libraries in their sources, not in the interfaces.
bool model_source(const SourceFile& file) {
  return in(file, {"models"}) && !file.is_header();
}
bool source_in(const SourceFile& file, std::initializer_list<std::string_view> layers) {
  return in(file, layers) && !file.is_header();
}

const std::vector<Library>& libraries() {
  static const std::vector<Library> table{
      {"Boost.Program_options",
       {"boost/program_options"},
       [](const SourceFile& file) { return in(file, {"analysis/cli"}); }},
      {"nlohmann/json",
       {"nlohmann/"},
       [](const SourceFile& file) {
         return source_in(file, {"scenarios", "analysis", "analysis/cli"}) || is_test(file);
       }},
      {"HDF5",
       {"hdf5", "H5"},
       [](const SourceFile& file) { return file.path.starts_with("analysis/hdf5_") || is_test(file); }},
      {"SLEEF", {"sleef.h", "emmintrin.h"}, model_source},  // SSE2 vectors are what it takes two at a time
      {"Boost.Random", {"boost/random"}, [](const SourceFile& file) { return model_source(file) || is_test(file); }},
      {"Boost and Eigen",
       {"boost/math", "boost/version.hpp", "boost/tokenizer.hpp", "Eigen/", "unsupported/Eigen/"},
       [](const SourceFile& file) { return model_source(file) || source_in(file, {"analysis"}) || is_test(file); }},
      {"MPI", {"mpi.h"}, [](const SourceFile& file) { return file.path == "sim/mpi.cpp"; }},
      {"doctest", {"doctest/"}, is_test},
      {"Valijson", {"valijson/"}, is_test},
      {"Google Benchmark", {"benchmark/"}, is_test},
      {"the system",
       {"unistd.h", "fcntl.h", "poll.h", "pthread.h", "pty.h", "signal.h", "spawn.h", "locale.h", "langinfo.h",
        "termios.h", "dirent.h", "stdlib.h", "sys/"},
       [](const SourceFile& file) {
         return source_in(file, {"analysis", "analysis/cli"}) || is_test(file);
       }}};
  return table;
}

const Library* library_of(const std::string& header) {
  for (const Library& library : libraries()) {
    for (const std::string_view prefix : library.prefixes) {
      if (header.starts_with(prefix)) return &library;
    }
  }
  return nullptr;
}

std::string place(const SourceFile& file, const Include& include) {
  return file.path + ":" + std::to_string(include.line) + ": ";
}

bool allowed_arrow(const SourceFile& file, const std::string& target) {
  if (is_test(file)) return true;
  const auto allowed = arrows().find(file.layer);
  if (allowed == arrows().end()) return false;
  return allowed->second.contains(target) || allowed->second.contains(layer_of(target));
}

std::string fault_of_library(const SourceFile& file, const Include& include) {
  if (standard_headers().contains(include.name)) return {};
  if (file.layer == "sim/kernel") return "the kernel needs the standard library only, not <" + include.name + ">";
  const Library* library = library_of(include.name);
  if (library == nullptr) return "<" + include.name + "> is not in the list of known headers";
  if (library->may_be_used_by(file)) return {};
  return std::string{library->title} + " (<" + include.name + ">) does not belong here";
}

}  // namespace

Violations forbidden_arrows(const SourceTree& tree) {
  Violations found;
  for (const SourceFile& file : tree.files) {
    for (const Include& include : file.includes) {
      if (!include.quoted || allowed_arrow(file, include.name)) continue;
      found.push_back(place(file, include) + file.layer + " may not include \"" + include.name + "\"");
    }
  }
  return found;
}

Violations libraries_out_of_their_room(const SourceTree& tree) {
  Violations found;
  for (const SourceFile& file : tree.files) {
    for (const Include& include : file.includes) {
      if (include.quoted) continue;
      const std::string fault = fault_of_library(file, include);
      if (!fault.empty()) found.push_back(place(file, include) + fault);
    }
  }
  return found;
}

}  // namespace fleetcast::tests
