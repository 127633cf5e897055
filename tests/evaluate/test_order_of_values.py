"""The quick ways to put values in order give the order of their keys."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rmqproof.model.evaluate.values import BY_NAME

NUMBERS = st.integers(-3, 12)
VALUES = st.one_of(NUMBERS, st.text("ab", max_size=2))


@given(st.lists(st.one_of(st.lists(NUMBERS, max_size=3), st.lists(VALUES, max_size=3)).map(tuple), max_size=6))
def test_sequences(values: list[tuple[object, ...]]) -> None:
    assert BY_NAME.ordered(values) == tuple(sorted(values, key=BY_NAME.key))


@given(st.lists(st.lists(NUMBERS, max_size=4).map(tuple), max_size=8))
def test_sequences_of_numbers(values: list[tuple[int, ...]]) -> None:
    assert BY_NAME.ordered(values) == tuple(sorted(values, key=BY_NAME.key))
