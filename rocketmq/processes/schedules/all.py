"""All schedules on processes."""

from __future__ import annotations

from rmqproof.rocketmq.processes.schedules.bench import ProcessSchedule
from rmqproof.rocketmq.processes.schedules.hazards import HAZARDS
from rmqproof.rocketmq.processes.schedules.jraft import JRAFT
from rmqproof.rocketmq.processes.schedules.members import MEMBERS
from rmqproof.rocketmq.processes.schedules.popping import POPPING
from rmqproof.rocketmq.processes.schedules.reported import REPORTED
from rmqproof.rocketmq.processes.schedules.restarts import RESTARTS

PROCESS_SCHEDULES: tuple[ProcessSchedule, ...] = (*REPORTED, *RESTARTS, *JRAFT, *HAZARDS, *POPPING, *MEMBERS)
