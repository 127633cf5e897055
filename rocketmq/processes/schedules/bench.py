"""What a schedule on processes works with: a cluster of the release behind relays, and hands for what an operator, the
network and the machines do to it."""

from __future__ import annotations

import asyncio
import itertools
import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from rmqproof.impl.core.controller_messages import ControllerRequest, GetSyncStateDataRequest
from rmqproof.impl.runtime.client import PutResult
from rmqproof.impl.runtime.codes import ClientCode, ClientResponse
from rmqproof.impl.runtime.remoting import Peer, Unreachable
from rmqproof.impl.storage.message import messages_of
from rmqproof.impl.wire.controller_codec import encode_request
from rmqproof.impl.wire.remoting import Command
from rmqproof.rocketmq.epoch_files import EpochError, read_epochs
from rmqproof.rocketmq.java import Java
from rmqproof.rocketmq.maven import version_key
from rmqproof.rocketmq.processes.cluster import RealCluster, has_crc_property
from rmqproof.rocketmq.processes.nodes import BROKER_NAME
from rmqproof.rocketmq.processes.relay_network import Link, Ports
from rmqproof.rocketmq.processes.steering import Steering
from rmqproof.rocketmq.releases import Release
from rmqproof.rocketmq.schedules.bench import Seen

QUIET = {
    "slaveTimeout": "90000",
    "syncFlushTimeout": "90000",
    "haHousekeepingInterval": "120000",
    "haMaxTimeSlaveNotCatchup": "600000",
    "checkSyncStateSetPeriod": "1000",
}
"""Nothing happens because a while has passed, but for missed heartbeats."""
_HEARTBEAT_MILLISECONDS = 5000
_READS = 10
_ENTRY = 20
"""Bytes of an entry of a consume queue."""
_PULLED = {
    "consumerGroup": "rmqproof",
    "topic": "TopicTest",
    "queueId": "0",
    "maxMsgNums": "32",
    "sysFlag": "4",
    "commitOffset": "0",
    "suspendTimeoutMillis": "0",
    "subVersion": "0",
    "subscription": "*",
    "expressionType": "TAG",
}
"""`PullMessageRequestHeader`; the flag says that the subscription comes with it."""


class DidNotCome(Exception):
    """What a schedule needs before its own steps: it says nothing of the defect."""


@dataclass(frozen=True, slots=True)
class ProcessSchedule:
    """`id`: the hazard or the number of the report; `fixed_in`: the first release in which it is to be gone. `since`:
    the first that has what the schedule works with."""

    id: str
    title: str
    steps: str
    run: Callable[[ProcessBench], Seen]
    since: str = "5.1.0"
    fixed_in: str = ""

    def fits(self, version: str) -> bool:
        return version_key(version) >= version_key(self.since)


class Hands(Steering):
    """Of a running cluster. `lead` is who led first, `others` the rest; they keep their names when roles change."""

    lead: str
    others: list[str]

    @property
    def other(self) -> str:
        return self.others[0]

    # --- waiting -----------------------------------------------------------------------------------------------------

    def wait(self, seen: Callable[[], bool], what: str, seconds: float | None = None) -> float:
        """The seconds it took. Raise `DidNotCome`."""
        seconds, began = seconds or self.patience.step, monotonic()
        if not self.within(seen, seconds):
            raise DidNotCome(f"{what} did not come within {seconds:.0f} s; {self.instead()}")
        return monotonic() - began

    def whole(self) -> None:
        """All are in the set, with the same log."""
        everybody = set(self.nodes)
        self.wait(lambda: self.cluster.members() == everybody, "the SyncStateSet of all")
        self.wait(lambda: len({tuple(self.ids(name)) for name in everybody}) == 1, "the same log everywhere")

    # --- links -------------------------------------------------------------------------------------------------------

    def between(self, one: str, *others: str) -> list[Link]:
        """Both directions."""
        return [link for other in others for link in ((one, other), (other, one))]

    def controllers(self, name: str) -> list[Link]:
        """Both directions between a broker and all controllers."""
        return [*self.to_controllers(name), *self.from_controllers(name)]

    def hold(self, *links: Link) -> None:
        self.network.pace(links, held=True)

    def release(self, *links: Link) -> None:
        self.network.pace(links)

    # --- producers, consumers, administrators ------------------------------------------------------------------------

    def answer(self, number: int, seconds: float) -> PutResult | None:
        """What the producer is told within these seconds."""
        self.within(lambda: self.puts[number].result is not None, seconds)
        return self.puts[number].result

    def stored(self, name: str, number: int) -> None:
        """A message that is acknowledged. Raise `DidNotCome`."""
        self.put(name, number)
        result = self.answer(number, self.patience.step)
        if result is None or not result.stored:
            raise DidNotCome(f"message {number} is not stored at {name}: {result.reason if result else 'no answer'}")

    def waiting(self, name: str, number: int) -> None:
        """A message that is in a broker's log, whatever its producer is told."""
        self.put(name, number)
        self.wait(lambda: number in self.quietly(name), f"message {number} in the log of {name}")

    def insist(self, name: str, number: int) -> None:
        """A message that is in a broker's log, whatever its producer is told; one that has just started refuses."""
        self.wait(lambda: self.sent_until_there(name, number), f"message {number} in the log of {name}")

    def told_of(self, number: int, seconds: float) -> str:
        """In words."""
        result = self.answer(number, seconds)
        if result is None:
            return f"nothing for {seconds:.0f} s"
        return "SEND_OK" if result.stored else result.reason.split("\n")[0][:80]

    def consumed(self, name: str) -> list[str]:
        """Bodies that a consumer is given by a broker, from the first on."""
        found: list[str] = []
        first, crc = 0, has_crc_property(self.cluster.release.version)
        while True:
            fields = {**_PULLED, "queueOffset": str(first)}
            answer = self.asked(self.port(name), ClientCode.PULL_MESSAGE, fields)
            if answer is None or answer.code != ClientResponse.SUCCESS:
                return found
            found += [each.body.decode(errors="replace") for each in messages_of(answer.body, crc)]
            first = int(answer.ext_fields["nextBeginOffset"])

    def administer(self, request: ControllerRequest) -> Command:
        """The controller's answer. Raise `DidNotCome`."""
        sent = encode_request(request, 0)
        answer = self.asked(self.cluster.controller_ports[0], sent.code, sent.ext_fields, sent.body)
        if answer is None:
            raise DidNotCome(f"the controller does not answer to a {type(request).__name__}")
        return answer

    def master_epoch(self) -> int:
        """As the controller has it."""
        return int(self._state_of_set().get("masterEpoch", 0))

    def _state_of_set(self) -> dict[str, Any]:
        answer = self.administer(GetSyncStateDataRequest((BROKER_NAME,)))
        found: dict[str, Any] = json.loads(answer.body)["replicasInfoTable"].get(BROKER_NAME, {})
        return found

    def registered(self) -> list[str]:
        """What the controller names the brokers that it knows by, in or out of the SyncStateSet."""
        table = self._state_of_set()
        return sorted(
            f"{each['brokerId']} at {each.get('brokerAddress') or each['address']}"
            for each in (*table.get("inSyncReplicas", ()), *table.get("notInSyncReplicas", ()))
        )

    def move(self, name: str) -> None:
        """A broker that does not run gets other ports."""
        place = Ports().take(1, -2)
        node = self.cluster.nodes[name]
        node.settings = {**node.settings, "listenPort": str(place), "haListenPort": str(place + 1)}

    def port(self, name: str) -> int:
        return int(self.cluster.nodes[name].settings["listenPort"])

    def asked(self, port: int, code: int, fields: Mapping[str, str], body: bytes = b"") -> Command | None:
        """The answer of whoever listens there; None where there is none within three seconds."""

        async def work() -> Command | None:
            peer = Peer(f"127.0.0.1:{port}")
            try:
                return await peer.call(code, fields, body)
            except Unreachable:
                return None
            finally:
                await peer.close()

        return asyncio.run(work())

    # --- disks -------------------------------------------------------------------------------------------------------

    def lose_disk(self, name: str) -> None:
        """Of a broker that does not run: it comes back as a new one."""
        shutil.rmtree(self.cluster.nodes[name].folder / "store")

    def epochs(self, name: str) -> list[tuple[int, int]]:
        """Of the epoch file, each with the offset at which it begins; a file that is just written is read again."""
        path = self.cluster.nodes[name].folder / "store" / "epochFileCheckpoint"
        for _ in range(_READS):
            with suppress(EpochError, OSError):
                return [(entry.epoch, entry.start) for entry in read_epochs(str(path)).entries]
            sleep(0.05)
        return []

    def queue_length(self, name: str, topic: str = "TopicTest") -> int:
        """Entries of the topic's first consume queue on the disk."""
        folder = self.cluster.nodes[name].folder / "store" / "consumequeue" / topic / "0"
        data = b"".join(file.read_bytes() for file in sorted(folder.glob("[0-9]*")))
        sizes = (int.from_bytes(data[at + 8 : at + 12], "big") for at in range(0, len(data), _ENTRY))
        return sum(1 for _ in itertools.takewhile(bool, sizes))

    # --- who leads ---------------------------------------------------------------------------------------------------

    def master_is(self, name: str | None, seconds: float | None = None) -> None:
        self.wait(lambda: self.cluster.master() == name, f"{name or 'nobody'} as the controller's master", seconds)

    def leads(self, name: str) -> None:
        """It has taken the role that the controller gave it."""
        self.master_is(name)
        self.wait(lambda: self.told(name, "store.log", r"Change ha to master success"), f"{name} as master")

    def leads_somebody(self) -> None:
        """Whoever is elected has taken its role."""
        self.wait(lambda: self.cluster.master() is not None, "a master")
        self.leads(self.cluster.master() or self.lead)

    def lead_again(self) -> None:
        """The controller misses everybody, the one that leads last, so that it elects nobody else; and then hears only
        that one: it is elected anew and keeps its connections."""
        self.forget_lines()
        for name in self.others:
            self.hold(*self.to_controllers(name))
        for name in self.others:
            self.wait(partial(self.missed, self.number_of(name)), f"that the controller misses {name}")
        self.hold(*self.to_controllers(self.lead))
        self.master_is(None)
        self.release(*self.controllers(self.lead))
        self.leads(self.lead)

    def hand_over(self, to: str) -> None:
        """The controller misses the one that leads, and elects another one, which leads."""
        self.forget_lines()
        self.hold(*self.to_controllers(self.lead))
        self.leads(to)


@dataclass(slots=True)
class ProcessBench:
    """A release, and a new folder for each cluster of a schedule."""

    release: Release
    java: Java
    folder: Path
    logs: list[Path] | None = None
    """Where the logs of its clusters are kept, when they have ended."""

    @contextmanager
    def cluster(
        self,
        brokers: int = 2,
        jraft: bool = False,
        relayed: bool = True,
        forces_seen: bool = False,
        controller_settings: Mapping[str, str] | None = None,
        **settings: Any,
    ) -> Iterator[Hands]:
        """All are in the set, nothing is held, every log is empty."""
        given = QUIET | {"controllerHeartBeatTimeoutMills": str(_HEARTBEAT_MILLISECONDS)}
        given |= {
            name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in settings.items()
        }
        cluster = RealCluster(
            self.release,
            self.java,
            self.folder / "cluster",
            brokers,
            given,
            controllers=1,
            controller_settings=dict(controller_settings or {}),
            relayed=relayed,
            forces_seen=forces_seen,
            jraft=jraft,
        )
        try:
            with cluster:
                cluster.until(lambda: cluster.master() is not None, "the first master")
                names = {name: name for name in cluster.broker_names}
                hands = Hands(cluster, names)
                hands.lead = cluster.master() or cluster.broker_names[0]
                hands.others = [name for name in names if name != hands.lead]
                hands.whole()
                hands.forget_lines()
                yield hands
        finally:
            self._keep(cluster)

    def _keep(self, cluster: RealCluster) -> None:
        """The logs, and no stores."""
        self.logs = cluster.collect_logs(self.folder / "logs")
        shutil.rmtree(cluster.folder, ignore_errors=True)
