#include "models/layout_search.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "models/errors.hpp"
#include "models/layout_candidates.hpp"

namespace fleetcast::models {

namespace {

using Verdict = MemoryEstimate::Verdict;
constexpr double gib = 1024.0 * 1024.0 * 1024.0;

/// The fastest so far, at most n, and the layout nearest to fitting among those that do not.
class Shortlist {
 public:
  explicit Shortlist(std::size_t most) : most_{most} {}

  void add(const Layout& layout, double seconds) {
    if (most_ == 0 || (kept_.size() == most_ && seconds >= kept_.back().first)) return;
    const auto place = std::ranges::upper_bound(kept_, seconds, {}, &std::pair<double, Layout>::first);
    kept_.insert(place, {seconds, layout});
    if (kept_.size() > most_) kept_.pop_back();
  }

  void add_misfit(const Layout& layout, double total) {
    if (total >= least_total_) return;
    least_total_ = total;
    misfit_ = layout;
  }

  [[nodiscard]] const std::vector<std::pair<double, Layout>>& kept() const { return kept_; }
  [[nodiscard]] bool has_misfit() const { return least_total_ < std::numeric_limits<double>::infinity(); }
  [[nodiscard]] const Layout& misfit() const { return misfit_; }

 private:
  std::size_t most_;
  std::vector<std::pair<double, Layout>> kept_;
  double least_total_ = std::numeric_limits<double>::infinity();
  Layout misfit_;
};

bool accepted(Verdict verdict, bool allow_at_risk) {
  return verdict == Verdict::fits || (allow_at_risk && verdict == Verdict::at_risk);
}

std::vector<Recompute> recomputes(const LayoutSpace& space) {
  if (space.recompute) return {*space.recompute};
  return {Recompute::none, Recompute::selective, Recompute::full};
}

/// Where gradients are exchanged once a step, a second micro-batch makes them whole: more memory, not less.
bool grows_with_accumulation(const Layout& layout) {
  return layout.sharding >= Sharding::zero2 && layout.gradient_sync == GradientSync::once;
}

/// Of the modes up to `fitting` (an index one past the strongest not yet known to fit), the weakest that fits.
std::size_t weakest_fitting(std::size_t fitting, MemoryQuestion& asked, const std::vector<Recompute>& modes,
                            const LayoutSpace& space, Bytes available, Shortlist& list) {
  while (fitting > 0) {
    asked.layout.recompute = modes[fitting - 1];
    const MemoryEstimate memory = quick_memory(asked, available);
    if (!accepted(memory.verdict, space.allow_at_risk)) {
      if (fitting == modes.size()) list.add_misfit(asked.layout, memory.total);
      break;
    }
    --fitting;
  }
  return fitting;
}

/// Largest micro-batch first: a smaller one needs no more memory, hence no stronger recompute than what has fitted.
void search_frame(Shortlist& list, MemoryQuestion& asked, const LayoutSpace& space, Bytes available,
                  const StepSeconds& step_seconds) {
  Layout& layout = asked.layout;
  const double each = space.sequences_per_step / layout.data;
  const std::vector<Recompute> modes = recomputes(space);
  std::size_t fitting = modes.size();
  for (const double size : micro_batches_of(space, layout)) {
    layout.micro_batch = size;
    if (layout.micro_batches != each / size && grows_with_accumulation(layout)) fitting = modes.size();
    layout.micro_batches = each / size;
    fitting = weakest_fitting(fitting, asked, modes, space, available, list);
    if (fitting == modes.size()) continue;
    layout.recompute = modes[fitting];
    list.add(layout, step_seconds(layout));
  }
}

Shortlist search(const LayoutSpace& space, const MemoryQuestion& model, Bytes available,
                 const StepSeconds& step_seconds, std::size_t best_n) {
  Shortlist list{best_n};
  MemoryQuestion asked = model;
  asked.gpus_per_node = space.links.gpus_per_node;
  for (const Layout& frame : layout_frames(space, model.shape, model.sequence_length)) {
    asked.layout = frame;
    search_frame(list, asked, space, available, step_seconds);
  }
  return list;
}

std::vector<LayoutChoice> with_memory(const Shortlist& list, const LayoutSpace& space, MemoryQuestion asked,
                                      Bytes available) {
  std::vector<LayoutChoice> choices;
  asked.gpus_per_node = space.links.gpus_per_node;
  for (const auto& [seconds, layout] : list.kept()) {
    asked.layout = layout;
    choices.push_back({layout, estimate_memory(asked, available), seconds});
  }
  return choices;
}

std::string in_gib(double bytes) {
  const std::string text = std::to_string(bytes / gib);
  return text.substr(0, text.find('.') + 2) + " GiB";
}

std::string nothing_fits(const Shortlist& list, const LayoutSpace& space, MemoryQuestion asked, Bytes available) {
  const std::string gang = std::to_string(static_cast<long long>(space.gpus)) + " GPUs";
  if (!list.has_misfit())
    return "no layout divides " + gang + " and a global batch of " +
           std::to_string(static_cast<long long>(space.sequences_per_step)) + " sequences";
  asked.layout = list.misfit();
  const MemoryEstimate memory = estimate_memory(asked, available);
  const std::string lack = memory.shortfall > 0 ? in_gib(memory.shortfall) + " too much" : "which leaves less than 2 %";
  return "no layout of " + gang + " fits in " + in_gib(available.value()) + ": the nearest, " + describe(asked.layout) +
         ", needs " + in_gib(memory.total) + ", " + lack + " (" + describe(memory.parts) + ")";
}

}  // namespace

std::vector<LayoutChoice> feasible_layouts(const LayoutSpace& space, const MemoryQuestion& model, Bytes available,
                                           const StepSeconds& step_seconds, std::size_t best_n) {
  return with_memory(search(space, model, available, step_seconds, best_n), space, model, available);
}

LayoutChoice fastest_layout(const LayoutSpace& space, const MemoryQuestion& model, Bytes available,
                            const StepSeconds& step_seconds) {
  const Shortlist list = search(space, model, available, step_seconds, 1);
  if (list.kept().empty()) throw InfeasibleError{nothing_fits(list, space, model, available)};
  return with_memory(list, space, model, available).front();
}

}  // namespace fleetcast::models
