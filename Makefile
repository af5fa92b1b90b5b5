# make demo   install into .venv and anonymize the bundled table
# make test   install what tests need, then lint, check types and test
# make peers  install other programs that tests compare with, beside it
# make bench  print the tables of benchmarks/README.md

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PEERS := $(VENV)/peers

.PHONY: demo test lint types tests peers bench clean

demo: $(VENV)/installed
	$(BIN)/shoal demo

test: lint types tests

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/ready
	$(BIN)/mypy

tests: $(VENV)/ready
	-@$(MAKE) --no-print-directory peers  # without them, the tests that compare are skipped
	$(BIN)/pytest -n auto

peers: $(PEERS)/ready

bench: $(VENV)/ready
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/full_domain.py
	$(BIN)/python benchmarks/clusters.py
	$(BIN)/python benchmarks/risk.py
	$(BIN)/python benchmarks/verify.py

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/pip install --quiet --editable .
	touch $@

$(VENV)/ready: $(VENV)/installed
	$(BIN)/pip install --quiet --group dev
	touch $@

$(PEERS)/ready: tests/peers/requirements.txt | $(VENV)/installed
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/pip install --quiet --requirement tests/peers/requirements.txt
	$(PEERS)/bin/pip install --quiet --no-deps pycanon==1.3.6
	touch $@

clean:
	rm -rf $(VENV) dist build shoal-demo
