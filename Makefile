# `make example` and `make test` need nothing but Python and make: each sets up .venv and a browser.
# Written for GNU make 3.81 (macOS) and a POSIX shell.

PYTHON ?= python3
JOBS ?= logical
ARGS ?=
BIN := .venv/bin
PARALLEL = -n $(JOBS) --dist loadfile --no-loadscope-reorder --durations=15
TESTS = tests --ignore=tests/canary $(PARALLEL)

# Containers often forbid bytecode. Each worker and inner run would then compile every module, and
# rewrite every assertion, itself.
export PYTHONDONTWRITEBYTECODE =

.PHONY: help setup test e2e coverage canary example check format docs pictures bench clean
.DELETE_ON_ERROR:

help:
	@echo "make example   run example_suite in a real browser, with no API key"
	@echo "make test      run the project's tests, except those that take long"
	@echo "make e2e       run those: whole applications, runs, changed pages"
	@echo "make coverage  run both and require a minimum coverage, which takes longer"
	@echo "make canary    search everything that runs leave behind for random secrets"
	@echo "make check     lint, format, types and spelling"
	@echo "make format    apply ruff's fixes"
	@echo "make docs      build the documentation into site/"
	@echo "make pictures  make the pictures of the documentation from example_suite"
	@echo "make bench     run the benchmarks"
	@echo "make setup     only set up .venv for development"
	@echo "make clean     remove what the other targets made, including .venv"
	@echo "ARGS=...       passed to pytest; with it no minimum coverage is required"
	@echo "PYTHON=...     the Python to make .venv with, 3.10 or newer; now $(PYTHON)"

setup: .venv/.dev

test: .venv/.dev
	@$(BIN)/python scripts/browser.py ensure
	$(BIN)/pytest $(TESTS) -m "not long" $(ARGS)

e2e: .venv/.dev
	@$(BIN)/python scripts/browser.py ensure
	$(BIN)/pytest $(TESTS) -m long $(ARGS)

coverage: .venv/.dev
	@$(BIN)/python scripts/browser.py ensure
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest $(TESTS) $(ARGS)
	@$(BIN)/coverage combine --quiet
	$(BIN)/coverage report $(if $(strip $(ARGS)),--fail-under=0)

canary: .venv/.dev
	@$(BIN)/python scripts/browser.py ensure
	$(BIN)/pytest tests/canary $(ARGS)

example: .venv/.example
	@$(BIN)/python scripts/browser.py ensure
	$(BIN)/pytest example_suite -n $(JOBS) $(ARGS)

check: .venv/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/codespell
	$(BIN)/oxlint --deny-warnings
	$(BIN)/python -m scripts.budget

format: .venv/.dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

docs: .venv/.dev
	$(BIN)/sphinx-build --fail-on-warning --keep-going --fresh-env --quiet docs site

pictures: .venv/.dev
	@$(BIN)/python scripts/browser.py ensure
	$(BIN)/python -m scripts.pictures

bench: .venv/.dev
	@$(BIN)/python scripts/browser.py ensure
	$(BIN)/pytest benchmarks -s $(ARGS)

clean:
	rm -rf .venv .webtask site dist test-results htmlcov .coverage .coverage.* \
	    .pytest_cache .mypy_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.example: .venv/bin/python pyproject.toml
	@echo "Installing the package and what the example suite needs into .venv (once)"
	@$(BIN)/python -m pip install --quiet --editable '.[example]'
	@touch $@

.venv/.dev: .venv/bin/python pyproject.toml
	@echo "Installing the package and the tools of development into .venv (once)"
	@$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch .venv/.example $@

# Debian keeps ensurepip, which venv needs, in a package of its own; root gets it without asking.
.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { \
	    echo "pytest-webtask needs Python 3.10 or newer: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; \
	    exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	    package=$$($(PYTHON) -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'); \
	    if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	        apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y "$$package"; \
	    else \
	        echo "This Python cannot make a venv. On Debian: sudo apt install $$package" >&2; \
	        exit 1; \
	    fi; }
	@$(PYTHON) -m venv .venv || { rm -rf .venv; exit 1; }
