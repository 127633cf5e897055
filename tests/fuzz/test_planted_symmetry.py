"""Faults of SYMMETRY and VIEW that are planted in the engines show in what is drawn.

Each in the specification by which it was found first, counted from 243,000,000 on; another generator needs others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from rmqproof.model.evaluate import canonical, symmetry
from rmqproof.model.evaluate.values import Value
from rmqproof.model.native import program
from tools.fuzz.engines import ENGINES
from tools.fuzz.generate import generate

FIRST = 243_000_000

Plant = Callable[[pytest.MonkeyPatch], None]


def view_of_the_state_itself(patch: pytest.MonkeyPatch) -> None:
    """In the place of its least image."""
    patch.setattr(symmetry.Symmetry, "least", lambda self, state, *_: state[: len(self._tables)])


def greatest_image(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(symmetry, "min", max, raising=False)


def a_permutation_is_missing(patch: pytest.MonkeyPatch) -> None:
    def fewer(self: Any, value: Value) -> tuple[int, ...]:
        self[value] = (self._table[value], *[self._table[images[value]] for images in self._images[:-1]])
        return self[value]

    patch.setattr(symmetry.ImageDigests, "__missing__", fewer)


def colours_tell_names(patch: pytest.MonkeyPatch) -> None:
    real = canonical.Canonical.__init__

    def begin(self: Any, sets: Any) -> None:
        real(self, sets)
        self._first = {value: canonical.mixed(place) for place, value in enumerate(self._first)}

    patch.setattr(canonical.Canonical, "__init__", begin)


def all_of_a_colour_are_twins(patch: pytest.MonkeyPatch) -> None:
    def twins(block: Sequence[Value], state: Any, images: Any) -> list[list[Value]]:
        return [list(block)]

    patch.setattr(canonical, "_twins", twins)


@pytest.mark.parametrize(
    ("plant", "number"),
    [
        (colours_tell_names, 50),
        (a_permutation_is_missing, 61),
        (view_of_the_state_itself, 38),
        (greatest_image, 2028),
        (all_of_a_colour_are_twins, 336),
    ],
    ids=lambda given: getattr(given, "__name__", str(given)),
)
def test_it_is_found(plant: Plant, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = generate(FIRST + number).write(tmp_path)
    right = ENGINES["python"](spec)
    plant(monkeypatch)
    assert ENGINES["python"](spec).differs(right)


SKIPPED_PERMUTATION = ("g < PERMUTATIONS;", "g < PERMUTATIONS - 1;")
TWINS_BY_COLOUR = ("if (!image_(c, s, g, state, state, image)) class[i]", "class[i]")
FIRST_ORDER_ONLY = ("more = next_order", "next_order")
COLOUR_BY_NAME = ("mixed_((U)ATOMS + k + 1)", "mixed_((U)ATOMS + i + 1)")


@pytest.mark.parametrize(
    ("change", "number"),
    [(SKIPPED_PERMUTATION, 412), (COLOUR_BY_NAME, 50), (TWINS_BY_COLOUR, 360), (FIRST_ORDER_ONLY, 360)],
    ids=["permutation", "colours", "twins", "orders"],
)
def test_it_is_found_in_machine_code(
    change: tuple[str, str], number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = program._fixed

    def changed(name: str) -> str:
        text = real(name)
        assert name != "symmetry.c" or change[0] in text
        return text.replace(*change) if name == "symmetry.c" else text

    monkeypatch.setattr(program, "_fixed", changed)
    spec = generate(FIRST + number).write(tmp_path)
    assert ENGINES["native"](spec).differs(ENGINES["python"](spec))


def test_a_view_of_the_state_itself_is_found_in_machine_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = program._key
    monkeypatch.setattr(program, "_key", lambda symmetric, viewed: real(symmetric and not viewed, viewed))
    spec = generate(FIRST + 454).write(tmp_path)
    assert ENGINES["native"](spec).differs(ENGINES["python"](spec))
