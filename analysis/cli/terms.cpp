#include "analysis/cli/terms.hpp"

namespace fleetcast::cli {

std::string_view terms_text() {
  return R"(The words of an answer

What happens
  lost node      gone, for whatever reason
  reclaim        the provider takes a spot node back
  failure        hardware or software breaks
  stop           the gang (all nodes that step together) ceases to step
  restart        everything from a stop until steps resume
  held           a node is held from its boot until it is gone, whether it works or not

Figures
  time           from submission to the durable final save
  cost           everything billed until the last node is gone, plus storage, requests and egress
  billed         held time at its price, plus rounding and minimum charges, minus what is forgiven (free hours)
  goodput        wall time of the steps that were kept, waiting for data not counted, over time
  goodput_held   the same in GPU-seconds over held GPU-seconds
  mfu            model FLOPs of an undisturbed step over GPUs x dense peak of that precision. Model FLOPs are
                 6 x matrix parameters per token plus causal attention; recomputed work does not count
  mfu_run        the same for the kept steps of a whole run, over held GPU-seconds: what was paid for
                 Both are not available for measured workloads, whose FLOPs nobody knows
  cost per token sum of the cost of all trials over the sum of the tokens they kept, never a mean of ratios
  interruptions  unplanned stops, by cause. A bulk reclaim of several nodes is one. Losses during a restart and planned
                 stops are counted apart

Accounts: every GPU-second of every held node is in exactly one of them, so they sum to the held GPU-seconds
  compute                kept steps: forward, backward, optimiser
  exposed_communication  kept steps: collectives that nothing hides
  pipeline_bubble        kept steps: pipeline stages without work
  straggler_wait         kept steps: waiting for the slowest node
  data_stall             kept steps: waiting for the data loader
  checkpoint_stall       blocked by a save that became usable
  evaluation             validation on the fleet
  lost_work              everything since the last usable checkpoint when the run falls back to it
  detection              from a stop until it is known what to do
  start_up               boot, image, communicator set-up, compile, load, skip data, fill the pipeline
  idle                   waiting for the gang to be complete
  spare                  nodes held in reserve

Trials that do not finish
  They ran into the horizon, an enforced limit or the event limit. They are censored, never dropped: quantiles count
  them as infinite; the mean does not exist, instead "mean at least" takes each at what it had reached; they count as
  missing the deadline and the budget. Differences use the pairs of trials where both strategies finished, and show
  their share.

Intervals
  ci95            95 % interval of a mean: Monte Carlo error only. More trials make it narrower; it says nothing about how
                  true the models are. Left out if 1 % of the trials hold more than 20 % of the sum
  model_interval  the same with what is unknown but fixed added, which each trial draws anew: speed, failure rates,
                  the climate of spot markets, "uncertain" values, and how few independent windows a replayed recording holds (block
                  bootstrap). model_share is the share of the variance between trials that comes from it
  independent_windows  length of a replayed recording over the mean time of a run; below 10 the report warns
  p5, p50, p95    5, 50 and 95 % of all trials are below. Their limits are order statistics; "not available" where there
                  are too few trials
  differences     of the same trial under two strategies: same failures, same reclaims, same luck

How many trials
  replicates, or as many as the stopping rule montecarlo.until asks for. The rule looks when the replicates are there,
  then at twice, four times ... as many, until in every strategy half of the ci95 of its figure is at most half_width
  of the mean, or at_most is reached (then a warning says how wide it still is). It sees the trials in their order and
  nothing else, so the number of trials does not depend on threads or interruptions. A strategy with unfinished trials
  is judged by the same interval around its "mean at least", one without a finished trial is not judged, a suppressed
  interval is never narrow enough, and fewer than 100 trials are never enough.

Evidence of a figure, from best to worst
  measured      a case like this was measured
  fitted        inside the range of a calibrated model
  extrapolated  outside that range; the nearest measured point is named
  assumed       a documented default without data
)";
}

}  // namespace fleetcast::cli
