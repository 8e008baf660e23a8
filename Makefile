# Everything one needs to type. CMake and Ninja do the work (see CMakePresets.json); missing Debian
# packages are installed first.
#
#   make           build/limber
#   make demo      build, run the flagship example
#   make fast      build all, run the tests of about a minute
#   make test      build all, run every test
#   make sanitize  the tests under AddressSanitizer and UndefinedBehaviorSanitizer
#   make faults    every allocation and write fails once, in all commands; 100 kills
#   make fuzz      the fuzz targets, for SECONDS=600 altogether; needs clang
#   make relations relations and gradients of COUNT=1000 generated models
#   make threads   the tests of threads under ThreadSanitizer; needs clang
#   make bench     build all, print the speeds
#   make python    build/python/limber-VERSION-....whl, the wheel of the Python package
#   make install PREFIX=/usr/local
#   make format    clang-format over the sources
#   make clean

PREFIX ?= /usr/local
WERROR ?= $(if $(CI),ON,OFF)

configure = cmake --preset release -DLIMBER_WERROR=$(WERROR) -DCMAKE_INSTALL_PREFIX=$(PREFIX)

.PHONY: all demo everything fast test sanitize faults fuzz relations threads bench python install format clean

# the program, the library and their texts, with what this needs from Debian's packages; a tree that
# was configured for tests stays so
all:
	@mkdir -p build
	@scripts/setup build
	@$(configure) $(if $(wildcard build/CMakeCache.txt),,-DLIMBER_TESTS=OFF) > build/configure.log \
	  || { cat build/configure.log; exit 1; }
	@cmake --build build --target limber_product

demo: all
	@scripts/demo

install: all
	@cmake --install build --prefix $(PREFIX)

python: all
	@python=$$(command -v /usr/bin/python3 || command -v python3) && $$python python/backend/limber_build.py build/python

# the tests, benches and tools besides
everything:
	@mkdir -p build
	@scripts/setup build test
	@$(configure) -DLIMBER_TESTS=ON > build/configure.log || { cat build/configure.log; exit 1; }
	@cmake --build build

test: everything
	@ctest --test-dir build --output-on-failure -j $$(nproc)

fast: everything
	@ctest --test-dir build --output-on-failure -j $$(nproc) -L fast

sanitize:
	@mkdir -p build/sanitize
	@scripts/setup build test
	@cmake --preset sanitize -DLIMBER_WERROR=$(WERROR) > build/sanitize/configure.log \
	  || { cat build/sanitize/configure.log; exit 1; }
	@cmake --build build/sanitize
	@ctest --test-dir build/sanitize --output-on-failure -j $$(nproc)

faults: everything
	@LIMBER_FAULTS=1 LIMBER_KILLS=100 ctest --test-dir build -V --timeout 7200 -R '^(faults|kills)$$'

SECONDS ?= 600
fuzz:
	@mkdir -p build/fuzz
	@scripts/setup build test fuzz
	@cmake --preset fuzz > build/fuzz/configure.log || { cat build/fuzz/configure.log; exit 1; }
	@cmake --build build/fuzz --target limber_fuzz
	@scripts/fuzz $(SECONDS)

COUNT ?= 1000
relations: everything
	@OPENBLAS_NUM_THREADS=1 LIMBER_RELATIONS=$(COUNT) build/tests/test_relations
	@OPENBLAS_NUM_THREADS=1 LIMBER_EXAMPLES=1 build/tests/test_example_relations
	@OPENBLAS_NUM_THREADS=1 LIMBER_GRADIENTS=$(COUNT) build/tests/test_all_gradients

threads:
	@mkdir -p build/threads
	@scripts/setup build test fuzz
	@cmake --preset threads > build/threads/configure.log || { cat build/threads/configure.log; exit 1; }
	@cmake --build build/threads --target test_threads
	@OPENBLAS_NUM_THREADS=1 TSAN_OPTIONS=halt_on_error=1 build/threads/tests/test_threads

bench: everything
	@scripts/bench

format:
	@clang-format -i $$(git ls-files '*.c' '*.h')

clean:
	rm -rf build
