"""What is called while something runs, for tests of what is done once: nothing takes the place of what is called."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


@contextmanager
def calls_of(function: Callable[..., Any]) -> Iterator[list[dict[str, Any]]]:
    """The arguments of each call of a function in this thread; a generator is called once, however often it goes on."""
    code, frames, calls = function.__code__, dict[int, FrameType](), list[dict[str, Any]]()
    before = sys.getprofile()

    def look(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code is code and id(frame) not in frames:
            frames[id(frame)] = frame  # while it is kept no other has its id
            calls.append({name: frame.f_locals[name] for name in code.co_varnames[: code.co_argcount]})
        if before is not None:
            before(frame, event, argument)

    sys.setprofile(look)
    try:
        yield calls
    finally:
        sys.setprofile(before)
