"""A model with all its mutants in it, each an alternative: compiled once, and searched once for each.

`~` of an expression and what is written for it by mistake becomes `IF the n-th is chosen THEN mistake ELSE expression`;
`x' = e`, of which the effect is left out, becomes `x' = IF the n-th is chosen THEN x ELSE e`, so that what follows is
there once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from rmqproof.model.audit.mutation import Mutant, hosts_of, primed_variable
from rmqproof.model.tla import core
from rmqproof.model.tla.source import Location
from rmqproof.model.tla.substitute import substitute
from rmqproof.model.tla.walk import rebuild

NONE = 0
"""The alternative that is the specification; others are numbers of mutants."""


@contextmanager
def with_alternatives(model: core.Model, mutants: Sequence[Mutant]) -> Iterator[core.Model]:
    """The definitions are as before afterwards."""
    assert model.next is not None
    places: dict[int, list[Mutant]] = {}
    for mutant in mutants:
        places.setdefault(id(mutant.old), []).append(mutant)
    before: list[tuple[core.Definition, core.Expression]] = []
    next_step = model.next
    try:
        for host, body in list(hosts_of(model.next)):
            changed = _changed(body, places)
            if host is None:
                next_step = changed
            elif changed is not body:
                before.append((host, body))
                host.body = changed
        yield replace(model, next=next_step)
    finally:
        for host, body in before:
            host.body = body


def _changed(node: core.Expression, places: dict[int, list[Mutant]]) -> core.Expression:
    new = rebuild(node, lambda child: _changed(child, places))
    for mutant in places.get(id(node), ()):
        new = _with(new, node, mutant)
    return new


def _with(new: core.Expression, old: core.Expression, mutant: Mutant) -> core.Expression:
    """`new`, which was made of `old`, with this mutant as an alternative."""
    if mutant.left_out is not None:
        assert isinstance(old, core.Builtin) and isinstance(new, core.Builtin)
        place = next(number for number, each in enumerate(old.arguments) if each is mutant.left_out)
        without = _without(new.arguments[place], mutant)
        return core.Builtin(new.at, new.operator, (*new.arguments[:place], without, *new.arguments[place + 1 :]))
    if mutant.rule == "branches swapped":
        assert isinstance(new, core.If)
        other = core.Builtin(new.at, "~", (copied(new.condition),))
        return core.If(new.at, chosen(new.at, mutant, other, new.condition), new.then, new.otherwise)
    return chosen(new.at, mutant, copied(mutant.new), new)


def _without(part: core.Expression, mutant: Mutant) -> core.Expression:
    """A conjunct or disjunct that is not there in the mutant, or an effect."""
    at = part.at
    if mutant.rule == "disjunct left out":
        return chosen(at, mutant, core.Literal(at, False), part)
    if mutant.rule == "effect left out":
        assert isinstance(part, core.Builtin)
        target, value = part.arguments
        reference = primed_variable(target)
        assert reference is not None
        kept: core.Expression = core.VariableReference(at, reference.variable)
        if part.operator == "\\in":
            kept = core.SetEnumeration(at, (kept,))
        return core.Builtin(at, part.operator, (target, chosen(at, mutant, kept, value)))
    return chosen(at, mutant, core.Literal(at, True), part)


def is_chosen(at: Location, mutant: Mutant) -> core.Expression:
    return core.Builtin(at, "is chosen", (core.Literal(at, mutant.number),))


def chosen(at: Location, mutant: Mutant, one: core.Expression, other: core.Expression) -> core.Expression:
    return core.If(at, is_chosen(at, mutant), one, other)


def copied(node: core.Expression) -> core.Expression:
    """No node of a tree stands in two places."""
    return substitute(node, {})
