// Contingency tables of persons who have several records each, held in memory: a record weighs one
// over the number of its person's kept records (schema/person_weights.hpp).
//
// Persons are put into groups by how many of their records are kept. All records of a group weigh
// the same, so that a group is counted as records are (memory_tables.hpp), and the tables of the
// groups are added up with their weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "privpc/counts/memory_tables.hpp"
#include "privpc/schema/person_weights.hpp"

namespace privpc {

class PersonTables : public TableSource {
 public:
  // `schema` has the number of persons. `kept` as in kept_records.hpp, for all records.
  PersonTables(Schema schema, const std::vector<ColumnInput>& inputs,
               const std::vector<std::uint8_t>& kept, unsigned most, const MemoryOptions& options)
      : schema_(std::move(schema)), unit_(person_unit(most)) {
    std::vector<std::size_t> records(most + 1, 0);
    for (std::uint8_t m : kept) {
      if (m > most) throw std::invalid_argument("more records of a person are kept than may be");
      ++records[m];
    }
    std::size_t persons = 0, filled = 0;
    for (unsigned m = 1; m <= most; ++m) {
      if (records[m] % m != 0)
        throw std::invalid_argument("a person's kept records are not all there");
      persons += records[m] / m;
      filled += records[m] > 0;
    }
    if (persons != schema_.rows()) {
      throw std::invalid_argument("the number of persons is not that of the schema");
    }
    MemoryOptions share = options;
    share.memory_cap = options.memory_cap / std::max<std::size_t>(filled, 1);
    for (unsigned m = 1; m <= most; ++m) {
      if (records[m] > 0) add_group(inputs, kept, m, records[m], share);
    }
  }

  const Schema& schema() const override { return schema_; }
  Count unit() const override { return unit_; }

  void announce(const Announcement& announcement) override {
    for (const Group& group : groups_)
      group.tables->announce(announcement);
  }

  SealedTable table(const VariableSet& set) override {
    Table sum;
    sum.variables = set;
    sum.levels = levels_of(schema_, set);
    sum.counts.assign(static_cast<std::size_t>(cell_count(schema_, set)), 0);
    for (const Group& group : groups_) {
      const auto part = group.tables->counted(set);
      for (std::size_t c = 0; c < sum.counts.size(); ++c)
        sum.counts[c] += group.weight * part->counts[c];
    }
    return SealedTable(std::make_shared<const Table>(std::move(sum)));
  }

  // Whatever is not a sum over records would take weights for records.
  Sealed<double> sum_n_log_n(const VariableSet&) override {
    throw NeedsRows("a test that counts records");
  }

 private:
  struct Group {
    Count weight;                                  // of a record, in units
    std::vector<std::vector<std::int32_t>> codes;  // behind the columns of `tables`
    std::unique_ptr<MemoryTables> tables;
  };

  void add_group(const std::vector<ColumnInput>& inputs, const std::vector<std::uint8_t>& kept,
                 unsigned m, std::size_t records, const MemoryOptions& options) {
    Group group;
    group.weight = unit_ / static_cast<Count>(m);
    std::vector<Variable> variables;
    std::vector<ColumnInput> columns;
    for (std::size_t v = 0; v < inputs.size(); ++v) {
      if (inputs[v].codes == nullptr) {
        throw std::invalid_argument("tables of persons need levels or bins");
      }
      std::vector<std::int32_t> own;
      own.reserve(records);
      for (std::size_t r = 0; r < kept.size(); ++r) {
        if (kept[r] == m) own.push_back(inputs[v].codes[r]);
      }
      group.codes.push_back(std::move(own));
      columns.push_back({group.codes.back().data(), nullptr});
      variables.push_back(schema_[v]);
    }
    group.tables =
        std::make_unique<MemoryTables>(Schema(std::move(variables), records), columns, options);
    groups_.push_back(std::move(group));
  }

  Schema schema_;
  Count unit_;
  std::vector<Group> groups_;
};

}  // namespace privpc
