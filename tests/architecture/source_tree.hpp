#pragma once
// The sources of the repository as the architecture rules look at them.
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace fleetcast::tests {

struct Include {
  std::string name;
  bool quoted = false;
  std::size_t line = 0;  ///< 1-based
};

struct SourceFile {
  std::string path;   ///< from the root, "sim/kernel/time.hpp"
  std::string layer;  ///< of that path
  std::string text;
  std::string code;  ///< text with comments and literals replaced by blanks, position by position
  std::vector<Include> includes;
  std::size_t lines = 0;

  [[nodiscard]] bool is_header() const { return path.ends_with(".hpp"); }
};

struct SourceTree {
  std::vector<std::string> top_level;  ///< names of files and folders in the root
  std::vector<SourceFile> files;       ///< every .hpp and .cpp below the source folders, by path
};

/// "models", "scenarios", "sim/kernel", "sim", "analysis/cli", "analysis" or "tests": other folders inside these belong
/// to the layer that they are in.
std::string layer_of(const std::string& path);

SourceTree read_tree(const std::filesystem::path& root);

/// Comments, texts and characters as blanks; line breaks stay.
std::string without_comments_and_literals(const std::string& text);

struct Word {
  std::string text;
  std::size_t begin = 0;
};
/// The identifiers and keywords of blanked code, in order.
std::vector<Word> identifiers(const std::string& code);

std::size_t line_of(const std::string& text, std::size_t position);

}  // namespace fleetcast::tests
