PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test test-fully pytest kills lint docs wheel bench clean

demo: $(VENV)/.installed
	$(BIN)/fogspiel demo

test: $(VENV)/.tested
	$(MAKE) --no-print-directory --jobs 2 lint pytest

pytest: $(VENV)/.tested
	env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -n 2 --dist worksteal

test-fully: export FOGSPIEL_OPTIMISE = fully
test-fully: test kills

kills: $(VENV)/.tested
	$(BIN)/python tests/experiment/kills.py --kills 50 --games 100000 --patience 1

lint: $(VENV)/.tested
	$(BIN)/ruff check fogspiel tests examples benchmarks
	$(BIN)/ruff format --check fogspiel tests examples benchmarks
	$(BIN)/mypy

docs: $(VENV)/.documented
	$(BIN)/sphinx-build -q -W -b html docs docs/_build
	@echo "see docs/_build/index.html"

wheel: $(VENV)/bin/python
	$(BIN)/python tests/try_wheel.py

bench: $(VENV)/.peers
	$(BIN)/fogspiel bench

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet -e .
	touch $@

$(VENV)/.tested: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet -e ".[test,experiments]"
	touch $(VENV)/.installed $@

$(VENV)/.documented: $(VENV)/.installed pyproject.toml
	$(BIN)/python -m pip install --quiet -e ".[docs]"
	touch $@

$(VENV)/.peers: $(VENV)/.tested pyproject.toml
	$(BIN)/python -m pip install --quiet -e ".[peers]"
	touch $@

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .mypy_cache docs/_build
