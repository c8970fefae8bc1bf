// All measurements in one process: CPU time, repetitions in random order, so that a disturbance of the machine meets
// all alike. Arguments are those of Google Benchmark, e.g. --benchmark_filter=/16/ for what runs at 16 nodes.
#include <cmath>
#include <cstdio>

#include "tests/bench/bench.hpp"

namespace fleetcast::tests {
namespace {

const char* verdict(const Row& row) {
  if (row.wanted == Wanted::nothing) return "";
  return (row.wanted == Wanted::at_least ? row.figure >= row.limit : row.figure < row.limit) ? "ok" : "MISSED";
}

void print(const Row& row) {
  if (std::isnan(row.figure)) return;
  std::printf("%-34s %6s %9.4g %-6s", row.what.c_str(), row.size.c_str(), row.figure, row.unit.c_str());
  if (row.wanted != Wanted::nothing)
    std::printf(" %s %-6g %s", row.wanted == Wanted::at_least ? ">=" : " <", row.limit, verdict(row));
  std::puts("");
}

void print_table(const std::vector<Rows>& parts) {
  std::printf("\n%-34s %6s %9s %-6s %s\n", "medians", "size", "", "", "wanted");
  for (const Rows& rows : parts) {
    for (const Row& row : rows) print(row);
  }
}

}  // namespace
}  // namespace fleetcast::tests

int main(int argc, char** argv) {
  using namespace fleetcast::tests;
  const Rows memory = argc == 1 ? memory_rows() : Rows{};
  std::vector<char*> arguments{argv, argv + argc};
  std::string interleaved = "--benchmark_enable_random_interleaving=true";
  arguments.insert(arguments.begin() + 1, interleaved.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  register_queue();
  register_yardstick();
  register_gallery();
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  print_table({queue_rows(collector), yardstick_rows(collector), gallery_rows(collector), memory});
}
