// Questions to the graph room.

#include <Rcpp.h>

#include <optional>
#include <vector>

#include "graph_input.h"
#include "privpc/graph/cpdag.hpp"
#include "privpc/graph/directed_paths.hpp"
#include "privpc/graph/dsep.hpp"
#include "privpc/graph/extension.hpp"
#include "privpc/graph/true_pag.hpp"

using namespace privpc_r;
using privpc::Pdag;

// [[Rcpp::export(rng = false)]]
bool cpp_is_acyclic(const Rcpp::IntegerMatrix& amat) {
  return privpc::is_acyclic(read_graph(amat));
}

// NULL if the graph has no consistent extension.
// [[Rcpp::export(rng = false)]]
Rcpp::RObject cpp_pdag_to_cpdag(const Rcpp::IntegerMatrix& amat) {
  const std::optional<Pdag> cpdag = privpc::pdag_to_cpdag(read_graph(amat));
  if (!cpdag) return R_NilValue;
  return as_matrix(*cpdag, amat);
}

// A DAG with all arcs of the graph; NULL if they contain a cycle.
// [[Rcpp::export(rng = false)]]
Rcpp::RObject cpp_extend_to_dag(const Rcpp::IntegerMatrix& amat, const Rcpp::IntegerVector& rank) {
  const Pdag graph = read_graph(amat);
  if (!privpc::is_acyclic(graph)) return R_NilValue;
  return as_matrix(privpc::extend_to_dag(graph, from_zero(rank)).dag, amat);
}

// Nodes and ranks are counted from 1.
// [[Rcpp::export(rng = false)]]
bool cpp_is_d_separated(const Rcpp::IntegerMatrix& amat, int x, int y,
                        const Rcpp::IntegerVector& given) {
  return privpc::is_d_separated(read_graph(amat), x - 1, y - 1, from_zero(given));
}

// `observed` are the nodes that are not hidden, counted from 1; the marks are those of pcalg.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerMatrix cpp_true_pag(const Rcpp::IntegerMatrix& amat,
                                 const Rcpp::IntegerVector& observed) {
  const privpc::Pag graph = privpc::true_pag(read_graph(amat), from_zero(observed));
  const std::vector<int> marks = graph.to_matrix();
  return Rcpp::IntegerMatrix(graph.size(), graph.size(), marks.begin());
}
