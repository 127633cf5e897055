"""A message that waits is never stuck: the obligations, what each defect breaks of them, and two that hang."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.prove.decide import PROVED, REFUTED, decide
from rmqproof.model.prove.modules import open_module
from rmqproof.model.prove.theorems import lemmas_of
from rmqproof.model.tla.library import bundled
from tests.prove.broken_rule import opened_with, rules_of

MODULE = bundled("MembershipLemmas.tla")
SECONDS = 20
RENEWED = "  AlterCode <- AlterCodeWithRenewal\n"


def test_proved_and_about_something() -> None:
    opened = open_module(MODULE)
    for lemma in lemmas_of(opened.model.specification):
        verdict = decide(opened, lemma, SECONDS)
        assert (verdict.verdict, verdict.satisfiable) == (PROVED, True), lemma.name


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
