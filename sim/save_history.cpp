#include "sim/save_history.hpp"

#include <algorithm>

namespace fleetcast::sim {

SaveHistory::Save SaveHistory::Run::save(std::uint64_t number) const {
  if (number == total) return after;
  const auto between = [&](auto from, auto to) { return from + (to - from) * number / total; };
  Save result = before;
  result.position = between(before.position, after.position);
  for (std::size_t i = 0; i < account_count; ++i) {
    result.work.gpu_ns[i] = between(before.work.gpu_ns[i], after.work.gpu_ns[i]);
  }
  result.work.steps = between(before.work.steps, after.work.steps);
  const GpuTime from = before.work.step_wall_ns, to = after.work.step_wall_ns;
  result.work.step_wall_ns = static_cast<std::int64_t>(between(from, to));
  return result;
}

void SaveHistory::add(const Save& save) {
  add_run(1, save, save);
}

void SaveHistory::add_run(std::uint64_t count, const Save& before, const Save& last) {
  if (count == 0) return;
  runs_.push_back({before, last, count, 1, count});
  count_ += count;
  if (most_ >= 0 && count_ > static_cast<std::uint64_t>(most_)) drop_oldest(count_ - static_cast<std::uint64_t>(most_));
}

SaveHistory::Save SaveHistory::newest() const {
  return runs_.empty() ? Save{} : runs_.back().save(runs_.back().last);
}

void SaveHistory::drop_oldest(std::uint64_t saves) {
  count_ -= saves;
  while (saves > 0) {
    Run& oldest = runs_.front();
    const std::uint64_t here = std::min(saves, oldest.count());
    saves -= here;
    oldest.first += here;
    if (oldest.count() == 0) runs_.pop_front();
  }
}

void SaveHistory::drop(std::uint64_t saves) {
  saves = std::min(saves, count_);
  count_ -= saves;
  while (saves > 0) {
    Run& newest = runs_.back();
    const std::uint64_t here = std::min(saves, newest.count());
    saves -= here;
    newest.last -= here;
    if (newest.count() == 0) runs_.pop_back();
  }
}

void SaveHistory::drop_after(std::uint64_t position) {
  while (count_ > 0 && newest().position > position) drop(1);
}

}  // namespace fleetcast::sim
