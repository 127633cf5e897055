"""No message waits for ever, for any number of brokers: the obligations, and what each defect breaks of them.

All of it takes minutes: `rmqproof prove spec/lemmas/MembershipLemmas.tla`, and `--replicas any`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from rmqproof.model.prove.decide import PROVED, REFUTED, decide, prove_parts
from rmqproof.model.prove.modules import ANY, Sizes, chosen, open_module
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.theorems import Lemma, lemmas_of
from rmqproof.model.tla.library import bundled
from tests.at_length import first
from tests.prove.asking import SECONDS, is_proved, is_proved_of_step
from tests.prove.broken_rule import asked_with, opened_with, rules_of

MODULE = bundled("MembershipLemmas.tla")
RENEWED = "  AlterCode <- AlterCodeWithRenewal\n"


STEPS = {
    "OrderlyIsKept",
    "TimersKeepInv",
    "BudgetsRunOut",
    "EpochsOnlyRise",
    "WhoIsHeardStaysHeard",
    "FollowersSettle",
    "StagesLeadOn",
    "RequestsArePurposeful",
    "RemovalsRunOut",
    "StoredIsNews",
}
"""About every step: some are put to the prover below."""


@cache
def subject(replicas: int | None = None) -> Subject:
    return open_module(MODULE, sizes=Sizes(replicas))


@pytest.mark.large
@pytest.mark.parametrize("replicas", [None, ANY])
def test_what_is_said_of_states_is_proved_and_about_something(replicas: int | None) -> None:
    opened = subject(replicas)
    asked = [lemma for lemma in lemmas_of(opened.model.specification) if lemma.name not in STEPS]
    assert len(asked) == 18
    assert [lemma.name for lemma in asked if not is_proved(opened, lemma.name)] == []


@pytest.mark.parametrize("name", first(1, ["RemovalIsUnderWay", "WhoIsBehindCanBeRemoved", "RemovalCanBeStored"]))
def test_some_for_any_number(name: str) -> None:
    """A set that is made by a filter is asked for."""
    assert is_proved(subject(ANY), name)


SOME_STEPS = [
    ("OrderlyIsKept", "SyncStateSetIsRenewed"),
    ("RequestsArePurposeful", "SyncStateSetIsRenewed"),
    ("StoredIsNews", "SyncStateSetIsChecked"),
    pytest.param("StagesLeadOn", "SyncStateSetIsChecked", marks=pytest.mark.large),
    pytest.param("TimersKeepInv", "SyncStateSetIsRenewed", marks=pytest.mark.large),
]


@pytest.mark.parametrize(("replicas", "who"), [(None, "b1"), (ANY, "?")])
@pytest.mark.parametrize(("name", "action"), first(1, SOME_STEPS))
def test_some_steps(name: str, action: str, replicas: int | None, who: str) -> None:
    assert is_proved_of_step(subject(replicas), name, f"{action}({who})")


@pytest.mark.large
@pytest.mark.parametrize("name", sorted(STEPS))
def test_every_step_for_any_number(name: str) -> None:
    assert is_proved_of_step(subject(ANY), name)


RULE = "MayBeRenewedWhoeverIsBehind(b) == TRUE"


@pytest.mark.large
def test_with_a_renewal_whoever_is_behind_there_is_no_proof_of_the_rank(tmp_path: Path) -> None:
    """As spec/bugs/InsufficientOrder: what can be stored then takes nobody in and leaves a member that is behind.

    The solver finds no values for it in the time; the explicit search does (the model).
    """
    broken = ("MayBeRenewed", "MayBeRenewedWhoeverIsBehind", RULE)
    result = asked_with(tmp_path, "MembershipLemmas", *broken, "RequestsArePurposeful", "SyncStateSetIsRenewed")
    assert result.exit_code == 1
    assert "0 proved" in result.output and "SyncStateSetIsRenewed" in result.output


def broken(folder: Path, model: str, obligation: str, replicas: int | None = None) -> tuple[Subject, Lemma]:
    module, rules = rules_of(model)
    kept = [rule for rule in rules if "MaxSets" not in rule]
    opened = opened_with(folder, "MembershipLemmas", module, kept, RENEWED, replicas)
    (lemma,) = chosen(opened, (obligation,))
    return opened, lemma


@pytest.mark.parametrize(
    ("model", "obligation"),
    [
        ("Issue7219", "WhoKeepsItWaitingCanBeRemoved"),
        pytest.param("Issue4422", "WhoKeepsItWaitingCanBeRemoved", marks=pytest.mark.large),
        pytest.param("CaughtUpOnceSent", "WhoKeepsItWaitingCanBeRemoved", marks=pytest.mark.large),
        ("InsufficientRenewal", "RenewalCanBeStored"),
        ("IdleSlaveExpelled", "WhoHasAllIsNotBehind"),
    ],
)
def test_what_a_defect_breaks(tmp_path: Path, model: str, obligation: str) -> None:
    assert decide(*broken(tmp_path, model, obligation), SECONDS).verdict == REFUTED


def test_a_defect_leaves_no_proof_for_any_number(tmp_path: Path) -> None:
    parts = prove_parts(*broken(tmp_path, "InsufficientRenewal", "RenewalCanBeStored", ANY), 0.5)
    assert [part.goal for part in parts if part.verdict != PROVED]
