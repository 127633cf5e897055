"""Room for the frames of Python's functions in one piece.

CPython keeps frames in pieces of 16 KiB. A piece is asked of the system when a call needs it, and given back on return:
where a recursion goes up and down across the end of one, each call costs two calls of the system and a page of zeros.
A frame that needs a large piece gets one of twice the size, and leaves its second half to the frames above it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

_WORDS = 1 << 18
"""What the frame says it needs, in words: 2 MiB, of which it touches nothing. A thousand frames need a fourth of it."""


def in_one_piece(run: Callable[[], Result]) -> Result:
    """What `run` gives."""
    return run()


in_one_piece.__code__ = in_one_piece.__code__.replace(co_stacksize=_WORDS)
