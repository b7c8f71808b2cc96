// A fit of the core in the form in which R takes it: matrices and separating sets with names, in
// the order of the user's columns. In R this would take longer than learning a small graph.
#pragma once

#include <Rcpp.h>

#include <vector>

#include "ledger_output.h"
#include "measurements_io.h"
#include "privpc/learners/fit.hpp"

namespace privpc_r {

// From the core's order of the variables, sorted by name, to that of the user's columns.
class NodeNames {
 public:
  NodeNames(const Rcpp::CharacterVector& sorted, const Rcpp::CharacterVector& nodes)
      : sorted_(sorted), nodes_(Rcpp::no_init(nodes.size())) {
    // R's own match() knows that the same text may come in two encodings.
    place_ = Rf_match(sorted, nodes, 0);
    if (nodes.size() != sorted.size() || Rcpp::is_true(Rcpp::any(place_ == 0)))
      Rcpp::stop("the names of the variables and the nodes are not the same");
    for (R_xlen_t i = 0; i < nodes.size(); ++i)  // nothing rides on the names
      SET_STRING_ELT(nodes_, i, STRING_ELT(nodes, i));
  }

  const Rcpp::CharacterVector& nodes() const { return nodes_; }

  // Rows and columns in the order of the nodes; entry(x, y) in the core's numbers.
  template <class Entry>
  Rcpp::IntegerMatrix matrix(const Entry& entry) const {
    const int p = static_cast<int>(nodes_.size());
    Rcpp::IntegerMatrix out(Rcpp::no_init(p, p));
    for (int y = 0; y < p; ++y) {
      for (int x = 0; x < p; ++x)
        out(x, y) = entry(place_[x] - 1, place_[y] - 1);
    }
    Rf_setAttrib(out, R_DimNamesSymbol, Rcpp::List::create(nodes_, nodes_));
    return out;
  }

  SEXP name(std::size_t variable) const {
    return STRING_ELT(sorted_, static_cast<R_xlen_t>(variable));
  }

 private:
  Rcpp::CharacterVector sorted_, nodes_;
  Rcpp::IntegerVector place_;
};

inline Rcpp::List wrap_separations(const std::vector<privpc::Separation>& separations,
                                   const NodeNames& names) {
  const auto count = static_cast<R_xlen_t>(separations.size());
  Rcpp::CharacterVector x(Rcpp::no_init(count)), y(Rcpp::no_init(count));
  Rcpp::List given(count);
  for (R_xlen_t i = 0; i < count; ++i) {
    const privpc::Separation& found = separations[static_cast<std::size_t>(i)];
    SET_STRING_ELT(x, i, names.name(found.x));
    SET_STRING_ELT(y, i, names.name(found.y));
    // By R's own functions: there are many small vectors, and Rcpp would keep a record of each.
    SEXP set = Rf_allocVector(STRSXP, static_cast<R_xlen_t>(found.given.size()));
    SET_VECTOR_ELT(given, i, set);
    for (std::size_t z = 0; z < found.given.size(); ++z)
      SET_STRING_ELT(set, static_cast<R_xlen_t>(z), names.name(found.given[z]));
  }
  Rcpp::List out = Rcpp::List::create(Rcpp::_["x"] = x, Rcpp::_["y"] = y, Rcpp::_["given"] = given);
  // R's short form of the row names 1, 2, ..., n.
  out.attr("row.names") = Rcpp::IntegerVector::create(NA_INTEGER, -static_cast<int>(count));
  out.attr("class") = "data.frame";
  return out;
}

// `sorted`: the variables as the core numbers them; `nodes`: the user's columns.
inline Rcpp::List wrap_fit(const privpc::Fit& fit, const Rcpp::CharacterVector& sorted,
                           const Rcpp::CharacterVector& nodes) {
  const NodeNames names(sorted, nodes);
  const privpc::Pdag& graph = fit.graph;
  int by_empty_cells = 0;
  for (const privpc::Separation& found : fit.separations)
    by_empty_cells += found.by_empty_cells;
  const Rcpp::List measured = fit.tables ? wrap_measurements(*fit.tables) : Rcpp::List();
  const Rcpp::List families = fit.families ? wrap_measurements(*fit.families) : Rcpp::List();
  return Rcpp::List::create(
      Rcpp::_["amat"] = names.matrix([&](int x, int y) {
        return static_cast<int>(graph.is_adjacent(x, y) && !graph.is_directed(y, x));
      }),
      Rcpp::_["skeleton"] =
          names.matrix([&](int x, int y) { return static_cast<int>(graph.is_adjacent(x, y)); }),
      Rcpp::_["sepsets"] = wrap_separations(fit.separations, names),
      Rcpp::_["nodes"] = names.nodes(),
      Rcpp::_["tests"] = Rcpp::NumericVector(fit.tests.begin(), fit.tests.end()),
      Rcpp::_["cut_short"] = fit.cut_short, Rcpp::_["by_empty_cells"] = by_empty_cells,
      Rcpp::_["ledger"] = wrap_entries(fit.ledger), Rcpp::_["repeatable"] = fit.repeatable,
      Rcpp::_["tables"] = measured, Rcpp::_["families"] = families,
      // As far as it is public.
      Rcpp::_["n"] = fit.tables ? fit.tables->rows() : NA_REAL);
}

}  // namespace privpc_r
