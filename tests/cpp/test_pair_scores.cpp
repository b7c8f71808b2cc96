// Scores of pairs against public models: how far one record moves them, for every small data set
// and every neighbour; and the whole selection on records: what it may look at, what it finds, and
// its privacy loss, from exact probabilities.
#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <vector>

#include "distribution_checks.h"
#include "priced.h"
#include "privpc/counts/memory_tables.hpp"
#include "privpc/learners/select_pairs.hpp"
#include "privpc/statistic/pair_scores.hpp"
#include "random_records.h"

using namespace privpc_test;

namespace {

// All tables with `cells` cells and n records.
void for_all_tables(std::size_t cells, Count n, const std::function<void(std::vector<Count>&)>& f) {
  std::vector<Count> table(cells, 0);
  const std::function<void(std::size_t, Count)> fill = [&](std::size_t at, Count left) {
    if (at + 1 == cells) {
      table[at] = left;
      f(table);
      return;
    }
    for (Count here = 0; here <= left; ++here) {
      table[at] = here;
      fill(at + 1, left - here);
    }
  };
  fill(0, n);
}

// Codes of records from their numbers: binary variables.
struct Binary {
  Binary(std::size_t variables, const std::vector<std::size_t>& records) {
    for (std::size_t v = 0; v < variables; ++v) {
      data.variables.push_back({"v" + std::to_string(v), 2, false, false});
      data.values.emplace_back();
      data.codes.emplace_back();
      for (std::size_t record : records)
        data.codes[v].push_back(1 + static_cast<std::int32_t>(record >> v & 1));
    }
  }
  MemoryTables tables() const {
    return MemoryTables(data.schema(), data.inputs(), MemoryOptions{});
  }
  Records data;
};

std::vector<NodePair> all_pairs(std::size_t p) {
  std::vector<NodePair> pairs;
  for (std::size_t x = 0; x < p; ++x) {
    for (std::size_t y = x + 1; y < p; ++y)
      pairs.push_back({x, y});
  }
  return pairs;
}

std::vector<std::pair<std::size_t, std::size_t>> sorted(const std::vector<NodePair>& pairs) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  for (const NodePair& pair : pairs)
    out.emplace_back(pair.x, pair.y);
  std::sort(out.begin(), out.end());
  return out;
}

// Scores of all pairs of binary records, computed here by themselves in long double.
std::vector<double> scores_of(const Records& data, const std::vector<NodePair>& pairs,
                              const PairModel& model) {
  std::vector<double> scores;
  const long double n = static_cast<long double>(data.rows());
  for (const NodePair& pair : pairs) {
    const std::vector<double> shares = model(pair.x, pair.y);
    const std::size_t k = data.variables[pair.x].levels, l = data.variables[pair.y].levels;
    long double score = 0;
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < l; ++j) {
        long double count = 0, p = 0, q = 0;
        for (std::size_t r = 0; r < data.rows(); ++r) {
          count += data.codes[pair.x][r] == static_cast<std::int32_t>(i + 1) &&
                   data.codes[pair.y][r] == static_cast<std::int32_t>(j + 1);
        }
        for (std::size_t m = 0; m < l; ++m)
          p += shares[i * l + m];
        for (std::size_t m = 0; m < k; ++m)
          q += shares[m * l + j];
        score += std::fabs(count - n * shares[i * l + j]) -
                 std::sqrt(2 * n * p * (1 - p) * q * (1 - q) / std::acos(-1.0L));
      }
    }
    scores.push_back(static_cast<double>(score));
  }
  return scores;
}

using Order = std::vector<std::size_t>;

// Probabilities of the sequences of choices of a tree, or of the top `choices`, by the formula
// exp(score / spread).
std::map<Order, double> sequences(const std::vector<double>& scores,
                                  const std::vector<NodePair>& pairs, std::size_t nodes, bool tree,
                                  std::size_t choices, double spread) {
  std::map<Order, double> out;
  const std::function<void(const Order&, double)> grow = [&](const Order& so_far, double chance) {
    std::vector<std::size_t> label(nodes);
    std::iota(label.begin(), label.end(), std::size_t{0});
    for (std::size_t c : so_far) {
      const std::size_t from = label[pairs[c].x], to = label[pairs[c].y];
      std::replace(label.begin(), label.end(), from, to);
    }
    std::vector<std::size_t> open;
    double sum = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const bool free = tree ? label[pairs[i].x] != label[pairs[i].y]
                             : std::find(so_far.begin(), so_far.end(), i) == so_far.end();
      if (!free) continue;
      open.push_back(i);
      sum += std::exp(scores[i] / spread);
    }
    if (so_far.size() == choices || open.empty()) {
      out[so_far] += chance;
      return;
    }
    for (std::size_t i : open) {
      Order longer = so_far;
      longer.push_back(i);
      grow(longer, chance * std::exp(scores[i] / spread) / sum);
    }
  };
  grow({}, 1);
  return out;
}

}  // namespace

TEST_CASE("one record moves a pair's score by at most what is stated: every table and neighbour") {
  struct Shape {
    std::size_t rows, columns;
  };
  RandomBits bits = RandomBits::from_seed(31);
  for (const Shape& shape : {Shape{2, 2}, Shape{2, 3}, Shape{3, 3}}) {
    const std::size_t cells = shape.rows * shape.columns;
    double replaced = 0, added = 0;
    for (int model = 0; model < 6; ++model) {
      const Count n = cells == 9 ? 3 : 4;
      // Shares that add up to 1, with a negative one now and then; the last puts all in one cell.
      std::vector<double> shares(cells);
      double sum = 0;
      for (double& share : shares)
        sum += share = static_cast<double>(bits.below(1000)) - (model == 3 ? 100 : 0);
      for (double& share : shares)
        share /= sum;
      if (model == 5) {
        std::fill(shares.begin(), shares.end(), 0.0);
        shares[0] = 1;
      }
      const ExpectedPair expected(shares, shape.rows, shape.columns, static_cast<double>(n));
      for_all_tables(cells, n, [&](std::vector<Count>& table) {
        const double here = expected.score(table);
        for (std::size_t from = 0; from < cells; ++from) {
          if (table[from] == 0) continue;
          --table[from];
          added = std::max(added, std::fabs(expected.score(table) - here));
          for (std::size_t to = 0; to < cells; ++to) {
            ++table[to];
            replaced = std::max(replaced, std::fabs(expected.score(table) - here));
            --table[to];
          }
          ++table[from];
        }
      });
    }
    CHECK(replaced == kPairScoreByReplacing);  // never more, and reached
    CHECK(added == kPairScoreByAdding);
  }
}

TEST_CASE("scores carry that sensitivity, and are exact with two thousand million records") {
  const Binary data(3, {0, 1, 2, 3, 5, 7});
  MemoryTables tables = data.tables();
  const PairModel model = [](std::size_t, std::size_t) { return std::vector<double>(4, 0.25); };
  CHECK(PairScores::of(tables, {VariableSet{0, 1}, VariableSet{1, 2}}, model).sensitivity() == 2);

  // Sums of doubles would lose the half that the model is off by in each cell.
  const double n = 2147483647;
  const std::vector<double> shares{0.5 / n, 0.5, 0.25, 0.25};
  const ExpectedPair expected(shares, 2, 2, n);
  const Count a = 1000000001, b = 147483645;
  const double here = expected.score({a, b, 500000000, 500000001});
  CHECK(expected.score({a + 1, b - 1, 500000000, 500000001}) - here == 2);
  CHECK(here == std::ldexp(std::floor(std::ldexp(here, 16)), -16));
}

TEST_CASE("the score is the distance from the model, less what chance explains") {
  RandomBits bits = RandomBits::from_seed(32);
  const Records data = random_records({2, 3, 4}, 300, bits);
  MemoryTables tables(data.schema(), data.inputs(), MemoryOptions{});
  Measurements store(data.schema());
  Ledger ledger = ledger_of(Accounting::zcdp, 10);
  measure_batch(tables, {{VariableSet{0}, 1}, {VariableSet{1}, 1}, {VariableSet{2}, 1}}, Rho(1),
                ledger, bits, "singles", store);
  const PairModel model = independence_model(store);
  const std::vector<NodePair> pairs = all_pairs(3);
  const std::vector<double> exact = scores_of(data, pairs, model);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::vector<double> shares = model(pairs[i].x, pairs[i].y);
    CHECK(std::accumulate(shares.begin(), shares.end(), 0.0) == Approx(1));
    const ExpectedPair expected(shares, data.variables[pairs[i].x].levels,
                                data.variables[pairs[i].y].levels, 300);
    std::vector<Count> counts(shares.size(), 0);
    for (std::size_t r = 0; r < data.rows(); ++r) {
      const auto x = static_cast<std::size_t>(data.codes[pairs[i].x][r] - 1);
      const auto y = static_cast<std::size_t>(data.codes[pairs[i].y][r] - 1);
      ++counts[x * data.variables[pairs[i].y].levels + y];
    }
    // On its grid: half a step for every cell and one for what chance explains.
    CHECK(std::fabs(expected.score(counts) - exact[i]) < std::ldexp(13.0, -17));
  }
}

TEST_CASE("a model that gives no table is refused") {
  const double nan = std::nan("");
  CHECK_THROWS_AS(ExpectedPair({1, 2, 3}, 2, 2, 10), std::invalid_argument);
  CHECK_THROWS_AS(ExpectedPair({1, 0, 0, nan}, 2, 2, 10), std::invalid_argument);
  CHECK_THROWS_AS(ExpectedPair({1, 0, 0, -HUGE_VAL}, 2, 2, 10), std::invalid_argument);
  CHECK_THROWS_AS(ExpectedPair({1e12, 0, 0, 0}, 2, 2, 10), std::invalid_argument);
  CHECK_NOTHROW(ExpectedPair({1, 0, 0.1, -0.1}, 2, 2, 2147483647));
}

TEST_CASE("the privacy loss of a selection keeps its price: every outcome of small data sets") {
  // Three records of three binary variables; two of the three pairs are chosen, as a tree (any two
  // are one) and as the top two.
  const std::size_t records = 8, nodes = 3, choices = 2;
  const std::vector<NodePair> pairs = all_pairs(nodes);
  const PairModel model = [](std::size_t x, std::size_t y) {
    return std::vector<double>{0.4, 0.1, 0.2 + 0.05 * static_cast<double>(x + y),
                               0.3 - 0.05 * static_cast<double>(x + y)};
  };
  std::vector<std::vector<std::size_t>> sets;
  std::map<std::vector<std::size_t>, std::vector<double>> scores;
  for (std::size_t a = 0; a < records; ++a) {
    for (std::size_t b = a; b < records; ++b) {
      for (std::size_t c = b; c < records; ++c) {
        sets.push_back({a, b, c});
        scores[sets.back()] = scores_of(Binary(nodes, sets.back()).data, pairs, model);
      }
    }
  }
  for (double rho : {0.01, 0.5, 5.0}) {
    const PairSelection selection(Rho(rho), choices, kPairScoreByReplacing);
    const double e = selection.each().value();
    double widest = 0;
    for (const auto& data : sets) {
      for (std::size_t place = 0; place < 3; ++place) {
        for (std::size_t other = 0; other < records; ++other) {
          std::vector<std::size_t> neighbour = data;
          neighbour[place] = other;
          std::sort(neighbour.begin(), neighbour.end());
          const std::vector<double>& u = scores[data];
          const std::vector<double>& v = scores[neighbour];
          // One choice: its loss lies in an interval of length e.
          const auto one = sequences(u, pairs, nodes, true, 1, selection.spread());
          const auto one_there = sequences(v, pairs, nodes, true, 1, selection.spread());
          double low = HUGE_VAL, high = -HUGE_VAL;
          for (const auto& [outcome, chance] : one) {
            const double loss = std::log(chance / one_there.at(outcome));
            low = std::min(low, loss);
            high = std::max(high, loss);
          }
          widest = std::max(widest, high - low);
          // All choices: Renyi divergence of every order a at most a rho, loss at most 2 e.
          for (bool tree : {true, false}) {
            const auto here = sequences(u, pairs, nodes, tree, choices, selection.spread());
            const auto there = sequences(v, pairs, nodes, tree, choices, selection.spread());
            for (double a : {1.01, 2.0, 8.0, 64.0}) {
              double sum = 0;
              for (const auto& [outcome, chance] : here)
                sum += there.at(outcome) * std::pow(chance / there.at(outcome), a);
              REQUIRE(std::log(sum) / (a - 1) <= a * rho * (1 + 1e-9));
            }
            for (const auto& [outcome, chance] : here)
              REQUIRE(std::log(chance / there.at(outcome)) <= 2 * e);
          }
        }
      }
    }
    CHECK(widest <= e);
    CHECK(widest > 0.9 * e);  // the worst case is among them: a smaller spread would be seen
  }
}

TEST_CASE("trees and tops drawn from records have their exact probabilities") {
  const Binary data(4, {0, 15, 1, 14, 3, 12, 0, 15, 5, 9, 8, 7});
  MemoryTables tables = data.tables();
  const PairModel model = independence_model(Measurements(data.data.schema()));
  const std::vector<NodePair> pairs{{0, 1}, {2, 3}, {1, 3}, {0, 2}};
  const std::vector<double> scores = scores_of(data.data, pairs, model);
  RandomBits bits = RandomBits::from_seed(33);
  const Rho rho(0.4);
  for (bool tree : {true, false}) {
    const std::size_t choices = tree ? 3 : 2;
    const double spread = PairSelection(rho, choices, 2).spread();
    const auto exact = sequences(scores, pairs, 4, tree, choices, spread);
    std::map<Order, double> seen;
    const int draws = 60000;
    for (int i = 0; i < draws; ++i) {
      Ledger ledger(rho);
      const auto chosen = tree ? select_tree(tables, pairs, model, rho, ledger, bits, "")
                               : select_top(tables, pairs, model, 2, rho, ledger, bits, "");
      Order order;
      for (const NodePair& pair : chosen) {
        for (std::size_t k = 0; k < pairs.size(); ++k) {
          if (pairs[k].x == pair.x && pairs[k].y == pair.y) order.push_back(k);
        }
      }
      seen[order] += 1;
    }
    std::vector<double> counts, expected;
    for (const auto& [order, chance] : exact) {
      counts.push_back(seen[order]);
      expected.push_back(chance * draws);
      REQUIRE(expected.back() > 20);
    }
    CHECK(seen.size() == exact.size());
    CHECK(chi_square_p(counts, expected) > kLevel);
  }
}

TEST_CASE("with next to no noise the best tree and the best pairs are found") {
  RandomBits bits = RandomBits::from_seed(34);
  const Records data = random_records({3, 3, 2, 2, 4, 2}, 400, bits);
  MemoryTables tables(data.schema(), data.inputs(), MemoryOptions{});
  // Noisy margins, so that no two pairs have the same score.
  Ledger ledger = ledger_of(Accounting::zcdp, 1e12);
  Measurements store(data.schema());
  Batch singles;
  for (std::size_t v = 0; v < 6; ++v)
    singles.push_back({VariableSet{v}, 1});
  measure_batch(tables, singles, Rho(1), ledger, bits, "singles", store);
  const PairModel model = independence_model(store);
  const std::vector<NodePair> pairs = all_pairs(6);
  const std::vector<double> scores = scores_of(data, pairs, model);
  std::vector<std::size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return scores[a] > scores[b]; });
  std::vector<NodePair> top, tree;
  std::vector<std::size_t> label{0, 1, 2, 3, 4, 5};
  for (std::size_t i : order) {
    if (top.size() < 4) top.push_back(pairs[i]);
    const std::size_t from = label[pairs[i].x], to = label[pairs[i].y];
    if (from == to) continue;
    tree.push_back(pairs[i]);
    std::replace(label.begin(), label.end(), from, to);
  }
  const Rho rho(4e11);
  CHECK(sorted(select_top(tables, pairs, model, 4, rho, ledger, bits, "top")) == sorted(top));
  CHECK(sorted(select_tree(tables, pairs, model, rho, ledger, bits, "tree")) == sorted(tree));
  CHECK(ledger.size() == 3);
  CHECK(ledger.entries()[2].mechanism == "pair selection");
  CHECK(ledger.entries()[2].target == "tree");
}

TEST_CASE("a selection stays among its candidates, and costs nothing where there is no choice") {
  RandomBits bits = RandomBits::from_seed(35), twin = RandomBits::from_seed(35);
  const Binary data(5, {0, 3, 5, 9, 17, 31, 30, 12});
  MemoryTables tables = data.tables();
  const PairModel model = independence_model(Measurements(data.data.schema()));
  Ledger ledger = ledger_of(Accounting::zcdp, 1000);
  const Rho rho(0.1);
  // Two components: a triangle and a single pair. Three choices, whatever the records say.
  const std::vector<NodePair> pairs{{0, 1}, {0, 2}, {2, 1}, {4, 3}};
  // A forest, fewer candidates than wanted, none at all: no draw, no debit, no look at records.
  const PairModel never = [](std::size_t, std::size_t) -> std::vector<double> {
    throw std::logic_error("the model was asked");
  };
  const std::vector<NodePair> forest{{0, 1}, {2, 1}, {4, 3}};
  CHECK(sorted(select_tree(tables, forest, never, rho, ledger, bits, "")) == sorted(forest));
  CHECK(sorted(select_top(tables, forest, never, 3, rho, ledger, bits, "")) == sorted(forest));
  CHECK(select_top(tables, forest, never, 0, rho, ledger, bits, "").empty());
  CHECK(select_tree(tables, {}, never, rho, ledger, bits, "").empty());
  CHECK(ledger.size() == 0);
  CHECK(bits.next() == twin.next());

  for (int repeat = 0; repeat < 200; ++repeat) {
    const auto tree = sorted(select_tree(tables, pairs, model, rho, ledger, bits, ""));
    REQUIRE(tree.size() == 3);
    REQUIRE(std::count(tree.begin(), tree.end(), std::make_pair<std::size_t, std::size_t>(4, 3)) ==
            1);
    // What is joined from the start is not joined again.
    const auto rest =
        sorted(select_tree(tables, pairs, model, rho, ledger, bits, "", 1, {{0, 1}, {3, 4}}));
    REQUIRE(rest.size() == 1);
    REQUIRE((rest[0] == std::make_pair<std::size_t, std::size_t>(0, 2) ||
             rest[0] == std::make_pair<std::size_t, std::size_t>(2, 1)));
    REQUIRE(select_top(tables, pairs, model, 2, rho, ledger, bits, "").size() == 2);
  }

  const std::vector<NodePair> twice{{0, 1}, {1, 0}, {2, 3}}, same{{0, 0}}, beyond{{0, 5}};
  for (const auto& wrong : {twice, same, beyond}) {
    CHECK_THROWS_AS(select_tree(tables, wrong, model, rho, ledger, bits, ""),
                    std::invalid_argument);
    CHECK_THROWS_AS(select_top(tables, wrong, model, 1, rho, ledger, bits, ""),
                    std::invalid_argument);
  }
}

TEST_CASE("the pairs of a selection are announced together, and no other table is asked for") {
  class Watching : public TableSource {
   public:
    explicit Watching(MemoryTables& tables) : tables_(tables) {}
    const Schema& schema() const override { return tables_.schema(); }
    void announce(const Announcement& announcement) override {
      ++announcements;
      announcement.name_sets([&](const VariableSet& set) { named.push_back(set); });
    }
    SealedTable table(const VariableSet& set) override {
      asked.push_back(set);
      return tables_.table(set);
    }
    Sealed<double> sum_n_log_n(const VariableSet& set) override { return tables_.sum_n_log_n(set); }
    int announcements = 0;
    std::vector<VariableSet> named, asked;

   private:
    MemoryTables& tables_;
  };
  const Binary data(4, {0, 3, 5, 9, 15, 12});
  MemoryTables tables = data.tables();
  const PairModel model = independence_model(Measurements(data.data.schema()));
  const std::vector<NodePair> pairs{{0, 1}, {3, 0}, {1, 3}};
  RandomBits bits = RandomBits::from_seed(36);
  for (bool tree : {true, false}) {
    Watching source(tables);
    Ledger ledger = ledger_of(Accounting::zcdp, 1);
    if (tree) {
      select_tree(source, pairs, model, Rho(0.1), ledger, bits, "");
    } else {
      select_top(source, pairs, model, 1, Rho(0.1), ledger, bits, "");
    }
    CHECK(source.announcements == 1);
    CHECK(source.named.size() == 3);
    CHECK(source.asked == source.named);
  }
}
