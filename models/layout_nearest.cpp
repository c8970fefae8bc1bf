#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "models/layout_candidates.hpp"
#include "models/layout_search.hpp"

namespace fleetcast::models {

namespace {

constexpr int most_changes = 3;

enum Lever { recompute, micro_batch, sharding, sync, sequence, tensor, pipeline, context, offload, levers };
/// Of each lever how strongly it is pulled; 0 leaves it.
using Pulls = std::array<int, levers>;

struct Fitting {
  Pulls pulls{};
  int changes = 0;
  double seconds = 0;
  Layout layout;
};

/// The layout asked for and the room around it.
struct Start {
  const MemoryQuestion& question;
  const Links& links;
  double global_batch = 1;
};

std::vector<int> larger_divisors(long long number, int than) {
  std::vector<int> found = divisors(number);
  std::erase_if(found, [&](int value) { return value <= than; });
  return found;
}

/// How often a lever can be pulled from here.
int strokes(const Start& start, Lever lever) {
  const Layout& from = start.question.layout;
  const long long replicas = from.data;
  switch (lever) {
    case recompute:
      return static_cast<int>(Recompute::full) - static_cast<int>(from.recompute);
    case micro_batch:
      return static_cast<int>(divisors(std::llround(from.micro_batch * from.micro_batches)).size());
    case sharding:
      return std::max(0, static_cast<int>(Sharding::zero3) - static_cast<int>(from.sharding));
    case sync:
      return from.gradient_sync == GradientSync::once && from.sharding >= Sharding::zero2 ? 1 : 0;
    case sequence:
      return from.sequence_parallel ? 0 : 1;
    case tensor:
    case pipeline:
    case context:
      return static_cast<int>(divisors(replicas).size()) - 1;
    case offload:
      return from.offload == Offload::none ? 1 : 0;
    case levers:
      break;
  }
  return 0;
}

bool widen(int& degree, Layout& layout, int pull) {
  if (pull == 0) return true;
  const std::vector<int> factors = larger_divisors(layout.data, 1);
  if (pull > static_cast<int>(factors.size())) return false;
  const int factor = factors[static_cast<std::size_t>(pull - 1)];
  degree *= factor;
  layout.data /= factor;
  return true;
}

bool valid_degrees(const Start& start, const Layout& layout) {
  const TransformerShape& shape = start.question.shape;
  const Layout& from = start.question.layout;
  if (layout.tensor != from.tensor && (layout.tensor > start.links.domain || shape.heads % layout.tensor != 0))
    return false;
  if (layout.pipeline != from.pipeline && (layout.pipeline > shape.layers || layout.sharding >= Sharding::zero2))
    return false;
  if (layout.context != from.context && std::fmod(start.question.sequence_length, layout.context) != 0.0) return false;
  return (layout.data * layout.context) % layout.expert == 0;
}

/// The micro-batch goes down the divisors of what a replica has to do, from the old one.
bool set_micro_batch(const Start& start, Layout& layout, int pull) {
  const double each = start.global_batch / layout.data;
  if (each < 1.0 || each != std::floor(each)) return false;
  std::vector<int> sizes = divisors(std::llround(each));
  std::erase_if(sizes, [&](int size) { return size > layout.micro_batch; });
  if (pull >= static_cast<int>(sizes.size())) return false;
  const double size = sizes[sizes.size() - 1 - static_cast<std::size_t>(pull)];
  if (pull == 0 && size != layout.micro_batch) return false;
  layout.micro_batch = size;
  layout.micro_batches = each / size;
  return true;
}

/// Chunks stay only where they still divide.
void keep_chunks(const TransformerShape& shape, Layout& layout) {
  const bool whole = shape.layers % (static_cast<std::int64_t>(layout.pipeline) * layout.virtual_stages) == 0;
  if (!whole || std::fmod(layout.micro_batches, layout.pipeline) != 0.0) layout.virtual_stages = 1;
}

bool pull_levers(const Start& start, const Pulls& pulls, Layout& layout) {
  layout = start.question.layout;
  layout.recompute = static_cast<Recompute>(static_cast<int>(layout.recompute) + pulls[recompute]);
  layout.sharding = static_cast<Sharding>(static_cast<int>(layout.sharding) + pulls[sharding]);
  if (pulls[sharding] > 0 && layout.sharding >= Sharding::zero2 && layout.pipeline > 1) return false;
  if (pulls[sync] > 0 || (pulls[sharding] > 0 && layout.sharding >= Sharding::zero2))
    layout.gradient_sync = GradientSync::reduce_scatter;
  if (pulls[sequence] > 0) layout.sequence_parallel = true;
  if (pulls[offload] > 0) layout.offload = Offload::optimizer;
  const bool widened = widen(layout.tensor, layout, pulls[tensor]) && widen(layout.pipeline, layout, pulls[pipeline]) &&
                       widen(layout.context, layout, pulls[context]);
  if (!widened || !valid_degrees(start, layout) || !set_micro_batch(start, layout, pulls[micro_batch])) return false;
  if (pulls[pipeline] > 0 || pulls[micro_batch] > 0) keep_chunks(start.question.shape, layout);
  return true;
}

/// True where leaving out some of the changes, or one lever pulled less, was found to fit too.
bool needless(const std::vector<Fitting>& found, const Pulls& pulls, int changes) {
  return std::ranges::any_of(found, [&](const Fitting& other) {
    if (other.changes >= changes) return false;
    for (std::size_t i = 0; i < pulls.size(); ++i)
      if (other.pulls[i] != 0 && other.pulls[i] > pulls[i]) return false;
    return true;
  });
}

class Search {
 public:
  Search(const Start& start, Bytes available, const StepSeconds& step_seconds)
      : start_{start}, asked_{start.question}, available_{available}, step_seconds_{step_seconds} {}

  /// All that fit with exactly so many changes and are not needless.
  void look(int changes) {
    pulls_ = {};
    changes_ = changes;
    descend(0, changes);
  }
  [[nodiscard]] std::vector<Fitting>& found() { return found_; }

 private:
  void descend(int lever, int left) {
    if (left == 0) return judge();
    if (lever == levers) return;
    descend(lever + 1, left);
    const int most = strokes(start_, static_cast<Lever>(lever));
    for (int pull = 1; pull <= most; ++pull) {
      pulls_[static_cast<std::size_t>(lever)] = pull;
      descend(lever + 1, left - 1);
    }
    pulls_[static_cast<std::size_t>(lever)] = 0;
  }

  void judge() {
    if (needless(found_, pulls_, changes_) || !pull_levers(start_, pulls_, asked_.layout)) return;
    if (quick_memory(asked_, available_).verdict != MemoryEstimate::Verdict::fits) return;
    found_.push_back({pulls_, changes_, step_seconds_(asked_.layout), asked_.layout});
  }

  const Start& start_;
  MemoryQuestion asked_;
  Bytes available_;
  const StepSeconds& step_seconds_;
  Pulls pulls_{};
  int changes_ = 0;
  std::vector<Fitting> found_;
};

}  // namespace

std::vector<LayoutChoice> nearest_fitting(const MemoryQuestion& question, const Links& links, Bytes available,
                                          const StepSeconds& step_seconds, std::size_t best_n) {
  const Layout& from = question.layout;
  const Start start{question, links, from.data * from.micro_batch * from.micro_batches};
  Search search{start, available, step_seconds};
  for (int changes = 1; changes <= most_changes && search.found().size() < best_n; ++changes) search.look(changes);
  std::vector<Fitting>& found = search.found();
  std::ranges::stable_sort(found, {}, [](const Fitting& one) { return std::tuple{one.changes, one.seconds}; });
  if (found.size() > best_n) found.resize(best_n);
  std::vector<LayoutChoice> choices;
  MemoryQuestion asked = question;
  for (const Fitting& one : found) {
    asked.layout = one.layout;
    choices.push_back({one.layout, estimate_memory(asked, available), one.seconds});
  }
  return choices;
}

}  // namespace fleetcast::models
