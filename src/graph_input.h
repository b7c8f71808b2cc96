// Graphs as R matrices (row = from, undirected = both) and knowledge as pairs of arcs, into the
// graph room and out of it.
#pragma once

#include <Rcpp.h>

#include <vector>

#include "privpc/graph/knowledge.hpp"
#include "privpc/graph/pdag.hpp"

namespace privpc_r {

inline privpc::Pdag read_graph(const Rcpp::IntegerMatrix& amat) {
  return privpc::Pdag::from_matrix(amat.begin(), amat.nrow());
}

// Names are taken over from the matrix that came in.
inline Rcpp::IntegerMatrix as_matrix(const privpc::Pdag& graph, const Rcpp::IntegerMatrix& like) {
  const std::vector<int> entries = graph.to_matrix();
  Rcpp::IntegerMatrix result(graph.size(), graph.size(), entries.begin());
  if (like.hasAttribute("dimnames")) result.attr("dimnames") = like.attr("dimnames");
  return result;
}

// Two columns, from and to, counted from 1 as in R.
inline std::vector<privpc::Arc> read_arcs(const Rcpp::IntegerMatrix& arcs) {
  std::vector<privpc::Arc> out;
  for (int i = 0; i < arcs.nrow(); ++i)
    out.push_back({arcs(i, 0) - 1, arcs(i, 1) - 1});
  return out;
}

inline privpc::Knowledge read_knowledge(int nodes, const Rcpp::IntegerMatrix& required,
                                        const Rcpp::IntegerMatrix& forbidden) {
  return privpc::Knowledge(nodes, read_arcs(required), read_arcs(forbidden));
}

inline std::vector<int> from_zero(const Rcpp::IntegerVector& numbers) {
  std::vector<int> result(numbers.begin(), numbers.end());
  for (int& number : result)
    --number;
  return result;
}

}  // namespace privpc_r
