#!/bin/sh
# run.sh BUILD SCRATCH [FLAGS]: installs a build tree and uses it from outside.
#
# The consumer is built twice, with CMake's find_package and with pkg-config, against a tree that
# has been moved after its installation. FLAGS are those that the library was compiled with (a
# library with the address sanitizer needs a program with it).
set -eu
build=$1
scratch=$2
flags=${3:-}
here=$(cd "$(dirname "$0")" && pwd)

rm -rf "$scratch"
mkdir -p "$scratch"
cmake --install "$build" --prefix "$scratch/first" >"$scratch/install.log"
mv "$scratch/first" "$scratch/moved"
prefix=$scratch/moved

# what must be there
missing=0
need() {
    [ -s "$1" ] || {
        echo "not installed: ${1#"$prefix"/}"
        missing=1
    }
}
for header in limber context model function analysis result simulation; do
    need "$prefix/include/limber/$header.h"
done
need "$prefix/bin/limber"
need "$prefix/share/man/man1/limber.1"
need "$prefix/share/limber/limber.schema.json"
need "$prefix/share/limber/examples/slider-crank/slider-crank.yaml"
for text in reference.md README.md CHANGELOG.md LICENSE; do
    need "$prefix/share/doc/limber/$text"
done
library=$(find "$prefix" -name liblimber.so)
need "$library"
[ "$missing" -eq 0 ]
libdir=$(dirname "$library")
need "$libdir/pkgconfig/limber.pc"
need "$libdir/cmake/limber/limberConfig.cmake"
[ "$missing" -eq 0 ]

# an empty element of a search path for libraries means the current folder
check_path() {
    path=$(readelf -d "$1" | sed -n 's/.*R\(UN\)\{0,1\}PATH.*\[\(.*\)\]/\2/p')
    case ":$path:" in
    ::) ;;
    *::*)
        echo "the search path of ${1#"$prefix"/} has an empty element: $path"
        exit 1
        ;;
    esac
}
for file in "$prefix/bin/"* "$libdir/"*.so* "$build/liblimber.so"; do
    check_path "$file"
done

# the program works where it is now
"$prefix/bin/limber" --version
model=$prefix/share/limber/examples/slider-crank/slider-crank.yaml
"$prefix/bin/limber" check "$model" >/dev/null

# built with CMake
cmake -S "$here" -B "$scratch/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS="$flags" \
    -DEXAMPLES="$prefix/share/limber/examples" \
    >"$scratch/cmake.log"
cmake --build "$scratch/cmake" >>"$scratch/cmake.log"
"$scratch/cmake/consumer" "$model" "$scratch/cmake.h5"
"$scratch/cmake/controller" >"$scratch/controller.txt"
"$scratch/cmake/spring" >"$scratch/spring.txt"
"$scratch/cmake/sweep" "$model" >"$scratch/sweep.txt"
[ "$(grep -c 'largest torque' "$scratch/sweep.txt")" -eq 21 ]

# one of the sweep is what a run of the program says
"$prefix/bin/limber" run "$model" --set l=0.4 -o "$scratch/sweep.h5" --quiet
torque=$("$prefix/bin/limber" get "$scratch/sweep.h5" motor.effort | awk '{x = $2 < 0 ? -$2 : $2; if (x > most) most = x}
    END {printf "%.4f", most}')
grep -q "l = 0.40 m: largest torque $torque N m" "$scratch/sweep.txt"

# built with pkg-config
export PKG_CONFIG_PATH="$libdir/pkgconfig"
[ "$(pkg-config --modversion limber)" = "$("$prefix/bin/limber" --version | cut -d' ' -f2)" ]
# shellcheck disable=SC2046,SC2086
${CC:-cc} -std=c17 $flags "$here/main.c" -o "$scratch/consumer" \
    $(pkg-config --cflags --libs limber) -lm
LD_LIBRARY_PATH="$libdir" "$scratch/consumer" "$model" "$scratch/pkg-config.h5"

# the program of docs/api.md
awk '/^```c/ {on = 1; next} /^```/ {on = 0} on' "$here/../../docs/api.md" >"$scratch/swing.c"
# shellcheck disable=SC2046,SC2086
${CC:-cc} -std=c17 $flags "$scratch/swing.c" -o "$scratch/swing" $(pkg-config --cflags --libs limber) -lm
LD_LIBRARY_PATH="$libdir" "$scratch/swing" | grep -q '^4.0 s: '
