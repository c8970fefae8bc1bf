#!/bin/sh
# All sources stand as .clang-format says. Exits with 77 (skipped) without the clang-format of Debian 12: other
# versions set some lines differently.
#   sh tests/architecture/format.sh REPOSITORY
set -eu
cd -- "$1"

version=$(clang-format --version 2>/dev/null | sed -E 's/.*version ([0-9]+).*/\1/') || version=""
if [ "$version" != 14 ]; then
  echo "skipped: clang-format 14 is not installed (found: ${version:-none})"
  exit 77
fi
find models scenarios sim analysis tests -name '*.[ch]pp' -print0 | xargs -0 clang-format --dry-run -Werror
