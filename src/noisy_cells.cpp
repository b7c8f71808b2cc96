// Adapters of R/noisy_cells.R and R/edge_strength.R: tables in their orthonormal basis, and graphs
// from measurements with other noise. All of it is public.
#include <Rcpp.h>

#include <vector>

#include "graph_input.h"
#include "measurements_io.h"
#include "noisy_rules.h"
#include "privpc/learners/marginal_pc.hpp"
#include "privpc/marginals/known_coefficients.hpp"
#include "r_monitor.h"

namespace {

using Store = Rcpp::XPtr<privpc::Measurements>;

std::vector<std::uint32_t> as_levels(const Rcpp::IntegerVector& levels) {
  return std::vector<std::uint32_t>(levels.begin(), levels.end());
}

Rcpp::NumericMatrix as_columns(const std::vector<double>& numbers, std::size_t rows) {
  return Rcpp::NumericMatrix(static_cast<int>(rows), static_cast<int>(numbers.size() / rows),
                             numbers.begin());
}

// Bit i: position i + 1.
Rcpp::List as_positions(const std::vector<std::uint32_t>& masks) {
  Rcpp::List out;
  for (std::uint32_t mask : masks) {
    Rcpp::IntegerVector set;
    for (int i = 0; i < 32; ++i) {
      if ((mask >> i & 1) != 0) set.push_back(i + 1);
    }
    out.push_back(set);
  }
  return out;
}

}  // namespace

// All that was measured, held for many questions; what was measured twice is averaged.
// [[Rcpp::export(rng = false)]]
SEXP cpp_open_measurements(const Rcpp::IntegerVector& levels, double rows,
                           const Rcpp::Nullable<Rcpp::List>& tables,
                           const Rcpp::Nullable<Rcpp::List>& families) {
  Store store(new privpc::Measurements(privpc_r::measured_schema(levels, rows)), true);
  privpc_r::read_tables(tables, *store);
  privpc_r::read_tables(families, *store);
  return store;
}

// The table of the variables at these positions, in this order; see known_coefficients.hpp.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_noisy_table(SEXP measurements, const Rcpp::IntegerVector& at) {
  const Store store(measurements);
  std::vector<std::size_t> variables;
  std::size_t cells = 1;
  for (int i : at) {
    variables.push_back(static_cast<std::size_t>(i - 1));
    cells *= store->schema().levels(variables.back());
  }
  const privpc::KnownCoefficients known = privpc::known_coefficients(*store, variables);
  return Rcpp::List::create(
      Rcpp::_["levels"] = Rcpp::IntegerVector(known.levels.begin(), known.levels.end()),
      Rcpp::_["basis"] = as_columns(known.basis, cells), Rcpp::_["value"] = known.values,
      Rcpp::_["variance"] = known.variances, Rcpp::_["sets"] = as_positions(known.sets),
      Rcpp::_["belongs"] = Rcpp::IntegerVector(known.belongs.begin(), known.belongs.end()),
      Rcpp::_["missing"] = as_positions(known.missing));
}

// NULL if the set was not measured.
// [[Rcpp::export(rng = false)]]
SEXP cpp_measured_contrasts(SEXP measurements, const Rcpp::IntegerVector& set) {
  const Store store(measurements);
  const privpc::Measured* measured = store->find(privpc_r::read_set(set));
  if (measured == nullptr) return R_NilValue;
  return Rcpp::wrap(measured->values);
}

// Columns of the basis of a table that belong to the contrasts of some of its variables.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_basis_columns(const Rcpp::IntegerVector& levels,
                                      const Rcpp::IntegerVector& inside) {
  std::uint32_t mask = 0;
  for (int i : inside)
    mask |= 1u << (i - 1);
  std::size_t cells = 1;
  for (int k : levels)
    cells *= static_cast<std::size_t>(k);
  return as_columns(privpc::basis_columns(as_levels(levels), mask), cells);
}

// The contrasts of a table, the last variable running fastest.
// [[Rcpp::export(rng = false)]]
std::vector<double> cpp_contrasts_of_table(const std::vector<double>& cells,
                                           const Rcpp::IntegerVector& levels) {
  return privpc::contrasts_of_table(cells, as_levels(levels));
}

// The graphs that measurements with other values give: one column of `values` for each, all
// contrasts of all sets one after the other. Returns, summed over the graphs, whether x and y are
// joined, and the arrows from x to y, an undirected edge counting one half each way.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_count_graphs(SEXP measurements, const Rcpp::NumericMatrix& values,
                            const Rcpp::List& rules, const Rcpp::IntegerMatrix& required,
                            const Rcpp::IntegerMatrix& forbidden) {
  const Store opened(measurements);
  privpc::Measurements store = *opened;
  std::size_t contrasts = 0;
  for (const auto& entry : store.entries())
    contrasts += entry.second.values.size();
  if (static_cast<std::size_t>(values.nrow()) != contrasts) {
    Rcpp::stop("the values are not those of the measurements");
  }
  const int p = static_cast<int>(store.schema().size());
  const privpc::Knowledge knowledge = privpc_r::read_knowledge(p, required, forbidden);
  const privpc::TableSearch search = privpc_r::read_search(rules);
  privpc_r::RMonitor monitor(R_NilValue);
  Rcpp::NumericMatrix edges(p, p), arrows(p, p);
  for (int draw = 0; draw < values.ncol(); ++draw) {
    store.replace_values(&values(0, draw));
    const privpc::Pdag graph = privpc::learn_from_tables(store, search, knowledge, &monitor).graph;
    for (int x = 0; x < p; ++x) {
      for (int y : graph.neighbours(x)) {
        edges(x, y) += 1;
        if (!graph.is_directed(y, x)) arrows(x, y) += graph.is_directed(x, y) ? 1 : 0.5;
      }
    }
  }
  return Rcpp::List::create(Rcpp::_["edges"] = edges, Rcpp::_["arrows"] = arrows);
}
