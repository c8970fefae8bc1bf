// Saves that are kept, one by one and in runs.
#include "sim/save_history.hpp"

#include <doctest/doctest.h>

namespace fleetcast::tests {
namespace {

using sim::SaveHistory;

SaveHistory::Save save_at(std::uint64_t position, std::int64_t compute_ns) {
  SaveHistory::Save save;
  save.position = save.work.steps = position;
  save.work.gpu_ns[0] = compute_ns;
  save.work.step_wall_ns = compute_ns / 2;
  return save;
}

}  // namespace

TEST_CASE("an empty history goes back to the beginning") {
  SaveHistory history{3};
  CHECK(history.count() == 0);
  CHECK(history.newest().position == 0);
  history.drop(2);
  history.drop_after(0);
  CHECK(history.newest().work.total() == 0);
}

TEST_CASE("a run of saves holds each of them, at equal distances, exact at its end") {
  SaveHistory history{-1};
  history.add_run(3, save_at(10, 100), save_at(40, 401));
  CHECK(history.count() == 3);
  CHECK(history.newest().position == 40);
  CHECK(history.newest().work.gpu_ns[0] == 401);
  history.drop(1);
  CHECK(history.newest().position == 30);
  CHECK(history.newest().work.gpu_ns[0] == 300);  // 100 + 2 x 301 / 3, whole
  CHECK(history.newest().work.step_wall_ns == 150);
  history.drop(5);
  CHECK(history.count() == 0);
}

TEST_CASE("only the newest are kept, across runs") {
  SaveHistory history{4};
  history.add_run(3, save_at(0, 0), save_at(30, 300));
  history.add(save_at(35, 350));
  history.add_run(2, save_at(35, 350), save_at(55, 550));
  CHECK(history.count() == 4);
  history.drop(3);
  CHECK(history.newest().position == 30);
  history.drop(1);
  CHECK(history.newest().position == 0);
}

TEST_CASE("saves after a position are dropped, the one at it stays") {
  SaveHistory history{-1};
  history.add_run(1'000'000, save_at(0, 0), save_at(10'000'000, 1'000'000'000));
  history.drop_after(4'000'009);
  CHECK(history.newest().position == 4'000'000);
  CHECK(history.newest().work.gpu_ns[0] == 400'000'000);
  history.drop_after(4'000'000);
  CHECK(history.count() == 400'000);
}

}  // namespace fleetcast::tests
