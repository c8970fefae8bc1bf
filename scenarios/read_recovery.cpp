#include <array>

#include "scenarios/context.hpp"
#include "scenarios/read_pool.hpp"

namespace fleetcast::scenarios {
namespace {

void read_policy(const Object& object) {
  const std::vector<Choice<int>> choices{
      {"restart", 1}, {"elastic", std::nullopt}, {"drop-replica", std::nullopt}, {"migrate", std::nullopt}};
  if (const auto field = object.find("policy")) read_choice(*field, choices);
}

/// A random time, or one with a part that grows with the gang.
std::optional<PartTime> read_part(const Field& field) {
  PartTime part;
  if (!field.is_object()) {
    const auto law = read_random_time(field, {});
    if (!law) return std::nullopt;
    part.fixed = *law;
    return part;
  }
  const Object object{field, known::part_time};
  if (const auto fixed = object.find("fixed")) part.fixed = read_random_time(*fixed, {}).value_or(models::Constant{});
  if (const auto rank = object.find("per_rank")) part.per_rank = read_time(*rank, Zero::allowed).value_or(0.0);
  if (const auto node = object.find("per_node")) part.per_node = read_time(*node, Zero::allowed).value_or(0.0);
  return part;
}

struct NamedPart {
  std::string_view name;
  std::optional<PartTime> RestartParts::*part;
};
constexpr std::array<NamedPart, 9> named_parts{{{"detect", &RestartParts::detect},
                                                {"decide", &RestartParts::decide},
                                                {"boot", &RestartParts::boot},
                                                {"image", &RestartParts::image},
                                                {"setup", &RestartParts::setup},
                                                {"compile", &RestartParts::compile},
                                                {"load", &RestartParts::load},
                                                {"skip", &RestartParts::skip},
                                                {"fill", &RestartParts::fill}}};

void read_restart(const Object& recovery, Context& context) {
  const auto field = recovery.find("restart");
  if (!field) return;
  if (!field->is_object()) {
    context.scenario.recovery.whole = read_random_time(*field, {});
    return;
  }
  const Object object{*field, known::restart};
  for (const NamedPart& named : named_parts) {
    const auto part = object.find(named.name);
    if (part) context.scenario.recovery.parts.*named.part = read_part(*part);
  }
}

/// The watchdog is noted with the hangs that it finds.
void read_faults(const Object& object, Context& context) {
  Recovery& recovery = context.scenario.recovery;
  if (const auto field = object.find("hang_timeout")) {
    const auto seconds = read_time(*field, Zero::refused);
    if (seconds) recovery.hang_timeout = models::Seconds{*seconds};
  }
  if (const auto field = object.find("resume_failure")) {
    recovery.resume_failure = read_fraction(*field).value_or(0.0);
  } else if (context.scenario.checkpoint.mode != Checkpoint::Mode::off) {
    context.assume_default(object.pointer("resume_failure"), "0");
  }
}

void note_start_of_nodes(Context& context) {
  const Recovery& recovery = context.scenario.recovery;
  if (recovery.whole) return;
  for (const Pool* pool : gang_of(context.scenario)) {
    const models::ProviderSpec* provider = context.library.catalog().provider(pool->instance.provider);
    const models::GradedTime boot = boot_time(provider), image = image_time(provider);
    if (!recovery.parts.boot) {
      context.assume({"/recovery/restart/boot", models::describe_time(boot.law), boot.grade, boot.source});
    }
    if (!recovery.parts.image) {
      context.assume({"/recovery/restart/image", models::describe_time(image.law), image.grade, image.source});
    }
  }
}

}  // namespace

void read_recovery(Context& context) {
  const Section section{context, "recovery", known::recovery};
  read_policy(section.object);
  read_faults(section.object, context);
  const std::size_t before = context.report().count();
  read_restart(section.object, context);
  if (context.report().count() == before) note_start_of_nodes(context);
}

}  // namespace fleetcast::scenarios
