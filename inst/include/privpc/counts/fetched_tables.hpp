// Tables that somebody else counts: a data base, or a pass over a file. No record is ever here;
// what arrives are the numbers of records in cells, and they are kept where nobody can read them
// back.
//
// Each announcement is one call of count(), for as few tables as cover all sets that were named
// (covering_sets.hpp); what was counted before is not asked for again. Smaller tables are summed
// down from larger ones. Every table must hold as many records as the schema says: a table that
// changes between two stages, or a cluster that answers with half of its parts, is an error and
// never a graph of half the data.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "privpc/base/errors.hpp"
#include "privpc/counts/table.hpp"
#include "privpc/counts/table_cache.hpp"
#include "privpc/schema/covering_sets.hpp"

namespace privpc {

// The counts of a stage do not belong to the records that the schema speaks of. Neither the numbers
// nor the table are told.
class ChangedData : public NamedError {
 public:
  explicit ChangedData(std::size_t stage)
      : NamedError("the counts do not add up to the number of records"), stage_(stage) {}
  const char* name() const noexcept override { return "changed_data"; }
  Numbers numbers() const override { return {{"stage", static_cast<double>(stage_)}}; }

 private:
  std::size_t stage_;
};

class FetchedTables : public TableSource {
 public:
  // `unit`: see TableSource. Counts that arrive are in these units.
  FetchedTables(Schema schema, std::size_t memory_cap, unsigned threads, Count unit = 1)
      : schema_(std::move(schema)),
        unit_(unit),
        memory_cap_(memory_cap),
        of_variable_(schema_.size()),
        cache_(memory_cap / 2, threads) {}

  const Schema& schema() const override { return schema_; }
  Count unit() const override { return unit_; }
  bool counts_in_batches() const override { return true; }

  void announce(const Announcement& announcement) override {
    std::vector<VariableSet> sets;
    announcement.name_sets([&](const VariableSet& set) { sets.push_back(set); });
    fetch(std::move(sets));
  }

  SealedTable table(const VariableSet& set) override { return SealedTable(dense(set)); }

  Sealed<double> sum_n_log_n(const VariableSet& set) override {
    if (unit_ != 1) throw NeedsRows("a test that counts records");
    if (const auto entry = cache_.find(set)) return Sealed<double>(entry->sum_n_log_n);
    if (has_dense_table(schema_, set)) {
      dense(set);
      if (const auto entry = cache_.find(set)) return Sealed<double>(entry->sum_n_log_n);
    }
    TableCache::Entry entry;
    for (const Filled& filled : summed(set))
      entry.sum_n_log_n += n_log_n(as_real(filled.count));
    cache_.insert(set, entry);
    return Sealed<double>(entry.sum_n_log_n);
  }

  // As visit_row_strata() does from rows: strata in the order of their levels, cells by x, then y.
  void visit_strata(std::size_t x, std::size_t y, const VariableSet& given,
                    const VisitStratum& visit, const StatisticKey& key) override {
    if (schema_[x].numeric || schema_[y].numeric || unit_ != 1) {
      TableSource::visit_strata(x, y, given, visit, key);
    }
    std::vector<InStratum> filled = in_strata(x, y, given);
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < filled.size(); ++i) {
      cells.push_back(filled[i].cell);
      if (i + 1 < filled.size() && filled[i + 1].stratum == filled[i].stratum) continue;
      visit(Sealed<SparseStratum>({cells.data(), cells.size()}));
      cells.clear();
    }
  }

 protected:
  // Where counts go in, and do not come out.
  class Arrivals;

  // Counts the records in each cell of each of these sets, and adds them to `arrivals`.
  virtual void count(const std::vector<VariableSet>& sets, Arrivals& arrivals) = 0;

  // How often something was counted, this time included.
  std::size_t stage() const { return stage_; }

 private:
  // A cell that is not empty, by its number: the last variable of the set runs fastest.
  struct Filled {
    std::uint64_t cell;
    Count count;
  };
  struct Held {
    VariableSet variables;
    std::vector<Filled> filled;  // by cell
  };
  struct InStratum {
    std::uint64_t stratum;
    Cell cell;
  };

  // More cells than this can be neither numbered by all engines nor filled.
  static constexpr double kMostCells = 9007199254740992;  // 2^53
  // Sets are merged into tables of at most so many cells. (Whatever the number of records is: it
  // may be a secret, and statements are not.)
  static constexpr double kMostMerged = 16384;

  void fetch(std::vector<VariableSet> sets);

  // Of every table.
  Count total() const { return static_cast<Count>(schema_.rows()) * unit_; }

  void check_size(const VariableSet& set) const {
    const double cells = cell_count(schema_, set);
    if (cells == 0) throw NeedsRows("a test at full resolution");
    if (cells > kMostCells) throw NeedsRows("a table of so many cells");
  }

  void hold(std::vector<Held> arrived) {
    std::size_t bytes = 0;
    for (Held& held : arrived) {
      bytes += held.filled.size() * sizeof(Filled) + sizeof(Held);
      held_.push_back(std::make_shared<const Held>(std::move(held)));
    }
    stages_.push_back({arrived.size(), bytes});
    held_bytes_ += bytes;
    // The oldest stages go first. What is asked for again is counted again.
    std::size_t gone = 0;
    while (stages_.size() > 1 && held_bytes_ > memory_cap_ / 2) {
      gone += stages_.front().tables;
      held_bytes_ -= stages_.front().bytes;
      stages_.erase(stages_.begin());
    }
    held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(gone));
    for (auto& tables : of_variable_)
      tables.clear();
    for (std::size_t i = 0; i < held_.size(); ++i) {
      for (auto v : held_[i]->variables)
        of_variable_[v].push_back(i);
    }
  }

  // The smallest table that `set` is a part of.
  std::shared_ptr<const Held> find_held(const VariableSet& set) const {
    std::shared_ptr<const Held> best;
    const std::vector<std::size_t>* candidates = nullptr;
    for (auto v : set) {
      if (candidates == nullptr || of_variable_[v].size() < candidates->size())
        candidates = &of_variable_[v];
    }
    if (candidates == nullptr) return nullptr;
    for (std::size_t i : *candidates) {
      const auto& held = held_[i];
      if (best && held->filled.size() >= best->filled.size()) continue;
      if (is_part_of(set, held->variables)) best = held;
    }
    return best;
  }

  std::shared_ptr<const Held> at_hand(const VariableSet& set) {
    if (auto held = find_held(set)) return held;
    // Only the thread that called the learner can ask anybody.
    if (std::this_thread::get_id() != home_)
      throw std::logic_error("a table was asked for that is not at hand");
    fetch({set});
    return find_held(set);
  }

  std::shared_ptr<const Table> dense(const VariableSet& set) {
    if (auto entry = cache_.find(set)) {
      if (entry->table) return entry->table;
    }
    Table table;
    table.variables = set;
    table.levels = levels_of(schema_, set);
    if (set.empty()) {
      table.counts = {total()};
    } else {
      const auto held = at_hand(set);
      table.counts.assign(static_cast<std::size_t>(cell_count(schema_, set)), 0);
      const Projection to(schema_, held->variables, set);
      for (const Filled& filled : held->filled)
        table.counts[static_cast<std::size_t>(to.cell(filled.cell))] += filled.count;
    }
    TableCache::Entry entry;
    for (Count n : table.counts)
      entry.sum_n_log_n += n_log_n(as_real(n));
    entry.table = std::make_shared<const Table>(std::move(table));
    cache_.insert(set, entry);
    return entry.table;
  }

  // The filled cells of a table that may have too many cells to be written out.
  std::vector<Filled> summed(const VariableSet& set) {
    if (set.empty()) return {{0, total()}};
    const auto held = at_hand(set);
    const Projection to(schema_, held->variables, set);
    std::vector<Filled> out;
    for (const Filled& filled : held->filled)
      out.push_back({to.cell(filled.cell), filled.count});
    add_up(out);
    return out;
  }

  static void add_up(std::vector<Filled>& filled) {
    std::sort(filled.begin(), filled.end(),
              [](const Filled& a, const Filled& b) { return a.cell < b.cell; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < filled.size(); ++i) {
      if (kept > 0 && filled[kept - 1].cell == filled[i].cell) {
        filled[kept - 1].count += filled[i].count;
      } else {
        filled[kept++] = filled[i];
      }
    }
    filled.resize(kept);
  }

  std::vector<InStratum> in_strata(std::size_t x, std::size_t y, const VariableSet& given) {
    const VariableSet all = given.with(x).with(y);
    const Projection to_stratum(schema_, all, given), to_x(schema_, all, {x}),
        to_y(schema_, all, {y});
    std::vector<InStratum> out;
    for (const Filled& filled : summed(all)) {
      out.push_back({to_stratum.cell(filled.cell),
                     {static_cast<std::uint32_t>(to_x.cell(filled.cell)),
                      static_cast<std::uint32_t>(to_y.cell(filled.cell)), filled.count}});
    }
    std::sort(out.begin(), out.end(), [](const InStratum& a, const InStratum& b) {
      if (a.stratum != b.stratum) return a.stratum < b.stratum;
      return a.cell.x != b.cell.x ? a.cell.x < b.cell.x : a.cell.y < b.cell.y;
    });
    return out;
  }

  // From the number of a cell to that of the cell of a smaller table in which its records are.
  class Projection {
   public:
    Projection(const Schema& schema, const VariableSet& from, const VariableSet& to) {
      std::uint64_t stride = 1, target = 1;
      for (std::size_t i = from.size(); i-- > 0;) {
        const std::uint64_t levels = schema.levels(from[i]);
        if (to.contains(from[i])) {
          steps_.push_back({stride, levels, target});
          target *= levels;
        }
        stride *= levels;
      }
    }

    std::uint64_t cell(std::uint64_t from) const {
      std::uint64_t out = 0;
      for (const Step& step : steps_)
        out += from / step.stride % step.levels * step.target;
      return out;
    }

   private:
    struct Step {
      std::uint64_t stride, levels, target;
    };
    std::vector<Step> steps_;
  };

  struct Stage {
    std::size_t tables, bytes;
  };

  Schema schema_;
  Count unit_;
  std::size_t memory_cap_;
  std::vector<std::shared_ptr<const Held>> held_;
  std::vector<Stage> stages_;  // of what is held, the oldest first
  std::size_t held_bytes_ = 0;
  std::vector<std::vector<std::size_t>> of_variable_;  // positions in held_
  TableCache cache_;
  std::size_t stage_ = 0;
  std::thread::id home_ = std::this_thread::get_id();
};

class FetchedTables::Arrivals {
 public:
  // So many records are in this cell of the set with this position. Cells may come in any order and
  // in parts; those that do not come are empty.
  void add(std::size_t set, std::uint64_t cell, Count count) {
    if (set >= held_.size() || cell >= cells_[set] || count < 0) throw ChangedData(stage_);
    // What somebody else says may be any number: no sum may go beyond all records.
    if (count > missing_[set]) throw ChangedData(stage_);
    missing_[set] -= count;
    held_[set].filled.push_back({cell, count});
  }

  // A record was found that is in no cell.
  [[noreturn]] void outside() const { throw ChangedData(stage_); }

 private:
  friend class FetchedTables;

  Arrivals(const FetchedTables& tables, const std::vector<VariableSet>& sets)
      : missing_(sets.size(), tables.total()), stage_(tables.stage_) {
    for (const VariableSet& set : sets) {
      held_.push_back({set, {}});
      cells_.push_back(static_cast<std::uint64_t>(cell_count(tables.schema_, set)));
    }
  }

  std::vector<Held> checked() {
    for (Count missing : missing_) {
      if (missing != 0) throw ChangedData(stage_);
    }
    for (Held& held : held_)
      add_up(held.filled);
    return std::move(held_);
  }

  std::vector<Held> held_;
  std::vector<std::uint64_t> cells_;
  std::vector<Count> missing_;  // of all records of a table, those that have not come yet
  std::size_t stage_;
};

inline void FetchedTables::fetch(std::vector<VariableSet> sets) {
  const auto known = [&](const VariableSet& set) {
    return set.empty() || find_held(set) != nullptr;
  };
  sets.erase(std::remove_if(sets.begin(), sets.end(), known), sets.end());
  if (sets.empty()) return;
  for (const VariableSet& set : sets)
    check_size(set);
  const auto covers = CoveringSets::of(schema_, std::move(sets), kMostMerged);
  ++stage_;
  Arrivals arrivals(*this, covers);
  count(covers, arrivals);
  hold(arrivals.checked());
}

}  // namespace privpc
