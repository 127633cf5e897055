"""A prefix that all logs have in common, taken out of ControllerMode's states.

That the rules are the same for offsets that are all smaller by k is a symmetry of what they compute, and not of which
variables they read: it does not follow from the form of the actions, so it is argued here and held by a test.

Why nothing is lost (see folding.py for when it is done; the rules are the repaired ones): with every offset smaller by
k the rules compare the same differences, since all they do with offsets is to compare them with each other, to take
the smaller or larger one, and to add numbers of messages. What is not moved, and so has to be dealt with:

- Offset 0 is the truncation point of two epoch files without a common entry, and -1 an acknowledgement that there is
  not or the point of no common entry. A step for which these decide ends below k, or differs from what its line says
  in any case, for lines that look at offsets not above k are met by whole states.
- Brokers whose logs do not have the prefix: those that never got a message, and those whose disk is lost. Nobody reads
  their logs and nothing they do is explained by a folded state, but that they are elected, which moves no offset.
- A message is acknowledged at its place in the log: no producer of a folded one is waiting, but for those whose put
  the run never acknowledges.
- A consumer's read is a step when it returns something new: what is folded has been read, or nobody reads at all.
- Acknowledged and consumed messages only grow and are put back in the end.
- Acknowledgements of connections below k: then less is folded.

The epoch files lose what they all begin with, but for the last entry that starts before k. Two files with a common
entry are compared from the newest one down, and what is cut off starts at k or after it: no rule gets to what is in
front of that entry (ConsistentPoint, DropFromOffset and IndexAt of EpochFile.tla).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rmqproof.conformance.runs.folded_prefix import EMPTY, FoldedPrefix, Kept
from rmqproof.conformance.runs.model import RunModel
from rmqproof.conformance.runs.pattern import Bindings
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.evaluate.values import Function, Value
from rmqproof.model.search.system import State
from rmqproof.model.tla.library import PROTOCOL
from rmqproof.rocketmq.runs.cluster import Survey

LATE_ACKS, LATE_BATCHES = "LateAcks", "LateBatches"
"""The modules in which acknowledgements are on their way for a while, and batches, too."""
Change = Callable[[tuple[Value, ...]], tuple[Value, ...]]
"""Of a log, or of an epoch file."""


@dataclass(frozen=True, slots=True)
class _More:
    """What is needed to put it back besides the prefix."""

    outside: frozenset[Value]
    """Brokers whose logs do not have the prefix."""


@dataclass(frozen=True, slots=True)
class ClusterFolding:
    """`indexes`: of the variables."""

    system: PythonSystem
    indexes: Mapping[str, int]
    read: bool
    """The run has consumers."""
    acknowledged: frozenset[str]
    """The messages that the run acknowledges, by their names in it."""

    def fold(self, state: State, bindings: Bindings, kept: Kept) -> tuple[State, Bindings]:
        before = bindings.prefix
        assert isinstance(before, FoldedPrefix)
        disk, broker = self._of(state, "disk"), self._of(state, "broker")
        outside = {
            name
            for name in disk
            if _fields(disk[name])["log"] == ()
            and _is_away(_fields(broker[name]))
            # all that a broker has may lie in the folded prefix
            and (not before.base or name in before.more.outside or _role(broker[name]) == "Lost")
        }
        inside = [name for name in disk if name not in outside]
        length = self._common(
            state, [_fields(disk[name]) for name in inside], inside, kept.base - before.base, bindings
        )
        if length <= 0:
            return state, bindings
        prefix = _fields(disk[inside[0]])["log"][:length]
        ids = [_fields(entry)["id"] for entry in prefix]
        past = _fields(self._raw(state, "history"))
        folded = frozenset(ids)
        new = _with(self._raw(state, "history"), acked=past["acked"] - folded, consumed=past["consumed"] - folded)
        names = {name: value for name, value in bindings.items() if value in folded}
        more = _More(frozenset(outside) | (before.more.outside if before.more is not None else frozenset()))
        files = [_fields(disk[name])["epochFile"] for name in inside]
        count = _settled(files, length)
        rows = [_with(entry, start=_fields(entry)["start"] + before.base) for entry in files[0][:count]]
        grown = before.grown(prefix, ids, names, folded - past["acked"], rows, more)
        moved = self._moved(state, -length, inside, lambda log: log[length:], lambda file: file[count:])
        return self._put(moved, "history", new), bindings.with_prefix(grown)

    def bare(self, state: State) -> State:
        """With unused budgets, but for the number of messages, which names the next one. The budgets of a run are made
        to fit it, so that nothing depends on them."""
        used = self._raw(state, "used")
        bare = Function((used[0], *(v if key == "puts" else 0 for key, v in used.items())))
        return self.system.with_value(state, self.indexes["used"], bare)

    def unfold(self, state: State, bindings: Bindings) -> tuple[State, Bindings]:
        before = bindings.prefix
        assert isinstance(before, FoldedPrefix)
        if not before.base:
            return state, bindings
        broker = self._of(state, "broker")
        inside = [n for n in broker if n not in before.more.outside and _role(broker[n]) != "Lost"]
        entries = before.entries
        rows = before.rows
        moved = self._moved(state, before.base, inside, lambda log: entries + log, lambda file: rows + file)
        past = _fields(self._raw(state, "history"))
        ids = before.ids()
        consumed = past["consumed"] | (ids if self.read else frozenset())
        new = _with(self._raw(state, "history"), acked=past["acked"] | (ids - before.marked()), consumed=consumed)
        return self._put(moved, "history", new), bindings.with_prefix(EMPTY)

    # -----------------------------------------------------------------------------------------------------------------

    def _common(
        self,
        state: State,
        disks: Sequence[Mapping[str, Value]],
        inside: Sequence[Value],
        most: int,
        bindings: Bindings,
    ) -> int:
        """How long a prefix can be folded."""
        if not disks or any(d["residue"] != () for d in disks):
            return 0
        logs = [d["log"] for d in disks]
        # below what any of them looks at next
        length = min([most, *(min(len(d["log"]), d["flushed"], d["confirm"]) - 1 for d in disks)])
        connection = self._of(state, "connection")
        for name in inside:
            for end in _map(connection[name]).values():
                known = _fields(end)
                if known["transferEpoch"] != 0 or any(
                    known[name] != -1 for name in ("transferEnd", "twin", "masterEnd")
                ):
                    return 0
                if known["ack"] >= 0:
                    length = min(length, known["ack"] - 1)
        consumed = _fields(self._raw(state, "history"))["consumed"]
        everyone = frozenset().union(*(_fields(b)["waiting"] for b in self._of(state, "broker").values()))
        waiting = {id_ for id_ in everyone if bindings.name_of(id_) in self.acknowledged}
        first = logs[0]
        for position in range(max(0, length)):
            entry = first[position]
            id_ = _fields(entry)["id"]
            if id_ in waiting or (self.read and id_ not in consumed) or any(log[position] != entry for log in logs):
                return position
        return int(length)

    def _moved(self, state: State, by: int, inside: Sequence[Value], change: Change, refile: Change) -> State:
        """With offsets, logs and epoch files of the brokers inside changed; `refile`: by what has whole offsets."""
        disk = dict(self._of(state, "disk"))
        for name in inside:
            known = _fields(disk[name])
            file = refile(tuple(_with(entry, start=_fields(entry)["start"] + by) for entry in known["epochFile"]))
            disk[name] = _with(
                disk[name], log=change(known["log"]), flushed=known["flushed"] + by, confirm=known["confirm"] + by,
                epochFile=file,
            )  # fmt: skip
        connection = {
            master: _rebuilt(ends, {slave: _acked(end, by) for slave, end in _map(ends).items()})
            for master, ends in self._of(state, "connection").items()
        }
        state = self._put(state, "disk", _rebuilt(self._raw(state, "disk"), disk))
        return self._put(state, "connection", _rebuilt(self._raw(state, "connection"), connection))

    def _raw(self, state: State, name: str) -> Value:
        return state[self.indexes[name]]

    def _of(self, state: State, name: str) -> Mapping[Value, Value]:
        return _map(state[self.indexes[name]])

    def _put(self, state: State, name: str, value: Value) -> State:
        values = list(self.system.values(state))
        values[self.indexes[name]] = value
        return self.system.state(values)


def specification_of(model: RunModel) -> str:
    """The name of its root module, without the mapping's."""
    return model.subject.model.specification.name.removeprefix("RunOf")


def is_repaired(model: RunModel) -> bool:
    """Whether the specification has the repaired rules."""
    name = specification_of(model)
    return name in ("ControllerMode", LATE_ACKS, LATE_BATCHES) and PROTOCOL.is_dir()


def cluster_folding(model: RunModel, run: Survey) -> ClusterFolding | None:
    """None for a specification whose rules are not the repaired ones: they have other offsets that are not moved."""
    if not is_repaired(model):
        return None
    indexes = {name: index for index, name in enumerate(model.subject.system.variables)}
    return ClusterFolding(model.subject.system, indexes, run.read, frozenset(run.acknowledged))


def _settled(files: Sequence[tuple[Value, ...]], length: int) -> int:
    """How many first entries no rule gets to: all the files have them and the next, which starts before this offset."""
    first, count = files[0], 0
    for number in range(1, min(map(len, files))):
        if _fields(first[number])["start"] >= length or any(
            file[: number + 1] != first[: number + 1] for file in files
        ):
            break
        count = number
    return count


def _map(value: Value) -> dict[Value, Value]:
    return dict(value.items()) if type(value) is Function else dict(enumerate(value, 1))


def _fields(value: Value) -> dict[str, Value]:
    return dict(value.items())


def _role(broker: Value) -> str:
    return str(_fields(broker)["role"])


def _is_away(broker: Mapping[str, Value]) -> bool:
    """Of a broker with an empty log: it takes part in nothing until a line of its own, which looks at offset 0."""
    return broker["role"] in ("Lost", "Down") or bool(broker["role"] == "Fenced" and broker["masterEpoch"] == 0)


def _with(value: Value, **changed: Value) -> Value:
    return _rebuilt(value, {**_fields(value), **changed})


def _rebuilt(value: Value, pairs: Mapping[Value, Value]) -> Value:
    """A function with the domain of another."""
    domain = value[0]
    return Function((domain, *(pairs[key] for key in domain.keys)))


def _acked(end: Value, by: int) -> Value:
    ack = _fields(end)["ack"]
    return end if ack < 0 else _with(end, ack=ack + by)
