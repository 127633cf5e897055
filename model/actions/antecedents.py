"""What a property assumes: where that is never true, the property holds of nothing (Beer et al., *Efficient detection
of vacuity*, 2001).

The antecedent of a property is read off its own form: of `A => B` it is `A`, of `\\A x \\in S : A(x) => B(x)` it is
`\\E x \\in S : A(x)`, of `S \\subseteq T` and of `x \\notin S` that S has an element. Some reachable state, or step,
has to make it true, or the property could not have failed. A formula of another form could fail anywhere: nothing is
said of it.

A specification can say more than the form does, of `~history.flag` for instance: where it defines `PIsIdle`, that is
where the property P has nothing to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from rmqproof.model.actions.facts import Analysis
from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.tla.source import Location

IDLE = "IsIdle"
"""A definition of this name behind a property's, a formula about a state, takes the place of the property's form."""
MOST = 64
"""So many antecedents are looked for, a bit of a word each."""
_DEEP = 100
"""Definitions within definitions."""


@dataclass(frozen=True, slots=True, eq=False)
class Antecedent:
    """`expression` is about a state, or with `step` about a step. `at`: of the property."""

    name: str
    expression: core.Expression
    step: bool
    at: Location

    @property
    def idle(self) -> core.Expression:
        """That it is not true."""
        return _not(self.expression)


def antecedents_of(model: core.Model) -> tuple[Antecedent, ...]:
    """Those of invariants, of `[]P` and of `[][A => B]_v`; those of states come first."""
    analysis = Analysis()
    found = (each for each in _found(model) if not analysis.of(each.expression).impure)
    return tuple(sorted(islice(found, MOST), key=lambda each: each.step))


def _found(model: core.Model) -> Iterator[Antecedent]:
    for invariant in model.invariants:
        if invariant.level == core.CONSTANT:  # what is said of those does not depend on the search
            continue
        written = _written(model, invariant.name, invariant.at)
        yield from [written] if written else _antecedent(invariant.name, invariant.body, False, invariant.at)
    for prop in model.properties:
        written = _written(model, prop.name, prop.at) if not prop.liveness else None
        if written:
            yield written
            continue
        parts = len(prop.initial) + len(prop.always) + len(prop.steps) + len(prop.liveness)
        if parts > 1:
            continue  # another part may say something where this one does not
        for formula in prop.always:
            yield from _antecedent(prop.name, formula, False, prop.at)
        for box in prop.steps:
            yield from _antecedent(prop.name, box, True, prop.at)


def _written(model: core.Model, name: str, at: Location) -> Antecedent | None:
    """What the specification itself says."""
    idle = model.specification.definitions.get(f"{name}{IDLE}")
    if idle is None or idle.parameters or idle.level > core.STATE:
        return None
    return Antecedent(name, _not(core.Call(idle.at, idle)), False, at)


def _antecedent(name: str, formula: core.Expression, step: bool, at: Location) -> Iterator[Antecedent]:
    expression = could_fail(formula)
    if expression is not None:
        yield Antecedent(name, expression, step, at)


def could_fail(e: core.Expression, depth: int = _DEEP) -> core.Expression | None:
    """What has to be true for `e` to be false, as far as its form says; None where that is TRUE."""
    match e:
        case core.Label():
            return could_fail(e.body, depth)
        case core.Literal(value=True):
            return core.Literal(e.at, False)
        case core.Call():
            return _of_call(e, depth)
        case core.Builtin():
            return _of_builtin(e, depth)
        case core.Quantified(kind="\\A"):
            if any(binder.domain is None for binder in e.binders):
                return None
            return replace(e, kind="\\E", body=_or_true(could_fail(e.body, depth), e.at))
        case core.If():
            then, otherwise = could_fail(e.then, depth), could_fail(e.otherwise, depth)
            if then is None and otherwise is None:
                return None
            return replace(e, then=_or_true(then, e.at), otherwise=_or_true(otherwise, e.at))
        case core.Let():
            body = could_fail(e.body, depth)
            return replace(e, body=body) if body is not None else None
        case core.BoxAction():
            action = could_fail(e.action, depth)
            if action is None:
                return None
            still = core.Builtin(e.at, "UNCHANGED", (e.subscript,))
            return core.Builtin(e.at, "/\\", (_not(still), action))
    return None


def _of_call(e: core.Call, depth: int) -> core.Expression | None:
    definition = e.definition
    if definition.recursive or not depth:
        return None
    body = could_fail(definition.body, depth - 1)
    if body is None or not definition.parameters:
        return body
    if definition.local:
        return None  # it has no place outside of its LET
    changed = core.Definition(
        definition.name, definition.module, definition.at, definition.parameters, body, level=definition.level
    )
    return replace(e, definition=changed)


def _of_builtin(e: core.Builtin, depth: int) -> core.Expression | None:
    match e.operator, e.arguments:
        case "=>", (assumed, asserted):
            return _both([assumed], could_fail(asserted, depth), e.at)
        case "/\\", parts:
            found = [could_fail(part, depth) for part in parts]
            some = [each for each in found if each is not None]
            return core.Builtin(e.at, "\\/", tuple(some)) if len(some) == len(found) else None
        case "\\/", parts:
            assumed_ = [p.arguments[0] for p in parts if isinstance(p, core.Builtin) and p.operator == "~"]
            rest = [p for p in parts if not (isinstance(p, core.Builtin) and p.operator == "~")]
            if not assumed_ or not rest:
                return None
            return _both(assumed_, could_fail(rest[0], depth) if len(rest) == 1 else None, e.at)
        case "~", (core.Quantified(kind="\\E") as denied,):
            if any(binder.domain is None for binder in denied.binders):
                return None
            return replace(denied, body=core.Literal(e.at, True))
        case "~", (core.Builtin(operator="\\in") as denied,):
            return _some(denied.arguments[1])
        case "\\notin", (_, into):
            return _some(into)
        case "\\subseteq", (part, _):
            return _some(part)
        case "=", (core.Builtin(operator="\\cap" | "\\intersect") as meet, core.SetEnumeration(items=())):
            return core.Builtin(e.at, "/\\", tuple(_some(each) for each in meet.arguments))
    return None


def _both(assumed: Iterable[core.Expression], more: core.Expression | None, at: Location) -> core.Expression:
    parts = (*assumed, *(() if more is None else (more,)))
    return parts[0] if len(parts) == 1 else core.Builtin(at, "/\\", parts)


def _some(of: core.Expression) -> core.Expression:
    """`of` has an element."""
    return core.Builtin(of.at, "#", (of, core.SetEnumeration(of.at, ())))


def _not(e: core.Expression) -> core.Expression:
    return core.Builtin(e.at, "~", (e,))


def _or_true(e: core.Expression | None, at: Location) -> core.Expression:
    return e if e is not None else core.Literal(at, True)
