"""Hosts of their own for the nodes of a real cluster: each is a network namespace with an address, and all are at one
bridge that leads nowhere else (Linux, iproute2 and the rights for it).

A direction between two hosts is cut by a neighbour entry with the hardware address of nobody: what is sent that way is
lost, as in a broken switch, connections are opened in vain, and TCP sends again what was lost once it is whole.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.processes.relay_network import Link

CLIENT = "client"
"""Who is on none of the hosts: producers, consumers, and this program."""
_NOBODY = "02:00:00:00:00:00"
_NAMES = "rmq{}"
_SUBNETS = range(256)
_ATTEMPTS = 3
_REMEDY = "It needs Linux, iproute2 (ip, ss) and the rights of root; without --hosts nodes are at ports of one address."


@dataclass(slots=True)
class HostNetwork:
    """`subnet`: N of 10.213.N.0/24; `addresses`: of each host, by the node's name; `owner`: written at the bridge."""

    subnet: int
    addresses: Mapping[str, str]
    owner: str

    @classmethod
    def of(cls, nodes: Sequence[str]) -> HostNetwork:
        """On a subnet that nobody has. Raise `RocketmqError`, and leave nothing."""
        owner = uuid.uuid4().hex
        for subnet in _SUBNETS:
            found = cls(subnet, {name: f"10.213.{subnet}.{number}" for number, name in enumerate(nodes, 1)}, owner)
            if found._is_mine():
                found._complete()
                return found
        raise RocketmqError("All subnets of 10.213.0.0/16 are taken.", "End clusters that are not used any more.")

    def begin(self) -> None:
        """Make anew what has been closed. Raise `RocketmqError` where the subnet is another's now."""
        if not self._is_mine():
            raise RocketmqError(
                f"10.213.{self.subnet}.0/24 is another cluster's now.", "End that one, or start a new cluster."
            )
        self._complete()

    def _is_mine(self) -> bool:
        """The bridge, which is made where there is none: only one program succeeds in that."""
        for _ in range(_ATTEMPTS):  # who had it can have gone between making and looking
            made = self._run("ip", "link", "add", self._bridge, "type", "bridge")
            if made.returncode == 0:
                self._told("ip", "link", "set", self._bridge, "alias", self.owner)
                return True
            owner = self._owner()
            if owner is not None:
                return owner == self.owner
        raise _failed(made)

    def _owner(self) -> str | None:
        """Who made the bridge that is there now, if one is."""
        links = json.loads(self._told("ip", "-json", "link"))
        return next((str(each.get("ifalias", "")) for each in links if each["ifname"] == self._bridge), None)

    def _complete(self) -> None:
        there = {each["name"] for each in json.loads(self._told("ip", "-json", "netns") or "[]")}
        try:
            if not self._told("ip", "-4", "address", "show", "dev", self._bridge):
                self._told("ip", "address", "add", f"10.213.{self.subnet}.254/24", "dev", self._bridge)
            self._told("ip", "link", "set", self._bridge, "up")
            for name, address in self.addresses.items():
                space = self._space(name)
                if space not in there:
                    self._told("ip", "netns", "add", space)
                    self._told("ip", "link", "add", space, "type", "veth", "peer", "name", "eth0", "netns", space)
                    self._told("ip", "link", "set", space, "master", self._bridge, "up")
                    self._told("ip", "-n", space, "address", "add", f"{address}/24", "dev", "eth0")
                    for device in ("lo", "eth0"):
                        self._told("ip", "-n", space, "link", "set", device, "up")
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Nothing of it is left; processes that are still on a host keep that one until they end.

        The bridge goes last, so that where it is another's, or gone, there is nothing left to close.
        """
        if self._owner() != self.owner:
            return
        for name in self.addresses:
            self._run("ip", "netns", "delete", self._space(name))
            self._run("ip", "link", "delete", self._space(name))
        self._run("ip", "link", "delete", self._bridge)

    def address(self, node: str) -> str:
        return self.addresses[node]

    def prefix(self, node: str) -> tuple[str, ...]:
        """What a command begins with that runs on the node's host."""
        return ("ip", "netns", "exec", self._space(node))

    # --- disturbing it -------------------------------------------------------------------------------------------

    def pace(self, links: Iterable[Link], held: bool = False, delay: float = 0.0, rate: float = 0.0) -> None:
        """From now on, for these directions: `held` they lose everything. Others than whole or held there are none."""
        assert not delay and not rate
        for source, target in links:
            entry = (self._address(target), "dev", self._device(source))
            if held:
                self._told(*self._ip(source), "neighbour", "replace", *entry, "lladdr", _NOBODY, "nud", "permanent")
            else:
                self._run(*self._ip(source), "neighbour", "delete", *entry)

    def heal(self) -> None:
        """Everything passes again."""
        for name in (*self.addresses, CLIENT):
            self._run(*self._ip(name), "neighbour", "flush", "dev", self._device(name), "nud", "permanent")

    def break_off(self, one: str, other: str) -> int:
        """End their connections, both ends; how many there were."""
        return self._killed(one, other)

    def leave_half_open(self, one: str, other: str) -> int:
        """End their connections at `other`; `one` hears nothing of it until it sends."""
        self.pace([(other, one)], held=True)
        try:
            return self._killed(other, one)
        finally:
            self.pace([(other, one)])

    def _killed(self, one: str, other: str) -> int:
        told = self._told(*self._run_on(one), "ss", "-HK", "state", "established", "dst", self._address(other))
        return len(told.splitlines())

    # --- names -----------------------------------------------------------------------------------------------------

    @property
    def _bridge(self) -> str:
        return _NAMES.format(self.subnet)

    def _space(self, node: str) -> str:
        """Of its namespace, and of the device of the bridge that leads to it."""
        return f"{self._bridge}-{node}"

    def _address(self, node: str) -> str:
        return f"10.213.{self.subnet}.254" if node == CLIENT else self.addresses[node]

    def _device(self, node: str) -> str:
        return self._bridge if node == CLIENT else "eth0"

    def _ip(self, node: str) -> tuple[str, ...]:
        return ("ip",) if node == CLIENT else ("ip", "-n", self._space(node))

    def _run_on(self, node: str) -> tuple[str, ...]:
        return () if node == CLIENT else self.prefix(node)

    def _told(self, *command: str) -> str:
        """Its output. Raise `RocketmqError`."""
        done = self._run(*command)
        if done.returncode:
            raise _failed(done)
        return done.stdout

    def _run(self, *command: str) -> subprocess.CompletedProcess[str]:
        if shutil.which(command[0]) is None:
            raise RocketmqError(f"There is no {command[0]}, which hosts of their own need.", _REMEDY)
        return subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def _failed(done: subprocess.CompletedProcess[str]) -> RocketmqError:
    return RocketmqError(f"{' '.join(done.args)}: {done.stderr.strip()}", _REMEDY)
