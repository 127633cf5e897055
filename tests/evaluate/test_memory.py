"""A set of which nobody knows how large it becomes ends in an error before the machine's memory does."""

from __future__ import annotations

import sys

import pytest

from rmqproof.model.evaluate.memory import left, used, watched


@pytest.mark.skipif(sys.platform != "linux", reason="nobody says here how much memory is left")
def test_what_the_system_says() -> None:
    mine, others = used(), left()
    assert mine is not None and mine > 1 << 20
    assert others is not None and others > 0
    with pytest.raises(MemoryError):
        sum(watched(iter(range(10**9)), left=lambda: -(1 << 40)))


@pytest.mark.parametrize("nothing_is_known_of", [None, 1 << 60])
def test_all_elements_come(nothing_is_known_of: int | None) -> None:
    count = 6_000_000
    assert sum(1 for _ in watched(iter(range(count)), left=lambda: nothing_is_known_of)) == count


def test_the_system_is_not_asked_where_a_set_is_small() -> None:
    """To ask takes longer than a small set does."""

    def refused() -> int:
        raise AssertionError("asked")

    assert sum(watched(iter(range(1000)), left=refused, used=refused)) == 499_500
