"""Lemmas of spec/lemmas, put to the prover one by one, or one way to take a step by itself."""

from __future__ import annotations

from rmqproof.model.prove.decide import PROVED, Verdict, decide, prove_parts
from rmqproof.model.prove.modules import chosen, open_module, used_by
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.ways import Way
from rmqproof.model.tla.library import bundled

SECONDS = 20
"""For a question."""


def opened(module: str) -> Subject:
    return open_module(bundled(f"{module}.tla"))


def settled(subject: Subject, name: str) -> Verdict:
    (lemma,) = chosen(subject, (name,))
    return decide(subject, lemma, SECONDS, used_by(subject, lemma))


def is_proved(subject: Subject, name: str) -> bool:
    """Of something: its hypotheses are satisfiable."""
    verdict = settled(subject, name)
    return verdict.verdict == PROVED and verdict.satisfiable is True


def is_proved_of_step(subject: Subject, name: str, title: str | None = None) -> bool:
    """All that a lemma says of one way to take the step, or of all of them, and it says something."""
    (lemma,) = chosen(subject, (name,))
    share = [Way(title)] if title is not None else None
    parts = prove_parts(subject, lemma, SECONDS, used_by(subject, lemma), share=share)
    return bool(parts) and all(part.verdict == PROVED for part in parts)
