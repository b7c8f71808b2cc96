// The search by a score of whole graphs: which edges may be there at all, where to start, how often
// to try.
//
// WHAT THE TESTS STILL DECIDE. The score compares graphs, but it does not know how often it would
// find an edge where there is none. So, as in the search by tests (noisy_skeleton.hpp), if the
// procedure of Benjamini & Hochberg (1995) at level alpha finds no dependent pair, there is no
// edge: without any dependence the chance of a false edge is at most alpha. Otherwise pairs that
// are not far from dependent may be edges; but not those that a test has separated so clearly that
// even a small effect is out of the question: it may have seen triples, which the score does not.
//
// KNOWLEDGE is part of the search: forbidden arcs are never tried, required edges are there from
// the start and stay.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "privpc/graph/extension.hpp"
#include "privpc/graph/knowledge.hpp"
#include "privpc/search/false_discoveries.hpp"
#include "privpc/search/graph_search.hpp"
#include "privpc/search/noisy_skeleton.hpp"

namespace privpc {

enum class SearchEffort {
  sketch,  // by estimates alone: to choose what to measure next, in one fit of many
  once,    // one climb: to choose what to measure next
  quick,   // sketches and one climb: one fit of many (learners/replay.hpp)
  thorough,
};

struct ScoreSettings {
  std::vector<double> effects{0.1, 0.03, 0.3};  // priors that are tried; the best one is taken
  double near_alphas = 2;  // a pair with p above so many alphas is no edge, unless it is called so
  double usual_degree = 2.4;       // neighbours of a variable, before anything is known
  double least_edge_cost = 0.7;    // no edge is likelier than not, before anything is known
  double veto = 1;                 // evidence for independence that excludes an edge,
  double veto_effect = 0.01;       // against an effect of this size
  double most_kept_evidence = 20;  // that an edge gets for standing all tests
  double triple_weight = 0;        // of what measured triples say
  SearchEffort effort = SearchEffort::thorough;
  // Contrasts from which on a climb takes so long that sketches take its place but for the last.
  Index wide = 1000;
  double most_work = 1.5e10;  // of a walk: ten seconds or so
  ScoreRules rules;
};

// With many rows small effects are seen, also those that a linear score gets wrong: parents that
// act together, and what only triples tell.
inline ScoreSettings score_settings(double rows) {
  ScoreSettings settings;
  const double many = rows / (rows + 30000);
  settings.rules.interaction = many;
  settings.triple_weight = 0.5 + 0.5 * many;
  return settings;
}

struct ScoredGraph {
  std::vector<Parents> parents;  // of a DAG
  double total = 0;
  double effect = 0;       // the prior that was best
  Matrix implied;          // covariances, whitened
  bool cut_short = false;  // a walk had no work left
};

namespace detail {

// The largest p-value that passes, negative if no pair is called dependent: as in the search by
// tests, the evidence and the size of its effect have to speak for it as well. Pairs that were not
// measured count as tested.
inline double dependence_threshold(const NoisySkeleton& tests, const NoisyRules& rules) {
  std::vector<double> p_values;
  double least = 1;
  for (std::size_t x = 0; x < tests.size(); ++x) {
    for (std::size_t y = x + 1; y < tests.size(); ++y) {
      if (!tests.is_open(x, y)) continue;
      p_values.push_back(tests.p_value(x, y));
      const bool clear = tests.evidence(x, y) > 0 && !tests.is_trifle(x, y);
      if (clear) least = std::min(least, tests.p_value(x, y));
    }
  }
  const double threshold = step_up_threshold(std::move(p_values), rules.alpha);
  return least <= threshold ? threshold : -1;
}

class ScoreSearch {
 public:
  ScoreSearch(const WhitenedPairs& pairs, NoisySkeleton& tests, const Pdag& start,
              const Knowledge& knowledge, const NoisyRules& rules, const ScoreSettings& settings,
              const TripleTerms* triples, Monitor* monitor)
      : pairs_(pairs),
        tests_(tests),
        knowledge_(knowledge),
        settings_(settings),
        triples_(triples),
        monitor_(monitor),
        nodes_(pairs.size()),
        allowed_(nodes_) {
    threshold_ = dependence_threshold(tests, rules);
    alpha_ = rules.alpha;
    allow_required();
    if (threshold_ >= 0) allow_open();
    read_start(start);
  }

  ScoredGraph find() {
    if (threshold_ < 0) {
      // Nothing but what is required.
      best_.parents = required_;
      best_.implied = Matrix::Identity(pairs_.contrasts(), pairs_.contrasts());
      return best_;
    }
    set_edge_prior();
    const double first = settings_.effects[0];
    switch (settings_.effort) {
      case SearchEffort::sketch:
        walk(first, start_, sketch);
        break;
      case SearchEffort::once:
        walk(first, start_, is_wide() ? sketch : climb);
        break;
      case SearchEffort::quick:
        find_quickly();
        break;
      case SearchEffort::thorough:
        find_thoroughly();
        break;
    }
    return best_;
  }

 private:
  static void sketch(GraphSearch& search) { search.sketch(); }
  static void climb(GraphSearch& search) { search.climb(); }

  bool is_wide() const { return pairs_.contrasts() >= settings_.wide; }

  void find_thoroughly() {
    if (is_wide()) {
      find_prior();
      walk(best_.effect, best_.parents, climb);
      return;
    }
    walk(settings_.effects[0], start_, climb);
    for (std::size_t i = 1; i < settings_.effects.size(); ++i)
      walk(settings_.effects[i], best_.parents, climb);
    const double effect = best_.effect;
    walk(effect, required_, climb);
    walk(effect, best_.parents, [this](GraphSearch& search) {
      search.anneal(annealing_steps(), simulation_stream(1, 0));
      search.climb();
    });
  }

  // Sketches find the prior. The climb starts from the empty graph, from where most of the best
  // ones are reached: sketches from there end lower, and fewer edges stand in replays.
  void find_quickly() {
    find_prior();
    walk(best_.effect, required_, is_wide() ? sketch : climb);
  }

  void find_prior() {
    walk(settings_.effects[0], start_, sketch);
    for (std::size_t i = 1; i < settings_.effects.size(); ++i)
      walk(settings_.effects[i], best_.parents, sketch);
  }

  // As far as knowledge goes.
  bool may_point(std::size_t x, std::size_t y) const {
    const int a = static_cast<int>(x), b = static_cast<int>(y);
    return !knowledge_.pair_is_forbidden(a, b) && !knowledge_.arc_is_forced(b, a);
  }

  void allow(std::size_t x, std::size_t y) {
    if (may_point(x, y)) allowed_.arc.set(static_cast<int>(x), static_cast<int>(y));
    if (may_point(y, x)) allowed_.arc.set(static_cast<int>(y), static_cast<int>(x));
  }

  void allow_required() {
    std::size_t most = settings_.rules.most_parents;
    for (int a = 0; a < knowledge_.size(); ++a) {
      std::size_t required = 0;
      for (int b = 0; b < knowledge_.size(); ++b) {
        if (a == b || !knowledge_.pair_is_required(a, b)) continue;
        ++required;
        allowed_.kept.set(a, b);
        allow(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
      }
      most = std::max(most, required);
    }
    settings_.rules.most_parents = most;
  }

  void allow_open() {
    std::vector<bool> vetoed(nodes_ * nodes_, false);
    for (const Separation& found : tests_.result().separations) {
      if (!tests_.is_measured(found.x, found.y)) continue;
      const NoisyReading reading =
          tests_.tests().conditional(found.x, found.y, found.given, settings_.veto_effect);
      if (reading.evidence < -settings_.veto) vetoed[found.x * nodes_ + found.y] = true;
    }
    const double gate = std::max(settings_.near_alphas * alpha_, threshold_);
    for (std::size_t x = 0; x < nodes_; ++x) {
      for (std::size_t y = x + 1; y < nodes_; ++y) {
        if (!tests_.is_open(x, y) || !pairs_.is_measured(x, y)) continue;
        if (vetoed[x * nodes_ + y]) continue;
        const bool near = tests_.linked(x, y) || tests_.p_value(x, y) <= gate;
        const bool vary = tests_.p_value(x, y) <= threshold_ || (varies(x) && varies(y));
        if (near && vary) allow(x, y);
      }
    }
  }

  // Whether more than noise says so. What a column with one occurring level shows is noise, on a
  // scale that is noise, too. (Two that depend on each other vary, however rarely.)
  bool varies(std::size_t v) const {
    const NoisyVariable& variable = pairs_.variable(v);
    return 1 - variable.probability.maxCoeff() > 4 * std::sqrt(variable.variance);
  }

  // The graph of the tests, as far as it is allowed.
  void read_start(const Pdag& start) {
    const Pdag dag = extend_to_dag(start, natural_rank(start.size())).dag;
    start_.resize(nodes_);
    required_.resize(nodes_);
    for (std::size_t y = 0; y < nodes_; ++y) {
      Parents others;
      for (int parent : dag.parents(static_cast<int>(y))) {
        const auto x = static_cast<std::size_t>(parent);
        if (allowed_.kept.test(parent, static_cast<int>(y))) {
          required_[y].push_back(x);
        } else if (allowed_.arc.test(parent, static_cast<int>(y))) {
          others.push_back(x);
        }
      }
      std::sort(required_[y].begin(), required_[y].end());
      std::stable_sort(others.begin(), others.end(), [&](std::size_t a, std::size_t b) {
        return tests_.effect(a, y) > tests_.effect(b, y);
      });
      const std::size_t room = settings_.rules.most_parents - required_[y].size();
      others.resize(std::min(others.size(), room));
      start_[y] = required_[y];
      start_[y].insert(start_[y].end(), others.begin(), others.end());
      std::sort(start_[y].begin(), start_[y].end());
    }
  }

  void set_edge_prior() {
    const auto nodes = static_cast<Index>(nodes_);
    const double others = (static_cast<double>(nodes_) - 1) / settings_.usual_degree - 1;
    const double cost = std::max(settings_.least_edge_cost, std::log(std::max(1.0, others)));
    edge_prior_ = Matrix::Constant(nodes, nodes, -cost);
    if (settings_.most_kept_evidence <= 0) return;
    for (const NodePair& edge : tests_.open_edges()) {
      const double more = std::min(tests_.least_evidence(edge), settings_.most_kept_evidence);
      const Index x = static_cast<Index>(edge.x), y = static_cast<Index>(edge.y);
      edge_prior_(x, y) += more;
      edge_prior_(y, x) += more;
    }
  }

  // Enough to leave a bad place; more did not find better graphs.
  int annealing_steps() const { return static_cast<int>(std::min<std::size_t>(40 * nodes_, 1500)); }

  template <class Steps>
  void walk(double effect, const std::vector<Parents>& from, const Steps& steps) {
    ScoreRules rules = settings_.rules;
    rules.effect = effect;
    GraphScore score(pairs_, rules, edge_prior_, triples_);
    GraphSearch search(score, allowed_, monitor_, settings_.most_work);
    score.set_graph(from);
    steps(search);
    const bool cut_short = best_.cut_short || search.is_exhausted();
    if (best_.effect <= 0 || score.total() > best_.total + 1e-6)
      best_ = {score.parents(), score.total(), effect, score.implied(), false};
    best_.cut_short = cut_short;
  }

  const WhitenedPairs& pairs_;
  NoisySkeleton& tests_;
  const Knowledge& knowledge_;
  ScoreSettings settings_;
  const TripleTerms* triples_;
  Monitor* monitor_;
  std::size_t nodes_;
  double threshold_ = -1, alpha_ = 0;
  AllowedArcs allowed_;
  Matrix edge_prior_;
  std::vector<Parents> start_, required_;
  ScoredGraph best_;
};

}  // namespace detail

// `tests`: with all orders examined. `start`: the graph that they give, which obeys the knowledge.
inline ScoredGraph search_by_score(const WhitenedPairs& pairs, NoisySkeleton& tests,
                                   const Pdag& start, const Knowledge& knowledge,
                                   const NoisyRules& rules, const ScoreSettings& settings,
                                   const TripleTerms* triples = nullptr,
                                   Monitor* monitor = nullptr) {
  return detail::ScoreSearch(pairs, tests, start, knowledge, rules, settings, triples, monitor)
      .find();
}

inline Pdag graph_of(const std::vector<Parents>& parents) {
  Pdag dag(static_cast<int>(parents.size()));
  for (std::size_t y = 0; y < parents.size(); ++y) {
    for (std::size_t x : parents[y])
      dag.add_directed(static_cast<int>(x), static_cast<int>(y));
  }
  return dag;
}

}  // namespace privpc
