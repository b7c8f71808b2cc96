// The score of a directed graph on noisy pairs, and of graphs that differ from it in one edge.
//
// Variables are visited in a canonical topological order (Kahn 1962; of those that are ready the
// one with the smallest number, that is name, first): each adds the score of its measured pairs
// with all before it (node_score.hpp) and the covariances that its parents imply, which those after
// it need. A changed edge changes what lies behind it, as far as its covariances change: only that
// is worked out again.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "privpc/search/node_score.hpp"
#include "privpc/search/triple_terms.hpp"

namespace privpc {

enum class MoveKind { add, remove, reverse };
struct Move {
  MoveKind kind;
  std::size_t from, to;
};

class GraphScore {
 public:
  // `edge_prior`: log odds of each edge, by pair.
  GraphScore(const WhitenedPairs& pairs, const ScoreRules& rules, Matrix edge_prior,
             const TripleTerms* triples = nullptr)
      : pairs_(pairs),
        rules_(rules),
        edge_prior_(std::move(edge_prior)),
        triples_(triples),
        node_(pairs, rules) {
    state_.parents.resize(size());
    state_.scores.assign(size(), 0);
    state_.order.resize(size());
    for (std::size_t v = 0; v < size(); ++v)
      state_.order[v] = v;
    state_.place = state_.order;
    trial_ = state_;
    coefficients_.resize(size());
    trial_coefficients_.resize(size());
    is_changed_.assign(size(), 0);
    implied_ = trial_implied_ = Matrix::Identity(pairs.contrasts(), pairs.contrasts());
    set_graph(std::vector<Parents>(size()));
  }

  std::size_t size() const { return pairs_.size(); }
  double total() const { return state_.total; }
  double work() const { return node_.work(); }
  const std::vector<Parents>& parents() const { return state_.parents; }
  // Covariances that the graph implies.
  const Matrix& implied() const { return implied_; }

  bool has_edge(std::size_t from, std::size_t to) const {
    return std::binary_search(state_.parents[to].begin(), state_.parents[to].end(), from);
  }

  // `parents` must be those of an acyclic graph.
  void set_graph(const std::vector<Parents>& parents) {
    trial_.parents = parents;
    find_order();
    evaluate(true);
    accept();
  }

  // Works everything out anew: small changes are left out on the way.
  void refresh() { set_graph(std::vector<Parents>(state_.parents)); }

  // By how much the score would grow; nothing if the move is impossible. accept() makes
  // it, if it comes next.
  std::optional<double> propose(const Move& move) {
    trial_.parents = state_.parents;
    if (move.kind != MoveKind::add) {
      trial_.parents[move.to] = without(state_.parents[move.to], move.from);
    }
    if (move.kind != MoveKind::remove) {
      const bool turn = move.kind == MoveKind::reverse;
      const std::size_t from = turn ? move.to : move.from, to = turn ? move.from : move.to;
      if (trial_.parents[to].size() >= rules_.most_parents) return std::nullopt;
      if (is_ancestor(to, from)) return std::nullopt;
      trial_.parents[to] = with(state_.parents[to], from);
    }
    find_order();
    evaluate(false);
    return trial_.total - state_.total;
  }

  // What a move does to the scores of the ends of its arc by themselves, whatever follows from it
  // for others: much faster than propose(), and seldom far off. Nothing if the move is impossible.
  // Without what triples say.
  std::optional<double> estimate(const Move& move) {
    if (move.kind == MoveKind::add) return estimate_addition(move.from, move.to);
    if (move.kind == MoveKind::remove) return estimate_removal(move.from, move.to);
    return estimate_turn(move.from, move.to);
  }

  void accept() {
    copy_changed(trial_implied_, implied_, trial_coefficients_, coefficients_);
    state_ = trial_;
  }

 private:
  struct State {
    std::vector<Parents> parents;
    std::vector<std::size_t> order, place;  // of each other the reverse
    std::vector<double> scores;             // by variable
    double total = 0;
  };
  // Covariances that move by less leave the scores behind them as they are.
  static constexpr double kNegligible = 1e-4;

  std::optional<double> estimate_addition(std::size_t from, std::size_t to) {
    const Parents& known = state_.parents[to];
    if (known.size() >= rules_.most_parents) return std::nullopt;
    const Parents more = with(known, from);
    const double prior = edge_prior_(static_cast<Index>(from), static_cast<Index>(to));
    const std::size_t i = collect_before(to);
    if (before_[from] != 0) {
      return node_.evaluate(to, more, before_, implied_) + prior_of(known, to) + prior -
             state_.scores[to];
    }
    // The tail comes later: all before it that do not depend on the head are rows, too.
    collect_independent(to, i, from);
    if (depends_[from] != 0) return std::nullopt;
    before_[from] = 1;
    const double without = node_.evaluate(to, known, before_, implied_);
    return prior + node_.evaluate(to, more, before_, implied_) - without;
  }

  std::optional<double> estimate_removal(std::size_t from, std::size_t to) {
    const Parents fewer = without(state_.parents[to], from);
    collect_before(to);
    return node_.evaluate(to, fewer, before_, implied_) + prior_of(fewer, to) - state_.scores[to];
  }

  // The tail comes behind the head, and so does what depends on it: the two are compared as they
  // are with all that is before both.
  std::optional<double> estimate_turn(std::size_t from, std::size_t to) {
    if (state_.parents[from].size() >= rules_.most_parents) return std::nullopt;
    const Parents more = with(state_.parents[from], to), fewer = without(state_.parents[to], from);
    const std::size_t i = collect_before(from);
    collect_independent(from, i, to);
    for (std::size_t parent : fewer) {
      if (depends_[parent] != 0) return std::nullopt;
    }
    restore_trial();
    double gain = -node_.evaluate(from, state_.parents[from], before_, implied_);
    before_[from] = 1;
    gain -= node_.evaluate(to, state_.parents[to], before_, implied_);
    before_[from] = 0;
    gain += node_.evaluate(to, fewer, before_, implied_);
    node_.write_covariances(to, before_, trial_implied_);
    note_changed(to);
    before_[to] = 1;
    gain += node_.evaluate(from, more, before_, trial_implied_);
    return gain + edge_prior_(static_cast<Index>(to), static_cast<Index>(from)) -
           edge_prior_(static_cast<Index>(from), static_cast<Index>(to));
  }

  static Parents with(Parents list, std::size_t v) {
    list.insert(std::lower_bound(list.begin(), list.end(), v), v);
    return list;
  }
  static Parents without(Parents list, std::size_t v) {
    list.erase(std::lower_bound(list.begin(), list.end(), v));
    return list;
  }

  double prior_of(const Parents& parents, std::size_t y) const {
    double sum = 0;
    for (std::size_t parent : parents)
      sum += edge_prior_(static_cast<Index>(parent), static_cast<Index>(y));
    return sum;
  }

  // `before_`: all before v in the order. Its place there is returned.
  std::size_t collect_before(std::size_t v) {
    before_.assign(size(), 0);
    std::size_t i = 0;
    for (; state_.order[i] != v; ++i)
      before_[state_.order[i]] = 1;
    return i;
  }

  // Adds to `before_` what comes between v, which is at place i, and `last` and does not depend on
  // v. `depends_`: what does, including v and `last`.
  void collect_independent(std::size_t v, std::size_t i, std::size_t last) {
    depends_.assign(size(), 0);
    depends_[v] = 1;
    for (++i; i < size(); ++i) {
      const std::size_t u = state_.order[i];
      for (std::size_t parent : state_.parents[u])
        depends_[u] = static_cast<char>(depends_[u] | depends_[parent]);
      if (u == last) break;
      if (depends_[u] == 0) before_[u] = 1;
    }
  }

  // Does a directed path lead from `top` to `bottom`?
  bool is_ancestor(std::size_t top, std::size_t bottom) {
    seen_.assign(size(), 0);
    stack_.assign(1, bottom);
    while (!stack_.empty()) {
      const std::size_t v = stack_.back();
      stack_.pop_back();
      if (v == top) return true;
      for (std::size_t parent : trial_.parents[v]) {
        if (seen_[parent]++ == 0) stack_.push_back(parent);
      }
    }
    return false;
  }

  void find_order() {
    children_.resize(size());
    for (auto& list : children_)
      list.clear();
    waiting_.resize(size());
    heap_.clear();
    const auto later = std::greater<std::size_t>();
    for (std::size_t v = 0; v < size(); ++v) {
      waiting_[v] = trial_.parents[v].size();
      for (std::size_t parent : trial_.parents[v])
        children_[parent].push_back(v);
      if (waiting_[v] == 0) heap_.push_back(v);
    }
    std::make_heap(heap_.begin(), heap_.end(), later);
    std::size_t place = 0;
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), later);
      const std::size_t v = heap_.back();
      heap_.pop_back();
      trial_.order[place] = v;
      trial_.place[v] = place++;
      for (std::size_t child : children_[v]) {
        if (--waiting_[child] > 0) continue;
        heap_.push_back(child);
        std::push_heap(heap_.begin(), heap_.end(), later);
      }
    }
  }

  void evaluate(bool everything) {
    restore_trial();
    trial_.scores = state_.scores;
    std::size_t last_moved = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      if (trial_.order[i] != state_.order[i]) last_moved = i;
    }
    bool moved = false;
    before_.assign(size(), 0);
    for (std::size_t i = 0; i < size(); ++i) {
      const std::size_t y = trial_.order[i];
      moved = moved || y != state_.order[i];
      const bool other_place = moved && i <= last_moved;
      const bool other_parents = trial_.parents[y] != state_.parents[y];
      if (everything || other_parents || (other_place && counts_others(y)) || has_other_input(y)) {
        trial_.scores[y] = node_.evaluate(y, trial_.parents[y], before_, trial_implied_);
        node_.write_covariances(y, before_, trial_implied_);
        node_.copy_coefficients(y, trial_coefficients_[y]);
        trial_.scores[y] += prior_of(trial_.parents[y], y);
        note_changed(y);
      } else {
        write_with_changed(y);
      }
      before_[y] = 1;
    }
    trial_.total = 0;
    for (double score : trial_.scores)
      trial_.total += score;
    if (triples_ != nullptr) trial_.total += triples_->evaluate(trial_.parents, children_);
  }

  bool was_before(std::size_t v, std::size_t y) const { return state_.place[v] < state_.place[y]; }

  // A measured pair is counted with the later of its two: has that become the other one?
  bool counts_others(std::size_t y) const {
    for (std::size_t q : node_.measured_with(y)) {
      if (was_before(q, y) != (before_[q] != 0)) return true;
    }
    return false;
  }

  // Did covariances move from which y's coefficients follow, or those of a parent with anything?
  bool has_other_input(std::size_t y) const {
    if (changed_.empty()) return false;
    for (std::size_t parent : trial_.parents[y]) {
      for (std::size_t v = 0; is_changed_[parent] != 0 && v < size(); ++v) {
        if (before_[v] != 0 && has_moved(v, parent)) return true;
      }
    }
    for (std::size_t q : node_.measured_with(y)) {
      if (is_changed_[q] != 0 && before_[q] != 0 && has_moved_parents(q, y)) return true;
    }
    return false;
  }

  // What was worked out anew wrote its covariances with all that was before it then. The others are
  // for those to write that come later, also where the order was another until now.
  void write_with_changed(std::size_t y) {
    for (std::size_t v : changed_) {
      if (was_before(v, y) && !has_moved_parents(v, y)) continue;
      node_.write_covariance(y, v, trial_.parents[y], trial_coefficients_[y], trial_implied_);
    }
  }

  bool has_moved_parents(std::size_t v, std::size_t y) const {
    for (std::size_t parent : trial_.parents[y]) {
      if (has_moved(v, parent)) return true;
    }
    return false;
  }

  // Back to what was accepted.
  void restore_trial() {
    copy_changed(implied_, trial_implied_, coefficients_, trial_coefficients_);
  }

  bool has_moved(std::size_t v, std::size_t parent) const {
    const Index first = pairs_.start(v), last = first + pairs_.width(v);
    for (Index b = pairs_.start(parent); b < pairs_.start(parent) + pairs_.width(parent); ++b) {
      const double* now = trial_implied_.col(b).data();
      const double* then = implied_.col(b).data();
      for (Index a = first; a < last; ++a) {
        if (std::fabs(now[a] - then[a]) > kNegligible) return true;
      }
    }
    return false;
  }

  void copy_changed(const Matrix& from, Matrix& to, const std::vector<Matrix>& from_coefficients,
                    std::vector<Matrix>& to_coefficients) {
    for (std::size_t v : changed_) {
      to_coefficients[v] = from_coefficients[v];
      const Index first = pairs_.start(v), end = first + pairs_.width(v);
      for (Index at = first; at < end; ++at)
        copy_symmetric(from, to, at);
    }
    changed_.clear();
    is_changed_.assign(size(), 0);
  }

  // A column, and where it differs the row as well, whose numbers are far apart in memory.
  static void copy_symmetric(const Matrix& from, Matrix& to, Index at) {
    const double* now = from.col(at).data();
    double* then = to.col(at).data();
    for (Index i = 0; i < from.rows(); ++i) {
      if (now[i] == then[i]) continue;
      then[i] = now[i];
      to(at, i) = now[i];
    }
  }

  void note_changed(std::size_t v) {
    changed_.push_back(v);
    is_changed_[v] = 1;
  }

  const WhitenedPairs& pairs_;
  ScoreRules rules_;
  Matrix edge_prior_;
  const TripleTerms* triples_;
  NodeScore node_;
  State state_, trial_;
  Matrix implied_, trial_implied_;
  std::vector<Matrix> coefficients_,
      trial_coefficients_;            // by variable, of the contrasts of parents
  std::vector<std::size_t> changed_;  // worked out anew in the trial
  std::vector<char> is_changed_, before_;
  // Workspace
  std::vector<std::vector<std::size_t>> children_;
  std::vector<std::size_t> waiting_, heap_, stack_;
  std::vector<char> seen_, depends_;
};

}  // namespace privpc
