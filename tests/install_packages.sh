#!/bin/sh
# Installs the Debian packages that are missing; does nothing, and needs no network, when all are there.
#   sh tests/install_packages.sh build    what a release needs
#   sh tests/install_packages.sh tests    and what the tests need on top
#   sh tests/install_packages.sh tools    and what the targets bench and tidy need
# shellcheck disable=SC2086  # lists of packages are split into words on purpose
set -eu

build_packages="g++ cmake ninja-build pkg-config libboost-dev libboost-program-options-dev libeigen3-dev libhdf5-dev
nlohmann-json3-dev libsleef-dev"
test_packages="doctest-dev libvalijson-dev clang-format python3 python3-h5py python3-xarray python3-h5netcdf"
tool_packages="libbenchmark-dev clang-tidy-16"

say() { echo "install_packages: $*" >&2; }

case "${1:-}" in
  build) wanted=$build_packages ;;
  tests) wanted="$build_packages $test_packages" ;;
  tools) wanted="$build_packages $test_packages $tool_packages" ;;
  *) say "usage: sh tests/install_packages.sh build|tests|tools"; exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null 2>&1; then
  say "this is not Debian: going on without installing. Needed, by their Debian names:" $wanted
  exit 0
fi

missing=""
for package in $wanted; do
  state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing="$missing $package"
done
if [ -z "$missing" ]; then
  say "all packages are there"
  exit 0
fi

if [ "$(id -u)" = 0 ]; then
  as_root=""
elif command -v sudo >/dev/null 2>&1; then
  as_root="sudo"
else
  say "these packages are missing, and installing them needs root or sudo:$missing"
  say "run as root: apt-get install$missing"
  exit 1
fi

say "installing:$missing"
install() {
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing </dev/null >&2
}
# The package lists of a fresh machine are empty or old: bring them up to date only where the first try fails.
install 2>/dev/null || {
  say "bringing the package lists up to date"
  $as_root apt-get update -qq </dev/null >&2
  install
}
