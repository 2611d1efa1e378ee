# Two commands do everything: `make run` and `make test`.
PYTHON ?= python3
CORES ?= $(shell nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 2)
VENV := .venv
INSTALLED := $(VENV)/installed
PIP := $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check
# Another study than config.yaml: make run STUDY=studies/smoke.yaml
STUDY ?=
CONFIGFILE := $(if $(STUDY),--configfile $(STUDY))
# Thousands of starts read compiled modules; where an image forbids them each start compiles anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run plan crate test test-long test-fast format check environment schemas clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

run: environment ## set up, then make every table and figure of config.yaml, or of STUDY=studies/...yaml
	@$(VENV)/bin/afterimage check $(CONFIGFILE)
	@$(VENV)/bin/snakemake --cores $(CORES) $(CONFIGFILE)

plan: environment ## tell what the study will ask, cost and take
	$(VENV)/bin/afterimage plan $(CONFIGFILE)

crate: environment ## archive the finished run with its provenance (docs/report.md)
	$(VENV)/bin/afterimage crate $(CONFIGFILE)

# What shares fixtures stays on one worker; the longest parts are taken up first (tests/conftest.py).
WORKERS = $(CORES)
PYTEST = $(VENV)/bin/python -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder

test: environment ## set up, then run all tests but those of test-long
	$(PYTEST) -m "not long" $(TESTS)

# Many of these wait for a batch system, a server or a browser.
test-long: WORKERS = $(shell expr $(CORES) + 1)
test-long: environment ## the tests that take minutes each, which CI runs as well
	$(PYTEST) -m long $(TESTS)

test-fast: environment ## the fast tests: no whole runs, long computing, browser, cluster or checkpoints
	$(PYTEST) -m "not slow and not long and not browser and not slurm and not torch" $(TESTS)

format: environment ## format the code and fix what the linter can
	$(VENV)/bin/ruff check --fix
	$(VENV)/bin/ruff format
	$(VENV)/bin/snakefmt Snakefile workflow

check: environment ## the linters: Snakemake's, snakefmt, ruff, mypy, import-linter
	.ci/lint $(VENV)/bin/snakemake
	$(VENV)/bin/snakefmt --check Snakefile workflow
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

environment: $(INSTALLED) ## set up only: virtual environment with pinned packages

# The stamp is remade when a pin changes; a half-finished installation never leaves it behind.
$(INSTALLED): pyproject.toml envs/build.txt envs/requirements.txt
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(0 if (3, 11) <= v < (3, 14) else "Afterimage needs Python 3.11, 3.12 or 3.13, but $(PYTHON) is Python %d.%d: name another one with make PYTHON=python3.11 ..." % v)'
	$(PYTHON) -m venv $(VENV)
	$(PIP) --require-hashes --requirement envs/build.txt
	$(PIP) --require-hashes --no-build-isolation --requirement envs/requirements.txt
	$(PIP) --no-build-isolation --no-deps --editable .
	@touch $@

schemas: environment ## write what is made from code: schemas of suites' settings, docs/data_dictionary.md, the picture of the rules
	PYTHONPATH=workflow/scripts $(VENV)/bin/python -m afterimage.planning.schemas
	PYTHONPATH=workflow/scripts $(VENV)/bin/python -m afterimage.commands.dictionary
	PYTHONPATH=workflow/scripts $(VENV)/bin/python -m afterimage.commands.rule_graph

clean: environment ## list what the workflow has made for config.yaml, or STUDY=..., and remove it if you agree (YES=1: without asking)
	@$(VENV)/bin/afterimage tidy --all $(CONFIGFILE) $(if $(YES),--yes)
