"""Recursion deeper than the main thread's stack allows."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

from rmqproof.model.evaluate.value_order import current, use
from rmqproof.model.frames import in_one_piece

_DEEP_RECURSION = 50_000
_DEEP_STACK = 512 * 1024 * 1024


def deeply(run: Callable[..., Any], *arguments: Any) -> Any:
    """Run, and once more with room for deep recursion where the main thread's stack is not enough."""
    try:
        return in_one_piece(lambda: run(*arguments))
    except RecursionError:
        return in_deep_stack(lambda: run(*arguments))


def is_deep() -> bool:
    """Whether there is no more room than here: the recursion that fails has no end, or is far too deep."""
    return sys.getrecursionlimit() >= _DEEP_RECURSION


def in_deep_stack(run: Callable[[], Any]) -> Any:
    """Run with room for deep recursion: a thread of its own with a large stack."""
    order = current()
    result: list[Any] = []
    failure: list[BaseException] = []

    def target() -> None:
        try:
            use(order)
            result.append(in_one_piece(run))
        except BaseException as error:
            failure.append(error)

    before, limit = threading.stack_size(_DEEP_STACK), sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(_DEEP_RECURSION)
        thread = threading.Thread(target=target, daemon=True)  # nobody waits for it where this is interrupted
        thread.start()
        threading.stack_size(before)
        thread.join()
    finally:
        threading.stack_size(before)
        sys.setrecursionlimit(limit)
    if failure:
        raise failure[0]
    return result[0]
