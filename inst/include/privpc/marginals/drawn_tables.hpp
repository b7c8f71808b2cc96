// One set of tables that may be the truth: what a measurement without noise would give. Singles and
// pairs are drawn (plausible_tables.hpp); larger tables follow from their pairs, with what was
// measured of them beyond.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "privpc/marginals/fitted_tables.hpp"
#include "privpc/marginals/table_basis.hpp"
#include "privpc/marginals/whitened_pairs.hpp"
#include "privpc/schema/table_shape.hpp"

namespace privpc {

class DrawnTables {
 public:
  // `whitened`: C of all variables, as in WhitenedPairs. A pair that no probabilities can have is
  // moved to one that they can.
  DrawnTables(const Schema& schema, const WhitenedPairs& frame, const Matrix& whitened)
      : schema_(schema), frame_(frame) {
    std::vector<Vector> shares;
    for (std::size_t v = 0; v < frame.size(); ++v)
      shares.push_back(frame.variable(v).contrasts == 0 ? Vector() : frame.shares(v));
    for (const WhitenedPair& pair : frame.pairs()) {
      const Vector &a = shares[pair.x], &b = shares[pair.y];
      const Matrix& qa = frame.variable(pair.x).q;
      const Matrix& qb = frame.variable(pair.y).q;
      const Matrix left = frame.covariance(pair.x, pair.y, frame.block(whitened, pair.x, pair.y));
      Matrix table = outer_product(a, b) + outer_product(product(qa, left), qb);
      if (table.minCoeff() < 0) table = fit_to_margins(std::move(table), a, b);
      pairs_.push_back(std::move(table));
    }
  }

  // The orthonormal contrasts of a set, as shares of the records, the last variable fastest.
  std::vector<double> contrasts(const VariableSet& set) {
    if (set.size() == 1) {
      const Vector& mean = frame_.variable(set[0]).mean;
      return {mean.data(), mean.data() + mean.size()};
    }
    if (set.size() == 2) return pair_contrasts(set[0], set[1]);
    const auto known = larger_.find(set);
    if (known != larger_.end()) return known->second;
    std::vector<double> values = from_pairs(set);
    if (interactions_) values = interactions_(set, std::move(values));
    return larger_.emplace(set, std::move(values)).first->second;
  }

  // What a larger set has beyond its pairs: from the contrasts that these give, those that it has.
  using Interactions = std::function<std::vector<double>(const VariableSet&, std::vector<double>)>;
  void set_interactions(Interactions interactions) { interactions_ = std::move(interactions); }

  // Shares of the levels of x < y, y in columns.
  const Matrix& table(std::size_t x, std::size_t y) const {
    const std::size_t place = frame_.place(x, y);
    if (place == 0) throw std::invalid_argument("a table of a variable that was not measured");
    return pairs_[place - 1];
  }

 private:
  std::vector<double> pair_contrasts(std::size_t x, std::size_t y) const {
    const Matrix& shares = table(x, y);
    // The second runs fastest.
    const Matrix across =
        cross_product(product(shares, frame_.variable(y).q), frame_.variable(x).q);
    return {across.data(), across.data() + across.size()};
  }

  std::vector<double> from_pairs(const VariableSet& set) const {
    const std::vector<std::uint32_t> levels = levels_of(schema_, set);
    std::vector<PairMargin> margins;
    for (std::size_t i = 0; i < set.size(); ++i) {
      for (std::size_t j = i + 1; j < set.size(); ++j)
        margins.push_back({i, j, &table(set[i], set[j])});
    }
    return contrasts_of_table(fit_to_pairs(levels, margins), levels);
  }

  const Schema& schema_;
  const WhitenedPairs& frame_;
  std::vector<Matrix> pairs_;  // levels of x in rows, of y in columns
  Interactions interactions_;
  std::unordered_map<VariableSet, std::vector<double>, VariableSet::Hash> larger_;
};

}  // namespace privpc
