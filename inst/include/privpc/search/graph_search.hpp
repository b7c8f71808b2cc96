// The graph with the best score that can be found: greedy steps (add, remove, turn an edge), random
// ones that cool down, greedy ones again.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/base/simulation_rng.hpp"
#include "privpc/graph/bit_matrix.hpp"
#include "privpc/search/graph_score.hpp"

namespace privpc {

// Which edges the search may put where. An edge that is `kept` may be turned, if the other arc is
// allowed, but not removed.
struct AllowedArcs {
  explicit AllowedArcs(std::size_t nodes)
      : arc(static_cast<int>(nodes)), kept(static_cast<int>(nodes)) {}
  BitMatrix arc;
  BitMatrix kept;  // symmetric
};

class GraphSearch {
 public:
  // `most_work`: of the score; what would need more is left out, and the best graph until then is
  // taken. Work, not time: the same on every machine.
  GraphSearch(GraphScore& score, const AllowedArcs& allowed, Monitor* monitor = nullptr,
              double most_work = HUGE_VAL)
      : score_(score),
        allowed_(allowed),
        monitor_(monitor),
        most_work_(most_work),
        nodes_(score.size()) {
    for (std::size_t x = 0; x < nodes_; ++x) {
      for (std::size_t y = 0; y < nodes_; ++y) {
        if (x != y && is_allowed(x, y)) additions_.push_back({Known(), x, y});
        if (x < y && (is_allowed(x, y) || is_allowed(y, x))) candidates_.emplace_back(x, y);
      }
    }
  }

  bool is_exhausted() const { return score_.work() >= most_work_; }

  // Towards a maximum by estimates: the move with the best one is worked out, and made if it is
  // still the best then. Several times faster than climb(), and seldom far below it.
  void sketch() {
    forget_all();
    for (int step = 0; step < kMostSteps && !is_exhausted(); ++step) {
      tell();
      const std::optional<Promising> first = most_promising();
      if (!first) break;
      const bool was_exact = first->known->exact;
      work_out(*first->known, first->move);
      if (!was_exact) {
        const std::optional<Promising> still = most_promising();
        if (!still || still->known != first->known) continue;
      }
      // Worked out earlier, it may be out of date.
      if (first->known->gain <= kLeastGain) continue;
      score_.accept();
      forget_near(first->move);
    }
    score_.refresh();
  }

  // To the next maximum.
  void climb() {
    forget_all();
    bool all_known_now = true;
    for (int step = 0; step < kMostSteps && !is_exhausted(); ++step) {
      tell();
      std::optional<Best> best = best_removal_or_turn();
      best_addition(best);
      if (best) {
        const std::optional<double> gain = score_.propose(best->move);
        if (gain && *gain > kLeastGain) {
          score_.accept();
          forget_near(best->move);
          all_known_now = false;
          continue;
        }
      }
      // Gains from earlier steps may be out of date: none is left only if all are new.
      if (all_known_now) break;
      forget_all();
      all_known_now = true;
    }
    score_.refresh();
  }

  // Random moves, accepted as Metropolis would at a temperature that falls from 2 to 0.1.
  void anneal(int steps, Xoshiro256 random) {
    if (candidates_.empty()) return;
    const auto uniform = [&] { return static_cast<double>(random.next() >> 11) * 0x1p-53; };
    const double hottest = 2, coolest = 0.1;
    for (int step = 0; step < steps && !is_exhausted(); ++step) {
      if (step % 16 == 0) tell();
      const double temperature =
          hottest * std::pow(coolest / hottest, static_cast<double>(step) / steps);
      const std::optional<Move> move = random_move(uniform);
      if (!move) continue;
      const double least = std::log(uniform() + 1e-300) * temperature;
      const std::optional<double> estimate = score_.estimate(*move);
      if (!estimate || *estimate + off(move->kind) <= least) continue;
      const std::optional<double> gain = score_.propose(*move);
      if (gain && least < *gain) score_.accept();
    }
    score_.refresh();
  }

 private:
  static constexpr double kUnknown = std::numeric_limits<double>::infinity();
  static constexpr double kLeastGain = 1e-6;
  static constexpr int kMostSteps = 2000;
  // A move with a smaller estimate is not looked into. Hardly any removal with a gain has one, but
  // turns are far off now and then. (To work out only the moves with the best estimates, as
  // sketch() does, is faster still, but ends in lower maxima.)
  static double hopeless(MoveKind kind) { return kind == MoveKind::reverse ? -100 : -2; }
  // While annealing it may be too small by this.
  static double off(MoveKind kind) { return kind == MoveKind::reverse ? 16 : 2; }

  struct Best {
    double gain;
    Move move;
  };

  bool is_allowed(std::size_t x, std::size_t y) const {
    return allowed_.arc.test(static_cast<int>(x), static_cast<int>(y));
  }
  bool is_kept(std::size_t x, std::size_t y) const {
    return allowed_.kept.test(static_cast<int>(x), static_cast<int>(y));
  }
  void tell() const {
    if (monitor_ != nullptr) monitor_->progress(0, 0, 1);
    breathe();
  }

  // What is known of the gain of a move: nothing, an estimate, or the gain itself, as it was when
  // it was worked out.
  struct Known {
    double gain = kUnknown;
    bool exact = false;
  };

  struct Addition {
    Known known;
    std::size_t from, to;
    Move move() const { return {MoveKind::add, from, to}; }
  };

  void estimate(Known& known, const Move& move) {
    if (known.gain != kUnknown) return;
    breathe();
    const std::optional<double> estimate = is_exhausted() ? std::nullopt : score_.estimate(move);
    known = {estimate ? *estimate : -kUnknown, false};
  }

  void work_out(Known& known, const Move& move) {
    breathe();
    const std::optional<double> gain = is_exhausted() ? std::nullopt : score_.propose(move);
    known = {gain ? *gain : -kUnknown, true};
  }

  // How large the gain may be.
  static double bound(const Known& known, MoveKind kind) {
    if (known.exact) return known.gain;
    return known.gain < hopeless(kind) ? -kUnknown : kUnknown;
  }

  static double least(const std::optional<Best>& best) { return best ? best->gain : kLeastGain; }

  struct Promising {
    Known* known;
    Move move;
  };

  // The move with the largest gain, as far as known, that is worth making.
  std::optional<Promising> most_promising() {
    std::optional<Promising> best;
    const auto consider = [&](Known& known, const Move& move) {
      estimate(known, move);
      if (known.gain > (best ? best->known->gain : kLeastGain)) best = Promising{&known, move};
    };
    for_each_edge([&](std::size_t from, std::size_t to) {
      const std::size_t at = from * nodes_ + to;
      if (!is_kept(from, to)) consider(removal_[at], {MoveKind::remove, from, to});
      if (is_allowed(to, from)) consider(turn_[at], {MoveKind::reverse, from, to});
    });
    for (Addition& item : additions_) {
      if (!is_joined(item)) consider(item.known, item.move());
    }
    return best;
  }

  std::optional<Best> best_removal_or_turn() {
    std::optional<Best> best;
    const auto consider = [&](Known& known, const Move& move) {
      estimate(known, move);
      if (bound(known, move.kind) <= least(best)) return;
      if (!known.exact) work_out(known, move);
      if (known.gain > least(best)) best = Best{known.gain, move};
    };
    for (std::size_t to = 0; to < nodes_; ++to) {
      const Parents parents = score_.parents()[to];
      for (std::size_t from : parents) {
        const std::size_t at = from * nodes_ + to;
        if (!is_kept(from, to)) consider(removal_[at], {MoveKind::remove, from, to});
        if (is_allowed(to, from)) consider(turn_[at], {MoveKind::reverse, from, to});
      }
    }
    return best;
  }

  // Gains of additions from earlier steps are upper bounds more often than not: the list is gone
  // through from the largest, and left where the rest cannot be better than what was found.
  void best_addition(std::optional<Best>& best) {
    for (Addition& item : additions_) {
      if (!is_joined(item)) estimate(item.known, item.move());
    }
    const auto most = [](const Addition& item) { return bound(item.known, MoveKind::add); };
    std::stable_sort(additions_.begin(), additions_.end(),
                     [&](const Addition& a, const Addition& b) { return most(a) > most(b); });
    for (Addition& item : additions_) {
      if (is_joined(item)) continue;
      if (most(item) <= least(best)) break;
      work_out(item.known, item.move());
      if (item.known.gain > least(best)) best = Best{item.known.gain, item.move()};
    }
  }

  bool is_joined(const Addition& item) const {
    return score_.has_edge(item.from, item.to) || score_.has_edge(item.to, item.from);
  }

  void forget_all() {
    removal_.assign(nodes_ * nodes_, Known());
    turn_.assign(nodes_ * nodes_, Known());
    for (Addition& item : additions_)
      item.known = Known();
  }

  // What has an end in common with the move; the rest waits for the next time that all are
  // looked at.
  void forget_near(const Move& move) {
    const auto touched = [&](std::size_t v) { return v == move.from || v == move.to; };
    for_each_edge([&](std::size_t from, std::size_t to) {
      if (!touched(from) && !touched(to)) return;
      removal_[from * nodes_ + to] = Known();
      turn_[from * nodes_ + to] = Known();
    });
    for (Addition& item : additions_) {
      if (touched(item.from) || touched(item.to)) item.known = Known();
    }
  }

  template <class Visit>
  void for_each_edge(const Visit& visit) const {
    for (std::size_t to = 0; to < nodes_; ++to) {
      for (std::size_t from : score_.parents()[to])
        visit(from, to);
    }
  }

  template <class Uniform>
  std::optional<Move> random_move(const Uniform& uniform) const {
    const auto below = [&](std::size_t n) {
      return std::min(n - 1, static_cast<std::size_t>(uniform() * static_cast<double>(n)));
    };
    const std::pair<std::size_t, std::size_t>& drawn = candidates_[below(candidates_.size())];
    std::size_t x = drawn.first, y = drawn.second;
    if (uniform() < 0.5) {
      std::size_t edges = 0;
      for_each_edge([&](std::size_t, std::size_t) { ++edges; });
      if (edges > 0) {
        std::size_t left = below(edges);
        for_each_edge([&](std::size_t from, std::size_t to) {
          if (left-- == 0) {
            x = from;
            y = to;
          }
        });
      }
    }
    const double which = uniform();
    if (score_.has_edge(y, x)) std::swap(x, y);
    if (score_.has_edge(x, y)) {
      if (which < 0.4) {
        return is_kept(x, y) ? std::nullopt : std::optional<Move>({MoveKind::remove, x, y});
      }
      return is_allowed(y, x) ? std::optional<Move>({MoveKind::reverse, x, y}) : std::nullopt;
    }
    if (which < 0.5) std::swap(x, y);
    return is_allowed(x, y) ? std::optional<Move>({MoveKind::add, x, y}) : std::nullopt;
  }

  GraphScore& score_;
  const AllowedArcs& allowed_;
  Monitor* monitor_;
  double most_work_;
  std::size_t nodes_;
  std::vector<Addition> additions_;
  std::vector<std::pair<std::size_t, std::size_t>> candidates_;
  std::vector<Known> removal_, turn_;
};

}  // namespace privpc
