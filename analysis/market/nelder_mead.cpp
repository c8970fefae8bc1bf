#include "analysis/market/nelder_mead.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

using Point = std::vector<double>;
struct Corner {
  Point at;
  double value = 0.0;
};

class Simplex {
 public:
  Simplex(const std::function<double(const Point&)>& function, const Point& start, const SimplexOptions& options)
      : function_{function}, options_{options} {
    add(start);
    for (std::size_t axis = 0; axis < start.size(); ++axis) {
      Point corner = start;
      corner[axis] += options.step;
      add(corner);
    }
    sort();
  }

  Minimum search() {
    while (evaluations_ < options_.most_evaluations && !settled()) step();
    return {corners_.front().at, corners_.front().value, evaluations_};
  }

 private:
  double value_at(const Point& point) {
    ++evaluations_;
    const double value = function_(point);
    return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
  }

  void add(const Point& point) { corners_.push_back({point, value_at(point)}); }

  void sort() {
    std::stable_sort(corners_.begin(), corners_.end(),
                     [](const Corner& a, const Corner& b) { return a.value < b.value; });
  }

  [[nodiscard]] bool settled() const {
    const Corner& best = corners_.front();
    if (corners_.back().value - best.value > options_.flat_enough) return false;
    for (const Corner& corner : corners_)
      for (std::size_t i = 0; i < best.at.size(); ++i)
        if (std::abs(corner.at[i] - best.at[i]) > options_.close_enough) return false;
    return true;
  }

  /// Centre of all corners but the worst, moved `by` times its distance away from the worst.
  [[nodiscard]] Point beyond_the_centre(double by) const {
    Point point(corners_[0].at.size(), 0.0);
    for (std::size_t i = 0; i < point.size(); ++i) {
      for (std::size_t c = 0; c + 1 < corners_.size(); ++c) point[i] += corners_[c].at[i];
      const double centre = point[i] / static_cast<double>(corners_.size() - 1);
      point[i] = centre + by * (centre - corners_.back().at[i]);
    }
    return point;
  }

  Corner probe(double by) {
    Point point = beyond_the_centre(by);
    const double value = value_at(point);
    return {std::move(point), value};
  }

  void step() {
    const Corner reflected = probe(1.0);
    const double worst = corners_.back().value, second_worst = corners_[corners_.size() - 2].value;
    if (reflected.value < corners_.front().value) {
      const Corner expanded = probe(2.0);
      corners_.back() = expanded.value < reflected.value ? expanded : reflected;
    } else if (reflected.value < second_worst) {
      corners_.back() = reflected;
    } else {
      const Corner contracted = probe(reflected.value < worst ? 0.5 : -0.5);
      if (contracted.value < std::min(worst, reflected.value))
        corners_.back() = contracted;
      else
        shrink();
    }
    sort();
  }

  void shrink() {
    const Point best = corners_.front().at;
    for (std::size_t c = 1; c < corners_.size(); ++c) {
      for (std::size_t i = 0; i < best.size(); ++i) corners_[c].at[i] = best[i] + 0.5 * (corners_[c].at[i] - best[i]);
      corners_[c].value = value_at(corners_[c].at);
    }
  }

  const std::function<double(const Point&)>& function_;
  const SimplexOptions& options_;
  std::vector<Corner> corners_;
  int evaluations_ = 0;
};

}  // namespace

Minimum minimize(const std::function<double(const std::vector<double>&)>& function, const std::vector<double>& start,
                 const SimplexOptions& options) {
  models::require(!start.empty() && options.step != 0.0, "a simplex has an extent");
  return Simplex{function, start, options}.search();
}

}  // namespace fleetcast::analysis
