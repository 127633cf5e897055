"""Every lemma that comes with rmqproof: settled as declared, about something, and with no hypothesis too many."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import z3

from rmqproof.model.prove.ask import Asked, ask
from rmqproof.model.prove.decide import PROVED, decide
from rmqproof.model.prove.modules import Sizes, chosen, open_module, used_by
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.theorems import Lemma, lemmas_of
from rmqproof.model.tla.library import bundled
from tests.at_length import all_but
from tests.prove.weaken import needless

QUICK = ("AckPolicyLemmas", "ConfirmOffsetLemmas", "EpochFileLemmas", "ControllerLemmas")
"""The inductive invariant takes much longer: `make prove-invariant`, and test_invariant.py for some of it."""
LONG = (
    "InductiveInvariant",
    "LogLemmas",
    "UncleanLemmas",
    "AllAckLemmas",
    "AllCopiesLemmas",
    "CleanCopiesLemmas",
    "RefinementLemmas",
    "ProgressLemmas",
    "MembershipLemmas",
)
UNANSWERED = 5
"""Questions of one of these lemmas that Z3 gives up, before one in other words is answered."""


@cache
def subject(module: str, replicas: int | None = None) -> Subject:
    return open_module(bundled(f"{module}.tla"), sizes=Sizes(replicas))


STEPS = ("ElectedFromTheSet", "MasterEpochsRise", "SyncStateSetEpochsRise")
"""They are asked of every action; so is MasterStaysMember."""


def names(*modules: str) -> list[tuple[str, str]]:
    return [(m, lemma.name) for m in modules for lemma in lemmas_of(subject(m).model.specification)]


def the(module: str, name: str, replicas: int | None = None) -> tuple[Subject, Lemma]:
    opened = subject(module, replicas)
    (lemma,) = chosen(opened, (name,))
    return opened, lemma


@pytest.mark.parametrize(("module", "name"), all_but(names(*QUICK), *STEPS))
def test_settled_as_declared(module: str, name: str) -> None:
    opened, lemma = the(module, name)
    answers: list[z3.CheckSatResult] = []

    def counted(*question: Any) -> z3.CheckSatResult:
        answers.append(ask(*question))
        return answers[-1]

    verdict = decide(opened, lemma, 60, used_by(opened, lemma), Asked(first=counted))
    assert verdict.verdict == lemma.expected, verdict.reason
    assert verdict.satisfiable is True
    assert answers.count(z3.unknown) <= UNANSWERED, "a way to ask that leads nowhere uses up its share first"
    if lemma.expected != PROVED:
        assert verdict.countermodel is not None
        assert verdict.countermodel.confirmed
    assert lemma.sentence.endswith((".", ":"))


@pytest.mark.parametrize(("module", "name"), names(*QUICK))
def test_every_hypothesis_is_needed(module: str, name: str) -> None:
    opened, lemma = the(module, name)
    if lemma.expected == PROVED:
        assert list(needless(opened, lemma, 20)) == []


@pytest.mark.parametrize("replicas", [2, 5])
@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("AckPolicyLemmas", "CopiesSurviveFewerLosses"),
        ("AckPolicyLemmas", "MajoritiesIntersect"),
        ("AckPolicyLemmas", "AllAckHoldsEverywhere"),
        ("ConfirmOffsetLemmas", "ConfirmNeverBeyondMember"),
        ("ConfirmOffsetLemmas", "CleanElectionKeepsConfirm"),
    ],
)
def test_for_other_numbers_of_brokers(module: str, name: str, replicas: int) -> None:
    opened, lemma = the(module, name, replicas)
    assert decide(opened, lemma, 20).verdict == PROVED


def test_every_lemma_has_a_sentence_and_a_name_of_its_own() -> None:
    every = names(*QUICK, *LONG)
    assert len({name for _, name in every}) == len(every)
    for module, name in every:
        assert the(module, name)[1].sentence


def test_the_table_in_the_documentation() -> None:
    """Each lemma with its sentence, as the modules have them."""
    text = (Path(__file__).parents[2] / "docs" / "lemmas.md").read_text(encoding="utf-8")
    for module, name in names(*QUICK, *LONG):
        lemma = the(module, name)[1]
        assert f"| `{name}` | {lemma.sentence} | {lemma.expected} |" in text
