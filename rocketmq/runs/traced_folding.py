"""The beginnings of the logs that are settled, taken out of TracedRun's states.

Pieces of a log carry their offsets, so a log without its first pieces is still one, and no number changes. Nothing is
lost while no step looks below what was taken out: each event says how far down it looks (`lowest_of`), and `Pace` has
states whole again before one that looks lower. What is taken out lies once beside the states, however many logs have
it: of each log as many first pieces as it has alike with that, up to the offset that is asked for, but never the last
piece of a log, nor an unfinished message: where a log ends is read off its last piece. A log that begins at an offset
above 0 goes on where what was taken out ends there; so a broker that is away with a short log keeps nobody's long.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from rmqproof.conformance.runs.event import Event
from rmqproof.conformance.runs.folded_prefix import EMPTY, FoldedPrefix
from rmqproof.conformance.runs.model import RunModel
from rmqproof.conformance.runs.pattern import Bindings
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.evaluate.values import Function, Value
from rmqproof.model.search.system import State

_LOOKS = {
    "LogIsRecovered": 1, "DataIsSent": 2, "LogIsCutToAnswer": 1, "LogIsCutToMessage": 1,
}  # fmt: skip
"""Steps that look at bytes from an offset on: which argument it is. (Others look at the end of a log, or, as
`MessageIsThere`, at a message.)"""


def lowest_of(event: Event) -> int | None:
    """The lowest offset whose bytes the event's step looks at; None: only at the last piece of a log."""
    said = event.arguments
    assert isinstance(said, tuple)
    if event.action == "MessageIsThere":
        return int(said[1])
    place = _LOOKS.get(event.action or "")
    offset = None if place is None else said[place]
    # a heartbeat of a new connection has no bytes (-1), and of a log that is found empty none are needed
    return None if offset == -1 or (offset == 0 and event.action == "LogIsRecovered") else offset


@dataclass(frozen=True, eq=False, slots=True)
class FoldedPieces(FoldedPrefix):
    """`base`: the largest offset at which a log begins; `count`: how many pieces lie below it. They are the first of
    `store`, which the prefixes of a run share as long as one goes on where another ends."""

    count: int = 0
    store: list[Value] = field(default_factory=list)

    def below(self, offset: int) -> tuple[Value, ...]:
        """The pieces up to where a log begins."""
        return tuple(self.store[: bisect_right(self.store, offset, hi=self.count, key=_end)])

    def alike(self, log: tuple[Value, ...], most: int) -> int:
        """How many first pieces of a log, of `most`, are among these."""
        place = bisect_right(self.store, _of(log[0], "from"), hi=self.count, key=_end)
        found = 0
        while found < most and place + found < self.count and log[found] == self.store[place + found]:
            found += 1
        return found

    def up_to(self, offset: int) -> FoldedPieces:
        """Without what no log begins behind."""
        if offset >= self.base:
            return self
        return FoldedPieces(offset, count=len(self.below(offset)), store=self.store)

    def longer(self, pieces: tuple[Value, ...]) -> FoldedPieces:
        """With these on top."""
        store = self.store if len(self.store) == self.count else self.store[: self.count]
        store.extend(pieces)
        return FoldedPieces(_end(pieces[-1]), count=self.count + len(pieces), store=store)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, FoldedPieces) or (self.base, self.count) != (other.base, other.count):
            return False
        return self.store is other.store or self.store[: self.count] == other.store[: self.count]

    def __hash__(self) -> int:
        return hash(self.base)


@dataclass(frozen=True, slots=True)
class TracedFolding:
    """`place`: where the variable `log` is in a state."""

    system: PythonSystem
    place: int

    def fold(self, state: State, bindings: Bindings, base: int) -> tuple[State, Bindings]:
        before = prefix = _prefix(bindings)
        logs = _logs(state[self.place])
        some = [log for log in logs if log]
        prefix = prefix.up_to(max((_of(log[0], "from") for log in some), default=0))
        if some:
            longest = max(some, key=lambda log: _end(log[-1]))  # says what comes on top
            most = _settled(longest, base)
            known = prefix.alike(longest, most)
            if known < most and prefix.base == _of(longest[known], "from"):
                prefix = prefix.longer(longest[known:most])
        left = [log[prefix.alike(log, _settled(log, base)) :] if log else log for log in logs]
        if prefix is before and left == logs:
            return state, bindings
        return self._with(state, left), bindings.with_prefix(prefix)

    def bare(self, state: State) -> State:
        return state

    def unfold(self, state: State, bindings: Bindings) -> tuple[State, Bindings]:
        prefix = _prefix(bindings)
        if not prefix.base:
            return state, bindings
        whole = [prefix.below(_of(log[0], "from")) + log if log else log for log in _logs(state[self.place])]
        return self._with(state, whole), bindings.with_prefix(EMPTY)

    def _with(self, state: State, logs: list[tuple[Value, ...]]) -> State:
        values = list(self.system.values(state))
        known = values[self.place]
        values[self.place] = tuple(logs) if type(known) is tuple else Function((known[0], *logs))
        return self.system.state(values)


def traced_folding(model: RunModel) -> TracedFolding:
    system = model.subject.system
    return TracedFolding(system, list(system.variables).index("log"))


def _prefix(bindings: Bindings) -> FoldedPieces:
    found = bindings.prefix
    return found if isinstance(found, FoldedPieces) else FoldedPieces()


def _logs(value: Value) -> list[tuple[Value, ...]]:
    return list(value if type(value) is tuple else value[1:])


def _of(piece: Value, name: str) -> int:
    return int(piece[piece[0].keys.index(name) + 1])


def _end(piece: Value) -> int:
    return _of(piece, "to")


def _settled(log: tuple[Value, ...], base: int) -> int:
    """How many of its first pieces end by this offset, without its last one."""
    found = bisect_right(log, base, hi=len(log) - 1, key=_end)
    return found - (found > 0 and _end(log[found - 1]) != _of(log[found - 1], "end"))
