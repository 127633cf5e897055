"""Bounded checking has the Python engine's states, and a translation that is wrong is caught."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rmqproof.model.checking.expectation import Expectation, read_expectation
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.prove import actions, builtins, choose, merged_states, translate
from rmqproof.model.prove.bounded import Bounded, BoundedSearch
from rmqproof.model.prove.modules import open_module
from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.library import PROTOCOL
from rmqproof.model.tla.model_files import ModelFiles, find_models
from tests.at_length import every
from tools.bounded import compare, compare_states, difference

SHOP = r"""---- MODULE Shop ----
EXTENDS Integers, Sequences, FiniteSets
CONSTANTS Clients, a, b
VARIABLES queue, served, till
Init == /\ queue = <<[who |-> a, at |-> 0], [who |-> b, at |-> 1]>>
        /\ served \in {[c \in Clients |-> n] : n \in 0..1}
        /\ till = {[who |-> a, at |-> 2], [who |-> b, at |-> 1]}
Join(c) == Len(queue) < 3 /\ queue' = Append(queue, [who |-> c, at |-> served[c]]) /\ UNCHANGED <<served, till>>
Serve == /\ queue # <<>>
         /\ served' = [served EXCEPT ![Head(queue).who] = @ + 1]
         /\ till' = till \cup {Head(queue)}
         /\ queue' = Tail(queue)
Leave(x) == till' = till \ {x} /\ UNCHANGED <<queue, served>>
Clear == /\ Cardinality(till) > 1
         /\ till' = {CHOOSE x \in till : \A y \in till : x.at <= y.at}
         /\ queue' = SelectSeq(queue, LAMBDA q : q.at > 0)
         /\ served' = [c \in Clients |-> IF c \in {q.who : q \in till} THEN 0 ELSE served[c]]
Again == \E i \in 1..Len(queue) : served' = [served EXCEPT ![queue[i].who] = i] /\ UNCHANGED <<queue, till>>
Next == Again \/ (\E c \in Clients : Join(c)) \/ Serve \/ (\E x \in till : Leave(x)) \/ Clear
Holds == \A c \in Clients : served[c] >= 0
====
"""


def differences(folder: Path, steps: int = 2) -> list[str]:
    spec, config = folder / "Shop.tla", folder / "Shop.cfg"
    spec.write_text(SHOP)
    config.write_text(
        "CONSTANTS a = a b = b Clients = {a, b}\nINIT Init\nNEXT Next\nINVARIANT Holds\nCHECK_DEADLOCK FALSE"
    )
    subject = open_module(spec, config)
    search, system = BoundedSearch(subject, steps, 60), system_of(subject.model)
    found: list[str] = []
    answer = search.run(lambda depth: found.append(compare_states(search, system, depth, most=200).differs))
    return [text for text in (*found, difference(answer, ())) if text]


def test_the_states_are_those_of_the_python_engine(tmp_path: Path) -> None:
    assert differences(tmp_path) == []


Real = Callable[..., Any]
WRONG: dict[str, tuple[Any, str, Callable[[Real], Real]]] = {
    "Append forgets": (builtins._RULES, "Append", lambda real: lambda t, s, x: s),
    "Tail takes nothing off": (builtins._RULES, "Tail", lambda real: lambda t, s: s),
    "a union lacks its second set": (builtins._RULES, "\\cup", lambda real: lambda t, a, b: a),
    "a difference takes nothing away": (builtins._RULES, "\\", lambda real: lambda t, a, b: a),
    "Cardinality counts one too many": (builtins._RULES, "Cardinality", lambda real: lambda t, s: real(t, s) + 1),
    "a comparison is strict": (builtins._RULES, "<=", lambda real: lambda t, a, b: builtins._RULES["<"](t, a, b)),
    "a condition of a step is lost": (actions.Step, "under", lambda real: lambda self, condition: self),
    "a way is lost": (merged_states, "_grouped", lambda real: lambda cases: real(list(cases)[:-1])),
    "SelectSeq keeps all": (choose.Choices, "selection", lambda real: lambda self, s, keep: s),
    "EXCEPT changes nothing": (translate, "updated", lambda real: lambda target, *_: target),
    "a number is thought to be smaller": (merged_states, "joined", lambda real: lambda found: (0, 0)),
}


@pytest.mark.parametrize("name", every(2, WRONG))
def test_a_wrong_translation_is_caught(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where, what, wrong = WRONG[name]
    if isinstance(where, dict):
        monkeypatch.setitem(where, what, wrong(where[what]))
    else:
        monkeypatch.setattr(where, what, wrong(getattr(where, what)))
    assert differences(tmp_path)


def test_a_path_that_the_python_engine_does_not_have_is_no_violation() -> None:
    doubt = Bounded(1, reason="the Python engine does not reach state 2 of the path that Z3 found")
    assert difference(doubt, ())
    assert difference(Bounded(2, "Holds"), ())


def models() -> list[tuple[ModelFiles, Expectation]]:
    found = []
    for model in find_models([PROTOCOL], []):
        assert model.config is not None
        expected = read_expectation(model.config.read_text(encoding="utf-8"))
        if expected is not None:
            found.append((model, expected))
    return found


def shallow() -> list[Any]:
    """The configurations whose counterexample has at most six steps; the cheapest are tried each time."""
    found = []
    for model, expected in models():
        depth = dict(expected.counts).get("depth")
        if expected.verdict == Verdict.SAFETY and depth is not None and depth <= 7:
            assert model.config is not None
            quick = model.config.stem in ("ExpiredHeadCase", "InsufficientWatermark", "UpgradeSlaveFirst")
            marks = [] if quick else [pytest.mark.large]
            found.append(pytest.param(model, expected, depth - 1, marks=marks, id=model.config.stem))
    return found


@pytest.mark.parametrize(("model", "expected", "steps"), shallow())
def test_a_broken_rule_is_found(model: ModelFiles, expected: Expectation, steps: int) -> None:
    assert model.config is not None
    row = compare(model.spec, model.config, expected, steps, 60)
    assert row.differs == ""
    assert row.reached == steps and not row.found.startswith("none")  # of two that are violated Z3 may find either


def test_neither_looks_deeper_than_the_other() -> None:
    config = PROTOCOL / "bugs" / "UpgradeSlaveFirst.cfg"
    model, expected = next((model, expected) for model, expected in models() if model.config == config)
    steps = dict(expected.counts)["depth"] - 2
    assert steps > 0
    row = compare(model.spec, config, expected, steps, 60)
    assert (row.differs, row.found) == ("", f"none within {steps} steps")


def families() -> list[Any]:
    """For each module the first of its configurations."""
    first: dict[Path, tuple[ModelFiles, Expectation]] = {}
    for model, expected in models():
        first.setdefault(model.spec, (model, expected))
    return [pytest.param(model, expected, id=spec.stem) for spec, (model, expected) in first.items()]


REFUSED = ("EpochFileGolden", *(path.stem for path in (PROTOCOL / "lemmas").glob("*.tla")))
"""They have no invariants and no step properties."""
RECURSIVE = ("ConnectionByHost", "ControllerDiscovery", "Issue10812Channel", "Issue9843", "MembersCounted", "PreOnline")
"""They go through a set by an operator that applies itself, which has no translation."""


@pytest.mark.large
@pytest.mark.parametrize(("model", "expected"), families())
def test_one_configuration_of_each_module(model: ModelFiles, expected: Expectation) -> None:
    assert model.config is not None
    row = compare(model.spec, model.config, expected, 2, 60)
    assert row.differs == ""
    assert ("the recursion of" in row.refused) == (model.spec.stem in RECURSIVE), row.refused
    assert bool(row.refused) == (model.spec.stem in (*REFUSED, *RECURSIVE)), row.refused
    assert row.refused or row.admitted or row.found, "nothing was compared"
