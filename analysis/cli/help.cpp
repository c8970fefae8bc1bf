#include "analysis/cli/help.hpp"

#include "analysis/cli/options.hpp"
#include "analysis/version.hpp"

namespace fleetcast::cli {

std::string program_help() {
  return R"(fleetcast forecasts what a training run will cost and when it will finish on a cloud GPU fleet.

  fleetcast run SCENARIO     simulate all strategies of the scenario and compare them
  fleetcast check SCENARIO   validate, and explain the plan without simulating
  fleetcast catalog [KIND]   what is known about GPUs, instances, models, providers, stores, failures
  fleetcast trace SCENARIO   one trial as a timeline (Chrome trace-event JSON, for Perfetto)
  fleetcast score KIND DATA  predict measured rows, and say how wrong the predictions are
  fleetcast calibrate KIND DATA
                             fit a model to measured rows, and say how far to trust it
  fleetcast COMMAND --help   the options of a command, with an example
  fleetcast --help terms     what time, cost, goodput, MFU and the other words mean
  fleetcast --version

The answer goes to standard output, messages and progress to standard error.

Exit codes
    0  answered
    1  internal error: a bug in fleetcast
    2  bad input: a file or the command line; every fault is listed, nothing was run
    3  infeasible: valid, but it cannot work, or no trial of any strategy finished, or no measured row is usable
    4  stopped by a limit: no trial finished, because limits.stop_at (deadline, budget) or the event limit ended every
       one of them, though at least one strategy could have gone on; or memory or threads ran out; or a timeline
       would have been larger than 256 MiB
    5  a result could not be written
  130  interrupted by Ctrl-C or SIGTERM; trials that were complete are answered, and kept with --out

Example
  fleetcast run scenarios/gallery/quickstart.json
)";
}

std::string run_help() {
  return R"(fleetcast run SCENARIO [options]

Simulates the scenario ("base") and each of its strategies, many trials each, with the same random numbers in all of
them, and prints cost and time as distributions, where the GPU-hours went, and the paired differences.

Ctrl-C drops what is in progress and answers from the trials that are complete; a second Ctrl-C ends at once.

)" + run_options_text() +
         R"(
Examples
  fleetcast run scenarios/gallery/quickstart.json
  fleetcast run job.json --replicates 10000 --out results.h5
  fleetcast run job.json --set /fleet/main/nodes=32 --strategy base --strategy spot --json
  fleetcast run job.json --trial 17
  fleetcast run -- -name-with-a-dash.json
)";
}

std::string check_help() {
  return R"(fleetcast check SCENARIO [options]

Validates the scenario and explains the plan of each strategy: every default that was used with its evidence, the time
of a step by part, sizes, rates, and a closed-form expectation where one exists. Simulates nothing.
Exits with 3 if no strategy can be expected to make progress.

)" + check_options_text() +
         R"(
Example
  fleetcast check scenarios/gallery/quickstart.json --set /fleet/main/market=spot
)";
}

std::string catalog_help() {
  return R"(fleetcast catalog [KIND] [ID] [options]

Prints what the catalog knows. Without KIND: the kinds (gpus, instances, models, providers, stores, failures) with their
numbers of entries. With KIND: a table, one line an entry; the prices of instances are ranges over all known places. With
ID: everything about that entry, with source, date and how far it was checked:
  checked   read in the source            part      some of it was
  recalled  from memory of the source     conflict  sources differ
  estimate  a planning value

)" + catalog_options_text() +
         R"(
Examples
  fleetcast catalog instances
  fleetcast catalog instances azure/Standard_ND96amsr_A100_v4
  fleetcast catalog gpus H100 --json
)";
}

std::string trace_help() {
  return R"(fleetcast trace SCENARIO [options]

Shows one trial of one strategy (default: base) as a timeline in Chrome's trace-event JSON. Open the file in
https://ui.perfetto.dev or chrome://tracing; both read it on your machine.

  job      phases (waiting, start-up, running, detection, repair); steps and saves, with what was lost; saves on
           their way to the store; stops by cause; price per hour, cost so far (machines, before rounding; a node that
           leaves after a notice counts at once), held nodes, kept steps and tokens
  pool     its nodes by state; notices, reclaims and failures
  node     asked for, boot and image, idle, start-up, running ..., one track each

Steps between two disturbances are one slice. Inside --window each step is shown. In the node grain these are the
steps of the trial, with each node's computing, its wait for the slowest, exchange, bubble and wait for data; in the
span grain the steps of a slice are equal parts of it, and of the category "interpolated". Times of the window are
simulated time since the submission: ns, us, ms, s, min, h or d.

What carries "gpu_s" is booked: over the whole file (all nodes shown) these figures sum to the accounts of the trial, in
GPU-seconds. A file of more than 256 MiB is not written (exit code 4): take a smaller window or fewer nodes.

)" + trace_options_text() +
         R"(
Examples
  fleetcast trace scenarios/gallery/quickstart.json --strategy spot --trial 17 --out trial17.json
  fleetcast trace job.json --grain node --window "2 d..2.01 d" --nodes 8 --out steps.json
  fleetcast trace job.json | gzip > trial0.json.gz
)";
}

std::string version_text() {
  return "fleetcast " + analysis::program_version() + " (commit " + analysis::program_commit() + ", Boost " +
         analysis::boost_version() + ", HDF5 " + analysis::hdf5_version() + ")\n";
}

}  // namespace fleetcast::cli
