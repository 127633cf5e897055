"""One contract of kernels: the codes are those of kernel.c, and a search that lacks room starts over with more."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rmqproof.model.search.kernel import Code, NotEvaluated, TooSmall, with_room

KERNEL = Path(__file__).parents[2] / "model" / "native" / "c" / "kernel.c"


def test_the_codes_are_those_of_the_machine_code() -> None:
    found = re.search(r"enum \{ (HOLDS.*?) \};", KERNEL.read_text(encoding="utf-8"))
    assert found is not None
    assert found[1].split(", ") == [code.name for code in Code]
    assert [code.value for code in Code] == list(range(len(Code)))


def test_an_attempt_is_made_again_with_more_room() -> None:
    rooms = [0]

    def attempt() -> int:
        if len(rooms) < 3:
            raise TooSmall(len(rooms) if len(rooms) > 1 else None)
        return len(rooms)

    assert with_room(attempt, rooms.append) == 3
    assert rooms == [0, -1, 2]


def test_what_ends_the_tries() -> None:
    def never() -> int:
        raise TooSmall(0)

    def full(place: int) -> None:
        raise MemoryError

    with pytest.raises(MemoryError):
        with_room(never, full)

    def valueless() -> int:
        raise NotEvaluated

    with pytest.raises(NotEvaluated):
        with_room(valueless, full)
