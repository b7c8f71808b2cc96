#!/bin/sh
# R CMD INSTALL of build/package into build/lib, with a line for every few files that are compiled:
# on a slow machine that takes minutes, and silence looks like a crash. All that the compiler says
# is in build/install.log, and shown if the package was not built.

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

rm -f build/install.ok build/install.log
{
  "$R" CMD INSTALL --library="$PWD/build/lib" build/package 2>&1 && touch build/install.ok
} | {
  # Not awk: some of them wait for a full buffer.
  done=0
  while IFS= read -r line; do
    printf '%s\n' "$line" >> build/install.log
    case $line in
      *' -c '*.cpp*) done=$((done + 1)) ;;
      *) continue ;;
    esac
    [ "$left" -gt 3 ] && [ $((done % 5)) -eq 0 ] && echo "  $done of $left files"
  done
}
[ -e build/install.ok ] || { cat build/install.log; echo 'The package was not built.'; exit 1; }
