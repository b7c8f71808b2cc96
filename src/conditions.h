// The one place where errors of the core become conditions of R. An error with a name
// (privpc/base/errors.hpp) gets the class "privpc_core_<name>" and its facts as elements, so that R
// asks for the class; all others go the way of Rcpp.
#pragma once

#include <Rcpp.h>

#include <string>

#include "privpc/base/errors.hpp"

namespace privpc_r {

inline SEXP condition_of(const privpc::NamedError& error) {
  Rcpp::List condition =
      Rcpp::List::create(Rcpp::_["message"] = error.what(), Rcpp::_["call"] = R_NilValue);
  for (const auto& [name, text] : error.texts())
    condition.push_back(text, name);
  for (const auto& [name, number] : error.numbers())
    condition.push_back(number, name);
  condition.attr("class") = Rcpp::CharacterVector::create(
      std::string("privpc_core_") + error.name(), "privpc_core_error", "error", "condition");
  return condition;
}

}  // namespace privpc_r
