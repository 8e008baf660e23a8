#!/bin/sh
# types.sh CACHE: checks the annotations of the Python package with mypy, that of Debian. Ends with 77, "skipped",
# where there is none, except in continuous integration (CI is set).
set -eu
[ -x /usr/bin/mypy ] || {
    echo "skipped: Debian's package mypy is not installed"
    [ -z "${CI:-}" ] || exit 1
    exit 77
}
exec /usr/bin/mypy --cache-dir "$1"
