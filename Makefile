# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STUDY ?= first_look
RESULTS ?= results
SWEEP = $(if $(BACKEND),--backend $(BACKEND)) $(if $(SCHEDULER),--scheduler $(SCHEDULER)) \
  $(if $(CLUSTER),--cluster $(CLUSTER)) $(if $(SHARD),--shard $(SHARD)) $(if $(JOBS),--jobs $(JOBS))
export MPLBACKEND := Agg

.DEFAULT_GOAL := help
.PHONY: help demo test test-all sweep merge report bench calibration reference lint types notebooks picture lock clean clean-cache

help: ## show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

$(VENV)/.installed: pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Meeple Carlo needs Python 3.11 or newer; set PYTHON=..."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	touch $@

demo: $(VENV)/.installed ## play the built-in study and leave a report
	$(BIN)/meeplecarlo study first_look

test: $(VENV)/.installed ## run the tests (a few minutes from a cold cache)
	$(BIN)/python -c "import engine; [engine.load_game(game).warm_up() for game in engine.games()]"
	$(BIN)/python -m pytest -m "not slow" --numprocesses auto --maxprocesses 4 --dist loadfile

test-all: $(VENV)/.installed ## run every test, the slow ones too
	$(BIN)/python -m pytest

# With BACKEND=dask SCHEDULER=address-or-file, BACKEND=slurm CLUSTER=file.toml, BACKEND=loky, SHARD=i/n, JOBS=n.
sweep: $(VENV)/.installed ## play a study as a batch job: make sweep STUDY=name-or-file
	$(BIN)/meeplecarlo study $(STUDY) --results $(RESULTS) $(SWEEP)

merge: $(VENV)/.installed ## bring results from other folders into one: make merge STUDY=... FROM="a b"
	$(BIN)/meeplecarlo merge $(STUDY) --results $(RESULTS) $(FROM)

report: $(VENV)/.installed ## write a study's report again from its results
	$(BIN)/meeplecarlo report $(STUDY)

bench: $(VENV)/.installed ## measure speed, start-up and memory against their floors
	$(BIN)/python tests/bench/bench.py

calibration: $(VENV)/.installed ## check how often intervals hold the truth, and write analysis/CALIBRATION.md
	$(BIN)/python -m analysis.calibration --write

reference: $(VENV)/.installed ## write analysis/REFERENCE.md from the docstrings
	$(BIN)/python -m analysis.reference --write

lint: $(VENV)/.installed ## check style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed ## check types
	$(BIN)/mypy

notebooks: $(VENV)/.installed ## run every notebook
	$(BIN)/python -m pytest --nbmake notebooks

picture: $(VENV)/.installed ## draw the README's picture again
	$(BIN)/python -m analysis.readme_picture

lock: $(VENV)/.installed ## compile requirements.lock anew from pyproject.toml
	$(BIN)/uv pip compile --universal --python-version 3.11 --extra dev --extra cluster --no-emit-index-url --quiet \
	  --custom-compile-command "make lock" pyproject.toml -o requirements.lock

clean: ## remove the virtual environment and what tools left
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache

clean-cache: $(VENV)/.installed ## remove the compile cache
	$(BIN)/python -c "import shutil; from engine import jit; shutil.rmtree(jit.cache_root(), ignore_errors=True)"
