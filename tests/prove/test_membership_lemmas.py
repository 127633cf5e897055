"""No message waits for ever: the obligations, and what each defect breaks of them.

All of it takes minutes: `rmqproof prove spec/lemmas/MembershipLemmas.tla`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.prove.decide import PROVED, REFUTED, decide, prove_parts
from rmqproof.model.prove.modules import chosen, open_module, used_by
from rmqproof.model.prove.theorems import lemmas_of
from rmqproof.model.prove.ways import Way
from rmqproof.model.tla.library import bundled
from tests.prove.broken_rule import asked_with, opened_with, rules_of

MODULE = bundled("MembershipLemmas.tla")
SECONDS = 20
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


def test_what_is_said_of_states_is_proved_and_about_something() -> None:
    opened = open_module(MODULE)
    asked = [lemma for lemma in lemmas_of(opened.model.specification) if lemma.name not in STEPS]
    assert len(asked) == 18
    for lemma in asked:
        verdict = decide(opened, lemma, SECONDS)
        assert (verdict.verdict, verdict.satisfiable) == (PROVED, True), lemma.name


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("OrderlyIsKept", "SyncStateSetIsRenewed(b1)"),
        ("RequestsArePurposeful", "SyncStateSetIsRenewed(b1)"),
        ("StoredIsNews", "SyncStateSetIsChecked(b1)"),
        pytest.param("StagesLeadOn", "SyncStateSetIsChecked(b1)", marks=pytest.mark.large),
        pytest.param("TimersKeepInv", "SyncStateSetIsRenewed(b1)", marks=pytest.mark.large),
    ],
)
def test_some_steps(name: str, title: str) -> None:
    opened = open_module(MODULE)
    (lemma,) = chosen(opened, (name,))
    parts = prove_parts(opened, lemma, SECONDS, used_by(opened, lemma), share=[Way(title)])
    assert parts and {part.verdict for part in parts} == {PROVED}


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


@pytest.mark.parametrize(
    ("model", "obligation"),
    [
        ("Issue7219", "WhoKeepsItWaitingCanBeRemoved"),
        ("Issue4422", "WhoKeepsItWaitingCanBeRemoved"),
        ("CaughtUpOnceSent", "WhoKeepsItWaitingCanBeRemoved"),
        ("InsufficientRenewal", "RenewalCanBeStored"),
        ("IdleSlaveExpelled", "WhoHasAllIsNotBehind"),
    ],
)
def test_what_a_defect_breaks(tmp_path: Path, model: str, obligation: str) -> None:
    module, rules = rules_of(model)
    opened = opened_with(tmp_path, "MembershipLemmas", module, [r for r in rules if "MaxSets" not in r], RENEWED)
    (lemma,) = [lemma for lemma in lemmas_of(opened.model.specification) if lemma.name == obligation]
    assert decide(opened, lemma, SECONDS).verdict == REFUTED
