#!/bin/sh
# The one place that adds up the results of the tests: of the suites that are named, else of those of
# `make test`. Each suite leaves "passed failed skipped" in build/results/<suite> when it has come to
# its end. A suite that left nothing crashed or could not be built: that is a failure too, never
# "0 failed".
# Prints `N passed, N failed, N skipped` as its last line; succeeds only if nothing failed.

passed=0 failed=0 skipped=0
[ $# -gt 0 ] || set -- cpp leaks r mutants
for suite in "$@"; do
  if [ -s "build/results/$suite" ] && read -r p f s < "build/results/$suite"; then
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
  else
    echo "The suite '$suite' did not come to its end: counted as one failure."
    failed=$((failed + 1))
  fi
done

# Nothing failed because nothing was tested is not a success.
if [ "$passed" -eq 0 ] && [ "$failed" -eq 0 ]; then
  echo "No test was run: counted as one failure."
  failed=1
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
