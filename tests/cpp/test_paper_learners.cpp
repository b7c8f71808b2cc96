// The private learners on margins that are written down, where what they should find is known.
#include <catch.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "privpc/learners/paper_learners.hpp"

using namespace privpc;

namespace {

// Answers from a rule instead of from data: far above 0 for independent, far below for dependent.
class WrittenMargins : public MarginSource {
 public:
  using Rule = bool (*)(std::size_t, std::size_t, const VariableSet&);
  WrittenMargins(Rule independent, double above, double below)
      : independent_(independent), above_(above), below_(below) {}
  Sensitive<double> margin(std::size_t x, std::size_t y, const VariableSet& given) override {
    ++asked;
    return {independent_(x, y, given) ? above_ : -below_, 1.0};
  }
  std::unique_ptr<MarginSource> on_sample(const RowMask&) override {
    return std::make_unique<WrittenMargins>(*this);
  }
  std::size_t asked = 0;

 private:
  Rule independent_;
  double above_, below_;
};

// d-separation in the chain 0 - 1 - 2 - 3.
bool chain(std::size_t x, std::size_t y, const VariableSet& given) {
  if (x > y) std::swap(x, y);
  for (auto z : given) {
    if (z > x && z < y) return true;
  }
  return false;
}

bool never(std::size_t, std::size_t, const VariableSet&) {
  return false;
}

Schema four_nodes() {
  return Schema(
      {{"a", 2, true, false}, {"b", 2, true, false}, {"c", 2, true, false}, {"d", 2, true, false}},
      1000);
}

struct Outcome {
  Skeleton skeleton;
  std::vector<Ledger::Entry> entries;
  double spent, cap;
};

Outcome learn(MarginSearch search, Accounting accounting, MarginSource& margins,
              const Knowledge& knowledge, std::uint64_t seed, std::uint64_t sample = 1000) {
  PaperSettings settings;
  settings.sample = sample;
  Ledger ledger(accounting == Accounting::pure ? Price(Epsilon(1)) : Price(Rho(0.02)));
  RandomBits bits = RandomBits::from_seed(seed);
  Outcome out;
  out.skeleton = search(four_nodes(), margins, settings, knowledge, ledger, bits, nullptr);
  out.entries = ledger.entries();
  out.spent = ledger.spent().value();
  out.cap = ledger.cap().value();
  return out;
}

const std::vector<MarginSearch> all_searches{search_by_sieve, search_by_sparse_vector,
                                             search_by_choices, search_by_gaussian};

std::string text(const Outcome& out) {
  std::string s;
  for (const auto& list : out.skeleton.neighbours) {
    for (auto y : list)
      s += std::to_string(y) + " ";
    s += "/ ";
  }
  for (const auto& found : out.skeleton.separations) {
    s += std::to_string(found.x) + std::to_string(found.y) + "|";
    for (auto z : found.given)
      s += std::to_string(z);
    s += " ";
  }
  for (auto t : out.skeleton.tests)
    s += std::to_string(t) + " ";
  for (const auto& e : out.entries)
    s += e.mechanism + e.target + std::to_string(e.amount) + " ";
  return s;
}

}  // namespace

TEST_CASE("every learner finds a chain when margins are clear") {
  for (MarginSearch search : all_searches) {
    for (Accounting accounting : {Accounting::zcdp, Accounting::pure}) {
      if (search == search_by_gaussian && accounting == Accounting::pure) continue;
      WrittenMargins margins(chain, 1e7, 1e7);
      const Outcome out = learn(search, accounting, margins, Knowledge(4), 1);
      const Neighbourhoods expected{{1}, {0, 2}, {1, 3}, {2}};
      REQUIRE(out.skeleton.neighbours == expected);
      REQUIRE(out.skeleton.separations.size() == 3);
      for (const auto& found : out.skeleton.separations)
        REQUIRE(chain(found.x, found.y, found.given));
      REQUIRE(out.spent <= out.cap);
    }
  }
}

TEST_CASE("what a learner returns depends on the data through its noisy answers only") {
  // Other data, the same answers: identical results, to the last ledger entry.
  for (MarginSearch search : all_searches) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      WrittenMargins margins(chain, 1e7, 1e7), others(chain, 3e7, 2e8);
      const Outcome a = learn(search, Accounting::zcdp, margins, Knowledge(4), seed);
      const Outcome b = learn(search, Accounting::zcdp, others, Knowledge(4), seed);
      REQUIRE(text(a) == text(b));
    }
  }
}

TEST_CASE("a pair that knowledge decides is never asked about and never paid for") {
  std::vector<Arc> required, forbidden;
  for (int x = 0; x < 4; ++x) {
    for (int y = 0; y < 4; ++y) {
      if (x != y) (x + y == 3 ? required : forbidden).push_back({x, y});
    }
  }
  for (MarginSearch search : all_searches) {
    WrittenMargins margins(chain, 1e7, 1e7);
    const Outcome out =
        learn(search, Accounting::zcdp, margins, Knowledge(4, required, forbidden), 1);
    REQUIRE(margins.asked == 0);
    REQUIRE(out.entries.empty());
    REQUIRE((out.skeleton.neighbours == Neighbourhoods{{3}, {2}, {1}, {0}}));
  }
}

TEST_CASE("edges that stay are free for the sieve and the sparse vector") {
  for (MarginSearch search : {search_by_sieve, search_by_sparse_vector}) {
    WrittenMargins margins(never, 1e7, 1e7);
    const Outcome out = learn(search, Accounting::zcdp, margins, Knowledge(4), 1);
    REQUIRE(out.entries.size() == 1);  // one run, which found nothing
    REQUIRE(margins.asked > 6);
  }
}

TEST_CASE("a learner stops when its budget is spent, and never overdraws") {
  for (MarginSearch search : all_searches) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      WrittenMargins margins(chain, 0, 0);  // all noise
      const Outcome out = learn(search, Accounting::zcdp, margins, Knowledge(4), seed);
      REQUIRE(out.spent <= out.cap);
    }
  }
}

TEST_CASE("a sieve on a sub-sample pays the same and finds the same") {
  WrittenMargins margins(chain, 1e7, 1e7);
  const Outcome out = learn(search_by_sieve, Accounting::zcdp, margins, Knowledge(4), 1, 100);
  REQUIRE((out.skeleton.neighbours == Neighbourhoods{{1}, {0, 2}, {1, 3}, {2}}));
  REQUIRE(out.spent <= out.cap);
}

TEST_CASE("a fixed number of rounds costs the whole budget in equal parts at the most") {
  PaperSettings settings;
  settings.sample = 1000;
  settings.rounds = 5;
  Ledger ledger(Rho(0.02));
  RandomBits bits = RandomBits::from_seed(1);
  WrittenMargins margins([](std::size_t, std::size_t, const VariableSet&) { return true; }, 1e7, 1);
  const Skeleton found =
      search_by_sieve(four_nodes(), margins, settings, Knowledge(4), ledger, bits, nullptr);
  REQUIRE(ledger.size() == 5);
  REQUIRE(found.separations.size() == 5);  // of six pairs
  for (const auto& entry : ledger.entries())
    REQUIRE(entry.amount == Approx(0.004).scale(0).epsilon(1e-6));
}

TEST_CASE("an order with too many tests is not begun") {
  PaperSettings settings;
  settings.sample = 1000;
  settings.search.most_tests = 10;
  Ledger ledger(Rho(0.02));
  RandomBits bits = RandomBits::from_seed(1);
  WrittenMargins margins(never, 1e7, 1e7);
  const Skeleton found =
      search_by_choices(four_nodes(), margins, settings, Knowledge(4), ledger, bits, nullptr);
  REQUIRE(found.cut_short);
  REQUIRE(found.tests.size() == 1);
  REQUIRE(margins.asked == 6);
}

TEST_CASE("how many are good: worth of every count, and its sensitivity") {
  using Scores = std::vector<double>;
  REQUIRE(CandidateScores::worth_of_counts({5, -3, 2}) == (Scores{-5, -2, 0, -3}));
  REQUIRE(CandidateScores::worth_of_counts({}) == Scores{0});
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < 5000; ++i) {
    Scores a, b;
    for (int j = 0; j < 6; ++j) {
      a.push_back(3 * uniform(random));
      b.push_back(a.back() + uniform(random));
    }
    const Scores wa = CandidateScores::worth_of_counts(a), wb = CandidateScores::worth_of_counts(b);
    for (std::size_t k = 0; k < wa.size(); ++k)
      REQUIRE(std::fabs(wa[k] - wb[k]) <= 1 + 1e-12);
    // The best count is the number of scores that are not negative.
    const auto best = std::max_element(wa.begin(), wa.end()) - wa.begin();
    REQUIRE(best == std::count_if(a.begin(), a.end(), [](double u) { return u >= 0; }));
  }
}

TEST_CASE("separating sets: all of the size among the neighbours of either end, once") {
  const Neighbourhoods neighbours{{1, 2, 3}, {0, 2, 4}, {0, 1}, {0}, {1}};
  std::vector<std::vector<int>> sets;
  for_each_separator(neighbours, {0, 1}, 1, [&](const VariableSet& set) {
    sets.push_back(std::vector<int>(set.begin(), set.end()));
    return true;
  });
  REQUIRE(sets == (std::vector<std::vector<int>>{{2}, {3}, {4}}));
  REQUIRE(separators_at_most(neighbours, {0, 1}, 1) == 4);
  REQUIRE(separators_at_most(neighbours, {0, 1}, 0) == 1);
  REQUIRE(separators_at_most(neighbours, {0, 1}, 3) == 0);
}
