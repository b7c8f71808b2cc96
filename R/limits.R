# Limits and defaults that the core owns (src/limits.cpp), read once when the package is loaded. A
# default that stands in the usage of a function is written there; the tests hold it against these.

core_limits <- new.env(parent = emptyenv())

.onLoad <- function(libname, pkgname) {
  list2env(cpp_limits(), core_limits)
  cpp_heed_interrupts()
}
