"""Starts, watches, disturbs and ends the processes of a cluster."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rmqproof.impl.runtime.codes import IN_USE, OperatorCode
from rmqproof.impl.runtime.errors import AddressInUse, ClusterError
from rmqproof.impl.runtime.events import Trace
from rmqproof.impl.runtime.layout import Layout, NodeAddress
from rmqproof.impl.runtime.observation import name as broker_name
from rmqproof.impl.runtime.pending_step import PendingSteps
from rmqproof.impl.runtime.remoting import Peer, Unreachable
from rmqproof.impl.storage.files import RealFiles
from rmqproof.impl.storage.identity import IdentityFiles

MODULE = "rmqproof.impl.runtime.node"
START_DEADLINE = 60.0
STOP_DEADLINE = 10.0
ATTEMPTS = 5
"""To find addresses that nobody takes before a new node does."""
POLL = 0.05

Status = Mapping[str, Any]
Tell = Callable[[str], None]


@dataclass(frozen=True)
class NodeState:
    """`status` is what the node says about itself, None if it does not answer."""

    node: NodeAddress
    running: bool
    paused: bool
    status: Status | None


class Cluster:
    """The processes of one layout. With `owned`, nodes end when this process ends. `patience`: seconds for a node to
    start, and for what it is asked to do."""

    def __init__(
        self,
        layout: Layout,
        owned: bool = False,
        tell: Tell = lambda _: None,
        patience: float = START_DEADLINE,
    ) -> None:
        self._patience = patience
        self.layout = layout
        self._owned = owned
        self._tell = tell
        self._children: dict[str, subprocess.Popen[bytes]] = {}

    # --- start and end -----------------------------------------------------------------------------------------------

    async def up(self) -> None:
        """Start every node and return when a master serves. On failure, nothing is left running.

        A new cluster whose addresses are taken meanwhile begins again at others.
        """
        for left in reversed(range(ATTEMPTS)):
            new = not any(self.layout.store(node.name).exists() for node in self.layout.nodes)
            try:
                await self._up()
                return
            except AddressInUse:
                if not new or not left:
                    raise
                shutil.rmtree(self.layout.folder / "store", ignore_errors=True)
                shutil.rmtree(self.layout.trace_folder, ignore_errors=True)
                self.layout = self.layout.with_other_ports()
                self._tell("An address is in use; the cluster begins at others.")

    async def _up(self) -> None:
        layout = self.layout
        layout.make_folder()
        layout.save()
        self._children = {name: child for name, child in self._children.items() if child.poll() is None}
        try:
            for node in layout.controllers:
                self.start(node.name)
            await asyncio.gather(*(self.answering(node.name) for node in layout.controllers))
            await self._until("the controllers have no leader", self._a_controller_leads)
            for node in layout.brokers:
                self.start(node.name)
                # One after the other, so that b1 gets the brokerId 1.
                await self.answering(node.name, "id")
            await self._until("no broker became master", self._a_master_serves)
        except BaseException:
            await self.down()
            raise

    def start(self, name: str) -> None:
        """Start a process that is not running; `answering` says when it is there."""
        node = self.layout.node(name)
        if node.lost:
            raise ClusterError(f"{name} has lost its disk and does not come back.", "Use one of the other brokers.")
        if self.running(name):
            raise ClusterError(f"{name} is running already.", "Kill it first, or see: rmqproof cluster status")
        log, pid = self.layout.log_file(name), self.layout.pid_file(name)
        for path in (log, pid):
            path.parent.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", MODULE, str(self.layout.folder), name]
        if self._owned:
            command.append(str(os.getpid()))
        with open(log, "ab") as output:
            child = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
            )
        self._children[name] = child
        pid.write_text(f"{child.pid}\n")
        self._tell(f"{name} starts at {node.address}")

    async def answering(self, name: str, field: str = "name") -> Status:
        """The status of a node once it has this field; ClusterError with the end of its log if it ends before."""
        deadline = time.monotonic() + self._patience
        while time.monotonic() < deadline:
            status = await self.status_of(name, 1.0)
            if status is not None and field in status:
                return status
            if not self.running(name):
                break
            await asyncio.sleep(POLL)
        if self.running(name):
            raise ClusterError(
                f"{name} did not answer in time. The end of its log:\n{self._end_of_log(name)}",
                f"All of it is in {self.layout.log_file(name)}.",
            )
        raise self._ended(name)

    def _ended(self, name: str) -> ClusterError:
        child = self._children.get(name)
        kind = AddressInUse if child is not None and child.poll() == IN_USE else ClusterError
        return kind(
            f"{name} ended. The end of its log:\n{self._end_of_log(name)}",
            f"All of it is in {self.layout.log_file(name)}.",
        )

    async def down(self) -> None:
        """Stop every node, politely, then not; no process is left."""
        names = [node.name for node in self.layout.nodes if self.running(node.name)]
        for name in names:
            if self._paused(name):
                self._signal(name, signal.SIGCONT)
            self._signal(name, signal.SIGTERM)
        deadline = time.monotonic() + STOP_DEADLINE
        while any(map(self.running, names)) and time.monotonic() < deadline:
            await asyncio.sleep(POLL)
        for name in names:
            if self.running(name):
                self._tell(f"{name} does not stop, it is killed")
                await self._end(name)
        for node in self.layout.nodes:
            self.layout.pid_file(node.name).unlink(missing_ok=True)

    # --- faults ------------------------------------------------------------------------------------------------------

    async def kill(self, name: str, kept: float | None = None) -> None:
        """End a process at once. `kept`: like a machine without power, with this part of what a broker had not flushed
        yet (0: nothing of it)."""
        self._must_run(name)
        if kept is not None:
            await self._lose_tail(name, kept)
            return
        await self._end(name)
        self._write_end(name)

    async def restart(self, name: str) -> None:
        self.start(name)
        await self.answering(name)

    def pause(self, name: str) -> None:
        self._must_run(name)
        self._signal(name, signal.SIGSTOP)

    async def resume(self, name: str) -> None:
        """Go on; a partition that came or went meanwhile is told now."""
        self._must_run(name)
        self._signal(name, signal.SIGCONT)
        await self._block(name, self._partition().get(name, []))

    async def lose_disk(self, name: str) -> str:
        """End a broker and remove its store; a new broker with an empty disk takes its place. The new one's name."""
        node = self.layout.node(name)
        if not node.is_broker:
            raise ClusterError(f"{name} is a controller; its disk cannot be lost.", "Name a broker.")
        if self.running(name):
            await self._end(name)
        identity = self.broker_id(name)
        shutil.rmtree(self.layout.store(name), ignore_errors=True)
        if identity is not None:
            self._append_event(identity, "DiskIsLost")
        lost = self.layout.with_lost(name)
        for left in reversed(range(ATTEMPTS)):
            self.layout, new = lost.with_broker()
            self.layout.save()
            self.start(new.name)
            try:
                await self.answering(new.name)
                break
            except AddressInUse:
                if not left:
                    raise
        return new.name

    async def partition(self, one_side: Iterable[str], other_side: Iterable[str] | None = None) -> None:
        """Cut the connections between two groups of nodes; without a second one, from all others. Replaces an earlier
        partition."""
        left = {self.layout.node(name).name for name in one_side}
        everybody = {node.name for node in self.layout.nodes}
        right = everybody - left if other_side is None else {self.layout.node(name).name for name in other_side}
        if not left or not right or left & right:
            raise ClusterError("A partition has two groups, and no node is in both.", "Name other nodes.")
        blocked = {name: self._addresses(right) for name in left} | {name: self._addresses(left) for name in right}
        await self._set_partition(blocked)

    async def heal(self) -> None:
        """End the partition."""
        await self._set_partition({})

    # --- looking -----------------------------------------------------------------------------------------------------

    def running(self, name: str) -> bool:
        child = self._children.get(name)
        if child is not None:
            return child.poll() is None
        pid = self._pid(name)
        return pid is not None and _is_node(pid, self.layout.folder, name)

    async def status(self) -> list[NodeState]:
        async def one(node: NodeAddress) -> NodeState:
            running = self.running(node.name)
            paused = running and self._paused(node.name)
            status = await self.status_of(node.name, 1.0) if running and not paused else None
            return NodeState(node, running, paused, status)

        return list(await asyncio.gather(*map(one, self.layout.nodes)))

    async def status_of(self, name: str, timeout: float = 3.0) -> Status | None:
        peer = Peer(self.layout.node(name).address)
        try:
            answer = await peer.call(OperatorCode.STATUS, {}, timeout=timeout)
            status: Status = json.loads(answer.body)
            return status if status.get("name") == name else None
        except (Unreachable, ValueError):
            return None
        finally:
            await peer.close()

    def broker_id(self, name: str) -> int | None:
        """The brokerId on a broker's disk; None before it has one."""
        identity = IdentityFiles(RealFiles(), self.layout.store(name)).load()
        return None if identity is None else identity.broker_id

    @staticmethod
    async def until(condition: Callable[[], Awaitable[bool]]) -> None:
        """Ask again and again until it is so."""
        while not await condition():
            await asyncio.sleep(POLL)

    # --- inside ------------------------------------------------------------------------------------------------------

    async def _until(self, what: str, condition: Callable[[], Awaitable[bool]]) -> None:
        deadline = time.monotonic() + self._patience
        while not await condition():
            for node in self.layout.nodes:
                if node.name in self._children and not self.running(node.name):
                    raise self._ended(node.name)
            if time.monotonic() > deadline:
                raise ClusterError(
                    f"After {self._patience:.0f} s {what}.", f"Look at the logs in {self.layout.folder / 'logs'}."
                )
            await asyncio.sleep(POLL)

    async def _a_controller_leads(self) -> bool:
        found = await asyncio.gather(*(self.status_of(node.name) for node in self.layout.controllers))
        return any(status is not None and status["leader"] for status in found)

    async def _a_master_serves(self) -> bool:
        found = await asyncio.gather(*(self.status_of(node.name) for node in self.layout.brokers))
        return any(status is not None and status.get("broker", {}).get("role") == "Master" for status in found)

    async def _end(self, name: str) -> None:
        self._signal(name, signal.SIGKILL)
        while self.running(name):
            await asyncio.sleep(0.01)

    async def _lose_tail(self, name: str, kept: float) -> None:
        node = self.layout.node(name)
        if not node.is_broker:
            raise ClusterError(
                f"{name} is a controller; only brokers have bytes that are not flushed.", "Name a broker."
            )
        if self._paused(name):
            self._signal(name, signal.SIGCONT)
        peer = Peer(node.address)
        await peer.tell(OperatorCode.LOSE_TAIL, {"kept": str(kept)}, timeout=5.0)
        deadline = time.monotonic() + self._patience
        while self.running(name):
            if time.monotonic() > deadline:
                raise ClusterError(f"{name} did not end.", f"Look at {self.layout.log_file(name)}.")
            await asyncio.sleep(0.01)
        await peer.close()

    async def _set_partition(self, blocked: Mapping[str, list[str]]) -> None:
        temporary = self.layout.partition_file.with_suffix(".tmp")
        temporary.write_text(json.dumps(blocked))
        temporary.replace(self.layout.partition_file)
        names = [n.name for n in self.layout.nodes if self.running(n.name) and not self._paused(n.name)]
        await asyncio.gather(*(self._block(name, blocked.get(name, [])) for name in names))

    def _partition(self) -> dict[str, list[str]]:
        path = self.layout.partition_file
        blocked: dict[str, list[str]] = json.loads(path.read_text()) if path.is_file() else {}
        return blocked

    async def _block(self, name: str, addresses: list[str]) -> None:
        peer = Peer(self.layout.node(name).address)
        try:
            await peer.call(OperatorCode.BLOCK, {}, json.dumps(addresses).encode(), timeout=5.0)
        except Unreachable:
            if self.running(name):
                raise ClusterError(f"{name} does not answer.", "Kill it, or try again.") from None
        finally:
            await peer.close()

    def _addresses(self, names: Iterable[str]) -> list[str]:
        return [address for name in sorted(names) for address in self.layout.node(name).addresses()]

    def _must_run(self, name: str) -> None:
        self.layout.node(name)
        if not self.running(name):
            raise ClusterError(f"{name} is not running.", f"Start it with: rmqproof cluster start {name}")

    def _signal(self, name: str, number: int) -> None:
        pid = self._pid(name)
        if pid is not None and self.running(name):
            os.kill(pid, number)

    def _pid(self, name: str) -> int | None:
        try:
            return int(self.layout.pid_file(name).read_text())
        except (OSError, ValueError):
            return None

    def _paused(self, name: str) -> bool:
        pid = self._pid(name)
        return pid is not None and _state_of(pid) == "T"

    def _write_end(self, name: str) -> None:
        """What a killed broker cannot write itself."""
        broker_id = self.broker_id(name) if self.layout.node(name).is_broker else None
        if broker_id is not None:
            self._append_event(broker_id, "ProcessCrashes")

    def _append_event(self, broker_id: int, action: str) -> None:
        if not self.layout.settings.trace:
            return
        who = broker_name(broker_id)
        path = self.layout.trace_folder / f"{who}.ndjson"
        trace = Trace(who, path)
        # A step without a line stands before its end: the next life, which can read the disk, writes both.
        settled = action == "DiskIsLost" or PendingSteps(path).unwritten(trace) is None
        if trace.sequence and settled:
            trace.life -= 1
            trace.write(action, (who,), detail={"written": "by the operator"})
        trace.close()

    def _end_of_log(self, name: str, lines: int = 12) -> str:
        try:
            return "\n".join(self.layout.log_file(name).read_text(errors="replace").splitlines()[-lines:])
        except OSError:
            return "(there is none)"


def _state_of(pid: int) -> str | None:
    """The letter of the process's state in /proc; None without the process."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    return stat.rpartition(")")[2].split()[0]


def _is_node(pid: int, folder: Path, name: str) -> bool:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return False
    return MODULE in words and str(folder) in words and name in words
