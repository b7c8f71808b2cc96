// A contingency table over a set of variables, and the small interface through which the rooms
// above ask for one. The first implementation counts in memory; a data base can be another.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "privpc/schema/schema.hpp"
#include "privpc/schema/table_shape.hpp"
#include "privpc/schema/variable_set.hpp"

namespace privpc {

using Count = std::uint32_t;

// All cells of all variables, the last variable of the sorted set running fastest.
struct Table {
  VariableSet variables;
  std::vector<std::uint32_t> levels;  // per member of `variables`
  std::vector<Count> counts;

  std::size_t stride(std::size_t position) const {
    std::size_t s = 1;
    for (std::size_t i = position + 1; i < levels.size(); ++i)
      s *= levels[i];
    return s;
  }
};

// One combination of values of (x, y) inside one stratum. Sorted by x, then y.
struct Cell {
  std::uint32_t x;
  std::uint32_t y;
  Count count;
};

using VisitStratum = std::function<void(const Cell* cells, std::size_t size)>;

class TableSource {
 public:
  virtual ~TableSource() = default;
  virtual const Schema& schema() const = 0;

  // Whether the set is small enough for a table with all its cells.
  virtual bool is_dense(const VariableSet& set) const = 0;
  virtual std::shared_ptr<const Table> table(const VariableSet& set) = 0;

  // Sum of n log n over the cells of a table of any size; all that G2 needs.
  virtual double sum_n_log_n(const VariableSet& set) = 0;

  // The non-empty cells of (x, y) in every non-empty stratum of `given`; numeric x or y at full
  // resolution. Strata come in a fixed order.
  virtual void visit_strata(std::size_t x, std::size_t y, const VariableSet& given,
                            const VisitStratum& visit) = 0;

  // Announces sets that will be asked for, so that they can be counted in one batch.
  virtual void prepare_pairs(unsigned threads) { (void)threads; }
};

inline double n_log_n(double n) {
  return n > 0 ? n * std::log(n) : 0.0;
}

}  // namespace privpc
