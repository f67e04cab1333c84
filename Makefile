# Everything runs inside .venv, made from the pinned versions in constraints.txt. `make help` lists the targets.
SHELL := /bin/bash
.DEFAULT_GOAL := help

PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)
BIN := .venv/bin
OUT ?= out
PYTEST_WORKERS ?= 2
export PIP_DISABLE_PIP_VERSION_CHECK := 1

INSTALL := $(BIN)/python -m pip install --quiet --constraint constraints.txt

.PHONY: help demo test lint format studies bench docs clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: .venv/installed ## simulate two mechanisms for 10 s, report, and leave pictures in out/demo
	$(BIN)/dalembert demo --out $(OUT)/demo

test: .venv/installed ## the tests
	$(BIN)/python -m pytest -n $(PYTEST_WORKERS) --dist loadfile

lint: .venv/installed ## style, types and import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/lint-imports

format: .venv/installed ## put the sources in the house's style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

studies: .venv/installed ## reproduce the papers' figures and check their claims; one page in out/studies
	$(BIN)/dalembert reproduce all --out $(OUT)/studies

bench: .venv/compare ## compare speed with other engines in one run
	for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python "$$script" || exit 1; done

docs: .venv/docs ## the documentation, into docs/_build/html
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

clean: ## remove what was made, but not .venv
	rm -rf $(OUT) build dist docs/_build .pytest_cache .ruff_cache .import_linter_cache

.venv/made:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/python3" >&2; exit 2; }
	"$(PYTHON)" -m venv .venv
	@touch $@

# without build isolation, so that the build tool is pinned like everything else
.venv/installed: .venv/made pyproject.toml constraints.txt
	$(INSTALL) setuptools
	$(INSTALL) --no-build-isolation --editable '.[dev]'
	@touch $@

.venv/compare: .venv/installed
	$(INSTALL) --no-build-isolation --editable '.[dev,compare]'
	@touch $@

.venv/docs: .venv/installed
	$(INSTALL) --no-build-isolation --editable '.[dev,docs]'
	@touch $@
