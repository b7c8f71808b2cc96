// Persons with several records: which are kept, what they weigh, and how far a whole person moves
// what is measured.
#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "peek.h"
#include "priced.h"
#include "privpc/counts/kept_records.hpp"
#include "privpc/counts/person_tables.hpp"
#include "privpc/learners/marginal_pc.hpp"
#include "privpc/statistic/independence_test.hpp"
#include "privpc/statistic/margin.hpp"
#include "random_records.h"

using namespace privpc_test;

namespace {

using Record = std::vector<std::int32_t>;
using Person = std::vector<Record>;
using Kept = std::vector<std::uint8_t>;

// People under the names p0, p1, ..., all records in one list.
struct People {
  std::vector<std::uint32_t> levels;
  std::vector<std::vector<std::int32_t>> codes;  // by variable
  std::vector<std::int32_t> whose;
  std::vector<double> times;  // by record; not used if empty
  std::vector<std::string> names;

  People(std::vector<std::uint32_t> of, const std::vector<Person>& persons)
      : levels(std::move(of)), codes(levels.size()) {
    for (const Person& person : persons)
      add("p" + std::to_string(names.size()), person);
  }

  void add(const std::string& name, const Person& person) {
    names.push_back(name);
    for (const Record& record : person) {
      whose.push_back(static_cast<std::int32_t>(names.size()));
      for (std::size_t v = 0; v < levels.size(); ++v)
        codes[v].push_back(record[v]);
    }
  }

  std::vector<ColumnInput> inputs() const {
    std::vector<ColumnInput> out(codes.size());
    for (std::size_t v = 0; v < codes.size(); ++v)
      out[v].codes = codes[v].data();
    return out;
  }

  Schema schema() const {
    std::vector<Variable> variables;
    for (std::size_t v = 0; v < levels.size(); ++v)
      variables.push_back({"v" + std::to_string(v), levels[v], false, false});
    return Schema(variables, names.size());
  }

  std::vector<std::uint8_t> kept(unsigned most) const {
    const PersonInput input{whose.data(), names, times.empty() ? nullptr : times.data()};
    const std::vector<ColumnInput> columns = inputs();
    return KeptRecords(input, columns, whose.size(), most).take();
  }

  PersonTables tables(unsigned most) const {
    return PersonTables(schema(), inputs(), kept(most), most, MemoryOptions{});
  }
};

std::vector<Record> all_records(const std::vector<std::uint32_t>& levels) {
  std::vector<Record> out{{}};
  for (std::uint32_t k : levels) {
    std::vector<Record> longer;
    for (const Record& record : out) {
      for (std::uint32_t code = 1; code <= k; ++code) {
        longer.push_back(record);
        longer.back().push_back(static_cast<std::int32_t>(code));
      }
    }
    out = std::move(longer);
  }
  return out;
}

// Everybody with up to `most` of these records: every list in which they do not fall.
std::vector<Person> all_persons(const std::vector<Record>& records, std::size_t most) {
  std::vector<Person> out, now{{}};
  for (std::size_t size = 1; size <= most; ++size) {
    std::vector<Person> longer;
    for (const Person& person : now) {
      for (const Record& record : records) {
        if (!person.empty() && record < person.back()) continue;
        longer.push_back(person);
        longer.back().push_back(record);
      }
    }
    now = std::move(longer);
    out.insert(out.end(), now.begin(), now.end());
  }
  return out;
}

// All sets of up to three variables, with uneven weights.
Batch weighted_sets(std::size_t variables, bool with_empty) {
  Batch batch;
  for (std::size_t mask = with_empty ? 0 : 1; mask < std::size_t{1} << variables; ++mask) {
    BatchItem item;
    for (std::size_t v = 0; v < variables; ++v) {
      if ((mask >> v & 1) != 0) item.set.append(v);
    }
    item.weight = 0.4 + static_cast<double>(mask % 5);
    if (item.set.size() <= 3) batch.push_back(item);
  }
  return batch;
}

// In units of length / sqrt(weight), and of the source.
std::vector<double> contrasts_of(TableSource& tables, const Batch& batch) {
  std::vector<double> out;
  for (const BatchItem& item : batch) {
    const auto table = table_of(tables, item.set);
    const std::vector<std::int64_t> whole = interaction_contrasts(*table);
    const std::vector<double> lengths = contrast_lengths(table->levels);
    for (std::size_t i = 0; i < whole.size(); ++i)
      out.push_back(static_cast<double>(whole[i]) / lengths[i] * std::sqrt(item.weight));
  }
  return out;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

// The records that are kept of one person, as a sorted list.
Person kept_of(const People& people, std::size_t person, unsigned most) {
  const std::vector<std::uint8_t> kept = people.kept(most);
  Person out;
  for (std::size_t r = 0; r < kept.size(); ++r) {
    if (people.whose[r] != static_cast<std::int32_t>(person + 1) || kept[r] == 0) continue;
    Record record;
    for (const auto& column : people.codes)
      record.push_back(column[r]);
    out.push_back(record);
  }
  std::sort(out.begin(), out.end());
  return out;
}

People random_people(RandomBits& bits, std::size_t persons, std::size_t most) {
  People people({2, 3, 2}, {});
  for (std::size_t p = 0; p < persons; ++p) {
    Person person;
    const std::size_t size = 1 + bits.below(most);
    for (std::size_t i = 0; i < size; ++i) {
      Record record;
      for (std::uint32_t k : people.levels)
        record.push_back(static_cast<std::int32_t>(bits.below(k)) + 1);
      person.push_back(record);
    }
    people.add("p" + std::to_string(p), person);
  }
  return people;
}

}  // namespace

TEST_CASE("a person's weight is a whole number for every number of records", "[persons]") {
  const std::vector<std::int64_t> known{1, 2, 6, 12, 60, 60, 420, 840, 2520, 2520};
  for (unsigned most = 1; most <= 10; ++most) {
    CHECK(person_unit(most) == known[most - 1]);
    for (unsigned m = 1; m <= most; ++m)
      CHECK(person_unit(most) % m == 0);
  }
  CHECK_THROWS_AS(person_unit(0), std::invalid_argument);
  CHECK_THROWS_AS(person_unit(11), std::invalid_argument);
}

TEST_CASE("which records are kept depends on the person's own records alone", "[persons]") {
  RandomBits bits = RandomBits::from_seed(5);
  for (int round = 0; round < 40; ++round) {
    const unsigned most = 1 + static_cast<unsigned>(bits.below(3));
    const People people = random_people(bits, 12, 6);
    // Everybody with their own records only, under their own name.
    for (std::size_t p = 0; p < people.names.size(); ++p) {
      Person own;
      for (std::size_t r = 0; r < people.whose.size(); ++r) {
        if (people.whose[r] != static_cast<std::int32_t>(p + 1)) continue;
        Record record;
        for (const auto& column : people.codes)
          record.push_back(column[r]);
        own.push_back(record);
      }
      // In another order, too: records of a data base have none.
      std::reverse(own.begin(), own.end());
      People alone(people.levels, {});
      alone.add(people.names[p], own);
      const Person kept = kept_of(people, p, most);
      CHECK(kept.size() == std::min<std::size_t>(most, own.size()));
      CHECK(kept == kept_of(alone, 0, most));
    }
  }
}

TEST_CASE("records are kept by the hash of id, levels and copy", "[persons]") {
  const People people({2}, {});
  People anna = people;
  anna.add("anna", {{1}, {2}, {1}});
  std::vector<std::pair<std::string, std::size_t>> order{
      {Md5::hex("anna|1|1"), 0}, {Md5::hex("anna|2|1"), 1}, {Md5::hex("anna|1|2"), 2}};
  std::sort(order.begin(), order.end());
  const std::vector<std::uint8_t> kept = anna.kept(1);
  CHECK(std::count(kept.begin(), kept.end(), 1) == 1);
  const std::size_t first = order[0].second;
  CHECK((kept[1] == 1) == (first == 1));

  // What a person has often is kept as often as it should be: 8 of 10 records at level 1.
  std::size_t ones = 0;
  const std::size_t persons = 20000;
  People many({2}, {});
  for (std::size_t p = 0; p < persons; ++p)
    many.add("n" + std::to_string(p), {{1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {2}, {2}});
  const std::vector<std::uint8_t> chosen = many.kept(1);
  for (std::size_t r = 0; r < chosen.size(); ++r)
    ones += chosen[r] == 1 && many.codes[0][r] == 1;
  // 5 standard deviations.
  CHECK(std::fabs(static_cast<double>(ones) - 0.8 * persons) < 5 * std::sqrt(0.16 * persons));
}

TEST_CASE("the earliest records are kept, a missing time last, ties by levels", "[persons]") {
  const double none = std::nan("");
  People people({3}, {});
  people.add("a", {{1}, {2}, {3}});
  people.times = {none, 7, 3};
  CHECK((people.kept(1) == Kept{0, 0, 1}));
  CHECK((people.kept(2) == Kept{0, 2, 2}));
  people.times = {5, 5, 5};
  CHECK((people.kept(1) == Kept{1, 0, 0}));
  CHECK((people.kept(3) == Kept{3, 3, 3}));
  people.times = {none, none, none};
  CHECK((people.kept(2) == Kept{2, 2, 0}));
}

TEST_CASE("tables of persons are means of the tables of their records", "[persons]") {
  RandomBits bits = RandomBits::from_seed(6);
  for (unsigned most : {1u, 2u, 3u, 5u, 10u}) {
    const People people = random_people(bits, 200, 14);
    const std::vector<std::uint8_t> kept = people.kept(most);
    PersonTables tables = people.tables(most);
    CHECK(tables.unit() == person_unit(most));
    tables.announce({[](const Announcement::Visit&) {}, true, 1});
    for (const VariableSet& set : {VariableSet{}, VariableSet{1}, VariableSet{0, 1},
                                   VariableSet{0, 2}, VariableSet{0, 1, 2}}) {
      const auto table = table_of(tables, set);
      std::vector<Count> slow(table->counts.size(), 0);
      for (std::size_t r = 0; r < kept.size(); ++r) {
        if (kept[r] == 0) continue;
        std::size_t cell = 0;
        for (std::size_t i = 0; i < set.size(); ++i)
          cell += static_cast<std::size_t>(people.codes[set[i]][r] - 1) * table->stride(i);
        slow[cell] += person_unit(most) / kept[r];
      }
      CHECK(table->counts == slow);
      CHECK(std::accumulate(slow.begin(), slow.end(), Count{0}) ==
            static_cast<Count>(people.names.size()) * person_unit(most));
    }
  }
}

TEST_CASE("a whole person moves a batch by at most what is stated: every person and neighbour",
          "[persons]") {
  struct Case {
    std::vector<std::uint32_t> levels;
    unsigned most;
    std::size_t records;  // of a person, at most
  };
  for (const Case& c :
       {Case{{2, 2}, 3, 4}, Case{{2, 3}, 2, 3}, Case{{2, 2, 2}, 2, 3}, Case{{3, 2}, 1, 3}}) {
    const std::vector<Person> persons = all_persons(all_records(c.levels), c.records);
    const Person other{{1, 2, 1}, {2, 1, 2}};
    const Batch replaced = weighted_sets(c.levels.size(), false);
    const Batch added = weighted_sets(c.levels.size(), true);
    std::vector<std::vector<double>> of_person, with_number;
    for (const Person& person : persons) {
      const People people(c.levels, {other, person});
      PersonTables tables = people.tables(c.most);
      of_person.push_back(contrasts_of(tables, replaced));
      with_number.push_back(contrasts_of(tables, added));
    }
    const People alone(c.levels, {other});
    PersonTables without = alone.tables(c.most);
    const std::vector<double> nobody = contrasts_of(without, added);

    // The stated sensitivity of a real call, in units of the source.
    PersonTables tables = People(c.levels, {other, persons[0]}).tables(c.most);
    const Schema schema = tables.schema();
    const double by_replacing = BatchContrasts::of(tables, replaced, schema).sensitivity();
    const double by_adding =
        BatchContrasts::of(tables, added, schema.for_added_and_removed(2)).sensitivity();
    double largest = 0, largest_added = 0;
    for (std::size_t i = 0; i < persons.size(); ++i) {
      largest_added = std::max(largest_added, distance(with_number[i], nobody));
      for (std::size_t j = 0; j < i; ++j)
        largest = std::max(largest, distance(of_person[i], of_person[j]));
    }
    // Never more; and nearly reached, by persons with one record.
    CHECK(largest <= by_replacing);
    CHECK(largest > 0.999 * by_replacing);
    CHECK(largest_added <= by_adding);
    CHECK(largest_added > 0.999 * by_adding);
  }
}

TEST_CASE("a whole person moves a pair's score by at most what is stated", "[persons]") {
  const std::vector<std::uint32_t> levels{2, 3};
  const std::vector<Person> persons = all_persons(all_records(levels), 3);
  const Person other{{1, 2}, {2, 1}};
  RandomBits bits = RandomBits::from_seed(7);
  const VariableSet pair{0, 1};
  for (unsigned most : {2u, 3u, 10u}) {
    double largest = 0, stated = 0;
    for (int round = 0; round < 6; ++round) {
      std::vector<double> shares(6);
      double sum = 0;
      for (double& share : shares)
        sum += share = static_cast<double>(bits.below(1000));
      for (double& share : shares)
        share /= sum;
      if (round == 5) shares = {1, 0, 0, 0, 0, 0};
      const PairModel model = [&](std::size_t, std::size_t) { return shares; };
      const ExpectedPair expected(shares, 2, 3, 2, person_unit(most));
      std::vector<double> scores;
      for (const Person& person : persons) {
        PersonTables tables = People(levels, {other, person}).tables(most);
        stated = PairScores::of(tables, {pair}, model).sensitivity();
        scores.push_back(expected.score(table_of(tables, pair)->counts));
        // Whole steps: nothing was rounded.
        CHECK(scores.back() * 16 == std::floor(scores.back() * 16));
      }
      const auto [low, high] = std::minmax_element(scores.begin(), scores.end());
      largest = std::max(largest, *high - *low);
    }
    CHECK(stated == 2 * static_cast<double>(person_unit(most)));
    CHECK(largest <= stated);
    CHECK(largest > 0.99 * stated);
  }
}

TEST_CASE("several records cost no noise, and copies of a record change nothing", "[persons]") {
  RandomBits bits = RandomBits::from_seed(8);
  const Records data = random_records({2, 3, 2, 2}, 3000, bits);
  People once({2, 3, 2, 2}, {}), thrice({2, 3, 2, 2}, {});
  for (std::size_t r = 0; r < data.rows(); ++r) {
    const Record record{data.codes[0][r], data.codes[1][r], data.codes[2][r], data.codes[3][r]};
    once.add(std::to_string(r), {record});
    thrice.add(std::to_string(r), r % 2 == 0 ? Person{record, record, record} : Person{record});
  }
  MarginalSettings settings;
  settings.rho = Rho(0.5);
  const Knowledge nothing(4);
  const auto learn = [&](TableSource& source) {
    Ledger ledger = ledger_of(Accounting::zcdp, 0.5);
    RandomBits seeded = RandomBits::from_seed(3);
    return marginal_pc(source, settings, nothing, ledger, seeded);
  };
  MemoryTables records(data.schema(), data.inputs(), MemoryOptions{});
  PersonTables single = once.tables(10), copies = thrice.tables(10);
  const Fit of_records = learn(records), of_persons = learn(single), of_copies = learn(copies);
  CHECK(of_persons.tables->rows() == 3000);
  REQUIRE(of_persons.tables->entries().size() == of_copies.tables->entries().size());
  for (std::size_t i = 0; i < of_persons.tables->entries().size(); ++i) {
    const Measured& a = of_persons.tables->entries()[i].second;
    const Measured& b = of_copies.tables->entries()[i].second;
    CHECK(a.values == b.values);
    CHECK(a.variance == b.variance);
  }
  // The first batch is the same for all: the noise of a person is that of a record.
  const Measured& person = of_persons.tables->entries()[0].second;
  const Measured& record = of_records.tables->entries()[0].second;
  CHECK(person.variance == Approx(record.variance).epsilon(0.01));
  CHECK(of_persons.ledger.size() == of_records.ledger.size());
}

TEST_CASE("the number of persons is measured where it is a secret", "[persons]") {
  RandomBits bits = RandomBits::from_seed(9);
  const People people = random_people(bits, 5000, 6);
  MarginalSettings settings;
  settings.rho = Rho(2);
  settings.neighbours = Neighbours::add_remove;
  PersonTables tables = people.tables(4);
  Ledger ledger = ledger_of(Accounting::zcdp, 2);
  const Fit fit = marginal_pc(tables, settings, Knowledge(3), ledger, bits);
  // Persons, neither records nor units: within far more than the noise.
  CHECK(std::fabs(fit.tables->rows() - 5000) < 100);
}

TEST_CASE("statistics of records refuse weights", "[persons]") {
  RandomBits bits = RandomBits::from_seed(10);
  const People people = random_people(bits, 300, 4);
  PersonTables tables = people.tables(3);
  for (TestKind kind :
       {TestKind::tau, TestKind::rho, TestKind::g2, TestKind::chisq, TestKind::cmh}) {
    CHECK_THROWS_AS(IndependenceTest::of(tables, kind, 0, 1, VariableSet{2}), NeedsRows);
  }
  const MarginRule rule;
  CHECK_THROWS_AS(OrderMargin::of(tables, rule, 0, 1, VariableSet{2}), NeedsRows);
  CHECK_THROWS_AS(tables.blocks(10, bits), NeedsRows);
}

TEST_CASE("kept records that do not fit together are refused", "[persons]") {
  const People people({2, 2}, {{{1, 1}, {2, 2}}, {{1, 2}}});
  const std::vector<ColumnInput> inputs = people.inputs();
  const Schema schema = people.schema();
  CHECK_NOTHROW(PersonTables(schema, inputs, {2, 2, 1}, 2, MemoryOptions{}));
  CHECK_THROWS_AS(PersonTables(schema, inputs, {2, 0, 1}, 2, MemoryOptions{}),
                  std::invalid_argument);
  CHECK_THROWS_AS(PersonTables(schema, inputs, {1, 1, 1}, 2, MemoryOptions{}),
                  std::invalid_argument);
  CHECK_THROWS_AS(PersonTables(schema, inputs, {3, 3, 3}, 2, MemoryOptions{}),
                  std::invalid_argument);
  // As many persons as there are, if halves were not looked at.
  const People four({2, 2}, {{{1, 1}, {2, 2}, {1, 2}}, {{1, 2}}});
  CHECK_THROWS_AS(PersonTables(four.schema(), four.inputs(), {2, 2, 2, 1}, 2, MemoryOptions{}),
                  std::invalid_argument);
}
