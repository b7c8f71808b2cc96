#!/bin/sh
# Which room of the core includes which, the format of the C++ files (clang-format) and the style of
# the R files (lintr). A tool that is not installed is named and left out.

RSCRIPT=${RSCRIPT:-Rscript}
status=0

"$RSCRIPT" -e '
  source("tests/testthat/helper-rooms.R")
  wrong <- wrong_includes("inst/include/privpc")
  cat(wrong, sep = "\n")
  quit(status = as.integer(length(wrong) > 0L))
' || status=1

if command -v clang-format > /dev/null 2>&1; then
  find inst/include src tests/cpp tests/fuzz \( -name '*.hpp' -o -name '*.cpp' -o -name '*.h' \) \
    ! -name RcppExports.cpp -exec clang-format --dry-run -Werror {} + || status=1
else
  echo "clang-format is not installed: the C++ files were not checked."
fi

"$RSCRIPT" -e '
  if (!requireNamespace("lintr", quietly = TRUE)) {
    cat("lintr is not installed: the R files were not checked.\n")
    quit(status = 0L)
  }
  found <- lintr::lint_package()
  print(found)
  quit(status = as.integer(length(found) > 0L))
' || status=1

exit "$status"
