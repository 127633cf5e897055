"""A schedule of faults from a seed, and a run of it on a real cluster under load.

The schedule depends on nothing but its arguments. What cannot be done when its turn comes (a node is down already, the
disk is the last with acknowledged messages) is skipped, and said so.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from rmqproof.impl.core.controller_messages import GetSyncStateDataRequest, GetSyncStateDataResponse
from rmqproof.impl.runtime.client import Client
from rmqproof.impl.runtime.cluster import Cluster
from rmqproof.impl.runtime.controller_client import ControllerClient
from rmqproof.impl.runtime.errors import ClusterError
from rmqproof.impl.runtime.gate import Gate
from rmqproof.impl.runtime.layout import BROKER_NAME

FAULTS = ("kill", "lose-tail", "pause", "partition", "cut", "lose-disk", "blackout", "kill-controller", "calm")
"""`cut` separates two brokers only; `blackout` takes the power from all brokers at once; `calm` disturbs nothing."""
_WEIGHTS = dict(zip(FAULTS, (4, 4, 3, 4, 3, 1, 2, 2, 4), strict=True))
PRODUCERS = 2
PUT_TIMEOUT = 5.0
SETTLE_DEADLINE = 90.0


@dataclass(frozen=True)
class Step:
    """A fault, whom it hits, how long (seconds) it lasts, and how long it is quiet before the next one.

    `victims` are numbers in 0..1 that choose among the nodes that are there when the step is taken; `kept` is the part
    of the unflushed messages that survives.
    """

    fault: str
    victims: tuple[float, float]
    lasts: float
    quiet: float
    kept: float

    def __str__(self) -> str:
        return f"{self.fault} {self.victims[0]:.2f} for {self.lasts:.1f} s"


def schedule(seed: int, steps: int, faults: Sequence[str] = FAULTS) -> list[Step]:
    """The same arguments give the same schedule, on every machine."""
    chance = random.Random(f"rmqproof chaos {seed}")
    weights = [_WEIGHTS[fault] for fault in faults]
    return [
        Step(
            fault=chance.choices(list(faults), weights)[0],
            victims=(round(chance.random(), 6), round(chance.random(), 6)),
            lasts=round(chance.uniform(0.1, 3.0), 3),
            quiet=round(chance.uniform(0.0, 1.0), 3),
            kept=round(chance.random(), 3),
        )
        for _ in range(steps)
    ]


@dataclass
class Outcome:
    """What a run did, and what is wrong afterwards (empty: nothing)."""

    acknowledged: dict[str, int] = field(default_factory=dict)
    """Message id -> number in the log."""
    unknown: int = 0
    refused: int = 0
    consumed: dict[int, str] = field(default_factory=dict)
    done: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    epoch: int = 0
    seconds: float = 0.0
    problems: list[str] = field(default_factory=list)


class Chaos:
    """One run on a cluster that is up. `patience`: seconds in which it has to settle after the last fault."""

    def __init__(self, cluster: Cluster, tell: Callable[[str], None], patience: float = SETTLE_DEADLINE) -> None:
        self._patience = patience
        self._cluster = cluster
        self._tell = tell
        self._client = Client(cluster.layout.controllers)
        self._controllers = ControllerClient(cluster.layout.controllers, Gate())
        self.outcome = Outcome()
        self._count = 0

    async def run(self, steps: Sequence[Step]) -> Outcome:
        """Take all steps under load, then repair everything and check what is left."""
        begun = time.monotonic()
        stop = asyncio.Event()
        load = [asyncio.create_task(self._produce(stop)) for _ in range(PRODUCERS)]
        load.append(asyncio.create_task(self._consume(stop)))
        try:
            for number, step in enumerate(steps, 1):
                what = await self._take(step)
                self._tell(f"{number}/{len(steps)} {what}")
                await asyncio.sleep(step.quiet)
            stop.set()
            await asyncio.gather(*load)
            await self._repair()
            await self._check()
        finally:
            for task in load:
                task.cancel()
            await asyncio.gather(*load, return_exceptions=True)
            await self._client.close()
            await self._controllers.close()
        self.outcome.seconds = time.monotonic() - begun
        return self.outcome

    # --- load --------------------------------------------------------------------------------------------------------

    async def _produce(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            self._count += 1
            key = f"m{self._count}"
            result = await self._client.put(f"message {key}".encode(), key, PUT_TIMEOUT)
            if result.stored:
                self.outcome.acknowledged[key] = result.ordinal
            elif result.known:
                self.outcome.refused += 1
            else:
                self.outcome.unknown += 1
            await asyncio.sleep(0.02)

    async def _consume(self, stop: asyncio.Event) -> None:
        """Read on at whatever broker is the master; what was read once must be read again in the end."""
        while not stop.is_set():
            await asyncio.sleep(0.2)
            address = await self._client.master()
            if address is None:
                continue
            first = len(self.outcome.consumed)
            try:
                for number, message in enumerate(await self._client.pull(address, first, 2.0), first):
                    self.outcome.consumed[number] = message.key
            except ClusterError:
                continue

    # --- faults ------------------------------------------------------------------------------------------------------

    async def _take(self, step: Step) -> str:
        running = [node.name for node in self._cluster.layout.brokers if self._cluster.running(node.name)]
        controllers = [node.name for node in self._cluster.layout.controllers]
        name = _chosen(running, step.victims[0])
        other = _chosen([one for one in running if one != name], step.victims[1])
        try:
            match step.fault:
                case "calm":
                    await asyncio.sleep(step.lasts)
                    done: str | None = "calm"
                case "kill" | "lose-tail" if name is not None:
                    await self._cluster.kill(name, step.kept if step.fault == "lose-tail" else None)
                    await asyncio.sleep(step.lasts)
                    await self._cluster.restart(name)
                    done = f"{step.fault} {name}, back after {step.lasts:.1f} s"
                case "pause" if name is not None:
                    self._cluster.pause(name)
                    await asyncio.sleep(step.lasts)
                    await self._cluster.resume(name)
                    done = f"pause {name} for {step.lasts:.1f} s"
                case "partition" if name is not None:
                    company = _chosen([None, *controllers], step.victims[1])
                    group = [name] if company is None else [name, company]
                    await self._cluster.partition(group)
                    await asyncio.sleep(2 * step.lasts)
                    await self._cluster.heal()
                    done = f"partition {' '.join(group)} for {2 * step.lasts:.1f} s"
                case "cut" if name is not None and other is not None:
                    await self._cluster.partition([name], [other])
                    await asyncio.sleep(2 * step.lasts)
                    await self._cluster.heal()
                    done = f"cut {name} from {other} for {2 * step.lasts:.1f} s"
                case "kill-controller":
                    victim = _chosen(controllers, step.victims[0])
                    assert victim is not None
                    await self._cluster.kill(victim)
                    await asyncio.sleep(step.lasts)
                    await self._cluster.restart(victim)
                    done = f"kill {victim}, back after {step.lasts:.1f} s"
                case "blackout" if running:
                    await asyncio.gather(*(self._cluster.kill(one, step.kept) for one in running))
                    await asyncio.sleep(step.lasts)
                    await asyncio.gather(*map(self._cluster.restart, running))
                    done = f"blackout of {' '.join(running)}, back after {step.lasts:.1f} s"
                case "lose-disk" if name is not None:
                    done = await self._lose_disk(name)
                case _:
                    done = None
        except ClusterError as problem:
            if "The end of its log" in problem.cause:
                raise
            done = None
        if done is None:
            self.outcome.skipped[step.fault] += 1
            return f"{step.fault}: skipped"
        self.outcome.done[step.fault] += 1
        return done

    async def _lose_disk(self, name: str) -> str | None:
        """Only while another member of the SyncStateSet has its disk; otherwise the messages may be nowhere else."""
        if len(await self._members()) < 2:
            return None
        self._cluster.pause(name)
        await asyncio.sleep(0.5)  # what the broker had under way to the controllers arrives
        if not await self._members() - {self._cluster.broker_id(name)}:
            await self._cluster.resume(name)
            return None
        new = await self._cluster.lose_disk(name)
        return f"lose the disk of {name}, {new} joins"

    async def _members(self) -> set[int]:
        """The SyncStateSet, as a majority of the controllers has it; empty if none answers."""
        for _ in range(40):
            answered = await self._controllers.ask(GetSyncStateDataRequest((BROKER_NAME,)), "")
            if answered is not None and isinstance(answered[0], GetSyncStateDataResponse):
                return {replica.broker_id for found in answered[0].broker_sets for replica in found.in_sync_replicas}
            await asyncio.sleep(0.1)
        return set()

    # --- the end -----------------------------------------------------------------------------------------------------

    async def _repair(self) -> None:
        """Everything runs and is connected; wait until all brokers hold the same log, and all of it is readable."""
        await self._cluster.heal()
        for node in self._cluster.layout.nodes:
            if not node.lost and not self._cluster.running(node.name):
                await self._cluster.restart(node.name)
        deadline = time.monotonic() + self._patience
        while time.monotonic() < deadline:
            if await self._settled():
                return
            await asyncio.sleep(0.2)
        self.outcome.problems.append(f"the cluster did not settle within {self._patience:.0f} s after the last fault")

    async def _settled(self) -> bool:
        states = [s for s in await self._cluster.status() if s.node.is_broker and not s.node.lost]
        if any(state.status is None or "broker" not in state.status for state in states):
            return False
        found = [state.status for state in states if state.status is not None]
        masters = [status for status in found if status["broker"]["role"] == "Master"]
        if len(masters) != 1 or len({status["broker"]["masterEpoch"] for status in found}) != 1:
            return False
        members = set(masters[0]["broker"]["sss"]["#set"])
        self.outcome.epoch = masters[0]["broker"]["masterEpoch"]
        return (
            members == {f"b{status['id']}" for status in found}
            and len({(status["messages"], status["readable"]) for status in found}) == 1
            and found[0]["messages"] == found[0]["readable"]
        )

    async def _check(self) -> None:
        """Every acknowledged message is where its producer was told, and every consumed one where it was read, on
        every broker."""
        logs: dict[str, list[str]] = {}
        for node in self._cluster.layout.brokers:
            if node.lost:
                continue
            try:
                logs[node.name] = [message.key for message in await self._client.pull(node.address)]
            except (ClusterError, ValueError) as problem:
                self.outcome.problems.append(f"{node.name} cannot be read: {problem}")
        for name, log in logs.items():
            self.outcome.problems += _missing(name, log, "acknowledged", self.outcome.acknowledged.items())
            consumed = ((key, number) for number, key in self.outcome.consumed.items())
            self.outcome.problems += _missing(name, log, "read by a consumer", consumed)
        if len(set(map(tuple, logs.values()))) > 1:
            self.outcome.problems.append("the brokers' logs differ")


def _missing(name: str, log: Sequence[str], what: str, messages: Iterable[tuple[str, int]]) -> list[str]:
    return [
        f"{key} was {what} as number {number}; {name} has {log[number] if number < len(log) else 'nothing'} there"
        for key, number in messages
        if number >= len(log) or log[number] != key
    ]


def _chosen(names: Sequence[str | None], place: float) -> str | None:
    return names[int(place * len(names))] if names else None
