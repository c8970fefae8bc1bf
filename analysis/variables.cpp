#include "analysis/variables.hpp"

#include <algorithm>

#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

using sim::Outcome;

// A field added to Outcome no longer fits this binding: then it needs a row in the tables below.
[[maybe_unused]] void every_field_is_stored(const Outcome& outcome) {
  [[maybe_unused]] const auto& [status, time_s, cost_usd, account_gpu_s, held_gpu_s, held_usd, rounding_usd,
                                forgiven_usd, storage_usd, egress_usd, kept_wall_s, kept_steps, stops, planned_stops,
                                losses_during_restart, stops_by_cause, checkpoints_started, checkpoints_usable,
                                bytes_written, events, fingerprint] = outcome;
}

constexpr std::uint64_t status_count = static_cast<std::uint64_t>(sim::Status::recording) + 1;
constexpr std::size_t status_row = 0, first_count_row = 1;
std::size_t first_wide_row() {
  return first_count_row + count_variables().size();
}
std::size_t first_cause_row() {
  return first_wide_row() + wide_variables().size();
}

/// Copies one outcome to (or, with the other `copy`, from) its cell of every row.
template <class Packed, class Outcome_, class Copy>
void each_cell(Packed& packed, std::size_t cell, Outcome_& outcome, Copy&& copy) {
  std::size_t at = cell;
  for (const RealVariable& variable : real_variables()) {
    copy(packed.reals[at], outcome.*variable.member);
    at += packed.cells();
  }
  for (auto& account : outcome.account_gpu_s) {
    copy(packed.reals[at], account);
    at += packed.cells();
  }
  at = cell + first_count_row * packed.cells();
  const auto next = [&](auto& value) {
    copy(packed.counts[at], value);
    at += packed.cells();
  };
  for (const CountVariable& variable : count_variables()) next(outcome.*variable.member);
  for (const WideVariable& variable : wide_variables()) next(outcome.*variable.member);
  for (auto& stops : outcome.stops_by_cause) next(stops);
}

void check_shape(const sim::Block& block, std::size_t causes) {
  for (const auto& trials : block.outcomes) {
    models::require(trials.size() == block.count, "a block holds the same trials of every strategy");
    for (const Outcome& trial : trials)
      models::require(trial.stops_by_cause.size() == causes, "an outcome counts the stops of every cause");
  }
}

}  // namespace

const std::vector<RealVariable>& real_variables() {
  static const std::vector<RealVariable> variables{
      {"time_at_least_s", "s", "time from submission to the final save, or to where the trial was cut off",
       &Outcome::time_s},
      {"cost_at_least_usd", "USD", "cost of the whole trial, or until it was cut off", &Outcome::cost_usd},
      {"held_gpu_s", "GPU s", "GPU time held, all accounts together", &Outcome::held_gpu_s},
      {"held_usd", "USD", "held time at the price, before rounding and forgiving", &Outcome::held_usd},
      {"rounding_usd", "USD", "added by billing increments and minima", &Outcome::rounding_usd},
      {"forgiven_usd", "USD", "taken off: unbilled boot, free first hours (not above zero)", &Outcome::forgiven_usd},
      {"storage_usd", "USD", "storage and requests", &Outcome::storage_usd},
      {"egress_usd", "USD", "data moved out", &Outcome::egress_usd},
      {"kept_wall_s", "s", "wall time of kept steps without data stall", &Outcome::kept_wall_s},
      {"kept_steps", "1", "steps that count, at full-gang speed", &Outcome::kept_steps},
      {"bytes_written", "B", "bytes of checkpoints written", &Outcome::bytes_written}};
  return variables;
}

const std::vector<CountVariable>& count_variables() {
  static const std::vector<CountVariable> variables{
      {"unplanned_stops", "1", "unplanned stops of the stepping gang; a bulk is one", &Outcome::stops},
      {"planned_stops", "1", "planned stops", &Outcome::planned_stops},
      {"losses_during_restart", "1", "nodes lost during a restart", &Outcome::losses_during_restart},
      {"checkpoints_started", "1", "checkpoints started", &Outcome::checkpoints_started},
      {"checkpoints_usable", "1", "checkpoints that became usable", &Outcome::checkpoints_usable}};
  return variables;
}

const std::vector<WideVariable>& wide_variables() {
  static const std::vector<WideVariable> variables{
      {"events", "1", "events that the simulation handled", &Outcome::events},
      {"fingerprint", "1", "hash of the trajectory; depends on the grain", &Outcome::fingerprint}};
  return variables;
}

std::size_t real_rows() {
  return real_variables().size() + sim::account_count;
}
std::size_t count_rows(std::size_t causes) {
  return first_cause_row() + causes;
}

PackedBlock empty_block(std::uint64_t index, std::uint32_t first, std::uint32_t count, std::size_t strategies,
                        std::size_t causes) {
  PackedBlock packed{index, first, count, strategies, causes, {}, {}};
  packed.reals.resize(real_rows() * packed.cells());
  packed.counts.resize(count_rows(causes) * packed.cells());
  return packed;
}

namespace {

/// Copies `count` trials of every line (a row of one strategy).
template <class Value>
void copy_lines(const std::vector<Value>& from, std::size_t from_length, std::size_t from_offset,
                std::vector<Value>& to, std::size_t to_length, std::size_t to_offset, std::size_t count) {
  for (std::size_t line = 0; line < from.size() / from_length; ++line)
    std::copy_n(from.data() + line * from_length + from_offset, count, to.data() + line * to_length + to_offset);
}

}  // namespace

void copy_common(const PackedBlock& from, PackedBlock& to) {
  models::require(from.strategies == to.strategies && from.causes == to.causes, "both blocks are of one run");
  const std::uint32_t first = std::max(from.first, to.first),
                      end = std::min(from.first + from.count, to.first + to.count);
  if (first >= end) return;
  const std::size_t source = first - from.first, target = first - to.first, count = end - first;
  copy_lines(from.reals, from.count, source, to.reals, to.count, target, count);
  copy_lines(from.counts, from.count, source, to.counts, to.count, target, count);
}

PackedBlock pack(const sim::Block& block, std::size_t causes) {
  check_shape(block, causes);
  PackedBlock packed = empty_block(block.index, block.first, block.count, block.outcomes.size(), causes);
  for (std::size_t cell = 0; cell < packed.cells(); ++cell) {
    const Outcome& outcome = block.outcomes[cell / block.count][cell % block.count];
    packed.counts[status_row * packed.cells() + cell] = static_cast<std::uint64_t>(outcome.status);
    each_cell(packed, cell, outcome, [](auto& stored, const auto& value) { stored = value; });
  }
  return packed;
}

sim::Block unpack(const PackedBlock& packed) {
  sim::Block block{packed.index, packed.first, packed.count, {}};
  block.outcomes.assign(packed.strategies, std::vector<Outcome>(packed.count));
  for (std::size_t cell = 0; cell < packed.cells(); ++cell) {
    Outcome& outcome = block.outcomes[cell / packed.count][cell % packed.count];
    if (packed.counts[cell] >= status_count) throw models::OutputError{"a stored trial has an unknown status"};
    outcome.stops_by_cause.resize(packed.causes);
    outcome.status = static_cast<sim::Status>(packed.counts[status_row * packed.cells() + cell]);
    each_cell(packed, cell, outcome, [](const auto& stored, auto& value) {
      value = static_cast<std::remove_cvref_t<decltype(value)>>(stored);
    });
  }
  return block;
}

}  // namespace fleetcast::analysis
