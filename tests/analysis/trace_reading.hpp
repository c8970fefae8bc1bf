#pragma once
// A timeline file as a strict reader of the trace-event format sees it.
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/account.hpp"

namespace fleetcast::tests {

using TraceJson = nlohmann::json;

/// The faults of a file against the trace-event format, as viewers need it: known kinds, every process and track
/// named, times sorted in each track, slices inside each other or apart, what begins ends.
inline std::vector<std::string> format_faults(const TraceJson& file) {
  std::vector<std::string> faults;
  std::set<int> processes;
  std::set<std::pair<int, int>> named;
  std::map<std::pair<int, int>, long long> last;
  std::map<std::pair<int, int>, std::vector<long long>> ends;
  std::map<std::pair<int, std::string>, int> begun;
  for (const TraceJson& event : file.at("traceEvents")) {
    const std::string kind = event.at("ph"), name = event.at("name");
    const std::pair<int, int> track{event.at("pid"), event.at("tid")};
    if (kind == "M") {
      if (name == "process_name") processes.insert(track.first);
      if (name == "thread_name") named.insert(track);
      continue;
    }
    if (kind.size() != 1 || std::string{"XiCbe"}.find(kind) == std::string::npos) faults.push_back("kind " + kind);
    if (!named.contains(track) || !processes.contains(track.first)) faults.push_back("not named: " + event.dump());
    const long long at = event.at("ts").get<long long>();
    if (at < last[track]) faults.push_back("not sorted: " + event.dump());
    last[track] = at;
    if (kind == "X") {
      const long long end = at + event.at("dur").get<long long>();
      std::vector<long long>& open = ends[track];
      while (!open.empty() && open.back() <= at) open.pop_back();
      if (end < at || (!open.empty() && open.back() < end)) faults.push_back("overlaps: " + event.dump());
      open.push_back(end);
    }
    if (kind == "b" || kind == "e") {
      int& depth = begun[{track.first, event.at("cat").get<std::string>() + event.at("id").get<std::string>()}];
      depth += kind == "b" ? 1 : -1;
      if (depth < 0 || depth > 1) faults.push_back("begins or ends twice: " + event.dump());
    }
    if (kind == "i" && !event.contains("s")) faults.push_back("an instant without a scope");
  }
  for (const auto& [id, depth] : begun) {
    if (depth != 0) faults.push_back("does not end: " + id.second);
  }
  return faults;
}

/// GPU-seconds by account that the events carry.
inline std::map<std::string, double> shown_gpu_seconds(const TraceJson& file) {
  std::map<std::string, double> sums;
  for (const TraceJson& event : file.at("traceEvents")) {
    if (!event.contains("args") || !event["args"].contains("gpu_s")) continue;
    for (const auto& [account, value] : event["args"]["gpu_s"].items()) sums[account] += value.get<double>();
  }
  return sums;
}

/// Events of this kind on the track of this name, or of the process if the name is empty.
inline std::vector<TraceJson> events_of(const TraceJson& file, int process, const std::string& track,
                                        const std::string& kind) {
  std::vector<TraceJson> found;
  int thread = -1;
  for (const TraceJson& event : file.at("traceEvents")) {
    if (event["pid"] != process) continue;
    if (event["ph"] == "M") {
      if (event["name"] == "thread_name" && event["args"]["name"] == track) thread = event["tid"];
    } else if (event["ph"] == kind && (track.empty() || event["tid"] == thread)) {
      found.push_back(event);
    }
  }
  return found;
}

/// The last value of a counter of the job; -1 without one.
inline double last_of_counter(const TraceJson& file, const std::string& name) {
  double value = -1.0;
  for (const TraceJson& event : events_of(file, 1, "", "C")) {
    if (event["name"] == name) value = event["args"].begin()->get<double>();
  }
  return value;
}

}  // namespace fleetcast::tests
