"""Calls across the end of a piece of Python's frames ask the system for nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from rmqproof.model.evaluate.deep_stack import deeply, in_deep_stack
from rmqproof.model.frames import in_one_piece

CALLS = 1_000


def _nothing() -> None:
    pass


def _down(depth: int) -> None:
    """At each depth one is at the end of a piece, where there are pieces."""
    for _ in range(CALLS):
        _nothing()
    if depth:
        _down(depth - 1)


@pytest.mark.skipif(sys.platform != "linux", reason="nobody says here how many pages a thread was given")
@pytest.mark.parametrize("run", [in_one_piece, deeply, in_deep_stack])
def test_no_page_is_asked_for_again_and_again(run: Callable[[Callable[[], Any]], Any]) -> None:
    import resource

    def pages() -> int:
        before = resource.getrusage(resource.RUSAGE_THREAD).ru_minflt
        _down(600)
        return resource.getrusage(resource.RUSAGE_THREAD).ru_minflt - before

    run(lambda: _down(600))
    assert run(pages) < CALLS


def test_what_is_raised_and_what_is_given() -> None:
    assert in_one_piece(lambda: 3) == 3
    with pytest.raises(KeyError):
        in_one_piece({}.popitem)
