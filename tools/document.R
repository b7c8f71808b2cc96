# Writes everything that is generated from comments: NAMESPACE, man/, R/RcppExports.R and
# src/RcppExports.cpp. The namespace comes first, because Rcpp reads from it how the compiled
# code is registered.

roxygen2::roxygenise(roclets = "namespace", load_code = "source")
Rcpp::compileAttributes()
roxygen2::roxygenise(load_code = "source")
