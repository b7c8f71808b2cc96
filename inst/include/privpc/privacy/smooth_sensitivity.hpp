// The smooth sensitivity of the median of m sorted values (smooth_median.hpp says what it is for):
//   S = max over windows l <= c <= r, l < r, of exp(-(r - l - 1) d) (x_r - x_l),
// c being the median's index, x_i = 0 for i < 0 and the top for i >= m. In about m log m steps, as
// Nissim, Raskhodnikova and Smith (2007) do; the windows themselves are as many as m^2.
//
// WINDOWS THAT ARE LEFT OUT. A window beyond -1 or m has the same ends as a smaller one that goes
// that far. Of equal values only the one next to the median can be the end of the best window. And
// no spread is above the top: where exp(-k d) times the top is below a window that is known, k is
// too wide.
//
// THE BEST RIGHT END NEVER MOVES BACK. For a left end l, the best right end is that with the
// largest f(l, r) = e_r (x_r - x_l), e_r = exp(-d r). If l < h and q < r, then
//   f(h, r) - f(h, q) = f(l, r) - f(l, q) + (x_h - x_l)(e_q - e_r) >= f(l, r) - f(l, q):
// who wins for l against one further left wins for h as well, by no less. So the best right end of
// the middle left end divides what is to be looked at for those before and after it. Rounding must
// not decide that: all right ends from the first to the last that come near the best one stay in
// question on both sides.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "privpc/base/monitor.hpp"

namespace privpc {

class SmoothSensitivity {
 public:
  // `sorted` in 0..top, not empty; it must outlive this.
  SmoothSensitivity(const std::vector<std::int64_t>& sorted, std::int64_t top, double decay)
      : sorted_(sorted),
        size_(static_cast<std::int64_t>(sorted.size())),
        centre_((size_ - 1) / 2),
        top_(top),
        decay_(decay) {}

  // At least 1.
  double largest() {
    // Wider windows do not count for less: the widest has the widest spread.
    if (decay_ <= 0) return std::max(1.0, weight(size_) * static_cast<double>(top_));
    try_some_widths();
    const double farthest = std::log(static_cast<double>(top_) / largest_) / decay_;
    if (farthest < 1) return largest_;  // windows of two neighbours were tried
    find_ends(farthest < static_cast<double>(size_) ? static_cast<std::int64_t>(farthest) + 1
                                                    : size_);
    search(0, lefts_.size(), 0, rights_.size() - 1);
    return largest_;
  }

 private:
  static constexpr std::int64_t kOften = 1 << 16;
  // Far more than sums and products of doubles can be wrong by.
  static constexpr double kNear = 1 - 1.0 / (std::int64_t{1} << 40);

  double weight(std::int64_t k) const { return std::exp(-static_cast<double>(k) * decay_); }

  std::int64_t at(std::int64_t i) const {
    if (i < 0) return 0;
    return i >= size_ ? top_ : sorted_[static_cast<std::size_t>(i)];
  }

  // The widest spread of k + 2 values in a row around the median.
  std::int64_t spread(std::int64_t k) const {
    std::int64_t widest = 0;
    for (std::int64_t t = 0; t <= k + 1; ++t) {
      if (t % kOften == 0) breathe();
      widest = std::max(widest, at(centre_ + t) - at(centre_ + t - k - 1));
    }
    return widest;
  }

  // Each about twice as wide as the one before: already so few say which are too wide.
  void try_some_widths() {
    for (std::int64_t k = 0; k <= size_; k = 2 * k + 1) {
      if (weight(k) * static_cast<double>(top_) <= largest_) return;
      largest_ = std::max(largest_, weight(k) * static_cast<double>(spread(k)));
    }
  }

  // The ends of windows of no more than `reach` + 2 values, both from left to right, and the
  // weights of all windows that these ends have.
  void find_ends(std::int64_t reach) {
    const std::int64_t first = std::max<std::int64_t>(centre_ - reach - 1, -1);
    const std::int64_t last = std::min(centre_ + reach + 1, size_);
    for (std::int64_t l = first; l <= centre_; ++l) {
      if (l % kOften == 0) breathe();
      if (l == centre_ || at(l + 1) > at(l)) lefts_.push_back(l);
    }
    for (std::int64_t r = centre_; r <= last; ++r) {
      if (r % kOften == 0) breathe();
      if (r == centre_ || at(r) > at(r - 1)) rights_.push_back(r);
    }
    for (std::int64_t k = 0; k < rights_.back() - lefts_.front(); ++k) {
      if (k % kOften == 0) breathe();
      weights_.push_back(weight(k));
    }
  }

  double value(std::size_t left, std::size_t right) const {
    const std::int64_t l = lefts_[left], r = rights_[right];
    if (l == r) return 0;
    return weights_[static_cast<std::size_t>(r - l - 1)] * static_cast<double>(at(r) - at(l));
  }

  // Left ends from `begin` to before `end`, with right ends from `low` to `high`.
  void search(std::size_t begin, std::size_t end, std::size_t low, std::size_t high) {
    if (begin == end) return;
    const std::size_t middle = begin + (end - begin) / 2;
    double best = 0;
    for (std::size_t right = low; right <= high; ++right)
      best = std::max(best, value(middle, right));
    largest_ = std::max(largest_, best);
    std::size_t near_low = low, near_high = high;
    while (value(middle, near_low) < best * kNear)
      ++near_low;
    while (value(middle, near_high) < best * kNear)
      --near_high;
    look_up(high - low + 1);
    search(begin, middle, low, near_high);
    search(middle + 1, end, near_low, high);
  }

  // After so many values more.
  void look_up(std::size_t values) {
    looked_at_ += values;
    if (looked_at_ < static_cast<std::size_t>(kOften)) return;
    looked_at_ = 0;
    breathe();
  }

  const std::vector<std::int64_t>& sorted_;
  std::int64_t size_, centre_, top_;
  double decay_;
  double largest_ = 1;
  std::vector<std::int64_t> lefts_, rights_;
  std::vector<double> weights_;
  std::size_t looked_at_ = 0;
};

}  // namespace privpc
