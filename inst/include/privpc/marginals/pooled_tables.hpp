// One set of noisy tables from those of several sites, each of which measured people of its own.
//
// Site i has n_i records, the true contrasts c_i (shares of its records) and the noisy ones
// y_i = c_i + e_i, where e_i has the variance v_i, another one for every set. The pooled table is
// sum_i w_i y_i: that of the mixture in which site i has the share w_i. The noise is independent,
// so its variance is
//   sum_i w_i^2 v_i,
// and if the sites draw their people from one population, where a contrast has the variance s^2
// among people, sampling has the variance s^2 sum_i w_i^2 / n_i = s^2 / n with the effective
// number of rows
//   n = 1 / sum_i (w_i^2 / n_i),
// at most sum_i n_i (Cauchy-Schwarz). Every table is of the same mixture, because a site has the
// same weight in all of them. With weights of their own the tables would contradict each other
// where sites differ: if a level is rarer in one site, x and y would be seen to depend on each
// other because their pair weighs that site more than their margins do.
//
// By records: w_i = n_i / sum n. The mixture is the cohort of all people, and n their number.
//
// By precision: of all weights that add up to 1, w_i proportional to 1 / a_i has the least
// sum_i w_i^2 a_i (Lagrange: w_i a_i is the same for all i). Here a_i is the variance, sampling and
// noise, of what site i says, in units of the variance among people, which is 1/K on average over
// the contrasts of a set with K cells: the rows of the contrast matrix of k levels have squared
// length 1 - 1/k, so the contrasts of one record have the squared length prod (1 - 1/k), whoever it
// is; divided by their number, prod (k - 1), that is 1/K. Hence
//   a_i = 1 / n_i + mean over the pairs that all sites measured of K v_i.
// A function of rows, levels and noise variances alone. Values have no part in it but for one
// thing: a table that a site measured twice, because of what the first time showed, has less noise.
// The weights then depend a little on values, and estimates are not quite unbiased.
//
// Sets that only some of the sites measured. Their weights are scaled up to add up to 1, which
// gives R_A of the mixture S of these sites; the rest of the pooled tables is of the larger mixture
// P. (1) Where margins, or smaller tables, differ between the two, R_A is moved: what it shows
// beyond smaller sets is kept, and what these tell is exchanged (mixture_moments.hpp),
//   R_A - told_A of S + told_A of P;
// of a pair R_A - m_x m_y' of S + m_x m_y' of P. Variables that are independent in S are so in the
// result, however far the margins are apart. What S did not measure of the smaller sets is taken
// from P. Noise: told_A is linear in the contrasts R_B of each smaller set B, and with the slopes
// s_B of both mixtures and the shares a_i (in P) and b_i (in S) of site i the variance at first
// order is at most
//   sum_B sum_i v_i |a_i s_B of P - b_i s_B of S|^2,
// the products of noise left out. At least it is taken to be what alike margins would give at most,
// sum_i (a_i - b_i)^2 v_i prod (1 - 1/k) over the rest of A. It is also no less than the noise of B
// in S: a test on the pooled tables takes told_A of P off again and reckons with the noise of P,
// while what is left, R_A - told_A of S, has that of S. (2) Their sampling variance belongs to
// fewer rows n' than n. The tests know one number of rows, so the difference is counted as noise:
// for z = kron of q, Cov(z) <= E[z z'] <= E|z|^2 I = prod (1 - 1/k) I, so that (1/n' - 1/n) prod (1
// - 1/k) is never too small.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "privpc/marginals/contrasts.hpp"
#include "privpc/marginals/measurements.hpp"
#include "privpc/marginals/mixture_moments.hpp"
#include "privpc/schema/table_shape.hpp"

namespace privpc {

enum class SiteWeighting { precision, records };

using SiteTables = std::vector<const Measurements*>;

namespace detail {

// The same for any order of the terms, so that the order of the sites has no part in the result.
inline double steady_sum(std::vector<double> terms) {
  std::sort(terms.begin(), terms.end());
  double sum = 0;
  for (double term : terms)
    sum += term;
  return sum;
}

// prod (1 - 1/k) over the members: the squared length of their contrasts of one record.
inline double contrast_square(const Schema& schema, const VariableSet& set) {
  double out = 1;
  for (auto v : set)
    out *= 1 - 1.0 / schema.levels(v);
  return out;
}

inline bool all_measured(const SiteTables& sites, const VariableSet& set) {
  return std::all_of(sites.begin(), sites.end(),
                     [&](const Measurements* site) { return site->find(set) != nullptr; });
}

// Of all sites, small sets first, then by their members: the same for any order of the sites.
inline std::vector<VariableSet> all_sets(const SiteTables& sites) {
  std::vector<VariableSet> sets;
  for (const Measurements* site : sites) {
    for (const auto& entry : site->entries())
      sets.push_back(entry.first);
  }
  const auto before = [](const VariableSet& a, const VariableSet& b) {
    if (a.size() != b.size()) return a.size() < b.size();
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  };
  std::sort(sets.begin(), sets.end(), before);
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  return sets;
}

}  // namespace detail

// They add up to 1.
inline std::vector<double> site_weights(const SiteTables& sites, SiteWeighting weighting) {
  std::vector<std::vector<double>> noise(sites.size());
  for (std::size_t size = 2; size > 0 && noise.front().empty(); --size) {
    for (const auto& entry : sites.front()->entries()) {
      const VariableSet& set = entry.first;
      if (set.size() != size || !detail::all_measured(sites, set)) continue;
      for (std::size_t i = 0; i < sites.size(); ++i) {
        const double cells = cell_count(sites[i]->schema(), set);
        noise[i].push_back(cells * sites[i]->find(set)->variance);
      }
    }
  }
  std::vector<double> weights;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    double variance = 1 / sites[i]->rows();
    if (weighting == SiteWeighting::precision && !noise[i].empty())
      variance += detail::steady_sum(noise[i]) / static_cast<double>(noise[i].size());
    weights.push_back(1 / variance);
  }
  const double sum = detail::steady_sum(weights);
  for (double& weight : weights)
    weight /= sum;
  return weights;
}

// Of the sites with a weight; the weights need not add up to 1.
inline double effective_rows(const SiteTables& sites, const std::vector<double>& weights) {
  std::vector<double> terms;
  for (std::size_t i = 0; i < sites.size(); ++i)
    terms.push_back(weights[i] * weights[i] / sites[i]->rows());
  const double sum = detail::steady_sum(weights);
  return sum * sum / detail::steady_sum(terms);
}

class TablePooling {
 public:
  // `sites` must have the same variables and live as long as this.
  TablePooling(SiteTables sites, SiteWeighting weighting)
      : sites_(std::move(sites)),
        weights_(site_weights(sites_, weighting)),
        rows_(effective_rows(sites_, weights_)),
        pooled_(schema_of(*sites_.front(), rows_)) {
    for (const VariableSet& set : detail::all_sets(sites_))
      pooled_.add(set, pool(sites_, set));
  }

  const Measurements& tables() const { return pooled_; }
  const std::vector<double>& weights() const { return weights_; }
  double rows() const { return rows_; }

  // Further tables of the same sites, in the same order.
  Measurements more(const SiteTables& further) const {
    Measurements out(pooled_.schema());
    for (const VariableSet& set : detail::all_sets(further))
      out.add(set, pool(further, set));
    return out;
  }

 private:
  static Schema schema_of(const Measurements& site, double rows) {
    std::vector<Variable> variables;
    for (std::size_t v = 0; v < site.schema().size(); ++v)
      variables.push_back(site.schema()[v]);
    return Schema(std::move(variables), static_cast<std::uint64_t>(std::llround(rows)));
  }

  // Shares of the sites that measured the set; 0 of the others.
  static std::vector<double> shares_of(const SiteTables& sites, const VariableSet& set,
                                       const std::vector<double>& weights) {
    std::vector<double> out;
    for (std::size_t i = 0; i < sites.size(); ++i)
      out.push_back(sites[i]->find(set) == nullptr ? 0 : weights[i]);
    const double sum = detail::steady_sum(out);
    for (double& share : out)
      share /= sum;
    return out;
  }

  // sum_i c_i y_i over the sites with c_i other than 0.
  static Measured combine(const SiteTables& sites, const VariableSet& set,
                          const std::vector<double>& coefficients) {
    Measured out;
    std::vector<const Measured*> parts;
    std::vector<double> factors, variances;
    for (std::size_t i = 0; i < sites.size(); ++i) {
      const Measured* part = coefficients[i] == 0 ? nullptr : sites[i]->find(set);
      if (part == nullptr) continue;
      parts.push_back(part);
      factors.push_back(coefficients[i]);
      variances.push_back(coefficients[i] * coefficients[i] * part->variance);
    }
    if (parts.empty()) return out;
    out.variance = detail::steady_sum(variances);
    const std::size_t size = parts.front()->values.size();
    std::vector<double> terms(parts.size());
    for (std::size_t at = 0; at < size; ++at) {
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i]->values.size() != size)
          throw std::invalid_argument("the tables of the sites must have the same contrasts");
        terms[i] = factors[i] * parts[i]->values[at];
      }
      out.values.push_back(detail::steady_sum(terms));
    }
    return out;
  }

  Measured pool(const SiteTables& parts, const VariableSet& set) const {
    const std::vector<double> shares = shares_of(parts, set, weights_);
    Measured out = combine(parts, set, shares);
    if (detail::all_measured(parts, set)) return out;
    const double fewer = effective_rows(sites_, shares);
    out.variance +=
        std::max(0.0, 1 / fewer - 1 / rows_) * detail::contrast_square(pooled_.schema(), set);
    move(set, shares, out);
    return out;
  }

  // From the mixture with these shares to that of the pooled tables.
  void move(const VariableSet& set, const std::vector<double>& shares, Measured& out) const {
    const std::size_t whole = (std::size_t{1} << set.size()) - 1;
    // A variable alone is moved only if its margin was pooled before: a further table of it.
    for (auto v : set) {
      const VariableSet margin{v};
      if (pooled_.find(margin) == nullptr || !measured_where(margin, shares)) return;
    }
    Measurements here(pooled_.schema());
    for (std::size_t chosen = 1; chosen <= whole; ++chosen) {
      if (chosen == whole && set.size() > 1) continue;
      const VariableSet smaller = MixtureMoments::part(set, chosen);
      if (measured_where(smaller, shares)) here.add(smaller, combine(sites_, smaller, shares));
    }
    const MixtureMoments there(pooled_), before(here, &there);
    const std::vector<double> less = before.told(set), more = there.told(set);
    for (std::size_t at = 0; at < out.values.size(); ++at)
      out.values[at] += more[at] - less[at];
    std::vector<double> noise{out.variance};
    for (std::size_t chosen = 1; chosen <= whole; ++chosen) {
      if (chosen == whole && set.size() > 1) continue;
      noise.push_back(noise_of_move(set, chosen, shares, here, before, there));
    }
    out.variance = detail::steady_sum(noise);
  }

  bool measured_where(const VariableSet& set, const std::vector<double>& shares) const {
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if (shares[i] > 0 && sites_[i]->find(set) == nullptr) return false;
    }
    return true;
  }

  // Through the smaller set of the chosen members.
  double noise_of_move(const VariableSet& set, std::size_t chosen,
                       const std::vector<double>& shares, const Measurements& here,
                       const MixtureMoments& before, const MixtureMoments& there) const {
    const VariableSet smaller = MixtureMoments::part(set, chosen);
    const Measured* pooled = pooled_.find(smaller);
    if (pooled == nullptr) return 0;
    const std::vector<double> to = there.slope(set, smaller), from = before.slope(set, smaller);
    const Measured* own = here.find(smaller);
    const std::vector<double> all = shares_of(sites_, smaller, weights_);
    std::vector<double> exact, apart, drawn;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Measured* part = sites_[i]->find(smaller);
      if (part == nullptr) continue;
      const double mine = own == nullptr ? 0 : shares[i];
      double square = 0;
      for (std::size_t at = 0; at < to.size(); ++at)
        square += (all[i] * to[at] - mine * from[at]) * (all[i] * to[at] - mine * from[at]);
      exact.push_back(square * part->variance);
      apart.push_back((all[i] - mine) * (all[i] - mine) * part->variance);
      drawn.push_back(all[i] * all[i] * part->variance);
    }
    // A smaller set that was moved itself has more noise than that of the sites.
    double length = 0;
    for (double value : to)
      length += value * value;
    exact.push_back(std::max(0.0, pooled->variance - detail::steady_sum(drawn)) * length);
    const double alike = std::max(detail::steady_sum(apart), own == nullptr ? 0 : own->variance);
    const double most =
        detail::contrast_square(pooled_.schema(), MixtureMoments::part(set, ~chosen));
    return std::max(detail::steady_sum(exact), alike * most);
  }

  SiteTables sites_;
  std::vector<double> weights_;
  double rows_;
  Measurements pooled_;
};

}  // namespace privpc
