// Included by RcppExports.cpp, by its name: adds a clause to those with which Rcpp ends every
// exported function, so that no adapter has to catch anything itself.
#pragma once

#include "conditions.h"

// The first brace ends the function's try block; VOID_END_RCPP begins with the one that ends this
// clause, and throws what was caught once all C++ objects are gone.
#undef END_RCPP
#define END_RCPP                                                    \
  }                                                                 \
  catch (const privpc::NamedError& error) {                         \
    rcpp_output_type = 2;                                           \
    rcpp_output_condition = PROTECT(privpc_r::condition_of(error)); \
    ++nprot;                                                        \
    VOID_END_RCPP return R_NilValue;
