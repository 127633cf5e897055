"""A cluster of real processes: a name server, controllers (in the name server, or processes of their own), and the
brokers of one set. Our client puts messages, the logs are what `rmqproof.rocketmq.logs` reads, and the commit logs are
read from the disks."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import TypeVar

from rmqproof.impl.core.codes import RequestCode, ResponseCode
from rmqproof.impl.core.controller_messages import GetSyncStateDataRequest, GetSyncStateDataResponse
from rmqproof.impl.runtime.client import Client, PutResult
from rmqproof.impl.runtime.controller_client import ControllerClient
from rmqproof.impl.runtime.gate import Gate
from rmqproof.impl.runtime.layout import NodeAddress
from rmqproof.impl.runtime.remoting import Peer, Unreachable
from rmqproof.impl.storage.message import BLANK_MAGIC, MAGIC, Message, decode_message
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.java import Java
from rmqproof.rocketmq.processes import power
from rmqproof.rocketmq.processes.host_network import HostNetwork
from rmqproof.rocketmq.processes.java_process import HOST, JavaProcess
from rmqproof.rocketmq.processes.nodes import BROKER_NAME, as_jraft, broker, controller, name_server
from rmqproof.rocketmq.processes.relay_network import Ports, RelayNetwork, five_digits
from rmqproof.rocketmq.releases import Release
from rmqproof.rocketmq.tracing import agent

_READY_SECONDS = 120
_LOGS = ("broker.log", "store.log")
_CONTROLLERS = "broker_default.log"
"""Where a name server logs what its controller does when it has no logging configuration of its own."""
T = TypeVar("T")


@dataclass(slots=True)
class RealCluster:
    """`folder` is the cluster's, new or empty. Use as a context: its processes end with it.

    `controllers`: processes of their own, 0: one in the name server. `relayed`: connections go through relays; `hosts`:
    each node has a host of its own, with an address; either way `network` disturbs them.
    `forces_seen`: what brokers force to their disks is kept. `others`: processes beside the nodes whose connections are
    known by name. `own_…`: a user's settings, instead of the short periods.
    """

    release: Release
    java: Java
    folder: Path
    brokers: int = 2
    settings: Mapping[str, str] = field(default_factory=dict)
    controllers: int = 0
    controller_settings: Mapping[str, str] = field(default_factory=dict)
    relayed: bool = False
    hosts: bool = False
    forces_seen: bool = False
    nodes: dict[str, JavaProcess] = field(default_factory=dict)
    controller_ports: list[int] = field(default_factory=list)
    others: dict[str, int] = field(default_factory=dict)
    network: RelayNetwork | HostNetwork | None = None
    own_broker: Mapping[str, str] | None = None
    own_controller: Mapping[str, str] | None = None
    jraft: bool = False
    """Controllers of their own on JRaft instead of DLedger; not behind relays."""
    traced: bool = False
    """Brokers and controllers write their steps (rocketmq/tracing), in `traces`."""

    def __enter__(self) -> RealCluster:
        return self.begin()

    def begin(self) -> RealCluster:
        """Start its processes. They do not end with this program, but for those of a context."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if any(self.folder.iterdir()):
            raise RocketmqError(f"{self.folder} is not empty.", "Name a new folder.")
        if self.relayed:
            self.network = RelayNetwork(self._process_ids)
        if self.hosts:
            controllers = [f"c{number + 1}" for number in range(self.controllers)]
            self.network = HostNetwork.of(["n1", *controllers, *(f"b{number + 1}" for number in range(self.brokers))])
        try:
            self._plan(Ports())
            self.place()
            self._trace()
            for node in self.nodes.values():
                node.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for node in self.nodes.values():
            node.kill()
        if self.network is not None:
            self.network.close()

    def _plan(self, ports: Ports) -> None:
        """The nodes with their addresses, and their fronts."""
        port = ports.take()
        library = power.build(self.folder) if self.forces_seen else None
        self.controller_ports = [ports.take() for _ in range(max(1, self.controllers))]
        places = [ports.take(1, -2) for _ in range(self.brokers)]
        inside = self.controller_ports[0] if not self.controllers else None
        announced = {place + 1: ports.take() for place in places}  # where the HA services are said to listen
        made, more = (self.release, self.java), self.controller_settings
        bind = self._front("n1", 10, port, lambda frame: five_digits(frame, announced))
        peers = [each.address for each in self._controller_addresses()]
        leads, given = (peers[0], more) if inside is not None else (None, None)
        self.nodes["n1"] = name_server(*made, self.folder / "n1", port, leads, given, bind)
        if inside is not None:
            self._front("n1", 10, inside)
        self._plan_controllers(peers, ports)
        asked, routes = ";".join(peers), f"{self.host_of('n1')}:{port}"
        for number, place in enumerate(places, 1):
            name = f"b{number}"
            bind = self._front(name, 10 + number, place)
            folder, settings = self.folder / name, self.settings
            said, own = self.host_of(name), self.own_broker
            self.nodes[name] = broker(*made, folder, asked, routes, place, settings, bind, own, said)
            if library is not None:
                self.nodes[name].environment = power.environment(library, folder / "store", folder / "forced")
            if isinstance(self.network, RelayNetwork):
                # the HA service listens on every address, so its front has another port
                self.network.add(name, announced[place + 1], (bind, place + 1))
                # where a slave asks for topics, groups and offsets (MixAll.brokerVIPChannel)
                self.network.add(name, place - 2, (bind, place - 2))

    def _plan_controllers(self, peers: Sequence[str], ports: Ports) -> None:
        """Processes of their own, at these addresses."""
        names = [f"c{number + 1}" for number in range(self.controllers)]
        raft = [f"{self.host_of(name)}:{ports.take()}" for name in names if self.jraft]
        for number, name in enumerate(names):
            bind = self._front(name, 31 + number, self.controller_ports[number])
            folder, own = self.folder / name, self.own_controller
            kind = as_jraft(folder, peers, raft, number) if self.jraft else {}
            given = {**kind, **self.controller_settings}
            self.nodes[name] = controller(self.release, self.java, folder, peers, number, given, bind, own)

    def _front(self, name: str, host: int, port: int, rewritten: Callable[[bytes], bytes] | None = None) -> str:
        """The address that the node listens at."""
        if not isinstance(self.network, RelayNetwork):
            return self.host_of(name)
        bind = f"127.0.0.{host}"
        self.network.add(name, port, (bind, port), rewritten)
        return bind

    def place(self) -> None:
        """Each node on its host."""
        if isinstance(self.network, HostNetwork):
            for name, node in self.nodes.items():
                node.prefix = self.network.prefix(name)

    def _trace(self) -> None:
        if not self.traced:
            return
        agent.check_release(self.release.version)
        jar = agent.build(self.java)
        self.traces.mkdir()
        for name, node in self.nodes.items():
            node.options = agent.options(jar, name, self.release.version, self.traces / f"{name}.ndjson")

    @property
    def traces(self) -> Path:
        """Where the steps of traced nodes are, a file for each."""
        return self.folder.absolute() / "traces"

    def host_of(self, name: str) -> str:
        """The address at which others find the node."""
        return self.network.address(name) if isinstance(self.network, HostNetwork) else HOST

    def address_of(self, name: str) -> str:
        """With its port."""
        return f"{self.host_of(name)}:{self.nodes[name].settings['listenPort']}"

    def _process_ids(self) -> dict[str, int]:
        found = {name: node.pid for name, node in self.nodes.items()}
        return {**self.others, **{name: pid for name, pid in found.items() if pid is not None}}

    @property
    def broker_names(self) -> list[str]:
        return [name for name in self.nodes if name.startswith("b")]

    @property
    def name_server_address(self) -> str:
        return self.address_of("n1")

    def lose_power(self, name: str) -> tuple[int, int]:
        """kill -9 of a broker, of whose log only what it had forced to its disk is left: its messages before and
        after."""
        node = self.nodes[name]
        node.kill()
        before = len(self.messages(name))
        power.lose_power(node.folder / "store", node.folder / "forced")
        return before, len(self.messages(name))

    # --- what it is asked ------------------------------------------------------------------------------------------

    def master(self) -> str | None:
        """The node that the controller names."""

        async def asked(client: Client) -> str | None:
            return await client.master()

        address = self._with_client(asked)
        for name, node in self.nodes.items():
            if address is not None and address.endswith(f":{node.settings['listenPort']}"):
                return name
        return None

    def put(self, body: str, seconds: float = 10.0) -> PutResult:
        async def putting(client: Client) -> PutResult:
            return await client.put(body.encode(), body, seconds)

        return self._with_client(putting)

    def _with_client(self, use: Callable[[Client], Awaitable[T]]) -> T:
        async def work() -> T:
            client = Client(self._controller_addresses())
            try:
                return await use(client)
            finally:
                await client.close()

        return asyncio.run(work())

    def sync_state_set(self) -> set[int] | None:
        """What the controllers' leader says; None where none does."""

        async def work() -> set[int] | None:
            client = ControllerClient(self._controller_addresses(), Gate())
            try:
                for _ in self.controller_ports:
                    answered = await client.ask(GetSyncStateDataRequest((BROKER_NAME,)), "")
                    if answered is not None and isinstance(answered[0], GetSyncStateDataResponse):
                        found = answered[0].broker_sets
                        return {replica.broker_id for each in found for replica in each.in_sync_replicas}
                return None
            finally:
                await client.close()

        return asyncio.run(work())

    def members(self) -> set[str] | None:
        """The nodes that the controllers' leader has in the SyncStateSet; None where none answers. Also of
        releases that know brokers by their addresses."""
        body = self._asked(RequestCode.CONTROLLER_GET_SYNC_STATE_DATA, {}, json.dumps([BROKER_NAME]).encode())
        table = json.loads(body).get("replicasInfoTable", {}) if body else None
        if table is None:
            return None
        listed = table.get(BROKER_NAME, {}).get("inSyncReplicas", [])
        ports = {str(each.get("brokerAddress") or each["address"]).rpartition(":")[2] for each in listed}
        return {name for name in self.broker_names if self.nodes[name].settings["listenPort"] in ports}

    def _asked(self, code: int, fields: Mapping[str, str], body: bytes) -> bytes:
        """What the first controller that says success answers; nothing where none does."""

        async def work() -> bytes:
            for address in self._controller_addresses():
                peer = Peer(address.address)
                try:
                    answer = await peer.call(code, fields, body)
                    if answer.code == ResponseCode.SUCCESS:
                        return answer.body
                except Unreachable:
                    continue
                finally:
                    await peer.close()
            return b""

        return asyncio.run(work())

    def _controller_addresses(self) -> list[NodeAddress]:
        found = []
        for number, port in enumerate(self.controller_ports, 1):
            host = self.host_of(f"c{number}" if self.controllers else "n1")
            found.append(NodeAddress(f"c{number}", port, host=host))
        return found

    def until(self, condition: Callable[[], bool], what: str, seconds: float = _READY_SECONDS) -> float:
        """The seconds that it took. Raise `RocketmqError`."""
        started = monotonic()
        while not condition():
            if monotonic() - started > seconds:
                raise RocketmqError(f"{what} did not come within {seconds:.0f} s.", f"The logs are in {self.folder}.")
            ended = [name for name, node in self.nodes.items() if node.pid is not None and not node.running]
            if len(ended) == len(self.nodes):
                raise RocketmqError("All processes have ended.", f"Their output is in {self.folder}/*/output.txt.")
            sleep(0.2)
        return monotonic() - started

    # --- what is on its disks ----------------------------------------------------------------------------------------

    def id_of(self, name: str) -> int:
        """The brokerId that the controller gave."""
        text = (self.nodes[name].folder / "store" / "brokerIdentity").read_text(encoding="utf-8")
        return int(text.strip().rsplit("#", 1)[-1])

    def messages(self, name: str) -> list[Message]:
        """Of a broker's commit log, as far as it goes."""
        return [message for _, message in self.placed_messages(name)]

    def placed_messages(self, name: str) -> list[tuple[int, Message]]:
        """With the offsets at which they begin."""
        found: list[tuple[int, Message]] = []
        for file in sorted((self.nodes[name].folder / "store" / "commitlog").glob("[0-9]*")):
            found += placed_records(file.read_bytes(), int(file.name), has_crc_property(self.release.version))
        return found

    def epoch_file(self, name: str) -> str:
        return (self.nodes[name].folder / "store" / "epochFileCheckpoint").read_text(encoding="utf-8")

    def collect_logs(self, folder: Path) -> list[Path]:
        """Copies under names that say whose they are: `controller.log`, `broker-1/store.log`; beside a broker's its
        epoch file and settings."""
        found = []
        for name, node in self.nodes.items():
            files = [(node.logs / each, self._log_name(name, each)) for each in self._log_files(name)]
            for earlier, logs in node.logs_aside().items():
                files += [(logs / each, f"broker-{earlier}/{each}") for each in _LOGS]
            if name.startswith("b"):
                store = node.folder / "store"
                files.append((store / "epochFileCheckpoint", self._log_name(name, "epochFileCheckpoint")))
                files.append((node.folder / "rocketmq.conf", self._log_name(name, "broker.conf")))
            for source, target in files:
                if source.is_file():
                    (folder / target).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(source, folder / target)
                    found += [folder / target] if target.endswith(".log") else []
        return found

    def _log_files(self, name: str) -> tuple[str, ...]:
        return _LOGS if name.startswith("b") else (_CONTROLLERS,)

    def _log_name(self, name: str, file: str) -> str:
        if name.startswith("b"):
            try:
                return f"broker-{self.id_of(name)}/{file}"
            except (OSError, ValueError):  # before 5.1.1 a broker does not write it down
                return f"broker-{name[1:]}/{file}"
        if name == "n1":
            return "namesrv.log" if self.controllers else "controller.log"
        return "controller.log" if self.controllers == 1 else f"controller-{name}.log"


def has_crc_property(version: str) -> bool:
    """enabledAppendPropCRC: since 5.2.0."""
    return tuple(int(part) for part in version.split(".")[:2]) >= (5, 2)


def records(data: bytes, start: int, crc_property: bool = True) -> list[Message]:
    return [message for _, message in placed_records(data, start, crc_property)]


def placed_records(data: bytes, start: int, crc_property: bool = True) -> Iterator[tuple[int, Message]]:
    """The messages of a file that begins at an offset of the log, with theirs."""
    at = 0
    while at + 8 <= len(data) and (magic := int.from_bytes(data[at + 4 : at + 8], "big")) in (MAGIC, BLANK_MAGIC):
        if magic == BLANK_MAGIC:  # the rest of the file
            break
        size = int.from_bytes(data[at : at + 4], "big")
        yield start + at, decode_message(data[at : at + size], start + at, crc_property)
        at += size
