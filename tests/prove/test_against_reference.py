"""What is put to Z3 says what the specification says: compared with the reference evaluator in many worlds."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from rmqproof.model.prove import translate
from rmqproof.model.prove.logic import Truth
from rmqproof.model.prove.modules import chosen, open_module
from rmqproof.model.tla.library import bundled
from tools.translation.compare import Comparison, Found, compared, compared_steps
from tools.translation.worlds import Worlds

COUNTER = """---- MODULE Counter ----
EXTENDS Integers, Sequences, FiniteSets
CONSTANT Node
VARIABLES log, seen
Init == log = [n \\in Node |-> <<>>] /\\ seen = {}
Append1(n) == Len(log[n]) < 3 /\\ log' = [log EXCEPT ![n] = Append(@, Len(@) + 1)] /\\ UNCHANGED seen
Look(n) == log[n] # <<>> /\\ seen' = seen \\cup {n} /\\ UNCHANGED log
Forget == seen # {} /\\ seen' = {} /\\ log' = [n \\in Node |-> IF n \\in seen THEN Tail(log[n]) ELSE log[n]]
Next == Forget \\/ \\E n \\in Node : Append1(n) \\/ Look(n)
Inv == /\\ \\A n \\in Node : \\A i \\in DOMAIN log[n] : log[n][i] >= i
       /\\ \\A n \\in seen : \\E i \\in 1..Len(log[n]) : log[n][i] = 1
       /\\ Cardinality(seen) <= 1
       /\\ \\A n, m \\in Node : Head(log[n]) = 1 => log[m] = log[n]
\\* With a step.
THEOREM Step == ASSUME Inv, Next PROVE Inv'
\\* Without a step.
THEOREM State == ASSUME NEW x \\in Int, Small:: x < Cardinality(seen), Inv
                 PROVE \\A n \\in seen : Len(log[n]) >= x /\\ x # 1
====
"""
CONFIG = "CONSTANT Node = {a, b}\nINIT Init\nNEXT Next\n"


def found(module: Path, name: str, number: int) -> Found:
    subject = open_module(module)
    (lemma,) = chosen(subject, (name,))
    comparison, worlds = Comparison(subject, lemma), Worlds(subject, lemma, random.Random(7))
    (compared_steps if lemma.is_about_steps else compared)(comparison, worlds, number)
    return comparison.found


@pytest.fixture
def counter(tmp_path: Path) -> Path:
    (tmp_path / "Counter.tla").write_text(COUNTER)
    (tmp_path / "Counter.cfg").write_text(CONFIG)
    return tmp_path / "Counter.tla"


def test_states_and_steps(counter: Path) -> None:
    state, step = found(counter, "State", 60), found(counter, "Step", 60)
    assert state.differ == step.differ == []
    for counts in (state.counts, step.counts):
        assert min(counts["true"], counts["false"], counts["no value"]) > 5
        assert counts["undecided"] == 0
    assert min(step.counts["a step"], step.counts["no step"]) > 10


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("AckPolicyLemmas", "CopiesSurviveFewerLosses"),
        ("ConfirmOffsetLemmas", "CleanElectionKeepsConfirm"),
        pytest.param("ControllerLemmas", "StaleAlterChangesNothing", marks=pytest.mark.large),
        ("EpochFileLemmas", "NothingConfirmedIsCut"),
        pytest.param("InductiveInvariant", "InvImpliesAckedDurability", marks=pytest.mark.large),
    ],
)
def test_lemmas_of_the_protocol(module: str, name: str) -> None:
    result = found(bundled(f"{module}.tla"), name, 8)
    assert result.differ == []
    assert result.comparisons > 5
    assert result.counts["undecided"] == 0


def turned(original: Callable[..., Truth]) -> Callable[..., Truth]:
    """A translation that is wrong: of several parts the last one is forgotten."""

    def wrong(parts: object) -> Truth:
        kept = list(parts)  # type: ignore[call-overload]
        return original(kept[:-1] if len(kept) > 1 else kept)

    return wrong


def test_a_wrong_translation_is_found(counter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translate, "conjunction", turned(translate.conjunction))
    assert found(counter, "State", 60).differ


def test_a_way_that_is_lost_is_found(counter: Path) -> None:
    subject = open_module(counter)
    (lemma,) = chosen(subject, ("Step",))
    comparison = Comparison(subject, lemma)
    ways = [way for way in comparison.ways if way[0].name != "Look"]
    assert 0 < len(ways) < len(comparison.ways)
    comparison.ways = ways
    compared_steps(comparison, Worlds(subject, lemma, random.Random(7)), 60)
    assert comparison.found.differ
    assert all(line.startswith("a step, and Z3 says otherwise") for line in comparison.found.differ)
