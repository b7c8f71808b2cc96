// What a learner asked of the data, what it paid and how much noise it announced, side by side. The
// margins here are written down and keep a log of the questions; from the log and from what was
// found it is worked out, without the learners' own code, what must stand in the ledger.
#include <catch.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "priced.h"
#include "privpc/learners/paper_learners.hpp"

using namespace privpc_test;

namespace {

using Rule = double (*)(std::size_t, std::size_t, const VariableSet&);

struct Question {
  std::size_t source;  // 0: all rows; k: the k-th sub-sample
  std::size_t x, y;
  VariableSet given;
  std::size_t paid;  // entries of the ledger when it was asked
  double noise;      // as announced last
};

struct Log {
  const Ledger* ledger = nullptr;
  std::vector<Question> questions;
  std::vector<std::vector<std::uint64_t>> samples;
  double noise = 0;
};

class LoggedMargins : public MarginSource {
 public:
  LoggedMargins(Rule rule, Log& log, std::size_t source = 0)
      : rule_(rule), log_(log), source_(source) {}
  Sensitive<double> margin(std::size_t x, std::size_t y, const VariableSet& given) override {
    log_.questions.push_back({source_, x, y, given, log_.ledger->size(), log_.noise});
    return {rule_(x, y, given), 1.0};
  }
  void expect_noise(double scale) override { log_.noise = scale; }
  std::unique_ptr<MarginSource> on_sample(const RowMask& mask) override {
    log_.samples.emplace_back();
    mask.for_each([&](std::uint64_t row) { log_.samples.back().push_back(row); });
    return std::make_unique<LoggedMargins>(rule_, log_, log_.samples.size());
  }

 private:
  Rule rule_;
  Log& log_;
  std::size_t source_;
};

const double clear = 1e9;

// d-separation in the chain 0 - 1 - 2 - 3 - 4.
double chain(std::size_t x, std::size_t y, const VariableSet& given) {
  if (x > y) std::swap(x, y);
  for (auto z : given) {
    if (z > x && z < y) return clear;
  }
  return -clear;
}
double always(std::size_t, std::size_t, const VariableSet&) {
  return clear;
}
double undecided(std::size_t, std::size_t, const VariableSet&) {
  return 0;  // the noise decides
}

constexpr std::size_t kNodes = 5;
constexpr std::uint64_t kRows = 1000;

struct Outcome {
  Log log;
  Skeleton found;
  std::vector<Ledger::Entry> entries;
  double cap = 0, spent = 0;
};

std::unique_ptr<Outcome> learn(MarginSearch search, Accounting unit, Rule rule, std::uint64_t seed,
                               std::uint64_t sample = kRows, std::size_t rounds = 0,
                               double cap = 0.05) {
  std::vector<Variable> variables;
  for (std::size_t v = 0; v < kNodes; ++v)
    variables.push_back({"v" + std::to_string(v), 2, true, false});
  PaperSettings settings;
  settings.sample = sample;
  settings.rounds = rounds;
  auto out = std::make_unique<Outcome>();
  Ledger ledger = ledger_of(unit, cap);
  out->log.ledger = &ledger;
  LoggedMargins margins(rule, out->log);
  RandomBits bits = RandomBits::from_seed(seed);
  out->found = search(Schema(variables, kRows), margins, settings,
                      Knowledge(static_cast<int>(kNodes)), ledger, bits, nullptr);
  out->log.ledger = nullptr;
  out->entries = ledger.entries();
  out->cap = cap_of(ledger);
  out->spent = spent_of(ledger);
  return out;
}

// Was this question the one that removed its edge? A removed pair is not asked about again.
bool removed_by(const Outcome& out, std::size_t question) {
  const Question& q = out.log.questions[question];
  const bool found = std::any_of(
      out.found.separations.begin(), out.found.separations.end(),
      [&](const Separation& s) { return s.x == q.x && s.y == q.y && s.given == q.given; });
  if (!found) return false;
  for (std::size_t later = question + 1; later < out.log.questions.size(); ++later) {
    const Question& other = out.log.questions[later];
    if (other.x == q.x && other.y == q.y) return false;
  }
  return true;
}

void check_sum(const Outcome& out) {
  double sum = 0;
  for (const Ledger::Entry& entry : out.entries) {
    REQUIRE(amount_of(entry) > 0);
    REQUIRE(entry.delta == 0);
    sum += amount_of(entry);
  }
  REQUIRE(sum == Approx(out.spent).scale(0).epsilon(1e-12));
  REQUIRE(out.spent <= out.cap);
}

double randomised_response(double epsilon) {
  return epsilon * std::tanh(epsilon / 2);
}

const std::vector<Rule> rules{chain, always, undecided};
const std::vector<Accounting> units{Accounting::pure, Accounting::zcdp};

}  // namespace

TEST_CASE("every round of the sieve has a sub-sample of its own, drawn after it was paid for") {
  std::set<std::vector<std::uint64_t>> all;
  std::size_t drawn = 0, rounds = 0;
  std::uint64_t seed = 0;
  for (Accounting unit : units) {
    for (Rule rule : rules) {
      for (int repeat = 0; repeat < 5; ++repeat) {
        const auto out = learn(search_by_sieve, unit, rule, ++seed, 300);
        check_sum(*out);
        REQUIRE(out->log.samples.size() == out->entries.size());
        for (const auto& sample : out->log.samples)
          REQUIRE(sample.size() == 300);
        // A sub-sample is asked in its own round only.
        for (const Question& q : out->log.questions)
          REQUIRE((q.source == 0 || q.source == q.paid));
        all.insert(out->log.samples.begin(), out->log.samples.end());
        drawn += out->log.samples.size();
        rounds = std::max(rounds, out->entries.size());
      }
    }
  }
  REQUIRE(rounds >= 5);
  // Two of 1000 over 300 rows agree with a probability below 1e-260.
  REQUIRE(all.size() == drawn);
}

TEST_CASE("a round of the sieve is over with its look at all rows, and the next is paid for") {
  for (Accounting unit : units) {
    for (Rule rule : rules) {
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const auto out = learn(search_by_sieve, unit, rule, seed, 300);
        const std::vector<Question>& asked = out->log.questions;
        std::size_t looks = 0;
        for (std::size_t i = 0; i < asked.size(); ++i) {
          const bool look = asked[i].source == 0;
          looks += look ? 1 : 0;
          // It is a look at what the sieve has just stopped at.
          if (look) {
            REQUIRE(i > 0);
            REQUIRE(asked[i - 1].source == asked[i].paid);
            REQUIRE(asked[i - 1].x == asked[i].x);
            REQUIRE(asked[i - 1].y == asked[i].y);
            REQUIRE(asked[i - 1].given == asked[i].given);
          }
          REQUIRE(asked[i].paid == (looks - (look ? 1 : 0)) + 1);
        }
        // What was paid: a round for every look, and one that was still sieving at the end.
        const bool sieving = !asked.empty() && asked.back().source != 0;
        REQUIRE(out->entries.size() == looks + (sieving ? 1 : 0));
        REQUIRE(out->found.separations.size() <= looks);
        for (std::size_t i = 0; i < out->entries.size(); ++i) {
          REQUIRE(out->entries[i].mechanism == "sieve and examine");
          REQUIRE(out->entries[i].target == "round " + std::to_string(i + 1));
        }
      }
    }
  }
}

TEST_CASE("a sparse vector run with a delta ends at its first removal, and the next is paid for") {
  for (Rule rule : rules) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const auto out = learn(search_by_sparse_vector, Accounting::zcdp, rule, seed);
      check_sum(*out);
      std::size_t removals = 0;
      for (std::size_t i = 0; i < out->log.questions.size(); ++i) {
        REQUIRE(out->log.questions[i].paid == removals + 1);
        if (removed_by(*out, i)) ++removals;
      }
      REQUIRE(removals == out->found.separations.size());
      const bool running = !removed_by(*out, out->log.questions.size() - 1);
      REQUIRE(out->entries.size() == removals + (running ? 1 : 0));
      for (std::size_t i = 0; i < out->entries.size(); ++i) {
        REQUIRE(out->entries[i].mechanism == "sparse vector");
        REQUIRE(out->entries[i].target == "run " + std::to_string(i + 1));
      }
    }
  }
}

TEST_CASE("without a delta there is one sparse vector run, and nothing is asked after its cutoff") {
  for (std::size_t cutoff : {1u, 3u, 7u}) {
    const auto out = learn(search_by_sparse_vector, Accounting::pure, always, 1, kRows, cutoff);
    REQUIRE(out->entries.size() == 1);
    REQUIRE(out->entries[0].mechanism == "sparse vector");
    REQUIRE(amount_of(out->entries[0]) == out->cap);
    REQUIRE(out->found.separations.size() == cutoff);
    REQUIRE(out->log.questions.size() == cutoff);
    // Noise for as many positives as were announced: query noise 2 c/e2, the best split.
    const double factor = 2.0 * static_cast<double>(cutoff);
    const double second = out->cap * (1 - 1 / (1 + std::pow(factor, 2.0 / 3)));
    REQUIRE(out->log.noise >= factor / second);
    REQUIRE(out->log.noise <= factor / second * 1.001);
  }
}

TEST_CASE("choices: how many edges is paid for in every order, and every removal by itself") {
  for (Accounting unit : units) {
    for (Rule rule : rules) {
      for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const auto out = learn(search_by_choices, unit, rule, seed);
        check_sum(*out);
        std::map<std::size_t, double> noise;  // of the orders that were asked about
        for (const Question& q : out->log.questions)
          noise.emplace(q.given.size(), q.noise);
        REQUIRE(!noise.empty());
        std::vector<std::string> expected;
        for (const auto& order : noise) {
          const std::string label = "order " + std::to_string(order.first);
          expected.push_back(label + ", how many edges");
          for (const Separation& s : out->found.separations) {
            if (s.given.size() == order.first) expected.push_back(label + ", which edge and set");
          }
        }
        REQUIRE(out->entries.size() == expected.size());
        const bool pure = unit == Accounting::pure;
        for (std::size_t i = 0; i < expected.size(); ++i) {
          const Ledger::Entry& entry = out->entries[i];
          REQUIRE(entry.target == expected[i]);
          REQUIRE(entry.mechanism == (pure ? "permute and flip" : "exponential"));
          // In a ledger of rho the choice of epsilon costs epsilon^2/8, and its scores of
          // sensitivity 1 have the noise scale 2/epsilon.
          const double epsilon = pure ? amount_of(entry) : std::sqrt(8 * amount_of(entry));
          if (entry.target.find("how many") == std::string::npos) continue;
          const std::size_t order = static_cast<std::size_t>(entry.target[6] - '0');
          REQUIRE(noise[order] == Approx(2 / epsilon).scale(0).epsilon(1e-9));
        }
      }
    }
  }
}

TEST_CASE("gaussian tests are paid one by one, each with the noise of its price") {
  for (Rule rule : rules) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const auto out = learn(search_by_gaussian, Accounting::zcdp, rule, seed);
      check_sum(*out);
      REQUIRE(out->entries.size() == out->log.questions.size());
      for (std::size_t i = 0; i < out->entries.size(); ++i) {
        const Question& q = out->log.questions[i];
        REQUIRE(q.paid == i);  // the sealed margin is made first, opened after the debit
        REQUIRE(out->entries[i].mechanism == "gaussian");
        REQUIRE(out->entries[i].target == "order " + std::to_string(q.given.size()));
        REQUIRE(1 / (2 * q.noise * q.noise) ==
                Approx(amount_of(out->entries[i])).scale(0).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("the noise that a round or run announces is no less than its entry pays for") {
  for (Rule rule : {chain, always}) {
    for (Accounting unit : units) {
      const bool pure = unit == Accounting::pure;
      const auto rounds = learn(search_by_sieve, unit, rule, 1, 300);
      for (const Question& q : rounds->log.questions) {
        // Three tenths of a round go to the examine step.
        const double part = 0.3 * amount_of(rounds->entries[q.paid - 1]);
        const double scale = pure ? 1 / part : 1 / std::sqrt(2 * part);
        REQUIRE(q.noise >= scale * (1 - 1e-12));
        REQUIRE(q.noise <= scale * 1.001);
      }
      if (pure) continue;
      const auto runs = learn(search_by_sparse_vector, unit, rule, 1);
      for (const Question& q : runs->log.questions) {
        // Cutoff 1: the query's noise is 2/e2, and the run is (e1 + e2)-DP.
        const double epsilon = 2 / q.noise / (1 - 1 / (1 + std::pow(2.0, 2.0 / 3)));
        const double amount = amount_of(runs->entries[q.paid - 1]);
        REQUIRE(randomised_response(epsilon) <= amount * (1 + 1e-9));
        REQUIRE(randomised_response(epsilon) >= amount * 0.998);
      }
    }
  }
}

TEST_CASE("the parts of a round of sieve and examine add up to its price, on any sub-sample") {
  for (Accounting unit : units) {
    for (double price : {1e-6, 1e-3, 0.1, 1.0, 5.0}) {
      for (double share : {0.1, 0.5, 0.7, 0.95}) {
        for (std::uint64_t size : {20u, 300u, 999u, 1000u}) {
          SieveAndExamine run = sieve_and_examine(unit, price, share, {size, kRows});
          // From the noise scales alone. Threshold 1/e1, queries 2/e2 on the sub-sample; sampling
          // brings e' down to log(1 + (m/n)(exp(e') - 1)) (Balle, Barthe & Gaboardi 2018).
          const SparseVector& sieve = run.sieve_noise();
          const double before = 1 / sieve.threshold_noise() + 2 / sieve.query_noise();
          const double q = static_cast<double>(size) / static_cast<double>(kRows);
          const double after = std::log1p(q * std::expm1(before));
          const double scale = run.examine_noise();
          const double whole = unit == Accounting::pure
                                   ? after + 1 / scale
                                   : randomised_response(after) + 1 / (2 * scale * scale);
          INFO("price " << price << ", share " << share << ", rows " << size);
          REQUIRE(whole <= price * (1 + 1e-12));
          REQUIRE(whole >= price * 0.998);
          Ledger ledger = ledger_of(unit, 10);
          RandomBits bits = RandomBits::from_seed(1);
          run.start(0, 0, ledger, bits, "");
          REQUIRE(ledger.size() == 1);
          REQUIRE(amount_of(ledger.entries()[0]) == Approx(price).scale(0).epsilon(1e-9));
          REQUIRE(amount_of(ledger.entries()[0]) >= price);
        }
      }
    }
  }
}
