// A contingency table over a set of variables, and the small interface through which the rooms
// above ask for one. Memory is one source of tables, a data base can be another.
//
// A source is told first (announce) and asked then (table): a data base answers what was announced
// in one round trip, and may count covering sets and sum them down. Counting draws no noise, so
// what a learner finds does not depend on what was announced or when.
//
// COUNTS are 64 bits wide and signed. Records are at most 2^31 - 1, which would fit 32 bits; but
// sums in which a person's records weigh 1/m each, in units of 1/2520 (schema/person_weights.hpp),
// do not, above 1.7 million people. Contrasts and scores of pairs are computed from such tables
// too; all other statistics are for records, and refuse them (StrataSum).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "privpc/base/errors.hpp"
#include "privpc/base/random_bits.hpp"
#include "privpc/base/row_mask.hpp"
#include "privpc/base/sealed.hpp"
#include "privpc/schema/schema.hpp"
#include "privpc/schema/table_shape.hpp"
#include "privpc/schema/variable_set.hpp"

namespace privpc {

using Count = std::int64_t;

// Exact: sums of counts stay below 2^53.
inline double as_real(Count count) {
  return static_cast<double>(count);
}

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

// One stratum's x-by-y table with all its cells.
struct DenseStratum {
  std::uint32_t rows;     // levels of x
  std::uint32_t columns;  // levels of y
  const Count* counts;    // row-major
  Count operator()(std::uint32_t i, std::uint32_t j) const { return counts[i * columns + j]; }
};

// One combination of values of (x, y) inside one stratum.
struct Cell {
  std::uint32_t x;
  std::uint32_t y;
  Count count;
};

// The non-empty cells of one stratum, sorted by x, then y.
struct SparseStratum {
  const Cell* cells;
  std::size_t size;
};

using SealedTable = Sealed<std::shared_ptr<const Table>>;
using VisitStratum = std::function<void(const Sealed<SparseStratum>&)>;

// A question that only rows can answer, put to a source that has none to show.
class NeedsRows : public NamedError {
 public:
  explicit NeedsRows(const std::string& what)
      : NamedError(what + " needs records, which this source of tables does not have"),
        what_(what) {}
  const char* name() const noexcept override { return "needs_rows"; }
  Texts texts() const override { return {{"question", what_}}; }

 private:
  std::string what_;
};

// Sets of which tables will be asked for. They are named only if the source listens: going through
// all sets of a large search takes time. Valid while announce() runs; a source keeps the sets, not
// this. (Sub-samples are not announced to: only sources that hold rows have any.)
struct Announcement {
  using Visit = std::function<void(const VariableSet&)>;
  std::function<void(const Visit&)> name_sets;
  bool all_pairs = false;  // all pairs of variables are among them, or will be before long
  unsigned threads = 1;    // that may be used for counting
};

// The strata of one block after the other, see BlockSource.
class BlockVisitor {
 public:
  virtual ~BlockVisitor() = default;
  virtual void stratum(const Sealed<DenseStratum>& stratum) = 0;
  virtual void stratum(const Sealed<SparseStratum>& stratum) = 0;
  virtual void end_of_block() = 0;
};

// The records divided into disjoint blocks of nearly equal size by a uniformly random permutation
// of the row numbers, drawn before any value is looked at.
class BlockSource {
 public:
  virtual ~BlockSource() = default;
  virtual const Schema& schema() const = 0;
  virtual std::size_t blocks() const = 0;
  // The strata of x and y given a set, in every block. How many there are is a secret too, so that
  // visiting takes a key.
  virtual void visit(std::size_t x, std::size_t y, const VariableSet& given, BlockVisitor& visitor,
                     const StatisticKey& key) const = 0;
};

class TableSource {
 public:
  virtual ~TableSource() = default;
  virtual const Schema& schema() const = 0;

  // What one of the schema's rows adds to a table in all: 1 for a record. Where rows are persons
  // with several records each it is a public number L, and a record of theirs adds a part of it.
  virtual Count unit() const { return 1; }

  // On the thread that calls the learner, before other threads ask for what was announced.
  virtual void announce(const Announcement& announcement) = 0;

  // Whether a table that was not announced is dear. Announcements are then made in portions.
  virtual bool counts_in_batches() const { return false; }

  // With all its cells, for a set that has_dense_table(). May be asked from several threads.
  virtual SealedTable table(const VariableSet& set) = 0;

  // Sum of n log n over the cells of a table of any size; all that G2 needs.
  virtual Sealed<double> sum_n_log_n(const VariableSet& set) = 0;

  // The non-empty strata of `given`, in a fixed order; numeric x or y at full resolution. How many
  // there are is a secret too, so that visiting takes a key.
  virtual void visit_strata(std::size_t x, std::size_t y, const VariableSet& given,
                            const VisitStratum& visit, const StatisticKey& key) {
    (void)x, (void)y, (void)given, (void)visit, (void)key;
    throw NeedsRows("a test at full resolution");
  }

  // The same variables on a sub-sample of the rows.
  virtual std::unique_ptr<TableSource> sample(const RowMask& mask) {
    (void)mask;
    throw NeedsRows("a sub-sample");
  }

  virtual std::unique_ptr<BlockSource> blocks(std::size_t count, RandomBits& bits) {
    (void)count, (void)bits;
    throw NeedsRows("a test by blocks of records");
  }
};

inline double n_log_n(double n) {
  return n > 0 ? n * std::log(n) : 0.0;
}

}  // namespace privpc
