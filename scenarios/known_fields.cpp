#include "scenarios/known_fields.hpp"

#include <algorithm>
#include <array>

namespace fleetcast::scenarios {
namespace known {

const KnownObject top{"the top level",
                      "$schema name about start workload fleet training data checkpoint recovery limits montecarlo "
                      "failures strategies compare_to allow_extrapolation define uncertain sourcing",
                      "links evaluation quality energy sweep rank plan tags"};
const KnownObject workload{"workload", "tokens samples steps work model measured sequence_length global_batch",
                           "batch_ramp"};
const KnownObject shape{"workload.model",
                        "like layers hidden heads ffn vocab kv_heads gated tied experts experts_active expert_ffn "
                        "shared_experts parameters",
                        ""};
const KnownObject measured{"workload.measured", "step_time exchange rows state gradients scaling", ""};
const KnownObject measured_row{"workload.measured.rows", "gpu precision gpus samples_per_s_per_gpu", ""};
const KnownObject pool{"fleet.<pool>",
                       "instance nodes region zone market price billing lifetime bulk notice wait replay "
                       "capacity availability launch_failure regimes daily coupling early_lifetime max_life price_cap",
                       "block quota stragglers network_quality"};
const KnownObject notice{"fleet.<pool>.notice", "announced early poll margin none", ""};
const KnownObject regime{"fleet.<pool>.regimes", "name stay lifetime wait capacity", ""};
const KnownObject availability{"fleet.<pool>.availability", "some all", ""};
const KnownObject sourcing{"sourcing", "retry brake", "policy order split fallback decide_every smoke_test"};
const KnownObject brake{"sourcing.brake", "above pause", ""};
const KnownObject retry{"sourcing.retry", "first factor longest", "give_up"};
const KnownObject instance{"fleet.<pool>.instance", "like gpu gpus intra inter vcpus memory domain", ""};
const KnownObject billing{"fleet.<pool>.billing", "increment minimum boot first_hour_free", ""};
const KnownObject bulk{"fleet.<pool>.bulk", "single size", ""};
const KnownObject replay{"fleet.<pool>.replay", "file window at_end gaps", ""};
const KnownObject training{"training",
                           "precision parallelism micro_batch accumulation recompute optimizer speed jitter "
                           "gradient_sync overlap imbalance offload activation_compression memory_limit software "
                           "exchange",
                           ""};
const KnownObject local_steps{"training.exchange", "every precision", ""};
const KnownObject parallelism{"training.parallelism",
                              "tensor pipeline virtual context expert sequence_parallel sharding", ""};
const KnownObject data{"data", "rate",
                       "store region dataset sample format shards workers_per_gpu prefetch cpu_time prepare decode "
                       "cache epoch_pause resume skip_rate"};
const KnownObject checkpoint{"checkpoint", "mode interval store size measured on_notice final keep",
                             "local writers readers rank_rate per_file write_failure optimizer_every half compression "
                             "archive_after"};
const KnownObject measured_checkpoint{"checkpoint.measured", "blocked persist load", ""};
const KnownObject recovery{"recovery", "policy restart hang_timeout resume_failure",
                           "survivors min_nodes regrow batch_tolerance spares"};
const KnownObject restart{"recovery.restart", "detect decide boot image setup compile load skip fill", ""};
const KnownObject part_time{"a part of recovery.restart", "fixed per_rank per_node", ""};
const KnownObject failures{"failures", "causes bad_nodes", ""};
const KnownObject bad_nodes{"failures.bad_nodes", "share factor", ""};
const KnownObject cause{"failures.causes.<name>",
                        "rate events exposure detect repair needs_node host_survives takes returns kind", ""};
const KnownObject limits{"limits", "deadline budget stop_at horizon", "miss_cost"};
const KnownObject montecarlo{"montecarlo", "replicates seed grain calibration until", ""};
const KnownObject until{"montecarlo.until", "figure half_width at_most", ""};
const KnownObject define{"define", "instances stores models", ""};
const KnownObject store{"define.stores.<id>", "like kind node_rate aggregate fixed per_gb_month per_1k_writes", ""};

}  // namespace known

namespace {

/// Objects of fields that are not yet supported: known so that a misplaced field is told where it belongs.
constexpr std::array<KnownObject, 10> later_objects{{
    {"links", "", "pools latency"},
    {"evaluation", "", "every where"},
    {"quality", "", "compare target_loss law early_stop"},
    {"energy", "", "pue grid boundary"},
    {"sweep", "", "over method points"},
    {"rank", "", "levers figure"},
    {"plan", "", "choose minimise such_that"},
    {"recovery.spares", "", "refill paid"},
    {"fleet.<pool>.block", "", "starts length ends_early"},
    {"fleet.<pool>.stragglers", "", "share speed"},
}};

const std::array<const KnownObject*, 33> objects_now{
    &known::top,         &known::workload,    &known::shape,     &known::measured,     &known::measured_row,
    &known::pool,        &known::instance,    &known::billing,   &known::bulk,         &known::replay,
    &known::training,    &known::parallelism, &known::data,      &known::checkpoint,   &known::measured_checkpoint,
    &known::recovery,    &known::restart,     &known::part_time, &known::failures,     &known::cause,
    &known::limits,      &known::montecarlo,  &known::until,     &known::define,       &known::store,
    &known::local_steps, &known::notice,      &known::regime,    &known::availability, &known::sourcing,
    &known::retry,       &known::brake,       &known::bad_nodes};

void append_if_has(std::string& paths, const KnownObject& object, std::string_view field) {
  if (!contains_word(object.now, field) && !contains_word(object.later, field)) return;
  if (!paths.empty()) paths += " or ";
  paths += object.path;
}

}  // namespace

bool contains_word(std::string_view words, std::string_view word) {
  if (word.empty()) return false;
  for (std::size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' ')) return true;
  }
  return false;
}

std::vector<std::string> split_words(std::string_view words) {
  std::vector<std::string> result;
  std::size_t begin = 0;
  while (begin < words.size()) {
    const std::size_t end = std::min(words.find(' ', begin), words.size());
    result.emplace_back(words.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

std::string where_it_belongs(std::string_view field) {
  std::string paths;
  for (const KnownObject* object : objects_now) append_if_has(paths, *object, field);
  for (const KnownObject& object : later_objects) append_if_has(paths, object, field);
  return paths;
}

}  // namespace fleetcast::scenarios
