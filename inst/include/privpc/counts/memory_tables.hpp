// Contingency tables of records held in memory.
//
// A table over the set S is counted only in the cells where every member is away from its modal
// level; each cell with a modal member follows from the table over S without that member:
//   N(.., modal, ..) = N_without(.., ..) - sum over the other levels l of N(.., l, ..)
// (Moebius inversion, one member after the other). The tables without one member are looked up
// in the cache or made in the same way.
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
#include "privpc/base/parallel.hpp"
#include "privpc/counts/columns.hpp"
#include "privpc/counts/memory_blocks.hpp"
#include "privpc/counts/pair_counts.hpp"
#include "privpc/counts/pivot_views.hpp"
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
      columns_[v] = subsample_column(parent.columns_[v], mask, kernels_);
    }
    finish();
  }

  const Schema& schema() const override { return schema_; }
  const char* kernel_name() const { return kernels_.name; }
  std::size_t memory() const { return cache_.memory() + view_memory() + pairs_.bytes(); }
  std::size_t view_memory() const { return views_->memory(); }

  // All pairs are cheaper together; everything else is counted when it is asked for.
  void announce(const Announcement& announcement) override {
    if (announcement.all_pairs) count_pairs(announcement.threads);
  }

  SealedTable table(const VariableSet& set) override { return SealedTable(counted(set)); }

  Sealed<double> sum_n_log_n(const VariableSet& set) override { return Sealed<double>(sum(set)); }

  void visit_strata(std::size_t x, std::size_t y, const VariableSet& given,
                    const VisitStratum& visit) override {
    visit_row_strata(columns_, rows(), x, y, given, visit);
  }

  std::unique_ptr<TableSource> sample(const RowMask& mask) override {
    return std::make_unique<MemoryTables>(*this, mask);
  }

  std::unique_ptr<BlockSource> blocks(std::size_t count, RandomBits& bits) override {
    return std::make_unique<MemoryBlocks>(schema_, columns_, count, bits);
  }

 private:
  std::shared_ptr<const Table> counted(const VariableSet& set) {
    if (auto entry = cache_.find(set)) {
      if (entry->table) return entry->table;
    }
    return remember(set).table;
  }

  double sum(const VariableSet& set) {
    if (set.size() == 1) return single_sums_[set[0]];
    if (set.size() == 2 && !pair_sums_.empty()) return pair_sums_[pair_index(set[0], set[1])];
    const double known = cache_.find_sum(set);
    return std::isnan(known) ? remember(set).sum_n_log_n : known;
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
        if (!columns_[i].has_bitmaps || !columns_[j].has_bitmaps) {
          const VariableSet pair{i, j};
          const bool countable = columns_[i].codes != nullptr && columns_[j].codes != nullptr;
          sums[pair_index(i, j)] = countable ? remember(pair).sum_n_log_n : std::nan("");
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
    views_ =
        std::make_unique<PivotViews>(columns_, schema_.rows(), kernels_, options_.memory_cap / 2);
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

  TableCache::Entry remember(const VariableSet& set) {
    TableCache::Entry entry;
    if (has_dense_table(schema_, set)) {
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
    } else if (set.size() == 2 && pairs_.ready() && all_bitmaps(set)) {
      fill_pair(set[0], set[1], table.counts);
    } else {
      table.counts.assign(static_cast<std::size_t>(cell_count(schema_, set)), 0);
      const bool bitmaps = all_bitmaps(set) && parts_are_at_hand(set);
      const std::size_t pivot = bitmaps ? choose_pivot(set) : set.size();
      if (!bitmaps || !bitmaps_are_cheaper(set, pivot)) {
        count_by_codes(columns_, rows(), table);
      } else {
        count_minority(table, pivot);
        fill_modal(table);
      }
    }
    return table;
  }

  bool all_bitmaps(const VariableSet& set) const {
    return std::all_of(set.begin(), set.end(), [&](auto v) { return columns_[v].has_bitmaps; });
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

  // The member for which the remaining work (rows to look at times combinations) is least.
  std::size_t choose_pivot(const VariableSet& set) const {
    std::size_t best = 0;
    double least = HUGE_VAL;
    for (std::size_t i = 0; i < set.size(); ++i) {
      const Column& c = columns_[set[i]];
      const double work = static_cast<double>(c.minority(schema_.rows())) /
                          static_cast<double>(std::max<std::size_t>(c.active.size(), 1));
      if (work < least) {
        least = work;
        best = i;
      }
    }
    return best;
  }

  // Combinations of active levels of all members but the pivot.
  double combinations(const VariableSet& set, std::size_t pivot) const {
    double product = 1;
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (i != pivot) product *= static_cast<double>(columns_[set[i]].active.size());
    }
    return product;
  }

  // Measured: about 0.1 ns per word and combination, 0.5 ns per row and member.
  static constexpr double kAndNanoseconds = 0.1;
  static constexpr double kCodeNanoseconds = 0.5;

  bool bitmaps_are_cheaper(const VariableSet& set, std::size_t pivot) const {
    const double words = static_cast<double>(views_->layout(set[pivot]).words);
    return kAndNanoseconds * words * combinations(set, pivot) <
           kCodeNanoseconds * static_cast<double>(rows()) * static_cast<double>(set.size());
  }

  // By which counting in the view of the pivot is shorter than on all rows.
  std::uint64_t words_saved(const VariableSet& set, std::size_t pivot) const {
    const PivotViews::Layout& layout = views_->layout(set[pivot]);
    const std::uint64_t all = padded_words(schema_.rows()) * layout.segments.size();
    return static_cast<std::uint64_t>(static_cast<double>(all - layout.words) *
                                      combinations(set, pivot));
  }

  // Bitmaps of one member as the recursion sees them: one per active level, `spacing` apart.
  struct Member {
    const Word* bits;
    std::size_t spacing;
    const Column* column;
    std::size_t stride;
  };

  void count_minority(Table& table, std::size_t pivot) {
    const VariableSet& set = table.variables;
    const PivotViews::Layout& layout = views_->layout(set[pivot]);
    std::array<Member, kMaxSetSize> members;
    std::size_t size = 0;
    bool viewed = set.size() > 2;
    const std::uint64_t saved = viewed ? words_saved(set, pivot) / (set.size() - 1) : 0;
    for (std::size_t i = 0; i < set.size() && set.size() > 2; ++i) {
      if (i == pivot) continue;
      const Word* bits = views_->bits(set[pivot], set[i], saved);
      viewed = viewed && bits != nullptr;
      members[size++] = {bits, layout.words, &columns_[set[i]], table.stride(i)};
    }
    if (!viewed) {
      size = 0;
      for (std::size_t i = 0; i < set.size(); ++i) {
        const Column& column = columns_[set[i]];
        members[size++] = {column.bitmaps.data(), column.spacing, &column, table.stride(i)};
      }
    }
    // Few levels first: fewer intermediate ANDs.
    std::sort(members.begin(), members.begin() + size, [](const Member& a, const Member& b) {
      return a.column->active.size() < b.column->active.size();
    });
    // One for every member between the first and the last; mostly one or two, which need no heap.
    const std::size_t buffered = size > 2 ? size - 2 : 0;
    alignas(kAlignment) std::array<Word, 2 * kBlockWords> on_stack;
    Words on_heap(buffered > 2 ? buffered * kBlockWords : 0);
    Word* buffers = buffered > 2 ? on_heap.data() : on_stack.data();
    const auto count_range = [&](std::size_t base, std::size_t offset, std::size_t words) {
      for (std::size_t w = 0; w < words; w += kBlockWords) {
        count_block(table.counts.data() + base, members.data(), size, nullptr, offset + w,
                    std::min(kBlockWords, words - w), buffers);
      }
    };
    if (viewed) {
      const std::size_t stride = table.stride(pivot);
      for (const auto& s : layout.segments)
        count_range(s.level * stride, s.offset, s.words);
    } else {
      count_range(0, 0, padded_words(schema_.rows()));
    }
  }

  static constexpr std::size_t kBlockWords = 1024;  // 8 KB of each bitmap at a time

  // `so_far` is the AND of the members already passed on this block, or null at the start.
  void count_block(Count* cells, const Member* member, std::size_t members_left, const Word* so_far,
                   std::size_t offset, std::size_t words, Word* buffers) const {
    const std::vector<std::uint32_t>& active = member->column->active;
    for (std::size_t a = 0; a < active.size(); ++a) {
      const Word* bits = member->bits + a * member->spacing + offset;
      Count* at = cells + active[a] * member->stride;
      if (members_left == 1) {
        *at += static_cast<Count>(so_far == nullptr ? kernels_.popcount(bits, words)
                                                    : kernels_.and_popcount(so_far, bits, words));
      } else if (so_far == nullptr) {
        count_block(at, member + 1, members_left - 1, bits, offset, words, buffers);
      } else if (kernels_.and_into(buffers, so_far, bits, words)) {
        count_block(at, member + 1, members_left - 1, buffers, offset, words,
                    buffers + kBlockWords);
      }
    }
  }

  void fill_modal(Table& table) {
    const std::size_t k = table.variables.size();
    for (std::size_t i = 0; i < k; ++i) {
      const auto without = counted(table.variables.without_position(i));
      const std::size_t inner = table.stride(i);
      const std::size_t outer = without->counts.size() / inner;
      fill_modal_level(table.counts.data(), without->counts.data(), columns_[table.variables[i]],
                       outer, inner);
    }
  }

  // Cells in which a later member is modal get a value that is overwritten when that member's
  // turn comes; the cells read for it are final by then.
  static void fill_modal_level(Count* cells, const Count* without, const Column& column,
                               std::size_t outer, std::size_t inner) {
    for (std::size_t o = 0; o < outer; ++o) {
      Count* block = cells + o * column.levels * inner;
      Count* modal = block + column.modal * inner;
      std::copy(without + o * inner, without + (o + 1) * inner, modal);
      for (std::uint32_t level : column.active) {
        const Count* other = block + level * inner;
        for (std::size_t c = 0; c < inner; ++c)
          modal[c] -= other[c];
      }
    }
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
    fill_modal_level(cells.data(), b.counts.data(), a, 1, b.levels);
    fill_modal_level(cells.data(), a.counts.data(), b, a.levels, 1);
  }

  Schema schema_;
  MemoryOptions options_;
  const Kernels& kernels_;
  std::vector<Column> columns_;
  TableCache cache_;
  std::unique_ptr<PivotViews> views_;
  PairCounts pairs_;
  std::vector<double> single_sums_;
  std::vector<double> pair_sums_;
};

}  // namespace privpc
