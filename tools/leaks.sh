#!/bin/sh
# An accidental leak does not compile: every file of tests/cpp/leaks/ has an honest version, which
# must compile, and one that leaks (-DLEAK), which must not, for the reason that stands in its line
# "expected:". Writes "passed failed skipped" to the file that is its first argument.

CXX=${CXX:-c++}
passed=0 failed=0
fail() { failed=$((failed + 1)); echo "$1"; }

for file in tests/cpp/leaks/*.cpp; do
  compile="$CXX -std=c++17 -Iinst/include -fsyntax-only"
  expected=$(sed -n 's|^// expected: ||p' "$file")
  if $compile "$file"; then
    passed=$((passed + 1))
  else
    fail "$file: the honest version does not compile"
  fi
  if said=$(LC_ALL=C $compile -DLEAK "$file" 2>&1); then
    fail "$file: the leak compiles"
  elif [ -n "$expected" ] && echo "$said" | grep 'error:' | grep -E -q "$expected"; then
    passed=$((passed + 1))
  else
    fail "$file: the leak does not compile, but for another reason than expected"
    echo "$said"
  fi
done

echo "$passed passed, $failed failed"
[ -z "$1" ] || echo "$passed $failed 0" > "$1"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
