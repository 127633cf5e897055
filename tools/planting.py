"""Vacuities planted in a model by a machine: a true conjunct beside each guard, a disjunct that is never true and one
that is there twice in each disjunction of Next, an invariant and a liveness property that assume what is never true.

Each stands in a line of its own of a file that does not exist, so that what is found can be told from what is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from rmqproof.model.actions.facts import Analysis
from rmqproof.model.audit.mutation import hosts_of
from rmqproof.model.audit.vacuity import Kind
from rmqproof.model.tla import core
from rmqproof.model.tla.source import Location, Source
from rmqproof.model.tla.substitute import substitute
from rmqproof.model.tla.walk import rebuild

LINES = 4000


@dataclass
class Planted:
    """`kinds` by line of the file, the names of properties, and the definitions in which something was planted."""

    model: core.Model
    kinds: dict[int, Kind] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    hosts: dict[int, str] = field(default_factory=dict)
    host: str = ""
    source: Source = field(default_factory=lambda: Source("planted.tla", "planted\n" * LINES))

    def place(self, kind: Kind) -> Location:
        line = len(self.kinds) + 1
        self.kinds[line], self.hosts[line] = kind, self.host
        return Location(self.source, line, 1, line, 8)


@contextmanager
def planted(model: core.Model, most: int = 40) -> Iterator[Planted]:
    """The definitions are as before afterwards."""
    garden = Planted(model)
    bodies: list[tuple[core.Definition, core.Expression]] = []
    assert model.next is not None
    variable = model.specification.variables[0]
    analysis = Analysis()
    next_step = model.next

    def compared(operator: str, at: Location) -> core.Expression:
        reference = core.VariableReference(at, variable)
        return core.Builtin(at, operator, (reference, reference))

    def visit(node: core.Expression) -> core.Expression:
        new = rebuild(node, visit)
        if not isinstance(new, core.Builtin) or not analysis.of(node).primed or len(garden.kinds) >= most:
            return new
        if new.operator == "/\\":
            return core.Builtin(new.at, "/\\", (compared("=", garden.place(Kind.CONJUNCT)), *new.arguments))
        if new.operator == "\\/":
            never = compared("#", garden.place(Kind.DISJUNCT))
            idle = core.Builtin(never.at, "UNCHANGED", (all_variables(never.at, model),))
            both = core.Builtin(never.at, "/\\", (never, idle))
            at = garden.place(Kind.DISJUNCT)
            again = partial(copied, new.arguments[0], at)
            twice = core.If(at, core.Literal(at, True), again(), again())
            return core.Builtin(new.at, "\\/", (*new.arguments, both, twice))
        return new

    for host, body in list(hosts_of(next_step)):
        garden.host = host.name if host is not None else ""
        changed = visit(body)
        if host is None:
            next_step = changed
        else:
            bodies.append((host, host.body))
            host.body = changed
    garden.host = ""
    invariant, prop = _properties(garden, variable)
    invariants, properties = (*model.invariants, invariant), (*model.properties, prop)
    garden.model = replace(model, next=next_step, invariants=invariants, properties=properties)
    try:
        yield garden
    finally:
        for host, body in bodies:
            host.body = body


def copied(node: core.Expression, at: Location) -> core.Expression:
    """A copy that stands in another place, for no node of a tree stands in two."""

    def moved(part: core.Expression) -> core.Expression:
        new: core.Expression = replace(rebuild(part, moved), at=at)
        return new

    return moved(substitute(node, {}))


def all_variables(at: Location, model: core.Model) -> core.Expression:
    return core.TupleExpression(at, tuple(core.VariableReference(at, each) for each in model.specification.variables))


def _properties(garden: Planted, variable: core.Variable) -> tuple[core.Definition, core.Property]:
    """An invariant `v # v => FALSE`, and a property `v # v ~> FALSE`."""

    def never(at: Location) -> core.Expression:
        reference = core.VariableReference(at, variable)
        return core.Builtin(at, "#", (reference, reference))

    at = garden.place(Kind.TRIVIAL)
    body = core.Builtin(at, "=>", (never(at), core.Literal(at, False)))
    invariant = core.Definition("PlantedInvariant", "planted", at, (), body, level=core.STATE)
    garden.names[at.line] = invariant.name
    at = garden.place(Kind.TRIVIAL)
    formula = core.Builtin(at, "~>", (never(at), core.Literal(at, False)))
    definition = core.Definition("PlantedProperty", "planted", at, (), formula, level=core.TEMPORAL)
    garden.names[at.line] = definition.name
    return invariant, core.Property(definition.name, at, definition, liveness=(formula,))
