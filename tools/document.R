# Writes everything that is generated from comments: NAMESPACE, man/, R/RcppExports.R and
# src/RcppExports.cpp. The namespace comes first, because Rcpp reads from it how the compiled
# code is registered.

# Two functions of one name in different files: R would silently take the last.
defined <- unlist(lapply(list.files("R", full.names = TRUE), function(file) {
  assigned <- Filter(
    function(e) is.call(e) && identical(e[[1L]], as.symbol("<-")) && is.symbol(e[[2L]]), parse(file)
  )
  vapply(assigned, function(e) as.character(e[[2L]]), "")
}))
if (anyDuplicated(defined)) {
  stop("defined more than once: ", toString(unique(defined[duplicated(defined)])))
}

roxygen2::roxygenise(roclets = "namespace", load_code = "source")
Rcpp::compileAttributes()
# Because RcppEigen is linked to, Rcpp includes all of it in the exports, which use nothing of it.
exports <- readLines("src/RcppExports.cpp")
writeLines(exports[exports != "#include <RcppEigen.h>"], "src/RcppExports.cpp")
roxygen2::roxygenise(load_code = "source")
