// Contingency tables of records held in memory: what was counted is remembered, all pairs are
// counted together, and every other table when it is asked for.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "privpc/base/kernels.hpp"
#include "privpc/base/monitor.hpp"
#include "privpc/base/parallel.hpp"
#include "privpc/counts/columns.hpp"
#include "privpc/counts/memory_blocks.hpp"
#include "privpc/counts/modal_counts.hpp"
#include "privpc/counts/pair_counts.hpp"
#include "privpc/counts/row_cells.hpp"
#include "privpc/counts/table.hpp"
#include "privpc/counts/table_cache.hpp"

namespace privpc {

struct MemoryOptions {
  unsigned threads = 1;
  bool portable = false;                            // do not use processor-specific code
  std::size_t memory_cap = std::size_t{512} << 20;  // bytes for tables and views together
};

class MemoryTables : public TableSource {
 public:
  MemoryTables(Schema schema, const std::vector<ColumnInput>& inputs, const MemoryOptions& options)
      : MemoryTables(std::move(schema), options) {
    const std::size_t n = rows();
    const bool large = static_cast<double>(n) * static_cast<double>(inputs.size()) > 4e6;
    Words shared;
    parallel_for(inputs.size(), large ? options.threads : 1, [&](std::size_t v) {
      Words own;
      columns_[v] = encode_column(inputs[v], schema_[v], v, n, kernels_, large ? own : shared);
    });
    finish();
  }

  // The same variables on a sub-sample of the rows. Shares the parent's codes no longer than
  // the construction takes.
  MemoryTables(const MemoryTables& parent, const RowMask& mask)
      : MemoryTables(subsample_schema(parent.schema_, mask), parent.options_) {
    for (std::size_t v = 0; v < columns_.size(); ++v) {
      breathe();
      columns_[v] = subsample_column(parent.columns_[v], mask, kernels_);
    }
    finish();
  }

  const Schema& schema() const override { return schema_; }
  const char* kernel_name() const { return kernels_.name; }
  std::size_t memory() const { return cache_.memory() + view_memory() + pairs_.bytes(); }
  std::size_t view_memory() const { return modal_->view_memory(); }

  // All pairs are cheaper together; everything else is counted when it is asked for.
  void announce(const Announcement& announcement) override {
    if (announcement.all_pairs) count_pairs(announcement.threads);
  }

  SealedTable table(const VariableSet& set) override { return SealedTable(counted(set)); }

  Sealed<double> sum_n_log_n(const VariableSet& set) override { return Sealed<double>(sum(set)); }

  void visit_strata(std::size_t x, std::size_t y, const VariableSet& given,
                    const VisitStratum& visit, const StatisticKey&) override {
    visit_row_strata(columns_, rows(), x, y, given, visit);
  }

  std::unique_ptr<TableSource> sample(const RowMask& mask) override {
    return std::make_unique<MemoryTables>(*this, mask);
  }

  std::unique_ptr<BlockSource> blocks(std::size_t count, RandomBits& bits) override {
    return std::make_unique<MemoryBlocks>(schema_, columns_, count, bits);
  }

 private:
  friend class PersonTables;  // adds tables up

  std::shared_ptr<const Table> counted(const VariableSet& set) {
    if (auto entry = cache_.find(set)) {
      if (entry->table) return entry->table;
    }
    return remember(set, true).table;
  }

  double sum(const VariableSet& set) {
    if (set.size() == 1) return single_sums_[set[0]];
    if (set.size() == 2 && !pair_sums_.empty()) return pair_sums_[pair_index(set[0], set[1])];
    const double known = cache_.find_sum(set);
    return std::isnan(known) ? remember(set, has_dense_table(schema_, set)).sum_n_log_n : known;
  }

  void count_pairs(unsigned threads) {
    if (pairs_.ready()) return;
    const double p = static_cast<double>(columns_.size());
    const double bytes =
        static_cast<double>(PairCounts::bytes_needed(columns_)) + p * p / 2 * sizeof(double);
    if (bytes > static_cast<double>(options_.memory_cap) / 2) return;  // counted when asked for
    pairs_.count(columns_, schema_.rows(), kernels_, threads);
    std::vector<double> sums(columns_.size() * (columns_.size() - 1) / 2);
    std::vector<Count> cells;
    for (std::size_t j = 1; j < columns_.size(); ++j) {
      for (std::size_t i = 0; i < j; ++i) {
        breathe();
        if (!columns_[i].has_bitmaps || !columns_[j].has_bitmaps) {
          const VariableSet pair{i, j};
          const bool countable = columns_[i].codes != nullptr && columns_[j].codes != nullptr;
          sums[pair_index(i, j)] =
              countable ? remember(pair, has_dense_table(schema_, pair)).sum_n_log_n : std::nan("");
          continue;
        }
        fill_pair(i, j, cells);
        sums[pair_index(i, j)] = sum_of(cells);
      }
    }
    pair_sums_ = std::move(sums);
  }

  MemoryTables(Schema schema, const MemoryOptions& options)
      : schema_(std::move(schema)),
        options_(options),
        kernels_(choose_kernels(options.portable)),
        columns_(schema_.size()),
        cache_(options.memory_cap / 2, options.threads) {}

  static Schema subsample_schema(const Schema& full, const RowMask& mask) {
    std::vector<Variable> variables;
    for (std::size_t v = 0; v < full.size(); ++v)
      variables.push_back(full[v]);
    return Schema(std::move(variables), mask.selected());
  }

  void finish() {
    modal_ =
        std::make_unique<ModalCounts>(columns_, schema_.rows(), kernels_, options_.memory_cap / 2);
    single_sums_.reserve(columns_.size());
    for (const Column& column : columns_)
      single_sums_.push_back(sum_of(column.counts));
  }

  std::size_t rows() const { return static_cast<std::size_t>(schema_.rows()); }

  static std::size_t pair_index(std::size_t i, std::size_t j) { return j * (j - 1) / 2 + i; }

  static double sum_of(const std::vector<Count>& counts) {
    double sum = 0;
    for (Count c : counts)
      sum += n_log_n(as_real(c));
    return sum;
  }

  // `dense`: with all its cells. What is asked for as a table always is, also where
  // has_dense_table() would not say so of the records here: they may be some of many
  // (PersonTables).
  TableCache::Entry remember(const VariableSet& set, bool dense) {
    TableCache::Entry entry;
    if (dense) {
      entry.table = std::make_shared<const Table>(make_table(set));
      entry.sum_n_log_n = sum_of(entry.table->counts);
    } else {
      const Strata strata = strata_of(columns_, rows(), set);
      std::vector<Count> counts(strata.size, 0);
      for (std::uint32_t s : strata.of_row)
        ++counts[s];
      entry.sum_n_log_n = sum_of(counts);
    }
    cache_.insert(set, entry);
    return entry;
  }

  Table make_table(const VariableSet& set) {
    Table table;
    table.variables = set;
    table.levels.reserve(set.size());
    for (auto v : set)
      table.levels.push_back(columns_[v].levels);
    if (set.size() == 0) {
      table.counts = {static_cast<Count>(schema_.rows())};
    } else if (set.size() == 1) {
      table.counts = columns_[set[0]].counts;
    } else if (set.size() == 2 && pairs_.ready() && modal_->is_possible(set)) {
      fill_pair(set[0], set[1], table.counts);
    } else {
      table.counts.assign(static_cast<std::size_t>(cell_count(schema_, set)), 0);
      const bool bitmaps = modal_->is_possible(set) && parts_are_at_hand(set);
      if (!bitmaps || !modal_->is_cheaper(set)) {
        count_by_codes(columns_, rows(), table);
      } else {
        modal_->count(table, [&](const VariableSet& part) { return counted(part); });
      }
    }
    return table;
  }

  // Subtraction needs the tables without one member. Up to five members they are made if need be;
  // beyond that making them, and those that they need, would cost more than a pass over the rows
  // (with a full cache as much as the factorial of the set's size).
  bool parts_are_at_hand(const VariableSet& set) {
    if (set.size() <= 5) return true;
    for (std::size_t i = 0; i < set.size(); ++i) {
      const auto entry = cache_.find(set.without_position(i));
      if (!entry || !entry->table) return false;
    }
    return true;
  }

  void fill_pair(std::size_t i, std::size_t j, std::vector<Count>& cells) const {
    const Column& a = columns_[i];
    const Column& b = columns_[j];
    cells.assign(static_cast<std::size_t>(a.levels) * b.levels, 0);
    const Count* counted = pairs_.cells(i, j);
    for (std::uint32_t la : a.active) {
      for (std::uint32_t lb : b.active)
        cells[la * b.levels + lb] = *counted++;
    }
    ModalCounts::fill_level(cells.data(), b.counts.data(), a, 1, b.levels);
    ModalCounts::fill_level(cells.data(), a.counts.data(), b, a.levels, 1);
  }

  Schema schema_;
  MemoryOptions options_;
  const Kernels& kernels_;
  std::vector<Column> columns_;
  TableCache cache_;
  std::unique_ptr<ModalCounts> modal_;
  PairCounts pairs_;
  std::vector<double> single_sums_;
  std::vector<double> pair_sums_;
};

}  // namespace privpc
