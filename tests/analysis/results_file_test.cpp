#include "analysis/results_file.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "analysis/disk.hpp"
#include "made_up.hpp"
#include "models/errors.hpp"

using namespace fleetcast::analysis;
using fleetcast::models::OutputError;

namespace {

std::string message_of(const auto& action) {
  try {
    action();
  } catch (const OutputError& error) {
    return error.what();
  }
  return "";
}

std::string refusal(const std::string& path, const ResultsHeader& header, ExistingResults existing) {
  return message_of([&] { ResultsFile{path, header, existing}; });
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void write_whole(const std::string& path, const ResultsHeader& header) {
  ResultsFile file{path, header, ExistingResults::refuse};
  made_up::complete(file, header);
}

}  // namespace

TEST_CASE("A results file gives back every outcome and its header, bit by bit") {
  const made_up::Folder folder;
  for (const auto& [replicates, block_size] : {std::pair{50U, 8U}, {1U, 256U}, {8U, 8U}, {9000U, 500U}}) {
    const ResultsHeader header = made_up::header(replicates, block_size);
    const std::string path = folder / ("r" + std::to_string(replicates) + ".h5");
    write_whole(path, header);
    const ResultsData data = read_results(path);
    CHECK(data.header.scenario_text == header.scenario_text);
    CHECK(data.header.scenario_name == header.scenario_name);
    CHECK(data.header.calibration_text == header.calibration_text);
    CHECK(data.header.overrides == header.overrides);
    CHECK(data.header.strategies == header.strategies);
    CHECK(data.header.causes == header.causes);
    CHECK(data.header.seed == header.seed);
    CHECK(data.header.replicates == replicates);
    CHECK(data.header.block_size == block_size);
    bool equal = data.outcomes.size() == header.strategies.size();
    for (std::uint32_t s = 0; equal && s < data.outcomes.size(); ++s)
      for (std::uint32_t t = 0; t < replicates; ++t)
        equal = equal && data.outcomes[s].at(t) == made_up::outcome(header.seed, t, s, header.causes.size());
    CHECK(equal);
  }
}

TEST_CASE("Parts give back their block before and after the file is joined") {
  const made_up::Folder folder;
  const ResultsHeader header = made_up::header();
  ResultsFile file{folder / "results.h5", header, ExistingResults::refuse};
  CHECK_FALSE(file.has_block(2));
  file.write_block(made_up::block(header, 2));
  CHECK(file.has_block(2));
  CHECK(file.read_block(2).outcomes == made_up::block(header, 2).outcomes);
  made_up::complete(file, header);
  CHECK(file.read_block(6).outcomes == made_up::block(header, 6).outcomes);
  CHECK(file.read_block(6).count == 2);
  CHECK_FALSE(file.has_block(7));
  CHECK_FALSE(std::filesystem::exists(folder / "results.h5.parts"));
}

TEST_CASE("The same run gives the same bytes, whatever the order of its blocks") {
  const made_up::Folder folder;
  const ResultsHeader header = made_up::header();
  write_whole(folder / "a.h5", header);
  {
    ResultsFile file{folder / "b.h5", header, ExistingResults::refuse};
    for (std::uint64_t i = made_up::blocks_of(header); i-- > 0;) file.write_block(made_up::block(header, i));
    file.assemble();
  }
  CHECK(made_up::bytes_of(folder / "a.h5") == made_up::bytes_of(folder / "b.h5"));
  ResultsHeader other = header;
  other.seed = 5;
  write_whole(folder / "c.h5", other);
  CHECK(made_up::bytes_of(folder / "a.h5") != made_up::bytes_of(folder / "c.h5"));
}

TEST_CASE("An empty list of overrides, empty texts and a run without causes are stored as such") {
  const made_up::Folder folder;
  ResultsHeader header = made_up::header();
  header.overrides.clear();
  header.causes.clear();
  header.calibration_text.clear();
  write_whole(folder / "results.h5", header);
  const ResultsData data = read_results(folder / "results.h5");
  CHECK(data.header.overrides.empty());
  CHECK(data.header.causes.empty());
  CHECK(data.header.calibration_text.empty());
  CHECK(data.outcomes[1][3] == made_up::outcome(header.seed, 3, 1, 0));
}

TEST_CASE("A scenario text above 64 kB is stored whole") {
  const made_up::Folder folder;
  ResultsHeader header = made_up::header();
  header.scenario_text = std::string(300'000, 'x') + "ü";
  write_whole(folder / "results.h5", header);
  CHECK(read_results(folder / "results.h5").header.scenario_text == header.scenario_text);
}

TEST_CASE("Nothing is overwritten unasked") {
  const made_up::Folder folder;
  const ResultsHeader header = made_up::header();
  const std::string path = folder / "results.h5";
  { ResultsFile{path, header, ExistingResults::refuse}.write_block(made_up::block(header, 1)); }
  CHECK(contains(refusal(path, header, ExistingResults::refuse), "--resume"));
  {
    ResultsFile file{path, header, ExistingResults::overwrite};
    CHECK_FALSE(file.has_block(1));
    made_up::complete(file, header);
  }
  const std::string before = made_up::bytes_of(path);
  CHECK(contains(refusal(path, header, ExistingResults::refuse), "exists already"));
  CHECK(made_up::bytes_of(path) == before);
}

TEST_CASE("A place that cannot be written is refused before any work") {
  const made_up::Folder folder;
  const ResultsHeader header = made_up::header();
  const auto refused = [&](const std::string& path) { return refusal(path, header, ExistingResults::refuse); };
  CHECK(contains(refused(folder / "absent/results.h5"), "no such folder"));
  CHECK(contains(refused(folder.path()), "is a folder"));
  CHECK(contains(refused(folder.path() + "/"), "names a folder"));
  CHECK(contains(refused(""), "names a folder"));
  CHECK(contains(refused("/dev/null"), "not an ordinary file"));
  made_up::write_bytes(folder / "file", "x");
  CHECK(contains(refused(folder / "file/results.h5"), "Not a directory"));
  CHECK(contains(refused("/proc/results.h5"), "/proc"));  // no file can be made there, not even by root
  CHECK(contains(refused(folder / (std::string(260, 'n') + ".h5")), "File name too long"));
  CHECK(std::filesystem::directory_iterator { folder.path() } -> path().filename() == "file");
}

TEST_CASE("A run that cannot fit on the disk is refused before any work") {
  const made_up::Folder folder;
  const ResultsHeader header = made_up::header(4'000'000'000U, 256);  // 4e9 trials x 3 x 35 values: terabytes
  CHECK(contains(refusal(folder / "results.h5", header, ExistingResults::refuse), "are free there"));
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("Awkward paths work: blanks, Unicode, percent, hash, a leading dash, 300 characters") {
  const made_up::Folder folder;
  const ResultsHeader header = made_up::header(3, 2);
  const std::string deep = folder / std::string(140, 'd') + "/" + std::string(140, 'e');
  const auto home = std::filesystem::current_path();
  for (const std::string& place : {folder / "Läufe 2026/проба 试验", deep, folder / "50% #1"}) {
    std::filesystem::create_directories(place);
    for (const std::string name : {"results.h5", "-o.h5", "%s%d #.h5", "a b.h5"}) {
      CAPTURE(place + "/" + name);
      write_whole(place + "/" + name, header);
      CHECK(read_results(place + "/" + name).outcomes[2].size() == 3);
    }
  }
  std::filesystem::current_path(folder.path());
  write_whole("-dash.h5", header);
  CHECK(read_results("-dash.h5").outcomes[0].size() == 3);
  std::filesystem::current_path(home);
}

TEST_CASE("A resumed run keeps its parts and gives the same bytes as an undisturbed one") {
  const made_up::Folder folder;
  const ResultsHeader header = made_up::header();
  write_whole(folder / "whole.h5", header);
  const std::string path = folder / "results.h5";
  {
    ResultsFile file{path, header, ExistingResults::refuse};
    for (const std::uint64_t i : {0, 3, 6}) file.write_block(made_up::block(header, i));
  }
  made_up::write_bytes(path + ".parts/000001.h5.tmp", "half a part");
  {
    ResultsFile file{path, header, ExistingResults::resume};
    CHECK(file.has_block(3));
    CHECK_FALSE(file.has_block(1));
    CHECK_FALSE(std::filesystem::exists(path + ".parts/000001.h5.tmp"));
    made_up::complete(file, header);
  }
  CHECK(made_up::bytes_of(path) == made_up::bytes_of(folder / "whole.h5"));
}

TEST_CASE("A finished run can be resumed: everything is there") {
  const made_up::Folder folder;
  const ResultsHeader header = made_up::header();
  const std::string path = folder / "results.h5";
  write_whole(path, header);
  const std::string before = made_up::bytes_of(path);
  ResultsFile file{path, header, ExistingResults::resume};
  CHECK(file.has_block(6));
  CHECK(file.read_block(4).outcomes == made_up::block(header, 4).outcomes);
  made_up::complete(file, header);
  CHECK(made_up::bytes_of(path) == before);
}

TEST_CASE("Parts of another run are refused, and the difference is named") {
  const made_up::Folder folder;
  const ResultsHeader header = made_up::header();
  const std::string path = folder / "results.h5";
  { ResultsFile{path, header, ExistingResults::refuse}.write_block(made_up::block(header, 0)); }
  const auto differing = [&](auto&& change) {
    ResultsHeader other = header;
    change(other);
    return refusal(path, other, ExistingResults::resume);
  };
  CHECK(contains(differing([](auto& h) { h.seed = 3; }), "seed is 18446744073709551615 there and 3 here"));
  CHECK(contains(differing([](auto& h) { h.replicates = 60; }), "replicates is 50 there and 60 here"));
  CHECK(contains(differing([](auto& h) { h.block_size = 10; }), "block size is 8 there and 10 here"));
  CHECK(contains(differing([](auto& h) { h.scenario_text += " "; }), "scenario text is"));
  CHECK(contains(differing([](auto& h) { h.calibration_text = "x"; }), "calibration is"));
  CHECK(contains(differing([](auto& h) { h.overrides.pop_back(); }), "overrides is"));
  CHECK(contains(differing([](auto& h) { h.strategies[1] = "x"; }), "strategies is"));
  CHECK(contains(differing([](auto& h) { h.causes[1] = "x"; }), "causes is"));
  CHECK(refusal(path, header, ExistingResults::resume).empty());
}

TEST_CASE("A damaged or truncated part is reported and computed again") {
  const made_up::Folder folder;
  const ResultsHeader header = made_up::header();
  const std::string path = folder / "results.h5";
  write_whole(folder / "whole.h5", header);
  {
    ResultsFile file{path, header, ExistingResults::refuse};
    for (std::uint64_t i = 0; i < 6; ++i) file.write_block(made_up::block(header, i));
  }
  const auto damage = [&](int index, auto&& change) {
    const std::string part = path + ".parts/00000" + std::to_string(index) + ".h5";
    std::string bytes = made_up::bytes_of(part);
    change(bytes);
    made_up::write_bytes(part, bytes);
  };
  damage(0, [](std::string& bytes) { bytes.resize(bytes.size() - 1); });
  damage(1, [](std::string& bytes) { bytes.clear(); });
  damage(2, [](std::string& bytes) { bytes[bytes.size() / 2] ^= 1; });
  damage(3, [](std::string& bytes) { bytes[20] ^= 1; });
  damage(4, [](std::string& bytes) { bytes += "x"; });
  ResultsFile file{path, header, ExistingResults::resume};
  CHECK(file.notes().size() == 6);  // five damaged, one line on what was resumed
  CHECK(contains(file.notes()[2], "computed again"));
  CHECK_FALSE(file.has_block(0));
  CHECK(file.has_block(5));
  made_up::complete(file, header);
  CHECK(made_up::bytes_of(path) == made_up::bytes_of(folder / "whole.h5"));
}

TEST_CASE("A part in the place of another is recognised") {
  const made_up::Folder folder;
  const ResultsHeader header = made_up::header();
  const std::string path = folder / "results.h5";
  { ResultsFile{path, header, ExistingResults::refuse}.write_block(made_up::block(header, 0)); }
  std::filesystem::copy(path + ".parts/000000.h5", path + ".parts/000003.h5");
  std::filesystem::copy(path + ".parts/000000.h5", path + ".parts/000099.h5");
  ResultsFile file{path, header, ExistingResults::resume};
  CHECK(file.has_block(0));
  CHECK_FALSE(file.has_block(3));
  CHECK_FALSE(file.has_block(99));
}

TEST_CASE("A file of another form or version is refused with a reason") {
  const made_up::Folder folder;
  CHECK(contains(message_of([&] { read_results(folder / "absent.h5"); }), "no such file"));
  made_up::write_bytes(folder / "text.h5", "not HDF5 at all");
  CHECK(contains(message_of([&] { read_results(folder / "text.h5"); }), "cannot be opened"));
  const ResultsHeader header = made_up::header();
  { ResultsFile{folder / "r.h5", header, ExistingResults::refuse}.write_block(made_up::block(header, 0)); }
  CHECK(contains(message_of([&] { read_results(folder / "r.h5.parts/000000.h5"); }), "not a results file"));
}

TEST_CASE("A block with other trials, strategies or causes than the run is our bug") {
  const made_up::Folder folder;
  const ResultsHeader header = made_up::header();
  ResultsFile file{folder / "results.h5", header, ExistingResults::refuse};
  auto block = made_up::block(header, 0);
  block.outcomes.pop_back();
  CHECK_THROWS_AS(file.write_block(block), fleetcast::models::ContractError);
  block = made_up::block(header, 0);
  block.outcomes[0][0].stops_by_cause.clear();
  CHECK_THROWS_AS(file.write_block(block), fleetcast::models::ContractError);
  block = made_up::block(header, 0);
  block.first = 1;
  CHECK_THROWS_AS(file.write_block(block), fleetcast::models::ContractError);
  CHECK_THROWS_AS(file.assemble(), fleetcast::models::ContractError);
}
