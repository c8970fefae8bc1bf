#include "sim/price_course.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/random/deterministic_math.hpp"

namespace fleetcast::sim {
namespace {

using kernel::Duration;
using kernel::Time;

class RecordedPrice final : public PriceCourse {
 public:
  RecordedPrice(const RecordedCourse& course, const Draws& draws) : course_{course}, window_{course.window(draws)} {}
  double value(Time at) const override { return course_.value(window_, at); }
  Time next_change(Time at) const override { return course_.next_change(window_, at); }
  double integral(Time from, Time to) const override { return course_.integral(window_, from, to); }

 private:
  const RecordedCourse& course_;
  Duration window_;
};

/// Drawn as far as anyone has asked.
class DrawnPrice final : public PriceCourse {
 public:
  DrawnPrice(const PoolPlan& pool, const Draws& draws) : law_{*pool.price_law}, zone_{pool.zone}, draws_{draws} {
    log_ = law_.log_sd * draws.normal(Purpose::price, zone_, 0);
    changes_.push_back({Time{}, price(), 0.0});
  }
  double value(Time at) const override { return before(at).price; }
  Time next_change(Time at) const override {
    while (changes_.back().at <= at) draw_next();
    return std::upper_bound(changes_.begin(), changes_.end(), at, is_earlier)->at;
  }
  double integral(Time from, Time to) const override { return integral_to(to) - integral_to(from); }

 private:
  struct Change {
    Time at;
    double price, integral_before;
  };
  static bool is_earlier(Time at, const Change& change) { return at < change.at; }
  double price() const { return std::clamp(law_.median * models::det::exp(log_), law_.lowest, law_.highest); }
  void draw_next() const {
    models::Stream bits = draws_.stream(Purpose::price, zone_, static_cast<std::uint32_t>(changes_.size()));
    const Change last = changes_.back();
    const double gap_s = law_.mean_gap_s * models::unit_exponential(bits);
    const double fresh = std::sqrt(1.0 - law_.memory * law_.memory) * law_.log_sd;
    log_ = law_.memory * log_ + fresh * models::unit_normal(bits);
    const Time at = std::max(last.at + Duration{1}, last.at + Duration::from_seconds(gap_s));
    changes_.push_back({at, price(), last.integral_before + last.price * (at - last.at).seconds()});
  }
  const Change& before(Time at) const {
    while (changes_.back().at <= at) draw_next();
    return *std::prev(std::upper_bound(changes_.begin(), changes_.end(), at, is_earlier));
  }
  double integral_to(Time at) const {
    const Change& change = before(at);
    return change.integral_before + change.price * (at - change.at).seconds();
  }

  const models::PriceLaw& law_;
  std::uint32_t zone_;
  const Draws& draws_;
  mutable double log_ = 0.0;
  mutable std::vector<Change> changes_;
};

}  // namespace

std::unique_ptr<PriceCourse> price_course(const PoolPlan& pool, const Draws& draws) {
  if (pool.price) return std::make_unique<RecordedPrice>(*pool.price, draws);
  if (pool.price_law) return std::make_unique<DrawnPrice>(pool, draws);
  return nullptr;
}

}  // namespace fleetcast::sim
