"""A cluster on one machine: its nodes, their addresses, their settings; the file `cluster.json` that holds them."""

from __future__ import annotations

import json
import os
import secrets
import socket
import stat
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from rmqproof.impl.runtime.errors import ClusterError

HOST = "127.0.0.1"
FILE = "cluster.json"
SECRET = "secret"
CLUSTER_NAME = "DefaultCluster"
BROKER_NAME = "broker-a"


@dataclass(frozen=True)
class Settings:
    """Of all nodes. Times in seconds. The names in comments are RocketMQ's."""

    all_ack: bool = True
    """allAckInSyncStateSet"""
    in_sync_replicas: int = 1
    min_in_sync_replicas: int = 1
    unclean_election: bool = False
    """enableElectUncleanMaster"""
    sync_flush: bool = False
    """flushDiskType=SYNC_FLUSH"""
    slave_timeout: float = 3.0
    poll_period: float = 0.5
    """syncBrokerMetadataPeriod"""
    heartbeat_period: float = 0.3
    """brokerHeartbeatInterval"""
    heartbeat_timeout: float = 3.0
    """controllerHeartBeatTimeoutMills"""
    scan_period: float = 0.5
    """scanNotActiveBrokerInterval, scanInactiveMasterInterval"""
    not_caught_up: float = 3.0
    """haMaxTimeSlaveNotCatchup"""
    ha_heartbeat: float = 0.3
    """haSendHeartbeatInterval"""
    ha_silence: float = 3.0
    """haHousekeepingInterval"""
    flush_period: float = 0.005
    """How long appended bytes wait for others before they are flushed."""
    segment_size: int = 16 * 1024 * 1024
    trace: bool = False
    rocketmq_wire: bool = False
    """Slaves speak to masters as RocketMQ's do."""
    rules: dict[str, str] = field(default_factory=dict)
    """Rules of spec/core/Rules.tla that are replaced, as `{"DurableEnd": "DurableEndAsShipped"}`."""


@dataclass(frozen=True)
class NodeAddress:
    """One process. A broker's HA port is its port + 1 (RocketMQ's convention); `raft_port` is a controller's."""

    name: str
    port: int
    raft_port: int = 0
    lost: bool = False
    """Its disk was lost; the node is never started again."""
    host: str = HOST

    @property
    def address(self) -> str:
        return f"{self.host}:{self.port}"

    @property
    def raft_address(self) -> str:
        return f"{self.host}:{self.raft_port}"

    @property
    def is_broker(self) -> bool:
        return not self.raft_port

    def addresses(self) -> list[str]:
        """Everything that a partition has to block."""
        other = self.port + 1 if self.is_broker else self.raft_port
        return [self.address, f"{HOST}:{other}"]


def ha_address(broker_address: str) -> str:
    host, port = broker_address.rsplit(":", 1)
    return f"{host}:{int(port) + 1}"


@dataclass(frozen=True)
class Layout:
    """The cluster of one directory."""

    folder: Path
    controllers: tuple[NodeAddress, ...]
    brokers: tuple[NodeAddress, ...]
    settings: Settings

    @property
    def nodes(self) -> tuple[NodeAddress, ...]:
        return (*self.controllers, *self.brokers)

    def node(self, name: str) -> NodeAddress:
        for node in self.nodes:
            if node.name == name:
                return node
        names = ", ".join(node.name for node in self.nodes)
        raise ClusterError(f"There is no node {name}.", f"Name one of {names}.")

    def store(self, name: str) -> Path:
        return self.folder / "store" / name

    def patience(self, name: str) -> float:
        """Seconds for which a node waits for its address. One that ran before is known to others by it; a new one is
        given another address instead."""
        return 30.0 if self.store(name).exists() else 0.0

    def log_file(self, name: str) -> Path:
        return self.folder / "logs" / f"{name}.log"

    def pid_file(self, name: str) -> Path:
        return self.folder / "run" / f"{name}.pid"

    @property
    def partition_file(self) -> Path:
        """Which addresses each node is told to keep from, by its name."""
        return self.folder / "partition.json"

    @property
    def trace_folder(self) -> Path:
        return self.folder / "traces"

    def make_folder(self) -> None:
        """The folder, and in it the secret by which the controllers know each other: for the user alone."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self.folder / SECRET
        if not path.exists():
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w") as file:
                file.write(secrets.token_hex(32) + "\n")

    def secret(self) -> str:
        """The secret; ClusterError if there is none, or if others could have read it or put it there."""
        path = self.folder / SECRET
        try:
            folder, found = self.folder.stat(), path.lstat()
            text = path.read_text().strip()
        except OSError as problem:
            raise ClusterError(
                f"The secret of the cluster cannot be read: {problem}", "Stop the cluster and start it again: down, up."
            ) from None
        open_to_others = folder.st_mode & 0o022 or found.st_mode & 0o077
        if open_to_others or not stat.S_ISREG(found.st_mode) or {folder.st_uid, found.st_uid} != {os.getuid()}:
            raise ClusterError(
                f"Others than you can read {path}, or write to its folder.",
                f"If nobody can have read it: chmod go= {path}; chmod go-w {self.folder}. Otherwise stop the cluster, "
                "remove the secret, and start the cluster again.",
            )
        if len(text) < 32:
            raise ClusterError(
                f"{path} holds no secret.", "Stop the cluster, remove the file, start the cluster again."
            )
        return text

    def save(self) -> None:
        content = {
            "controllers": [asdict(node) for node in self.controllers],
            "brokers": [asdict(node) for node in self.brokers],
            "settings": asdict(self.settings),
        }
        path = self.folder / FILE
        temporary = path.with_suffix(".tmp")
        temporary.write_text(json.dumps(content, indent=2) + "\n")
        temporary.replace(path)

    def with_broker(self) -> tuple[Layout, NodeAddress]:
        """The same cluster with one more broker."""
        (ports,) = _free_pairs(1)
        broker = NodeAddress(f"b{len(self.brokers) + 1}", ports)
        return replace(self, brokers=(*self.brokers, broker)), broker

    def with_other_ports(self) -> Layout:
        """The same cluster, before it ever ran, at other addresses."""
        return new_layout(self.folder, len(self.controllers), len(self.brokers), self.settings)

    def with_lost(self, name: str) -> Layout:
        brokers = tuple(replace(node, lost=True) if node.name == name else node for node in self.brokers)
        return replace(self, brokers=brokers)


def new_layout(folder: Path, controllers: int, brokers: int, settings: Settings) -> Layout:
    """Choose free ports."""
    pairs = _free_pairs(controllers + brokers)
    return Layout(
        folder,
        tuple(NodeAddress(f"c{i + 1}", port, port + 1) for i, port in enumerate(pairs[:controllers])),
        tuple(NodeAddress(f"b{i + 1}", port) for i, port in enumerate(pairs[controllers:])),
        settings,
    )


def load_layout(folder: Path) -> Layout:
    """The cluster of a directory; ClusterError if there is none or its file is damaged."""
    path = folder / FILE
    if not path.is_file():
        raise ClusterError(f"{folder} holds no cluster.", "Start one with: rmqproof cluster up --dir DIRECTORY")
    try:
        content = json.loads(path.read_text())
        return Layout(
            folder,
            tuple(NodeAddress(**node) for node in content["controllers"]),
            tuple(NodeAddress(**node) for node in content["brokers"]),
            Settings(**content["settings"]),
        )
    except (ValueError, KeyError, TypeError) as problem:
        raise ClusterError(
            f"{path} cannot be read: {problem}",
            "Remove the directory and start the cluster anew; kill processes that are left by hand.",
        ) from None


_FIRST_PORT = 10_000
_EPHEMERAL = Path("/proc/sys/net/ipv4/ip_local_port_range")


def _candidates() -> Iterator[int]:
    """Ports to look at, first those that no connection of another program is given by chance."""
    try:
        below = int(_EPHEMERAL.read_text().split()[0])
    except (OSError, ValueError, IndexError):
        below = 32_768
    if below > _FIRST_PORT + 1_000:
        for _ in range(200):
            yield secrets.randbelow(below - 1 - _FIRST_PORT) + _FIRST_PORT
    while True:
        yield 0


def _free_pairs(count: int) -> list[int]:
    """Ports p such that p and p + 1 are free now."""
    found: list[int] = []
    held: list[socket.socket] = []
    candidates = _candidates()
    try:
        while len(found) < count:
            first = _bound(next(candidates))
            if first is None:
                continue
            held.append(first)
            port = first.getsockname()[1]
            second = _bound(port + 1) if port < 65535 else None
            if second is not None:
                held.append(second)
                found.append(port)
    finally:
        _close(held)
    return found


def _bound(port: int) -> socket.socket | None:
    one = socket.socket()
    try:
        one.bind((HOST, port))
    except OSError:
        one.close()
        return None
    return one


def _close(sockets: Iterable[socket.socket]) -> None:
    for one in sockets:
        one.close()
