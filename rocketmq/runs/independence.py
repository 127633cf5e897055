"""Which parts of ControllerMode's state each action reads and writes, so that runs of a cluster need few orders tried.

The parts of a broker b: "role b" (process, role, epoch, master), "set b" (its SyncStateSet and proposals), "log b"
(with the epoch file), "flushed b", "confirm b", "link b", "connections b" (the master's end); of the controller:
"core" (what it replicates), "alive", "requests", "notices"; "links b" stands for every link to b, which b's step may
end at brokers that it does not name; "puts" for the numbers of messages, "consumed" for what was read.

Not counted: budgets, which only count; what no action reads (acknowledged messages, owners of epochs); the producers
that wait, which only steps of their own broker touch; and what of a connection only its own slave's steps touch
(transferEpoch). Every rule of AsDesigned and AsShipped is covered. A test takes pairs of steps that commute by this
table in both orders.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from rmqproof.conformance.runs.event import Arguments, Touches

_OWN = ("role", "set", "log", "flushed", "confirm")
_CONTROLLER_STEPS = frozenset(
    ("ControllerElectsMaster", "ControllerFindsNoMaster", "BrokerRequestsElection", "AdministratorDesignatesMaster",
     "ControllerAcceptsAlter", "ControllerRejectsAlter", "ControllerAppliesEvent", "MetadataIsCleaned")
)  # fmt: skip
_ROLE_CHANGES = frozenset(("BecomeMaster", "BecomeSlave", "ReceiveNotice"))
_ENDS = frozenset(("ProcessCrashes", "MachineCrashes", "DiskIsLost"))
_CONNECTED = frozenset(("BytesAreFlushed", "MasterReceivesAck", "LearnSyncStateSet", "ProposeExpand", "ProposeShrink"))
"""Steps of a master in which it counts who is connected, and fewer can be better."""
_HERE: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "AppendPut": (("role", "set"), ("log", "flushed", "confirm")),
    "AcknowledgePut": (("role", "set", "log", "flushed", "connections"), ()),
    "ConsumerReads": (("role", "set", "log", "flushed", "confirm"), ()),
    "BytesAreFlushed": (("role", "set", "log", "connections"), ("flushed", "confirm")),
    "BrokerRestarts": ((), ("role", "set", "log", "flushed", "confirm")),
    "NewMasterRecordsEpoch": ((), ("role", "log", "flushed", "confirm")),
    "NewMasterOpensForPuts": ((), ("role",)),
    "LearnSyncStateSet": (("role", "connections", "flushed", "log"), ("set", "confirm")),
    "ForgetUnresolvedProposals": (("role",), ("set",)),
    "ProposeExpand": (("role", "connections", "flushed", "log"), ("set", "confirm")),
    "ProposeShrink": (("role", "connections", "flushed", "log"), ("set", "confirm")),
    "SendQueuedProposal": (("role", "set"), ()),
}
"""Steps of one broker: what they read and write of it."""
_ELSEWHERE: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "AppendPut": ((), ("puts",)),
    "ConsumerReads": ((), ("consumed",)),
    "LearnSyncStateSet": (("core",), ()),
    "ForgetUnresolvedProposals": (("core",), ()),
    "ProposeExpand": (("core",), ("requests",)),
    "ProposeShrink": (("core",), ("requests",)),
    "SendQueuedProposal": ((), ("requests",)),
}


def touches(
    action: str | None,
    arguments: Sequence[object],
    node: str,
    peer: str | None,
    brokers: Sequence[str],
    left: str | None = None,
) -> Touches | None:
    """What a step touches. `node` takes it; `peer`: the master that a slave copies from, `left`: the one that it copied
    from before it connected; None where they are not known, `left` is any other text for none.

    None: everything.
    """
    named = tuple(name for name in arguments if isinstance(name, str))
    return _touches(action, named, node, peer, tuple(brokers), left)


@cache
def _touches(
    action: str | None,
    named: tuple[str, ...],
    node: str,
    peer: str | None,
    brokers: tuple[str, ...],
    left: str | None,
) -> Touches | None:
    mine = Touches(_parts(_OWN, node)) if node in brokers else Touches()
    if action is None:
        return mine
    masters = [peer] if peer in brokers and peer is not None else list(brokers)
    if action in ("HeartbeatArrives", "HeartbeatExpires"):
        return mine | Touches(_parts(("role",), *named), frozenset(("alive",)))
    if action == "ControllerFailsOver":
        return mine | Touches(frozenset(), frozenset(("alive",)))
    if action in _CONTROLLER_STEPS:
        asking = _parts(("role",), *named[:1]) if action == "BrokerRequestsElection" else frozenset()
        return mine | Touches(asking | {"alive"}, frozenset(("core", "requests", "notices")))
    if action == "RestartedBrokerIsElected":
        replicated = frozenset(("core", "requests", "notices"))
        return mine | _role_change(named) | Touches(frozenset(("alive",)), replicated)
    if action in _ROLE_CHANGES:
        return mine | _role_change(named[:1]) | Touches(frozenset(("core", "notices")))
    if action in _ENDS:
        return mine | _role_change(named[:1]) | Touches(frozenset(), frozenset(("requests",)))
    if action in _HERE and named:
        (reads, writes), (more_reads, more_writes) = _HERE[action], _ELSEWHERE.get(action, ((), ()))
        here = Touches(_parts(reads, named[0]), _parts(writes, named[0]))
        return mine | here | Touches(frozenset(more_reads), frozenset(more_writes))
    before = brokers if left is None else [left] if left in brokers else []
    found = _replication(action, named, node, masters, brokers, before)
    return mine | found if found is not None else None


def unlogged_before(action: str | None, arguments: Sequence[object], node: str) -> tuple[tuple[str, Arguments], ...]:
    """The steps without a line that can be needed right before a step: those that it does not commute with, and after
    which it is enabled. A broken connection is noticed by a line of either end, or when the slave connects again."""
    named = [name for name in arguments if isinstance(name, str)]
    if action == "SlaveConnectsAndTruncates":
        return ("ConnectionBreaks", (named[0],)), ("MasterNoticesLostConnection", (None, named[0]))
    if action == "MasterNoticesLostConnection":
        return (("ConnectionBreaks", (named[1],)),)
    if action in _CONNECTED:
        return (("MasterNoticesLostConnection", (node, None)),)
    return ()


def _replication(
    action: str,
    named: Sequence[str],
    node: str,
    masters: Sequence[str],
    brokers: Sequence[str],
    before: Sequence[str],
) -> Touches | None:
    if not named:
        return None
    slave = named[0]
    if action == "SlaveAppendsBatch":
        reads = _parts(("link", "role"), slave) | _parts(("role", "set", "log", "flushed", "confirm"), *masters)
        return Touches(reads, _parts(("log", "flushed", "confirm"), slave))
    if action == "SlaveLearnsConfirmOffset":
        reads = _parts(("link", "log"), slave) | _parts(("role", "set", "log", "flushed", "confirm"), *masters)
        return Touches(reads, _parts(("confirm",), slave))
    if action == "SlaveConnectsAndTruncates":
        reads = _parts(("role", "set", "log", "flushed", "confirm"), *masters) | _parts(("role",), slave)
        reads |= _parts(("links",), *before)
        return Touches(reads, _parts(("log", "flushed", "confirm", "link"), slave) | _parts(("connections",), *masters))
    if action in ("MasterReceivesAck", "MasterReceivesLateAck"):
        masters = [node] if node in brokers else masters
        reads = _parts(("link", "log", "flushed"), slave) | _parts(("role", "set", "log", "flushed"), *masters)
        return Touches(reads, _parts(("connections", "confirm"), *masters))
    if action == "MasterNoticesLostConnection" and len(named) == 2:
        return Touches(_parts(("link",), named[1]) | _parts(("links",), named[0]), _parts(("connections",), named[0]))
    if action == "ConnectionBreaks":
        return Touches(_parts(("role",), *masters), _parts(("link",), slave) | _parts(("connections",), *masters))
    return None


def _role_change(named: Sequence[str]) -> Touches:
    return Touches(frozenset(), _parts((*_OWN, "link", "connections", "links"), *named))


def _parts(kinds: Sequence[str], *brokers: str) -> frozenset[str]:
    return frozenset(f"{kind} {broker}" for kind in kinds for broker in brokers)
