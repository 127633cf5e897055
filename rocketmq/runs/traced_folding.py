"""What of the logs is settled, taken out of TracedRun's states.

Pieces of a log carry their offsets, so a log without its first pieces is still one, and so is one in which a piece
stands for many: no number changes. Nothing is lost while no step looks at what was taken out: each event says at what
it looks (`lowest_of`, `highest_of`), and `Pace` has states whole again before one that looks at that. What is taken out
lies once beside the states, as one log: of each log as many first pieces as it has alike with that, up to the offset
that is asked for; and of those that follow, alike too, runs that nobody looks at, in whose place one piece stands.
Never the last piece of a log, nor an unfinished message: where a log ends is read off its last piece. So neither a
broker that is away nor one that copies everything again makes the states long.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field

from rmqproof.conformance.runs.event import Event
from rmqproof.conformance.runs.folded_prefix import EMPTY, Folded, Kept
from rmqproof.conformance.runs.folding import NO_OFFSET
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


_RUN = 64
"""So many pieces at least one stands for."""
_MANY = -1
"""Its sum; no CRC32 is negative, though a line that was altered can say so."""


def lowest_of(event: Event) -> int | None:
    """The lowest offset whose bytes the event's step looks at; None: only at the last piece of a log."""
    said = event.arguments
    assert isinstance(said, tuple)
    if event.action == "MessageIsThere":
        return int(said[1])
    position = _LOOKS.get(event.action or "")
    offset = None if position is None else said[position]
    # a heartbeat of a new connection has no bytes (-1), and of a log that is found empty none are needed
    return None if offset == -1 or (offset == 0 and event.action == "LogIsRecovered") else offset


def highest_of(event: Event) -> int | None:
    """Where the bytes end that it looks at; None: with the log."""
    said = event.arguments
    assert isinstance(said, tuple)
    position = {"MessageIsThere": 2, "DataIsSent": 3}.get(event.action or "")
    return None if position is None else int(said[position])


@dataclass(frozen=True, eq=False, slots=True)
class FoldedPieces(Folded):
    """`base`: the largest offset at which a log begins; `runs`: from where to where one piece stands for many. What is
    taken out is among the first `count` of `store`, which the prefixes of a run share as long as one goes on where
    another ends."""

    count: int = 0
    store: list[Value] = field(default_factory=list)
    runs: tuple[tuple[int, int], ...] = ()

    def hides(self, lowest: int | None, highest: int | None) -> bool:
        if lowest is None or not self.count:
            return False
        end = NO_OFFSET if highest is None else highest
        return lowest <= self.base or any(lowest < last and first < end for first, last in self.runs)

    def is_beyond(self, kept: Kept) -> bool:
        if self.base > kept.base:
            return True
        return any(low < last and first < high for first, last in self.runs for low, high in kept.looked)

    def between(self, first: int, last: int) -> list[Value]:
        """The pieces from one offset to another."""
        start = bisect_right(self.store, first, hi=self.count, key=_end)
        return self.store[start : bisect_right(self.store, last, lo=start, hi=self.count, key=_end)]

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, FoldedPieces) or (self.base, self.count) != (other.base, other.count):
            return False
        return self.store is other.store or self.store[: self.count] == other.store[: self.count]

    def __hash__(self) -> int:
        return hash((self.base, self.count))


@dataclass(frozen=True, slots=True)
class TracedFolding:
    """`index`: of the variable `log`."""

    system: PythonSystem
    index: int

    def fold(self, state: State, bindings: Bindings, kept: Kept) -> tuple[State, Bindings]:
        prefix = _prefix(bindings)
        logs = self._whole(state, prefix)
        store = _longer(prefix.store, max(logs, key=lambda log: _end(log[-1]) if log else 0))
        folded = [_folded(log, _alike(log, store), kept) for log in logs]
        if not any(each.count for each in folded):
            return self._with(state, logs), bindings.with_prefix(EMPTY)
        found = FoldedPieces(
            max(_of(each.log[0], "from") for each in folded if each.log),
            count=max(each.count for each in folded),
            store=store,
            runs=tuple(dict.fromkeys(run for each in folded for run in each.runs)),
        )
        return self._with(state, [each.log for each in folded]), bindings.with_prefix(found)

    def bare(self, state: State) -> State:
        return state

    def unfold(self, state: State, bindings: Bindings) -> tuple[State, Bindings]:
        prefix = _prefix(bindings)
        return self._with(state, self._whole(state, prefix)), bindings.with_prefix(EMPTY)

    def _whole(self, state: State, prefix: FoldedPieces) -> list[tuple[Value, ...]]:
        value = state[self.index]
        logs = list(value if type(value) is tuple else value[1:])
        return [_unfolded(log, prefix) if log else log for log in logs] if prefix.count else logs

    def _with(self, state: State, logs: list[tuple[Value, ...]]) -> State:
        known = state[self.index]
        changed = tuple(logs) if type(known) is tuple else Function((known[0], *logs))
        return self.system.with_value(state, self.index, changed)


def traced_folding(model: RunModel) -> TracedFolding:
    system = model.subject.system
    return TracedFolding(system, list(system.variables).index("log"))


def _prefix(bindings: Bindings) -> FoldedPieces:
    found = bindings.prefix
    return found if isinstance(found, FoldedPieces) else FoldedPieces()


def _of(piece: Value, name: str) -> int:
    return int(piece[piece[0].keys.index(name) + 1])


def _end(piece: Value) -> int:
    return _of(piece, "to")


def _settled(log: tuple[Value, ...]) -> int:
    """How many pieces it has without its last one, and without an unfinished message."""
    count = len(log) - 1
    return count - (count > 0 and _end(log[count - 1]) != _of(log[count - 1], "end"))


def _longer(store: list[Value], log: tuple[Value, ...]) -> list[Value]:
    """What is settled of the longest log, where that goes on; it may be shared, and grows at its end alone."""
    count = max(_settled(log), 0)
    if store[:count] != list(log[: len(store)])[:count]:
        return list(log[:count])
    store.extend(log[len(store) : count])
    return store


def _alike(log: tuple[Value, ...], store: list[Value]) -> int:
    """How many first pieces are settled and alike."""
    most = min(max(_settled(log), 0), len(store))
    if list(log[:most]) == store[:most]:
        return most
    return next(number for number in range(most) if log[number] != store[number])


@dataclass(frozen=True, slots=True)
class _Folded:
    """`count`: how many of the common pieces are needed to put it back."""

    log: tuple[Value, ...]
    runs: tuple[tuple[int, int], ...] = ()
    count: int = 0


def _folded(log: tuple[Value, ...], alike: int, kept: Kept) -> _Folded:
    position = count = bisect_right(log, kept.base, hi=alike, key=_end)
    pieces: list[Value] = []
    runs: list[tuple[int, int]] = []
    for low, high in (*kept.looked, (NO_OFFSET, NO_OFFSET)):
        # the piece before what is looked at stays, as below the base
        first = max(position, bisect_right(log, low - 1, hi=alike, key=_end))
        if first - position >= _RUN:
            run = _of(log[position], "from"), _end(log[first - 1])
            pieces.append(_standing(log[position], *run))
            runs.append(run)
            count = first
        else:
            pieces += log[position:first]
        position = max(first, min(alike, bisect_left(log, high, hi=alike, key=_end) + 1))
        pieces += log[first:position]
    return _Folded((*pieces, *log[position:]), tuple(runs), count)


def _standing(piece: Value, first: int, last: int) -> Value:
    """The piece for all from one offset to another."""
    value = {"from": first, "to": last, "end": last, "sum": _MANY}
    return Function((piece[0], *(value[name] for name in piece[0].keys)))


def _unfolded(log: tuple[Value, ...], prefix: FoldedPieces) -> tuple[Value, ...]:
    whole = prefix.between(0, _of(log[0], "from"))
    for piece in log:
        run = _of(piece, "from"), _end(piece)
        if _of(piece, "sum") == _MANY and run in prefix.runs:
            whole += prefix.between(*run)
        else:
            whole.append(piece)
    return tuple(whole)
