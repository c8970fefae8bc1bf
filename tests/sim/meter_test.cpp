// The provisional ledger: commit, snapshot, rollback, a save in flight.
#include "sim/meter.hpp"

#include <doctest/doctest.h>

namespace fleetcast::tests {
namespace {

using sim::Account;
using sim::GpuTime;
using sim::Meter;

double kept(const Meter& meter, Account account) {
  return static_cast<double>(meter.kept().gpu_ns[static_cast<std::size_t>(account)]);
}

/// Two steps: 10 computing, 2 exchange, 1 bubble, 3 straggler, 4 stall; 16 of wall time without stall.
void step(Meter& meter) {
  meter.book_steps({10, 2, 1, 3, 4, 2, 16});
}

}  // namespace

TEST_CASE("provisional bookings are nothing until they are committed") {
  Meter meter;
  step(meter);
  meter.book_stall(5);
  CHECK(meter.kept().total() == 0);
  CHECK(meter.kept().steps == 0);
  meter.commit_all();
  CHECK(kept(meter, Account::compute) == 10);
  CHECK(kept(meter, Account::exposed_communication) == 2);
  CHECK(kept(meter, Account::pipeline_bubble) == 1);
  CHECK(kept(meter, Account::straggler_wait) == 3);
  CHECK(kept(meter, Account::data_stall) == 4);
  CHECK(kept(meter, Account::checkpoint_stall) == 5);
  CHECK(meter.kept().steps == 2);
  CHECK(meter.kept().step_wall_ns == 16);
  CHECK(meter.kept().total() == 25);
}

TEST_CASE("a rollback turns everything provisional into lost work, steps and their wall time into nothing") {
  Meter meter;
  step(meter);
  meter.commit_all();
  step(meter);
  meter.book_stall(5);
  meter.roll_back();
  CHECK(kept(meter, Account::lost_work) == 25);
  CHECK(meter.kept().steps == 2);
  CHECK(meter.kept().step_wall_ns == 16);
  CHECK(meter.kept().total() == 45);
  meter.commit_all();
  CHECK(meter.kept().total() == 45);
}

TEST_CASE("a snapshot waits for its save: usable, it keeps what was booked before it and no more") {
  Meter meter;
  step(meter);
  meter.take_snapshot();
  step(meter);
  meter.commit_snapshot();
  CHECK(meter.kept().steps == 2);
  CHECK(meter.kept().total() == 20);
  meter.roll_back();
  CHECK(kept(meter, Account::lost_work) == 20);
  CHECK(meter.kept().total() == 40);
}

TEST_CASE("a loss while a save is in flight loses what is in flight and what came after") {
  Meter meter;
  step(meter);
  meter.take_snapshot();
  step(meter);
  meter.roll_back();
  CHECK(kept(meter, Account::lost_work) == 40);
  meter.commit_snapshot();
  CHECK(meter.kept().steps == 0);
}

TEST_CASE("committing everything includes what is in flight") {
  Meter meter;
  step(meter);
  meter.take_snapshot();
  step(meter);
  meter.commit_all();
  CHECK(meter.kept().steps == 4);
  CHECK(meter.kept().total() == 40);
}

TEST_CASE("sums outgrow 64 bits without a loss") {
  Meter meter;
  const GpuTime month = GpuTime{16'384} * 54 * 86'400 * 1'000'000'000;  // 7.6e19
  meter.book(Account::idle, month);
  meter.book(Account::idle, month);
  meter.book_lost(1);
  CHECK(meter.kept().total() == 2 * month + 1);
}

}  // namespace fleetcast::tests
