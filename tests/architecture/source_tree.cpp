#include "tests/architecture/source_tree.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <sstream>
#include <string_view>

namespace fleetcast::tests {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> source_folders{"models", "scenarios", "sim", "analysis", "tests"};

bool in_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

std::string content_of(const fs::path& path) {
  std::ifstream in{path, std::ios::binary};
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Position behind what begins at `at`: a comment, a text or a character; `at` itself if none does.
std::size_t end_of_blank(const std::string& text, std::size_t at) {
  const auto behind = [&](std::string_view end, std::size_t from) {
    const std::size_t found = text.find(end, from);
    return found == std::string::npos ? text.size() : found + end.size();
  };
  const std::string_view rest = std::string_view{text}.substr(at);
  if (rest.starts_with("//")) return std::min(text.find('\n', at), text.size());
  if (rest.starts_with("/*")) return behind("*/", at + 2);
  if (rest.starts_with("R\"")) {
    const std::string delimiter = text.substr(at + 2, text.find('(', at) - at - 2);
    return behind(")" + delimiter + "\"", at + 2);
  }
  const bool separator = rest.front() == '\'' && at > 0 && in_word(text[at - 1]);  // 1'000
  if ((rest.front() != '"' && rest.front() != '\'') || separator) return at;
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != rest.front()) end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

std::vector<Include> includes_of(const std::string& text, const std::string& code) {
  std::vector<Include> includes;
  for (std::size_t at = code.find("#include"); at != std::string::npos; at = code.find("#include", at + 1)) {
    const std::size_t open = text.find_first_of("<\"", at);
    const bool quoted = open != std::string::npos && text[open] == '"';
    const std::size_t close = text.find(quoted ? '"' : '>', open + 1);
    if (close == std::string::npos) break;
    includes.push_back({text.substr(open + 1, close - open - 1), quoted, line_of(text, at)});
  }
  return includes;
}

SourceFile read_file(const fs::path& root, const fs::path& path) {
  SourceFile file;
  file.path = path.lexically_relative(root).generic_string();
  file.layer = layer_of(file.path);
  file.text = content_of(path);
  file.code = without_comments_and_literals(file.text);
  file.includes = includes_of(file.text, file.code);
  file.lines = static_cast<std::size_t>(std::ranges::count(file.text, '\n'));
  return file;
}

}  // namespace

std::string layer_of(const std::string& path) {
  for (const char* inner : {"sim/kernel", "analysis/cli"}) {
    if (path.starts_with(std::string{inner} + "/")) return inner;
  }
  return path.substr(0, path.find('/'));
}

std::size_t line_of(const std::string& text, std::size_t position) {
  return 1 +
         static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(position), '\n'));
}

std::string without_comments_and_literals(const std::string& text) {
  std::string code = text;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_blank(text, at);
    for (std::size_t blank = at; blank < end; ++blank) code[blank] = text[blank] == '\n' ? '\n' : ' ';
    at = std::max(end, at + 1);
  }
  return code;
}

std::vector<Word> identifiers(const std::string& code) {
  std::vector<Word> words;
  for (std::size_t at = 0; at < code.size();) {
    std::size_t end = at;
    while (end < code.size() && in_word(code[end])) ++end;
    if (end > at) words.push_back({code.substr(at, end - at), at});
    at = std::max(end, at + 1);
  }
  return words;
}

SourceTree read_tree(const fs::path& root) {
  SourceTree tree;
  for (const auto& entry : fs::directory_iterator{root}) tree.top_level.push_back(entry.path().filename().string());
  for (const std::string_view folder : source_folders) {
    if (!fs::exists(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator{root / folder}) {
      const std::string extension = entry.path().extension().string();
      if (extension == ".cpp" || extension == ".hpp") tree.files.push_back(read_file(root, entry.path()));
    }
  }
  std::ranges::sort(tree.top_level);
  std::ranges::sort(tree.files, {}, &SourceFile::path);
  return tree;
}

}  // namespace fleetcast::tests
