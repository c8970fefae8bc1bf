#!/bin/sh
# From a fresh Debian 12 to a first answer: installs what is missing, builds, and runs the quick-start scenario.
#   sh scenarios/quickstart.sh [options of `fleetcast run`]
# Works from any folder; writes only build/release and results.h5, both in the repository.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
repository=$(dirname -- "$here")
cd -- "$repository"

say() { echo "quickstart: $*" >&2; }

say "1 of 3: packages"
sh tests/install_packages.sh build

say "2 of 3: building a release in build/release (some minutes the first time)"
launcher=""
if command -v ccache >/dev/null 2>&1; then launcher="-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"; fi
mkdir -p build
if ! { cmake --preset release -DFLEETCAST_TESTS=OFF $launcher && cmake --build --preset release --parallel "$(nproc)"
     } >build/quickstart.log 2>&1; then
  tail -n 40 build/quickstart.log >&2
  say "the build failed; all of its output is in build/quickstart.log"
  exit 1
fi

say "3 of 3: build/release/fleetcast run scenarios/gallery/quickstart.json --out results.h5 --force"
say "(--force: results.h5 of an earlier quick start is overwritten)"
exec build/release/fleetcast run scenarios/gallery/quickstart.json --out results.h5 --force "$@"
