#!/bin/sh
# run.sh BUILD SCRATCH PROGRAM: builds the wheel of the Python package around the library of a build tree, installs
# it in a fresh virtual environment of Debian's Python, and runs python/tests. Ends with 77, "skipped", where Python
# lacks what it needs, except in continuous integration (CI is set).
#   TESTS=NAME       those whose name has this
#   SANITIZER=FILE   the library is built with AddressSanitizer, whose own library this is: Python runs with it, and
#                    without the tests that run all examples (leaks are not looked for, since Python has its own)
set -eu
build=$1
scratch=$2
program=$3
python=/usr/bin/python3
here=$(cd "$(dirname "$0")/../.." && pwd)

$python -c 'import cffi, ensurepip, numpy' 2>/dev/null || {
    echo "skipped: Debian's packages python3-cffi, python3-numpy and python3-venv are not all installed"
    [ -z "${CI:-}" ] || exit 1
    exit 77
}
rm -rf "$scratch"
mkdir -p "$scratch"
$python -m venv --system-site-packages "$scratch/venv"
pip="$scratch/venv/bin/python -m pip --quiet --disable-pip-version-check --no-cache-dir"
unset PYTHONPATH PIP_INDEX_URL PIP_REQUIRE_VIRTUALENV 2>/dev/null || true

# as `pip install .` does it: no network, nothing but the backend of the tree
LIMBER_BUILD_DIR="$build" $pip wheel --no-index --no-deps --wheel-dir "$scratch/wheel" "$here"
$pip install --no-index --no-deps "$scratch"/wheel/limber-*.whl

# one thread: with more of them OpenBLAS rounds as its threads happen to be free
export OPENBLAS_NUM_THREADS=1
export LIMBER_BUILD="$build" LIMBER_WHEEL="$(echo "$scratch"/wheel/limber-*.whl)"
export LIMBER_PROGRAM="$program" LIMBER_SCRATCH="$scratch/files" LIMBER_SHARED="$(dirname "$scratch")/examples-shared"
export PYTHONDONTWRITEBYTECODE=1
cd "$here"
files='test_*.py'
if [ -n "${SANITIZER:-}" ]; then
    export LD_PRELOAD="$SANITIZER" ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc
    files='test_[!c]*.py'
    # a write beyond what was allocated must be seen
    "$scratch/venv/bin/python" -c 'import ctypes
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
ctypes.memset(libc.malloc(ctypes.c_size_t(8)), 0, 9)' 2>&1 | grep -q heap-buffer-overflow || {
        echo "AddressSanitizer does not watch Python"
        exit 1
    }
fi
exec "$scratch/venv/bin/python" -W error::ResourceWarning -m unittest discover -s python/tests -p "$files" \
    ${TESTS:+-k "$TESTS"}
