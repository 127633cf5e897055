"""What a schedule is, and what it works with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from rmqproof.impl.controller.liveness import BrokerLiveInfo
from rmqproof.rocketmq.controller_state import ControllerState, InSync, Replicas
from rmqproof.rocketmq.message_store import MessageStore
from rmqproof.rocketmq.replicas_info_manager import ReplicasInfoManager

_PATIENCE_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Seen:
    """`seen`: is it there? `what`: what the classes did, as a sentence."""

    seen: bool
    what: str


@dataclass(slots=True)
class Bench:
    """The classes of one release. `jpype` has a running JVM."""

    jpype: Any
    _made: dict[str, Any] = field(default_factory=dict)

    @property
    def manager(self) -> ReplicasInfoManager:
        if "manager" not in self._made:
            self._made["manager"] = ReplicasInfoManager(self.jpype)
        found: ReplicasInfoManager = self._made["manager"]
        return found

    def store(self, broker_id: int = 1, **settings: Any) -> MessageStore:
        return MessageStore(self.jpype, broker_id, **settings)

    def store_in(self, folder: Path, **settings: Any) -> MessageStore:
        """Of broker 1, over the files of an earlier one."""
        return MessageStore(self.jpype, 1, folder, **settings)

    def first_class(self, *names: str) -> Any:
        """The first of these classes that the release has. TypeError when it has none."""
        for name in names[:-1]:
            try:
                return self.jpype.JClass(name)
            except TypeError:
                continue
        return self.jpype.JClass(names[-1])

    def until(self, condition: Callable[[], bool], what: str, seconds: float = _PATIENCE_SECONDS) -> None:
        """Wait for something that the classes do in threads of their own. TimeoutError says what did not come."""
        end = monotonic() + seconds
        while not condition():
            if monotonic() > end:
                raise TimeoutError(f"{what} did not come within {seconds} s")
            sleep(0.002)


@dataclass(frozen=True, slots=True)
class Schedule:
    """`id`: the hazard or the number of the report; `steps`: what is done, in short; `rule`: of spec/core/Rules.tla."""

    id: str
    title: str
    steps: str
    run: Callable[[Bench], Seen]
    rule: str = ""


def controller_state(epoch: int, number: int, members: frozenset[int], master: int | None) -> ControllerState:
    """Three registered brokers."""
    brokers = tuple((i, f"127.0.0.1:{i}", f"127.0.0.1:{i};1") for i in (1, 2, 3))
    return ControllerState(
        "broker-a",
        Replicas("DefaultCluster", 4, brokers),
        InSync("DefaultCluster", epoch, number, members, master),
    )


def alive(*broker_ids: int) -> tuple[tuple[int, BrokerLiveInfo], ...]:
    return tuple((broker_id, BrokerLiveInfo(0, 0)) for broker_id in broker_ids)
