#include "scenarios/recording_file.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "scenarios/data_file.hpp"
#include "scenarios/document.hpp"
#include "scenarios/nearest_name.hpp"
#include "scenarios/values.hpp"

namespace fleetcast::scenarios {
namespace {

using models::RecordedChange;
using models::Recording;

/// Memory of one recording stays below 320 MB.
constexpr std::size_t most_changes = 20'000'000;
/// A sample is missing where more than this many intervals lie between two rows.
constexpr double missing_from = 1.5;

/// FNV-1a over the bits of times and values.
std::uint32_t key_of(const std::vector<RecordedChange>& changes) {
  std::uint32_t hash = 2166136261U;
  const auto add = [&hash](double number) {
    for (auto bits = std::bit_cast<std::uint64_t>(number); bits != 0; bits >>= 8U) {
      hash = (hash ^ static_cast<std::uint32_t>(bits & 0xFFU)) * 16777619U;
    }
    hash *= 16777619U;
  };
  for (const RecordedChange& change : changes) {
    add(change.at_s);
    add(change.value);
  }
  return hash;
}

/// "2025-10-04T00:10:00.002+00:00" without the fraction of a second.
std::string without_fraction(std::string text) {
  const std::size_t point = text.find('.');
  if (point == std::string::npos) return text;
  std::size_t end = point + 1;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  return text.erase(point, end - point);
}

std::optional<double> number_in_head(const DataFile& file, const std::string& key) {
  const std::optional<std::string> text = file.head(key);
  const std::optional<Decimal> decimal = text ? parse_decimal(*text) : std::nullopt;
  return decimal ? to_double(*decimal) : std::nullopt;
}

RecordingHead head_of(const DataFile& file) {
  const auto text = [&](const char* key) { return file.head(key).value_or(""); };
  return {text("source"),
          text("provider"),
          text("zone"),
          text("instance"),
          text("start"),
          text("kind"),
          number_in_head(file, "interval_s"),
          number_in_head(file, "max_capacity")};
}

class RecordingReader {
 public:
  RecordingReader(const std::string& path, const RecordingForm& form) : file_{path}, form_{form} {
    result_.recording.name = path;
    result_.head = head_of(file_);
    find_columns();
    interval_s_ = result_.head.interval_s.value_or(0.0);
    const std::string stated = file_.head("form").value_or("");
    samples_ = interval_s_ > 0.0 && !stated.starts_with("step function");
    most_ = result_.head.max_capacity;
  }

  RecordingFile read() {
    while (file_.next()) take_row();
    if (!last_) file_.refuse("there is no row with a value", "at least two rows");
    Recording& recording = result_.recording;
    recording.length_s = last_->at_s + (samples_ ? interval_s_ : 0.0);
    if (!(recording.length_s > 0.0)) file_.refuse("the recording has no length", "rows at two times at least");
    recording.key = key_of(recording.changes);
    read_start();
    note_what_is_odd();
    return std::move(result_);
  }

 private:
  void find_columns() {
    for (const std::string& name : form_.wrong) {
      if (file_.find_column(name))
        file_.refuse("the column " + in_quotes(name) + " counts what is gone",
                     "a column " + form_.column + " that counts what is there", form_.column);
    }
    const auto seconds = file_.find_column("time_s");
    const auto date = seconds ? std::nullopt : file_.find_column("time");
    const auto value = file_.find_column(form_.column);
    if (!seconds && !date) miss("time_s (seconds), or time (dates with an offset)", "time_s");
    if (!value) miss(form_.column, form_.column);
    time_column_ = seconds ? *seconds : *date;
    has_dates_ = !seconds;
    value_column_ = *value;
  }

  [[noreturn]] void miss(const std::string& wanted, const std::string& name) const {
    file_.refuse("there is no column " + wanted, "found " + nearest_first(name, file_.columns()),
                 nearest_name(name, file_.columns()));
  }

  /// Seconds from the first row.
  double time() {
    double time = 0.0;
    if (has_dates_) {
      const Parsed<std::int64_t> date = parse_date(without_fraction(std::string{file_.field(time_column_)}));
      if (!date.value) file_.refuse(date.problem.found, date.problem.allowed, date.problem.nearest);
      time = static_cast<double>(*date.value);
    } else {
      time = file_.number(time_column_);
    }
    if (!first_time_) first_time_ = time;
    return time - *first_time_;
  }

  std::optional<double> value() const {
    const std::string_view text = file_.field(value_column_);
    if (text.empty() || text == "unknown" || text == "nan" || text == "NaN") return std::nullopt;
    const double value = file_.number(value_column_);
    if (value < 0.0) file_.refuse(form_.column + " is " + in_quotes(text), "at least 0");
    if (form_.whole && value != std::floor(value))
      file_.refuse(form_.column + " is " + in_quotes(text), "a whole number");
    return value;
  }

  void take_row() {
    const double at = time();
    const std::optional<double> found = value();
    if (last_ && at < last_->at_s) {
      file_.refuse("time goes back: " + format_rounded(at, 9) + " s after " + format_rounded(last_->at_s, 9) + " s",
                   "rows in the order of time");
    }
    if (last_ && at == last_->at_s) {
      take_repeated(found);
      return;
    }
    if (last_ && samples_ && at - last_->at_s > missing_from * interval_s_)
      take_gap(last_->at_s + interval_s_, at - last_->at_s - interval_s_);
    if (found) {
      above_most_ = above_most_ || (most_ && *found > *most_);
      change(at, *found);
    } else {
      take_gap(at, samples_ ? interval_s_ : 0.0);
    }
    last_ = Row{at, found};
  }

  void take_repeated(const std::optional<double>& found) {
    if (found != last_->value) file_.refuse("a second row at this time says something else", "one value at a time");
    ++merged_;
  }

  void take_gap(double from, double seconds) {
    ++gaps_;
    gap_s_ += seconds;
    if (form_.gaps == Gaps::down || result_.recording.changes.empty()) change(from, 0.0);
  }

  void change(double at, double value) {
    std::vector<RecordedChange>& changes = result_.recording.changes;
    if (!changes.empty() && changes.back().value == value) return;
    if (changes.size() == most_changes) file_.refuse("more than 20 million changes", "a coarser recording");
    changes.push_back({at, value});
  }

  void read_start() {
    if (has_dates_) {
      result_.recording.start_utc_s = first_time_;
      return;
    }
    const Parsed<std::int64_t> date = parse_date(without_fraction(result_.head.start));
    if (date.value) result_.recording.start_utc_s = static_cast<double>(*date.value);
  }

  void note_what_is_odd() {
    std::vector<std::string>& notes = result_.notes;
    if (merged_ > 0) notes.push_back(std::to_string(merged_) + " rows repeat the row before and were merged");
    if (gaps_ > 0) {
      notes.push_back(std::to_string(gaps_) + " gaps, " + format_rounded(gap_s_ / 3600.0, 3) + " h in all, read as " +
                      (form_.gaps == Gaps::down ? "down" : "unchanged"));
    }
    const std::optional<double> stated = number_in_head(file_, "span_s");
    const double length = result_.recording.length_s;
    if (stated && std::abs(*stated - length) > std::max(interval_s_, 0.01 * length)) {
      notes.push_back("its head says that it lasts " + format_rounded(*stated / 86400.0, 4) + " d, its rows last " +
                      format_rounded(length / 86400.0, 4) + " d");
    }
    if (above_most_) notes.push_back("some values are above the max_capacity of its head");
    if (result_.head.kind.starts_with("probe"))
      notes.emplace_back("it records launch attempts, not machines that were kept: short failures are not all losses");
  }

  struct Row {
    double at_s;
    std::optional<double> value;
  };

  DataFile file_;
  const RecordingForm& form_;
  RecordingFile result_;
  std::size_t time_column_ = 0, value_column_ = 0;
  bool has_dates_ = false, samples_ = false, above_most_ = false;
  double interval_s_ = 0.0;
  std::optional<double> most_, first_time_;
  std::optional<Row> last_;
  std::size_t merged_ = 0, gaps_ = 0;
  double gap_s_ = 0.0;
};

}  // namespace

RecordingForm capacity_form(Gaps gaps) {
  return {"capacity", true, {"preempted", "reclaimed", "lost", "interrupted", "unavailable", "down"}, gaps};
}

RecordingForm price_form(std::string column) {
  return {std::move(column), false, {}, Gaps::unchanged};
}

RecordingFile read_recording(const std::string& path, const RecordingForm& form) {
  return RecordingReader{path, form}.read();
}

}  // namespace fleetcast::scenarios
