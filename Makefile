# Everything happens in .venv, which the first target that needs it makes; the second time costs nothing.
PYTHON ?= python3
BIN := .venv/bin
PYTEST_ARGS ?=
# Test processes: each file of tests is run by one of them, in the order that tests/conftest.py says.
JOBS ?= 2

.DEFAULT_GOAL := help
.PHONY: help play test verify lint warm pictures pictures-web clean

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: .venv/plain.stamp  ## a game in the terminal
	@$(BIN)/metatac play

test: .venv/dev.stamp lint  ## all tests, style and types included
	@$(BIN)/metatac warmup
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder $(PYTEST_ARGS)

verify: .venv/dev.stamp  ## the long proofs and loads
	$(BIN)/python -m pytest -m verify $(PYTEST_ARGS)

lint: .venv/dev.stamp  ## ruff and mypy --strict
	$(BIN)/ruff check
	$(BIN)/mypy

warm: .venv/plain.stamp  ## compile the kernel ahead of time
	@$(BIN)/metatac warmup

pictures: .venv/plain.stamp  ## draw docs/pictures again
	@$(BIN)/python docs/pictures/make.py

pictures-web: .venv/dev.stamp  ## photograph the pages of the web client
	@$(BIN)/python docs/pictures/web.py

clean:  ## remove .venv and everything that was built
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Editable installs: an edit in src/ needs no new install, a new dependency does.
.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/plain.stamp: pyproject.toml | .venv/bin/python
	@echo "Setting up .venv, the first time only: about a minute"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/dev.stamp: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ .venv/plain.stamp
