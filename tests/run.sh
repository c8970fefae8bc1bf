#!/bin/sh
# Builds and passes the tests: installs what is missing, then a release and all of its tests.
#   sh tests/run.sh               the release build, all tests
#   sh tests/run.sh --sanitize    the unit tests under the address and undefined-behaviour sanitizers, and the
#                                 regression cases, which shows that both builds give the same bits
#   sh tests/run.sh --threads     what runs on several threads under the thread sanitizer: the tests of the ensemble and
#                                 a run of the program with a results file
# Works from any folder; writes only build/. Further arguments go to ctest, e.g. `sh tests/run.sh -R cli`.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
cd -- "$(dirname -- "$here")"

say() { echo "tests: $*" >&2; }

preset=release
targets=all
labels=.
if [ "${1:-}" = --sanitize ]; then
  preset=asan-ubsan
  targets="tests_models tests_sim_kernel tests_scenarios tests_sim tests_analysis tests_regression"
  labels='^(models|sim_kernel|scenarios|sim|analysis|regression)$'
  shift
elif [ "${1:-}" = --threads ]; then
  preset=tsan
  targets="tests_sim fleetcast"
  shift
fi

sh tests/install_packages.sh tests

say "building the preset $preset in build/$preset"
launcher=""
if command -v ccache >/dev/null 2>&1; then launcher="-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"; fi
cmake --preset "$preset" -DFLEETCAST_TESTS=ON $launcher >&2
# shellcheck disable=SC2086  # one word per target
cmake --build --preset "$preset" --parallel "$(nproc)" --target $targets >&2

if [ "$preset" = tsan ]; then
  # Address randomisation off: with more of it than GCC 12 expects, its thread sanitizer stops with "unexpected memory
  # mapping". Uninstrumented libraries report nothing.
  say "running what has threads under the thread sanitizer"
  results=$(mktemp -d)
  trap 'rm -rf "$results"' EXIT
  export TSAN_OPTIONS="halt_on_error=1 second_deadlock_stack=1"
  setarch -R build/tsan/tests/tests_sim --source-file='*ensemble_test.cpp'
  setarch -R build/tsan/fleetcast run scenarios/gallery/quickstart.json --replicates 100 --threads 4 --quiet \
    --out "$results/results.h5" >/dev/null
  say "no data race was found"
  exit 0
fi

say "running the tests of build/$preset"
ctest --preset "$preset" --parallel "$(nproc)" -L "$labels" "$@"
