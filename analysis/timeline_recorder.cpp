// The gang: phases, steps, saves, and what became of them. The nodes are in timeline_recorder_nodes.cpp.
#include "analysis/timeline_recorder.hpp"

#include <algorithm>
#include <utility>

namespace fleetcast::analysis {
namespace {

// Bytes of the events of one record in the file, measured on the quickstart; a test holds the estimate against files.
constexpr std::uint64_t phase_bytes = 96, work_bytes = 190, persist_bytes = 126, stop_bytes = 112, money_bytes = 215,
                        kept_bytes = 188, step_bytes = 101, node_part_bytes = 93;
/// Head, names, and the points between which the cost grows; names of one node.
constexpr std::uint64_t fixed_bytes = 56'000, node_name_bytes = 160;
/// Samples of the kept steps inside intervals that were played at once.
constexpr std::uint64_t most_kept_samples = 100;

double gpu_seconds(sim::GpuTime gpu_ns) {
  return static_cast<double>(gpu_ns) / 1e9;
}

void add(std::array<double, sim::account_count>& gpu_s, sim::Account account, sim::GpuTime gpu_ns) {
  gpu_s[static_cast<std::size_t>(account)] += gpu_seconds(gpu_ns);
}

WorkSlice part_of_intervals(std::uint64_t cycles, const sim::StepBooking& steps, sim::GpuTime stall) {
  WorkSlice slice;
  slice.kind = WorkSlice::Kind::intervals;
  slice.cycles = cycles;
  slice.steps = steps.steps;
  add(slice.gpu_s, sim::Account::compute, steps.compute);
  add(slice.gpu_s, sim::Account::exposed_communication, steps.communication);
  add(slice.gpu_s, sim::Account::pipeline_bubble, steps.bubble);
  add(slice.gpu_s, sim::Account::straggler_wait, steps.straggler);
  add(slice.gpu_s, sim::Account::data_stall, steps.data_stall);
  add(slice.gpu_s, sim::Account::checkpoint_stall, stall);
  return slice;
}

sim::GpuTime gpu_ns_of(const sim::StepBooking& steps, sim::GpuTime stall) {
  return steps.compute + steps.communication + steps.bubble + steps.straggler + steps.data_stall + stall;
}

/// Cuts a slice of whole intervals at a save; returns the part after it, lost.
WorkSlice cut(WorkSlice& slice, std::uint64_t position) {
  const double share = static_cast<double>(position - slice.first_step) / static_cast<double>(slice.steps);
  WorkSlice after = slice;
  after.fate = WorkSlice::Fate::lost;
  after.from = slice.to = slice.from + sim::Duration::from_seconds(share * (slice.to - slice.from).seconds());
  after.first_step = position;
  after.steps = slice.first_step + slice.steps - position;
  slice.steps -= after.steps;
  after.cycles = slice.cycles - static_cast<std::uint64_t>(share * static_cast<double>(slice.cycles) + 0.5);
  slice.cycles -= after.cycles;
  for (std::size_t i = 0; i < sim::account_count; ++i) {
    after.gpu_s[i] = (1.0 - share) * slice.gpu_s[i];
    slice.gpu_s[i] *= share;
  }
  return after;
}

/// How many of `parts` equal parts of the slice lie in the window, at least in part.
std::uint64_t parts_in_window(const WorkSlice& slice, const TimelineOptions& window, std::uint64_t parts) {
  if (!(slice.from < window.to && window.from < slice.to)) return 0;
  const auto length = static_cast<double>((slice.to - slice.from).nanoseconds());
  const auto inside =
      static_cast<double>((std::min(slice.to, window.to) - std::max(slice.from, window.from)).nanoseconds());
  return std::min(parts, 1 + static_cast<std::uint64_t>(static_cast<double>(parts) * inside / length));
}

}  // namespace

TimelineRecorder::TimelineRecorder(const sim::Plan& plan, const TimelineOptions& options) : plan_{plan} {
  timeline_.options = options;
  timeline_.estimated_bytes = fixed_bytes + node_name_bytes * std::min<std::uint64_t>(options.nodes, plan.nodes);
  for (std::uint32_t pool = 0; pool < plan.pools.size(); ++pool) {
    Node node;
    node.pool = pool;
    nodes_.insert(nodes_.end(), static_cast<std::size_t>(plan.pools[pool].nodes), node);
  }
}

Timeline TimelineRecorder::take() {
  count_nodes();
  std::stable_sort(timeline_.kept.begin(), timeline_.kept.end(),
                   [](const KeptSample& a, const KeptSample& b) { return a.when < b.when; });
  return std::move(timeline_);
}

bool TimelineRecorder::room(std::uint64_t bytes) {
  timeline_.estimated_bytes += bytes;
  return timeline_.fits();
}

void TimelineRecorder::phase(Time now, sim::JobPhase phase) {
  if (phase_since_ < now && room(phase_bytes)) timeline_.phases.push_back({phase_since_, now, phase_});
  phase_ = phase;
  phase_since_ = now;
  stepping_ = saving_ = false;
  turn_nodes(now);
}

void TimelineRecorder::stop(Time now, sim::StopKind kind, std::size_t counted_as) {
  if (room(stop_bytes)) timeline_.stops.push_back({now, kind, counted_as});
}

void TimelineRecorder::over(Time now, sim::Status status) {
  timeline_.status = status;
  timeline_.end = now;
  save_abandoned(now);
  std::uint64_t kept = 0;
  for (const WorkSlice& slice : timeline_.work) kept += slice.fate == WorkSlice::Fate::kept ? slice.steps : 0;
  add_kept(now, kept);
}

std::uint64_t TimelineRecorder::bytes_of(const WorkSlice& slice) const {
  if (plan_.grain == scenarios::Grain::node || slice.kind == WorkSlice::Kind::save) return work_bytes;
  return work_bytes + step_bytes * (parts_in_window(slice, options(), slice.steps) +
                                    3 * parts_in_window(slice, options(), slice.cycles));
}

void TimelineRecorder::add_work(WorkSlice slice) {
  if (slice.from == slice.to && slice.steps == 0) return;
  if (!room(bytes_of(slice))) return;
  if (slice.fate == WorkSlice::Fate::open) open_.push_back(timeline_.work.size());
  timeline_.work.push_back(slice);
}

void TimelineRecorder::stepping_begins(Time now, std::uint64_t position, const sim::Bookings& open) {
  stepping_ = true;
  work_since_ = now;
  position_ = position;
  steps_seen_ = 0;
  booked_ = open;
}

void TimelineRecorder::stepping_ends(Time now, std::uint64_t position, const sim::Bookings& open) {
  WorkSlice slice{.from = work_since_, .to = now};
  slice.first_step = position_;
  slice.steps = position - position_;
  for (std::size_t i = 0; i < sim::account_count; ++i) slice.gpu_s[i] = gpu_seconds(open.gpu_ns[i] - booked_.gpu_ns[i]);
  stepping_ = false;
  if (slice.steps > 0) pace_s_ = (now - work_since_).seconds() / static_cast<double>(slice.steps);
  add_work(slice);
}

void TimelineRecorder::intervals_end(Time now, std::uint64_t position, std::uint64_t cycles,
                                     const sim::CycleBooking& booking) {
  stepping_ = false;
  WorkSlice early = part_of_intervals(cycles - 1, booking.early, booking.early_stall);
  WorkSlice last = part_of_intervals(1, booking.last, booking.last_stall);
  const auto last_ns = static_cast<std::int64_t>(gpu_ns_of(booking.last, booking.last_stall) / plan_.gpus);
  early.from = work_since_;
  early.to = last.from = now - sim::Duration{last_ns};
  last.to = now;
  pace_s_ = (early.to - early.from).seconds() / static_cast<double>(early.steps);
  early.first_step = position_;
  last.first_step = position - last.steps;
  early.fate = WorkSlice::Fate::kept;
  last.newest = true;
  add_work(early);
  add_work(last);
  add_kept_of_intervals(work_since_, now, position_, cycles);
}

void TimelineRecorder::interrupted(Time now) {
  WorkSlice slice{.from = work_since_, .to = now};
  slice.kind = saving_ ? WorkSlice::Kind::save : WorkSlice::Kind::steps;
  slice.fate = WorkSlice::Fate::lost;
  slice.reason = reason_;
  slice.first_step = position_;
  if (stepping_) slice.steps = lost_steps(now);
  if (stepping_ || saving_) add_work(slice);
  stepping_ = saving_ = false;
}

/// Whole steps since stepping began: known in the node grain, else by the pace of the span before.
std::uint64_t TimelineRecorder::lost_steps(Time now) const {
  if (plan_.grain == scenarios::Grain::node || pace_s_ <= 0.0) return steps_seen_;
  return static_cast<std::uint64_t>((now - work_since_).seconds() / pace_s_);
}

bool TimelineRecorder::step_ends(Time from, Time now) {
  ++steps_seen_;
  if (!in_window(from, now)) return false;
  return timeline_.fits() || room(detail_bytes_);  // beyond the limit: as large as the one before
}

void TimelineRecorder::step_detail(const sim::StepDetail& step) {
  const std::size_t shown = std::min<std::size_t>(options().nodes, nodes_.size());
  const auto waits = step.compute_ns.size() > 1 && step.compute_ns[0] != step.compute_ns[1] ? 1U : 0U;
  const std::uint64_t parts = 1U + waits + (step.exchange_ns > 0) +
                              (step.slowest + sim::Duration{step.exchange_ns} < step.exchanged) +
                              (step.exchanged < step.end);
  detail_bytes_ = step_bytes + shown * parts * node_part_bytes;
  if (!room(detail_bytes_)) return;
  timeline_.steps.push_back({step.start,
                             step.slowest,
                             step.exchanged,
                             step.end,
                             step.exchange_ns,
                             position_ + steps_seen_ - 1,
                             {step.compute_ns.begin(), step.compute_ns.begin() + static_cast<std::ptrdiff_t>(shown)}});
}

void TimelineRecorder::save_begins(Time now, std::uint64_t position, sim::SaveReason reason) {
  stepping_ = false;
  saving_ = true;
  work_since_ = now;
  position_ = position;
  reason_ = reason;
}

void TimelineRecorder::save_unblocks(Time now) {
  WorkSlice slice{.from = work_since_, .to = now};
  slice.kind = WorkSlice::Kind::save;
  slice.reason = reason_;
  slice.first_step = position_;
  add(slice.gpu_s, sim::Account::checkpoint_stall, sim::GpuTime{plan_.gpus} * (now - work_since_).nanoseconds());
  saving_ = false;
  add_work(slice);
}

void TimelineRecorder::save_persists(Time now, std::uint64_t position, Time until) {
  persisting_ = room(persist_bytes);
  if (persisting_) timeline_.persists.push_back({now, until, position, false});
}

void TimelineRecorder::save_usable(Time when, std::uint64_t position) {
  if (persisting_ && timeline_.persists.back().position == position) {
    timeline_.persists.back().arrived = true;
    persisting_ = false;
  }
  add_kept(when, position);
}

void TimelineRecorder::save_abandoned(Time now) {
  if (persisting_) timeline_.persists.back().to = now;
  persisting_ = false;
}

void TimelineRecorder::judge(std::vector<std::size_t>& slices, WorkSlice::Fate fate) {
  for (const std::size_t index : slices) timeline_.work[index].fate = fate;
  slices.clear();
}

void TimelineRecorder::snapshot_taken() {
  waiting_.insert(waiting_.end(), open_.begin(), open_.end());
  open_.clear();
}

void TimelineRecorder::snapshot_kept() {
  judge(waiting_, WorkSlice::Fate::kept);
}

void TimelineRecorder::all_kept() {
  judge(waiting_, WorkSlice::Fate::kept);
  judge(open_, WorkSlice::Fate::kept);
}

void TimelineRecorder::all_lost() {
  judge(waiting_, WorkSlice::Fate::lost);
  judge(open_, WorkSlice::Fate::lost);
}

/// Slices after the position turn to lost; whole intervals are cut where they cross it.
void TimelineRecorder::kept_lost(Time now, std::uint64_t position) {
  const std::size_t slices = timeline_.work.size();
  for (std::size_t i = 0; i < slices; ++i) {
    WorkSlice& slice = timeline_.work[i];
    if (slice.fate != WorkSlice::Fate::kept || slice.first_step + slice.steps <= position) continue;
    if (slice.first_step >= position) {
      slice.fate = WorkSlice::Fate::lost;
      continue;
    }
    const WorkSlice lost = cut(slice, position);
    if (room(bytes_of(lost))) timeline_.work.push_back(lost);
  }
  add_kept(now, position);
}

void TimelineRecorder::money(Time now, double usd_per_second, double usd) {
  if (!timeline_.money.empty() && timeline_.money.back().when == now) timeline_.money.pop_back();
  if (room(money_bytes)) timeline_.money.push_back({now, usd_per_second, usd});
}

void TimelineRecorder::add_kept(Time when, std::uint64_t steps) {
  if (room(kept_bytes)) timeline_.kept.push_back({when, steps});
}

/// The saves of intervals that were played at once are not events: they are put at equal distances.
void TimelineRecorder::add_kept_of_intervals(Time from, Time now, std::uint64_t first, std::uint64_t cycles) {
  const std::uint64_t samples = std::min(cycles, most_kept_samples);
  const double length = (now - from).seconds();
  const bool in_background = plan_.save.mode == scenarios::Checkpoint::Mode::async;
  const double persist_s = in_background ? models::mean(plan_.save.persist) : 0.0;
  for (std::uint64_t i = 1; i <= samples; ++i) {
    const std::uint64_t cycle = i * cycles / samples;
    if (in_background && cycle == cycles) continue;  // not usable yet
    const double after_s = length * static_cast<double>(cycle) / static_cast<double>(cycles) + persist_s;
    add_kept(from + sim::Duration::from_seconds(after_s), first + cycle * plan_.save.interval_steps);
  }
}

}  // namespace fleetcast::analysis
