#!/bin/sh
# An accidental leak does not compile: every file of tests/cpp/leaks/ has an honest version, which
# must compile, and one that leaks (-DLEAK), which must not. Writes "passed failed skipped" to the
# file that is its first argument.

CXX=${CXX:-c++}
passed=0 failed=0
fail() { failed=$((failed + 1)); echo "$1"; }

for file in tests/cpp/leaks/*.cpp; do
  honest="$CXX -std=c++17 -Iinst/include -fsyntax-only"
  if $honest "$file"; then
    passed=$((passed + 1))
  else
    fail "$file: the honest version does not compile"
  fi
  if $honest -DLEAK "$file" 2> /dev/null; then
    fail "$file: the leak compiles"
  else
    passed=$((passed + 1))
  fi
done

echo "$passed passed, $failed failed"
[ -z "$1" ] || echo "$passed $failed 0" > "$1"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
