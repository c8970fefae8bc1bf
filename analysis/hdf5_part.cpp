#include "analysis/hdf5_part.hpp"

#include <hdf5.h>

#include <array>
#include <vector>

#include "analysis/fnv.hpp"
#include "analysis/hdf5_handle.hpp"
#include "analysis/version.hpp"

namespace fleetcast::analysis {

namespace {

constexpr std::size_t user_block = 512;  // the smallest that HDF5 looks behind for its own beginning
constexpr std::size_t memory_step = 1 << 16;
const char* const magic = "fleetcast-part 1";

using Shape = std::vector<hsize_t>;

Hdf5Handle memory_access(const Hdf5Check& check) {
  Hdf5Handle access = check.handle(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "cannot prepare a part");
  check(H5Pset_fapl_core(access.id(), memory_step, false), "cannot prepare a part");
  // The oldest form: H5Fget_file_image breaks the checksum of a newer superblock (1.10.8). The hash is ours.
  check(H5Pset_libver_bounds(access.id(), H5F_LIBVER_EARLIEST, H5F_LIBVER_V18), "cannot prepare a part");
  return access;
}

void write_array(const Hdf5Handle& file, const char* name, hid_t type, const Shape& shape, const void* data,
                 const Hdf5Check& check) {
  const Hdf5Handle space = check.handle(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                                        H5Sclose, "cannot prepare a part");
  const Hdf5Handle options = check.handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "cannot prepare a part");
  check(H5Pset_obj_track_times(options.id(), false), "cannot prepare a part");
  const Hdf5Handle set =
      check.handle(H5Dcreate2(file.id(), name, type, space.id(), H5P_DEFAULT, options.id(), H5P_DEFAULT), H5Dclose,
                   "cannot add to a part");
  check(H5Dwrite(set.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "cannot add to a part");
}

struct OpenArray {
  Hdf5Handle set;
  Shape shape;
};

OpenArray open_array(const Hdf5Handle& file, const char* name, const Hdf5Check& check) {
  Hdf5Handle set = check.handle(H5Dopen2(file.id(), name, H5P_DEFAULT), H5Dclose, "a part lacks an array");
  const Hdf5Handle space = check.handle(H5Dget_space(set.id()), H5Sclose, "a part cannot be read");
  Shape shape(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.id())));
  check(H5Sget_simple_extent_dims(space.id(), shape.data(), nullptr), "a part cannot be read");
  return {std::move(set), std::move(shape)};
}

std::string image_of(const Part& part, const Hdf5Check& check) {
  const PackedBlock& block = part.block;
  const Hdf5Handle access = memory_access(check);
  const Hdf5Handle file =
      check.handle(H5Fcreate("part", H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose, "cannot make a part");
  const std::array<std::uint64_t, 2> place{block.index, block.first};
  write_array(file, "place", H5T_NATIVE_UINT64, {2}, place.data(), check);
  write_array(file, "identity", H5T_NATIVE_UCHAR, {part.identity.size()}, part.identity.data(), check);
  write_array(file, "reals", H5T_NATIVE_DOUBLE, {real_rows(), block.strategies, block.count}, block.reals.data(),
              check);
  write_array(file, "counts", H5T_NATIVE_UINT64, {count_rows(block.causes), block.strategies, block.count},
              block.counts.data(), check);
  check(H5Fflush(file.id(), H5F_SCOPE_GLOBAL), "cannot finish a part");
  const ssize_t size = H5Fget_file_image(file.id(), nullptr, 0);
  check(size, "cannot finish a part");
  std::string image(static_cast<std::size_t>(size), '\0');
  check(H5Fget_file_image(file.id(), image.data(), image.size()), "cannot finish a part");
  return image;
}

std::string header_for(std::string_view image) {
  std::string header =
      std::string{magic} + "\n" + std::to_string(image.size()) + " bytes\nhash " + std::to_string(fnv1a(image)) + "\n";
  header.resize(user_block, '\0');
  return header;
}

[[noreturn]] void damaged(const std::string& path, const std::string& how) {
  throw DamagedPart{path + ": damaged part: " + how};
}

void check_bytes(const std::string& bytes, const std::string& path) {
  if (bytes.size() <= user_block || !bytes.starts_with(magic)) damaged(path, "it does not begin as a part does");
  const std::string_view image = std::string_view{bytes}.substr(user_block);
  if (bytes.compare(0, user_block, header_for(image)) != 0) damaged(path, "its length or hash is not as written");
}

Part read_image(std::string& image, const std::string& path, const Hdf5Check& check) {
  const Hdf5Handle access = memory_access(check);
  check(H5Pset_file_image(access.id(), image.data(), image.size()), "a part cannot be opened");
  const Hdf5Handle file =
      check.handle(H5Fopen("part", H5F_ACC_RDONLY, access.id()), H5Fclose, "a part cannot be opened");
  const OpenArray place = open_array(file, "place", check), identity = open_array(file, "identity", check);
  const OpenArray reals = open_array(file, "reals", check), counts = open_array(file, "counts", check);
  const bool fits = place.shape == Shape{2} && identity.shape.size() == 1 && reals.shape.size() == 3 &&
                    counts.shape.size() == 3 && reals.shape[0] == real_rows() && counts.shape[0] >= count_rows(0) &&
                    reals.shape[1] == counts.shape[1] && reals.shape[2] == counts.shape[2];
  if (!fits) damaged(path, "its arrays have other sizes than this version writes");
  std::array<std::uint64_t, 2> numbers{};
  const auto read = [&](const OpenArray& array, hid_t type, void* to) {
    check(H5Dread(array.set.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to), "a part cannot be read");
  };
  read(place, H5T_NATIVE_UINT64, numbers.data());
  Part part{std::string(identity.shape[0], '\0'),
            empty_block(numbers[0], static_cast<std::uint32_t>(numbers[1]), static_cast<std::uint32_t>(reals.shape[2]),
                        reals.shape[1], counts.shape[0] - count_rows(0))};
  read(identity, H5T_NATIVE_UCHAR, part.identity.data());
  read(reals, H5T_NATIVE_DOUBLE, part.block.reals.data());
  read(counts, H5T_NATIVE_UINT64, part.block.counts.data());
  return part;
}

}  // namespace

std::string part_bytes(const Part& part) {
  require_matching_hdf5();
  const Hdf5Quiet quiet;
  const std::string image = image_of(part, Hdf5Check{"part " + std::to_string(part.block.index)});
  return header_for(image) + image;
}

Part part_from(const std::string& bytes, const std::string& path) {
  check_bytes(bytes, path);
  require_matching_hdf5();
  const Hdf5Quiet quiet;
  std::string image = bytes.substr(user_block);
  return read_image(image, path, Hdf5Check{path});
}

}  // namespace fleetcast::analysis
