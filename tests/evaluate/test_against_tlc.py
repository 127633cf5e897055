"""Counts of whole models, each the one that TLC prints with one worker."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rmqproof.model.evaluate.system import check_assumptions, system_of
from tests.evaluate.explore import SPECS, explore, load

TEXTBOOK = SPECS.parent.parent / "specs"

# distinct states, generated states, depth
COUNTS = {
    "Branching Branching": (156, 1920, 7),
    "Lock LockPlain": (210, 394, 16),
    "Lock LockSymmetric": (45, 88, 16),
    "Lock LockView": (34, 64, 16),
    "Lock LockConstrained": (209, 394, 15),
    "Lock LockActionConstrained": (206, 382, 16),
    "ReadingOrder ReadingOrder": (9, 9, 5),
    "ReadingOrder ReadingOrderServersFirst": (5, 5, 5),
    "RecursiveWays RecursiveWays": (25, 151, 6),
}


@pytest.mark.parametrize("model", COUNTS)
def test_counts_are_those_of_tlc(model: str) -> None:
    spec, config = model.split()
    found = explore(load(SPECS / f"{spec}.tla", SPECS / f"{config}.cfg"))
    assert (found.distinct, found.total, found.depth) == COUNTS[model]


@pytest.mark.parametrize(
    ("spec", "config", "counts"),
    [
        ("TokenRing", "TokenRing", (3125, 13750, 1)),
        ("TwoPhaseCommit", "TwoPhaseCommit", (1568, 8258, 14)),
        ("Paxos", "PaxosSymmetric", (443, 2682, 17)),
    ],
)
def test_textbook_specifications(spec: str, config: str, counts: tuple[int, int, int]) -> None:
    module = TEXTBOOK / f"{'PaxosSymmetric' if config == 'PaxosSymmetric' else spec}.tla"
    found = explore(load(module, TEXTBOOK / f"{config}.cfg"))
    assert (found.distinct, found.total, found.depth) == counts


@pytest.mark.parametrize("name", ["Values", "ReadingOrder", "Parts"])
def test_assumptions_about_values(name: str) -> None:
    """Modules of equations that TLC finds true."""
    system = load(SPECS / f"{name}.tla", SPECS / f"{name}.cfg")
    assert check_assumptions(system.model, system) == []


def test_a_verdict_that_follows_from_the_order_of_model_values() -> None:
    system = load(SPECS / "ReadingOrder.tla", SPECS / "ReadingOrderServersFirst.cfg")
    second = next(iter(system.successors(next(iter(system.initial_states()))))).state
    assert system.to_itf(second)["taken"] == {"#tup": ["s3"]}  # by name it would be nobody


def test_the_order_by_name_gives_other_counts() -> None:
    """What the order is worth: without it this model has other states."""
    system = load(SPECS / "ReadingOrder.tla", SPECS / "ReadingOrderServersFirst.cfg")
    assert explore(system_of(replace(system.model, words=()))).distinct == 9


def test_systems_in_one_process_keep_their_own_order() -> None:
    first, second = (
        load(SPECS / "ReadingOrder.tla", SPECS / f"{name}.cfg") for name in ("ReadingOrder", "ReadingOrderServersFirst")
    )
    states = [next(iter(system.initial_states())) for system in (first, second)]
    taken = [
        system.to_itf(next(iter(system.successors(state))).state)["taken"]["#tup"]
        for system, state in [(first, states[0]), (second, states[1])] * 2
    ]
    assert taken == [["nobody"], ["s3"], ["nobody"], ["s3"]]


def test_the_careful_code_agrees_with_the_fast_code() -> None:
    """State by state, on models whose fast code never has to give up."""
    for model in COUNTS:
        spec, config = model.split()
        system = load(SPECS / f"{spec}.tla", SPECS / f"{config}.cfg")
        careful = system.careful()
        for state in explore(system).states:
            found: list[object] = []
            careful.next(state, found)  # type: ignore[arg-type]
            assert found == list(system.successors(state))
        assert system.deoptimised == 0


def test_fingerprints_are_the_same_in_every_process() -> None:
    """Fixed numbers: a change of the encoding invalidates every checkpoint and must be a decision."""
    system = load(SPECS / "Lock.tla", SPECS / "LockPlain.cfg")
    (state,) = system.initial_states()
    assert f"{system.fingerprint(state):016x}" == "c008394387c02d3a"
