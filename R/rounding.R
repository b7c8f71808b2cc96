# The numbers of a promise as text. A promise that is printed must hold: what may be lost (epsilon,
# delta, rho as a price) is rounded up, what is left of a budget is rounded down. Promises and what
# is left pass through one of these two functions wherever they are printed, drawn or told. (A
# message that repeats an argument of the user's shows it to the nearest digit.)
#
# What "up" means to the last bit: the text, read back as a double, is never below the number. So
# 0.1 stays "0.1" and 1e-6 stays "1e-06", although neither is a double, and 1.00049 is "1.001" in
# four digits. Digits in front of the point are never cut: 123456.7 is "123457".

text_up <- function(x, digits = 4L) rounded_text(x, digits, up = TRUE)

text_down <- function(x, digits = 4L) rounded_text(x, digits, up = FALSE)

# For numbers of at least 0.
rounded_text <- function(x, digits, up) {
  local_decimal_point()
  vapply(as.double(x), function(number) {
    if (is.na(number) || number == 0 || is.infinite(number)) return(format(number))
    whole <- floor(log10(number)) + 1
    # Beyond 15 digits a double cannot be read back from its decimals.
    digits <- as.integer(min(15, max(digits, whole)))
    parts <- strsplit(sprintf("%.*e", digits - 1L, number), "e", fixed = TRUE)[[1L]]
    steps <- as.double(sub(".", "", parts[[1L]], fixed = TRUE))
    place <- as.integer(parts[[2L]]) - digits + 1L
    # The nearest number of so many digits, moved on while it is on the wrong side.
    read_back <- function() as.double(sprintf("%.0fe%d", steps, place))
    while (if (up) read_back() < number else read_back() > number) {
      steps <- steps + if (up) 1 else -1
      # Below a power of ten a step is ten times smaller: under 1.000 comes 0.9999, not 0.999.
      if (!up && steps < 10^(digits - 1L)) {
        steps <- 10 * steps + 9
        place <- place - 1L
      }
    }
    format(read_back(), digits = 15L, decimal.mark = ".")
  }, "", USE.NAMES = FALSE)
}
