"""What a mutant of the cores changes, whether a conformance test sees it or not.

    python -m tools.mutation.behaviour results.ndjson told.ndjson

The right cores take random steps with many settings: three brokers under the adapter, and a simulated cluster whose
network delays and loses what it carries. Every different call of a core is recorded: its state, what it was given, what
it did. Then states and inputs are combined that never met. Each mutant of `results.ndjson` that no conformance test
caught answers the same calls; a line of `told.ndjson` says in how many calls of runs, and in how many combined ones, it
did otherwise, and in what. A mutant that answers all of them alike does not change behaviour as far as anybody can see.
"""

from __future__ import annotations

import gc
import json
import pickle
import resource
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from tools.mutation.calls import Call, Recorder, answer, by_line, difference, touched
from tools.mutation.mutants import NOT_CAUGHT, UNFINISHED, apart
from tools.mutation.mutations import MODULES, Instead, mutants_of

WALKS, STEPS, RUNS, COMBINED = 4, 300, 40, 20_000
"""Random walks for each settings, their length, runs of the simulated cluster, calls that are combined."""
OTHER_SETTINGS: tuple[Mapping[str, Any], ...] = (
    {},
    {"FineSteps": False},
    {"Learners": {"#set": ["b3"]}},
    {"AllAck": False},
    {"AllAck": False, "InSyncReplicas": 2, "MinInSyncReplicas": 2},
    {"MinInSyncReplicas": 2},
    {"UncleanElection": True},
    {"UncleanElection": True, "MaxLostDisks": 3},
    {"FirstMaster": "none", "FirstSyncStateSet": {"#set": []}},
    {"FirstMaster": "none", "FirstSyncStateSet": {"#set": []}, "Learners": {"#set": ["b1"]}},
    {"HalfOpen": False},
    {"TrackConfirm": False},
    {"MaxLosses": 0},
    {"BatchSize": 5},
    {"MaxCleans": 4, "MaxCrashes": 20},
)
MORE_STEPS = ("MetadataIsCleaned", "DiskIsLost", "ForgetUnresolvedProposals", "ControllerAppliesEvent")


def record() -> list[list[Call]]:
    """Calls of runs, and combined calls."""
    recorder = Recorder()
    with recorder:
        for number, other in enumerate(OTHER_SETTINGS):
            recorder.begin("", {})
            for walk in range(WALKS):
                _walk(other, Random(f"{number}:{walk}"))
        for reading in _readings():
            recorder.begin("", reading)
            _walk(reading, Random(str(reading)))
        recorder.begin("", {})
        for run in range(RUNS):
            _simulate(Random(run))
    return [recorder.calls, _combined(recorder)]


def _readings() -> Iterator[dict[str, str]]:
    from rmqproof.impl.broker.readings import BROKER_READINGS
    from rmqproof.impl.controller.config import CONTROLLER_READINGS

    for rule, readings in {**BROKER_READINGS, **CONTROLLER_READINGS}.items():
        yield from ({rule: reading} for reading in readings)


def _walk(other: Mapping[str, Any], random: Random) -> None:
    from rmqproof.conformance.abstraction import AbstractionError
    from rmqproof.conformance.reference import ReferenceAdapter
    from tools.mutation.schedules import CONSTANTS, NAMES, OTHERS, take
    from tools.mutation.schedules import STEPS as CHOICES

    adapter = ReferenceAdapter()
    try:
        adapter.start({**CONSTANTS, **other})
    except AbstractionError:
        return
    for _ in range(STEPS):
        choice = random.randrange(len(CHOICES) + len(OTHERS) + len(MORE_STEPS))
        if choice < len(CHOICES) + len(OTHERS):
            take(adapter, choice, random.randrange(6))
        else:
            action = MORE_STEPS[choice - len(CHOICES) - len(OTHERS)]
            of_one = action in ("DiskIsLost", "ForgetUnresolvedProposals")
            adapter.perform(action, (random.choice(NAMES),) if of_one else ())


def _simulate(random: Random) -> None:
    from rmqproof.impl.runtime.simulated import SimulatedCluster

    cluster = SimulatedCluster(3, all_ack=random.random() < 0.7)
    cluster.work(random.choice((0, 20, 200)))
    for _ in range(60):
        number = random.randint(1, 3)
        match random.randrange(12):
            case 0:
                cluster.crash(number)
            case 1:
                cluster.crash(number, lambda count: count * random.randint(0, 3) // 4)
            case 2:
                cluster.break_stream(number)
            case 3:
                cluster.lose_request(number)
            case 4:
                cluster.lose_answer(number)
            case 5:
                cluster.shrink(number, random.randint(1, 3))
            case 6:
                cluster.give_up(number)
            case 7:
                cluster.read(number)
            case 8 | 9:
                cluster.put(number)
            case _:
                cluster.restart(number)
        for _ in range(random.choice((1, 5, 30))):
            if steps := cluster.possible():
                cluster.take(random.choice(steps))


def _combined(recorder: Recorder) -> list[Call]:
    """A state of one call and the input of another, in the same kind of core."""
    calls, random, found = recorder.calls, Random(0), []
    kinds = {kind: [call for call in calls if call.kind == kind] for kind in ("broker", "controller")}
    inputs = {kind: _by_type(of_kind) for kind, of_kind in kinds.items()}
    for _ in range(COMBINED):
        kind = random.choice(("broker", "broker", "broker", "controller"))
        one, other = random.choice(kinds[kind]), random.choice(random.choice(inputs[kind]))
        given = pickle.dumps((pickle.loads(one.given)[0], *pickle.loads(other.given)[1:]))
        call = Call(kind, one.setup, given, b"", "", frozenset())
        try:
            did, lines = recorder.watched(lambda call=call: answer(call))  # type: ignore[misc]
        except Exception:
            continue  # not even the right one takes this
        found.append(replace(call, did=pickle.dumps(did), text=repr(did), lines=lines))
    return found


def _by_type(calls: Sequence[Call]) -> list[list[Call]]:
    types: dict[str, list[Call]] = {}
    for call in calls:
        given = pickle.loads(call.given)[1]
        types.setdefault(type(getattr(given, "packet", given)).__name__, []).append(call)
    return list(types.values())


# --- telling ---------------------------------------------------------------------------------------------------------


@dataclass
class Told:
    """In how many calls a mutant does otherwise, and in what; `example` is the first of them."""

    calls: int = 0
    what: Counter[str] = field(default_factory=Counter)
    example: str = ""


def told(calls: Sequence[Call]) -> Told:
    found = Told()
    for call in calls:
        differs = difference(call)
        if differs is not None:
            what, text = differs
            found.calls += 1
            found.what[what] += 1
            found.example = found.example or f"{pickle.loads(call.given)}: {text} instead of {call.text}"
    return found


def main(words: Sequence[str]) -> None:
    results, target = map(Path, words)
    corpus = target.with_suffix(".calls")
    if not corpus.exists():
        said = apart(lambda: _write(corpus), seconds=3600)
        print(said, file=sys.stderr)
    corpora = dict(zip(("runs", "combined"), pickle.loads(corpus.read_bytes()), strict=True))
    places = {name: by_line(calls) for name, calls in corpora.items()}
    gc.freeze()
    by_key = {mutant.key: mutant for module in MODULES for mutant in mutants_of(module)}
    lines = map(json.loads, results.read_text(encoding="utf-8").splitlines())
    done = set()
    if target.exists():
        done = {json.loads(line)["mutant"] for line in target.read_text(encoding="utf-8").splitlines()}
    with target.open("a", encoding="utf-8") as file:
        for line in lines:
            if line["outcome"] not in (*NOT_CAUGHT, UNFINISHED) or line["mutant"] in done:
                continue
            mutant = by_key[line["mutant"]]

            def work(mutant: Any = mutant) -> str:
                sys.meta_path.insert(0, Instead(mutant))
                found = {}
                for name, calls in corpora.items():
                    one = told([calls[place] for place in touched(mutant, calls, places[name])])
                    found[name] = {"calls": one.calls, "what": dict(one.what), "example": one.example[:1500]}
                return json.dumps(found)

            said = apart(work)
            found = json.loads(said) if said.startswith("{") else {"runs": {"calls": -1, "what": {said: 1}}}
            size = sum(map(len, corpora.values()))
            file.write(json.dumps({**line, **found, "corpus": size}) + "\n")
            file.flush()
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    print(f"{used:,.0f} s of processor time", file=sys.stderr)


def _write(corpus: Path) -> str:
    found = record()
    corpus.write_bytes(pickle.dumps(found))
    return f"{len(found[0]):,} calls of runs, {len(found[1]):,} combined"


if __name__ == "__main__":
    main(sys.argv[1:])
