#include <fcntl.h>
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>

#include "analysis/hdf5_layout.hpp"
#include "analysis/hdf5_results.hpp"
#include "analysis/identity.hpp"
#include "analysis/version.hpp"

namespace fleetcast::analysis {

namespace {

constexpr std::uint32_t wanted_chunk = 4096;
constexpr const char* write_failed = "trials cannot be written";

Hdf5Handle create_file(const std::string& path, const Hdf5Check& check) {
  const Hdf5Handle access = check.handle(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "cannot be created");
  check(H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_V18), "cannot be created");
  check(H5Pset_file_locking(access.id(), false, true), "cannot be created");  // we have a lock of our own
  const Hdf5Handle creation = check.handle(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "cannot be created");
  // netCDF-4 shows variables in the order of their creation only if it is tracked.
  check(H5Pset_link_creation_order(creation.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), "cannot be created");
  check(H5Pset_attr_creation_order(creation.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), "cannot be created");
  check(H5Pset_obj_track_times(creation.id(), false), "cannot be created");
  return check.handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.id(), access.id()), H5Fclose,
                      "cannot be created");
}

/// After a failed write HDF5 1.10 cannot close the file, and crashes when it tries again at the end of the program.
/// So what it still holds goes to /dev/null, and everything closes in peace.
void divert_to_nowhere(const Hdf5Handle& file) {
  void* descriptor = nullptr;
  if (H5Fget_vfd_handle(file.id(), H5P_DEFAULT, &descriptor) < 0 || descriptor == nullptr) return;
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere < 0) return;
  ::dup2(nowhere, *static_cast<int*>(descriptor));
  ::close(nowhere);
}

void put_root_attributes(const Hdf5Handle& file, const ResultsHeader& header, const Hdf5Check& check) {
  put_text(file.id(), "format", format_name, check);
  put_int32s(file.id(), "format_version", {format_version}, check);
  put_text(file.id(), "title", header.scenario_name, check);
  put_text(file.id(), "program_version", program_version(), check);
  put_text(file.id(), "program_commit", program_commit(), check);
  put_text(file.id(), "hdf5_version", hdf5_version(), check);
  put_text(file.id(), "boost_version", boost_version(), check);
  put_uint64(file.id(), "seed", header.seed, check);
  put_uint64(file.id(), "replicates", header.replicates, check);
  put_uint64(file.id(), "block_size", header.block_size, check);
  if (header.first_look == 0) return;
  put_uint64(file.id(), "first_look", header.first_look, check);
  put_text(file.id(), "until", header.until, check);
}

void put_provenance(const Hdf5Handle& file, const ResultsHeader& header, const Hdf5Check& check) {
  const Hdf5Handle options = check.handle(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, "a group cannot be created");
  check(H5Pset_obj_track_times(options.id(), false), "a group cannot be created");
  const Hdf5Handle group = check.handle(H5Gcreate2(file.id(), "provenance", H5P_DEFAULT, options.id(), H5P_DEFAULT),
                                        H5Gclose, "a group cannot be created");
  put_single_text(group.id(), "scenario", header.scenario_text, check);
  put_single_text(group.id(), "calibration", header.calibration_text, check);
  put_single_text(group.id(), "identity", to_text(identity_of(header)), check);
  // A dimension of its own: readers of netCDF-4 know no list without one.
  const VariableText overrides{"overrides", "", "changes of the scenario from the command line"};
  if (!header.overrides.empty()) named_dimension(group.id(), overrides, header.overrides, check);
}

struct Dimensions {
  Dimension strategy, replicate, account, cause;
};

Dimensions make_dimensions(const Hdf5Handle& file, const ResultsHeader& header, const Hdf5Check& check) {
  const std::vector<std::string> accounts(sim::account_names.begin(), sim::account_names.end());
  Dimensions made;
  made.strategy = named_dimension(file.id(), {"strategy", "1", "strategy"}, header.strategies, check);
  made.replicate = counted_dimension(file.id(), {"replicate", "1", "number of the trial"}, header.replicates,
                                     chunk_trials(header), check);
  made.account = named_dimension(file.id(), {"account", "1", "account of GPU time"}, accounts, check);
  if (!header.causes.empty())
    made.cause = named_dimension(file.id(), {"cause", "1", "cause of a stop"}, header.causes, check);
  return made;
}

/// Rows of the table turned round: [row][strategy][trial] to [strategy][trial][row].
template <class Value>
std::vector<Value> interleaved(const Value* rows, std::size_t row_count, std::size_t cells) {
  std::vector<Value> turned(row_count * cells);
  for (std::size_t row = 0; row < row_count; ++row)
    for (std::size_t cell = 0; cell < cells; ++cell) turned[cell * row_count + row] = rows[row * cells + cell];
  return turned;
}

std::vector<double> missing_unless_finished(const PackedBlock& trials, const double* values) {
  std::vector<double> figures(values, values + trials.cells());
  for (std::size_t cell = 0; cell < figures.size(); ++cell)
    if (trials.count_row(0)[cell] != static_cast<std::uint64_t>(sim::Status::finished))
      figures[cell] = std::numeric_limits<double>::quiet_NaN();
  return figures;
}

}  // namespace

std::uint32_t chunk_trials(const ResultsHeader& header) {
  const std::uint32_t blocks = std::max<std::uint32_t>(1, wanted_chunk / header.block_size);
  return std::min(header.replicates, blocks * header.block_size);
}

struct ResultsWriter::Impl {
  Hdf5Quiet quiet;
  Hdf5Check check;
  Hdf5Handle file, time, cost, status, held, stops;
  std::vector<Hdf5Handle> reals, counts, wides;
  bool finished = false;

  Impl(const std::string& path, const ResultsHeader& header) : check{path}, file{create_file(path, check)} {
    try {
      create_all(header);
    } catch (...) {
      divert_to_nowhere(file);
      throw;
    }
  }
  ~Impl() {
    if (!finished && file.id() >= 0) divert_to_nowhere(file);
  }

  void create_all(const ResultsHeader& header) {
    put_root_attributes(file, header, check);
    const Dimensions made = make_dimensions(file, header, check);
    const std::vector<const Dimension*> plain{&made.strategy, &made.replicate};
    const auto variable = [&](const VariableText& text, Stored stored) {
      return make_variable(file.id(), text, stored, plain, check);
    };
    cost = variable({"cost_usd", "USD", "cost of a finished trial; missing if unfinished"}, Stored::real_or_missing);
    time = variable({"time_s", "s", "time from submission to the durable final save; missing if unfinished"},
                    Stored::real_or_missing);
    status = variable({"status", "1", "how the trial ended"}, Stored::int32);
    put_int32s(status.id(), "flag_values", {0, 1, 2, 3, 4, 5}, check);
    put_text(status.id(), "flag_meanings", "finished horizon deadline budget event_limit recording_end", check);
    held = make_variable(file.id(), {"held_gpu_seconds", "GPU s", "GPU time held, by account"}, Stored::real,
                         {&made.strategy, &made.replicate, &made.account}, check);
    if (!header.causes.empty())
      stops = make_variable(file.id(), {"stops", "1", "stops by cause"}, Stored::uint32,
                            {&made.strategy, &made.replicate, &made.cause}, check);
    for (const RealVariable& each : real_variables())
      reals.push_back(variable({each.name, each.units, each.long_name}, Stored::real));
    for (const CountVariable& each : count_variables())
      counts.push_back(variable({each.name, each.units, each.long_name}, Stored::uint32));
    for (const WideVariable& each : wide_variables())
      wides.push_back(variable({each.name, each.units, each.long_name}, Stored::uint64));
    put_provenance(file, header, check);
  }

  /// `width` 1: a plain variable; else values per trial.
  void put(const Hdf5Handle& set, const PackedBlock& trials, std::size_t width, hid_t type, const void* data) const {
    const int rank = width == 1 && set.id() != held.id() && set.id() != stops.id() ? 2 : 3;
    const std::array<hsize_t, 3> start{0, trials.first, 0}, count{trials.strategies, trials.count, width};
    const Hdf5Handle target = check.handle(H5Dget_space(set.id()), H5Sclose, write_failed);
    check(H5Sselect_hyperslab(target.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr), write_failed);
    const Hdf5Handle source = check.handle(H5Screate_simple(rank, count.data(), nullptr), H5Sclose, write_failed);
    check(H5Dwrite(set.id(), type, source.id(), target.id(), H5P_DEFAULT, data), write_failed);
  }

  void write(const PackedBlock& trials) const {
    const std::size_t cells = trials.cells(), first_account = reals.size();
    put(time, trials, 1, H5T_NATIVE_DOUBLE, missing_unless_finished(trials, trials.real_row(0)).data());
    put(cost, trials, 1, H5T_NATIVE_DOUBLE, missing_unless_finished(trials, trials.real_row(1)).data());
    for (std::size_t i = 0; i < reals.size(); ++i) put(reals[i], trials, 1, H5T_NATIVE_DOUBLE, trials.real_row(i));
    put(held, trials, sim::account_count, H5T_NATIVE_DOUBLE,
        interleaved(trials.real_row(first_account), sim::account_count, cells).data());
    std::size_t row = 0;
    put(status, trials, 1, H5T_NATIVE_UINT64, trials.count_row(row++));
    for (const Hdf5Handle& set : counts) put(set, trials, 1, H5T_NATIVE_UINT64, trials.count_row(row++));
    for (const Hdf5Handle& set : wides) put(set, trials, 1, H5T_NATIVE_UINT64, trials.count_row(row++));
    if (trials.causes > 0)
      put(stops, trials, trials.causes, H5T_NATIVE_UINT64,
          interleaved(trials.count_row(row), trials.causes, cells).data());
  }

  void finish() {
    check(H5Fflush(file.id(), H5F_SCOPE_GLOBAL), "cannot be completed");
    finished = true;
    for (auto* each : {&time, &cost, &status, &held, &stops}) check(each->close(), "cannot be closed");
    for (auto* list : {&reals, &counts, &wides})
      for (Hdf5Handle& each : *list) check(each.close(), "cannot be closed");
    check(file.close(), "cannot be closed");
  }
};

ResultsWriter::ResultsWriter(const std::string& path, const ResultsHeader& header) {
  require_matching_hdf5();
  impl_ = std::make_unique<Impl>(path, header);
}
ResultsWriter::~ResultsWriter() = default;
void ResultsWriter::write(const PackedBlock& trials) {
  impl_->write(trials);
}
void ResultsWriter::finish() {
  impl_->finish();
}

}  // namespace fleetcast::analysis
