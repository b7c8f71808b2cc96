// Graphs as R matrices (row = from, undirected = both) in and out of the graph room.

#include <Rcpp.h>

#include <optional>
#include <vector>

#include "privpc/graph/cpdag.hpp"
#include "privpc/graph/directed_paths.hpp"
#include "privpc/graph/dsep.hpp"
#include "privpc/graph/extension.hpp"
#include "privpc/graph/orient.hpp"

namespace {

using privpc::Arc;
using privpc::Pdag;

Pdag as_pdag(const Rcpp::IntegerMatrix& amat) {
  return Pdag::from_matrix(amat.begin(), amat.nrow());
}

// Names are taken over from the matrix that came in.
Rcpp::IntegerMatrix as_matrix(const Pdag& graph, const Rcpp::IntegerMatrix& like) {
  const std::vector<int> entries = graph.to_matrix();
  Rcpp::IntegerMatrix result(graph.size(), graph.size(), entries.begin());
  if (like.hasAttribute("dimnames")) result.attr("dimnames") = like.attr("dimnames");
  return result;
}

// Two columns, from and to, counted from 1 as in R.
std::vector<Arc> as_arcs(const Rcpp::IntegerMatrix& arcs) {
  std::vector<Arc> result;
  for (int i = 0; i < arcs.nrow(); ++i)
    result.push_back({arcs(i, 0) - 1, arcs(i, 1) - 1});
  return result;
}

privpc::Knowledge as_knowledge(int n_nodes, const Rcpp::IntegerMatrix& required,
                               const Rcpp::IntegerMatrix& forbidden) {
  return privpc::Knowledge(n_nodes, as_arcs(required), as_arcs(forbidden));
}

std::vector<int> from_zero(const Rcpp::IntegerVector& numbers) {
  std::vector<int> result(numbers.begin(), numbers.end());
  for (int& number : result)
    --number;
  return result;
}

}  // namespace

// [[Rcpp::export(rng = false)]]
bool cpp_is_acyclic(const Rcpp::IntegerMatrix& amat) {
  return privpc::is_acyclic(as_pdag(amat));
}

// [[Rcpp::export(rng = false)]]
Rcpp::IntegerMatrix cpp_dag_to_cpdag(const Rcpp::IntegerMatrix& amat,
                                     const Rcpp::IntegerMatrix& required,
                                     const Rcpp::IntegerMatrix& forbidden) {
  const privpc::Knowledge knowledge = as_knowledge(amat.nrow(), required, forbidden);
  return as_matrix(privpc::dag_to_cpdag(as_pdag(amat), knowledge), amat);
}

// NULL if the graph has no consistent extension.
// [[Rcpp::export(rng = false)]]
Rcpp::RObject cpp_pdag_to_cpdag(const Rcpp::IntegerMatrix& amat) {
  const std::optional<Pdag> cpdag = privpc::pdag_to_cpdag(as_pdag(amat));
  if (!cpdag) return R_NilValue;
  return as_matrix(*cpdag, amat);
}

// A DAG with all arcs of the graph; NULL if they contain a cycle.
// [[Rcpp::export(rng = false)]]
Rcpp::RObject cpp_extend_to_dag(const Rcpp::IntegerMatrix& amat, const Rcpp::IntegerVector& rank) {
  const Pdag graph = as_pdag(amat);
  if (!privpc::is_acyclic(graph)) return R_NilValue;
  return as_matrix(privpc::extend_to_dag(graph, from_zero(rank)).dag, amat);
}

// Nodes and ranks are counted from 1.
// [[Rcpp::export(rng = false)]]
bool cpp_is_d_separated(const Rcpp::IntegerMatrix& amat, int x, int y,
                        const Rcpp::IntegerVector& given) {
  return privpc::is_d_separated(as_pdag(amat), x - 1, y - 1, from_zero(given));
}

// [[Rcpp::export(rng = false)]]
Rcpp::IntegerMatrix cpp_orient(const Rcpp::IntegerMatrix& skeleton, const Rcpp::IntegerVector& x,
                               const Rcpp::IntegerVector& y, const Rcpp::List& given,
                               const Rcpp::NumericVector& strength,
                               const Rcpp::IntegerMatrix& required,
                               const Rcpp::IntegerMatrix& forbidden,
                               const Rcpp::IntegerVector& rank) {
  std::vector<privpc::Separation> separations;
  for (R_xlen_t i = 0; i < x.size(); ++i) {
    separations.push_back({x[i] - 1, y[i] - 1, from_zero(given[i]), strength[i]});
  }
  const privpc::Knowledge knowledge = as_knowledge(skeleton.nrow(), required, forbidden);
  return as_matrix(privpc::orient(as_pdag(skeleton), separations, knowledge, from_zero(rank)),
                   skeleton);
}
