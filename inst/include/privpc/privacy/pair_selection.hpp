// Private choice of several of many candidates by their scores, one after the other: which pairs of
// variables are worth measuring.
//
// Theorem. Let every score move by at most D when a record is replaced. Choose k times by the
// exponential mechanism of epsilon e (weights exp(e u_i / (2 D))), each time among candidates that
// depend on the choices before it, and on public facts, alone. The list of choices is k e^2/8-zCDP
// and k e-DP.
// Proof. Given the choices before it, one choice is an exponential mechanism on a fixed set of
// candidates: its privacy loss, log P(i | x)/P(i | y) = e (u_i(x) - u_i(y)) / (2 D) + constant,
// lies in an interval of length e (bounded range), so that it is e^2/8-zCDP and e-DP (Cesar &
// Rogers 2021, cost.hpp). k of them compose adaptively by adding up (ledger.hpp). QED So e = sqrt(8
// rho / k) for a whole cost of rho. k and rho are public; the ledger is debited once, for all k
// choices, before the first one is drawn.
//
// Choosing k times without putting back is what adding Gumbel noise of scale 2 D/e to all scores
// and taking the k largest does (Durfee & Rogers 2019, "Practical Differentially Private Top-k
// Selection with Pay-what-you-get Composition"); drawn here without floating point (softmax.hpp).
// Scores are snapped to a grid once, which widens D by a step; the proof is for the snapped ones.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/privacy/laplace_gaussian.hpp"
#include "privpc/privacy/softmax.hpp"

namespace privpc {

class PairSelection {
 public:
  // Which candidates stay open once this one was chosen. It is out in any case.
  using StaysOpen = std::function<bool(std::size_t candidate)>;
  using AfterChoice = std::function<StaysOpen(std::size_t chosen)>;

  // For `choices` choices that cost rho together: a little less, so that what the ledger adds up
  // with outward rounding does not exceed it.
  PairSelection(Rho rho, std::size_t choices, double sensitivity)
      : choices_(checked_choices(choices)),
        each_(std::sqrt(8 * checked_positive(rho).value() / static_cast<double>(choices)) *
              (1 - 1e-10)),
        sensitivity_(checked_positive(sensitivity, "the sensitivity")),
        grid_(Grid::for_noise(sensitivity, sensitivity / each_.value())),
        scale_(noise_scale(2 * grid_.steps_l1(sensitivity, 1), each_.value())) {}

  Epsilon each() const { return each_; }
  Cost cost() const { return Cost::bounded_ranges(each_, choices_); }

  // On the scale of the scores: candidate i has the weight exp(score of i / spread()). What the
  // snapping and the widening make of 2 D / e.
  double spread() const { return to_double(scale_) * grid_.step(); }

  // The chosen candidates in the order of choice; fewer only if no more are open.
  std::vector<std::size_t> choose(const Sensitive<std::vector<double>>& scores, Ledger& ledger,
                                  RandomBits& bits, const std::string& target,
                                  const AfterChoice& after = nullptr) const {
    if (scores.sensitivity() > sensitivity_) {
      throw std::invalid_argument("the scores are more sensitive than the mechanism was built for");
    }
    const MechanismKey key;
    ExactSoftmax open(grid_.snap_all(scores.open(key)), scale_);
    if (open.size() == 0) throw std::invalid_argument("there is no candidate to choose from");
    ledger.debit("pair selection", target, cost());
    std::vector<std::size_t> chosen;
    while (chosen.size() < choices_ && open.size() > 0) {
      breathe();
      const std::size_t next = open.draw(bits);
      chosen.push_back(next);
      const StaysOpen stays = after ? after(next) : nullptr;
      open.keep_if([&](std::size_t i) { return i != next && (!stays || stays(i)); });
    }
    return chosen;
  }

 private:
  static std::size_t checked_choices(std::size_t choices) {
    if (choices == 0) throw std::invalid_argument("the number of choices must be at least 1");
    return choices;
  }

  std::size_t choices_;
  Epsilon each_;  // of one choice
  double sensitivity_;
  Grid grid_;
  Dyadic scale_;
};

}  // namespace privpc
