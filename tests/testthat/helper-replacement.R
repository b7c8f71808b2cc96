# Runs `code` while a function of the package, or of another one, is another one: to see what it is
# handed, or that it is not called at all.
with_replacement <- function(name, replacement, code, package = "privpc") {
  package <- asNamespace(package)
  original <- get(name, package)
  put <- function(value) {
    unlockBinding(name, package)
    assign(name, value, package)
    lockBinding(name, package)
  }
  on.exit(put(original))
  put(replacement)
  code
}
