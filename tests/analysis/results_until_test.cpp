// Results files of runs whose number of trials is not known in advance.
#include <doctest/doctest.h>

#include <algorithm>

#include "analysis/block_layout.hpp"
#include "analysis/results_file.hpp"
#include "made_up.hpp"
#include "models/errors.hpp"

using namespace fleetcast::analysis;
using fleetcast::models::ContractError;
using fleetcast::models::OutputError;

namespace {

/// First look at 50, at most 700 trials.
ResultsHeader header_until() {
  ResultsHeader header = made_up::header(700, 8);
  header.first_look = 50;
  header.until = "cost_usd within 0.01 of its mean, at most 700 trials";
  return header;
}

BlockLayout layout_of(const ResultsHeader& header) {
  return {header.first_look, header.block_size, header.replicates};
}

fleetcast::sim::Block block(const ResultsHeader& header, std::uint64_t index) {
  const BlockLayout::Block place = layout_of(header).at(index);
  fleetcast::sim::Block made{index, place.first, place.count, {}};
  made.outcomes.resize(header.strategies.size());
  for (std::uint32_t s = 0; s < made.outcomes.size(); ++s)
    for (std::uint32_t t = 0; t < place.count; ++t)
      made.outcomes[s].push_back(made_up::outcome(header.seed, place.first + t, s, header.causes.size()));
  return made;
}

/// Writes what is missing up to a look.
void write_until(ResultsFile& file, const ResultsHeader& header, std::uint32_t trials) {
  const BlockLayout layout = layout_of(header);
  for (std::uint64_t i = 0; i < layout.count() && layout.at(i).first < trials; ++i)
    if (!file.has_block(i)) file.write_block(block(header, i));
}

void check_holds(const std::string& path, const ResultsHeader& header, std::uint32_t trials) {
  const ResultsData data = read_results(path);
  CHECK(data.header.replicates == trials);
  CHECK(data.header.first_look == header.first_look);
  CHECK(data.header.until == header.until);
  REQUIRE(data.outcomes.size() == header.strategies.size());
  bool equal = true;
  for (std::uint32_t s = 0; s < data.outcomes.size(); ++s) {
    REQUIRE(data.outcomes[s].size() == trials);
    for (std::uint32_t t = 0; t < trials; ++t)
      equal = equal && data.outcomes[s][t] == made_up::outcome(header.seed, t, s, header.causes.size());
  }
  CHECK(equal);
}

}  // namespace

TEST_CASE("the file of a run that ended at a look holds its trials, and no more") {
  const made_up::Folder folder;
  const ResultsHeader header = header_until();
  for (const std::uint32_t trials : {50U, 100U, 200U, 400U, 700U}) {
    CAPTURE(trials);
    const std::string path = folder / ("r" + std::to_string(trials) + ".h5");
    ResultsFile file{path, header, ExistingResults::refuse};
    write_until(file, header, trials);
    file.assemble(trials);
    check_holds(path, header, trials);
    CHECK_FALSE(std::filesystem::exists(path + ".parts"));
  }
}

TEST_CASE("blocks that cross the chunks of a long run are joined right") {
  const made_up::Folder folder;
  ResultsHeader header = header_until();
  header.replicates = 20'000;
  header.first_look = 5'001;
  header.block_size = 250;
  const std::string path = folder / "long.h5";
  {
    ResultsFile file{path, header, ExistingResults::refuse};
    write_until(file, header, 10'002);
    file.assemble(10'002);
    check_holds(path, header, 10'002);
  }
  ResultsFile file{path, header, ExistingResults::resume};
  const std::uint64_t blocks = layout_of(header).block_of(10'001) + 1;
  bool equal = true;
  for (std::uint64_t i = 0; i < blocks; ++i) equal = equal && file.read_block(i).outcomes == block(header, i).outcomes;
  CHECK(equal);
  CHECK_FALSE(file.has_block(blocks));
}

TEST_CASE("a resumed run whose end was not known gives the same bytes") {
  const made_up::Folder folder;
  const ResultsHeader header = header_until();
  {
    ResultsFile file{folder / "whole.h5", header, ExistingResults::refuse};
    write_until(file, header, 200);
    file.assemble(200);
  }
  const std::string path = folder / "results.h5";
  {
    ResultsFile file{path, header, ExistingResults::refuse};
    write_until(file, header, 100);
    file.write_block(block(header, layout_of(header).block_of(199)));
  }
  {
    ResultsFile file{path, header, ExistingResults::resume};
    CHECK(file.has_block(0));
    CHECK_FALSE(file.has_block(layout_of(header).block_of(100)));
    CHECK(std::ranges::any_of(file.notes(), [](const auto& note) { return note.ends_with("resumed with 15 blocks"); }));
    write_until(file, header, 200);
    file.assemble(200);
  }
  CHECK(made_up::bytes_of(path) == made_up::bytes_of(folder / "whole.h5"));
  ResultsFile again{path, header, ExistingResults::resume};
  CHECK(again.has_block(layout_of(header).block_of(199)));
  CHECK_FALSE(again.has_block(layout_of(header).block_of(200)));
  again.assemble(200);
  CHECK_THROWS_AS(again.assemble(400), ContractError);
  CHECK(made_up::bytes_of(path) == made_up::bytes_of(folder / "whole.h5"));
}

TEST_CASE("another rule, or none, is another run") {
  const made_up::Folder folder;
  const ResultsHeader header = header_until();
  const std::string path = folder / "results.h5";
  { ResultsFile{path, header, ExistingResults::refuse}.write_block(block(header, 0)); }
  const auto refusal = [&](const ResultsHeader& other) {
    try {
      ResultsFile{path, other, ExistingResults::resume};
    } catch (const OutputError& error) {
      return std::string{error.what()};
    }
    return std::string{};
  };
  ResultsHeader other = header;
  other.until = "cost_usd within 0.02 of its mean, at most 700 trials";
  CHECK(refusal(other).find("until is cost_usd within 0.01") != std::string::npos);
  other = header;
  other.first_look = 60;
  CHECK(refusal(other).find("replicates is 50 there and 60 here") != std::string::npos);
  CHECK(refusal(made_up::header(50, 8)).find("at most 700 trials there and none here") != std::string::npos);
  CHECK(refusal(header).empty());
}

TEST_CASE("only a stopping rule ends a run early, only with every block") {
  const made_up::Folder folder;
  const ResultsHeader plain = made_up::header(50, 8), header = header_until();
  ResultsFile fixed{folder / "fixed.h5", plain, ExistingResults::refuse};
  CHECK_THROWS_AS(fixed.assemble(48), ContractError);
  ResultsFile file{folder / "until.h5", header, ExistingResults::refuse};
  write_until(file, header, 50);
  CHECK_THROWS_AS(file.assemble(100), ContractError);
}
