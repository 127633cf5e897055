"""Every combination of the settings that decide, under every class of faults: is an acknowledged message lost?"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from itertools import product

from rmqproof.model.report.behaviour import Behaviour
from rmqproof.rocketmq.assess.deployment import Deployment
from rmqproof.rocketmq.assess.examination import Answer, Explore, Task, run_task
from rmqproof.rocketmq.assess.faults import EACH_FAULT, Fault, Faults
from rmqproof.rocketmq.assess.questions import QUESTIONS

LOSS = QUESTIONS[0]
_FLUSH_DECIDES = (Fault.MACHINE_CRASH, Fault.POWER_LOSS)


@dataclass(frozen=True, slots=True)
class Row:
    """One combination of settings, with an answer for each class of faults in the order of `EACH_FAULT`."""

    deployment: Deployment
    answers: tuple[Answer, ...]


def combinations() -> Iterator[Deployment]:
    """Two and three replicas; every number of acks and every minimum that so many replicas can meet."""
    for replicas in (2, 3):
        acks = [(True, 1), *((False, number) for number in range(1, replicas + 1))]
        for (all_ack, number), minimum, unclean, flush in product(
            acks, range(1, replicas + 1), (False, True), (True, False)
        ):
            yield Deployment(
                replicas,
                all_ack=all_ack,
                in_sync_replicas=number,
                min_in_sync_replicas=minimum,
                unclean_election=unclean,
                sync_flush=flush,
            )


def matrix(explore: Explore, executor: Executor, deployments: Sequence[Deployment]) -> Iterator[Row]:
    """The rows, worked out side by side. A search that the flush setting cannot change is made once."""
    keys: dict[tuple[Deployment, Faults], Task] = {}
    for deployment, faults in product(deployments, EACH_FAULT):
        key = _key(deployment, faults)
        keys.setdefault(key, Task(explore, key[0], faults, (LOSS,)))
    answers = dict(zip(keys, executor.map(run_task, keys.values()), strict=True))
    for deployment in deployments:
        yield Row(deployment, tuple(answers[_key(deployment, faults)][0] for faults in EACH_FAULT))


def _key(deployment: Deployment, faults: Faults) -> tuple[Deployment, Faults]:
    decides = any(fault in _FLUSH_DECIDES for fault in faults.classes)
    return (deployment if decides else replace(deployment, sync_flush=False), faults)


def plot(behaviour: Behaviour) -> str:
    """Equal for behaviours that take the same steps, whatever the settings."""
    steps = [f"{step.action}{step.arguments}" for step in behaviour.steps]
    return hashlib.sha256("\n".join(steps).encode()).hexdigest()[:8]
