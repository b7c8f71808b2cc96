#!/bin/sh
# The C++ core where R was not: its tests for 64-bit Windows (run by wine) and for 64-bit ARM (run by
# qemu), and with Clang and the library of C++ that comes with it (libc++). The adapters of src/ are
# compiled for Windows and with Clang, where a warning is an error, but not linked: the headers of R
# are those of this machine.
#
# A part whose tools are not there is named and counts as skipped. Prints `N passed, N failed, N
# skipped` as its last line; succeeds only if nothing failed.

MAKE=${MAKE:-make}
JOBS=${JOBS:-1}
unset MFLAGS MAKELEVEL MAKEFLAGS
results=build/results/portable
rm -rf "$results"
mkdir -p build/portable "$results"

have() { command -v "$1" > /dev/null 2>&1; }
# What is missing of the tools of a part.
missing() {
  for program in "$@"; do have "$program" || printf ' %s' "$program"; done
}
clang_has_its_library() {
  printf '#include <vector>\nint main() { return std::vector<int>(1)[0]; }\n' > build/portable/try.cpp
  clang++ -stdlib=libc++ build/portable/try.cpp -o build/portable/try 2> /dev/null
}

parts= not_run=
add_part() {
  if [ -z "$2" ]; then
    parts="$parts $1"
  else
    echo "Not run: $3 (not found:$2)."
    not_run="$not_run $1"
    echo "0 0 1" > "$results/$1"
  fi
}
add_part windows "$(missing x86_64-w64-mingw32-g++-posix x86_64-w64-mingw32-objdump wine)" \
  'the tests for Windows'
add_part arm "$(missing aarch64-linux-gnu-g++ qemu-aarch64-static)" 'the tests for ARM'
clang_lacks=$(missing clang++)
[ -n "$clang_lacks" ] || clang_has_its_library || clang_lacks=' libc++'
add_part clang "$clang_lacks" 'the build and the tests with Clang'

if [ -z "$parts" ]; then
  echo '0 passed, 0 failed, 3 skipped'
  exit 0
fi
does() { case " $parts " in *" $1 "*) return 0 ;; *) return 1 ;; esac; }

# What can be built is built, whatever else fails; what could not be built is found missing below.
goals=
for part in $parts; do
  goals="$goals build/portable/$part/tests.exe"
  [ "$part" = arm ] || goals="$goals build/portable/$part/src/all"
  rm -f "build/portable/$part/tests.exe" "build/portable/$part/src/all"
done
# shellcheck disable=SC2086 # lists of words
"$MAKE" --no-print-directory --keep-going -j"$JOBS" $goals || true

# Runs the tests of one part by the command that is given, and leaves their counts. The program
# writes them at its very end.
run_tests() {
  part=$1 left_out=$2
  shift 2
  [ -e "build/portable/$part/tests.exe" ] || return 0
  echo "Running the tests: $part"
  PRIVPC_TEST_COUNTS="$results/$part.part" "$@" > "build/portable/$part/log" 2>&1
  if [ -s "$results/$part.part" ] && read -r p f s < "$results/$part.part"; then
    # What was written on Windows ends with its line ends.
    s=$(printf '%s' "$s" | tr -d '\r')
    echo "$p $f $((s + left_out))" > "$results/$part"
    rm "$results/$part.part"
    [ "$f" -eq 0 ] || cat "build/portable/$part/log"
  else
    cat "build/portable/$part/log"
  fi
  echo "$part: $(tail -n 3 "build/portable/$part/log" | grep 'test cases\|assertions\|All tests')"
}

# One check: says what was found wrong.
check() {
  if [ -z "$3" ]; then echo '1 0 0' > "$results/$1"; else
    echo '0 1 0' > "$results/$1"
    printf '%s:\n%s\n' "$2" "$3"
  fi
}
built() { [ -e "$1" ] || echo "$1 could not be built: see above"; }

# Objects of GCC for Windows may not use registers of 32 bytes (base/has_avx2.hpp). The objects are
# looked at, and not the program, into which the C library is linked; those of the tests have all
# headers. (Those of src/, which are not optimised, take objdump many minutes.)
wide_registers() {
  for object in build/portable/windows/*.o; do
    x86_64-w64-mingw32-objdump -d "$object" | grep -q '%[yz]mm' && echo "$object"
  done
}

on_windows() {
  prefix=$PWD/build/portable/wine
  WINEPREFIX=$prefix WINEDEBUG=-all WINEDLLOVERRIDES='mscoree=;mshtml=' \
    run_tests windows 0 wine build/portable/windows/tests.exe
  # The server of this run alone, whose settings are in its own folder.
  have wineserver && WINEPREFIX=$prefix wineserver -k
}
on_arm() { run_tests arm 0 qemu-aarch64-static build/portable/arm/tests.exe; }

if does arm; then on_arm & fi
if does windows; then
  check windows-registers 'Registers of 32 bytes in objects for Windows' "$(wide_registers)"
  check windows-adapters 'src/ for Windows' "$(built build/portable/windows/src/all)"
  on_windows
fi
if does clang; then
  check clang-adapters 'src/ with Clang' "$(built build/portable/clang/src/all)"
  run_tests clang 0 build/portable/clang/tests.exe
fi
wait

suites=
for part in $parts $not_run; do suites="$suites portable/$part"; done
for part in $parts; do
  case $part in
    windows) suites="$suites portable/windows-registers portable/windows-adapters" ;;
    clang) suites="$suites portable/clang-adapters" ;;
  esac
done
# shellcheck disable=SC2086
sh tools/tally.sh $suites
