// Model shapes, providers, stores, failures.
#include "analysis/catalog_figures.hpp"

#include <cmath>

#include "analysis/format.hpp"
#include "models/transformer.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double giga = 1e9;

std::string time_text(models::Seconds time) {
  return models::describe_time(models::Constant{time.value()});
}

/// "1 s, at least 1 min".
std::string billing_text(const models::Billing& billing) {
  const bool has_minimum = billing.minimum.value() > 0.0;
  return time_text(billing.increment) + (has_minimum ? ", at least " + time_text(billing.minimum) : "");
}

/// 15.70 as 15.7; 1,800 stays.
std::string without_trailing_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// Share of draws without any notice.
double share_of_none(const models::Distribution& law) {
  if (std::holds_alternative<models::None>(law)) return 1.0;
  const auto* mixture = std::get_if<models::Mixture>(&law);
  if (!mixture) return 0.0;
  double share = 0.0;
  for (const models::MixtureComponent& component : mixture->components)
    share += component.share * share_of_none(component.law);
  return share;
}

std::string law_text(const models::GradedTime& time) {
  return models::describe_time(time.law);
}

void add_billing(CatalogFigures& figures, const std::string& key, const std::string& label,
                 const models::Billing& billing) {
  figures.push_back({"", label, billing_text(billing), ""});
  figures.push_back(amount(key + "_increment_s", "", billing.increment.value(), 1, "s"));
  figures.push_back(amount(key + "_minimum_s", "", billing.minimum.value(), 1, "s"));
  figures.push_back(truth(key + "_boot_billed", "", billing.boot));
}

std::string experts_text(const models::TransformerShape& shape) {
  if (shape.experts == 0) return "";
  std::string text = std::to_string(shape.experts_active) + " of " + std::to_string(shape.experts);
  if (shape.shared_experts > 0) text += " + " + std::to_string(shape.shared_experts);
  return text;
}

std::optional<double> counted(std::int64_t count) {
  if (count > 0) return static_cast<double>(count);
  return std::nullopt;
}

/// "V100-16GB, V100-32GB: all 64 %, none 30 % of the time (fitted)": what a gang can hold.
std::string market_text(const models::SpotMarketClass& market) {
  std::string gpus;
  for (const std::string& gpu : market.gpus) gpus += (gpus.empty() ? "" : ", ") + gpu;
  return (gpus.empty() ? "any other GPU" : gpus) + ": all " + percent(market.all) + ", none " + percent(market.none) +
         " of the time (" + std::string{models::name_of(market.grade)} + ")";
}

std::string markets_text(const models::ProviderSpec& provider) {
  std::string text;
  for (const models::SpotMarketClass& market : provider.markets)
    text += (text.empty() ? "" : "; ") + market_text(market);
  return text;
}

}  // namespace

std::string written_text(const scenarios::Node& written, std::string_view key) {
  const scenarios::Node* found = written.find(key);
  return found ? found->text : "";
}

CatalogFigure amount(std::string key, std::string label, std::optional<double> value, double scale, std::string unit,
                     int digits) {
  CatalogFigure figure{std::move(key), std::move(label), "", std::move(unit)};
  if (!value || !std::isfinite(*value)) return figure;
  figure.value = *value;
  const double shown = *value / scale;
  figure.cell = shown == std::floor(shown) ? grouped(shown, 0) : without_trailing_zeros(significant(shown, digits));
  return figure;
}

CatalogFigure words(std::string key, std::string label, const std::string& text) {
  CatalogFigure figure{std::move(key), std::move(label), text, ""};
  if (!text.empty()) figure.value = text;
  return figure;
}

CatalogFigure truth(std::string key, std::string label, bool value) {
  CatalogFigure figure{std::move(key), std::move(label), value ? "yes" : "no", ""};
  figure.value = value;
  return figure;
}

CatalogFigures figures_of(const models::TransformerShape& shape, const scenarios::Node& written) {
  const double length = shape.sequence_length > 0 ? static_cast<double>(shape.sequence_length) : NAN;
  return {amount("parameters", "parameters", models::parameters(shape), giga, "billion"),
          amount("active_matrix_parameters", "active in matrix products", models::active_matrix_parameters(shape), giga,
                 "billion"),
          amount("layers", "layers", counted(shape.layers), 1, ""),
          amount("hidden", "hidden", counted(shape.hidden), 1, ""),
          amount("heads", "heads", counted(shape.heads), 1, ""),
          amount("kv_heads", "key/value heads", counted(shape.kv_heads), 1, ""),
          amount("ffn", "MLP width", counted(shape.ffn), 1, ""),
          {"", "experts", experts_text(shape), ""},
          amount("vocab", "vocabulary", counted(shape.vocab), 1, ""),
          amount("sequence_length", "sequence", counted(shape.sequence_length), 1, "tokens"),
          amount("flops_per_token", "FLOPs per token, training", models::model_flops_per_token(shape, length), giga,
                 "GFLOP"),
          amount("checkpoint_bytes_adamw", "checkpoint with AdamW",
                 models::checkpoint_bytes(shape, models::Optimizer::adamw).value(), giga, "GB"),
          words("check", "check", written_text(written, "check"))};
}

CatalogFigures figures_of(const models::ProviderSpec& provider, const scenarios::Node& written) {
  CatalogFigures figures{words("title", "title", provider.title), truth("sells_spot", "spot", provider.sells_spot)};
  add_billing(figures, "on_demand", "billed on demand", provider.billing_on_demand);
  add_billing(figures, "spot", "billed on spot", provider.billing_spot);
  figures.push_back(truth("spot_first_hour_free", "first hour free if taken", provider.billing_spot.first_hour_free));
  figures.push_back(words("notice", "notice", law_text(provider.notice)));
  figures.push_back(amount("notice_none_share", "share without notice", share_of_none(provider.notice.law), 1, ""));
  figures.push_back(words("wait_on_demand", "wait on demand", law_text(provider.wait_on_demand)));
  figures.push_back(words("wait_spot", "wait for spot", law_text(provider.wait_spot)));
  figures.push_back(words("spot_capacity", "spot capacity", markets_text(provider)));
  figures.push_back(words("boot", "boot", law_text(provider.boot)));
  figures.push_back(words("image", "image", law_text(provider.image)));
  figures.push_back(words("default_store", "store", provider.default_store));
  const scenarios::Node* billing = written.find("billing");
  figures.push_back(words("billing_check", "billing check", billing ? written_text(*billing, "check") : ""));
  return figures;
}

CatalogFigures figures_of(const models::StoreSpec& store, const scenarios::Node& written) {
  const double aggregate = store.aggregate.value();
  return {words("provider", "provider", store.provider),
          words("kind", "kind", store.kind),
          amount("node_bytes_per_s", "one machine", store.node_rate.value(), giga, "GB/s"),
          amount("aggregate_bytes_per_s", "all together", aggregate > 0.0 ? std::optional{aggregate} : std::nullopt,
                 giga, "GB/s"),
          amount("fixed_s", "fixed time", store.fixed.value(), 1, "s"),
          amount("usd_per_gb_month", "storage", store.per_gb_month.value(), 1, "USD/GB-month"),
          amount("usd_per_1k_writes", "1,000 writes", store.per_1k_writes.value(), 1, "USD"),
          words("grade", "rates", std::string{name_of(store.grade)}),
          words("check", "check", written_text(written, "check"))};
}

CatalogFigures figures_of(const models::TypicalFailures& failures, const scenarios::Node& written) {
  double all = 0.0, needs_node = 0.0;
  for (const models::TypicalCause& cause : failures.causes) {
    all += cause.per_gpu.value();
    needs_node += cause.needs_node ? cause.per_gpu.value() : 0.0;
  }
  std::string gpus;
  for (const std::string& gpu : failures.gpus) gpus += (gpus.empty() ? "" : ", ") + gpu;
  return {words("gpus", "GPUs", gpus.empty() ? "every other" : gpus),
          amount("per_gpu_s", "per 1,000 GPUs and day", all, 1.0 / (1000.0 * models::seconds_per_day), ""),
          amount("needs_node_share", "that need a new machine, %", all > 0.0 ? needs_node / all : NAN, 0.01, "", 3),
          amount("causes", "causes", static_cast<double>(failures.causes.size()), 1, ""),
          amount("rate_log_sd", "log-sd of the rate", failures.rate_sigma, 1, ""),
          words("grade", "grade", std::string{name_of(failures.grade)}),
          words("check", "check", written_text(written, "check"))};
}

}  // namespace fleetcast::analysis
