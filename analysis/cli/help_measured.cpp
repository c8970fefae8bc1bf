// Help of the commands that take measured rows.
#include "analysis/cli/help.hpp"
#include "analysis/cli/score_options.hpp"

namespace fleetcast::cli {

std::string score_help() {
  return R"(fleetcast score KIND DATA [options]

Predicts each measured row of a CSV file and says how far the predictions are off: over all rows, by source, GPU and
precision, size, kind and evidence, and for the worst rows. Rows that cannot be predicted are skipped, with the reason.

  throughput  tokens/s or samples/s per GPU of training jobs
  runs        GPU-hours of published training runs
  market      recorded traces of spot capacity, several files: statistics of the trace and of the market fitted to it,
              side by side; with --jobs how well jobs are forecast, against replay, a Markov chain, independent nodes

  error       predicted / measured - 1; median, mean and nine in ten are of its size, the bias is its median with sign
  inside      how many measured values the 90 % interval of their prediction holds, in percent; of a good model 90

The first line of the file names the columns; their order does not matter, and empty fields are unknown. Exits with 3 if
no row could be predicted.

)" + score_options_text() +
         R"(
Examples
  fleetcast score throughput measured.csv
  fleetcast score throughput measured.csv --html score.html
  fleetcast score runs published_runs.csv --json
  fleetcast score market trace_a.csv trace_b.csv
  fleetcast score market --jobs traces/*.csv
)";
}

std::string calibrate_help() {
  return R"(fleetcast calibrate KIND DATA [options]

Fits a model to measurements in CSV files and says how far to trust it: by the errors on rows that were left out of
the fit, and by the interval of each parameter before and after it.

  throughput  tokens/s or samples/s per GPU of training jobs; the columns are those of `score throughput`
  market      recorded traces of spot capacity, several files: columns time_s and capacity, and a head of "# key: value"
              lines (provider, zone, instance, start, interval_s, max_capacity, kind: held or probe)
  failures    counts (source, events, and gpu_hours, node_days, or nodes_8gpu with span_days; cause, gpu) or an event log
              (time_s or time, node, cause; detect_s, repair_s; head: nodes, gpus_per_node, span_days)
  price       recorded prices, several files: columns time_s and usd_per_hour; head: provider, instance, zone,
              on_demand_usd_per_hour
  storage     timed saves and loads: bytes, nodes, seconds; ranks, store, kind (save or load)

The last three end with what a scenario can hold: an object of failures, a price, an entry of define.stores.

  left out    the rows that a fit did not see are predicted by it: all of one source and model, or of one source
  learnt      1 - standard deviation after / before the fit; 0: the data say nothing about the parameter

Without --out nothing is written but the answer. Exits with 3 if no row could be fitted.

)" + calibrate_options_text() +
         R"(
Examples
  fleetcast calibrate throughput measured.csv
  fleetcast calibrate throughput measured.csv --doubtful suspicious.csv --also small_shapes.csv --out throughput.json
  fleetcast run job.json --catalog .      (uses ./throughput.json)
  fleetcast calibrate market us-east-1c.csv us-east-1d.csv --out market.json --html market.html
  fleetcast calibrate failures cluster-log.csv --html failures.html
)";
}

}  // namespace fleetcast::cli
