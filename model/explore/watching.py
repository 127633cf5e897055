"""A behaviour seen through expressions, in the place of its variables or beside them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rmqproof.model.explore.evaluation import Evaluation, Found, along
from rmqproof.model.explore.language import Language
from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.tla import core
from rmqproof.model.tla.written_fields import in_written_order

_NAMED = re.compile(r"\s*([A-Za-z_]\w*)\s*==(?!=)(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Watched:
    """An expression by a name: `sum == x + y`, else by itself."""

    name: str
    evaluation: Evaluation

    @classmethod
    def of(cls, language: Language, text: str) -> Watched:
        """Raise `TlaError`."""
        found = _NAMED.fullmatch(text)
        name, expression = (found[1], found[2]) if found is not None else (" ".join(text.split()), text)
        return cls(name, Evaluation.of(language, expression))


def seen_through(behaviour: Behaviour, watched: Sequence[Watched]) -> Behaviour:
    """The behaviour with the expressions' values in the place of the variables. Raise `TlaError`."""
    columns = [(one.name, _column(one.evaluation, behaviour)) for one in watched]
    states: list[Mapping[str, Any]] = [
        {name: _shown(values[index]) for name, values in columns} for index in range(len(behaviour.steps))
    ]
    steps = tuple(replace(step, state=state) for step, state in zip(behaviour.steps, states, strict=True))
    return replace(behaviour, variables=tuple(name for name, _ in columns), steps=steps)


def aliased(behaviour: Behaviour, evaluation: Evaluation) -> Behaviour:
    """The behaviour as an ALIAS shows it: of a record the fields, of anything else the value. Raise `TlaError`.

    After the last state, where the behaviour does not go on, comes the last state, as in TLC.
    """
    ending = replace(behaviour, loop=len(behaviour.steps) - 1) if behaviour.loop is None else behaviour
    shown = [in_written_order(_fields(found), evaluation.asked.node) for found in along(evaluation, ending)]
    names = tuple(dict.fromkeys(name for state in shown for name in state))
    steps = tuple(replace(step, state=state) for step, state in zip(behaviour.steps, shown, strict=True))
    return replace(behaviour, variables=names, steps=steps)


def _fields(found: Found | None) -> Mapping[str, Any]:
    value = _shown(found)
    record = isinstance(value, dict) and not any(key.startswith("#") for key in value)
    return value if record else {"ALIAS": value}


def _column(evaluation: Evaluation, behaviour: Behaviour) -> list[Found | None]:
    if evaluation.level == core.TEMPORAL:
        return [evaluation.over(behaviour)] * len(behaviour.steps)
    return along(evaluation, behaviour)


def _shown(found: Found | None) -> Any:
    if found is None:
        return {"#unserializable": "(no step after it)"}
    return {"#unserializable": f"({found.text.partition(chr(10))[0]})"} if found.error is not None else found.value
