"""Which elements of a universe can pass the first conditions of a loop: a bit set that is computed once.

In `\\E m \\in msgs : m.type = "vote" /\\ m.ballot > ballot[a] /\\ …` only messages of one type matter. What the
conditions in front say of an element alone is asked of each value of the universe when the search starts; the loop
goes through the elements that may pass. Those for which a condition has no value stay, so that it fails where it did.
"""

from __future__ import annotations

from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.tla.walk import with_definitions
from rmqproof.model.types import operators
from rmqproof.model.types.domain import Nothing, Set
from rmqproof.model.types.hints import conjuncts

from .context import Context
from .elements import added
from .ranks import value_of_rank
from .terms import Bound, C, Env

ASKED = frozenset(
    [
        "=", "#", "/=", "/\\", "\\/", "~", "\\lnot", "=>", "<=>", "\\in", "\\notin", "<", ">", "\\leq", "<=", "=<",
        "\\geq", ">=", "+", "-", "..", "Nat", "BOOLEAN",
    ]
)  # fmt: skip
"""Operators of conditions that are asked of every value beforehand: what takes no time, and does nothing else."""
SIMPLE = (
    core.Literal, core.ModelValueLiteral, core.ConstantReference, core.FieldAccess, core.FunctionApplication,
    core.SetEnumeration, core.TupleExpression, core.Reference, core.Builtin,
)  # fmt: skip
Parts = tuple[tuple[core.Expression, frozenset[core.Binding]], ...]


@dataclass(frozen=True, slots=True)
class Guard:
    """The condition in front of what a loop does for an element that goes by the name `element`."""

    element: core.Binding
    condition: core.Expression


def guard_of(binder: core.Binder, body: core.Expression, every: bool = False) -> Guard | None:
    """`every`: the loop looks for an element of which the body is false, as `\\A` does."""
    if binder.is_tuple or len(binder.bindings) != 1:
        return None
    if not every:
        return Guard(binder.bindings[0], body)
    implies = isinstance(body, core.Builtin) and body.operator == "=>"
    return Guard(binder.bindings[0], body.arguments[0]) if implies and isinstance(body, core.Builtin) else None


def may_pass(x: Context, items: Set, guard: Guard | None) -> str:
    """The C name of the set of the values that may pass the guard; "" where it says nothing of them alone."""
    size = x.universe_size(items.element)
    if guard is None or size is None or size < 2 or isinstance(items.element, Nothing):
        return ""
    parts, _ = _of_element_alone(guard.condition, frozenset([guard.element]))
    if not parts:
        return ""
    key = ((*(condition for condition, _ in parts), items.element), None)
    if key not in x.hoisted:
        x.hoisted[key] = C(_table(x, Set(items.element), size, parts), items)
    return x.hoisted[key].code


def _table(x: Context, items: Set, size: int, parts: Parts) -> str:
    name, y = x.name("constant"), x.name()
    value = C(y, items.element, lvalue=True)
    with x.aiming(-1), x.apart():
        tests = []
        for condition, names in parts:
            bound: dict[core.Binding, Bound] = dict.fromkeys(names, value)
            tests.append(x.condition(condition, Env().bind(bound)).code)
    x.constants.append(f"static {x.c_type(items)} {name};")
    x.initialisers.append(
        f"for (I {y}i = 0; {y}i < {size}; {y}i++) {{ c->soft = 1; c->kept = 0; c->depth = 0; "
        f"{x.c_type(items.element)} {y} = {value_of_rank(x.routines, items.element, f'{y}i')}; "
        f"I {y}may = {' && '.join(tests)}; if ({y}may || c->kept) {added(x.routines, items, name, y)} }} c->soft = 0;"
    )
    return name


def _of_element_alone(e: core.Expression, names: frozenset[core.Binding]) -> tuple[Parts, bool]:
    """The conditions at the beginning of `e` that speak of the element alone, each with the names by which the element
    goes there, and whether those are all of `e`; operators that are given the element are opened."""
    found: Parts = ()
    for part in conjuncts(e):
        inner = _names_within(part, names)
        more: Parts = ()
        whole = False
        if inner and isinstance(part, core.Call):
            more, whole = _of_element_alone(part.definition.body, inner)
        elif _speaks_of(part, names):
            more, whole = ((part, names),), True
        found += more
        if not whole:
            return found, False
    return found, True


def _names_within(e: core.Expression, names: frozenset[core.Binding]) -> frozenset[core.Binding]:
    """The parameters for which a call gives the element, where to evaluate its arguments cannot fail."""
    if not isinstance(e, core.Call) or e.definition.local or e.definition.recursive:
        return frozenset()
    if not all(isinstance(a, core.Reference | core.Literal | core.ModelValueLiteral) for a in e.arguments):
        return frozenset()
    given = zip(e.definition.parameters, e.arguments, strict=True)
    return frozenset(p for p, a in given if isinstance(a, core.Reference) and a.binding in names)


def _speaks_of(e: core.Expression, names: frozenset[core.Binding]) -> bool:
    if not isinstance(e, SIMPLE):
        return False
    if isinstance(e, core.Reference):
        return e.binding in names
    if isinstance(e, core.Builtin) and operators.short_name(e.operator) not in ASKED:
        return False
    if isinstance(e, core.ConstantReference):
        return e.constant.value is not None
    return all(_speaks_of(child, names) for child in with_definitions(e))
