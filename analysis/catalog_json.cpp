#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/catalog_report.hpp"

namespace fleetcast::analysis {

namespace {

using Json = nlohmann::ordered_json;
using scenarios::Node;

/// Counts as whole numbers.
Json shortest(double number) {
  constexpr double all_whole_below = 9e15;
  if (number == std::floor(number) && std::abs(number) < all_whole_below) return static_cast<std::int64_t>(number);
  return number;
}

Json value_of(const CatalogFigure& figure) {
  if (const auto* flag = std::get_if<bool>(&figure.value)) return *flag;
  if (const auto* number = std::get_if<double>(&figure.value)) return shortest(*number);
  if (const auto* text = std::get_if<std::string>(&figure.value)) return *text;
  return nullptr;
}

/// A number as it is written: whole ones exactly.
Json number_of(const std::string& text) {
  const char* const end = text.data() + text.size();
  std::int64_t whole = 0;
  if (std::from_chars(text.data(), end, whole).ptr == end) return whole;
  double number = 0.0;
  std::from_chars(text.data(), end, number);
  return number;
}

Json written(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return nullptr;
    case Node::Kind::boolean:
      return node.boolean;
    case Node::Kind::number:
      return number_of(node.text);
    case Node::Kind::text:
      return node.text;
    case Node::Kind::list: {
      Json list = Json::array();
      for (const Node& item : node.items) list.push_back(written(item));
      return list;
    }
    case Node::Kind::object: {
      Json object = Json::object();
      for (const scenarios::Member& member : node.members) object[member.key] = written(member.value);
      return object;
    }
  }
  return nullptr;
}

Json figures_of(const CatalogEntry& entry) {
  Json json = {{"id", entry.id}, {"other_names", entry.other_names}};
  for (const CatalogFigure& figure : entry.figures)
    if (!figure.key.empty()) json[figure.key] = value_of(figure);
  return json;
}

std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string catalog_json(const std::vector<CatalogKind>& kinds) {
  Json list = Json::array();
  for (const CatalogKind& kind : kinds)
    list.push_back({{"kind", kind.name},
                    {"what", kind.what},
                    {"file", kind.file},
                    {"entries", kind.entries.size()},
                    {"example", kind.entries.empty() ? Json(nullptr) : Json(kind.entries.front().id)}});
  return text_of({{"kinds", std::move(list)}});
}

std::string catalog_kind_json(const CatalogKind& kind) {
  Json entries = Json::array();
  for (const CatalogEntry& entry : kind.entries) entries.push_back(figures_of(entry));
  return text_of({{"kind", kind.name}, {"file", kind.file}, {"about", kind.about}, {"entries", std::move(entries)}});
}

std::string catalog_entry_json(const CatalogKind& kind, const CatalogEntry& entry) {
  Json json = {{"kind", kind.name}, {"file", kind.file}};
  json["entry"] = figures_of(entry);
  json["written"] = written(entry.written);
  return text_of(json);
}

}  // namespace fleetcast::analysis
