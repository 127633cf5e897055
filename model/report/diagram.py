"""A behaviour as a space-time diagram, whatever specification it is of."""

from __future__ import annotations

from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.report.controller_mode import ControllerMode, is_controller_mode
from rmqproof.model.report.guess import Guess
from rmqproof.model.report.processes import Processes, chart_of
from rmqproof.model.report.space_time import space_time_dot


def behaviour_dot(behaviour: Behaviour) -> str:
    """The diagram as DOT, for `render`: as fits the protocol's specification, or with guessed processes."""
    processes: Processes = ControllerMode(behaviour) if is_controller_mode(behaviour) else Guess(behaviour)
    return space_time_dot(chart_of(behaviour, processes))
