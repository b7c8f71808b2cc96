#!/bin/sh
# `make test-page`: pages of publish() in a headless Chromium, driven by node. What is missing is
# installed with apt-get where the user is root; where it cannot be had, the tests are skipped, and
# the last line says so. Pictures and the printed page go to build/page, to be looked at.

RSCRIPT=${RSCRIPT:-Rscript}
have() { command -v "$1" > /dev/null 2>&1; }
have_browser() {
  [ -n "$CHROMIUM" ] || have chromium || have chromium-browser || have google-chrome ||
    have google-chrome-stable
}
skip() {
  echo "0 passed, 0 failed, all skipped: $1"
  exit 0
}

wanted=
have_browser || wanted="chromium fonts-liberation"
have node || wanted="$wanted nodejs"
if [ -n "$wanted" ] && [ "$(id -u)" -eq 0 ] && have apt-get; then
  echo "Installing with apt-get: $wanted"
  # shellcheck disable=SC2086 # a list of words
  { apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -q -y \
    -o DPkg::Lock::Timeout=120 install --no-install-recommends $wanted; } > build/apt.log 2>&1 ||
    echo "apt-get failed (see build/apt.log)."
fi
have_browser || skip "there is no Chromium (its name can be given as CHROMIUM)"
have node || skip "there is no node"

mkdir -p build/page
"$RSCRIPT" tests/browser/pages.R build/page || exit 1
exec node tests/browser/test_page.js build/page
