#!/bin/sh
# R CMD INSTALL of build/package into build/lib, with a line every 15 seconds: on a slow machine it
# takes minutes, and silence looks like a crash. All that the compiler says is in build/install.log,
# and shown if the package was not built.

R=${R:-R}
files=0 compiled=0
for file in build/package/src/*.cpp; do
  files=$((files + 1))
  [ -e "${file%.cpp}.o" ] && compiled=$((compiled + 1))
done
left=$((files - compiled))
if [ "$left" -gt 3 ]; then
  echo "Building privpc into build/lib: $left C++ files, one to five minutes on two cores"
else
  echo 'Building privpc into build/lib'
fi

: > build/install.log
# Compilers are started by lines with these two words, whatever their names are.
started() { grep -c ' -c .*[.]cpp' build/install.log; }
tell() {
  seconds=0
  while :; do
    # Not as a part of our output, which would stay open after the end.
    sleep 1 > /dev/null 2>&1
    seconds=$((seconds + 1))
    [ $((seconds % 15)) -eq 0 ] || continue
    now=$(started)
    if [ "$now" -lt "$left" ]; then
      echo "  after $seconds seconds: file $now of $left"
    else
      echo "  after $seconds seconds: the last files, then R's code"
    fi
  done
}
tell &
teller=$!
# Also when somebody loses patience.
trap 'kill "$teller" 2> /dev/null' EXIT
trap 'exit 130' INT TERM

"$R" CMD INSTALL --library="$PWD/build/lib" build/package > build/install.log 2>&1 || {
  cat build/install.log
  echo 'The package was not built.'
  exit 1
}
