"""Which parts of ControllerMode's state a line's steps read and write, so that runs of a cluster need few orders tried.

What an action reads and writes is taken from the specification (`model.actions.footprint`). Said here is what no
specification says:

- How fine the parts are. Of a broker b: "role b" (process, role, epoch, master), "set b" (its SyncStateSet and
  proposals), "log b" (with the epoch file), "flushed b", "confirm b", "waiting b", "link b", "connections b" (the
  master's end), "transfer b to c" (what it keeps of one); of the controller: "core" (what it replicates),
  "alive", "requests", "notices"; "puts" the numbers of messages, "consumed" what was read. "links b" is written by a
  step that ends every link to b, and read by one for which it matters that a link goes to b, or that makes it one.
- That a line shows its node's own state, and which master a slave copies from.
- That budgets decide nothing: those of a run are made to fit it.
- That a link which ends is the same link whichever end ends it.

A test takes pairs of steps that commute by these parts in both orders.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rmqproof.conformance.runs.event import Accesses, Arguments
from rmqproof.model.actions.access_paths import AccessPath, Argument, Field, Key, Known, Whose
from rmqproof.model.actions.footprint import Footprint

_OWN = ("role", "set", "log", "flushed", "confirm")
_CONNECTS = "SlaveConnectsAndTruncates"
_ACKS = frozenset(("MasterReceivesAck", "MasterReceivesLateAck"))
"""Steps of the master that a slave is linked to, and not of the slave."""
_CONNECTED = frozenset(("BytesAreFlushed", "MasterReceivesAck", "LearnSyncStateSet", "ProposeExpand", "ProposeShrink"))
"""Steps of a master in which it counts who is connected, and fewer can be better."""
_OF_BROKER: Mapping[str, Mapping[str, str]] = {
    "broker": {"role": "role", "masterEpoch": "role", "master": "role", "sss": "set", "sssEpoch": "set",
               "pending": "set", "waiting": "waiting"},
    "disk": {"log": "log", "epochFile": "log", "residue": "log", "flushed": "flushed", "confirm": "confirm"},
}  # fmt: skip
_OF_CONNECTION = {
    "open": "connections", "ack": "connections", "twin": "connections", "transferEpoch": "transfer",
    "transferEnd": "transfer", "masterEnd": "transfer",
}  # fmt: skip
_ALONE: Mapping[str, Mapping[str, str]] = {
    "controller": {"masterEpoch": "core", "master": "core", "sss": "core", "sssEpoch": "core", "alive": "alive"},
    "history": {"consumed": "consumed"},
    "used": {"puts": "puts"},
    "events": {"": "core"},
}
"""Of these variables no other field is a part."""


@dataclass(frozen=True, slots=True)
class Independence:
    """What the steps of these brokers touch, by the footprints of the actions of a specification."""

    footprints: Mapping[str, Footprint]
    brokers: Sequence[str]
    _known: dict[tuple[str, tuple[object, ...], str, str | None, str | None], Accesses | None] = field(
        default_factory=dict
    )

    def accesses(
        self, action: str | None, arguments: Sequence[object], node: str, peer: str | None, left: str | None = None
    ) -> Accesses | None:
        """What a step accesses. `node` takes it; `peer`: the master that a slave copies from, `left`: the one that it
        copied from before it connected; None where they are not known, `left` is any other text for none.

        None: everything.
        """
        mine = Accesses(_parts(_OWN, [node] if node in self.brokers else []))
        if action is None:
            return mine
        named = tuple(name if isinstance(name, str) else None for name in arguments)
        key = (action, named, node, peer, left)
        if key not in self._known:
            footprint = self.footprints.get(action)
            step = _Step(self.brokers, action, named, node, node if action in _ACKS else peer, left)
            self._known[key] = None if footprint is None else mine | step.accesses(footprint)
        return self._known[key]


@dataclass(frozen=True, slots=True)
class _Step:
    """What is known of a step; an argument that is no broker is None."""

    brokers: Sequence[str]
    action: str
    arguments: tuple[str | None, ...]
    node: str
    peer: str | None
    left: str | None

    def accesses(self, footprint: Footprint) -> Accesses:
        found = Accesses()
        for access in footprint.reads:
            reads, ends = self._parts_of(access, written=False)
            found |= Accesses(reads, ends)
        for access in footprint.writes:
            writes, ends = self._parts_of(access, written=True)
            found |= Accesses(self._links(access, written=True), writes | ends)
        return found

    def _parts_of(self, access: AccessPath, written: bool) -> tuple[frozenset[str], frozenset[str]]:
        """The parts that are accessed, and the "links" of brokers of which it is every link."""
        path = access.path
        if access.variable in _OF_BROKER:
            kinds = _kinds(_OF_BROKER[access.variable], path[1:])
            return _parts(kinds, self._brokers(path[:1])), frozenset()
        if access.variable == "connection":
            kinds = _kinds(_OF_CONNECTION, path[2:])
            masters = self._brokers(path[:1])
            ends = [f"{master} to {slave}" for master in masters for slave in self._brokers(path[1:2])]
            return _parts(kinds & {"connections"}, masters) | _parts(kinds & {"transfer"}, ends), frozenset()
        if access.variable == "link":
            if path and isinstance(path[0], Whose):
                return frozenset(), _parts(["links"], self._brokers((path[0].value,)))
            parts = _parts(["link"], self._brokers(path))
            return parts | (frozenset() if written else self._links(access, written)), frozenset()
        if access.variable in _ALONE:
            return _kinds(_ALONE[access.variable], path), frozenset()
        return frozenset((access.variable,)), frozenset()

    def _links(self, access: AccessPath, written: bool) -> frozenset[str]:
        """To whom a link went, as far as the step depends on that, or goes by it."""
        if access.variable != "link" or (access.path and isinstance(access.path[0], Whose)):
            return frozenset()
        if self.action == _CONNECTS:
            before = self.brokers if self.left is None else [self.left] if self.left in self.brokers else []
            return _parts(["links"], self._masters() if written else before)
        if written:
            return frozenset()  # it ends
        if self.action == "MasterNoticesLostConnection":
            return _parts(["links"], self._brokers((Argument(self.action, 0),)))
        return _parts(["links"], self._masters())

    def _masters(self) -> Sequence[str]:
        return [self.peer] if self.peer is not None and self.peer in self.brokers else self.brokers

    def _brokers(self, path: Sequence[Key]) -> Sequence[str]:
        """Those that a key can be."""
        name: str | None = None
        match list(path):
            case [Argument(position=position)] if position < len(self.arguments):
                name = self.arguments[position]
            case [Known(value=str(value))]:
                name = value
            case [Field(name="from")]:
                name = self.node  # a broker sends its own requests
            case [AccessPath(variable="link", path=(Argument(),))]:
                return self._masters()
            case [AccessPath(variable="broker", path=(Argument(), Known(value="master")))]:
                return self._masters()
        return [name] if name is not None and name in self.brokers else self.brokers


def _kinds(kinds: Mapping[str, str], path: Sequence[Key]) -> frozenset[str]:
    """Of a field, or of all where it is none of them alone."""
    match list(path):
        case [Known(value=value), *_]:
            return frozenset(kinds[value] for value in [str(value)] if value in kinds)
    return frozenset(kinds.values())


def _parts(kinds: Sequence[str] | frozenset[str], brokers: Sequence[str]) -> frozenset[str]:
    return frozenset(f"{kind} {broker}" for kind in kinds for broker in brokers)


def unlogged_before(action: str | None, arguments: Sequence[object], node: str) -> tuple[tuple[str, Arguments], ...]:
    """The steps without a line that can be needed right before a step: those that it does not commute with, and after
    which it is enabled. A broken connection is noticed by a line of either end, or when the slave connects again.

    That a step is enabled after another is more than what both touch, so it is said here.
    """
    named = [name for name in arguments if isinstance(name, str)]
    if action == _CONNECTS:
        return ("ConnectionBreaks", (named[0],)), ("MasterNoticesLostConnection", (None, named[0]))
    if action == "MasterNoticesLostConnection":
        return (("ConnectionBreaks", (named[1],)),)
    if action in _CONNECTED:
        return (("MasterNoticesLostConnection", (node, None)),)
    return ()
