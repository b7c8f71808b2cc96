// Exact draws from a softmax, and the mechanism that draws from it again and again: distributions,
// price, and what is refused.
#include <catch.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "distribution_checks.h"
#include "priced.h"
#include "privpc/privacy/pair_selection.hpp"
#include "privpc/privacy/softmax.hpp"

using namespace privpc_test;

namespace {

using Order = std::vector<std::size_t>;

// The probabilities of all sequences of `left` choices, each by the softmax of what is still open.
// stays(so far, candidate): whether it is still open.
template <class Stays>
void add_sequences(const std::vector<double>& logs, std::size_t left, const Stays& stays,
                   const Order& so_far, double probability, std::map<Order, double>& out) {
  std::vector<std::size_t> open;
  double sum = 0;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    if (!stays(so_far, i)) continue;
    open.push_back(i);
    sum += std::exp(logs[i]);
  }
  if (left == 0 || open.empty()) {
    out[so_far] += probability;
    return;
  }
  for (std::size_t i : open) {
    Order longer = so_far;
    longer.push_back(i);
    add_sequences(logs, left - 1, stays, longer, probability * std::exp(logs[i]) / sum, out);
  }
}

bool not_yet(const Order& so_far, std::size_t i) {
  return std::find(so_far.begin(), so_far.end(), i) == so_far.end();
}

template <class Outcome>
void check_frequencies(const std::map<Outcome, double>& seen,
                       const std::map<Outcome, double>& exact, double draws) {
  std::vector<double> counts, expected;
  double rare = 0, rare_expected = 0;
  for (const auto& [outcome, probability] : exact) {
    const double count = seen.count(outcome) > 0 ? seen.at(outcome) : 0;
    if (probability * draws >= 20) {
      counts.push_back(count);
      expected.push_back(probability * draws);
    } else {
      rare += count;
      rare_expected += probability * draws;
    }
  }
  for (const auto& [outcome, count] : seen)
    REQUIRE(exact.count(outcome) == 1);
  if (rare_expected >= 5) {
    counts.push_back(rare);
    expected.push_back(rare_expected);
  } else {
    CHECK(rare < 60);
  }
  REQUIRE(counts.size() >= 2);
  CHECK(chi_square_p(counts, expected) > kLevel);
}

}  // namespace

TEST_CASE("an event of probability 2/e has it") {
  RandomBits bits = RandomBits::from_seed(5);
  const double draws = 4e6;
  double yes = 0;
  for (int i = 0; i < 4000000; ++i)
    yes += bernoulli_two_over_e(bits);
  rate_is(yes, draws, 2 * std::exp(-1.0));
}

TEST_CASE("a draw has the distribution of the softmax, near and far, and after others have left") {
  const Dyadic scale{1000, 3};  // 8000 steps
  // Distances within one scale, a few scales, and a crowd whose weight is that of one near one.
  std::vector<std::int64_t> steps{0, -3000, -8000, -20500, -41000, 5000, -1000000, -100000000};
  for (int i = 0; i < 300; ++i)
    steps.push_back(-40000 - 10 * i);
  RandomBits bits = RandomBits::from_seed(6);
  ExactSoftmax softmax(steps, scale);
  std::vector<bool> open(steps.size(), true);
  for (int removal = 0; removal < 3; ++removal) {
    std::map<std::size_t, double> exact, seen;
    double sum = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (open[i]) sum += exact[i] = std::exp(static_cast<double>(steps[i]) / 8000);
    }
    for (auto& [i, weight] : exact)
      weight /= sum;
    const int draws = 400000;
    for (int i = 0; i < draws; ++i)
      seen[softmax.draw(bits)] += 1;
    check_frequencies(seen, exact, draws);
    // The best goes; then the next ones, so that the nearest whole distance changes.
    for (std::size_t i :
         removal == 0 ? std::vector<std::size_t>{5} : std::vector<std::size_t>{0, 1})
      open[i] = false;
    softmax.keep_if([&](std::size_t i) { return open[i]; });
  }
}

TEST_CASE("beyond the farthest proposals distances still count as they are") {
  // Forty scales would never be seen; the same rule with two of them.
  const Dyadic scale{1, 10};
  const std::vector<double> behind{0, 1.5, 2, 2.25, 3, 4.5, 6, 30};
  std::vector<std::int64_t> steps;
  for (double scales : behind)
    steps.push_back(static_cast<std::int64_t>(-1024 * scales));
  RandomBits bits = RandomBits::from_seed(7);
  for (std::uint64_t farthest : {0, 1, 2, 40}) {
    const ExactSoftmax softmax(steps, scale, farthest);
    std::map<std::size_t, double> exact, seen;
    double sum = 0;
    for (std::size_t i = 0; i < behind.size(); ++i)
      sum += exact[i] = std::exp(-behind[i]);
    for (auto& [i, weight] : exact)
      weight /= sum;
    for (int i = 0; i < 400000; ++i)
      seen[softmax.draw(bits)] += 1;
    check_frequencies(seen, exact, 400000);
  }

  // Alone far behind: drawn at once, and without end.
  ExactSoftmax alone({INT64_C(1) << 61, -(INT64_C(1) << 61)}, scale);
  alone.keep_if([](std::size_t i) { return i == 1; });
  REQUIRE(alone.draw(bits) == 1);
}

TEST_CASE("candidates that are far behind are hardly ever proposed") {
  // By uniform proposals 100,000 candidates would take as many rounds, at two words each.
  std::vector<std::int64_t> steps(100000, -50 * 1024);
  steps[77] = 0;
  const ExactSoftmax softmax(steps, Dyadic{1, 10});
  RandomBits bits = RandomBits::from_seed(8), twin = RandomBits::from_seed(8);
  for (int i = 0; i < 100; ++i)
    REQUIRE(softmax.draw(bits) == 77);
  // As many words as one proposal each takes, give or take the rare second one.
  const std::uint64_t here = bits.next();
  int words = 0;
  while (twin.next() != here)
    REQUIRE(++words < 300);
}

TEST_CASE("the k chosen ones have the probabilities of k choices without putting back") {
  const std::vector<double> scores{3, 1.5, 0, -2};
  const PairSelection selection = pair_selection(0.5, 2);
  std::vector<double> logs;
  for (double score : scores)
    logs.push_back(score * selection.each().value() / 2);
  std::map<Order, double> exact, seen;
  add_sequences(logs, 2, not_yet, {}, 1, exact);
  REQUIRE(exact.size() == 12);
  RandomBits bits = RandomBits::from_seed(9);
  const int draws = 300000;
  for (int i = 0; i < draws; ++i) {
    Ledger ledger = ledger_of(Accounting::zcdp, 0.5);
    seen[selection.choose(Sensitive<std::vector<double>>(scores, 1), ledger, bits, "")] += 1;
  }
  // The grid takes 2^-16 of the sensitivity: nothing that so many draws could show.
  check_frequencies(seen, exact, draws);
}

TEST_CASE("candidates that a choice closes are not chosen, whatever their scores") {
  // After 0 or 1 the candidates 2 and 3 are closed; then one is left, and nothing after it.
  const std::vector<double> scores{1, 0, 50, 49, -3};
  const PairSelection selection = pair_selection(0.3, 4);
  RandomBits bits = RandomBits::from_seed(10);
  std::map<Order, double> exact, seen;
  std::vector<double> logs;
  for (double score : scores)
    logs.push_back(score * selection.each().value() / 2);
  const auto stays = [](const Order& so_far, std::size_t i) {
    if (!not_yet(so_far, i)) return false;
    const bool low = std::any_of(so_far.begin(), so_far.end(), [](std::size_t c) { return c < 2; });
    return !low || i == 4;
  };
  add_sequences(logs, 4, stays, {}, 1, exact);
  const int draws = 200000;
  for (int i = 0; i < draws; ++i) {
    Ledger ledger = ledger_of(Accounting::zcdp, 0.3);
    bool low = false;
    const auto after = [&](std::size_t chosen) {
      low = low || chosen < 2;
      return [&low](std::size_t c) { return !low || c == 4; };
    };
    seen[selection.choose(Sensitive<std::vector<double>>(scores, 1), ledger, bits, "", after)] += 1;
    REQUIRE(ledger.size() == 1);
  }
  check_frequencies(seen, exact, draws);
}

TEST_CASE("a selection costs its rho, a little less for rounding and never more") {
  for (double rho : {1e-9, 0.0023, 0.1, 7.0, 1e4}) {
    for (std::size_t choices :
         {std::size_t{1}, std::size_t{3}, std::size_t{75}, std::size_t{100000}}) {
      const PairSelection selection = pair_selection(rho, choices);
      const double k = static_cast<double>(choices), e = selection.each().value();
      const double cost = selection.cost().in(Accounting::zcdp).value();
      REQUIRE(cost <= rho);
      REQUIRE(cost >= rho * (1 - 1e-9));
      REQUIRE(cost >= k * e * e / 8);
      REQUIRE(selection.cost().in(Accounting::pure).value() >= k * e);
      // Not below what the proof asks for: twice the widened sensitivity over e.
      REQUIRE(selection.spread() > 2 / e);
      REQUIRE(selection.spread() < 2 / e * 1.001);
      // Where the noise is larger than the sensitivity, the step of the grid is 2^-16 of that.
      if (e < 1) REQUIRE(selection.spread() >= 2 / e * (1 + std::ldexp(1.0, -16)));
      // Exactly that rho is left, also after others of it.
      Ledger ledger = ledger_of(Accounting::zcdp, rho);
      RandomBits bits = RandomBits::from_seed(11);
      for (double part : {0.25, 0.75}) {
        pair_selection(rho * part, choices)
            .choose(Sensitive<std::vector<double>>({1, 2}, 1), ledger, bits, "");
      }
      REQUIRE(spent_of(ledger) <= rho);
    }
  }
}

TEST_CASE("an impossible selection is refused") {
  CHECK_THROWS_AS(pair_selection(0.1, 0), std::invalid_argument);
  CHECK_THROWS_AS(pair_selection(0, 1), std::invalid_argument);
  CHECK_THROWS_AS(PairSelection(Rho(0.1), 1, 0), std::invalid_argument);
  Ledger ledger = ledger_of(Accounting::zcdp, 1);
  RandomBits bits = RandomBits::from_seed(1);
  const Sensitive<std::vector<double>> none({}, 1), infinite({1, HUGE_VAL}, 1);
  CHECK_THROWS_AS(pair_selection(0.1, 1).choose(none, ledger, bits, ""), std::invalid_argument);
  CHECK_THROWS_AS(pair_selection(0.1, 1).choose(infinite, ledger, bits, ""), std::invalid_argument);
  CHECK(ledger.size() == 0);
}
