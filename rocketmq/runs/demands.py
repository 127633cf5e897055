"""What a step of ControllerMode needs of another node than the one that wrote its line, as that node's lines show it.

By the repaired rules, and where every step but ConnectionBreaks and MasterNoticesLostConnection leaves a line:

- A batch and a header bring the master's ReadLimit: it is where the line says that the slave's confirmOffset went to;
  or they were sent when it was less (LateBatches).
- An acknowledgement is the slave's flushed end, or was (LateAcks): it is what the master's line says is acknowledged.
- A slave connects to the master of its own epoch, and copies as long as that one is master.
- LearnSyncStateSet, BecomeMaster and BecomeSlave copy what the controller has.
- Only a running broker's heartbeats and requests for an election count.

What a step reads of another node is the specification's, and is taken from it (independence.py). Which value it read
is what its line shows, and where that node's own lines show the same is knowledge of how runs are recorded, which no
specification has: it is said here. A fact that a line does not show is None. A test takes steps of the model at
random and asks whether these demands are met.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from rmqproof.conformance.runs.event import Accesses, Event
from rmqproof.conformance.runs.happens_before import Demand, Knowledge, Met, Stream

_DOWN = frozenset(("Down", "Lost"))
_RUNNING = frozenset(("Fenced", "Slave", "Master"))
_ENDS = {"ProcessCrashes": "Down", "MachineCrashes": "Down", "DiskIsLost": "Lost"}
_ROLE_CHANGES = frozenset(("BecomeMaster", "BecomeSlave", "ReceiveNotice"))
_LATE = {
    "SlaveAppendsBatch": "SlaveAppendsLateBatch",
    "SlaveLearnsConfirmOffset": "SlaveLearnsLateConfirm",
}
_KEEP = frozenset(("AcknowledgePut", "ControllerFailsOver"))
"""Lines without a state whose step changes no fact."""
_ASKING = frozenset(("BrokerRequestsElection", "RestartedBrokerIsElected"))


@dataclass(frozen=True, slots=True)
class BrokerFacts:
    """What other nodes' steps read of a broker; None: not known."""

    role: str | None = "Fenced"
    epoch: int | None = 0
    master: str | None = None
    limit: int | None = 0
    flushed: int | None = 0
    end: int | None = 0
    confirm: int | None = 0
    link: str | None = "none"
    """The last master that it connected to and did not leave by a line of its own."""
    since: int | None = 0
    """The epoch in which it did."""
    acks: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class ControllerFacts:
    """What brokers copy from the controller."""

    epoch: int
    master: str
    number: int
    """Of its SyncStateSet."""


Facts = BrokerFacts | ControllerFacts | None
Found = tuple[str, Callable[[Any], Met], frozenset[str]]
"""Of whom, what, and what it covers: as in `Demand`."""
_NOTHING_YET = ControllerFacts(0, "none", 0)


@dataclass(frozen=True, slots=True)
class Late:
    """What can be on its way while its sender goes on. `acks`: acknowledgements can be older than what is flushed
    (LateAcks); `batches`: headers, too, than what the master has confirmed (LateBatches)."""

    acks: bool = False
    batches: bool = False

    def mapped(self, event: Event) -> Event:
        """With the steps of these modules that its line can mean besides."""
        event = _with_late_acks(event) if self.acks else event
        return _with_late_batches(event) if self.batches else event


def cluster_knowledge(
    events: Iterable[Event],
    nodes: Iterable[Stream],
    controller: str,
    all_ack: bool,
    late: Late,
) -> Knowledge:
    """Facts and demands of these events, which are in an order that their nodes' lines have.

    `nodes`: of each event its node, and which of its logs.
    `all_ack`: the constant AllAck.
    """
    last: dict[str, Facts] = {}
    after: list[Facts] = []
    demands: list[tuple[Demand, ...]] = []
    streams: dict[str, Stream] = {}
    for stream in nodes:
        streams.setdefault(stream[0], stream)
    for event in events:
        if event.node not in last:
            last[event.node] = facts_at_first(event.node, controller)
        new, found = facts_and_demands(event, last[event.node], controller, all_ack, late)
        if new == last[event.node]:
            new = last[event.node]  # kept once
        last[event.node] = new
        after.append(new)
        demands.append(tuple(Demand(streams[name], met, covers) for name, met, covers in found if name in streams))
    first: dict[Stream, Facts] = {stream: facts_at_first(name, controller) for name, stream in streams.items()}
    return Knowledge(first, after, demands)


def facts_at_first(node: str, controller: str) -> Facts:
    return _NOTHING_YET if node == controller else BrokerFacts()


def facts_and_demands(
    event: Event, before: Facts, controller: str, all_ack: bool, late: Late
) -> tuple[Facts, list[Found]]:
    """The facts of a node after an event, where they were these `before`, and what the event needs of other nodes."""
    if event.node == controller:
        known = before if isinstance(before, ControllerFacts) else None
        return _controller(event, known), list(_of_controller(event))
    assert isinstance(before, BrokerFacts)
    after = _broker(event, before, all_ack)
    return after, list(_of_broker(event, before, after, controller, late))


def _with_late_acks(event: Event) -> Event:
    """An acknowledgement that may have been under way for a while is a step of its own in LateAcks."""
    connection = event.state.get("connection")
    if event.action != "MasterReceivesAck" or not isinstance(connection, Mapping):
        return event
    late = tuple(("MasterReceivesLateAck", (slave, end["ack"])) for slave, end in connection.items())
    return replace(event, alternatives=(*event.alternatives, *late))


def _with_late_batches(event: Event) -> Event:
    """A batch or a header that may have been under way for a while is a step of its own in LateBatches: it told no more
    than what the slave's confirmOffset is then."""
    confirm = event.state.get("disk.confirm")
    late = _LATE.get(event.action or "")
    if late is None or confirm is None or not isinstance(event.arguments, tuple):
        return event
    return replace(event, alternatives=(*event.alternatives, (late, (*event.arguments[:1], confirm))))


def as_repaired(event: Event, accesses: Accesses | None) -> Accesses | None:
    """What an event's step touches under the repaired rules: a crash takes no proposal with it, since those are sent at
    once; the number of a message is only a name, so that two masters' puts commute up to names; and of two reads the
    second may have read nothing new."""
    if accesses is None or not event.steps:
        return accesses
    free = {"requests"} if event.action in _ENDS else {"puts"} if event.action == "AppendPut" else set()
    if event.action == "ConsumerReads" and event.may_stutter:
        free = {"consumed"}
    return Accesses(accesses.reads, accesses.writes - free) if free else accesses


# --- facts -----------------------------------------------------------------------------------------------------------


def _controller(event: Event, before: ControllerFacts | None) -> ControllerFacts | None:
    state = event.facts.get("controller")
    if not isinstance(state, Mapping):
        return before if event.action in _KEEP or not event.steps else None
    return ControllerFacts(state["masterEpoch"], str(state["master"]), state["sssEpoch"])


def _broker(event: Event, before: BrokerFacts, all_ack: bool) -> BrokerFacts:
    action = event.action
    if action in _ENDS:
        return BrokerFacts(_ENDS[action], 0, None, None, None, None, None, "none", None, {})
    broker, log_end = event.facts.get("broker"), event.facts.get("disk.logEnd")
    if not isinstance(broker, Mapping) or log_end is None:
        unchanged = action in _KEEP or not event.steps
        return before if unchanged else BrokerFacts(*(None,) * 10)
    master, epoch = str(broker["master"]), broker["masterEpoch"]
    union = _members(broker["sss"]) | _members(broker["pending"])
    flushed, confirm = event.facts.get("disk.flushed"), event.facts.get("disk.confirm")
    alone = broker["role"] == "Master" and (union == {event.node} or not all_ack)
    connection = event.facts.get("connection")
    acks = {name: end["ack"] for name, end in connection["#map"]} if isinstance(connection, Mapping) else None
    return BrokerFacts(
        broker["role"], epoch, master, flushed if alone else confirm, flushed, log_end, confirm,
        _link(event, before, str(broker["role"]), master),
        epoch if action == "SlaveConnectsAndTruncates" else before.since, acks,
    )  # fmt: skip


def _link(event: Event, before: BrokerFacts, role: str, master: str) -> str | None:
    if event.action == "SlaveConnectsAndTruncates":
        found = event.facts.get("link")
        return found if isinstance(found, str) else None
    if event.action == "ConnectionBreaks" or role != "Slave":
        return "none"
    if event.action in _ROLE_CHANGES:
        same = before.role == "Slave" and before.master == master
        return before.link if same or before.role is None else "none"
    return before.link


def _members(value: Any) -> set[str]:
    return set(value["#set"])


# --- demands ---------------------------------------------------------------------------------------------------------

_CORE = frozenset(("core",))
_ANY = 1 << 62
"""As long a log as can be."""


def _of(kinds: str, broker: str) -> frozenset[str]:
    """Parts of a broker, as `independence` names them."""
    return frozenset(f"{kind} {broker}" for kind in kinds.split())


def _of_controller(event: Event) -> Iterable[Found]:
    if event.action == "HeartbeatArrives" and _named(event):
        return [(_named(event), _up, _of("role", _named(event)))]
    if event.action in _ASKING and _named(event):
        return [(_named(event), _running, frozenset())]
    return []


def _of_broker(event: Event, before: BrokerFacts, after: BrokerFacts, controller: str, late: Late) -> Iterator[Found]:
    action, link = event.action, event.facts.get("link")
    if event.facts.get("broker") is None:
        return
    epoch, master = after.epoch, after.master
    if action == "SlaveConnectsAndTruncates" and isinstance(link, str):
        yield link, partial(_master_in, epoch), frozenset()
    elif action in ("SlaveAppendsBatch", "SlaveLearnsConfirmOffset") and isinstance(link, str):
        old, new, end = before.confirm, after.confirm, event.facts.get("disk.logEnd")
        if old is None or new is None or end is None:
            return
        if action == "SlaveLearnsConfirmOffset" and new == old:
            # nothing happened: a step of the model would have changed it
            yield link, _always, _of("role set log flushed confirm", link)
        else:
            appends = action == "SlaveAppendsBatch"
            # a batch of no message brings an epoch: its master has nothing more
            most = end if appends and before.end == end else _ANY
            met = partial(
                _announces, before.since or 0, min(old, end), new, late.batches, end, end if appends else 0, most
            )
            yield link, met, _of("role set log flushed confirm", link)
    elif action == "MasterReceivesAck" and _named(event):
        slave = _named(event)
        ack = (after.acks or {}).get(slave)
        if ack is not None and before.acks is not None and before.acks.get(slave) != ack:
            yield slave, partial(_has_flushed, event.node, ack, late.acks), _of("link log flushed", slave)
    elif action == "LearnSyncStateSet":
        yield controller, partial(_exactly, epoch, None, event.facts["broker"]["sssEpoch"]), _CORE
    elif action == "BecomeMaster":
        yield controller, partial(_exactly, epoch, event.node, event.facts["broker"]["sssEpoch"]), _CORE
    elif action == "BecomeSlave":
        yield controller, partial(_exactly, epoch, master, None), _CORE
    elif action == "ReceiveNotice":
        yield controller, partial(_elected, epoch), frozenset(("core", "notices"))


def _named(event: Event) -> str:
    """The broker that is the step's first argument."""
    arguments = event.arguments
    first = arguments[0] if isinstance(arguments, tuple) and arguments else ""
    return first if isinstance(first, str) else ""


def _always(_: BrokerFacts) -> Met:
    return Met.YES


def _up(facts: BrokerFacts) -> Met:
    if facts.role is None:
        return Met.UNKNOWN
    return Met.NO if facts.role in _DOWN else Met.YES


def _running(facts: BrokerFacts) -> Met:
    if facts.role is None:
        return Met.UNKNOWN
    return Met.YES if facts.role in _RUNNING else Met.NO


def _master_in(epoch: int | None, facts: BrokerFacts) -> Met:
    if facts.role is None or facts.epoch is None or epoch is None:
        return Met.UNKNOWN
    return Met.YES if (facts.role, facts.epoch) == ("Master", epoch) else Met.NO


def _announces(
    since: int, old: int, new: int, or_more: bool, end: int, copied: int, most: int, facts: BrokerFacts
) -> Met:
    """A slave that is connected since an epoch sets its confirmOffset from `old` to `new` (`or_more`: it would be more
    now), its log ends at `end` and is copied up to `copied`, from a log that ends at `most` or before."""
    if facts.role is None or facts.epoch is None:
        return Met.UNKNOWN
    if facts.epoch < since:
        return Met.NO
    if facts.role != "Master":
        # that ended the connection
        return Met.NEVER_AGAIN if since else Met.NO
    if facts.limit is None or facts.end is None:
        return Met.UNKNOWN
    told = min(max(facts.limit, old), end)
    return Met.YES if (told == new or (or_more and told > new)) and copied <= facts.end <= most else Met.NO


def _has_flushed(master: str, ack: int, or_more: bool, facts: BrokerFacts) -> Met:
    if facts.link is None or facts.flushed is None:
        return Met.UNKNOWN
    if facts.link != master:
        return Met.NO
    return Met.YES if facts.flushed == ack or (or_more and facts.flushed > ack) else Met.NO


def _elected(epoch: int | None, facts: ControllerFacts) -> Met:
    return Met.UNKNOWN if epoch is None else Met.YES if facts.epoch >= epoch else Met.NO


def _exactly(epoch: int | None, master: str | None, number: int | None, facts: ControllerFacts) -> Met:
    if epoch is None:
        return Met.UNKNOWN
    same = epoch == facts.epoch and master in (None, facts.master) and number in (None, facts.number)
    return Met.YES if same else Met.NO
