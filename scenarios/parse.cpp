#include "scenarios/parse.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "models/errors.hpp"
#include "scenarios/syntax_fault.hpp"
#include "scenarios/text_cursor.hpp"

namespace fleetcast::scenarios {
namespace {

using models::Fault;
using models::InputError;

/// Builds the tree from the parser's events. The parser does not say where its tokens stand; since they come in
/// the order of the text, the builder walks along it.
class TreeBuilder {
 public:
  TreeBuilder(std::string_view original, std::string_view blanked, const std::string& file, const ParseLimits& limits)
      : text_{blanked}, cursor_{original}, original_{original}, file_{file}, limits_{limits} {}

  bool null() { return add(Node::Kind::null, 4) != nullptr; }
  bool boolean(bool value) {
    Node* node = add(Node::Kind::boolean, value ? 4 : 5);
    if (node != nullptr) node->boolean = value;
    return node != nullptr;
  }
  bool number_integer(std::int64_t) { return number(); }
  bool number_unsigned(std::uint64_t) { return number(); }
  bool number_float(double, const std::string&) { return number(); }
  bool string(std::string& value) {
    Node* node = add(Node::Kind::text, 0);
    if (node != nullptr) node->text = std::move(value);
    return node != nullptr;
  }
  bool binary(std::vector<std::uint8_t>&) { return false; }
  bool start_object(std::size_t) { return open(Node::Kind::object); }
  bool start_array(std::size_t) { return open(Node::Kind::list); }
  bool end_object() {
    find_duplicates(*open_.back());
    return close();
  }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    const std::size_t begin = next_token();
    offset_ = end_of_string(begin);
    key_ = Member{std::move(name), cursor_.at(begin), {}};
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& error) {
    faults_.push_back(syntax_fault({original_, text_, offset_, position, error.what()}, file_));
    return false;
  }

  Node take() {
    if (!faults_.empty()) throw InputError{std::move(faults_)};
    return std::move(root_);
  }

 private:
  /// Where the next token starts: behind blanks and separators.
  [[nodiscard]] std::size_t next_token() const {
    return std::min(text_.find_first_not_of(" \t\r\n,:", offset_), text_.size());
  }
  [[nodiscard]] std::size_t end_of_string(std::size_t begin) const {
    std::size_t i = begin + 1;
    while (i < text_.size() && text_[i] != '"') i += text_[i] == '\\' ? 2 : 1;
    return i + 1;
  }
  [[nodiscard]] std::size_t end_of_number(std::size_t begin) const {
    return std::min(text_.find_first_not_of("+-.0123456789eE", begin), text_.size());
  }

  /// Adds a value at the next token; `length` 0 stands for a string.
  Node* add(Node::Kind kind, std::size_t length) {
    const std::size_t begin = next_token();
    const Position at = cursor_.at(begin);
    if (++values_ > limits_.values) return refuse(at, "more than " + std::to_string(limits_.values) + " values");
    offset_ = length > 0 ? begin + length : end_of_string(begin);
    Node& node = place();
    node.kind = kind;
    node.at = at;
    return &node;
  }

  Node& place() {
    if (open_.empty()) return root_;
    Node& parent = *open_.back();
    if (parent.kind == Node::Kind::list) return parent.items.emplace_back();
    return parent.members.emplace_back(std::move(key_)).value;
  }

  bool number() {
    const std::size_t begin = next_token();
    const std::size_t end = end_of_number(begin);
    Node* node = add(Node::Kind::number, end - begin);
    if (node != nullptr) node->text = text_.substr(begin, end - begin);
    return node != nullptr;
  }

  bool open(Node::Kind kind) {
    Node* node = add(kind, 1);
    if (node == nullptr) return false;
    open_.push_back(node);
    if (open_.size() <= limits_.depth) return true;
    refuse(node->at, "nested more than " + std::to_string(limits_.depth) + " levels deep");
    return false;
  }

  bool close() {
    offset_ = next_token() + 1;
    open_.pop_back();
    return true;
  }

  Node* refuse(Position at, const std::string& what) {
    faults_.push_back(
        {file_, at.line, at.column, "", "the document is " + what, "large tables belong in files of their own", ""});
    return nullptr;
  }

  void find_duplicates(const Node& object) {
    std::vector<const Member*> sorted;
    for (const Member& member : object.members) sorted.push_back(&member);
    std::stable_sort(sorted.begin(), sorted.end(), [](const Member* a, const Member* b) { return a->key < b->key; });
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i]->key == sorted[i - 1]->key) report_duplicate(*sorted[i - 1], *sorted[i]);
    }
  }

  void report_duplicate(const Member& first, const Member& second) {
    if (faults_.size() >= 100) return;
    faults_.push_back({file_, second.at.line, second.at.column, "",
                       "key " + in_quotes(second.key) + " is given twice: in line " + std::to_string(first.at.line) +
                           " and in line " + std::to_string(second.at.line),
                       "each key once", ""});
  }

  std::string_view text_;
  TextCursor cursor_;
  std::string_view original_;
  const std::string& file_;
  ParseLimits limits_;
  std::size_t offset_ = 0;  ///< end of the token before
  std::size_t values_ = 0;
  Node root_;
  Member key_;
  std::vector<Node*> open_;
  std::vector<Fault> faults_;
};

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

[[noreturn]] void refuse(std::string_view text, std::size_t offset, const std::string& file, std::string problem,
                         std::string allowed) {
  const Position at = position_of(text, offset);
  throw InputError{{{file, at.line, at.column, "", std::move(problem), std::move(allowed), ""}}};
}

void check_bytes(std::string_view text, const std::string& file, const ParseLimits& limits) {
  if (text.size() > limits.bytes) {
    throw InputError{{{file, 0, 0, "", "the file is larger than " + std::to_string(limits.bytes >> 20) + " MiB",
                       "large tables belong in files of their own", ""}}};
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    refuse(text, 0, file, "the file is UTF-16", "UTF-8");
  }
  const std::size_t zero = text.find('\0');
  if (zero != std::string_view::npos) refuse(text, zero, file, "a zero byte", "JSON text in UTF-8");
}

}  // namespace

Node parse_document(std::string_view text, const std::string& file, const ParseLimits& limits) {
  check_bytes(text, file, limits);
  const std::string_view original = without_byte_order_mark(text);
  const std::string blanked = blank_comments(original, file);
  if (blanked.find_first_not_of(" \t\r\n") == std::string::npos) {
    refuse(original, 0, file, "the file is empty", "an object with at least workload and fleet");
  }
  TreeBuilder builder{original, blanked, file, limits};
  nlohmann::json::sax_parse(blanked.begin(), blanked.end(), &builder);
  return builder.take();
}

}  // namespace fleetcast::scenarios
