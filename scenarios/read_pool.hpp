#pragma once
// The parts of reading one pool.
#include "scenarios/context.hpp"

namespace fleetcast::scenarios {

/// Dollars per node-hour: given, or the catalog's for that place and market. An unknown price is a fault that says
/// which one.
void read_price(const Object& object, Context& context, Pool& pool);

/// Billing, lifetime, bulk, notice and wait: given, or the provider's for that market. Boot and image: the provider's.
void read_mechanics(const Object& object, Context& context, Pool& pool);

/// Recorded capacity; with it there is no lifetime, bulk and wait.
void read_replay(const Object& object, Context& context, Pool& pool);

/// Usable warning before a reclaim: given whole, or by its parts, or the provider's.
void read_notice(const Object& object, Context& context, const models::ProviderSpec* provider, Pool& pool);

/// Spot nodes: lives that the user writes (regimes, early and daily ones), or the market model.
void read_market(const Object& object, Context& context, const models::ProviderSpec* provider, Pool& pool);
/// Age limit and launches that fail.
void read_age_and_launches(const Object& object, Pool& pool);
/// True if the user writes lives instead of leaving them to the market model.
bool lives_are_given(const Object& object);
/// Faults for the fields that have a meaning for spot nodes only.
void refuse_spot_fields(const Object& object);

/// The provider's figure for a node's start, or what is assumed without one.
models::GradedTime boot_time(const models::ProviderSpec* provider);
models::GradedTime image_time(const models::ProviderSpec* provider);

}  // namespace fleetcast::scenarios
