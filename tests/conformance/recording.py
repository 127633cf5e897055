"""Runs recorded by walking through a model at random."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from rmqproof.conformance.subject import ModelSubject
from rmqproof.model.evaluate.itf import to_itf

Line = dict[str, Any]
Describe = Callable[[str, tuple[Any, ...], Mapping[str, Any]], Line]
"""What is written of a step: action, arguments as ITF, the state after it as ITF."""


def record(
    subject: ModelSubject, steps: int, seed: int, describe: Describe, weights: Mapping[str, int] | None = None
) -> list[Line]:
    """The lines of a random behaviour; `sequence` counts by node."""
    system, random = subject.system, Random(seed)
    state = next(iter(system.initial_states()))
    lines: list[Line] = []
    counts: dict[str, int] = {}
    for _ in range(steps):
        choices = list(system.successors(state))
        if not choices:
            break
        likely = [(weights or {}).get(system.actions[t.action], 1) for t in choices]
        if not any(likely):
            break
        action, arguments, state = random.choices(choices, likely)[0]
        line = describe(system.actions[action], tuple(map(to_itf, arguments)), system.to_itf(state))
        counts[line["node"]] = counts.get(line["node"], 0) + 1
        lines.append({**line, "sequence": counts[line["node"]]})
    return lines


def two_phase(action: str, arguments: tuple[Any, ...], state: Mapping[str, Any]) -> Line:
    """A participant writes down its own state, the coordinator what it decided."""
    line: Line = {"action": action, "arguments": list(arguments)}
    if action in ("Prepare", "GiveUp", "DecisionArrives"):
        node = arguments[0]
        line |= {"node": node, "state": {"state": {node: dict(state["state"]["#map"])[node]}}}
        if action == "Prepare":
            line["sent"] = [f"vote of {node}"]
        if action == "DecisionArrives":
            line["received"] = ["decision"]
    else:
        line |= {"node": "coordinator", "state": {"coordinator": {"decision": state["coordinator"]["decision"]}}}
        if action == "Decide":
            line["sent"] = ["decision"]
        else:
            line["received"] = [f"vote of {arguments[0]['from']}"]
    return line


def text(lines: Sequence[Line]) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)
