"""Load models and explore them without the search engine, for tests."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.tla.model import load_model

SPECS = Path(__file__).parent / "specs"


def load(spec: Path, config: Path) -> PythonSystem:
    return system_of(load_model(spec, config))


def written(folder: Path, body: str, config: str = "INIT Init\nNEXT Next\n") -> PythonSystem:
    """The system of a module with this body, whose first line is line 2."""
    spec, cfg = folder / "Test.tla", folder / "Test.cfg"
    spec.write_text("---- MODULE Test ----\n" + body + "\n====\n")
    cfg.write_text(config)
    return load(spec, cfg)


@dataclass
class Explored:
    distinct: int
    total: int
    depth: int
    states: list[Any]


def explore(system: PythonSystem) -> Explored:
    """Every state, with TLC's counts. Fails when a property does not hold."""
    seen: dict[int, int] = {}
    states: list[Any] = []
    queue: deque[Any] = deque()
    total = 0

    def meet(state: Any, depth: int) -> None:
        fingerprint = system.fingerprint(state)
        if fingerprint not in seen:
            seen[fingerprint] = depth
            states.append(state)
            queue.append(state)
            for invariant in system.invariants:
                assert invariant.holds(state), invariant.name

    for state in system.initial_states():
        total += 1
        if system.within(state):
            meet(state, 1)
    while queue:
        before = queue.popleft()
        depth = seen[system.fingerprint(before)] + 1
        for _, _, after in system.successors(before):
            total += 1
            for step in system.step_properties:
                assert step.holds(before, after), step.name
            if not system.has_constraints or (system.within(after) and system.allowed(before, after)):
                meet(after, depth)
    return Explored(len(seen), total + system.intermediate[0], max(seen.values(), default=0), states)
