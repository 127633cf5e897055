"""Constants that have no compiled form: the Python engine computes them, and the program has their values."""

from __future__ import annotations

from collections.abc import Iterator

from rmqproof.model.evaluate.literals import literal
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.evaluate.values import Value, pairs_of
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError
from rmqproof.model.tla.walk import with_definitions
from rmqproof.model.types import operators

from .builtins import COMPARISONS, COMPILERS
from .questions import LAZY, as_written, has_free_names

LARGEST = 20_000
"""Numbers, strings and model values in a constant that is written into the program."""
WRITTEN = frozenset([*COMPILERS, *COMPARISONS, *LAZY, "BOOLEAN"])


def settle_constants(model: core.Model) -> bool:
    """Give definitions that are constants and have no compiled form their value as body; whether there were any.

    That changes the model for all that use it, and what it means for none.
    """
    hard = [definition for definition in _constants_of(model) if _is_hard(definition.body, set())]
    settled = False
    system: PythonSystem | None = None
    for definition in hard:
        if has_free_names(definition.body, set()):
            continue
        system = system if system is not None else PythonSystem(model)
        call = core.Call(definition.at, definition)
        if not system.analysis.of(call).constant:
            continue  # to compute it does something, or it is not the same each time
        try:
            value = system.constant(call)
            if _size(value) <= LARGEST:
                definition.body = literal(value, definition.at)
                settled = True
        except (TlaError, TypeError):
            continue  # whoever needs it says what is wrong
    return settled


def _constants_of(model: core.Model) -> list[core.Definition]:
    """The constant definitions without parameters that behaviour and properties use, the outermost first."""
    found: dict[core.Definition, None] = {}
    entered: set[core.Definition] = set()
    used = [*model.invariants, *model.constraints, *model.action_constraints, *(p.definition for p in model.properties)]
    used += [d for d in (model.view, model.symmetry) if d is not None]
    waiting = [e for e in (model.initial, model.next, *(d.body for d in used)) if e is not None]
    while waiting:
        e = waiting.pop()
        for definition in _definitions_in(e):
            if definition in entered:
                continue
            entered.add(definition)
            if definition.level == core.CONSTANT and not definition.parameters and not definition.recursive:
                found[definition] = None
            waiting.append(definition.body)
    return list(found)


def _definitions_in(e: core.Expression) -> Iterator[core.Definition]:
    if isinstance(e, core.Call):
        yield e.definition
    if isinstance(e, core.OperatorArgument) and isinstance(e.target, core.Definition):
        yield e.target
    if isinstance(e, core.ConstantReference) and e.constant.value is not None:
        yield from _definitions_in(e.constant.value)
    for child in with_definitions(e):
        yield from _definitions_in(child)


def _is_hard(e: core.Expression, entered: set[core.Definition]) -> bool:
    """Whether something in `e` has no compiled form."""
    if isinstance(e, core.Choose) and e.binder.domain is None:
        return True
    if isinstance(e, core.Builtin) and operators.short_name(e.operator) not in WRITTEN:
        return as_written(e) is e
    for definition in _definitions_in(e):
        if definition not in entered:
            entered.add(definition)
            if _is_hard(definition.body, entered):
                return True
    return any(_is_hard(child, entered) for child in with_definitions(e))


def _size(value: Value) -> int:
    if isinstance(value, frozenset):
        return sum(map(_size, value))
    if isinstance(value, tuple):
        return sum(_size(key) + _size(item) for key, item in pairs_of(value))
    return 1
