"""Mutation testing of the cores in impl/ by the conformance tests alone.

    python -m tools.mutation.mutants results.ndjson [--sample N] [--seed S] [--module impl/broker/rules.py]

Each mutant (see `mutations`) is imported in a forked process in the place of the right module, and performs the edges
of the models that the conformance tests use, until the first difference; then the counterexamples in traces/ are
replayed. What would tell nothing is left out: the models are explored once, before, and the right cores perform their
edges once, while every different call of them is recorded (see `calls`). A mutant answers the calls that execute its
line, and performs the models with a call that it answers otherwise. If there is none it would perform all as the right
one does. With --strict the edges of some of the models are performed again, and `strict` asks for more.

A result is a line of the file; what is in the file already is not tried again.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import os
import pickle
import resource
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from tools.mutation import grounds
from tools.mutation.calls import Call, Recorder, by_line, difference, touched
from tools.mutation.caught import CAUGHT
from tools.mutation.grounds import EVERY_ACTION, REGISTRATION, first_difference, ground
from tools.mutation.mutations import MODULES, Instead, Line, Mutant, is_same_code, mutants_of

MODELS = tuple(sorted({*EVERY_ACTION, *REGISTRATION, *(caught.config for caught in CAUGHT.values())}))
STRICT = tuple(f"strict {name}" for name in grounds.STRICT)
"""Models whose edges are performed once more with `strict.StrictAdapter`."""
COUNTEREXAMPLES = "counterexamples"
"""Not a model, but the check that comes last: every file of traces/ that an implementation can take."""
SECONDS = 120
"""Processor time of a mutant; one that needs more hangs, which is caught."""
BYTES = 4 << 30

SURVIVED = "survived"
ALIKE = "survived: answers every call alike"
UNSEEN = {"remark": "survived: only the text of an answer differs"}
"""What no adapter looks at: no model has to be performed."""
UNFINISHED = "unfinished"
NOT_CAUGHT = (SURVIVED, ALIKE, *UNSEEN.values(), "never executed")


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


def check(name: str, recorder: Recorder | None = None) -> str:
    """What differs in one model, or in the counterexamples; empty if nothing."""
    if name == COUNTEREXAMPLES:
        return _counterexamples(recorder)
    adapter = _adapter(name)
    if recorder is not None:
        recorder.trace_outside()
    found = first_difference(name.removeprefix("strict "), adapter)
    if found.difference is None:
        return ""
    why = f" ({found.difference.message})" if found.difference.message else ""
    return f"{name}: {found.caught_by}, {found.difference.kind.name}, after {found.edges} edges{why}"[:300]


def _adapter(name: str) -> Any:
    if name in REGISTRATION:
        from rmqproof.conformance.reference.registration import RegistrationAdapter

        return RegistrationAdapter
    if name in STRICT:
        from tools.mutation.strict import StrictAdapter

        return StrictAdapter
    from rmqproof.conformance.reference import ReferenceAdapter

    return ReferenceAdapter


def _counterexamples(recorder: Recorder | None) -> str:
    from tools.mutation import counterexamples

    for path in counterexamples.TRACES:
        if recorder is not None:
            config = json.loads(path.read_text(encoding="utf-8"))["#meta"]["config"]
            constants = counterexamples.constants_of(counterexamples.ROOT / config)
            if counterexamples.supported(json.dumps(constants)):
                continue
            recorder.begin(COUNTEREXAMPLES, _replaced(constants))
            recorder.trace_outside()
        try:
            counterexamples.take(path)
        except counterexamples.Unsupported:
            continue
        except Exception as error:
            return f"{COUNTEREXAMPLES}: {path.name}, {type(error).__name__}"
    return ""


def _replaced(constants: Mapping[str, Any]) -> dict[str, str]:
    """The rules that constants put in the places of the repaired ones."""
    from rmqproof.impl.broker.readings import BROKER_READINGS
    from rmqproof.impl.controller.config import CONTROLLER_READINGS

    known: dict[str, Any] = {**BROKER_READINGS, **CONTROLLER_READINGS}
    return {
        rule: reading if isinstance(reading, str) else next(iter(known[rule]))
        for rule, reading in constants.items()
        if rule in known
    }


def size(name: str) -> tuple[bool, int]:
    """Smaller ones are performed first, those that cost more later."""
    return name in STRICT, sys.maxsize if name == COUNTEREXAMPLES else len(ground(name.removeprefix("strict ")).steps)


# --- what the right cores do -----------------------------------------------------------------------------------------


@dataclass
class Recorded:
    """Every different call of all checks. `touching`: the calls that execute a line, by their places; `outside`: the
    checks that execute it outside of calls."""

    calls: list[Call]
    touching: dict[Line, list[int]]
    outside: dict[Line, list[str]]


def recorded(path: Path, checks: Sequence[str]) -> Recorded:
    """Of these checks, from the file. If it is not there it is made, in a process that may import the right cores."""
    if not path.exists():
        print(apart(lambda: _record(path, checks), seconds=30 * SECONDS), file=sys.stderr)
    calls, outside = pickle.loads(path.read_bytes())
    found = Recorded(calls, by_line(calls), {})
    for name, lines in outside.items():
        for line in lines:
            found.outside.setdefault(line, []).append(name)
    return found


def _record(path: Path, checks: Sequence[str]) -> str:
    recorder = Recorder()
    with recorder:
        for name in checks:
            if name != COUNTEREXAMPLES:
                recorder.begin(name, _replaced(ground(name.removeprefix("strict ")).subject.constants))
            said = check(name, recorder)
            sys.settrace(None)
            if said:
                raise ValueError(f"the right implementation fails: {said}")
            print(f"{name}: {len(recorder.calls):,} calls", file=sys.stderr)
    path.write_bytes(pickle.dumps((recorder.calls, recorder.outside)))
    return f"{len(recorder.calls):,} calls"


# --- one mutant ------------------------------------------------------------------------------------------------------


def outcome(mutant: Mutant, known: Recorded, seconds: float) -> tuple[str, int]:
    """What caught it, or why nothing did; the number of calls that execute it. `unfinished` if no more model is begun
    since so many seconds of processor time are over."""
    if is_same_code(mutant):
        return "same code", 0
    places = touched(mutant, known.calls, known.touching)
    outside = {name for line in mutant.head for name in known.outside.get(line, ())}
    if not places and not outside:
        return "never executed", 0

    def work() -> str:
        sys.meta_path.insert(0, Instead(mutant))
        tried: set[str] = set()

        def tell(names: Iterable[str]) -> str:
            for name in sorted(set(names) - tried, key=size):
                tried.add(name)
                if process_time() > seconds:
                    return UNFINISHED
                if said := check(name):
                    return said
            return ""

        other: set[str] = set(outside)
        said = ALIKE
        for place in places:
            call = known.calls[place]
            found = difference(call) if not call.runs <= other else None
            if found is not None and found[0] in UNSEEN:
                said = UNSEEN[found[0]]
            elif found is not None:
                if not other and (caught := tell([min(call.runs, key=size)])):
                    return caught
                other |= call.runs
        return tell(other) or (SURVIVED if other else said)

    return apart(work), len(places)


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for one mutant, then it is left for later")
    parser.add_argument("--module", choices=MODULES, action="append")
    parser.add_argument("--kind", help="only mutants of this kind, as assignment")
    parser.add_argument("--strict", action="store_true", help="only the strict checks, also of what is not caught yet")
    given = parser.parse_args(words)
    chosen = [mutant for module in given.module or MODULES for mutant in mutants_of(module)]
    chosen = [mutant for mutant in chosen if given.kind in (None, mutant.kind.split()[0])]
    total = len(chosen)
    if given.sample is not None:
        chosen = Random(given.seed).sample(chosen, min(given.sample, total))
    done, strictly = read(given.results)
    _import_what_is_not_changed()
    for name in STRICT if given.strict else MODELS:
        ground(name.removeprefix("strict "))
    if given.strict:
        known = recorded(given.results.with_suffix(".strict.calls"), STRICT)
    else:
        known = recorded(given.results.with_suffix(".calls"), (*MODELS, COUNTEREXAMPLES))
    gc.freeze()
    with given.results.open("a", encoding="utf-8") as file:
        for number, mutant in enumerate(chosen, 1):
            before = done.get(mutant.key, UNFINISHED)
            if before == UNFINISHED or (given.strict and before in NOT_CAUGHT and mutant.key not in strictly):
                said, calls = outcome(mutant, known, given.seconds)
                if given.strict and said in (*NOT_CAUGHT, UNFINISHED):
                    said = before
                line = {"mutant": mutant.key, "before": mutant.before, "after": mutant.after, "outcome": said}
                file.write(json.dumps({**line, "calls": calls, "strict": given.strict}) + "\n")
                file.flush()
                done[mutant.key] = said
                print(f"{number}/{len(chosen)} of {total}: {mutant.key}: {said}", file=sys.stderr)
    summary([done[mutant.key] for mutant in chosen])
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime + process_time()
    print(f"{used:,.0f} s of processor time")


def _import_what_is_not_changed() -> None:
    """Once for all mutants."""
    import pytest  # noqa: F401

    for name in ("broker_inputs", "broker_outputs", "controller_io", "writes"):
        importlib.import_module(f"rmqproof.impl.core.{name}")
    for name in ("config", "parts"):
        importlib.import_module(f"rmqproof.impl.broker.{name}")
    changed = {"rmqproof." + module.removesuffix(".py").replace("/", ".") for module in MODULES}
    assert changed.isdisjoint(sys.modules), "a mutant has to be imported first"


def read(path: Path) -> tuple[dict[str, str], set[str]]:
    """Outcomes by the mutant's key, of which the last one counts; and those that the strict checks have tried."""
    if not path.exists():
        return {}, set()
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    tried = {line["mutant"] for line in lines if line.get("strict")}
    return {line["mutant"]: line["outcome"] for line in lines}, tried


def summary(outcomes: Sequence[str]) -> None:
    survived = sum(said in NOT_CAUGHT for said in outcomes)
    same, later = outcomes.count("same code"), outcomes.count(UNFINISHED)
    tried = len(outcomes) - same - later
    print(f"{len(outcomes)} mutants, {same} the same code, {later} unfinished; {tried - survived} of {tried} caught")


if __name__ == "__main__":
    main()
