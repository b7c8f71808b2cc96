#!/bin/sh
# R CMD build and R CMD check --as-cran on a clean copy of what git tracks. Fails on every ERROR and
# WARNING, and on every NOTE that is not in the list of those that no package can avoid.

R=${R:-R} RSCRIPT=${RSCRIPT:-Rscript}
unset MFLAGS MAKELEVEL
MAKEFLAGS=-j${JOBS:-1}
export MAKEFLAGS

rm -rf build/check
mkdir -p build/check
folder=$("$RSCRIPT" tools/tracked.R build/check/sources) || exit 1
folder=$(cd "$folder" && pwd)
cd build/check || exit 1

# Without pandoc the vignettes cannot be made; the rest can still be checked.
if command -v pandoc > /dev/null 2>&1; then
  build_options= check_options=
else
  echo "pandoc was not found: the vignettes are left out of the check."
  build_options=--no-build-vignettes check_options=--ignore-vignettes
fi
# shellcheck disable=SC2086 # empty or one word
"$R" CMD build $build_options "$folder" || exit 1

# These checks ask the network, the clock of a server, or a program that R itself does not bring;
# suggested packages (dagitty) may be absent.
export _R_CHECK_CRAN_INCOMING_=false _R_CHECK_SYSTEM_CLOCK_=0 _R_CHECK_FORCE_SUGGESTS_=false
export _R_CHECK_RD_VALIDATE_RD2HTML_=false _R_CHECK_RD_MATH_RENDERING_=false

# For a suggested package that is absent, R asks CRAN whether it is orphaned, and the whole check
# stops when there is no answer. An empty list is the answer it gets here.
mkdir -p web/packages
"$R" --vanilla -s -e \
  'saveRDS(data.frame(Package = "", Maintainer = "")[0, ], "web/packages/packages.rds")'
export R_CRAN_WEB="file://$PWD"

# shellcheck disable=SC2086
"$R" CMD check --as-cran --no-manual $check_options privpc_*.tar.gz

log=privpc.Rcheck/00check.log
[ -s "$log" ] || { echo "R CMD check left no log."; exit 1; }

# Known notes: flags that Debian's R adds to every compilation, the size of unstripped C++
# libraries, and suggested packages that this machine lacks. R's own count in the last line is
# the judge: a note that is not recognised here is a problem.
awk '
  function judge() {
    if (heading !~ /NOTE$/) return
    if (heading ~ /compilation flags used|installed package size/ ||
        (heading ~ /package dependencies/ && body ~ /^Packages? suggested but not available/)) {
      known++
      print "Known and left aside: " heading
    }
  }
  /^\* / { judge(); heading = $0; body = ""; next }
  /^Status: / { status = $0; next }
  { body = body $0 }
  END {
    reported = status ~ /NOTE/ ? status : "0"
    sub(/ NOTEs?.*/, "", reported)
    sub(/.*[^0-9]/, "", reported)
    clean = status != "" && status !~ /ERROR|WARNING/ && reported + 0 == known + 0
    print clean ? "R CMD check is clean." : "R CMD check found problems. " status
    exit !clean
  }
' "$log"
