"""Take temporal formulas apart the way a checker needs them: where states start, how they step, what must hold.

A behaviour specification is a conjunction of state formulas, one `[][Next]_v` and fairness; a property one of state
formulas, `[]P`, `[][A]_v` and the rest. The conjuncts are found through definitions, LET, labels, instances and
the parameters of definitions, as TLC's `SpecProcessor` does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError
from rmqproof.model.tla.substitute import substitute

LevelOf = Callable[[core.Expression], int]
Wrap = Callable[[core.Expression], core.Expression]


@dataclass(slots=True)
class Behaviour:
    """The parts of a SPECIFICATION."""

    initial: list[core.Expression] = field(default_factory=list)
    next: core.BoxAction | None = None
    fairness: list[core.Expression] = field(default_factory=list)


def split_behaviour(body: core.Expression, level_of: LevelOf) -> Behaviour:
    """Raise `TlaError` of kind `config` where the formula has a conjunct that no behaviour specification has."""
    found = Behaviour()
    _behaviour(body, found, level_of, lambda e: e)
    return found


def _behaviour(node: core.Expression, found: Behaviour, level_of: LevelOf, wrap: Wrap) -> None:
    if isinstance(node, core.Let):
        _behaviour(node.body, found, level_of, _in_let(wrap, node))
    elif isinstance(node, core.Label):
        _behaviour(node.body, found, level_of, wrap)
    elif isinstance(node, core.Call) and not node.definition.recursive:
        if not node.arguments and level_of(node) <= core.STATE:
            found.initial.append(wrap(node))
        else:
            _behaviour(opened(node), found, level_of, wrap)
    elif isinstance(node, core.Builtin) and node.operator == "/\\":
        for argument in node.arguments:
            _behaviour(argument, found, level_of, wrap)
    elif isinstance(node, core.TemporalQuantified):
        raise _refused(f"a specification with {node.kind} cannot be explored", node)
    elif isinstance(node, core.Builtin) and node.operator == "[]" and isinstance(node.arguments[0], core.BoxAction):
        if found.next is not None:
            raise _refused("there is a second [][...]_v: a specification has one next-state action", node)
        wrapped = wrap(node.arguments[0].action)
        found.next = core.BoxAction(node.arguments[0].at, wrapped, wrap(node.arguments[0].subscript))
    else:
        level = level_of(node)
        if isinstance(node, core.Builtin) and node.operator == "[]" and level_of(node.arguments[0]) <= core.STATE:
            raise _refused(
                "[] of a state formula restricts behaviours in a way that cannot be explored",
                node,
                "Make it an invariant, or a conjunct of the next-state action.",
            )
        if level <= core.STATE:
            if not (isinstance(node, core.Literal) and node.value is True):
                found.initial.append(wrap(node))
        elif level == core.TEMPORAL:
            found.fairness.append(wrap(node))
        else:
            raise _refused("an action is a conjunct of the specification", node, "Write [][A]_v for all steps.")


@dataclass(slots=True)
class Parts:
    """The parts of a property, as in `core.Property`."""

    initial: list[core.Expression] = field(default_factory=list)
    always: list[core.Expression] = field(default_factory=list)
    steps: list[core.BoxAction] = field(default_factory=list)
    liveness: list[core.Expression] = field(default_factory=list)


def split_property(body: core.Expression, level_of: LevelOf, everything: core.Expression) -> Parts:
    """`everything` is the tuple of all variables. Raise `TlaError` of kind `config` for a bare action."""
    found = Parts()
    _property(body, found, level_of, everything, lambda e: e, False)
    return found


def _property(
    node: core.Expression, found: Parts, level_of: LevelOf, everything: core.Expression, wrap: Wrap, bound: bool
) -> None:
    if isinstance(node, core.Let):
        _property(node.body, found, level_of, everything, _in_let(wrap, node), bound)
    elif isinstance(node, core.Label):
        _property(node.body, found, level_of, everything, wrap, bound)
    elif isinstance(node, core.Call) and not node.definition.recursive and level_of(node) > core.STATE:
        _property(opened(node), found, level_of, everything, wrap, bound)
    elif isinstance(node, core.Builtin) and node.operator == "/\\":
        for argument in node.arguments:
            _property(argument, found, level_of, everything, wrap, bound)
    elif isinstance(node, core.Quantified) and node.kind == "\\A" and _over_constants(node, level_of):
        _property(node.body, found, level_of, everything, _in_forall(wrap, node), True)
    elif isinstance(node, core.Builtin) and node.operator == "[]":
        inner = node.arguments[0]
        if isinstance(inner, core.BoxAction):
            if bound:
                inner = core.BoxAction(inner.at, wrap(inner), everything)
                found.steps.append(inner)
            else:
                found.steps.append(core.BoxAction(inner.at, wrap(inner.action), wrap(inner.subscript)))
        elif level_of(inner) <= core.STATE:
            found.always.append(wrap(inner))
        else:
            found.liveness.append(wrap(node))
    else:
        level = level_of(node)
        if level <= core.STATE:
            found.initial.append(wrap(node))
        elif level == core.TEMPORAL:
            found.liveness.append(wrap(node))
        else:
            raise _refused("a property is an action", node, "Write [][A]_v: every step is an A step or leaves v alone.")


def opened(call: core.Call) -> core.Expression:
    """The body of the definition with the arguments in place of the parameters."""
    if not call.arguments:
        return call.definition.body
    return substitute(call.definition.body, dict(zip(call.definition.parameters, call.arguments, strict=True)))


def _in_let(wrap: Wrap, let: core.Let) -> Wrap:
    return lambda e: wrap(core.Let(let.at, let.definitions, e))


def _in_forall(wrap: Wrap, node: core.Quantified) -> Wrap:
    return lambda e: wrap(core.Quantified(node.at, node.kind, node.binders, e))


def _over_constants(node: core.Quantified, level_of: LevelOf) -> bool:
    """Is it a temporal formula for each of some constants?"""
    return level_of(node) > core.STATE and all(
        binder.domain is not None and level_of(binder.domain) == core.CONSTANT for binder in node.binders
    )


def _refused(message: str, node: core.Expression, remedy: str = "") -> TlaError:
    return TlaError(message, node.at, remedy, "config")
