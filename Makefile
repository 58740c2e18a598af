# Developer commands. `make help` lists them.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# Compiled modules are kept, even if the environment says otherwise: compiling all tests anew takes ten seconds.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help setup demo try test editors quick removable soak lint types docs bench vsix hosts lock clean

MINUTES ?= 10

help: ## Show this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Python 3.10 or newer is needed, this is " + sys.version.split()[0]) if sys.version_info < (3, 10) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

setup: $(READY) ## Install everything into .venv

demo: $(READY) ## Check and fix the broken example, grade another, show how to connect an editor
	@BIN=$(BIN) bash scripts/demo.sh

test: $(READY) lint types ## Run every check and every test, with coverage; with CI=true the editors are installed too
	$(BIN)/python -m pytest -n 3 --dist loadgroup --cov --cov-report=term --cov-fail-under=95

editors: $(READY) ## Run only the tests in real editors (needs `make hosts`)
	$(BIN)/python -m pytest -n 2 --dist loadgroup tests/editors

try: $(READY) ## Open the examples in your editor, with everything set up: make try EDITOR=code
	@BIN="$(abspath $(BIN))" bash scripts/try.sh $(EDITOR)

# Two runs that collect a half each have a fifth less to do than two workers that both collect everything.
QUICK := $(BIN)/python -m pytest -q -p no:cacheprovider -m "not slow" --hypothesis-profile quick
HALF := tests/server tests/grading tests/schema tests/report

quick: $(READY) ## Run the quick part of the tests, in less than a minute
	@mkdir -p build
	@$(QUICK) $(HALF) > build/quick.log 2>&1 & half=$$!; \
	$(QUICK) tests --ignore=tests/editors $(HALF:%=--ignore=%); other=$$?; \
	wait $$half; status=$$?; cat build/quick.log; exit $$((other || status))

removable: $(READY) ## Run the quick tests without each dialect but the default one
	$(BIN)/python scripts/removable.py

soak: $(READY) ## Put everything under load: make soak MINUTES=10
	@$(BIN)/python scripts/soak.py --minutes $(MINUTES)

lint: $(READY) ## Check style, and that generated pages are fresh
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/python scripts/docs.py --check

types: $(READY) ## Check types
	$(BIN)/mypy

docs: $(READY) ## Write the pages that are made from the code
	$(BIN)/python scripts/docs.py

bench: $(READY) ## Measure the core, the command line, the server and grading (takes a quarter of an hour)
	$(BIN)/python benchmarks/core.py
	$(BIN)/python benchmarks/check.py
	$(BIN)/python benchmarks/lsp.py --install
	$(BIN)/python benchmarks/judge.py --install

# The platform that the extension is packaged for: one of the editor's names, such as darwin-arm64, or universal.
PLATFORM ?=
NODE_READY := vscode-extension/node_modules/.ready

$(NODE_READY): vscode-extension/package-lock.json
	cd vscode-extension && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

vsix: $(READY) $(NODE_READY) ## Package the VS Code extension into dist
	@BIN="$(abspath $(BIN))" bash vscode-extension/scripts/package.sh $(PLATFORM)

hosts: ## Install the editors that the tests run in (takes minutes)
	@set -e; for script in scripts/hosts-*.sh; do bash "$$script"; done

lock: ## Write requirements.lock anew (needs uv)
	uv pip compile --quiet --universal --python-version 3.10 --generate-hashes --no-annotate --no-header \
	  --group dev pyproject.toml --output-file requirements.lock

clean: ## Remove what the commands above made
	rm -rf $(VENV) build dist .hosts vscode-extension/node_modules vscode-extension/out vscode-extension/bundled .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage*
