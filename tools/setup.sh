#!/bin/sh
# Installs what is missing. Called by make with what is to be done, for instance
#   sh tools/setup.sh run test
# Debian's ready-made packages are used where there is apt-get, the user is root and R is Debian's
# own; everything else comes from CRAN (tools/setup.R). When nothing is missing this is one quick
# look, and nothing is printed.

RSCRIPT=${RSCRIPT:-Rscript}
# R's own compile jobs must not join the make that called us.
unset MAKEFLAGS MFLAGS MAKELEVEL
mkdir -p build

have() { command -v "$1" > /dev/null 2>&1; }
can_use_apt() { [ "$(id -u)" -eq 0 ] && have apt-get; }

refreshed=
refresh_apt() {
  [ -z "$refreshed" ] || return 0
  refreshed=yes
  echo "Refreshing apt-get's list of packages"
  export DEBIAN_FRONTEND=noninteractive
  apt-get -q -o DPkg::Lock::Timeout=120 update > build/apt.log 2>&1 ||
    echo "apt-get update failed; going on with the lists that are there."
}

# One call for all packages that this release of Debian has; the others are left to CRAN.
apt_install() {
  refresh_apt
  known=
  for name in "$@"; do
    if apt-cache show "$name" > /dev/null 2>&1; then known="$known $name"; fi
  done
  [ -n "$known" ] || return 0
  echo "Installing with apt-get:$known"
  # shellcheck disable=SC2086 # a list of words
  if ! apt-get -q -y -o DPkg::Lock::Timeout=120 install --no-install-recommends $known \
    >> build/apt.log 2>&1; then
    tail -n 5 build/apt.log
    echo "apt-get failed (see build/apt.log)."
  fi
}

have_compiler() { have c++ || have g++ || have clang++; }

# R itself and a compiler. Another R than the usual one is for the user to install.
if ! have "$RSCRIPT" || ! have_compiler; then
  if can_use_apt && { [ "$RSCRIPT" = Rscript ] || have "$RSCRIPT"; }; then
    apt_install r-base-dev
  fi
  if ! have "$RSCRIPT"; then
    echo "R was not found. Install R 4.2 or newer, then run make again."
    exit 1
  fi
  if ! have_compiler; then
    echo "No C++ compiler was found. Install one that knows C++17, then run make again."
    exit 1
  fi
fi

"$RSCRIPT" tools/setup.R look "$@" || exit 1
packages=$(cat build/missing)
programs=
case " $* " in
  *" check "*) wanted_programs="pandoc qpdf" ;;
  *" site "* | *" test "*) wanted_programs=pandoc ;;
  *) wanted_programs= ;;
esac
for program in $wanted_programs; do
  have "$program" || programs="$programs $program"
done
# Servers that tests start and stop. Debian keeps the programs of PostgreSQL out of the path.
has_server() {
  case $1 in
    postgresql) have initdb || ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1 ;;
    *) have "$1" ;;
  esac
}
wanted_servers=
case " $* " in *" test "*) wanted_servers=postgresql ;; esac
case " $* " in *" engines "*) wanted_servers="$wanted_servers clickhouse-server" ;; esac
servers=
for server in $wanted_servers; do
  if can_use_apt && ! has_server "$server" && [ ! -e "build/no-$server" ]; then
    servers="$servers $server"
  fi
done
# Compilers and emulators for `make portable`, which says what it does without those that are
# missing. Tried once.
install_emulators() {
  wanted=
  have x86_64-w64-mingw32-g++-posix || wanted="$wanted g++-mingw-w64-x86-64"
  have wine || wanted="$wanted wine wine64"
  have aarch64-linux-gnu-g++ || wanted="$wanted g++-aarch64-linux-gnu"
  have qemu-aarch64-static || wanted="$wanted qemu-user-static"
  have clang++ || wanted="$wanted clang"
  ls /usr/lib/*/libc++.so > /dev/null 2>&1 || wanted="$wanted libc++-dev libc++abi-dev"
  [ -n "$wanted" ] || return 0
  # shellcheck disable=SC2086 # a list of words
  apt_install $wanted
  touch build/no-emulators
}
case " $* " in
  *" portable "*) if can_use_apt && [ ! -e build/no-emulators ]; then install_emulators; fi ;;
esac
# A locale that writes numbers with a comma, for tests of what programs read. Tried once.
install_comma_locale() {
  apt_install locales
  localedef -i de_DE -f UTF-8 de_DE.UTF-8 || echo "No locale with a decimal comma could be made."
  touch build/no-comma-locale
}
case " $* " in
  *" test "*)
    if can_use_apt && [ ! -e build/no-comma-locale ] && ! locale -a | grep -q '^de_DE'; then
      install_comma_locale
    fi
    ;;
esac
# clang with libFuzzer, whose runtime is a package of its own in some releases.
tools=
case " $* " in
  *" memory "*) if can_use_apt && ! have valgrind; then apt_install valgrind; fi ;;
esac
case " $* " in
  *" fuzz "*) if can_use_apt && ! have "${FUZZ_CXX:-clang++}"; then tools=clang; fi ;;
esac
if [ -n "$tools" ]; then
  apt_install clang
  version=$(clang++ -dumpversion 2> /dev/null | cut -d. -f1)
  [ -z "$version" ] || apt_install "libclang-rt-$version-dev"
fi
[ -n "$packages$programs$servers" ] || exit 0

# Packages for Debian's R are of no use to an R that was installed in another place.
if can_use_apt && [ "$("$RSCRIPT" --vanilla -e 'cat(normalizePath(R.home()))')" = /usr/lib/R ]; then
  wanted=$programs
  for package in $packages; do
    wanted="$wanted r-cran-$(echo "$package" | tr '[:upper:]' '[:lower:]')"
  done
  # What RPostgres is compiled with, and what it needs.
  case $packages in
    *RPostgres*) wanted="$wanted libpq-dev r-cran-hms r-cran-lubridate r-cran-blob" ;;
  esac
  # shellcheck disable=SC2086
  apt_install $wanted
  # By calls of their own, and not again if they cannot be had: tests that need them are skipped.
  for server in $servers; do
    case $server in
      # In runlevel 1 nothing is started, and tests start servers of their own.
      clickhouse-server) (export RUNLEVEL=1; apt_install clickhouse-server clickhouse-client) ;;
      *) apt_install "$server" ;;
    esac
    has_server "$server" || touch "build/no-$server"
  done
  # What dagitty needs comes by a call of its own: if that is impossible beside what is installed
  # (a node.js from elsewhere), the others are there nevertheless.
  case $packages in
    *dagitty*) apt_install r-cran-v8 ;;
  esac
fi

for program in $programs; do
  have "$program" ||
    echo "The program $program was not found: test and check do less without it, and site needs pandoc."
done
exec "$RSCRIPT" tools/setup.R install "$@"
