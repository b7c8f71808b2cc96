/* What `make memory` must notice: an object that nobody protects, and a look past the end. */
#include <R.h>
#include <Rinternals.h>
#include <stdlib.h>

/* The first vector may be collected while the others are made. */
SEXP unprotected(void) {
  SEXP lost = Rf_allocVector(INTSXP, 1000);
  for (int i = 0; i < 1000; ++i)
    INTEGER(lost)[i] = i;
  for (int i = 0; i < 100; ++i) {
    SEXP other = Rf_allocVector(INTSXP, 1000);
    for (int j = 0; j < 1000; ++j)
      INTEGER(other)[j] = -1;
  }
  return lost;
}

SEXP past_the_end(void) {
  volatile int *few = malloc(10 * sizeof(int));
  int sum = 0;
  for (int i = 0; i <= 10; ++i)
    sum += few[i] > 0;
  return Rf_ScalarInteger(sum);
}
