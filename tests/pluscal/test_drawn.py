"""Random algorithms: ours translates them as TLC's translator did, or refuses as it did."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.pluscal import labels
from tools.pluscal.draw import algorithm
from tools.pluscal.drawn import REFUSED, answer
from tools.pluscal.translator import ours

ANSWERS = dict(line.split() for line in (Path(__file__).parent / "drawn.txt").read_text().splitlines())
"""Of `python -m tools.pluscal.drawn --count 400 --record`, with release 1.11 of TLC's translator."""


def differ() -> list[str]:
    found = []
    for seed, theirs in ANSWERS.items():
        text = algorithm(int(seed))
        mine, refused = ours(text)
        if answer(text, text if refused else mine) != theirs:
            found.append(seed)
    return found


def test_the_translations_are_those_of_tlc() -> None:
    assert differ() == []


def test_most_statements_are_in_algorithms_that_are_translated() -> None:
    translated = "\n".join(algorithm(int(seed)) for seed, theirs in ANSWERS.items() if theirs != REFUSED)
    words = "while elsif either with goto call return macro print assert || fair+ procedure"
    assert [word for word in words.split() if translated.count(word) < 20] == []


def test_a_label_that_is_forgotten_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    right = labels._Adding._assigns
    without = {"stack", "x", "y"}
    monkeypatch.setattr(labels._Adding, "_assigns", lambda self, statement: right(self, statement) - without)
    assert differ()
