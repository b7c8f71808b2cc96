// Few tables from which many can be summed down: what a source that answers in round trips asks
// for. Follows from public facts alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "privpc/schema/schema.hpp"
#include "privpc/schema/table_shape.hpp"
#include "privpc/schema/variable_set.hpp"

namespace privpc {

inline bool is_part_of(const VariableSet& part, const VariableSet& whole) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

// Covers grow as long as they have at most `most_cells` cells; a set that has more stays as it is.
class CoveringSets {
 public:
  static std::vector<VariableSet> of(const Schema& schema, std::vector<VariableSet> sets,
                                     double most_cells) {
    if (sets.empty()) return {};
    const CoveringSets search(schema, most_cells);
    if (const auto whole = search.whole(); !whole.empty()) return {whole};
    std::sort(sets.begin(), sets.end(), larger_first);
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    return sets.size() > kMostCompared ? search.first_fits(sets) : search.grown(sets);
  }

 private:
  // Above this, sets are merged with their neighbours only: comparing all with all takes too long.
  static constexpr std::size_t kMostCompared = 20000;
  static constexpr std::size_t kNeighbours = 64;

  CoveringSets(const Schema& schema, double most_cells)
      : schema_(schema), most_cells_(most_cells) {}

  static bool larger_first(const VariableSet& a, const VariableSet& b) {
    if (a.size() != b.size()) return a.size() > b.size();
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  }

  // All variables in one table, which then answers everything that will ever be asked; or nothing.
  VariableSet whole() const {
    VariableSet all;
    double cells = 1;
    for (std::size_t v = 0; v < schema_.size(); ++v) {
      cells *= schema_.levels(v);
      if (cells > most_cells_ || schema_.levels(v) == 0 || v >= kMaxSetSize) return {};
      all.append(v);
    }
    return all;
  }

  static VariableSet missing(const VariableSet& set, const VariableSet& cover) {
    VariableSet out;
    for (auto v : set) {
      if (!cover.contains(v)) out.append(v);
    }
    return out;
  }

  bool fits(const VariableSet& cover, const VariableSet& more) const {
    return cover.size() + more.size() <= kMaxSetSize &&
           cell_count(schema_, cover) * cell_count(schema_, more) <= most_cells_;
  }

  // From the first set that is left, one variable after the other: the one that completes the most
  // sets for its levels.
  std::vector<VariableSet> grown(std::vector<VariableSet> left) const {
    std::vector<VariableSet> covers;
    while (!left.empty()) {
      VariableSet cover = left.front();
      for (VariableSet more = next(cover, left); !more.empty(); more = next(cover, left)) {
        for (auto v : more)
          cover.insert(v);
      }
      left.erase(std::remove_if(left.begin(), left.end(),
                                [&](const VariableSet& set) { return is_part_of(set, cover); }),
                 left.end());
      covers.push_back(cover);
    }
    return covers;
  }

  // What to add to the cover: the best single variable or, where none completes a set, what the
  // cheapest set lacks. Empty when nothing fits.
  VariableSet next(const VariableSet& cover, const std::vector<VariableSet>& left) const {
    std::vector<std::size_t> completes(schema_.size(), 0);
    VariableSet cheapest;
    double least = HUGE_VAL;
    for (const VariableSet& set : left) {
      const VariableSet more = missing(set, cover);
      if (more.empty() || !fits(cover, more)) continue;
      if (more.size() == 1) {
        ++completes[more[0]];
      } else if (cell_count(schema_, more) < least) {
        least = cell_count(schema_, more);
        cheapest = more;
      }
    }
    VariableSet best;
    double most = 0;
    for (std::size_t v = 0; v < completes.size(); ++v) {
      const double gain = static_cast<double>(completes[v]) / std::log(1.0 + schema_.levels(v));
      if (gain <= most) continue;
      most = gain;
      best = VariableSet{v};
    }
    return best.empty() ? cheapest : best;
  }

  std::vector<VariableSet> first_fits(const std::vector<VariableSet>& sets) const {
    std::vector<VariableSet> covers;
    for (const VariableSet& set : sets) {
      bool placed = false;
      const std::size_t first = covers.size() > kNeighbours ? covers.size() - kNeighbours : 0;
      for (std::size_t i = first; i < covers.size() && !placed; ++i) {
        const VariableSet more = missing(set, covers[i]);
        placed = more.empty() || fits(covers[i], more);
        if (!placed) continue;
        for (auto v : more)
          covers[i].insert(v);
      }
      if (!placed) covers.push_back(set);
    }
    return covers;
  }

  const Schema& schema_;
  double most_cells_;
};

}  // namespace privpc
