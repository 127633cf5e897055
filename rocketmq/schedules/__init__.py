"""Schedules: steps on the real classes of a release, at whose end a defect or hazard is seen or is not.

What is seen was done by RocketMQ's own classes in this process. What is not seen may still be there: a schedule is one
way to it.
"""

from rmqproof.rocketmq.schedules.all import SCHEDULES, run
from rmqproof.rocketmq.schedules.bench import Bench, Schedule, Seen

__all__ = ["SCHEDULES", "Bench", "Schedule", "Seen", "run"]
