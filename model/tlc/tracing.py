"""`-dumpTrace`: a counterexample in a file, as the value of TLC's operator `CounterExample` in JSON or in TLA+."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.report.value import Notation, function_pairs, integer, is_record, sequence_elements, set_elements
from rmqproof.model.tlc.places import span
from rmqproof.model.tlc.steps import Part, Steps

Value = Any
_UNNAMED = {
    "name": "UnnamedAction",
    "location": {"beginLine": 0, "beginColumn": 0, "endLine": 0, "endColumn": 0, "module": "--TLA+ BUILTINS--"},
}


def counterexample(shown: Behaviour, whole: Behaviour, steps: Steps) -> Value:
    """The states with their numbers and the actions between them, as ITF. A lasso has the action that leads back."""
    states = [{"#tup": [number, dict(step.state)]} for number, step in enumerate(shown.steps, 1)]
    actions: list[Value] = []
    for number in range(1, len(states)):
        part = steps.part(whole, number)
        action = _action(whole.steps[number].arguments, whole.steps[number].action, part)
        actions.append({"#tup": [states[number - 1], action, states[number]]})
    if shown.loop is not None:
        if shown.loop == len(states) - 1:  # it stutters: TLC says the action that led there
            closing = actions[-1]["#tup"][1] if actions else _UNNAMED
        else:
            closing = _action(*(steps.closing(whole) or ((), None, None)))
        actions.append({"#tup": [states[-1], closing, states[shown.loop]]})
    return {"action": {"#set": actions}, "state": {"#set": states}}


def _action(arguments: tuple[Value, ...], name: str | None, part: Part | None) -> Value:
    if part is None:
        return {"name": name or "Action"}
    line, column, end, end_column = span(part.at)
    at = {"beginLine": line, "beginColumn": column, "endLine": end, "endColumn": end_column, "module": part.module}
    found: dict[str, Value] = {"name": part.name, "location": at}
    parameters = part.definition.parameters if part.definition is not None else ()
    if parameters and part.name == name and len(parameters) == len(arguments):
        names = [parameter.name for parameter in parameters]
        found["context"] = dict(zip(names, arguments, strict=True))
        found["parameters"] = {"#tup": names}
    return found


def as_json(value: Value, variables: tuple[str, ...], notation: Notation, file: Path) -> str:
    return json.dumps({"counterexample": plain(value, notation), "vars": list(variables)}, separators=(",", ":"))


def as_module(value: Value, variables: tuple[str, ...], notation: Notation, file: Path) -> str:
    return f"---- MODULE {file.stem} ----\nLOCAL INSTANCE TLC\n\nCounterExample == \n\t{notation.line(value)}\n\n===="


FORMATS: dict[str, Callable[[Value, tuple[str, ...], Notation, Path], str]] = {"json": as_json, "tla": as_module}


def plain(value: Value, notation: Notation) -> Any:
    """The JSON of TLC's module Json: sets and sequences are lists, functions objects with the arguments as text."""
    number = integer(value)
    if number is not None:
        return number
    elements = set_elements(value)
    if elements is None:
        elements = sequence_elements(value)
    if elements is not None:
        return [plain(element, notation) for element in elements]
    pairs = function_pairs(value)
    if pairs is None:
        return value if isinstance(value, (bool, str)) else notation.line(value)
    record = is_record(value)
    return {
        str(key) if record or isinstance(key, str) else notation.line(key): plain(item, notation) for key, item in pairs
    }
