#' @keywords internal
#' @importFrom Rcpp evalCpp
#' @useDynLib privpc, .registration = TRUE
"_PACKAGE"
