"""One contract of kernels: the codes are those of kernel.c, and a search that lacks room starts over with more."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rmqproof.model.search.kernel import Code, NotEvaluated, TooSmall, until_it_fits

KERNEL = Path(__file__).parents[2] / "model" / "native" / "c" / "kernel.c"


def test_the_codes_are_those_of_the_machine_code() -> None:
    found = re.search(r"enum \{ (HOLDS.*?) \};", KERNEL.read_text(encoding="utf-8"))
    assert found is not None
    assert found[1].split(", ") == [code.name for code in Code]
    assert [code.value for code in Code] == list(range(len(Code)))


def test_an_attempt_is_made_again_until_it_fits() -> None:
    widened = [0]

    def attempt() -> int:
        if len(widened) < 3:
            raise TooSmall(len(widened) if len(widened) > 1 else None)
        return len(widened)

    assert until_it_fits(attempt, widened.append) == 3
    assert widened == [0, -1, 2]


def test_what_ends_the_tries() -> None:
    def never() -> int:
        raise TooSmall(0)

    def full(place: int) -> None:
        raise MemoryError

    with pytest.raises(MemoryError):
        until_it_fits(never, full)

    def valueless() -> int:
        raise NotEvaluated

    with pytest.raises(NotEvaluated):
        until_it_fits(valueless, full)
