# The commands of privpc. `make help` lists them.
#
# Everything made here goes into build/: the package is copied to build/package,
# compiled there and installed into build/lib, so neither the sources nor the
# user's own R library are touched. `make install` is the one exception.
#
# Only relative paths are used in rules, so that the folder may have spaces in its name.

R ?= R
RSCRIPT ?= Rscript
ifeq ($(origin CXX),default)
CXX := c++
endif
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)

# R sees the freshly built package before any other.
with_library = R_LIBS="$$PWD/build/lib$${R_LIBS:+:$$R_LIBS}"

# The compile jobs that R starts are a make of their own: it must not inherit our options.
own_make = unset MFLAGS MAKELEVEL; MAKEFLAGS=-j$(JOBS)

# What the set-up has to provide depends on what was asked for. See tools/setup.R.
goals := $(MAKECMDGOALS)
needs := run \
  $(if $(filter portable,$(goals)),portable) \
  $(if $(filter test portable test-r test-cpp test-leaks test-kills test-mutants test-engines mutants sanitize fuzz memory audit attacks hostile stopping bench check,$(goals)),test) \
  $(if $(filter test-engines,$(goals)),engines) \
  $(if $(filter check repo test-repo,$(goals)),check) \
  $(if $(filter document,$(goals)),document) \
  $(if $(filter site,$(goals)),site) \
  $(if $(filter fuzz,$(goals)),fuzz) \
  $(if $(filter memory audit,$(goals)),memory)

.DEFAULT_GOAL := help
.PHONY: help setup run test test-r test-cpp test-leaks test-kills test-engines test-page check document site portable
.PHONY: repo test-repo snapshots
.PHONY: bench evaluation audit attacks hostile memory stopping mutants test-mutants fuzz sanitize format lint install clean
.PHONY: always
.DELETE_ON_ERROR:

# `test` starts a make of its own and `clean` removes what others make: beside further goals they
# wait for their turn, also under -j.
ifneq ($(and $(filter test clean,$(goals)),$(word 2,$(goals))),)
.NOTPARALLEL:
endif

help:
	@echo 'make run        set up, build, learn the Asia network, print it and draw build/asia.png'
	@echo 'make test       set up, build, run all tests (R and C++)'
	@echo ''
	@echo 'make test-r     only the tests of the R package'
	@echo 'make test-cpp   only the unit tests of the C++ core'
	@echo 'make snapshots  take over the snapshots that the last run of the R tests wrote'
	@echo 'make test-leaks only the programs that must not compile, because they leak'
	@echo 'make test-mutants  only the quick mutants: do the tests notice what they should?'
	@echo 'make test-kills  ledger files: 400 writers killed at random instants'
	@echo 'make test-engines  tests with DuckDB and a ClickHouse cluster, which it fetches if it can:'
	@echo '                the first time takes a quarter of an hour'
	@echo 'make test-page  the page of publish() in a headless browser; pictures go to build/page'
	@echo 'make sanitize   the unit tests of the C++ core under ASan and UBSan'
	@echo 'make portable   the unit tests of the C++ core for Windows and for ARM, by emulation, and with'
	@echo '                Clang: half an hour on two cores'
	@echo 'make check      R CMD check --as-cran on the built package'
	@echo 'make repo       a repository folder for install.packages(), in build/repo'
	@echo 'make test-repo  the same, and installs from it into an empty library'
	@echo 'make bench      the benchmarks in bench/'
	@echo 'make evaluation the paper'"'"'s experiment and more; writes inst/extdata/evaluation'
	@echo 'make audit      the long privacy audits; writes inst/audit.md; then attacks, hostile, memory and'
	@echo '                stopping'
	@echo 'make attacks    only the attacks on the promise; writes inst/attacks.md'
	@echo 'make hostile    damaged objects and wrong arguments to every function, random data beside a slow'
	@echo '                reference; writes inst/hostile.md'
	@echo 'make memory     every adapter of the core under valgrind and with the garbage collector at every'
	@echo '                chance; writes inst/memory.md'
	@echo 'make stopping   how soon long work ends when it is stopped; writes inst/stopping.md'
	@echo 'make mutants    all mutants; writes inst/mutants.md'
	@echo 'make fuzz       random inputs to the C++ core for FUZZ_SECONDS (an hour) for each target;'
	@echo '                writes inst/fuzz.md'
	@echo 'make document   write NAMESPACE, man/ and the Rcpp exports anew'
	@echo 'make site       the web site of the package, into build/site'
	@echo 'make format     clang-format the C++ files'
	@echo 'make lint       check the format of the C++ files and the style of the R files'
	@echo 'make install    install the package into your own R library'
	@echo 'make setup      only install what is missing'
	@echo 'make clean      remove everything that was built'

# ---- set-up and build -------------------------------------------------------------------------

# Runs every time (a fraction of a second when nothing is missing) and touches the file only when
# the version of R or of a package that is compiled in has changed.
build/toolchain: always
	@mkdir -p build
	@RSCRIPT="$(RSCRIPT)" sh tools/setup.sh $(needs)

setup: build/toolchain

# What the package is made of. Contents decide, not times: files that come out of an archive or
# another folder may be older than what was built from their predecessors, and a deleted file has
# no time at all.
package_parts := DESCRIPTION NAMESPACE NEWS.md R src inst man

build/sources: always
	@mkdir -p build
	@find $(package_parts) -type f ! -name '*.o' ! -name '*.so' -exec cksum {} + | sort > $@.new
	@cmp -s $@.new $@ || mv $@.new $@

# Objects know nothing of the headers they were made from, in inst/include and in src: a change of
# those, or of R, removes them all.
build/headers: build/toolchain build/sources
	@{ cat build/toolchain; grep -E ' inst/include/| src/[^ ]*\.h$$' build/sources; } > $@.new; true
	@cmp -s $@.new $@ || { rm -f build/package/src/*.o; mv $@.new $@; }

# Into the copy of src/ go only files that differ, so that the others are not compiled again.
build/installed: build/toolchain build/headers build/sources
	@mkdir -p build/lib build/package/src
	@cd build/package && rm -rf $(filter-out src,$(package_parts))
	@cp -R $(filter-out src,$(package_parts)) build/package/
	@for file in build/package/src/*; do \
	  case $$file in *.o) ;; *) [ -f "src/$${file##*/}" ] || rm -f "$$file" ;; esac; done
	@for file in src/*; do \
	  case $$file in *.o | *.so) ;; *) cmp -s "$$file" "build/package/$$file" || \
	    cp "$$file" build/package/src/ || exit 1 ;; esac; done
	@$(own_make) R="$(R)" sh tools/install.sh
	@touch $@

install: build/installed
	$(own_make) $(R) CMD INSTALL build/package

# ---- the two commands -------------------------------------------------------------------------

run: build/installed
	@$(with_library) $(RSCRIPT) tools/run.R build/asia.png

# All suites run even when one of them fails or cannot be built; the tally decides. The longest
# comes first, so that the others are done beside it; the package is built before, since otherwise
# make would hand all jobs to the objects of the C++ tests while it waits for the package.
test:
	@rm -rf build/results
	@$(MAKE) --no-print-directory build/installed || true
	@$(MAKE) --no-print-directory --keep-going $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS)) \
	  test-r test-cpp test-leaks test-mutants || true
	@sh tools/tally.sh

test-r: build/installed
	@mkdir -p build/results && rm -f build/results/r
	@$(with_library) NOT_CRAN=true $(RSCRIPT) tools/test.R build/results/r

# What the last run of the R tests recorded or found different becomes what is expected.
snapshots:
	@$(RSCRIPT) tools/snapshots.R

test-engines: build/installed
	@$(with_library) NOT_CRAN=true $(RSCRIPT) tools/test_engines.R

test-page: build/installed
	@$(with_library) RSCRIPT="$(RSCRIPT)" sh tools/test_page.sh

# ---- the C++ core, without R ------------------------------------------------------------------

warnings := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror=switch
test_flags := -std=c++17 -pthread -Iinst/include
sanitizers := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

test_names := $(notdir $(basename $(wildcard tests/cpp/*.cpp)))
fuzz_targets := $(filter-out driver,$(notdir $(basename $(wildcard tests/fuzz/*.cpp))))
quick_objects := $(test_names:%=build/cpp/%.o) $(fuzz_targets:%=build/cpp/fuzz/%.o)
sanitized_objects := $(test_names:%=build/cpp-sanitize/%.o) \
  $(fuzz_targets:%=build/cpp-sanitize/fuzz/%.o)

# Catch comes with testthat and Eigen with RcppEigen; the set-up says where. As system headers their
# own warnings are silent.
header_flags = -isystem "$$(cat build/catch)" -isystem "$$(cat build/eigen)"

build/cpp/%.o: tests/cpp/%.cpp build/toolchain
	@mkdir -p $(@D)
	@echo 'Compiling $<'
	@$(CXX) $(test_flags) -O2 $(warnings) $(CXXFLAGS) $(header_flags) -MMD -MP -c $< -o $@

build/cpp-sanitize/%.o: tests/cpp/%.cpp build/toolchain
	@mkdir -p $(@D)
	@echo 'Compiling $< with sanitisers'
	@$(CXX) $(test_flags) -O1 -g $(sanitizers) $(warnings) $(CXXFLAGS) $(header_flags) -MMD -MP \
	  -c $< -o $@

# Targets of `make fuzz` are unit tests as well, on the inputs that are kept of them.
build/cpp/fuzz/%.o: tests/fuzz/%.cpp build/toolchain
	@mkdir -p $(@D)
	@echo 'Compiling $<'
	@$(CXX) $(test_flags) -O1 $(warnings) $(CXXFLAGS) $(header_flags) -MMD -MP -c $< -o $@

build/cpp-sanitize/fuzz/%.o: tests/fuzz/%.cpp build/toolchain
	@mkdir -p $(@D)
	@echo 'Compiling $< with sanitisers'
	@$(CXX) $(test_flags) -O1 -g $(sanitizers) $(warnings) $(CXXFLAGS) $(header_flags) -MMD -MP \
	  -c $< -o $@

# The folders are named so that a removed test file leaves the program too.
build/cpp/unit-tests: $(quick_objects) tests/cpp tests/fuzz
	@$(CXX) -pthread $(LDFLAGS) $(quick_objects) -o $@

build/cpp-sanitize/unit-tests: $(sanitized_objects) tests/cpp tests/fuzz
	@$(CXX) -pthread $(sanitizers) $(LDFLAGS) $(sanitized_objects) -o $@

# Shown in one piece, because the tests of the R package may be writing at the same time.
test-cpp: build/cpp/unit-tests
	@mkdir -p build/results && rm -f build/results/cpp
	@PRIVPC_TEST_COUNTS=build/results/cpp build/cpp/unit-tests > build/cpp/log 2>&1; \
	  status=$$?; printf '\nUnit tests of the C++ core\n%s\n' "$$(cat build/cpp/log)"; exit $$status

# `make test` kills 20.
KILLS ?= 400
test-kills: build/cpp/test_ledger_kills.o build/cpp/main.o build/installed
	@$(CXX) -pthread $(LDFLAGS) build/cpp/test_ledger_kills.o build/cpp/main.o -o build/cpp/kills
	@PRIVPC_KILLS=$(KILLS) build/cpp/kills
	@$(with_library) $(RSCRIPT) tools/kills.R

# Programs that try to publish a table, a p-value of a block, a margin: they must not compile.
test-leaks: build/toolchain
	@mkdir -p build/results && rm -f build/results/leaks
	@CXX="$(CXX)" sh tools/leaks.sh build/results/leaks > build/leaks.log 2>&1; \
	  status=$$?; printf '\nLeaks that must not compile\n%s\n' "$$(cat build/leaks.log)"; exit $$status

sanitize: build/cpp-sanitize/unit-tests
	@echo 'Unit tests of the C++ core under ASan and UBSan'
	@UBSAN_OPTIONS=print_stacktrace=1 build/cpp-sanitize/unit-tests

# ---- other systems and compilers --------------------------------------------------------------

# The tests of the core for 64-bit Windows and ARM, run by emulators, and with Clang and its own
# library of C++; the adapters of src/ for Windows and with Clang. tools/portable.sh asks for the
# parts whose tools are there. At -O1: half the time of -O2 to compile, and ARM's multiplications
# and additions are fused as they are at -O2.
portable: build/toolchain
	@MAKE="$(MAKE)" JOBS=$(JOBS) sh tools/portable.sh

# What R's headers for this machine say is not so on Windows (pid_t, long double): enough to compile,
# not to link.
r_headers = -isystem "$$($(R) CMD config --cppflags | sed 's/^-I\([^ ]*\).*/\1/')" \
  -isystem "$$(cat build/rcpp)"
# DL_FUNC, to which generated code casts, is R's. Without -O1 some objects for Windows have more
# sections than their format allows.
adapter_flags := -O1 -Wall -Wextra -Wno-cast-function-type

windows_cxx := x86_64-w64-mingw32-g++-posix
arm_cxx := aarch64-linux-gnu-g++
clang_cxx := clang++ -stdlib=libc++ -Werror

windows_name := 64-bit Windows
arm_name := ARM
clang_name := Clang

# Clang's -Wconversion counts changes of sign, too, of which Eigen's signed indices make hundreds.
windows_warnings := $(warnings)
arm_warnings := $(warnings)
clang_warnings := $(filter-out -Wconversion,$(warnings))

# The corpus of the fuzzers is a matter of the core's logic, not of the system.
portable_tests := $(filter-out test_fuzz_corpus,$(test_names))

define portable_rules
build/portable/$(1)/%.o: tests/cpp/%.cpp build/toolchain
	@mkdir -p $$(@D)
	@echo 'Compiling $$< for $$($(1)_name)'
	@$$($(1)_cxx) $$(test_flags) -O1 $$($(1)_warnings) $$(header_flags) -MMD -MP -c $$< -o $$@

build/portable/$(1)/src/%.o: src/%.cpp build/toolchain
	@mkdir -p $$(@D)
	@echo 'Compiling $$< for $$($(1)_name)'
	@$$($(1)_cxx) $$(test_flags) $$(adapter_flags) $$(r_headers) $$(header_flags) -MMD -MP \
	  -c $$< -o $$@

build/portable/$(1)/tests.exe: $$(portable_tests:%=build/portable/$(1)/%.o)
	@$$($(1)_cxx) -pthread $$($(1)_link) $$^ $$($(1)_libraries) -o $$@

build/portable/$(1)/src/all: $$(patsubst src/%.cpp,build/portable/$(1)/src/%.o,$$(wildcard src/*.cpp))
	@touch $$@
endef
windows_link := -static
windows_libraries := -lbcrypt
arm_link := -static
$(foreach platform,windows arm clang,$(eval $(call portable_rules,$(platform))))

# ---- fuzzing ----------------------------------------------------------------------------------

# Needs clang, whose libFuzzer makes inputs that reach ever more of the code.
FUZZ_CXX ?= clang++
FUZZ_SECONDS ?= 3600
fuzz_flags := -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all

build/fuzz/driver.o: tests/fuzz/driver.cpp build/toolchain
	@mkdir -p $(@D)
	@$(FUZZ_CXX) $(test_flags) $(fuzz_flags) $(warnings) -MMD -MP -c $< -o $@

# One source at a time: of several only the last leaves a list of its headers.
build/fuzz/%: tests/fuzz/%.cpp build/fuzz/driver.o build/toolchain
	@mkdir -p $(@D)
	@echo 'Compiling $< with libFuzzer'
	@$(FUZZ_CXX) $(test_flags) $(fuzz_flags) $(warnings) $(header_flags) \
	  -MMD -MP -MT $@ -MF $@.d $< build/fuzz/driver.o -o $@

fuzz: build/toolchain
	@FUZZ_CXX="$(FUZZ_CXX)" MAKE="$(MAKE)" JOBS=$(JOBS) $(RSCRIPT) tools/fuzz.R $(FUZZ_SECONDS) \
	  $(fuzz_targets)

# ---- mutants ----------------------------------------------------------------------------------

# tools/mutants.R writes a copy of the sources with every mutant behind a switch and asks for the
# objects it needs. Built for this alone: the switch is in no other target. Warnings are those of
# the mutants.
build/mutants/cpp/%.o: build/mutants/tree/tests/cpp/%.cpp
	@echo 'Compiling $(notdir $<) with mutants'
	@$(CXX) -std=c++17 -pthread -Ibuild/mutants/tree/inst/include -O1 -w $(header_flags) -MMD -MP \
	  -c $< -o $@

with_mutants = $(with_library) CXX="$(CXX)" MAKE="$(MAKE)" JOBS=$(JOBS) $(RSCRIPT) tools/mutants.R

mutants: build/toolchain build/cpp/main.o
	@$(with_mutants)

test-mutants: build/installed build/cpp/main.o
	@mkdir -p build/results build/mutants && rm -f build/results/mutants
	@$(with_mutants) quick build/results/mutants > build/mutants/log 2>&1; \
	  status=$$?; printf '\nQuick mutants\n%s\n' "$$(cat build/mutants/log)"; exit $$status

-include $(wildcard build/cpp/*.d build/cpp-sanitize/*.d build/cpp/fuzz/*.d \
  build/cpp-sanitize/fuzz/*.d build/fuzz/*.d build/mutants/cpp/*.d)
-include $(wildcard build/portable/*/*.d build/portable/*/src/*.d)

# ---- for those who work on the package --------------------------------------------------------

check: build/toolchain
	@R="$(R)" RSCRIPT="$(RSCRIPT)" JOBS=$(JOBS) sh tools/check.sh

# A folder for install.packages(repos = ), and its test, which installs from it.
repo: build/toolchain
	@rm -rf build/repo && mkdir -p build/repo
	@echo 'Building the package with its vignettes: about five minutes'
	@folder=$$($(RSCRIPT) tools/tracked.R build/repo/privpc) && folder=$$(cd "$$folder" && pwd) && \
	  cd build/repo && $(own_make) $(R) CMD build "$$folder" > build.log 2>&1 || \
	  { cat build.log; exit 1; }
	@rm -rf build/repo/build.log build/repo/privpc
	@$(RSCRIPT) tools/repo.R build/repo

test-repo: repo
	@$(own_make) $(RSCRIPT) tools/repo.R test build/repo

document: build/toolchain
	$(RSCRIPT) tools/document.R

site: build/installed
	@$(with_library) $(RSCRIPT) tools/site.R build/site

bench: build/installed
	$(with_library) $(RSCRIPT) bench/run.R

evaluation: build/installed
	$(with_library) $(RSCRIPT) tools/evaluation.R

audit: build/installed
	$(with_library) $(RSCRIPT) tools/audit.R
	$(with_library) $(RSCRIPT) tools/attacks.R
	$(with_library) JOBS=$(JOBS) $(RSCRIPT) tools/hostile.R
	$(with_library) JOBS=$(JOBS) $(RSCRIPT) tools/memory.R
	$(with_library) $(RSCRIPT) tools/stopping.R
	$(RSCRIPT) tools/security.R

attacks: build/installed
	$(with_library) $(RSCRIPT) tools/attacks.R
	$(RSCRIPT) tools/security.R

# Part of it: make hostile HOSTILE_SHARE=0.1.
HOSTILE_SHARE ?= 1
hostile: build/installed
	$(with_library) JOBS=$(JOBS) $(RSCRIPT) tools/hostile.R $(HOSTILE_SHARE)
	$(RSCRIPT) tools/security.R

memory: build/installed
	$(with_library) JOBS=$(JOBS) $(RSCRIPT) tools/memory.R
	$(RSCRIPT) tools/security.R

stopping: build/installed
	$(with_library) $(RSCRIPT) tools/stopping.R
	$(RSCRIPT) tools/security.R

format:
	find inst/include src tests/cpp tests/fuzz \( -name '*.hpp' -o -name '*.cpp' -o -name '*.h' \) \
	  ! -name RcppExports.cpp -exec clang-format -i {} +

lint:
	@R="$(R)" RSCRIPT="$(RSCRIPT)" sh tools/lint.sh

clean:
	rm -rf build
	rm -f src/*.o src/*.so src/*.dll
