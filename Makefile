# Everything one needs to type. CMake and Ninja do the work (see CMakePresets.json).
#
#   make           build/limber
#   make demo      set up, build, run the flagship example
#   make test      set up, build, run every test
#   make sanitize  the tests under AddressSanitizer and UndefinedBehaviorSanitizer
#   make bench     print the speeds
#   make install PREFIX=/usr/local
#   make format    clang-format over the sources
#   make clean

PREFIX ?= /usr/local
WERROR ?= $(if $(CI),ON,OFF)

.PHONY: all setup demo test sanitize bench install format clean

all: setup
	@cmake --preset release -DLIMBER_WERROR=$(WERROR) -DCMAKE_INSTALL_PREFIX=$(PREFIX) > build/configure.log \
	  || { cat build/configure.log; exit 1; }
	@cmake --build build

# installs what is missing from Debian's packages
setup:
	@mkdir -p build
	@scripts/setup

demo: all
	@scripts/demo

test: all
	@ctest --test-dir build --output-on-failure -j $$(nproc)

sanitize: setup
	@mkdir -p build/sanitize
	@cmake --preset sanitize -DLIMBER_WERROR=$(WERROR) > build/sanitize/configure.log \
	  || { cat build/sanitize/configure.log; exit 1; }
	@cmake --build build/sanitize
	@ctest --test-dir build/sanitize --output-on-failure -j $$(nproc)

bench: all
	@scripts/bench

install: all
	@cmake --install build --prefix $(PREFIX)

format:
	@clang-format -i $$(git ls-files '*.c' '*.h')

clean:
	rm -rf build
