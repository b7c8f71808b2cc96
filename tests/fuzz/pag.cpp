// Marks of partial ancestral graphs. From any marks and any separating sets, right or wrong: the
// rules end, change circles only, and change nothing when asked again. From the truth about a DAG
// with hidden nodes: every arrowhead and every tail is right.
#include "privpc/graph/pag.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "fuzz_target.h"
#include "privpc/graph/directed_paths.hpp"
#include "privpc/graph/dsep.hpp"
#include "privpc/graph/fci.hpp"
#include "privpc/graph/pag_rules.hpp"
#include "privpc/graph/true_pag.hpp"

using namespace privpc;
using privpc_fuzz::Input;

namespace {

Mark any_mark(Input& input, std::size_t wild) {
  const std::size_t kind = input.below(3 + wild);
  return kind == 1 ? Mark::arrow : kind == 2 ? Mark::tail : Mark::circle;
}

Pag any_pag(Input& input, int n) {
  Pag out(n);
  const std::size_t density = 1 + input.below(3), wild = input.below(12);
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < a; ++b) {
      if (input.below(1 + density) == 0) continue;
      const Mark at_a = any_mark(input, wild), at_b = any_mark(input, wild);
      out.connect(a, b, at_a, at_b);
    }
  }
  return out;
}

Separators any_separators(Input& input, int n) {
  Separators out;
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < a; ++b) {
      if (input.below(4) == 0) continue;
      std::vector<int> given;
      for (int members = input.byte(), z = 0; z < n && z < 8; ++z) {
        if (z != a && z != b && (members >> z & 1) != 0) given.push_back(z);
      }
      out.set(a, b, given);
    }
  }
  return out;
}

void check_rules(Input& input, int n) {
  const Pag graph = any_pag(input, n);
  FUZZ_CHECK(Pag::from_matrix(graph.to_matrix().data(), n) == graph);
  const Separators separators = any_separators(input, n);
  const bool selection = input.coin();
  const auto in_separator = [&](int b, int a, int c) { return separators.contains(b, a, c); };
  Pag out = graph;
  PagRules(out, in_separator).apply(selection);
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b) {
      if (a == b) continue;
      const Mark before = graph.mark_at(b, a), after = out.mark_at(b, a);
      FUZZ_CHECK((before == Mark::none) == (after == Mark::none));
      if (before != Mark::circle) FUZZ_CHECK(before == after);
    }
  }
  // Each of the three groups of rules ran to its end; the first may have more to say of what the
  // others made of wrong marks, but never without an end.
  Pag again = out;
  PagRules(again, in_separator).apply(selection);
  // The whole way, with sets to be found.
  const auto find = [&](int x, int y, const std::vector<int>& near) {
    const std::vector<int>* given = separators.find(x, y);
    const bool inside =
        given != nullptr && std::includes(near.begin(), near.end(), given->begin(), given->end());
    return inside ? std::optional<std::vector<int>>(*given) : std::nullopt;
  };
  Pag skeleton(n);
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < a; ++b) {
      if (graph.is_adjacent(a, b)) skeleton.connect(a, b);
    }
  }
  const Pag found = fci(skeleton, separators, find, selection);
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b) {
      if (found.is_adjacent(a, b)) FUZZ_CHECK(skeleton.is_adjacent(a, b));
    }
  }
}

bool separable(const Pdag& dag, const std::vector<int>& observed, int x, int y) {
  std::vector<int> others;
  for (int node : observed) {
    if (node != x && node != y) others.push_back(node);
  }
  for (unsigned code = 0; code < 1U << others.size(); ++code) {
    std::vector<int> given;
    for (std::size_t i = 0; i < others.size(); ++i) {
      if ((code >> i & 1U) != 0) given.push_back(others[i]);
    }
    if (is_d_separated(dag, x, y, given)) return true;
  }
  return false;
}

void check_truth(Input& input, int n) {
  Pdag dag(n);
  for (int a = 0; a < n; ++a) {
    for (int b = a + 1; b < n; ++b) {
      if (input.below(3) == 0) dag.add_directed(a, b);
    }
  }
  std::vector<int> observed;
  for (int node = 0; node < n; ++node) {
    if (input.below(4) != 0) observed.push_back(node);
  }
  std::reverse(observed.begin(), observed.end());
  const Pag pag = true_pag(dag, observed);
  for (int a = 0; a < pag.size(); ++a) {
    for (int b = 0; b < pag.size(); ++b) {
      if (a == b) continue;
      const int from = observed[static_cast<std::size_t>(a)];
      const int to = observed[static_cast<std::size_t>(b)];
      FUZZ_CHECK(pag.is_adjacent(a, b) == !separable(dag, observed, from, to));
      // The mark at b says whether b causes a.
      if (pag.mark_at(b, a) == Mark::arrow) FUZZ_CHECK(!reaches(dag, to, from));
      if (pag.mark_at(b, a) == Mark::tail) FUZZ_CHECK(reaches(dag, to, from));
    }
  }
}

}  // namespace

FUZZ_TARGET(pag) {
  if (input.coin()) {
    check_truth(input, 1 + input.number_below(8));
  } else {
    check_rules(input, 1 + input.number_below(10));
  }
}
