#include "analysis/results_file.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <set>

#include "analysis/block_layout.hpp"
#include "analysis/disk.hpp"
#include "analysis/hdf5_results.hpp"
#include "analysis/identity.hpp"
#include "analysis/output_lock.hpp"
#include "analysis/parts_folder.hpp"
#include "analysis/version.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

using models::OutputError;
constexpr std::uint64_t spare_bytes = 1 << 20;  // texts, indices, folder entries

BlockLayout layout_of(const ResultsHeader& header) {
  return {header.first_look, header.block_size, header.replicates};
}

void require_complete(const ResultsHeader& header) {
  models::require(header.replicates > 0 && header.block_size > 0 && !header.strategies.empty(),
                  "a results file has trials, blocks and strategies");
}

/// Texts are stored as C strings; found out now, not at the end.
void require_storable(const ResultsHeader& header) {
  std::vector<std::string> texts{header.scenario_name, header.scenario_text, header.calibration_text, header.until};
  for (const auto* list : {&header.overrides, &header.strategies, &header.causes})
    texts.insert(texts.end(), list->begin(), list->end());
  for (const std::string& text : texts)
    if (text.find('\0') != std::string::npos) throw OutputError{"a text with a NUL byte cannot be stored in results"};
}

/// The path names a file that can be made: not a folder, not a device, in a folder that can be written.
void require_usable(const std::string& path) {
  if (path.empty() || path.back() == '/') throw OutputError{"'" + path + "': names a folder, not a results file"};
  const PathKind kind = kind_of(path);
  if (kind == PathKind::folder) throw OutputError{path + ": is a folder"};
  if (kind == PathKind::other) throw OutputError{path + ": is not an ordinary file"};
  require_writable_folder(folder_of(path));
}

std::string in_gigabytes(std::uint64_t bytes) {
  const std::uint64_t tenths = (bytes + 50'000'000) / 100'000'000;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GB";
}

/// Parts hold every value in 8 bytes; the joined file is smaller by compression, but both lie there for a moment.
std::uint64_t estimated_bytes(const ResultsHeader& header, std::uint64_t trials) {
  const std::uint64_t per_trial = 8 * (real_rows() + count_rows(header.causes.size())) * header.strategies.size();
  return per_trial * (trials + header.replicates) + spare_bytes;
}

}  // namespace

struct ResultsFile::Impl {
  std::string path;
  ResultsHeader header;
  BlockLayout layout;
  Identity identity;
  OutputLock lock;
  PartsFolder parts;
  std::unique_ptr<ResultsReader> complete;  ///< on resume: the finished file of this very run
  std::set<std::uint64_t> blocks;
  mutable std::mutex mutex;    ///< of `blocks`: workers ask while another block is taken
  mutable PackedBlock latest;  ///< chunk of `complete` that was read last: blocks are read in turn

  Impl(const std::string& path_, const ResultsHeader& header_)
      : path{path_},
        header{header_},
        layout{layout_of(header_)},
        identity{identity_of(header_)},
        lock{path_ + ".lock"},
        parts{path_ + ".parts"} {}

  ~Impl() { parts.remove_if_empty(); }

  void prepare(ExistingResults existing, std::vector<std::string>& notes) {
    if (!lock.note().empty()) notes.push_back(lock.note());
    if (existing == ExistingResults::refuse) refuse_existing();
    if (existing == ExistingResults::overwrite) parts.remove_all();
    if (existing == ExistingResults::resume) resume(notes);
    remove_quietly(path + ".tmp");
    if (complete) return;
    make_folder(parts.path());
    require_space();
  }

  void refuse_existing() const {
    if (kind_of(path) == PathKind::file)
      throw OutputError{path + ": exists already (--force overwrites it, --resume keeps it if it is of this run)"};
    if (!parts.indices().empty())
      throw OutputError{parts.path() + ": holds parts of a run that was not completed (--resume completes it, " +
                        "--force starts afresh)"};
  }

  void refuse_unless_same(const std::string& text, const std::string& file) const {
    const auto there = identity_from(text);
    if (!there) throw OutputError{file + ": does not say which run it is of; --force starts afresh"};
    const std::string differences = differences_between(*there, identity);
    if (!differences.empty())
      throw OutputError{file + ": is of another run, so it cannot be resumed: " + differences +
                        " (--force starts afresh)"};
  }

  void resume(std::vector<std::string>& notes) {
    parts.remove_temporary_files();
    if (kind_of(path) == PathKind::file && is_complete(notes)) return;
    for (const std::uint64_t index : parts.indices()) adopt(index, notes);
    if (blocks.empty()) return;
    const std::string all = header.first_look > 0 ? "" : " of " + std::to_string(layout.count());
    notes.push_back("resumed with " + std::to_string(blocks.size()) + all + " blocks");
  }

  /// A stopping rule ended, or had ended, with fewer trials than there might have been.
  void set_replicates(std::uint32_t replicates) {
    models::require(replicates == header.replicates || (header.first_look > 0 && replicates < header.replicates),
                    "only a stopping rule ends a run early");
    header.replicates = replicates;
    layout = layout_of(header);
  }

  /// Whether FILE is the finished file of this run. A file of another run is refused, unless there are parts: then
  /// it is the one that an earlier --force was about to replace.
  bool is_complete(std::vector<std::string>& notes) {
    auto reader = std::make_unique<ResultsReader>(path);
    if (reader->identity() != to_text(identity)) {
      if (parts.indices().empty()) refuse_unless_same(reader->identity(), path);
      notes.push_back(path + " is of another run and is replaced at the end");
      return false;
    }
    set_replicates(reader->header().replicates);
    complete = std::move(reader);
    parts.remove_all();
    notes.push_back(path + " is complete already; nothing is computed again");
    return true;
  }

  void adopt(std::uint64_t index, std::vector<std::string>& notes) {
    try {
      const Part part = parts.read(index);
      refuse_unless_same(part.identity, parts.part_path(index));
      if (!fits(part.block, index)) throw DamagedPart{parts.part_path(index) + ": damaged part: other trials inside"};
      blocks.insert(index);
    } catch (const DamagedPart& error) {
      notes.push_back(std::string{error.what()} + "; its trials are computed again");
      remove_quietly(parts.part_path(index));
    }
  }

  [[nodiscard]] bool fits(const PackedBlock& block, std::uint64_t index) const {
    if (index >= layout.count() || block.index != index) return false;
    const BlockLayout::Block place = layout.at(index);
    return block.first == place.first && block.count == place.count && block.strategies == header.strategies.size() &&
           block.causes == header.causes.size();
  }

  void require_space() const {
    std::uint64_t trials = header.replicates;
    for (const std::uint64_t index : blocks) trials -= layout.at(index).count;
    const std::uint64_t needed = estimated_bytes(header, trials);
    const auto available = free_bytes(folder_of(path));
    if (available && *available < needed)
      throw OutputError{path + ": needs up to " + in_gigabytes(needed) + ", but only " + in_gigabytes(*available) +
                        " are free there"};
  }

  /// A block of the finished file; chunks are unpacked once if blocks are asked for in order.
  [[nodiscard]] PackedBlock from_complete(std::uint64_t index) const {
    const auto [first, count] = layout.at(index);
    if (first < latest.first || first + count > latest.first + latest.count)
      latest = complete->read(0, first, std::min(chunk_trials(header), header.replicates - first));
    PackedBlock block = empty_block(index, first, count, latest.strategies, latest.causes);
    copy_common(latest, block);
    return block;
  }

  void assemble() {
    struct Leftover {
      std::string path;
      ~Leftover() { remove_quietly(path); }  // published by then, or of no use
    };
    const Leftover temporary{path + ".tmp"};
    ResultsWriter writer{temporary.path, header};
    const std::uint32_t step = chunk_trials(header);
    for (std::uint64_t first = 0; first < header.replicates; first += step) writer.write(chunk_from(first, step));
    writer.finish();
    publish(temporary.path, path);
    parts.remove_all();
  }

  /// The parts of one chunk, joined. Under a stopping rule a part may reach into the next chunk.
  [[nodiscard]] PackedBlock chunk_from(std::uint64_t first, std::uint32_t step) const {
    const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(step, header.replicates - first));
    PackedBlock chunk =
        empty_block(0, static_cast<std::uint32_t>(first), count, header.strategies.size(), header.causes.size());
    const std::uint64_t last = layout.block_of(chunk.first + count - 1);
    for (std::uint64_t index = layout.block_of(chunk.first); index <= last; ++index)
      copy_common(parts.read(index).block, chunk);
    return chunk;
  }
};

ResultsFile::ResultsFile(std::string path, ResultsHeader header, ExistingResults existing)
    : path_{std::move(path)}, header_{std::move(header)} {
  require_matching_hdf5();
  require_complete(header_);
  require_storable(header_);
  require_usable(path_);
  auto impl = std::make_unique<Impl>(path_, header_);
  impl->prepare(existing, notes_);
  impl_ = impl.release();
}

ResultsFile::~ResultsFile() {
  delete impl_;
}

bool ResultsFile::has_block(std::uint64_t index) const {
  const std::scoped_lock lock{impl_->mutex};
  return impl_->complete ? index < impl_->layout.count() : impl_->blocks.contains(index);
}

sim::Block ResultsFile::read_block(std::uint64_t index) const {
  models::require(has_block(index), "only a block that is there can be read");
  if (impl_->complete) return unpack(impl_->from_complete(index));
  return unpack(impl_->parts.read(index).block);
}

void ResultsFile::write_block(const sim::Block& block) {
  const PackedBlock packed = pack(block, header_.causes.size());
  models::require(impl_->fits(packed, block.index), "a block belongs to this run");
  impl_->parts.write({to_text(impl_->identity), packed});
  const std::scoped_lock lock{impl_->mutex};
  impl_->blocks.insert(block.index);
}

void ResultsFile::assemble() {
  assemble(impl_->header.replicates);
}

void ResultsFile::assemble(std::uint32_t replicates) {
  impl_->set_replicates(replicates);
  if (impl_->complete) return;
  models::require(impl_->blocks.size() == impl_->layout.count(), "only a run with every block can be completed");
  impl_->assemble();
  impl_->complete = std::make_unique<ResultsReader>(path_);
}

ResultsData read_results(const std::string& path) {
  if (kind_of(path) != PathKind::file) throw OutputError{path + ": there is no such file"};
  const ResultsReader reader{path};
  ResultsData data{reader.header(), {}};
  require_complete(data.header);
  data.outcomes.resize(data.header.strategies.size());
  const std::uint32_t step = chunk_trials(data.header);
  for (std::uint64_t first = 0; first < data.header.replicates; first += step) {
    const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(step, data.header.replicates - first));
    sim::Block block = unpack(reader.read(0, static_cast<std::uint32_t>(first), count));
    for (std::size_t i = 0; i < block.outcomes.size(); ++i)
      std::ranges::move(block.outcomes[i], std::back_inserter(data.outcomes[i]));
  }
  return data;
}

}  // namespace fleetcast::analysis
