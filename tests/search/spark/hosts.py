"""Hosts on this machine: network namespaces on a bridge that nothing else is connected to. For root, on Linux."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from tests.observing import wait_until


@dataclass(frozen=True, slots=True)
class Host:
    """A namespace with one address; `cable` is its end of the bridge, in the namespace of the bridge."""

    name: str
    address: str
    bridge: str
    cable: str

    @property
    def prefix(self) -> list[str]:
        """What a command begins with that is to run here."""
        return ["ip", "netns", "exec", self.name]

    def cut_off(self) -> None:
        _ip("-n", self.bridge, "link", "set", self.cable, "down")

    def reconnect(self) -> None:
        _ip("-n", self.bridge, "link", "set", self.cable, "up")

    def slow_down(self, rate: str) -> None:
        """Whatever it sends and receives, as `20mbit`."""
        limit = ["root", "tbf", "rate", rate, "burst", "64kbit", "latency", "400ms"]
        _run("ip", "netns", "exec", self.name, "tc", "qdisc", "add", "dev", "eth0", *limit)
        _run("ip", "netns", "exec", self.bridge, "tc", "qdisc", "add", "dev", self.cable, *limit)

    def processes(self) -> list[int]:
        found = subprocess.run(["ip", "netns", "pids", self.name], capture_output=True, text=True, check=True)
        return [int(line) for line in found.stdout.split()]

    def kill(self) -> None:
        """Everything that runs there, at once."""
        for process in self.processes():
            with suppress(ProcessLookupError):
                os.kill(process, 9)


def are_possible() -> bool:
    """Whether this process may make namespaces."""
    if os.name != "posix" or os.geteuid() != 0 or not all(map(shutil.which, ("ip", "tc"))):
        return False
    name = f"rmqproof-{os.getpid()}-try"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True).returncode == 0
    if made:
        _ip("netns", "del", name)
    return made


@contextmanager
def network(names: Sequence[str]) -> Iterator[dict[str, Host]]:
    """Hosts with these names, at 10.77.0.1 and the addresses that follow."""
    prefix = f"rmqproof-{os.getpid()}"
    bridge = f"{prefix}-bridge"
    hosts: dict[str, Host] = {}
    try:
        _ip("netns", "add", bridge)
        _ip("-n", bridge, "link", "add", "bridge", "type", "bridge")
        _ip("-n", bridge, "link", "set", "bridge", "up")
        for number, name in enumerate(names, 1):
            host = Host(f"{prefix}-{name}", f"10.77.0.{number}", bridge, f"cable{number}")
            _ip("netns", "add", host.name)
            hosts[name] = host
            _ip("link", "add", host.cable, "netns", bridge, "type", "veth", "peer", "name", "eth0", "netns", host.name)
            _ip("-n", bridge, "link", "set", host.cable, "master", "bridge", "up")
            _ip("-n", host.name, "address", "add", f"{host.address}/24", "dev", "eth0")
            for device in ("lo", "eth0"):
                _ip("-n", host.name, "link", "set", device, "up")
        yield hosts
    finally:
        for host in hosts.values():
            host.kill()
            wait_until(lambda host=host: not host.processes())
        for name in [*(host.name for host in hosts.values()), bridge]:
            subprocess.run(["ip", "netns", "del", name], capture_output=True)


def _ip(*arguments: str) -> None:
    _run("ip", *arguments)


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
