// Graphs of a replayed fit, as R keeps them.
#pragma once

#include <Rcpp.h>

#include <utility>
#include <vector>

#include "privpc/graph/graph_shares.hpp"
#include "privpc/graph/pdag.hpp"

namespace privpc_r {

using Graphs = Rcpp::XPtr<std::vector<privpc::Pdag>>;

template <class Entry>
Rcpp::NumericMatrix as_square(int size, const Entry& entry) {
  Rcpp::NumericMatrix out(size, size);
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x)
      out(x, y) = x == y ? 0 : entry(x, y);
  }
  return out;
}

// The graphs, for cpp_consensus(), and what they share.
inline Rcpp::List wrap_replayed(std::vector<privpc::Pdag> drawn, int size) {
  Graphs graphs(new std::vector<privpc::Pdag>(std::move(drawn)), true);
  const privpc::GraphShares shares(*graphs);
  return Rcpp::List::create(
      Rcpp::_["graphs"] = graphs,
      Rcpp::_["edges"] = as_square(size, [&](int x, int y) { return shares.edge(x, y); }),
      Rcpp::_["arrows"] = as_square(size, [&](int x, int y) { return shares.arrow(x, y); }));
}

}  // namespace privpc_r
