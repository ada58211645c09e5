# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
SOURCES := $(shell find src native -type f -not -name '*.pyc') pyproject.toml CMakeLists.txt
EXAMPLE := examples/translation

.PHONY: demo test lint types unit bench results models clean

demo: $(VENV)/.package
	$(BIN)/otherwords score -m maxsim,bleu,chrf -r $(EXAMPLE)/reference.txt \
	    $(EXAMPLE)/careful.txt $(EXAMPLE)/free.txt $(EXAMPLE)/literal.txt $(EXAMPLE)/careless.txt \
	    --ci --paired bootstrap --baseline literal

test: lint types unit

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test
	$(BIN)/mypy

unit: $(VENV)/.test
	$(BIN)/pytest tests --doctest-modules --pyargs otherwords

# Ratios to peers measured in the same run; needs Java for METEOR, and ../shared for the text.
bench: $(VENV)/.bench
	$(BIN)/python -m bench.speed
	$(BIN)/python -m bench.memory

# Agreement with people, the tables of docs/results.md; needs ../shared.
results: $(VENV)/.bench
	$(BIN)/python -m bench.agreement
	$(BIN)/python -m bench.text_layer

# The embedded models anew; needs ../shared and Debian's wordnet-base.
models: $(VENV)/.package
	$(BIN)/python tools/compile_lexicon.py /usr/share/wordnet
	$(BIN)/python tools/train_tagger.py

$(VENV)/.python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	touch $@

$(VENV)/.package: $(VENV)/.python $(SOURCES)
	$(BIN)/python -m pip install --quiet .
	touch $@

$(VENV)/.test: $(VENV)/.package
	$(BIN)/python -m pip install --quiet '.[test]'
	touch $@

$(VENV)/.bench: $(VENV)/.package
	$(BIN)/python -m pip install --quiet '.[bench]'
	touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
