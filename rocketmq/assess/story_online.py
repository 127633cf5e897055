"""A master that goes online in an operator's words: spec/protocols/PreOnline.tla."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rmqproof.model.report.value import function_pairs, sequence_elements
from rmqproof.rocketmq.assess.story_acting import Step, Tell


def _asks(step: Step) -> str:
    members = sequence_elements(step.after["master"]["members"]) or []
    listed = " and ".join(f"slave {member}" for member in members) or "nobody"
    return f"The master asks the nameserver who is there: {listed}."


def _pulls(step: Step) -> str:
    (slave,) = step.arguments
    connected = "" if step.of("slave", slave)["connected"] else ", which is not connected"
    return f"The master pulls the consumer offsets of slave {slave}{connected}; it is done."


PRE_ONLINE: Mapping[str, Tell] = {
    "MasterAsksForMembers": _asks,
    "MasterTells": lambda s: f"The master tells slave {s.arguments[0]} where to connect.",
    "SlaveConnects": lambda s: f"Slave {s.arguments[0]} connects and copies.",
    "MasterPulls": _pulls,
    "AttemptFails": lambda s: f"Slave {s.arguments[0]} does not connect in time: the attempt fails.",
    "MasterGoesOnline": lambda s: "The master has no slave left to wait for, and goes online.",
    "MembersHaveChanged": lambda s: "Other members are there now: the master tries again.",
    "ConsumerCommits": lambda s: f"Slave {s.arguments[0]}, which acts for the master, takes a consumer's commit.",
    "SlaveEnds": lambda s: f"The process of slave {s.arguments[0]} ends.",
    "SlaveStarts": lambda s: f"Slave {s.arguments[0]} starts, and registers at once.",
    "ConnectionBreaks": lambda s: f"The connection of slave {s.arguments[0]} breaks.",
}
"""By action of `spec/protocols/PreOnline.tla`."""


def tale_of_online(variables: tuple[str, ...], first: Mapping[str, Any]) -> tuple[str, Mapping[str, Tell]] | None:
    """As `story_acting.tale_of`, for this module."""
    if {"master", "slave", "used"} == set(variables):
        slaves = len(sequence_elements(first["slave"]) or function_pairs(first["slave"]) or [])
        return f"The master comes back, isolated; its {slaves} slaves run.", PRE_ONLINE
    return None
