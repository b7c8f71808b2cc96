// Networks made of a fuzzer's bytes, their text in any of the ways BIF allows, and what must hold
// of every network that was read.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "fuzz_target.h"
#include "privpc/network/bayes_net.hpp"
#include "privpc/network/bif.hpp"
#include "privpc/network/sampler.hpp"

namespace privpc_fuzz {

using privpc::BayesNet;

inline std::string shown(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

inline std::string quoted(const std::string& name) {
  return '"' + name + '"';
}

// The plainest text of a network: quoted names and a row for every configuration.
inline std::string plain_bif(const BayesNet& net) {
  std::string text = "network " + quoted(net.name) + " {}\n";
  for (const auto& node : net.nodes) {
    text += "variable " + quoted(node.name) + " { type discrete [ " +
            std::to_string(node.levels.size()) + " ] { ";
    for (const std::string& level : node.levels)
      text += (&level == &node.levels.front() ? "" : ", ") + quoted(level);
    text += " }; }\n";
  }
  for (std::size_t n = 0; n < net.nodes.size(); ++n) {
    const auto& node = net.nodes[n];
    text += "probability ( " + quoted(node.name) + (node.parents.empty() ? "" : " |");
    for (std::size_t parent : node.parents)
      text += ' ' + quoted(net.nodes[parent].name);
    text += " ) {\n";
    for (std::size_t column = 0; column < net.configurations(n); ++column) {
      std::size_t rest = column;
      std::string levels;
      for (std::size_t parent : node.parents) {
        const auto& names = net.nodes[parent].levels;
        levels += (levels.empty() ? "" : ", ") + quoted(names[rest % names.size()]);
        rest /= names.size();
      }
      text += node.parents.empty() ? "table" : "(" + levels + ")";
      for (std::size_t level = 0; level < node.levels.size(); ++level)
        text += ' ' + shown(node.probabilities[column * node.levels.size() + level]);
      text += ";\n";
    }
    text += "}\n";
  }
  return text;
}

inline void check_same_net(const BayesNet& a, const BayesNet& b) {
  FUZZ_CHECK(a.nodes.size() == b.nodes.size());
  for (std::size_t n = 0; n < a.nodes.size(); ++n) {
    FUZZ_CHECK(a.nodes[n].name == b.nodes[n].name && a.nodes[n].levels == b.nodes[n].levels);
    FUZZ_CHECK(a.nodes[n].parents == b.nodes[n].parents);
    FUZZ_CHECK(a.nodes[n].probabilities.size() == b.nodes[n].probabilities.size());
    for (std::size_t i = 0; i < a.nodes[n].probabilities.size(); ++i)
      FUZZ_CHECK(std::fabs(a.nodes[n].probabilities[i] - b.nodes[n].probabilities[i]) < 1e-12);
  }
}

// It can be simulated from, written and read again.
inline void check_net(const BayesNet& net) {
  net.validate();
  FUZZ_CHECK(!net.nodes.empty() && net.find_cycle().empty());
  FUZZ_CHECK(net.topological_order().size() == net.nodes.size());
  std::size_t numbers = 0;
  for (const auto& node : net.nodes) {
    FUZZ_CHECK(!node.name.empty() && !node.levels.empty());
    for (std::size_t at = 0; at < node.probabilities.size(); at += node.levels.size()) {
      double sum = 0;
      for (std::size_t level = 0; level < node.levels.size(); ++level)
        sum += node.probabilities[at + level];
      FUZZ_CHECK(std::fabs(sum - 1) < 1e-9);
    }
    numbers += node.probabilities.size();
  }
  if (numbers > 20000) return;  // fast enough
  const BayesNet again = privpc::parse_bif(plain_bif(net));
  FUZZ_CHECK(again.name == net.name);
  check_same_net(net, again);
  const std::size_t rows = 8;
  std::vector<std::vector<int>> codes(net.nodes.size(), std::vector<int>(rows, 0));
  std::vector<int*> columns;
  for (auto& column : codes)
    columns.push_back(column.data());
  privpc::NetworkSampler(net).fill(columns, 0, rows, 1, 1);
  for (std::size_t n = 0; n < net.nodes.size(); ++n) {
    for (std::size_t row = 0; row < rows; ++row) {
      const int code = codes[n][row];
      FUZZ_CHECK(code >= 1 && code <= static_cast<int>(net.nodes[n].levels.size()));
      std::size_t column = 0, stride = 1;
      for (std::size_t parent : net.nodes[n].parents) {
        column += static_cast<std::size_t>(codes[parent][row] - 1) * stride;
        stride *= net.nodes[parent].levels.size();
      }
      const std::size_t level = static_cast<std::size_t>(code - 1);
      FUZZ_CHECK(net.nodes[n].probabilities[column * net.nodes[n].levels.size() + level] > 0);
    }
  }
}

}  // namespace privpc_fuzz
