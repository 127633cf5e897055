"""The beginning of the logs that is settled, taken out of TracedRun's states.

Pieces of a log carry their offsets, so a log without its first pieces is still one, and no number changes. Nothing is
lost while no step looks below what was taken out: each event says how far down it looks (`lowest_of`), and `Pace` has
states whole again before one that looks lower. What is taken out:

- pieces at the beginning that all logs have alike which do not begin anew at 0 (an empty log, or one that is copied
  again, is left as it is: it goes on where its own first piece says);
- never the last piece of a log, nor an unfinished message: where a log ends is read off its last piece.
"""

from __future__ import annotations

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
    """`base`: the offset at which folded logs begin; `count`: how many pieces came before. They are the first of
    `store`, which the prefixes of a run share as long as one goes on where another ends."""

    count: int = 0
    store: list[Value] = field(default_factory=list)

    @property
    def pieces(self) -> tuple[Value, ...]:
        return tuple(self.store[: self.count])

    def longer(self, base: int, pieces: tuple[Value, ...]) -> FoldedPieces:
        """With these on top, the last of which ends at `base`."""
        store = self.store if len(self.store) == self.count else self.store[: self.count]
        store.extend(pieces)
        return FoldedPieces(base, count=self.count + len(pieces), store=store)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, FoldedPieces) or (self.base, self.count) != (other.base, other.count):
            return False
        return self.store is other.store or self.pieces == other.pieces

    def __hash__(self) -> int:
        return hash(self.base)


@dataclass(frozen=True, slots=True)
class TracedFolding:
    """`place`: where the variable `log` is in a state."""

    system: PythonSystem
    place: int

    def fold(self, state: State, bindings: Bindings, base: int) -> tuple[State, Bindings]:
        prefix = _prefix(bindings)
        logs = [_joined(log, prefix) for log in _logs(state[self.place])]
        inside = [log for log in logs if log and _of(log[0], "from") == prefix.base]
        length = _common(inside, base)
        if not length:
            return state, bindings
        taken = inside[0][:length]
        end = _of(taken[-1], "to")
        left = [log[length:] if log and _of(log[0], "from") == prefix.base else log for log in logs]
        return self._with(state, left), bindings.with_prefix(prefix.longer(end, taken))

    def bare(self, state: State) -> State:
        return state

    def unfold(self, state: State, bindings: Bindings) -> tuple[State, Bindings]:
        prefix = _prefix(bindings)
        if not prefix.base:
            return state, bindings
        logs = _logs(state[self.place])
        whole = [prefix.pieces + log if log and _of(log[0], "from") == prefix.base else log for log in logs]
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


def _joined(log: tuple[Value, ...], prefix: FoldedPieces) -> tuple[Value, ...]:
    """Without the prefix, where the log was copied again up to its end and further."""
    whole = prefix.count and len(log) > prefix.count and _of(log[0], "from") == 0
    return log[prefix.count :] if whole and log[: prefix.count] == prefix.pieces else log


def _common(logs: list[tuple[Value, ...]], base: int) -> int:
    """How many pieces at their beginning all have alike, up to this offset, without the last of any."""
    found = 0
    for alike in zip(*(log[:-1] for log in logs), strict=False):
        first = alike[0]
        if _of(first, "to") > base or _of(first, "to") != _of(first, "end") or any(each != first for each in alike):
            break
        found += 1
    return found
