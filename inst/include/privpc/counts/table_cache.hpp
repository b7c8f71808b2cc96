// What has been counted, one entry per set of variables, shared by all threads and bounded in
// memory: when the cap is reached, tables of the largest order go first, since every set of a
// lower order serves many of the higher ones.
#pragma once

#include <atomic>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "privpc/counts/table.hpp"
#include "privpc/schema/variable_set.hpp"

namespace privpc {

class TableCache {
 public:
  struct Entry {
    std::shared_ptr<const Table> table;  // null where only the sum is known
    double sum_n_log_n = 0;
  };

  // Threads meet less often in several shards; one alone is quicker with one.
  TableCache(std::size_t memory_cap, unsigned threads)
      : memory_cap_(memory_cap), shards_(threads > 1 ? kShards : 1) {}

  std::optional<Entry> find(const VariableSet& set) {
    Shard& shard = shard_of(set);
    std::lock_guard<std::mutex> lock(shard.mutex);
    const Entry* entry = shard.find(set);
    if (entry == nullptr) return std::nullopt;
    return *entry;
  }

  // The sum alone, without touching the table's reference count.
  double find_sum(const VariableSet& set) {
    Shard& shard = shard_of(set);
    std::lock_guard<std::mutex> lock(shard.mutex);
    const Entry* entry = shard.find(set);
    return entry == nullptr ? std::numeric_limits<double>::quiet_NaN() : entry->sum_n_log_n;
  }

  void insert(const VariableSet& set, Entry entry) {
    const std::size_t bytes = entry_bytes(entry);
    if (bytes > memory_cap_ / 4) return;  // too large to be worth everything else
    Shard& shard = shard_of(set);
    bool added;
    {
      std::lock_guard<std::mutex> lock(shard.mutex);
      if (shard.by_size.size() <= set.size()) shard.by_size.resize(set.size() + 1);
      added = shard.by_size[set.size()].emplace(set, std::move(entry)).second;
    }
    if (added && used_.fetch_add(bytes) + bytes > memory_cap_) make_room();
  }

  std::size_t memory() const { return used_.load(); }

 private:
  using Map = std::unordered_map<VariableSet, Entry, VariableSet::Hash>;
  struct Shard {
    std::mutex mutex;
    std::vector<Map> by_size;  // as long as the largest set asks for

    const Entry* find(const VariableSet& set) const {
      if (set.size() >= by_size.size()) return nullptr;
      const Map& map = by_size[set.size()];
      const auto it = map.find(set);
      return it == map.end() ? nullptr : &it->second;
    }
  };
  static constexpr std::size_t kShards = 16;

  static std::size_t entry_bytes(const Entry& entry) {
    std::size_t bytes = sizeof(VariableSet) + sizeof(Entry) + 4 * sizeof(void*);
    if (entry.table) {
      bytes += sizeof(Table) + entry.table->counts.size() * sizeof(Count) +
               entry.table->levels.size() * sizeof(std::uint32_t);
    }
    return bytes;
  }

  Shard& shard_of(const VariableSet& set) {
    if (shards_.size() == 1) return shards_[0];
    return shards_[VariableSet::Hash()(set) >> 7 & (kShards - 1)];
  }

  void make_room() {
    std::lock_guard<std::mutex> only_one(eviction_mutex_);
    for (std::size_t size = kMaxSetSize; size > 0 && used_.load() > memory_cap_ / 2; --size) {
      for (Shard& shard : shards_) {
        Map dropped;
        {
          std::lock_guard<std::mutex> lock(shard.mutex);
          if (size < shard.by_size.size()) dropped.swap(shard.by_size[size]);
        }
        std::size_t bytes = 0;
        for (const auto& item : dropped)
          bytes += entry_bytes(item.second);
        used_.fetch_sub(bytes);
      }
    }
  }

  std::size_t memory_cap_;
  std::atomic<std::size_t> used_{0};
  std::mutex eviction_mutex_;
  std::vector<Shard> shards_;
};

}  // namespace privpc
