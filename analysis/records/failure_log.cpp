// A log of single failures.
#include <cmath>
#include <limits>
#include <map>

#include "analysis/records/failure_readers.hpp"
#include "scenarios/document.hpp"
#include "scenarios/values.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double endless = std::numeric_limits<double>::infinity();
constexpr double most_days = 36500.0, seconds_per_hour = 3600.0;

class LogReader {
 public:
  LogReader(RecordTable& table, const FailureInput& input) : table_{table}, input_{input} {
    seconds_ = table.find({"time_s"});
    if (!seconds_) date_ = table.find({"time"});
    node_ = table.find({"node", "host"});
    cause_ = table.find({"cause", "kind"});
    detect_ = table.find({"detect_s"});
    repair_ = table.find({"repair_s"});
    gpu_ = table.find({"gpu"});
  }

  FailureRecords read() {
    records_.is_log = true;
    read_head();
    for (std::size_t row = 0; row < table_.rows(); ++row) take(row);
    count_nodes();
    table_.throw_if_any();
    const double exposure = records_.nodes * records_.gpus_per_node * records_.span_h;
    for (RecordedCause& cause : records_.causes) cause.sources.front().counted.exposure = exposure;
    return std::move(records_);
  }

 private:
  void read_head() {
    records_.nodes = needed("nodes", 1.0, most_nodes, "# nodes: 2048");
    records_.span_h = 24.0 * needed("span_days", 1e-6, most_days, "# span_days: 54");
    records_.gpus_per_node = gpus_per_node_of(table_, records_.notes);
    if (const auto start = table_.head("start"); start && date_) {
      const auto parsed = scenarios::parse_date(*start);
      if (parsed.value)
        start_ = static_cast<double>(*parsed.value);
      else
        table_.head_fault("start", parsed.problem.found, parsed.problem.allowed);
    }
  }

  double needed(const std::string& key, double low, double high, const char* example) {
    if (!table_.head(key))
      table_.head_fault(key, "the head does not say " + key, "a line \"" + std::string{example} + "\"");
    return table_.head_number(key, low, high).value_or(1.0);
  }

  /// Seconds from the start, which is that of the head, or the first event.
  std::optional<double> time(std::size_t row) {
    if (seconds_) return table_.need_number(row, *seconds_, 0.0, endless);
    const auto parsed = scenarios::parse_date(table_.text(row, *date_));
    if (!parsed.value) {
      table_.fault(row, *date_, parsed.problem.found, parsed.problem.allowed);
      return std::nullopt;
    }
    if (!start_) {
      start_ = static_cast<double>(*parsed.value);
      records_.notes.emplace_back("the head does not say start: the first event is taken for it");
    }
    return static_cast<double>(*parsed.value) - *start_;
  }

  bool inside_span(std::size_t row, double seconds) {
    if (seconds >= 0.0 && seconds <= records_.span_h * seconds_per_hour) return true;
    const std::size_t column = seconds_ ? *seconds_ : *date_;
    table_.fault(row, column,
                 "the event at " + scenarios::in_quotes(table_.text(row, column)) + " is outside of the span",
                 "from the start to span_days after it");
    return false;
  }

  void take(std::size_t row) {
    if (input_.gpu && table_.text(row, gpu_) != *input_.gpu) {
      records_.skipped.push_back({"line " + std::to_string(table_.line(row)), "another GPU"});
      return;
    }
    const auto at = time(row);
    const auto detect = table_.number(row, detect_, 0.0, endless), repair = table_.number(row, repair_, 0.0, endless);
    if (!at || !inside_span(row, *at)) return;
    records_.times_h.push_back(*at / seconds_per_hour);
    const std::string name = table_.text(row, cause_), node = table_.text(row, node_);
    RecordedCause& cause = cause_named(records_.causes, name.empty() ? "failure" : name);
    if (cause.sources.empty()) cause.sources.push_back({"log", {0.0, 1.0}, ""});
    cause.sources.front().counted.events += 1.0;
    if (detect) cause.detect_s.push_back(*detect);
    if (repair) cause.repair_s.push_back(*repair);
    node.empty() ? ++records_.unnamed : ++of_node_[node];
  }

  void count_nodes() {
    const auto nodes = static_cast<std::size_t>(records_.nodes);
    if (of_node_.size() > nodes)
      table_.head_fault("nodes", std::to_string(of_node_.size()) + " nodes fail, more than there are",
                        "all nodes of the fleet");
    if (of_node_.empty() || of_node_.size() > nodes) return;
    for (const auto& [name, count] : of_node_) records_.per_node.push_back(count);
    records_.per_node.resize(nodes);
  }

  RecordTable& table_;
  const FailureInput& input_;
  std::optional<std::size_t> seconds_, date_, node_, cause_, detect_, repair_, gpu_;
  std::optional<double> start_;
  FailureRecords records_;
  std::map<std::string, std::uint32_t> of_node_;
};

}  // namespace

FailureRecords read_failure_log(RecordTable& table, const FailureInput& input) {
  return LogReader{table, input}.read();
}

}  // namespace fleetcast::analysis
