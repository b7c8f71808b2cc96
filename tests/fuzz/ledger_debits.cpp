// Any sequence of debits, by one ledger or by two that share a store, never takes more than the
// cap: compared with sums that do not round. What is refused leaves no trace, and what fits is not
// refused.
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exact_sum.h"
#include "fuzz_target.h"
#include "memory_store.h"
#include "privpc/privacy/ledger.hpp"

using namespace privpc;
using privpc_fuzz::ExactSum;
using privpc_fuzz::Input;

namespace {

double amount(Input& input) {
  return input.coin() ? input.usual() : input.real();
}

std::optional<Cost> any_cost(Input& input) {
  std::optional<Cost> cost;
  privpc_fuzz::refused([&] {
    switch (input.below(6)) {
      case 0:
        cost = Cost::pure(Epsilon(amount(input)));
        break;
      case 1:
        cost = Cost::bounded_range(Epsilon(amount(input)));
        break;
      case 2:
        cost = Cost::bounded_ranges(Epsilon(amount(input)), input.below(1000));
        break;
      case 3:
        cost = Cost::concentrated(Rho(amount(input)));
        break;
      case 4:
        cost = Cost::gaussian(Rho(amount(input)));
        break;
      default: {
        const Epsilon epsilon(amount(input));
        cost = Cost::approximate(epsilon, amount(input));
      }
    }
  });
  return cost;
}

// What went through, added up apart from the ledger.
struct Reference {
  double cap, slack;
  ExactSum spent, deltas;
  std::size_t steps = 0;

  Reference(double of_cap, double of_slack) : cap(of_cap), slack(of_slack) {
    spent.add(-cap);
    deltas.add(-slack);
  }
  // A ledger counts in whole units and rounds each step up and the cap down: at worst by one unit
  // each.
  bool clearly_fits(double more, double delta) const {
    const double rounding = static_cast<double>(steps) + 2;
    return !spent.plus(more).plus(rounding * Ledger::smallest()).is_positive() &&
           !deltas.plus(delta).plus(rounding * Ledger::smallest_delta()).is_positive();
  }
  bool exceeded() const { return spent.is_positive() || deltas.is_positive(); }
};

void check_state(const Ledger& ledger, const Reference& reference) {
  FUZZ_CHECK(!reference.exceeded());
  FUZZ_CHECK(ledger.left().value() >= 0 && ledger.slack_left() >= 0);
  FUZZ_CHECK(ledger.spent().value() <= reference.cap);
  FUZZ_CHECK(ledger.left().value() <= reference.cap);
  FUZZ_CHECK(ledger.slack_left() <= reference.slack);
  // Rounded up: not below the true sum.
  FUZZ_CHECK(!reference.spent.plus(reference.cap).plus(-ledger.spent().value()).is_positive());
}

void debit(Ledger& ledger, const Cost& cost, Reference& reference) {
  double price = 0;
  const bool unpriced = privpc_fuzz::refused([&] { price = cost.in(ledger.accounting()).value(); });
  ledger.refresh();
  const std::size_t before = ledger.size();
  const double spent = ledger.spent().value(), slack_left = ledger.slack_left();
  std::size_t entry = 0;
  const bool refused = privpc_fuzz::refused([&] { entry = ledger.debit("m", "t", cost); });
  if (refused) {
    FUZZ_CHECK(ledger.size() == before);
    FUZZ_CHECK(ledger.spent().value() == spent && ledger.slack_left() == slack_left);
    FUZZ_CHECK(unpriced || !reference.clearly_fits(price, cost.delta()));
    return;
  }
  FUZZ_CHECK(!unpriced && price >= 0);
  FUZZ_CHECK(entry == before + 1 && ledger.size() == entry);
  reference.spent.add(price);
  reference.deltas.add(cost.delta());
  ++reference.steps;
  const Ledger::Entry last = ledger.entries().back();
  FUZZ_CHECK(last.amount >= price && last.cumulative == ledger.spent().value());
  FUZZ_CHECK(last.delta >= cost.delta() && last.cumulative >= spent);
}

}  // namespace

FUZZ_TARGET(ledger_debits) {
  const auto accounting = static_cast<Accounting>(input.below(3));
  const double cap = amount(input), slack = input.coin() ? 0 : amount(input);
  const auto store = input.coin() ? std::make_shared<privpc_fuzz::MemoryStore>() : nullptr;
  std::vector<std::unique_ptr<Ledger>> ledgers;
  const auto open = [&] {
    ledgers.push_back(std::make_unique<Ledger>(Price::in(accounting, cap), slack, store));
  };
  if (privpc_fuzz::refused(open)) {
    FUZZ_CHECK(!(cap >= 0 && cap <= Ledger::max_cap && slack >= 0 && slack < 1));
    return;
  }
  FUZZ_CHECK(cap >= 0 && cap <= Ledger::max_cap && slack >= 0 && slack < 1);
  if (store) open();
  Reference reference(cap, slack);
  for (int step = 0; step < 100 && !input.empty(); ++step) {
    Ledger& ledger = *ledgers[input.below(ledgers.size())];
    const std::optional<Cost> cost = any_cost(input);
    if (cost) debit(ledger, *cost, reference);
    ledger.refresh();
    check_state(ledger, reference);
  }
  // What is left can be spent in one step, and nothing after it.
  Ledger& ledger = *ledgers.front();
  ledger.refresh();
  const auto cost_of = [&](double value) {
    if (accounting == Accounting::pure) return Cost::pure(Epsilon(value));
    return accounting == Accounting::gaussian ? Cost::gaussian(Rho(value))
                                              : Cost::concentrated(Rho(value));
  };
  const double left = ledger.left().value();
  ledger.debit("m", "t", cost_of(left));
  reference.spent.add(left);
  FUZZ_CHECK(!reference.exceeded());
  const double more = ledger.left().value();
  // A double has fewer digits than what is left.
  FUZZ_CHECK(more <= left * 0x1p-52);
  if (more == 0) FUZZ_CHECK(privpc_fuzz::refused([&] { ledger.debit("m", "t", cost_of(1e-300)); }));
  if (store) {
    ledgers.back()->refresh();
    FUZZ_CHECK(ledgers.back()->spent().value() == ledger.spent().value());
  }
}
