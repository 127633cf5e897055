"""Where an expression is evaluated, and what the names in it are bound to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from rmqproof.model.tla import core


class Unset:
    """Stands for a variable that has no value yet."""

    def __repr__(self) -> str:
        return "(no value yet)"


UNSET = Unset()
State = tuple[Any, ...]
"""The values of the variables, in the order of their declaration."""


class Moment(NamedTuple):
    """Where an expression is evaluated. `after` None: there is no next state to speak of."""

    now: State | None
    after: State | None


Environment = Mapping[Any, Any]
"""What bindings and LET definitions stand for: a value, a `Late` expression, an `Operator`; the names around."""


@dataclass(slots=True)
class Late:
    """An argument or a LET definition, with the names around it; `value` is that at `moment`."""

    node: core.Expression
    env: Environment
    moment: Moment | None = None
    value: Any = None


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator that was passed as an argument."""

    parameters: tuple[core.Binding, ...]
    body: core.Expression
    env: Environment
    name: str = ""
