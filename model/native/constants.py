"""Constants that have no compiled form: the Python engine computes them, and the program has their values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from operator import is_

from rmqproof.model.actions.effects import Effects
from rmqproof.model.evaluate.library.operator import Runtime
from rmqproof.model.evaluate.literals import literal
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.evaluate.values import Value, pairs_of
from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError
from rmqproof.model.tla.walk import bound_names, children, reached, rebuild, used_by, with_definitions
from rmqproof.model.types import operators

from .builtins import COMPARISONS, COMPILERS
from .questions import LAZY, as_written

LARGEST = 20_000
"""Numbers, strings and model values in a constant that is written into the program."""
WRITTEN = frozenset([*COMPILERS, *COMPARISONS, *LAZY, "BOOLEAN"])


def settle_constants(model: core.Model) -> bool:
    """Give definitions that are constants and have no compiled form their value as body, and so what is constant
    inside of other definitions; whether there were any.

    That changes the model for all that use it, and what it means for none.
    """
    settling = _Settling(model)
    definitions = _definitions_of(model)
    for definition in definitions:
        if _is_constant(definition) and settling.is_value(definition) and _is_hard(definition.body, set()):
            value = settling.value(core.Call(definition.at, definition))
            definition.body = value if value is not None else definition.body
    for definition in definitions:
        definition.body = settling.inside(definition.body)
    return settling.any


@dataclass(slots=True)
class _Settling:
    """Computes values of constants. `any`: there was one."""

    model: core.Model
    any: bool = False
    _system: PythonSystem | None = None
    _effects: Effects = field(default_factory=lambda: Effects(False))

    def is_value(self, definition: core.Definition) -> bool:
        """Whether TLC has a value for a constant, or goes several ways through it, which are steps of their own."""
        return not definition.local or not self._effects.several_ways(definition.body)

    def value(self, e: core.Expression) -> core.Expression | None:
        """The value of a closed expression as it is written; None: it has none, is too large, or to compute it does
        something, or it is not the same each time."""
        if _is_open(e):
            return None
        self._system = self._system if self._system is not None else PythonSystem(self.model, _silent())
        if not self._system.analysis.of(e).constant:
            return None
        try:
            value = self._system.constant(e)
            if _size(value) > LARGEST:
                return None
            written = literal(value, e.at)
        except (TlaError, TypeError):
            return None  # whoever needs it says what is wrong
        self.any = True
        return written

    def inside(self, e: core.Expression) -> core.Expression:
        """`e` with their values for the largest constants in it that have no compiled form."""
        if not _is_hard_here(e):
            return e
        followed = isinstance(e, core.OperatorArgument | core.Lambda) or self._effects.several_ways(e)
        value = None if followed else self.value(e)
        if value is not None:
            return value
        rebuilt = rebuild(e, self.inside)
        return e if all(map(is_, children(e), children(rebuilt))) else rebuilt


def _is_open(e: core.Expression) -> bool:
    """Whether a name occurs that is bound around `e`, in it or in what it leads to."""
    nodes = [*reached(e)]
    bound = {name for node in nodes for name in bound_names(node)}
    bound.update(name for node in nodes for used in used_by(node) for name in used.parameters)
    return any(isinstance(node, core.Reference | core.CallParameter) and node.binding not in bound for node in nodes)


def _silent() -> Runtime:
    """What constants print is printed where the search in Python, or the judge, computes them."""
    return Runtime(output=lambda _: None)


def _is_constant(definition: core.Definition) -> bool:
    return definition.level == core.CONSTANT and not definition.parameters and not definition.recursive


def _definitions_of(model: core.Model) -> list[core.Definition]:
    """The definitions that behaviour and properties use, the outermost first."""
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


def _has_no_form(e: core.Expression) -> bool:
    """Whether the expression, its parts aside, has no compiled form."""
    if isinstance(e, core.Builtin) and operators.short_name(e.operator) not in WRITTEN:
        return as_written(e) is e
    return isinstance(e, core.Choose) and e.binder.domain is None


def _is_hard_here(e: core.Expression) -> bool:
    """Whether something in `e` has no compiled form, the definitions aside to which it leads."""
    return _has_no_form(e) or any(map(_is_hard_here, children(e)))


def _is_hard(e: core.Expression, entered: set[core.Definition]) -> bool:
    """Whether something in `e` has no compiled form, or in what it leads to."""
    if _has_no_form(e):
        return True
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
