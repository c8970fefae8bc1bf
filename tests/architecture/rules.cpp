#include "tests/architecture/rules.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>

namespace fleetcast::tests {
namespace {

std::string violation(const SourceFile& file, std::size_t line, const std::string& what) {
  return file.path + ":" + std::to_string(line) + ": " + what;
}

/// Words of prose and of identifiers alike, in lower case: "checkpointTime" and "checkpoint_time" give two each.
std::vector<Word> plain_words(const std::string& text) {
  std::vector<Word> words;
  const auto letter = [&](std::size_t at) { return std::isalpha(static_cast<unsigned char>(text[at])) != 0; };
  const auto upper = [&](std::size_t at) { return std::isupper(static_cast<unsigned char>(text[at])) != 0; };
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!letter(at)) continue;
    const bool begins = at == 0 || !letter(at - 1) || (upper(at) && !upper(at - 1));
    if (begins) words.push_back({{}, at});
    words.back().text += static_cast<char>(std::tolower(static_cast<unsigned char>(text[at])));
  }
  return words;
}

// Whatever tells what the kernel is used for. Single and plural.
const std::set<std::string, std::less<>> domain_words{
    "gpu",      "gpus",       "node",        "nodes",    "gang",     "fleet",    "cluster",
    "clusters", "reclaim",    "spot",        "price",    "prices",   "usd",      "dollar",
    "dollars",  "billing",    "cloud",       "provider", "trainer",  "training", "gradient",
    "epoch",    "checkpoint", "checkpoints", "restart",  "scenario", "strategy", "replicate"};

struct MathException {
  std::string_view path, function, reason;
};
constexpr std::array<MathException, 1> math_exceptions{{
    {"models/random/describe_distribution.cpp", "log10",
     "picks the unit of a text that people read; no result uses it"},
}};

const std::set<std::string, std::less<>> library_math{
    "exp",   "exp2",  "expm1", "log",  "log2", "log10",  "log1p",  "pow",  "cbrt",        "hypot",
    "sin",   "cos",   "tan",   "asin", "acos", "atan",   "atan2",  "sinh", "cosh",        "tanh",
    "asinh", "acosh", "atanh", "erf",  "erfc", "tgamma", "lgamma", "beta", "riemann_zeta"};

bool is_the_deterministic_math(const SourceFile& file) {
  return file.path.starts_with("models/random/deterministic_math.");
}

bool must_be_deterministic(const SourceFile& file) {
  return (file.layer == "models" || file.layer.starts_with("sim")) && !is_the_deterministic_math(file);
}

/// What stands before the word decides: std::log( and ::log( and log( are the library's; det::log( and x.log( are not.
bool calls_the_library(const std::string& code, const Word& word) {
  std::size_t next = word.begin + word.text.size();
  while (next < code.size() && code[next] == ' ') ++next;
  if (next >= code.size() || code[next] != '(') return false;
  const std::string before = code.substr(word.begin < 32 ? 0 : word.begin - 32, std::min<std::size_t>(32, word.begin));
  if (before.ends_with('.') || before.ends_with("->")) return false;
  if (!before.ends_with("::")) return true;
  const std::string qualifier = before.substr(0, before.size() - 2);
  return qualifier.ends_with("std") || qualifier.empty() ||
         (std::isalnum(static_cast<unsigned char>(qualifier.back())) == 0 && qualifier.back() != '_');
}

std::vector<Word> library_math_calls(const SourceFile& file) {
  std::vector<Word> calls = identifiers(file.code);
  std::erase_if(calls, [&](const Word& word) {
    return !library_math.contains(word.text) || !calls_the_library(file.code, word);
  });
  return calls;
}

bool covers(const MathException& exception, const SourceFile& file, const Word& call) {
  return exception.path == file.path && exception.function == call.text;
}

bool excepted(const SourceFile& file, const Word& call) {
  return std::ranges::any_of(math_exceptions, [&](const MathException& each) { return covers(each, file, call); });
}

}  // namespace

Violations domain_words_in_the_kernel(const SourceTree& tree) {
  Violations found;
  for (const SourceFile& file : tree.files) {
    if (file.layer != "sim/kernel") continue;
    for (const Word& word : plain_words(file.text)) {
      if (!domain_words.contains(word.text)) continue;
      found.push_back(violation(file, line_of(file.text, word.begin), "the kernel knows no \"" + word.text + "\""));
    }
  }
  return found;
}

Violations library_math_in_results(const SourceTree& tree) {
  Violations found;
  for (const SourceFile& file : tree.files) {
    if (!must_be_deterministic(file)) continue;
    for (const Word& call : library_math_calls(file)) {
      if (excepted(file, call)) continue;
      found.push_back(violation(file, line_of(file.text, call.begin),
                                call.text + "() of the C library: use models/random/deterministic_math.hpp"));
    }
  }
  return found;
}

Violations stale_math_exceptions(const SourceTree& tree) {
  Violations found;
  for (const MathException& exception : math_exceptions) {
    const bool needed = std::ranges::any_of(tree.files, [&](const SourceFile& file) {
      return std::ranges::any_of(library_math_calls(file),
                                 [&](const Word& call) { return covers(exception, file, call); });
    });
    if (!needed) found.push_back(std::string{exception.path} + ": no exception for " + std::string{exception.function});
  }
  return found;
}

Violations unexpected_top_level_names(const SourceTree& tree) {
  // The last four come and go with builds and runs and are ignored by git.
  static const std::set<std::string, std::less<>> expected{"CMakeLists.txt",  "CMakePresets.json",
                                                           "README.md",       "CHANGELOG.md",
                                                           "LICENSE",         "models",
                                                           "scenarios",       "sim",
                                                           "analysis",        "tests",
                                                           "build",           "results.h5",
                                                           "results.h5.lock", "results.h5.parts"};
  Violations found;
  for (const std::string& name : tree.top_level) {
    if (expected.contains(name) || name.starts_with('.') || name.starts_with("build-")) continue;
    found.push_back(name + ": the design has no such name at the top");
  }
  return found;
}

Violations headers_without_pragma_once(const SourceTree& tree) {
  Violations found;
  for (const SourceFile& file : tree.files) {
    if (file.is_header() && file.code.find("#pragma once") == std::string::npos) {
      found.push_back(violation(file, 1, "a header begins with #pragma once"));
    }
  }
  return found;
}

Violations long_files(const SourceTree& tree) {
  constexpr std::size_t most_lines = 350;
  Violations found;
  for (const SourceFile& file : tree.files) {
    if (file.lines > most_lines) found.push_back(violation(file, file.lines, "more than 350 lines"));
  }
  return found;
}

}  // namespace fleetcast::tests
