#include <hdf5.h>

#include <array>

#include "analysis/hdf5_layout.hpp"
#include "analysis/hdf5_results.hpp"
#include "analysis/version.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

constexpr const char* read_failed = "trials cannot be read";

Hdf5Handle open_file(const std::string& path, const Hdf5Check& check) {
  const Hdf5Handle access = check.handle(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "cannot be opened");
  // A finished file never changes: it was renamed into place when it was complete.
  check(H5Pset_file_locking(access.id(), false, true), "cannot be opened");
  return check.handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose, "cannot be opened");
}

std::uint64_t get_number(const Hdf5Handle& file, const char* name, const Hdf5Check& check) {
  const Hdf5Handle attribute = check.handle(H5Aopen(file.id(), name, H5P_DEFAULT), H5Aclose, "an attribute is missing");
  const Hdf5Handle space = check.handle(H5Aget_space(attribute.id()), H5Sclose, "an attribute cannot be read");
  if (H5Sget_simple_extent_npoints(space.id()) != 1) check.fail("an attribute is not one number");
  std::uint64_t value = 0;
  check(H5Aread(attribute.id(), H5T_NATIVE_UINT64, &value), "an attribute cannot be read");
  return value;
}

void require_format(const Hdf5Handle& file, const std::string& path, const Hdf5Check& check) {
  const bool ours =
      H5Aexists(file.id(), "format") > 0 && read_text_attribute(file.id(), "format", check) == format_name;
  if (!ours)
    throw models::OutputError{path + ": is not a results file of this program (no format " + format_name + ")"};
  const std::uint64_t version = get_number(file, "format_version", check);
  if (version != format_version)
    throw models::OutputError{path + ": has version " + std::to_string(version) +
                              " of the format, but this program reads " + std::to_string(format_version)};
}

ResultsHeader read_header(const Hdf5Handle& file, const Hdf5Check& check) {
  ResultsHeader header;
  header.scenario_name = read_text_attribute(file.id(), "title", check);
  header.scenario_text = get_texts(file.id(), "provenance/scenario", check).at(0);
  header.calibration_text = get_texts(file.id(), "provenance/calibration", check).at(0);
  if (H5Lexists(file.id(), "provenance/overrides", H5P_DEFAULT) > 0)
    header.overrides = get_texts(file.id(), "provenance/overrides", check);
  header.strategies = get_texts(file.id(), "strategy", check);
  if (H5Lexists(file.id(), "cause", H5P_DEFAULT) > 0) header.causes = get_texts(file.id(), "cause", check);
  header.seed = get_number(file, "seed", check);
  header.replicates = static_cast<std::uint32_t>(get_number(file, "replicates", check));
  header.block_size = static_cast<std::uint32_t>(get_number(file, "block_size", check));
  if (H5Aexists(file.id(), "first_look") > 0) {
    header.first_look = static_cast<std::uint32_t>(get_number(file, "first_look", check));
    header.until = read_text_attribute(file.id(), "until", check);
  }
  return header;
}

/// [strategy][trial][row] to rows.
template <class Value>
void spread_rows(const std::vector<Value>& turned, Value* rows, std::size_t row_count, std::size_t cells) {
  for (std::size_t row = 0; row < row_count; ++row)
    for (std::size_t cell = 0; cell < cells; ++cell) rows[row * cells + cell] = turned[cell * row_count + row];
}

}  // namespace

struct ResultsReader::Impl {
  Hdf5Quiet quiet;
  Hdf5Check check;
  Hdf5Handle file;
  ResultsHeader header;
  std::string identity;

  explicit Impl(const std::string& path) : check{path}, file{open_file(path, check)} {
    require_format(file, path, check);
    header = read_header(file, check);
    identity = get_texts(file.id(), "provenance/identity", check).at(0);
  }

  void get(const char* name, const PackedBlock& trials, std::size_t width, hid_t type, void* data) const {
    const Hdf5Handle set = check.handle(H5Dopen2(file.id(), name, H5P_DEFAULT), H5Dclose, "a variable is missing");
    const Hdf5Handle source = check.handle(H5Dget_space(set.id()), H5Sclose, read_failed);
    const std::array<hsize_t, 3> expected{trials.strategies, header.replicates, width};
    std::array<hsize_t, 3> found{0, 0, 1};
    const int rank = H5Sget_simple_extent_ndims(source.id());
    if (rank != 2 && rank != 3) check.fail("a variable has another shape than it should");
    check(H5Sget_simple_extent_dims(source.id(), found.data(), nullptr), read_failed);
    if (found != expected) check.fail("a variable has another shape than it should");
    const std::array<hsize_t, 3> start{0, trials.first, 0}, count{trials.strategies, trials.count, width};
    check(H5Sselect_hyperslab(source.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr), read_failed);
    const Hdf5Handle target = check.handle(H5Screate_simple(rank, count.data(), nullptr), H5Sclose, read_failed);
    check(H5Dread(set.id(), type, target.id(), source.id(), H5P_DEFAULT, data), read_failed);
  }

  void get_reals(PackedBlock& trials) const {
    double* row = trials.reals.data();
    for (const RealVariable& each : real_variables()) {
      get(each.name, trials, 1, H5T_NATIVE_DOUBLE, row);
      row += trials.cells();
    }
    std::vector<double> accounts(sim::account_count * trials.cells());
    get("held_gpu_seconds", trials, sim::account_count, H5T_NATIVE_DOUBLE, accounts.data());
    spread_rows(accounts, row, sim::account_count, trials.cells());
  }

  void get_counts(PackedBlock& trials) const {
    std::uint64_t* row = trials.counts.data();
    const auto next = [&](const char* name) {
      get(name, trials, 1, H5T_NATIVE_UINT64, row);
      row += trials.cells();
    };
    next("status");
    for (const CountVariable& each : count_variables()) next(each.name);
    for (const WideVariable& each : wide_variables()) next(each.name);
    if (trials.causes == 0) return;
    std::vector<std::uint64_t> stops(trials.causes * trials.cells());
    get("stops", trials, trials.causes, H5T_NATIVE_UINT64, stops.data());
    spread_rows(stops, row, trials.causes, trials.cells());
  }
};

ResultsReader::ResultsReader(const std::string& path) {
  require_matching_hdf5();
  impl_ = std::make_unique<Impl>(path);
}
ResultsReader::~ResultsReader() = default;
const ResultsHeader& ResultsReader::header() const {
  return impl_->header;
}
const std::string& ResultsReader::identity() const {
  return impl_->identity;
}

PackedBlock ResultsReader::read(std::uint64_t index, std::uint32_t first, std::uint32_t count) const {
  const ResultsHeader& header = impl_->header;
  PackedBlock trials = empty_block(index, first, count, header.strategies.size(), header.causes.size());
  impl_->get_reals(trials);
  impl_->get_counts(trials);
  return trials;
}

}  // namespace fleetcast::analysis
