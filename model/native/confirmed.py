"""States of a search that are looked at again by the reference evaluator, and what it said of them the last time.

What it says depends on the model and on the state alone. So what is kept beside a program are the states that it has
looked at, and those that it says they lead to: the next search by the same program is asked whether it has met them
all, and where it has not, the reference evaluator is asked anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rmqproof.model.cache import keep_bytes, kept_bytes, made_by
from rmqproof.model.search.result import Judged
from rmqproof.model.search.sample import sampled

from .makers import key_of
from .saved import digest_of

if TYPE_CHECKING:
    from rmqproof.model.evaluate.values import Value
    from rmqproof.model.judge.judge import Judge
    from rmqproof.model.search.control import Control
    from rmqproof.model.search.system import State

    from .run import Run

_MOST = 1 << 20
"""Bytes of states that are kept."""


def examined(run: Run, judge: Judge, control: Control) -> Judged:
    """What the reference evaluator says of a search that has ended without a violation. Raise `OSError`."""
    name = _name(run)
    said = _kept(name, run) if name else None
    if said is not None:
        return said
    noted: dict[bytes, None] = {}
    width = 8 * run.native.program.layout.words

    def note(states: bytes) -> None:
        noted.update((states[at : at + width], None) for at in range(0, len(states), width))

    def drawn() -> Iterator[State]:
        decoder = run.decoder()
        for number in sampled(run.numbers().distinct):
            state = bytes(run.block(number, 1))
            note(state)
            yield (*decoder.state(memoryview(state).cast("Q")), 0)

    def known(states: Sequence[Sequence[Value]]) -> list[bool]:
        return run.known(states, note)

    said = judge.examine(drawn(), known, control)
    whole = said.examined and not said.refuted and not said.left_out  # what is left out may be for want of memory
    if name and whole and len(noted) * width <= _MOST:
        head = json.dumps([said.examined, said.steps]).encode()
        keep_bytes(name, head + b"\n" + b"".join(noted))
    return said


def _name(run: Run) -> str:
    """Of the file; none where what a state leads to may depend on more than the model, or on which of the states with
    one VIEW the search has met."""
    native = run.native
    if not native.lasts or native.model.view is not None:
        return ""
    return f"{key_of(native.identity, digest_of(native), made_by('judge', 'reference'))}.confirmed"


def _kept(name: str, run: Run) -> Judged | None:
    """What was said the last time, if that search and this one have met the same of what it is about."""
    content = kept_bytes(name)
    if content is None:
        return None
    head, _, states = content.partition(b"\n")
    try:
        count, steps = json.loads(head)
    except ValueError:
        return None
    return Judged(examined=int(count), steps=int(steps)) if all(run.met(states)) else None
