"""Faults for a cluster of real processes, drawn from a seed and carried out one after another.

The schedule depends on nothing but its arguments. What cannot be done when its turn comes is skipped, and said so.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product
from time import sleep

from rmqproof.rocketmq.processes.cluster import RealCluster
from rmqproof.rocketmq.processes.host_network import HostNetwork
from rmqproof.rocketmq.processes.relay_network import Link, RelayNetwork

_WEIGHTS = {
    "kill": 4,
    "pause": 3,
    "isolate": 3,
    "cut": 3,
    "one-way": 3,
    "half-open": 2,
    "break": 2,
    "slow": 2,
    "lose-disk": 1,
    "blackout": 1,
    "kill-controller": 2,
    "isolate-controller": 1,
    "calm": 2,
}
FAULTS = tuple(_WEIGHTS)
OF_RELAYS = "slow"
"""A fault that hosts of their own do not have."""
POWER = ("power", "power-of-all")
"""Losses of power, of one broker and of all at once; for clusters that see what is forced to a disk."""
_WEIGHTS_OF_POWER = dict.fromkeys(POWER, 2)
"""`isolate`: a broker from all nodes; `cut`: two brokers from each other; `one-way`: what one node sends to another
waits; `half-open`: one end of the connections of two nodes ends; `break`: both; `slow`: a delay and a low rate;
`blackout`: kill -9 of all brokers at once; `calm` disturbs nothing."""
_UNLED = 20
"""Seconds that a master is waited for after processes have ended."""
_OF_LINKS = ("isolate", "cut", "one-way", "half-open", "slow", "isolate-controller")


@dataclass(frozen=True, slots=True)
class Fault:
    """What, whom (numbers in 0..1 that choose among the nodes), for how many seconds, and how many it is quiet then.
    `stays`: what it did to links lasts until the end of the next fault."""

    kind: str
    victims: tuple[float, float]
    lasts: float
    quiet: float
    stays: bool = False

    def __str__(self) -> str:
        rest = ", until after the next one" if self.stays else ""
        return f"{self.kind} {self.victims[0]:.2f} {self.victims[1]:.2f} for {self.lasts:.1f} s{rest}"


def schedule(seed: int, seconds: float, kinds: Sequence[str] = FAULTS) -> list[Fault]:
    """Faults that take about so long. The same arguments give the same ones, on every machine."""
    chance = random.Random(f"rmqproof rocketmq chaos {seed}")
    weights = [(_WEIGHTS | _WEIGHTS_OF_POWER)[kind] for kind in kinds]
    found: list[Fault] = []
    left = seconds
    while left > 0:
        kind = chance.choices(list(kinds), weights)[0]
        victims = round(chance.random(), 6), round(chance.random(), 6)
        lasts, quiet = round(chance.uniform(1, 12), 1), round(chance.choice((0.5, 3, 12)) * chance.uniform(0.5, 1), 1)
        stays = chance.random() < 0.3 and kind in _OF_LINKS
        found.append(Fault(kind, victims, lasts, quiet, stays))
        left -= lasts + quiet
    return found


@dataclass(slots=True)
class Faults:
    """Carries them out. `mark` is told what is done when it is done. `wait`: how time passes."""

    cluster: RealCluster
    mark: Callable[[str], None]
    wait: Callable[[float], None] = sleep
    skipped: list[str] = field(default_factory=list)
    _held: bool = field(default=False)

    def take(self, fault: Fault) -> None:
        held_before = self._held
        match fault.kind:
            case "calm":
                self.wait(fault.lasts)
            case "kill" | "kill-controller" | "pause" | "blackout" | "lose-disk" | "power" | "power-of-all":
                self._of_processes(fault)
                self._until_led()
            case "break":
                self._break(fault)
            case _:
                self._of_links(fault)
        if held_before or (self._held and not fault.stays):
            self._network.heal()
            self.mark("the links are whole")
            self._held = False
        self.wait(fault.quiet)

    def _until_led(self) -> None:
        """A while, so that there is load between one end of a process and the next."""
        for _ in range(_UNLED):
            if self.cluster.master() is not None:
                return
            self.wait(1)

    def repair(self) -> None:
        """Everything is connected and runs."""
        self._network.heal()
        for name, node in self.cluster.nodes.items():
            if not node.running:
                self.mark(f"start {name}, which did not run")
                node.start()

    @property
    def _network(self) -> RelayNetwork | HostNetwork:
        assert self.cluster.network is not None
        return self.cluster.network

    # --- processes --------------------------------------------------------------------------------------------------

    def _of_processes(self, fault: Fault) -> None:
        controllers = [name for name in self.cluster.nodes if name.startswith("c")] or ["n1"]
        group = controllers if fault.kind == "kill-controller" else self.cluster.broker_names
        running = [name for name in group if self.cluster.nodes[name].running]
        all_of_them = fault.kind in ("blackout", "power-of-all")
        running = running if all_of_them or fault.kind == "kill-controller" else self._with_master(running)
        victims = running if all_of_them else running and [_chosen(running, fault.victims[0])]
        if not victims:
            self._skip(fault)
        elif fault.kind == "pause":
            self._pause(victims[0], fault.lasts)
        elif fault.kind == "lose-disk":
            self._lose_disk(fault, victims[0])
        elif fault.kind in POWER:
            self._lose_power(victims, fault.lasts)
        else:
            self._kill(victims, fault.lasts)

    def _kill(self, victims: Sequence[str], seconds: float) -> None:
        for name in victims:
            self.cluster.nodes[name].kill()
        self.mark(f"kill -9 of {', '.join(victims)}")
        self.wait(seconds)
        for name in victims:
            self.cluster.nodes[name].start()
        self.mark(f"start {', '.join(victims)}")

    def _lose_power(self, victims: Sequence[str], seconds: float) -> None:
        for name in victims:  # at once, and then looked at
            self.cluster.nodes[name].kill()
        self.mark(f"loss of power of {', '.join(victims)}")
        left = {name: self.cluster.lose_power(name) for name in victims}
        told = [f"of {before} messages of {name} {after} were on its disk" for name, (before, after) in left.items()]
        self.mark("; ".join(told))
        self.wait(seconds)
        for name in victims:
            self.cluster.nodes[name].start()
        self.mark(f"start {', '.join(victims)}")

    def _pause(self, name: str, seconds: float) -> None:
        self.cluster.nodes[name].pause()
        self.mark(f"SIGSTOP of {name}")
        try:
            self.wait(seconds)
        finally:
            self.cluster.nodes[name].go_on()
        self.mark(f"SIGCONT of {name}")

    def _lose_disk(self, fault: Fault, name: str) -> None:
        """Only while another member of the SyncStateSet runs, and has its disk."""
        members = self.cluster.sync_state_set() or set()
        there = {each for each in self.cluster.broker_names if each != name and self.cluster.nodes[each].running}
        if not members & {self.cluster.id_of(each) for each in there}:
            return self._skip(fault)
        node = self.cluster.nodes[name]
        node.kill()
        node.set_logs_aside(str(self.cluster.id_of(name)))
        shutil.rmtree(node.folder / "store", ignore_errors=True)
        self.mark(f"kill -9 of {name}, and its disk is lost; the SyncStateSet is {sorted(members)}")
        self.wait(fault.lasts)
        node.start()
        self.mark(f"start {name}, with an empty disk")
        return None

    # --- links -------------------------------------------------------------------------------------------------------

    def _of_links(self, fault: Fault) -> None:
        links, what = self._chosen_links(fault)
        if not links:
            return self._skip(fault)
        self._held = True
        if fault.kind == "half-open":
            (one, other), *_ = links
            found = self._network.leave_half_open(one, other)
            self.mark(f"{found} connections of {one} and {other} are half open")
        elif fault.kind == "slow":
            self._network.pace(links, delay=0.2 + fault.victims[1], rate=50_000)
            self.mark(f"{what} is slow: {0.2 + fault.victims[1]:.1f} s a piece")
        else:
            self._network.pace(links, held=True)
            self.mark(f"{what} is held")
        self.wait(fault.lasts)
        return None

    def _chosen_links(self, fault: Fault) -> tuple[list[Link], str]:
        """Each direction, and how it is called."""
        brokers, everybody = self.cluster.broker_names, [*self.cluster.nodes, "client"]
        controllers = [name for name in everybody if name.startswith("c") and name != "client"]
        if fault.kind == "isolate" or (fault.kind == "isolate-controller" and controllers):
            group = self._with_master(brokers) if fault.kind == "isolate" else controllers
            one = _chosen(group, fault.victims[0])
            return _both([one], [name for name in everybody if name != one]), f"{one} and everybody"
        if fault.kind == "isolate-controller":
            return [], ""
        one = _chosen(brokers, fault.victims[0])
        others = [
            name for name in ([*brokers] if fault.kind == "cut" else [*brokers, *controllers, "n1"]) if name != one
        ]
        if not others:
            return [], ""
        other = _chosen(others, fault.victims[1])
        if fault.kind == "one-way":
            # which way is in what the first number leaves
            pair = (one, other) if fault.victims[0] * 1000 % 2 < 1 else (other, one)
            return [pair], f"what {pair[0]} sends to {pair[1]}"
        return _both([one], [other]), f"{one} and {other}"

    def _break(self, fault: Fault) -> None:
        one = _chosen(self._with_master(self.cluster.broker_names), fault.victims[0])
        other = _chosen([name for name in self.cluster.nodes if name != one], fault.victims[1])
        self.mark(f"{self._network.break_off(one, other)} connections of {one} and {other} are broken")

    def _with_master(self, brokers: Sequence[str]) -> list[str]:
        """The master is as likely as all others together."""
        master = self.cluster.master()
        return [*brokers, *(name for name in brokers if name == master for _ in brokers[2:])]

    def _skip(self, fault: Fault) -> None:
        self.skipped.append(fault.kind)


def _both(some: Sequence[str], others: Sequence[str]) -> list[Link]:
    return [*product(some, others), *product(others, some)]


def _chosen(names: Sequence[str], place: float) -> str:
    return names[min(int(place * len(names)), len(names) - 1)]
