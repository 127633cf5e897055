"""A cluster of real processes: a name server with its controller, and the brokers of one set. Our client puts messages,
the logs are what `rmqproof.rocketmq.logs` reads, and the commit logs are read from the disks."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import TypeVar

from rmqproof.impl.runtime.client import Client, PutResult
from rmqproof.impl.runtime.layout import NodeAddress
from rmqproof.impl.storage.message import MAGIC, Message, decode_message
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.java import Java
from rmqproof.rocketmq.processes.java_process import HOST, JavaProcess, free_port
from rmqproof.rocketmq.processes.nodes import broker, name_server
from rmqproof.rocketmq.releases import Release

_READY_SECONDS = 120
_LOGS = ("broker.log", "store.log")
_CONTROLLERS = "broker_default.log"
"""Where a name server logs what its controller does when it has no logging configuration of its own."""
T = TypeVar("T")


@dataclass(slots=True)
class RealCluster:
    """`folder` is the cluster's, new or empty. Use as a context: its processes end with it."""

    release: Release
    java: Java
    folder: Path
    brokers: int = 2
    settings: Mapping[str, str] = field(default_factory=dict)
    nodes: dict[str, JavaProcess] = field(default_factory=dict)
    controller_port: int = 0

    def __enter__(self) -> RealCluster:
        self.folder.mkdir(parents=True, exist_ok=True)
        if any(self.folder.iterdir()):
            raise RocketmqError(f"{self.folder} is not empty.", "Name a new folder.")
        port, self.controller_port = free_port(), free_port()
        self.nodes["n1"] = name_server(self.release, self.java, self.folder / "n1", port, self.controller_port)
        for number in range(1, self.brokers + 1):
            addresses = f"{HOST}:{self.controller_port}", f"{HOST}:{port}", free_port(following=True)
            self.nodes[f"b{number}"] = broker(
                self.release, self.java, self.folder / f"b{number}", *addresses, self.settings
            )
        for node in self.nodes.values():
            node.start()
        return self

    def __exit__(self, *_: object) -> None:
        for node in self.nodes.values():
            node.kill()

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
            client = Client([NodeAddress("n1", self.controller_port)])
            try:
                return await use(client)
            finally:
                await client.close()

        return asyncio.run(work())

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
        found: list[Message] = []
        for file in sorted((self.nodes[name].folder / "store" / "commitlog").glob("[0-9]*")):
            found += records(file.read_bytes(), int(file.name))
        return found

    def epoch_file(self, name: str) -> str:
        return (self.nodes[name].folder / "store" / "epochFileCheckpoint").read_text(encoding="utf-8")

    def collect_logs(self, folder: Path) -> list[Path]:
        """Copies under names that say whose they are: `controller.log`, `broker-1/store.log`."""
        found = []
        for name, node in self.nodes.items():
            for each in (_CONTROLLERS,) if name == "n1" else _LOGS:
                source = node.logs / each
                target = folder / ("controller.log" if name == "n1" else f"broker-{self.id_of(name)}/{each}")
                target.parent.mkdir(parents=True, exist_ok=True)
                if source.is_file():
                    shutil.copyfile(source, target)
                    found.append(target)
        return found


def records(data: bytes, start: int) -> list[Message]:
    found, at = [], 0
    while at + 8 <= len(data) and int.from_bytes(data[at + 4 : at + 8], "big") == MAGIC:
        size = int.from_bytes(data[at : at + 4], "big")
        found.append(decode_message(data[at : at + size], start + at))
        at += size
    return found
