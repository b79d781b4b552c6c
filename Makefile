# Two targets do everything on a machine with Python 3.11+ and git: `make demo` and `make test`.
# The virtual environment is the project's own and is made on the first call.

VENV ?= .venv
# The newest Python from 3.11 on that is at hand; PYTHON=… chooses another.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := $(VENV)/bin
READY := $(VENV)/.ready
JOBS ?= 2

.PHONY: help demo test lint types unit bench score-fulltext docs clean

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

demo: $(READY)  ## search, file, commit, index, find and build the site, in a scratch copy
	$(BIN)/python bench/demo.py

test: $(READY) lint types unit  ## everything CI runs

lint: $(READY)
	$(BIN)/ruff check cli tests bench
	$(BIN)/ruff format --check cli tests bench
	$(BIN)/lint-imports --no-cache

types: $(READY)
	$(BIN)/mypy

unit: $(READY)
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup

bench: $(READY)  ## measure, and write docs/benchmarks.md
	$(BIN)/python bench/measure.py

score-fulltext: $(READY)  ## convert the real papers beside this project and count what was kept
	$(BIN)/python bench/score_fulltext.py

docs: $(READY)  ## regenerate the command reference from the commands
	$(BIN)/python bench/reference.py

$(READY): pyproject.toml
	@test -n "$(PYTHON)" || { echo "Pressmark needs Python 3.11 or newer; none was found. Set PYTHON=/path/to/python3."; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[models,fast,mcp,lsp,test]'
	@touch $(READY)

clean:
	rm -rf $(VENV) _site .pressmark .pytest_cache .mypy_cache .ruff_cache .hypothesis
