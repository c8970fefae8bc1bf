// What others see: netCDF-4 readers and h5py of the system's Python.
#include <doctest/doctest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>

#include "analysis/results_file.hpp"
#include "made_up.hpp"

using namespace fleetcast::analysis;

namespace {

struct Run {
  int status = 0;
  std::string output;
};

Run run_python(const std::string& script, const std::string& arguments) {
  const std::string command = "/usr/bin/python3 '" + script + "' " + arguments + " 2>&1";
  Run run;
  FILE* pipe = ::popen(command.c_str(), "r");
  char buffer[4096];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) run.output.append(buffer, got);
  const int status = ::pclose(pipe);
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return run;
}

bool importable(const made_up::Folder& folder, const std::string& modules) {
  made_up::write_bytes(folder / "import.py", "import " + modules + "\n");
  return run_python(folder / "import.py", "").status == 0;
}

const char* const with_h5py = R"(
import sys, h5py, numpy as np
f = h5py.File(sys.argv[1], 'r')
assert f.attrs['format'] == 'fleetcast-results', f.attrs['format']
assert int(f.attrs['format_version'][0]) == 1
assert int(f.attrs['seed']) == 18446744073709551615
for name in ('program_version', 'program_commit', 'hdf5_version', 'boost_version', 'title'):
    assert isinstance(f.attrs[name], str) and f.attrs[name], name
assert f['strategy'].asstr()[2] == 'spot, async saves'
assert f['provenance/scenario'].asstr()[()] == '{ "about": "L\u00e4ufe" }\n'
assert list(f['provenance/overrides'].asstr()) == ['/montecarlo/seed=7', '/name="x"']
for name, item in f.items():
    if not isinstance(item, h5py.Dataset): continue
    assert item.attrs['long_name'] and item.attrs['units'], name
    assert item.dtype.kind in 'fiuO', (name, item.dtype)  # no bool, enum or compound
    if name in f['cost_usd'].dims[0].keys(): continue
    for dim in item.dims:
        assert h5py.h5ds.is_scale(item.id) or len(dim) == 1, name
assert [len(f['stops'].dims), f['stops'].dims[2].keys()] == [3, ['cause']], f['stops'].dims[2].keys()
assert f['held_gpu_seconds'].shape == (3, 50, 12) and f['held_gpu_seconds'].chunks == (1, 50, 12)
status, time = f['status'][...], f['time_s'][...]
assert np.array_equal(np.isnan(time), status != 0)
assert np.array_equal(time[status == 0], f['time_at_least_s'][...][status == 0])
assert f['fingerprint'].dtype == np.uint64 and f['fingerprint'][...].max() > 2**63
)";

const char* const with_xarray = R"(
import sys, numpy as np, xarray as xr
d = xr.open_dataset(sys.argv[1], engine='h5netcdf')
assert set(d.sizes.items()) == {('strategy', 3), ('replicate', 50), ('account', 12), ('cause', 3)}, d.sizes
assert set(d.coords) == {'strategy', 'replicate', 'account', 'cause'}
assert d.cost_usd.dims == ('strategy', 'replicate') and d.stops.dims == ('strategy', 'replicate', 'cause')
spot = d.sel(strategy='spot')
assert spot.cost_usd.shape == (50,) and spot.cost_usd.attrs['units'] == 'USD'
assert d.time_s.dtype == np.float64 and d.time_s.attrs['units'] == 's'   # not a timedelta
assert d.held_gpu_seconds.sel(account='lost_work', strategy='base').dims == ('replicate',)
assert d.stops.sel(cause='reclaim').shape == (3, 50)
assert d.fingerprint.dtype == np.uint64
assert list(d.replicate.values[:3]) == [0, 1, 2]
assert d.attrs['format'] == 'fleetcast-results' and int(d.attrs['format_version']) == 1
assert d.attrs['title'] == 'made up' and d.attrs['seed'] == 18446744073709551615 and d.attrs['replicates'] == 50
for name in ('program_version', 'program_commit', 'hdf5_version', 'boost_version'):
    assert isinstance(d.attrs[name], str) and d.attrs[name], name
for name, variable in d.variables.items():
    assert variable.attrs['long_name'], name
    assert variable.attrs.get('units') or name in ('strategy', 'account', 'cause', 'status'), name
units = {name: d[name].attrs['units'] for name in ('held_gpu_seconds', 'stops', 'bytes_written', 'cost_at_least_usd')}
assert units == {'held_gpu_seconds': 'GPU s', 'stops': '1', 'bytes_written': 'B', 'cost_at_least_usd': 'USD'}, units
for name in ('cost_usd', 'time_s'):  # no figure where a trial did not finish
    assert np.isnan(d[name].encoding['_FillValue']), d[name].encoding
    assert np.array_equal(np.isnan(d[name].values), d.status.values != 0), name
    assert not np.isnan(d[name.replace('_', '_at_least_')].values).any(), name
p = xr.open_dataset(sys.argv[1], engine='h5netcdf', group='provenance')
assert str(p.scenario.values) == '{ "about": "L\u00e4ufe" }\n', p.scenario.values
assert [str(each) for each in p.overrides.values] == ['/montecarlo/seed=7', '/name="x"']
assert str(p.calibration.values) == 'none' and 'seed' in str(p.identity.values)
assert d.status.attrs['flag_meanings'].split()[4] == 'event_limit' and list(d.status.attrs['flag_values']) == [0, 1, 2, 3, 4, 5]
finished = d.time_s.where(d.status == 0, drop=False)
assert int(finished.notnull().sum()) == int((d.status == 0).sum()) < 150
assert 'time_s' in d.to_dataframe().columns
)";

void check_with(const char* script, const std::string& modules) {
  const made_up::Folder folder;
  if (!importable(folder, modules)) {
    MESSAGE("skipped: /usr/bin/python3 cannot import " << modules);
    return;
  }
  const ResultsHeader header = made_up::header();
  ResultsFile file{folder / "results.h5", header, ExistingResults::refuse};
  made_up::complete(file, header);
  made_up::write_bytes(folder / "read.py", script);
  const Run run = run_python(folder / "read.py", "'" + folder / "results.h5" + "'");
  CHECK_MESSAGE(run.status == 0, run.output);
}

/// The lines that README.md shows for reading a results file.
std::string readme_lines() {
  const std::string text = made_up::bytes_of(std::string{FLEETCAST_SOURCE_DIR} + "/README.md"), fence = "```python\n";
  const std::size_t begin = text.find(fence);
  REQUIRE(begin != std::string::npos);
  const std::size_t code = begin + fence.size();
  return text.substr(code, text.find("```", code) - code);
}

/// What those lines print about the finished trials of "spot": mean cost in USD, three quantiles of the time in days.
struct Printed {
  double mean_cost = 0.0;
  std::array<double, 3> days{};
};

Printed expected_of_spot(const ResultsHeader& header) {
  std::vector<double> costs, days;
  for (std::uint32_t trial = 0; trial < header.replicates; ++trial) {
    const auto outcome = made_up::outcome(header.seed, trial, 1, header.causes.size());
    if (outcome.status != fleetcast::sim::Status::finished) continue;
    costs.push_back(outcome.cost_usd);
    days.push_back(outcome.time_s / 86400.0);
  }
  std::ranges::sort(days);
  const auto quantile = [&](double share) {  // numpy's: linear between the two neighbours
    const double place = share * static_cast<double>(days.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const double above = days[std::min(below + 1, days.size() - 1)];
    return days[below] + (place - static_cast<double>(below)) * (above - days[below]);
  };
  double sum = 0.0;
  for (const double cost : costs) sum += cost;
  return {sum / static_cast<double>(costs.size()), {quantile(0.05), quantile(0.5), quantile(0.95)}};
}

}  // namespace

TEST_CASE("the lines of the README read a results file and print what is in it") {
  const made_up::Folder folder;
  if (!importable(folder, "xarray, h5netcdf")) {
    MESSAGE("skipped: /usr/bin/python3 cannot import xarray, h5netcdf");
    return;
  }
  const ResultsHeader header = made_up::header();
  ResultsFile file{folder / "results.h5", header, ExistingResults::refuse};
  made_up::complete(file, header);
  // They open "results.h5", so they are run where it lies.
  made_up::write_bytes(folder / "readme.py", "import os, sys\nos.chdir(sys.argv[1])\n" + readme_lines());
  const Run run = run_python(folder / "readme.py", "'" + folder.path() + "'");
  REQUIRE_MESSAGE(run.status == 0, run.output);

  std::string plain = run.output;
  std::ranges::replace_if(
      plain, [](char c) { return c == '[' || c == ']'; }, ' ');
  std::istringstream words{plain};
  Printed printed;
  words >> printed.mean_cost >> printed.days[0] >> printed.days[1] >> printed.days[2];
  REQUIRE_MESSAGE(words, run.output);
  const Printed expected = expected_of_spot(header);
  CHECK(printed.mean_cost == doctest::Approx(expected.mean_cost).epsilon(1e-12));
  for (std::size_t i = 0; i < 3; ++i)  // numpy prints eight digits
    CHECK(printed.days[i] == doctest::Approx(expected.days[i]).epsilon(1e-7));
}

TEST_CASE("h5py reads every variable with units, a long name and named dimensions") {
  check_with(with_h5py, "h5py");
}

TEST_CASE("xarray opens the file as a dataset: strategies by name, seconds as numbers, missing as NaN") {
  check_with(with_xarray, "xarray, h5netcdf");
}

TEST_CASE("A part can be looked into with h5py") {
  const made_up::Folder folder;
  if (!importable(folder, "h5py")) {
    MESSAGE("skipped: /usr/bin/python3 cannot import h5py");
    return;
  }
  const ResultsHeader header = made_up::header();
  ResultsFile file{folder / "results.h5", header, ExistingResults::refuse};
  file.write_block(made_up::block(header, 3));
  made_up::write_bytes(folder / "part.py",
                       "import sys, h5py\nf = h5py.File(sys.argv[1], 'r')\n"
                       "assert list(f['place']) == [3, 24]\nassert f['reals'].shape[1:] == (3, 8)\n"
                       "assert b'seed' in bytes(f['identity'][...])\n");
  const Run run = run_python(folder / "part.py", "'" + folder / "results.h5.parts/000003.h5" + "'");
  CHECK_MESSAGE(run.status == 0, run.output);
}
