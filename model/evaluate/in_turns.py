"""More states than one wants in memory at a time: found a portion at a time.

Generated code calls `append` for each state it finds. Most often that is the `append` of a list. Where a state has very
many successors (or the model very many initial states) the code runs in a thread of its own that hands over a portion
and waits; never do both threads run, so that nothing they share can change under them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

AT_ONCE = 100_000
"""So many states are found before the first of them is looked at."""


class TooMany(Exception):  # control flow, not an error
    """There are more states than are found at once."""


class _Abandoned(BaseException):  # control flow, not an error
    """Nobody wants the remaining states."""


class Few:
    """A list of at most `AT_ONCE` items. Raise `TooMany` when there are more."""

    __slots__ = ("append", "items")

    def __init__(self, most: int = AT_ONCE) -> None:
        items: list[Any] = []
        push = items.append

        def append(item: Any) -> None:
            push(item)
            if len(items) > most:
                raise TooMany

        self.items = items
        self.append = append


class _Portions:
    """What the thread appends to, and the two turns."""

    def __init__(self, portion: int) -> None:
        self.items: list[Any] = []
        self.portion = portion
        self.wanted = threading.Semaphore(0)
        self.ready = threading.Semaphore(0)
        self.ended = False
        self.abandoned = False
        self.error: BaseException | None = None

    def append(self, item: Any) -> None:
        self.items.append(item)
        if len(self.items) >= self.portion:
            self.hand_over()

    def hand_over(self) -> None:
        self.ready.release()
        self.wanted.acquire()
        if self.abandoned:
            raise _Abandoned


def in_turns(produce: Callable[[_Portions], None], portion: int = 10_000) -> Iterator[Any]:
    """What `produce` appends to its argument, and then its error. Close the iterator to end the thread early."""
    portions = _Portions(portion)

    def run() -> None:
        portions.wanted.acquire()
        try:
            if not portions.abandoned:
                produce(portions)
        except BaseException as error:
            portions.error = error
        portions.ended = True
        portions.ready.release()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        while not portions.ended:
            portions.wanted.release()
            portions.ready.acquire()
            items, portions.items = portions.items, []
            yield from items
    finally:
        if not portions.ended:
            portions.abandoned = True
            portions.wanted.release()
    thread.join()
    if portions.error is not None:
        raise portions.error
