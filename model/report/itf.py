"""Traces as files: the Informal Trace Format (ITF), JSON that Apalache and Quint write and trace viewers read.

https://apalache-mc.org/docs/adr/015adr-trace.html. What ITF leaves open we keep in `#meta`:

    top level   source, config, command, tool, violated, sentence, modelValues, countermodel
    each state  index, action, arguments, algorithm (owner, file, line, text: where the step begins in PlusCal)

Names of actions that Quint keeps in variables of its own (`mbt::actionTaken`) are read from there.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rmqproof.model.report.behaviour import Behaviour, Origin, Step, Value
from rmqproof.model.report.value import canonical
from rmqproof.model.tla.algorithms import AlgorithmStep
from rmqproof.model.tla.source import Location, Source, TlaError

_FORMAT = "https://apalache-mc.org/docs/adr/015adr-trace.html"
_SHAPES = {"#bigint", "#set", "#tup", "#map", "#unserializable"}
_REMEDY = (
    "Give a trace in the Informal Trace Format (.itf.json), as `rmqproof check --out DIR`, Apalache and Quint write it."
)
_QUINT_ACTION = ("mbt::actionTaken", "action_taken")


def write_itf(behaviour: Behaviour, path: Path) -> None:
    """Write the file, with one variable a line so that two traces can be compared line by line."""
    path.write_text(itf_text(behaviour), encoding="utf-8")


def itf_text(behaviour: Behaviour) -> str:
    """The JSON text; the same behaviour always gives the same text."""
    origin = behaviour.origin
    meta: dict[str, Value] = {
        "format": "ITF",
        "format-description": _FORMAT,
        "source": origin.specification,
        "config": origin.config,
        "command": origin.command,
        "tool": origin.tool,
        "violated": behaviour.violated,
        "sentence": behaviour.sentence,
        "fairness": list(behaviour.fairness),
        "modelValues": sorted(origin.model_values),
        "countermodel": not behaviour.initial,
    }
    lines = ["{", f'  "#meta": {_json({key: item for key, item in meta.items() if item})},']
    lines.append(f'  "vars": {_json(list(behaviour.variables))},')
    if behaviour.loop is not None:
        lines.append(f'  "loop": {behaviour.loop},')
    states = ",\n".join(_state_text(step, behaviour.variables) for step in behaviour.steps)
    lines += ['  "states": [', states, "  ]", "}", ""]
    return "\n".join(lines)


def read_itf(path: Path) -> Behaviour:
    """Read a trace; raise `TlaError` with the place where the file is no ITF trace, `OSError` if it cannot be read."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise TlaError(f"{path}: byte {error.start + 1} is not UTF-8", remedy=_REMEDY, kind="system") from None
    return parse_itf(Source(str(path), text))


def parse_itf(source: Source) -> Behaviour:
    """The behaviour in the text of an ITF file. Raise `TlaError` as `read_itf` does."""
    return _Reader(source).behaviour()


class _Reader:
    def __init__(self, source: Source) -> None:
        self._source = source

    def behaviour(self) -> Behaviour:
        document = self._parse()
        if not isinstance(document, dict) or "states" not in document:
            self._fail("", "this JSON has no `states`, so it is no trace")
        variables = document.get("vars")
        if not isinstance(variables, list) or not all(isinstance(name, str) for name in variables):
            self._fail("vars", "must be the list of the variables' names")
        states = document["states"]
        if not isinstance(states, list) or not states:
            self._fail("states", "must be a list of at least one state")
        action_variable = next((name for name in _QUINT_ACTION if name in variables), None)
        steps = [self._step(number, state, variables, action_variable) for number, state in enumerate(states)]
        loop = document.get("loop")
        if loop is not None and (not _is_integer(loop) or not 0 <= loop < len(states)):
            self._fail("loop", f"must be the index of a state, 0 to {len(states) - 1}, and is {_json(loop)}")
        meta = document.get("#meta", {})
        if not isinstance(meta, dict):
            self._fail("#meta", "must be an object")
        model_values = meta.get("modelValues", [])
        if not isinstance(model_values, list) or not all(isinstance(name, str) for name in model_values):
            self._fail("#meta.modelValues", "must be a list of names")
        origin = Origin(
            specification=_text(meta, "source"),
            config=_text(meta, "config"),
            command=_text(meta, "command"),
            tool=_text(meta, "tool"),
            model_values=frozenset(model_values),
        )
        fairness = meta.get("fairness", [])
        if not isinstance(fairness, list) or not all(isinstance(line, str) for line in fairness):
            self._fail("#meta.fairness", "must be a list of lines")
        words = _text(meta, "violated"), _text(meta, "sentence")
        initial = meta.get("countermodel") is not True
        return Behaviour(tuple(variables), tuple(steps), loop, *words, origin, tuple(fairness), initial)

    def _parse(self) -> Any:
        try:
            return json.loads(self._source.text)
        except json.JSONDecodeError as error:
            at = Location(self._source, error.lineno, error.colno, error.lineno, error.colno + 1)
            raise TlaError(f"this is no JSON: {error.msg}", at, _REMEDY, "system") from None
        except RecursionError:
            self._fail("", "values are nested too deeply")

    def _step(self, number: int, state: Any, variables: list[str], action_variable: str | None) -> Step:
        place = f"states[{number}]"
        if not isinstance(state, dict):
            self._fail(place, "must be an object with a value for each variable")
        for name in variables:
            if name not in state:
                self._fail(place, f"has no value for variable `{name}`")
        values = {name: state[name] for name in variables}
        for name, value in values.items():
            self._check(value, f"{place}.{name}")
        meta = state.get("#meta", {})
        if not isinstance(meta, dict):
            self._fail(f"{place}.#meta", "must be an object")
        action = meta.get("action")
        if action is None and action_variable is not None and number > 0:
            action = state[action_variable]
        if action is not None and not isinstance(action, str):
            self._fail(f"{place}.#meta.action", "must be the name of an action")
        arguments = meta.get("arguments", [])
        if not isinstance(arguments, list):
            self._fail(f"{place}.#meta.arguments", "must be a list of values")
        for index, argument in enumerate(arguments):
            self._check(argument, f"{place}.#meta.arguments[{index}]")
        return Step(number, action or None, tuple(arguments), values, self._algorithm(meta, place))

    def _algorithm(self, meta: dict[str, Any], place: str) -> AlgorithmStep | None:
        algorithm = meta.get("algorithm")
        if algorithm is None:
            return None
        if not isinstance(algorithm, dict) or not _is_integer(algorithm.get("line")):
            self._fail(f"{place}.#meta.algorithm", "must be an object with a file and a line")
        return AlgorithmStep(
            _text(algorithm, "owner"), _text(algorithm, "file"), algorithm["line"], _text(algorithm, "text")
        )

    def _check(self, value: Any, place: str) -> None:
        if isinstance(value, (bool, str)) or _is_integer(value):
            return
        if isinstance(value, list):
            for index, item in enumerate(value):
                self._check(item, f"{place}[{index}]")
        elif not isinstance(value, dict):
            self._fail(place, f"{_json(value)} is no TLA+ value")
        elif not any(key.startswith("#") for key in value):
            for key, item in value.items():
                self._check(item, f"{place}.{key}")
        else:
            self._check_shape(value, place)

    def _check_shape(self, value: dict[str, Any], place: str) -> None:
        shape, *others = value
        content = value[shape]
        if others or shape not in _SHAPES:
            self._fail(place, f"{_json(sorted(value))} is no shape of ITF")
        if shape == "#bigint":
            digits = content.removeprefix("-") if isinstance(content, str) else ""
            if not (digits.isascii() and digits.isdigit()):
                self._fail(place, f"#bigint must hold an integer as a string, and holds {_json(content)}")
        elif shape == "#unserializable":
            if not isinstance(content, str):
                self._fail(place, "#unserializable must hold a string")
        elif not isinstance(content, list):
            self._fail(place, f"{shape} must hold a list")
        elif shape == "#map":
            for index, pair in enumerate(content):
                if not isinstance(pair, list) or len(pair) != 2:
                    self._fail(f"{place}[{index}]", "#map must hold pairs [key, value]")
                self._check(pair, f"{place}[{index}]")
            if len({canonical(key) for key, _ in content}) < len(content):
                self._fail(place, "#map has two values for one key")
        else:
            self._check(content, place)

    def _fail(self, place: str, message: str) -> Any:
        where = f"{self._source.name}: {place}: " if place else f"{self._source.name}: "
        raise TlaError(where + message, remedy=_REMEDY, kind="system")


def _state_text(step: Step, variables: tuple[str, ...]) -> str:
    meta: dict[str, Value] = {"index": step.index}
    if step.action is not None:
        meta["action"] = step.action
        if step.arguments:
            meta["arguments"] = list(step.arguments)
    if step.algorithm is not None:
        meta["algorithm"] = {name: value for name, value in asdict(step.algorithm).items() if value != ""}
    rows = [f'"#meta": {_json(meta)}', *(f"{_json(name)}: {_json(step.state[name])}" for name in variables)]
    return "    {\n      " + ",\n      ".join(rows) + "\n    }"


def _json(value: Value) -> str:
    return json.dumps(value, ensure_ascii=False)


def _text(meta: dict[str, Any], key: str) -> str:
    value = meta.get(key, "")
    return value if isinstance(value, str) else ""


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
