"""The space-time picture as JSON: the page draws it, so that a step in it can be marked and clicked."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.report.diagram import processes_of
from rmqproof.model.report.processes import chart_of

MOST_STEPS = 400
"""Steps of a behaviour that a picture is made of."""


def chart_json(behaviour: Behaviour) -> dict[str, Any]:
    """Lanes, events, messages and turns of a behaviour, as whatever vocabulary is installed has them, else guessed."""
    if len(behaviour.steps) > MOST_STEPS:
        return {"error": f"There is no picture of more than {MOST_STEPS} steps."}
    chart = chart_of(behaviour, processes_of(behaviour))
    found = asdict(chart)
    return {key: found[key] for key in ("lanes", "events", "arrows", "turns", "legend")}
