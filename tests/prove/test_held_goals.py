"""Why what is acknowledged can be read: lemmas about parts of the invariant, each of which is needed."""

from __future__ import annotations

import pytest
from _pytest.mark import ParameterSet

from rmqproof.model.prove.decide import PROVED, prove_parts
from rmqproof.model.prove.modules import ANY, Sizes, chosen, open_module
from rmqproof.model.tla.library import bundled
from tests.prove.asking import SECONDS, is_proved, opened
from tests.prove.weaken import needless

FOR_VALUES = {
    ("InductiveInvariant", "WhoReignsIsAlone"): "",
    ("InductiveInvariant", "WhatAllHaveIsRead"): "Numbers Sets",
    ("InductiveInvariant", "WhatAllHaveIsOld"): "Numbers Sets Flushed",
    ("AllAckLemmas", "AllAckReignIsAlone"): "",
    ("AllAckLemmas", "AllAckOwnIsRead"): "Numbers Sets OwnSets",
    ("AllAckLemmas", "AllAckOthersAreOld"): "Numbers Sets Flushed",
}
"""The hypotheses of a lemma without which it has no countermodel of three brokers: there types say that sets are of
brokers, and the others say that something has a value."""
SUPERFLUOUS = {("AllAckOwnIsRead", "OwnSets")}
"""Said as in InductiveInvariant; where no tail is lost all that is in a log counts as flushed, and it is not needed."""
QUICK = ("WhoReignsIsAlone", "AllAckReignIsAlone")


def lemmas() -> list[ParameterSet]:
    return [pytest.param(*key, marks=[] if key[1] in QUICK else [pytest.mark.large]) for key in FOR_VALUES]


@pytest.mark.parametrize(("module", "name"), lemmas())
def test_proved_for_any_number_of_brokers(module: str, name: str) -> None:
    assert is_proved(open_module(bundled(f"{module}.tla"), None, Sizes(ANY)), name)


@pytest.mark.parametrize(("module", "name"), lemmas())
def test_every_hypothesis_is_needed(module: str, name: str) -> None:
    """Without it there is a countermodel, or no proof for any number."""
    subject, of_any = opened(module), open_module(bundled(f"{module}.tla"), None, Sizes(ANY))
    (lemma,) = chosen(subject, (name,))
    without = list(needless(subject, lemma, SECONDS))
    assert without == FOR_VALUES[module, name].split()
    (lemma,) = chosen(of_any, (name,))
    for hypothesis in without:
        parts = prove_parts(of_any, lemma.without(hypothesis), 0.3)
        assert any(part.verdict != PROVED for part in parts) != ((name, hypothesis) in SUPERFLUOUS), hypothesis
