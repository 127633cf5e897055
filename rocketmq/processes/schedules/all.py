"""All schedules on processes."""

from __future__ import annotations

from rmqproof.rocketmq.processes.schedules.bench import ProcessSchedule
from rmqproof.rocketmq.processes.schedules.hazards import HAZARDS
from rmqproof.rocketmq.processes.schedules.members import MEMBERS
from rmqproof.rocketmq.processes.schedules.reported import REPORTED

PROCESS_SCHEDULES: tuple[ProcessSchedule, ...] = (*REPORTED, *HAZARDS, *MEMBERS)
