"""All schedules."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rmqproof.rocketmq.schedules.bench import Bench, Schedule, Seen
from rmqproof.rocketmq.schedules.broker_roles import BROKER_ROLES
from rmqproof.rocketmq.schedules.controller import CONTROLLER
from rmqproof.rocketmq.schedules.controllers import CONTROLLERS
from rmqproof.rocketmq.schedules.epoch_entries import EPOCH_ENTRIES
from rmqproof.rocketmq.schedules.epochs import EPOCHS
from rmqproof.rocketmq.schedules.losses import LOSSES
from rmqproof.rocketmq.schedules.members import MEMBERS
from rmqproof.rocketmq.schedules.offsets import OFFSETS
from rmqproof.rocketmq.schedules.replication import REPLICATION
from rmqproof.rocketmq.schedules.reported import REPORTED
from rmqproof.rocketmq.schedules.reported_queues import REPORTED_QUEUES

SCHEDULES: tuple[Schedule, ...] = (
    *LOSSES,
    *REPLICATION,
    *EPOCH_ENTRIES,
    *MEMBERS,
    *OFFSETS,
    *REPORTED,
    *REPORTED_QUEUES,
    *BROKER_ROLES,
    *CONTROLLERS,
    *CONTROLLER,
    *EPOCHS,
)


def run(bench: Bench, only: Collection[str] = ()) -> Iterator[tuple[Schedule, Seen | None, str]]:
    """Each schedule with what was seen, or None and why it could not be run on this release."""
    for schedule in SCHEDULES:
        if only and schedule.id not in only:
            continue
        try:
            yield schedule, schedule.run(bench), ""
        except Exception as error:  # whatever a class that is otherwise in this release throws
            yield schedule, None, f"{type(error).__name__}: {error}".split("\n")[0]
