# Writes the counts of inst/security.md anew from the result files: Rscript tools/security.R

source("tests/testthat/helper-security.R")
file <- "inst/security.md"
parts <- between_marks(readLines(file))
writeLines(c(parts$before, security_lines("inst"), parts$after), file)
cat("Written: ", file, "\n", sep = "")
