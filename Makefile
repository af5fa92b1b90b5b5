# make demo   install into .venv and anonymize the bundled table
# make test   install what tests need, then lint, check types and test
# make bench  print the tables of benchmarks/README.md

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test lint types tests bench clean

demo: $(VENV)/installed
	$(BIN)/shoal demo

test: lint types tests

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/ready
	$(BIN)/mypy

tests: $(VENV)/ready
	$(BIN)/pytest -n auto

bench: $(VENV)/ready
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/full_domain.py
	$(BIN)/python benchmarks/clusters.py

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/pip install --quiet --editable .
	touch $@

$(VENV)/ready: $(VENV)/installed
	$(BIN)/pip install --quiet --group dev
	touch $@

clean:
	rm -rf $(VENV) dist build shoal-demo
