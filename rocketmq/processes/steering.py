"""The steps of a counterexample, carried out on processes: what is under way is held by relays until a step delivers
it.

Held from the beginning are both directions between brokers, and what a controller sends to brokers and the master to
controllers. A step opens what it needs, waits until what it means is seen (in a log, on a disk, in an answer), and
closes it again. What no relay can hold, since it happens within a process, follows as soon as the processes do it: the
proposal that a broken connection makes, the header that comes before its bytes.
"""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rmqproof.impl.runtime.client import Client, PutResult
from rmqproof.rocketmq.processes.cluster import RealCluster
from rmqproof.rocketmq.processes.host_network import HostNetwork
from rmqproof.rocketmq.processes.relay_network import Link, RelayNetwork

_PUT_SECONDS = 100.0
_BODY = "m"


class LeftPath(Exception):
    """The processes do not take a step: what they do instead."""


class NotFromOutside(LeftPath):
    """Nobody can hold or bring about this step from outside of the processes."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds. `step`: until a step is seen; `again`: until a message that was refused is sent again; `cause`: in which
    what was done before may make a master want a smaller set; `acks`: for which acks pass; `meanwhile`: until what
    leaves no line has been done."""

    step: float = 40.0
    again: float = 0.2
    cause: float = 2.0
    acks: float = 3.0
    meanwhile: float = 1.0


@dataclass(slots=True)
class Steering:
    """`nodes`: of the model's brokers the processes. `acked`: ids whose producers were
    told SEND_OK."""

    cluster: RealCluster
    nodes: Mapping[str, str]
    patience: Patience = Patience()
    acked: list[int] = field(default_factory=list)
    unreported: set[Link] = field(default_factory=set)
    """Connections of which the master has not heard the first report."""
    puts: dict[int, _Put] = field(default_factory=dict)
    _marks: dict[tuple[str, str], int] = field(default_factory=dict)

    def hold_everything(self, master: str) -> None:
        brokers, controllers = list(self.nodes.values()), self._controllers()
        self._hold([(one, other) for one in brokers for other in brokers if one != other])
        self._hold([(one, other) for one in controllers for other in brokers])
        self._hold([(self.nodes[master], other) for other in controllers])

    def take(self, action: str, arguments: Sequence[Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
        """What was seen. Raise `LeftPath`."""
        step = STEPS.get(action)
        if step is None:
            raise NotFromOutside(f"{action} happens within a process: nothing outside can hold it or bring it about.")
        return step(self, arguments, before, after)

    # --- relays, logs, waiting -------------------------------------------------------------------------------------

    @property
    def network(self) -> RelayNetwork:
        network = self.cluster.network
        assert network is not None and not isinstance(network, HostNetwork)
        return network

    def _controllers(self) -> list[str]:
        return [name for name in self.cluster.nodes if name.startswith("c")] or ["n1"]

    def _hold(self, links: Sequence[Link]) -> None:
        self.network.pace(links, held=True)

    def _open(self, links: Sequence[Link]) -> None:
        self.network.pace(links)

    def to_controllers(self, name: str) -> list[Link]:
        return [(name, each) for each in self._controllers()]

    def from_controllers(self, name: str) -> list[Link]:
        return [(each, name) for each in self._controllers()]

    def until(self, seen: Callable[[], bool], what: str, opened: Sequence[Link] = ()) -> None:
        """With these links open meanwhile. Raise `LeftPath`."""
        if not self.within(seen, self.patience.step, opened):
            raise LeftPath(f"{what} was not seen within {self.patience.step:.0f} s; {self.instead()}")

    def within(
        self, seen: Callable[[], bool], seconds: float, opened: Sequence[Link] = (), every: float = 0.02
    ) -> bool:
        """Is it seen? With these links open meanwhile; it is looked every so many seconds."""
        if opened:
            self._open(opened)
        end = time.monotonic() + seconds
        try:
            while not seen():
                if time.monotonic() > end:
                    return False
                time.sleep(every)
            return True
        finally:
            if opened:
                self._hold(opened)

    def instead(self) -> str:
        """Where the controller is."""
        master, members = self.cluster.master(), self.cluster.members()
        named = sorted(name for name, node in self.nodes.items() if node in (members or ()))
        leads = next((name for name, node in self.nodes.items() if node == master), "nobody")
        return f"the controller names {leads}, the SyncStateSet is {named if members is not None else 'not answered'}"

    def told(self, name: str, file: str, pattern: str) -> bool:
        """Has a node written a line since the last one that was asked for?"""
        return self.told_line(name, file, pattern) is not None

    def told_line(self, name: str, file: str, pattern: str) -> str | None:
        """The first group of the pattern, or all of it, in what a node has written since the last one."""
        path = self.cluster.nodes[name].logs / file
        mark = self._marks.setdefault((name, file), 0)
        text = path.read_bytes()[mark:].decode(errors="replace") if path.is_file() else ""
        found = re.search(pattern, text)
        if found is None:
            return None
        self._marks[name, file] = mark + len(text[: found.end()].encode())
        return found.group(1) if found.re.groups else found.group()

    def missed(self, number: int) -> bool:
        """Does the controller say that it does not hear the broker of this id any more?"""
        pattern = rf"(?:expired, brokerInfo .*brokerId={number}\b|inactive, broker .*id:{number}\b|Elect new master)"
        return self.told(self._controllers()[0], "broker_default.log", pattern)

    def forget_lines(self) -> None:
        """Only what is written from now on tells of a step."""
        for name in self.cluster.nodes:
            for file in ("broker.log", "store.log", "broker_default.log"):
                path = self.cluster.nodes[name].logs / file
                self._marks[name, file] = path.stat().st_size if path.is_file() else 0

    def die_unheard(self, name: str) -> None:
        """kill -9, of which controllers hear nothing: a closed connection would be an answer to them."""
        for controller in self._controllers():
            self.network.outlive(name, controller)
        self.cluster.nodes[name].kill()

    def placed_ids(self, name: str) -> list[tuple[int, int]]:
        """The messages of the counterexample in a broker's log, each with its offset in front."""
        bodies = [(at, each.body.decode(errors="replace")) for at, each in self.cluster.placed_messages(name)]
        return [(at, int(body[1:])) for at, body in bodies if re.fullmatch(rf"{_BODY}\d+", body)]

    def ids(self, name: str) -> list[int]:
        return [number for _, number in self.placed_ids(name)]

    def number_of(self, name: str) -> int:
        return self.cluster.id_of(self.nodes[name])

    def put(self, name: str, number: int) -> None:
        address = self.cluster.address_of(name)
        self.puts[number] = _Put(address, number)

    def quietly(self, name: str) -> list[int]:
        """The messages of a log, none while half of one is written."""
        try:
            return self.ids(name)
        except (OSError, ValueError):
            return []

    def sent_until_there(self, name: str, number: int) -> bool:
        """Is the message in the broker's log? One that was refused is sent again: who has just started, or has just
        been told its role, does not listen at once."""
        sent = self.puts.get(number)
        if sent is None or (sent.result is not None and not sent.result.stored):
            self.put(name, number)
            time.sleep(self.patience.again)
        return number in self.quietly(name)


class _Put:
    """A message that waits for its answer, in a thread of its own."""

    def __init__(self, address: str, number: int) -> None:
        self.result: PutResult | None = None
        self._thread = threading.Thread(target=self._send, args=(address, number), daemon=True)
        self._thread.start()

    def _send(self, address: str, number: int) -> None:
        async def sending() -> PutResult:
            client = Client([])
            try:
                return await client.put_at(address, f"{_BODY}{number}".encode(), f"{_BODY}{number}", _PUT_SECONDS)
            finally:
                await client.close()

        self.result = asyncio.run(sending())


# --- steps -----------------------------------------------------------------------------------------------------------


def _append(s: Steering, said: Sequence[Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    name, number = s.nodes[said[0]], after["used"]["puts"]
    if not s.within(lambda: s.sent_until_there(name, number), s.patience.step):
        sent = s.puts[number].result
        why = f"{said[0]} refuses it: {sent.reason}" if sent is not None else s.instead()
        raise LeftPath(f"message {number} in the log of {said[0]} was not seen within {s.patience.step:.0f} s; {why}")
    return f"message {number} is in the log of {name}, its producer waits"


def _acknowledge(s: Steering, said: Sequence[Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    number = int(said[1])

    def answered() -> bool:
        result = s.puts[number].result
        if result is not None and not result.stored:
            raise LeftPath(f"the producer is told {result.reason or 'nothing'}")
        return result is not None

    s.until(answered, f"the answer to message {number}")
    s.acked.append(number)
    return f"the producer of message {number} is told SEND_OK"


def _break(s: Steering, said: Sequence[Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    slave, master = said[0], _value(before["link"], said[0])
    count = s.network.break_off(s.nodes[slave], s.nodes[master])
    if not count:
        raise LeftPath(f"{slave} has no connection to {master}")
    return f"{count} connections of {s.nodes[slave]} and {s.nodes[master]} are broken"


def _expire(s: Steering, said: Sequence[Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    name, number = s.nodes[said[0]], s.number_of(said[0])
    s._hold(s.to_controllers(name))
    s.until(lambda: s.missed(number), f"that the controller misses {said[0]}")
    return f"the controller misses the heartbeats of {name}"


def _arrives(s: Steering, said: Sequence[Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    name, number, controller = s.nodes[said[0]], s.number_of(said[0]), s._controllers()[0]
    s._open(s.to_controllers(name))
    pattern = rf"new broker registered, .*brokerId[:=]\s*{number}\b"
    s.until(lambda: s.told(controller, "broker_default.log", pattern), f"that the controller hears {said[0]}")
    return f"the controller hears {name}"


def _elected(s: Steering, said: Sequence[Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    wanted = s.nodes[said[-1]]
    s.until(lambda: s.cluster.master() == wanted, f"{said[-1]} as the controller's master")
    return f"the controller's master is {wanted}"


def _role(word: str) -> Callable[..., str]:
    def step(s: Steering, said: Sequence[Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
        name = s.nodes[said[0]]
        s._open(s.to_controllers(name))  # who has restarted registers first
        line = rf"Change ha to {word} success"
        s.until(lambda: s.told(name, "store.log", line), f"{said[0]} as {word}", s.from_controllers(name))
        return f"{name} has become {word}"

    return step


def _propose(s: Steering, said: Sequence[Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    master, slave = said[0], said[1]
    members = set(_value(before["broker"], master)["sss"]["#set"])
    wanted = sorted(s.number_of(each) for each in members ^ {slave})
    line = rf"Notify the syncStateSet has been changed into \[{', '.join(map(str, wanted))}\]"
    link, notes = (s.nodes[slave], s.nodes[master]), ""

    def told() -> bool:
        return s.told(s.nodes[master], "store.log", line)

    seen = slave in members and s.within(told, s.patience.cause, [link])
    if slave in members and not seen:  # nothing that was done before has ended it
        s.network.break_off(*link)
        notes = f"; the connection of {link[0]} was broken for it"
    if not seen:
        s.until(told, f"that {master} proposes {wanted}", [link])
    return f"{s.nodes[master]} wants the SyncStateSet {wanted}{notes}"


def _accepted(s: Steering, said: Sequence[Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    wanted = {s.number_of(each) for each in said[0]["members"]["#set"]}
    s.until(
        lambda: s.cluster.sync_state_set() == wanted,
        f"the SyncStateSet {sorted(wanted)} at the controller",
        s.to_controllers(s.nodes[said[0]["from"]]),
    )
    return f"the controller has stored {sorted(wanted)}"


def _sent(s: Steering, said: Sequence[Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    return "the request leaves with what the controller is sent next"


def _learned(s: Steering, said: Sequence[Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    name = s.nodes[said[0]]
    links = [*s.from_controllers(name), *s.to_controllers(name)]
    s.until(lambda: s.told(name, "broker.log", r"SyncStateSet changed from"), f"that {said[0]} learns the set", links)
    return f"{name} has learned the SyncStateSet"


def _connects(s: Steering, said: Sequence[Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """A handshake, and not the report of the slave that follows at once: a master sends nothing before that."""
    slave, master = s.nodes[said[0]], s.nodes[_value(after["link"], said[0])]
    heard = r"Receive slave handshake|change state to HANDSHAKE"
    s.until(lambda: s.told(master, "store.log", heard), f"the handshake of {said[0]}", [(slave, master)])
    answered = r"change state to TRANSFER|Failed to find a consistent point"
    s.until(
        lambda: s.told(slave, "store.log", answered), f"the answer to the handshake of {said[0]}", [(master, slave)]
    )
    s.unreported.add((slave, master))
    return f"{slave} has connected to {master} and cut what it had to"


def _copied(s: Steering, said: Sequence[Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    slave, master = said[0], _value(before["link"], said[0])
    wanted = [entry["id"] for entry in _value(after["disk"], slave)["log"]["#tup"]]
    links = [(s.nodes[master], s.nodes[slave])]
    if (s.nodes[slave], s.nodes[master]) in s.unreported:
        s.unreported.discard((s.nodes[slave], s.nodes[master]))
        links.append((s.nodes[slave], s.nodes[master]))
    s.until(lambda: s.quietly(s.nodes[slave]) == wanted, f"the messages {wanted} at {slave}", links)
    return f"{s.nodes[slave]} has the messages {wanted}"


def _acks(s: Steering, said: Sequence[Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """An ack leaves no line: it passes with what the slave sends for a while."""
    slave, master = said[0], _value(before["link"], said[0])
    links = [(s.nodes[slave], s.nodes[master])]
    s._open(links)
    time.sleep(s.patience.acks)
    s._hold(links)
    return f"what {s.nodes[slave]} sends to {s.nodes[master]} has passed for {s.patience.acks:.0f} s"


def _crash(s: Steering, said: Sequence[Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    name = s.nodes[said[0]]
    s.die_unheard(name)
    return f"kill -9 of {name}"


def _restart(s: Steering, said: Sequence[Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    name = s.nodes[said[0]]
    s.cluster.nodes[name].start()
    s.until(lambda: s.told(name, "store.log", r"load over, and the max phy offset"), f"the start of {said[0]}")
    return f"start {name}"


def _value(of: Mapping[str, Any], key: str) -> Any:
    """Of a function in ITF."""
    return dict(of["#map"])[key]


STEPS: Mapping[str, Callable[..., str]] = {
    "AppendPut": _append,
    "AcknowledgePut": _acknowledge,
    "ConnectionBreaks": _break,
    "HeartbeatExpires": _expire,
    "HeartbeatArrives": _arrives,
    "ControllerElectsMaster": _elected,
    "BecomeMaster": _role("master"),
    "BecomeSlave": _role("slave"),
    "ProposeExpand": _propose,
    "ProposeShrink": _propose,
    "SendQueuedProposal": _sent,
    "ControllerAcceptsAlter": _accepted,
    "LearnSyncStateSet": _learned,
    "SlaveConnectsAndTruncates": _connects,
    "SlaveAppendsBatch": _copied,
    "MasterReceivesAck": _acks,
    "ProcessCrashes": _crash,
    "BrokerRestarts": _restart,
}
