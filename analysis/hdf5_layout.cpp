#include "analysis/hdf5_layout.hpp"

#include <hdf5.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

constexpr const char* attribute_failed = "an attribute cannot be written";
constexpr const char* variable_failed = "a variable cannot be created";

void put_attribute(hid_t object, const std::string& name, hid_t type, const Hdf5Handle& space, const void* value,
                   const Hdf5Check& check) {
  const Hdf5Handle attribute = check.handle(
      H5Acreate2(object, name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, attribute_failed);
  check(H5Awrite(attribute.id(), type, value), attribute_failed);
}

Hdf5Handle list_space(std::uint64_t length, const Hdf5Check& check) {
  const hsize_t size = length;
  return check.handle(H5Screate_simple(1, &size, nullptr), H5Sclose, attribute_failed);
}

Hdf5Handle scalar_space(const Hdf5Check& check) {
  return check.handle(H5Screate(H5S_SCALAR), H5Sclose, attribute_failed);
}

/// HDF5 would cut a text at its first NUL without a word.
const char* checked_text(const std::string& text) {
  if (text.find('\0') != std::string::npos)
    throw models::OutputError{"a text with a NUL byte cannot be stored in a results file"};
  return text.c_str();
}

Hdf5Handle creation_options(const Hdf5Check& check) {
  Hdf5Handle options = check.handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, variable_failed);
  check(H5Pset_obj_track_times(options.id(), false), variable_failed);
  check(H5Pset_attr_creation_order(options.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), variable_failed);
  return options;
}

Hdf5Handle put_texts_in(hid_t group, const std::string& name, const std::vector<std::string>& values,
                        const Hdf5Handle& space, const Hdf5Check& check) {
  const Hdf5Handle type = utf8_type(check), options = creation_options(check);
  Hdf5Handle set =
      check.handle(H5Dcreate2(group, name.c_str(), type.id(), space.id(), H5P_DEFAULT, options.id(), H5P_DEFAULT),
                   H5Dclose, "a text cannot be created");
  std::vector<const char*> pointers;
  for (const std::string& value : values) pointers.push_back(checked_text(value));
  check(H5Dwrite(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()), "a text cannot be written");
  return set;
}

void describe(const Hdf5Handle& set, const VariableText& text, const Hdf5Check& check) {
  put_text(set.id(), "long_name", text.long_name, check);
  if (!text.units.empty()) put_text(set.id(), "units", text.units, check);
}

hid_t stored_type(Stored stored) {
  switch (stored) {
    case Stored::int32:
      return H5T_STD_I32LE;
    case Stored::uint32:
      return H5T_STD_U32LE;
    case Stored::uint64:
      return H5T_STD_U64LE;
    default:
      return H5T_IEEE_F64LE;
  }
}

/// Shuffle and deflate-1: about half the bytes at a small part of the time.
void compress(const Hdf5Handle& options, const std::vector<hsize_t>& chunk, const Hdf5Check& check) {
  check(H5Pset_chunk(options.id(), static_cast<int>(chunk.size()), chunk.data()), variable_failed);
  check(H5Pset_shuffle(options.id()), variable_failed);
  check(H5Pset_deflate(options.id(), 1), variable_failed);
}

}  // namespace

void put_text(std::int64_t object, const std::string& name, const std::string& value, const Hdf5Check& check) {
  const char* text = checked_text(value);
  put_attribute(object, name, utf8_type(check).id(), scalar_space(check), static_cast<const void*>(&text), check);
}

void put_int32s(std::int64_t object, const std::string& name, const std::vector<std::int32_t>& values,
                const Hdf5Check& check) {
  put_attribute(object, name, H5T_NATIVE_INT32, list_space(values.size(), check), values.data(), check);
}

void put_uint64(std::int64_t object, const std::string& name, std::uint64_t value, const Hdf5Check& check) {
  put_attribute(object, name, H5T_NATIVE_UINT64, scalar_space(check), &value, check);
}

Hdf5Handle put_texts(std::int64_t group, const std::string& name, const std::vector<std::string>& values,
                     const Hdf5Check& check) {
  return put_texts_in(group, name, values, list_space(values.size(), check), check);
}

Hdf5Handle put_single_text(std::int64_t group, const std::string& name, const std::string& value,
                           const Hdf5Check& check) {
  return put_texts_in(group, name, {value}, scalar_space(check), check);
}

std::vector<std::string> get_texts(std::int64_t group, const std::string& name, const Hdf5Check& check) {
  constexpr const char* failed = "a text cannot be read";
  const Hdf5Handle set = check.handle(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, failed);
  const Hdf5Handle space = check.handle(H5Dget_space(set.id()), H5Sclose, failed);
  const hssize_t count = H5Sget_simple_extent_npoints(space.id());
  check(count, failed);
  const Hdf5Handle type = utf8_type(check);
  std::vector<char*> pointers(static_cast<std::size_t>(count), nullptr);
  check(H5Dread(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()), failed);
  std::vector<std::string> texts;
  for (char* pointer : pointers) texts.emplace_back(pointer != nullptr ? pointer : "");
  check(H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, pointers.data()), failed);
  return texts;
}

Dimension named_dimension(std::int64_t file, const VariableText& text, const std::vector<std::string>& names,
                          const Hdf5Check& check) {
  Dimension dimension{put_texts(file, text.name, names, check), names.size(), names.size()};
  describe(dimension.scale, text, check);
  check(H5DSset_scale(dimension.scale.id(), text.name.c_str()), "a dimension cannot be made");
  return dimension;
}

Dimension counted_dimension(std::int64_t file, const VariableText& text, std::uint64_t length, std::uint64_t chunk,
                            const Hdf5Check& check) {
  const Hdf5Handle space = list_space(length, check), options = creation_options(check);
  compress(options, {chunk}, check);
  Dimension dimension{check.handle(H5Dcreate2(file, text.name.c_str(), H5T_STD_I64LE, space.id(), H5P_DEFAULT,
                                              options.id(), H5P_DEFAULT),
                                   H5Dclose, variable_failed),
                      length, chunk};
  std::vector<std::int64_t> numbers(length);
  std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
  check(H5Dwrite(dimension.scale.id(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()),
        "a coordinate cannot be written");
  describe(dimension.scale, text, check);
  check(H5DSset_scale(dimension.scale.id(), text.name.c_str()), "a dimension cannot be made");
  return dimension;
}

Hdf5Handle make_variable(std::int64_t file, const VariableText& text, Stored stored,
                         const std::vector<const Dimension*>& dimensions, const Hdf5Check& check) {
  std::vector<hsize_t> size, chunk;
  for (const Dimension* dimension : dimensions) {
    size.push_back(dimension->length);
    chunk.push_back(size.size() == 1 ? 1 : dimension->chunk);  // one strategy, some trials, all of the rest
  }
  const Hdf5Handle space =
      check.handle(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose, variable_failed);
  const Hdf5Handle options = creation_options(check);
  compress(options, chunk, check);
  const double missing = std::numeric_limits<double>::quiet_NaN();
  if (stored == Stored::real_or_missing)
    check(H5Pset_fill_value(options.id(), H5T_NATIVE_DOUBLE, &missing), variable_failed);
  Hdf5Handle set = check.handle(
      H5Dcreate2(file, text.name.c_str(), stored_type(stored), space.id(), H5P_DEFAULT, options.id(), H5P_DEFAULT),
      H5Dclose, variable_failed);
  describe(set, text, check);
  if (stored == Stored::real_or_missing)
    put_attribute(set.id(), "_FillValue", H5T_IEEE_F64LE, list_space(1, check), &missing, check);
  for (unsigned i = 0; i < dimensions.size(); ++i)
    check(H5DSattach_scale(set.id(), dimensions[i]->scale.id(), i), "a dimension cannot be attached");
  return set;
}

}  // namespace fleetcast::analysis
