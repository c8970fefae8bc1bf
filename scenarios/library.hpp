#pragma once
// Ids of a scenario: `define` first, then the catalog.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "models/catalog.hpp"
#include "scenarios/fields.hpp"

namespace fleetcast::scenarios {

/// Looks ids up and reads the scenario's own entries. A fault about an unknown id names the nearest known one.
class Library {
 public:
  /// `define` may be absent. Reads every entry of it, used or not.
  Library(const models::Catalog& catalog, const std::optional<Field>& define);

  [[nodiscard]] const models::Catalog& catalog() const { return catalog_; }
  const models::GpuSpec* gpu(const Field& id) const;
  /// An id, or an object that describes one.
  std::optional<models::InstanceSpec> instance(const Field& field);
  std::optional<models::TransformerShape> shape(const Field& field);
  std::optional<models::StoreSpec> store(const Field& id);

 private:
  /// One of the scenario's own entries; read when it is first asked for.
  template <class Spec>
  struct Own {
    Field field;
    bool reading = false, done = false;
    std::optional<Spec> spec;
  };
  template <class Spec>
  using Shelf = std::map<std::string, Own<Spec>, std::less<>>;

  template <class Spec>
  void collect(const Object& define, std::string_view kind);
  template <class Spec>
  void settle(const std::string& id, Own<Spec>& own);
  template <class Spec>
  std::optional<Spec> by_id(const Field& id);
  template <class Spec>
  std::optional<Spec> by_object(const Field& field);

  const models::Catalog& catalog_;
  std::tuple<Shelf<models::InstanceSpec>, Shelf<models::TransformerShape>, Shelf<models::StoreSpec>> shelves_;
};

/// Fills an instance from the fields of an object, over what `like` gave (`inherits`). Prices of `like` stay only if
/// GPU and number of GPUs are the same.
void read_fields(const Object& object, const Library& library, bool inherits, models::InstanceSpec& spec);
/// The same for a transformer shape; faults for shapes that cannot be.
void read_fields(const Object& object, const Library& library, bool inherits, models::TransformerShape& shape);
void read_fields(const Object& object, const Library& library, bool inherits, models::StoreSpec& store);

}  // namespace fleetcast::scenarios
