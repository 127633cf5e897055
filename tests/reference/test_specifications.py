"""The reference evaluator sees the states and steps that the Python engine sees, with the same names, equally often."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.judge.values import engine_value, reference_state, reference_value
from rmqproof.model.reference import Reference
from rmqproof.model.tla.library import bundled, spec_of
from rmqproof.model.tla.model import load_model

TESTS = Path(__file__).parents[1]
MODELS = [
    *sorted((TESTS / "specs").glob("*.cfg")),
    *(bundled(name) for name in ("TwoBrokers.cfg", "ThreeBrokersSmall.cfg", "TwoBrokersConsumers.cfg")),
]
NATIVE = TESTS / "native" / "specs"
MODELS += [
    NATIVE / f"{name}.cfg"
    for name in (
        *("Bag", "Choices", "Enabling", "FunctionWays", "HigherOrder", "Instances", "LocalRecursion", "NestedExcept"),
        *(
            "NextArguments",
            "Operators",
            "PassedOperators",
            "PrimedGuards",
            "Quantifiers",
            "RecursiveFunctions",
            "Starts",
        ),
    )
]
MOST = 15
"""States of a model whose successors are compared."""


def module_of(config: Path) -> Path:
    for line in config.read_text().splitlines():
        if line.startswith("\\* SPEC "):
            return spec_of(line.removeprefix("\\* SPEC ").strip(), config.parent)
    return config.with_suffix(".tla")


def some_states(system: PythonSystem, count: int) -> list[Any]:
    """States from the whole breadth of the first levels, and a deep path."""
    found: dict[Any, None] = dict.fromkeys(islice(system.initial_states(), 3))
    for number in range(count):
        states = list(found)
        if number >= len(states):
            break
        before = states[-1] if number % 2 else states[number]
        found |= dict.fromkeys(islice((t.state for t in system.successors(before)), 40))
    return list(found)[:: max(1, len(found) // count)][:count]


@pytest.mark.parametrize("config", MODELS, ids=lambda path: path.stem)
def test_it_sees_what_the_python_engine_sees(config: Path) -> None:
    if not module_of(config).exists():
        pytest.skip("another configuration's module")
    model = load_model(module_of(config), config)
    system, reference = system_of(model), Reference(model)
    initial = islice(system.initial_states(), 100)
    assert Counter(islice(reference.initial_states(), 100)) == Counter(
        reference_state(system.values(s)) for s in initial
    )
    for state in some_states(system, MOST):
        before = reference_state(system.values(state))
        transitions = list(system.successors(state))
        seen = Counter(reference_state(system.values(t.state)) for t in transitions)
        assert Counter(s.state for s in reference.successors(before)) == seen
        for invariant, definition in zip(system.invariants, model.invariants, strict=False):
            assert reference.holds(definition.body, before) == invariant.holds(state)
        for action, arguments, after in transitions[:2]:
            ways = list(reference.steps(before, reference_state(system.values(after))))
            name = system.actions[action]
            called = [found for way in ways for found in reference.arguments(way, name)]
            assert tuple(map(reference_value, arguments)) in called
        assert tuple(engine_value(value) for value in before) == system.values(state)


def test_it_counts_the_ways_that_tlc_counts() -> None:
    """TLC generates 289 states of this model, whose guards can be true in several ways."""
    config = NATIVE / "FunctionWays.cfg"
    reference = Reference(load_model(module_of(config), config))
    found, total = list(reference.initial_states()), 1
    for state in found:
        successors = [successor.state for successor in reference.successors(state)]
        total += len(successors)
        found += [after for after in dict.fromkeys(successors) if after not in found]
    assert (len(found), total) == (15, 289)


def test_it_knows_nothing_of_the_engines() -> None:
    folder = TESTS.parent / "model" / "reference"
    imported = {
        name
        for path in folder.glob("*.py")
        for line in path.read_text().splitlines()
        if line.strip().startswith(("from rmqproof", "import rmqproof"))
        for name in [line.split()[1]]
    }
    assert imported
    assert all(name.startswith("rmqproof.model.tla") for name in imported)
