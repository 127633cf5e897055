"""Does a lemma need its hypotheses? Without any of them it must be false."""

from __future__ import annotations

from collections.abc import Iterator

from rmqproof.model.prove.decide import refuted
from rmqproof.model.prove.formulas import gives_values
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.theorems import Lemma


def needless(subject: Subject, lemma: Lemma, timeout: float) -> Iterator[str]:
    """The names of the hypotheses without which no countermodel was found in the time, each.

    A hypothesis that is an action is the subject of its lemma and stays.
    """
    for hypothesis in lemma.hypotheses:
        if gives_values(hypothesis.formula):
            continue
        found = refuted(subject, lemma.without(hypothesis.name), timeout)
        if found is None or not found.confirmed:
            yield hypothesis.name
