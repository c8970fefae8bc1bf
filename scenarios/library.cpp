#include "scenarios/library.hpp"

#include <type_traits>

#include "scenarios/nearest_name.hpp"

namespace fleetcast::scenarios {
namespace {

using models::Catalog;
using models::InstanceSpec;
using models::StoreSpec;
using models::TransformerShape;

/// What differs between the three kinds of entries.
template <class Spec>
struct Kind;
template <>
struct Kind<InstanceSpec> {
  static constexpr std::string_view name = "instance";
  static const KnownObject& known() { return known::instance; }
  static const InstanceSpec* find(const Catalog& catalog, std::string_view id) { return catalog.instance(id); }
  static const std::vector<InstanceSpec>& all(const Catalog& catalog) { return catalog.instances; }
};
template <>
struct Kind<TransformerShape> {
  static constexpr std::string_view name = "model";
  static const KnownObject& known() { return known::shape; }
  static const TransformerShape* find(const Catalog& catalog, std::string_view id) { return catalog.shape(id); }
  static const std::vector<TransformerShape>& all(const Catalog& catalog) { return catalog.shapes; }
};
template <>
struct Kind<StoreSpec> {
  static constexpr std::string_view name = "store";
  static const KnownObject& known() { return known::store; }
  static const StoreSpec* find(const Catalog& catalog, std::string_view id) { return catalog.store(id); }
  static const std::vector<StoreSpec>& all(const Catalog& catalog) { return catalog.stores; }
};

template <class Entries>
std::vector<std::string> ids_of(const Entries& entries) {
  std::vector<std::string> ids;
  for (const auto& entry : entries) ids.push_back(entry.id);
  return ids;
}

void unknown_id(const Field& id, std::string_view what, const std::vector<std::string>& known) {
  const std::string& written = id.node().text;
  id.fault({"unknown " + std::string{what} + ' ' + in_quotes(written),
            known.empty() ? "none is known" : nearest_first(written, known), nearest_name(written, known)});
}

}  // namespace

template <class Spec>
void Library::collect(const Object& define, std::string_view kind) {
  const std::optional<Field> entries = define.find(kind);
  if (!entries) return;
  auto& shelf = std::get<Shelf<Spec>>(shelves_);
  for (const auto& [id, field] : named_members(*entries, "an object of entries by id")) {
    shelf.emplace(id, Own<Spec>{field, false, false, std::nullopt});
  }
  for (auto& [id, own] : shelf) settle(id, own);
}

template <class Spec>
void Library::settle(const std::string& id, Own<Spec>& own) {
  if (own.done) return;
  own.reading = true;
  own.spec = by_object<Spec>(own.field);
  if (own.spec) own.spec->id = id;
  own.reading = false;
  own.done = true;
}

/// One's own entry, unless that is just being read (it may refine the catalog's entry of the same id), then the
/// catalog's.
template <class Spec>
std::optional<Spec> Library::by_id(const Field& id) {
  if (!read_text(id, "the id of a known " + std::string{Kind<Spec>::name})) return std::nullopt;
  auto& shelf = std::get<Shelf<Spec>>(shelves_);
  const auto own = shelf.find(id.node().text);
  if (own != shelf.end() && !own->second.reading) {
    settle(own->first, own->second);
    return own->second.spec;
  }
  if (const Spec* found = Kind<Spec>::find(catalog_, id.node().text)) return *found;
  if (own != shelf.end()) {
    id.fault({in_quotes(id.node().text) + " is described by itself", "\"like\" with an entry that stands alone", ""});
    return std::nullopt;
  }
  std::vector<std::string> known = ids_of(Kind<Spec>::all(catalog_));
  for (const auto& [name, entry] : shelf) known.push_back(name);
  unknown_id(id, Kind<Spec>::name, known);
  return std::nullopt;
}

template <class Spec>
std::optional<Spec> Library::by_object(const Field& field) {
  const std::size_t before = field.report().count();
  const Object object{field, Kind<Spec>::known()};
  if (!field.is_object()) return std::nullopt;
  const std::optional<Field> like = object.find("like");
  std::optional<Spec> spec = like ? by_id<Spec>(*like) : Spec{};
  if (!spec) return std::nullopt;
  read_fields(object, *this, like.has_value(), *spec);
  if (field.report().count() > before) return std::nullopt;
  return spec;
}

Library::Library(const Catalog& catalog, const std::optional<Field>& define) : catalog_{catalog} {
  if (!define) return;
  const Object object{*define, known::define};
  collect<InstanceSpec>(object, "instances");
  collect<TransformerShape>(object, "models");
  collect<StoreSpec>(object, "stores");
}

const models::GpuSpec* Library::gpu(const Field& id) const {
  if (!read_text(id, "the id of a GPU")) return nullptr;
  const models::GpuSpec* found = catalog_.gpu(id.node().text);
  if (found == nullptr) unknown_id(id, "GPU", ids_of(catalog_.gpus));
  return found;
}

std::optional<InstanceSpec> Library::instance(const Field& field) {
  return field.is_object() ? by_object<InstanceSpec>(field) : by_id<InstanceSpec>(field);
}

std::optional<TransformerShape> Library::shape(const Field& field) {
  return field.is_object() ? by_object<TransformerShape>(field) : by_id<TransformerShape>(field);
}

std::optional<StoreSpec> Library::store(const Field& id) {
  return by_id<StoreSpec>(id);
}

}  // namespace fleetcast::scenarios
