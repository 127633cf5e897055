"""Mutants tried by several processes at once: each is a question of its own, and the answers come in the same order."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import fields
from typing import Any

from rmqproof.model.audit.mutation import Mutant
from rmqproof.model.audit.scoring import Original, Trial, tried, tried_one
from rmqproof.model.search.workers import available_workers
from rmqproof.model.tla.source import TlaError

_FEWEST = 4
"""Mutants from which on it pays."""


def tried_by(original: Original, mutants: Sequence[Mutant], workers: int | None) -> Iterator[Trial]:
    """As `scoring.tried`, by so many processes (None: as many as there are processors). Raise `TlaError`.

    Where a process cannot fork they are tried one after the other.
    """
    count = min(workers or available_workers(), len(mutants))
    if count < 2 or len(mutants) < _FEWEST or not hasattr(os, "fork"):
        yield from tried(original, mutants)
        return
    context = multiprocessing.get_context("fork")
    ending = context.Event()
    _shared[:] = [original, mutants, _or(ending.is_set, original.over)]
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=_begin)
    try:
        for mutant, told in zip(mutants, pool.map(_try, range(len(mutants))), strict=True):
            if told is None:
                return
            yield Trial(mutant, **told)
    except BrokenProcessPool:
        raise TlaError(
            "a process that tried a mutant was killed", None, "Give it more memory, or fewer --workers.", "system"
        ) from None
    finally:
        ending.set()
        pool.shutdown(wait=True, cancel_futures=True)
        _shared.clear()


_shared: list[Any] = []
"""What the processes have of this one: the specification, its mutants, and whether it is over."""


def _or(one: Callable[[], bool], other: Callable[[], bool]) -> Callable[[], bool]:
    return lambda: one() or other()


def _begin() -> None:
    """Ctrl-C is for the process that the others are of."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _try(number: int) -> dict[str, Any] | None:
    """A trial but for its mutant, which has nodes of the tree in it; None: the time was over."""
    original, mutants, over = _shared
    original.over = over
    trial = None if over() else tried_one(original, mutants[number])
    if trial is None:
        return None
    return {each.name: getattr(trial, each.name) for each in fields(trial) if each.name != "mutant"}
