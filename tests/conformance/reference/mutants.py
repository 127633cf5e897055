"""Mutation testing of the cores in impl/ by the conformance tests alone.

    python -m tests.conformance.reference.mutants results.ndjson [--sample N] [--seed S] [--module impl/broker/rules.py]

Each mutant (see `mutations`) is imported in a forked process in the place of the right module, and performs the edges
of the models that the conformance tests use, the smallest model first, until the first difference; then the
counterexamples in traces/ are replayed. The models are explored once, before. The right implementation shows which
lines each of them executes, and a mutant performs only those that execute its line. A result is a line of the file;
what is in the file already is not tried again.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from time import process_time
from types import FrameType
from typing import Any

from tests.conformance.reference.caught import CAUGHT
from tests.conformance.reference.grounds import EVERY_ACTION, REGISTRATION, first_difference, ground
from tests.conformance.reference.mutations import MODULES, Instead, Mutant, is_same_code, mutants_of

MODELS = tuple(sorted({*EVERY_ACTION, *REGISTRATION, *(caught.config for caught in CAUGHT.values())}))
COUNTEREXAMPLES = "counterexamples"
"""Not a model, but the check that comes last: every file of traces/ that an implementation can take."""
SECONDS = 120
"""Processor time of a mutant; one that needs more hangs, which is caught."""
BYTES = 4 << 30

Lines = dict[str, set[tuple[str, int]]]
"""What each check executes: module and line."""


def apart(work: Callable[[], str], seconds: int = SECONDS) -> str:
    """What `work` says in a forked process, which does not change this one. `hangs` if it says nothing in time."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
        try:
            said = work()
        except BaseException as error:  # whatever a mutant does is a difference
            said = f"raises {type(error).__name__}: {error}"[:200]
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(said.encode("utf-8", "surrogateescape"))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read().decode("utf-8", "surrogateescape")
    os.waitpid(child, 0)
    return said or "hangs"


# --- the checks ------------------------------------------------------------------------------------------------------


def check(name: str) -> str:
    """What differs in one model, or in the counterexamples; empty if nothing."""
    if name == COUNTEREXAMPLES:
        return _counterexamples()
    found = first_difference(name, _adapter(name))
    if found.difference is None:
        return ""
    return f"{name}: {found.caught_by}, {found.difference.kind.name}, after {found.edges} edges"


def _adapter(name: str) -> Any:
    if name in REGISTRATION:
        from rmqproof.conformance.reference.registration import RegistrationAdapter

        return RegistrationAdapter
    from rmqproof.conformance.reference import ReferenceAdapter

    return ReferenceAdapter


def _counterexamples() -> str:
    import pytest

    from tests.conformance.reference import test_bugs_happen

    for path in test_bugs_happen.TRACES:
        try:
            test_bugs_happen.test_the_counterexample_happens(path)
        except pytest.skip.Exception:
            continue
        except Exception as error:
            return f"{COUNTEREXAMPLES}: {path.name}, {type(error).__name__}"
    return ""


# --- which lines each executes ---------------------------------------------------------------------------------------


def executed() -> Lines:
    """By the right implementation, each check in a process of its own."""
    found: Lines = {}
    for name in (*MODELS, COUNTEREXAMPLES):
        said = apart(lambda name=name: _lines_of(name), seconds=10 * SECONDS)  # type: ignore[misc]
        if not said.startswith("["):
            raise SystemExit(f"{name}: the right implementation fails: {said}")
        found[name] = {(module, line) for module, line in json.loads(said)}
        print(f"{name}: {len(found[name])} lines", file=sys.stderr)
    return found


def _lines_of(name: str) -> str:
    _adapter(name)  # its import is not what is looked at
    lines: set[tuple[str, int]] = set()
    known: dict[str, str | None] = {}

    def entered(frame: FrameType, event: str, argument: Any) -> Any:
        path = frame.f_code.co_filename
        if path not in known:
            known[path] = next((module for module in MODULES if path.endswith(f"/{module}")), None)
        module = known[path]
        if module is None:
            return None
        lines.add((module, frame.f_lineno))

        def line(frame: FrameType, event: str, argument: Any) -> Any:
            lines.add((module, frame.f_lineno))
            return line

        return line

    sys.settrace(entered)
    said = check(name)
    sys.settrace(None)
    return said or json.dumps(sorted(lines))


# --- one mutant ------------------------------------------------------------------------------------------------------


def checks_of(mutant: Mutant, lines: Lines) -> list[str]:
    """Those that execute it, the smallest first."""
    heads = {(mutant.module, line) for line in range(mutant.first, mutant.last + 1)}
    return [name for name in lines if mutant.at_import or not heads.isdisjoint(lines[name])]


def outcome(mutant: Mutant, checks: Sequence[str]) -> str:
    """What caught it, `survived`, or `never executed`."""
    if is_same_code(mutant):
        return "same code"
    if not checks:
        return "never executed"

    def work() -> str:
        sys.meta_path.insert(0, Instead(mutant))
        return next(filter(None, map(check, checks)), "survived")

    return apart(work)


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--module", choices=MODULES, action="append")
    given = parser.parse_args(words)
    chosen = [mutant for module in given.module or MODULES for mutant in mutants_of(module)]
    total = len(chosen)
    if given.sample is not None:
        chosen = Random(given.seed).sample(chosen, min(given.sample, total))
    done = read(given.results)
    assert not any(name.startswith("rmqproof.impl") for name in sys.modules), "a mutant has to be imported first"
    for name in MODELS:
        ground(name)
    lines = executed()
    order = sorted(lines, key=lambda name: len(ground(name).steps) if name in MODELS else sys.maxsize)
    lines = {name: lines[name] for name in order}
    with given.results.open("a", encoding="utf-8") as file:
        for number, mutant in enumerate(chosen, 1):
            if mutant.key not in done:
                checks = checks_of(mutant, lines)
                said = outcome(mutant, checks)
                line = {"mutant": mutant.key, "before": mutant.before, "after": mutant.after, "outcome": said}
                file.write(json.dumps({**line, "checks": len(checks)}) + "\n")
                file.flush()
                done[mutant.key] = said
                print(f"{number}/{len(chosen)} of {total}: {mutant.key}: {said}", file=sys.stderr)
    summary([done[mutant.key] for mutant in chosen])
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime + process_time()
    print(f"{used:,.0f} s of processor time")


def read(path: Path) -> dict[str, str]:
    """Outcomes by the mutant's key; the last one counts."""
    if not path.exists():
        return {}
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {line["mutant"]: line["outcome"] for line in lines}


def summary(outcomes: Sequence[str]) -> None:
    survived = sum(said in ("survived", "never executed") for said in outcomes)
    same = outcomes.count("same code")
    tried = len(outcomes) - same
    print(f"{len(outcomes)} mutants, {same} of them the same code; {tried - survived} of {tried} caught")


if __name__ == "__main__":
    main()
