#pragma once
// Independent pieces of work on several threads.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace fleetcast::analysis {

/// Runs `work(index)` for every index below `count` on so many threads (0: all cores), no more than there is work for.
/// `work` must not throw.
template <class Work>
void each_index(std::size_t count, unsigned threads, const Work& work) {
  std::atomic<std::size_t> next{0};
  const auto loop = [&] {
    for (std::size_t at = next++; at < count; at = next++) work(at);
  };
  std::vector<std::jthread> helpers;
  const unsigned wanted = threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
  for (std::size_t each = 1; each < std::min<std::size_t>(wanted, count); ++each) helpers.emplace_back(loop);
  loop();
}

}  // namespace fleetcast::analysis
