# make demo           install into .venv and anonymize the bundled table
# make test           install what tests need, then lint, check types and test: some minutes
# make test-thorough  every test on many more examples, and kernels as plain Python
# make test-nojit     kernels as plain Python
# make coverage       which lines the tests of `make test` run, kernels aside
# make mutants        which small changes of the code no test notices; WHAT="privacy verify"
# make test-ranges    the tests with the lowest and the newest versions of all dependencies; TESTS="..."
# make licences       write docs/licences.md: what is installed with Shoal, and under which licences
# make docs           build the documentation as pages that need no network: build/docs/index.html
# make reference      write docs/reference/: commands, keys, Python, algorithms and models, from the code
# make tutorial       run the commands of docs/tutorial.md and write what they print into it
# make fuzz           random policies, files, cells and runs; SECONDS=60
# make faults         kill, fill the disk, limit memory: what is lost; writes docs/reliability.md
# make browser        install Chromium, which shows the pages that tests look at (as root)
# make reproduce      run the experiments of five papers again; writes docs/reproduction.md: an hour
# make peers          install other programs that tests compare with, beside it
# make bench          print the tables of benchmarks/README.md
# make bench-compare  what became slower since another revision; BASE=HEAD~5

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PEERS := $(VENV)/peers
# Each worker takes tests that follow one another, so that two rarely compile the same kernel.
BOTH := -n auto --dist worksteal
PLAIN := tests/kernels tests/group/partition/test_mondrian_twin.py

.PHONY: demo test test-thorough test-nojit coverage mutants test-ranges licences docs reference tutorial fuzz faults reproduce \
	lint types tests peers try-peers browser try-browser kernels bench bench-compare clean

demo: $(VENV)/installed
	$(BIN)/shoal demo

test: lint types tests

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/ready
	$(BIN)/mypy

tests: $(VENV)/ready try-peers try-browser kernels
	$(BIN)/pytest $(BOTH)

# Two processes compile different kernels. The workers of pytest would compile many of them twice.
kernels: $(VENV)/ready
	@$(BIN)/shoal warm-up --quiet auto & $(BIN)/shoal warm-up --quiet t-clustering k-member-p oka tgc flash; wait

test-thorough: $(VENV)/ready try-peers try-browser test-nojit
	SHOAL_TESTS=thorough $(BIN)/pytest $(BOTH) --durations=15

test-nojit: $(VENV)/ready
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest $(BOTH) $(PLAIN)

coverage: $(VENV)/ready try-peers try-browser
	$(BIN)/pytest $(BOTH) --cov

mutants: $(VENV)/ready
	$(BIN)/python tools/mutants.py $(WHAT)

test-ranges: $(VENV)/installed
	$(BIN)/python tools/dependency_ranges.py $(TESTS)

licences: $(VENV)/installed
	$(BIN)/python tools/licences.py

docs: $(VENV)/ready
	$(BIN)/python tools/build_site.py build/docs

reference: $(VENV)/installed
	$(BIN)/python tools/reference.py

tutorial: $(VENV)/ready
	$(BIN)/python tools/tutorial.py

fuzz: $(VENV)/ready
	-@$(BIN)/pip install --quiet atheris  # without it, parsers are not fuzzed by coverage
	$(BIN)/python tools/fuzz.py --seconds $(or $(SECONDS),60)

faults: $(VENV)/ready
	$(BIN)/python tools/faults.py $(ONLY) $(if $(TIMES),--times $(TIMES)) \
		$(if $(ONLY)$(TIMES),,--write docs/reliability.md)

reproduce: $(VENV)/installed
	$(BIN)/shoal reproduce --output docs $(if $(QUICK),--quick)

peers: $(PEERS)/ready

try-peers: $(VENV)/installed
	-@$(MAKE) --no-print-directory peers  # without them, the tests that compare are skipped

browser:
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || \
		apt-get install --yes --quiet --no-install-recommends chromium

try-browser:
	-@$(MAKE) --no-print-directory browser  # without it, the tests that look at pages are skipped

bench: $(VENV)/ready
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/full_domain.py
	$(BIN)/python benchmarks/clusters.py
	$(BIN)/python benchmarks/risk.py
	$(BIN)/python benchmarks/suda.py
	$(BIN)/python benchmarks/population.py
	$(BIN)/python benchmarks/verify.py
	$(BIN)/python benchmarks/people.py
	$(BIN)/python benchmarks/sweep.py
	$(BIN)/python benchmarks/bound.py
	$(BIN)/python benchmarks/compare.py

bench-compare: $(VENV)/ready
	$(BIN)/python benchmarks/against.py $(or $(BASE),HEAD~1) $(WHAT)

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/pip install --quiet --editable .
	touch $@

$(VENV)/ready: $(VENV)/installed
	$(BIN)/pip install --quiet --group dev --group docs
	touch $@

$(PEERS)/ready: tests/peers/requirements.txt | $(VENV)/installed
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/pip install --quiet --requirement tests/peers/requirements.txt
	$(PEERS)/bin/pip install --quiet --no-deps pycanon==1.3.6
	touch $@

clean:
	rm -rf $(VENV) dist build shoal-demo
