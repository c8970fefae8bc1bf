#pragma once
// What is known about a strategy before anything is simulated; for `check`, warnings and reports.
#include <optional>
#include <string>
#include <vector>

#include "models/compute.hpp"
#include "models/grade.hpp"
#include "models/memory.hpp"

namespace fleetcast::sim {

/// A closed-form expectation, or the reason why there is none.
struct Expectation {
  std::optional<double> time_s, cost_usd;
  std::string form;  ///< name of the formula
  std::string why;   ///< reason where there is none
};

struct PlanFacts {
  std::string strategy;
  double gpus = 0, nodes = 0;
  std::string gpu;  ///< of the first pool of the gang
  std::string precision;
  double steps = 0;
  double tokens_per_step = 0;   ///< 0: the workload has no tokens
  double samples_per_step = 0;  ///< 0: unknown
  // one undisturbed step, mean seconds; they sum to step_time_s
  double compute_s = 0, exposed_communication_s = 0, pipeline_bubble_s = 0, straggler_wait_s = 0, data_stall_s = 0;
  double step_time_s = 0;
  std::string step_basis;  ///< where the step time comes from, one sentence
  models::Grade step_grade = models::Grade::assumed;
  std::optional<models::StepEstimate> estimate;  ///< if the model was asked
  std::optional<models::Layout> layout;          ///< of a model whose layout is known
  std::optional<models::MemoryEstimate> memory;  ///< of that layout
  std::optional<double> model_flops_per_step;    ///< nothing for measured workloads
  std::optional<double> peak_flops_per_gpu;
  std::string checkpoint_mode;                                      ///< "sync", "async", "off"
  double checkpoint_bytes = 0, interval_steps = 0, interval_s = 0;  ///< interval 0: no saves
  std::string interval_basis;                                       ///< "given", "Young/Daly with ...", "capped at 4 h"
  double save_blocked_s = 0, save_persist_s = 0, load_s = 0;        ///< means
  double restart_s = 0;       ///< mean, waiting not included; of a stop that loses one node
  double wait_s = 0;          ///< mean wait for one node (the worst pool)
  double stops_per_hour = 0;  ///< expected while stepping, first-order
  double fleet_usd_per_hour = 0;
  double undisturbed_s = 0;  ///< steps, start and saves, nothing going wrong
  double horizon_s = 0;
  std::optional<double> deadline_s, budget_usd;
  bool stop_at_deadline = false, stop_at_budget = false;
  Expectation expectation;
  std::string hopeless;  ///< why no progress can be expected and what would help; empty: there is hope
  std::vector<models::Assumption> assumptions;  ///< every default used
  std::vector<std::string> warnings;
};

}  // namespace fleetcast::sim
