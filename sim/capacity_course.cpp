#include "sim/capacity_course.hpp"

#include <algorithm>
#include <limits>

#include "sim/unknowns.hpp"

namespace fleetcast::sim {
namespace {

using kernel::Duration;
using kernel::Time;

/// Looks no further than so many changes for one that matters.
constexpr int most_looks = 4096;

class RecordedCapacity final : public CapacityCourse {
 public:
  RecordedCapacity(const RecordedCourse& course, const Draws& draws) : course_{course}, window_{course.window(draws)} {}
  std::size_t capacity() const override { return at(now_); }
  Change next() override {
    const Time when = course_.next_change(window_, now_);
    return when < Time::never() ? Change{when, at(when)} : Change{when, capacity()};
  }
  void advance() override { now_ = course_.next_change(window_, now_); }
  Time end() const override { return course_.end(window_); }

 private:
  std::size_t at(Time when) const { return static_cast<std::size_t>(course_.value(window_, when)); }
  const RecordedCourse& course_;
  Duration window_;
  Time now_{};
};

class MarketCapacity final : public CapacityCourse {
 public:
  MarketCapacity(const Plan& plan, std::size_t pool, const Draws& draws)
      : path_{*plan.pools[pool].market, market_key(plan, pool, draws), start_hour(plan, draws),
              climate_of(plan, pool, draws)} {}
  std::size_t capacity() const override { return static_cast<std::size_t>(path_.capacity()); }
  Change next() override {
    return {Time::from_seconds(path_.next_s()), static_cast<std::size_t>(path_.next_capacity())};
  }
  void advance() override { path_.advance(); }

 private:
  models::MarketPath path_;
};

/// From one regime to a neighbour in the list; from the middle to either, with the same chance.
class RegimeCapacity final : public CapacityCourse {
 public:
  RegimeCapacity(const PoolPlan& pool, const Draws& draws) : pool_{pool}, draws_{draws} {
    double left = uniform() * sum_of_weights();
    while (regime_ + 1 < pool.regimes.size() && left >= weight(regime_)) left -= weight(regime_++);
    stay();
  }
  std::size_t capacity() const override { return nodes_in(regime_); }
  Change next() override { return {until_, nodes_in(coming_)}; }
  void advance() override {
    now_ = until_;
    regime_ = coming_;
    stay();
  }
  std::size_t regime() const override { return regime_; }

 private:
  std::size_t nodes_in(std::size_t regime) const { return static_cast<std::size_t>(pool_.regimes[regime].capacity); }
  double uniform() { return draws_.uniform(Purpose::regime, pool_.zone, draw_++); }
  /// Share of the visits times mean stay: ends of the list are visited half as often as what lies between.
  double weight(std::size_t regime) const {
    const bool inner = regime > 0 && regime + 1 < pool_.regimes.size();
    return (inner ? 2.0 : 1.0) * models::mean(pool_.regimes[regime].stay);
  }
  double sum_of_weights() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < pool_.regimes.size(); ++i) sum += weight(i);
    return sum;
  }
  void stay() {
    const double seconds = draws_.value(pool_.regimes[regime_].stay, Purpose::regime, pool_.zone, draw_++);
    until_ = now_ + Duration::from_seconds(seconds);
    const std::size_t last = pool_.regimes.size() - 1;
    const bool up = regime_ == 0 || (regime_ < last && uniform() < 0.5);
    coming_ = last == 0 ? 0 : up ? regime_ + 1 : regime_ - 1;
  }

  const PoolPlan& pool_;
  const Draws& draws_;
  std::uint32_t draw_ = 0;
  std::size_t regime_ = 0, coming_ = 0;
  Time now_{}, until_{};
};

/// No node can be held while the price is above the cap.
class CappedByPrice final : public CapacityCourse {
 public:
  CappedByPrice(std::unique_ptr<CapacityCourse> inner, std::size_t all, const PriceCourse& price, double cap)
      : inner_{std::move(inner)}, all_{all}, price_{price}, cap_{cap}, affordable_{is_affordable({})} {
    find_turn();
  }
  std::size_t capacity() const override { return affordable_ ? wanted() : 0; }
  Change next() override {
    const Change inner = inner_ ? inner_->next() : Change{};
    if (turn_ <= inner.at) return {turn_, is_affordable(turn_) ? wanted() : 0};
    return {inner.at, affordable_ ? inner.capacity : 0};
  }
  void advance() override {
    if (inner_ && inner_->next().at < turn_) {
      inner_->advance();
      return;
    }
    now_ = turn_;
    affordable_ = is_affordable(now_);
    find_turn();
  }
  Time end() const override { return inner_ ? inner_->end() : Time::never(); }
  std::size_t regime() const override { return inner_ ? inner_->regime() : 0; }

 private:
  std::size_t wanted() const { return inner_ ? inner_->capacity() : all_; }
  bool is_affordable(Time at) const { return !(at < Time::never()) || price_.value(at) <= cap_; }
  /// When the price crosses the cap, or the end of what was looked at.
  void find_turn() {
    turn_ = now_;
    for (int look = 0; look < most_looks && turn_ < Time::never(); ++look) {
      turn_ = price_.next_change(turn_);
      if (is_affordable(turn_) != affordable_) return;
    }
  }

  std::unique_ptr<CapacityCourse> inner_;
  std::size_t all_;
  const PriceCourse& price_;
  double cap_;
  bool affordable_;
  Time now_{}, turn_{};
};

std::unique_ptr<CapacityCourse> without_cap(const Plan& plan, std::size_t pool, const Draws& draws) {
  const PoolPlan& what = plan.pools[pool];
  if (what.capacity) return std::make_unique<RecordedCapacity>(*what.capacity, draws);
  if (what.market) return std::make_unique<MarketCapacity>(plan, pool, draws);
  if (!what.regimes.empty()) return std::make_unique<RegimeCapacity>(what, draws);
  return nullptr;
}

}  // namespace

std::unique_ptr<CapacityCourse> capacity_course(const Plan& plan, std::size_t pool, const Draws& draws,
                                                const PriceCourse* price) {
  const PoolPlan& what = plan.pools[pool];
  std::unique_ptr<CapacityCourse> course = without_cap(plan, pool, draws);
  if (price == nullptr || !(what.price_cap < std::numeric_limits<double>::infinity())) return course;
  return std::make_unique<CappedByPrice>(std::move(course), static_cast<std::size_t>(what.nodes), *price,
                                         what.price_cap);
}

}  // namespace fleetcast::sim
