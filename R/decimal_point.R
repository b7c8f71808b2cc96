# Numbers as text, with a decimal point. R writes numbers with the mark that options(OutDec) and the
# locale (LC_NUMERIC) ask for, but reads them with a point only, and so do data bases, browsers and
# other programs. Whatever writes a number that anything but a person will read begins with this:
# until the function around it ends, numbers are written with a point.
local_decimal_point <- function(frame = parent.frame()) {
  mark <- getOption("OutDec")
  numeric <- if (Sys.localeconv()[["decimal_point"]] != ".") Sys.getlocale("LC_NUMERIC")
  if (identical(mark, ".") && is.null(numeric)) return(invisible())
  options(OutDec = ".")
  set_numeric_locale("C")
  restore <- rlang::call2(restore_decimal_mark, mark, numeric)
  do.call(on.exit, list(restore, add = TRUE), envir = frame)
}

restore_decimal_mark <- function(mark, numeric) {
  options(OutDec = mark)
  set_numeric_locale(numeric)
}

# R warns of any locale but "C", and so when the user's own is put back.
set_numeric_locale <- function(locale) {
  if (!is.null(locale)) suppressWarnings(Sys.setlocale("LC_NUMERIC", locale))
}
