"""Which steps depend on each other, which enable each other, and which of them a property sees.

Each relation is a list of bit sets by instance. `exact` asks the whole graph: no analysis of a specification can find
more independence that holds in every state. `static` asks the action form.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rmqproof.model.actions.access_paths import ANY, AccessPath, Argument, Key, Known, Names, Passed, may_overlap, put
from rmqproof.model.actions.dependence import Dependence
from rmqproof.model.actions.footprint import Footprint, footprints
from rmqproof.model.evaluate.values import Function, Value, boolean
from rmqproof.model.infer.clauses import elements
from rmqproof.model.tla import core
from tools.reduction.graph import Graph, Instance, masks

Relation = list[int]
_MOST_BINDINGS = 200


@dataclass(frozen=True, slots=True)
class Relations:
    """`dependent`: two orders differ, or one disables the other. `enabling[t]`: before t is enabled, one of these is
    taken."""

    dependent: Relation
    enabling: Relation


def exact(graph: Graph) -> Relations:
    """What the graph shows: independent are two instances that commute wherever both are enabled."""
    count = len(graph.instances)
    dependent, enabling = [0] * count, [0] * count
    enabled = masks(graph)
    for state, steps in enumerate(graph.steps):
        here = list(steps)
        for number, one in enumerate(here):
            for other in here[number + 1 :]:
                if not dependent[one] >> other & 1 and not _commute(graph, steps, one, other):
                    dependent[one] |= 1 << other
                    dependent[other] |= 1 << one
        for instance, targets in steps.items():
            for target in targets:
                for other in elements(enabled[target] & ~enabled[state]):
                    enabling[other] |= 1 << instance
    return Relations(dependent, enabling)


def _commute(graph: Graph, steps: dict[int, frozenset[int]], one: int, other: int) -> bool:
    """Neither disables the other, and both orders lead to the same states."""
    ends = []
    for first, second in ((one, other), (other, one)):
        found: set[int] = set()
        for target in steps[first]:
            later = graph.steps[target].get(second)
            if later is None:
                return False
            found |= later
        ends.append(found)
    return ends[0] == ends[1]


def coenabled(graph: Graph) -> Relation:
    """Which instances are enabled together in some state."""
    found = [0] * len(graph.instances)
    for mask in set(masks(graph)):
        for instance in elements(mask):
            found[instance] |= mask
    return found


# --- the action form -------------------------------------------------------------------------------------------------


def static(model: core.Model, graph: Graph) -> Relations:
    """What the reads and writes of the actions show, with the arguments that the instances have."""
    assert model.next is not None
    known = footprints(model.next, model.specification.variables, ghosts=True)
    prints = [_footprint(model, known, instance) for instance in graph.instances]
    conflicts: dict[tuple[frozenset[AccessPath], frozenset[AccessPath]], bool] = {}

    def meet(written: frozenset[AccessPath], others: frozenset[AccessPath]) -> bool:
        key = written, others
        if key not in conflicts:
            conflicts[key] = any(may_overlap(access, other) for access in written for other in others)
        return conflicts[key]

    count = len(prints)
    dependent, enabling = [0] * count, [0] * count
    for one, mine in enumerate(prints):
        for other, its in enumerate(prints):
            if meet(mine.writes, its.reads | its.writes):
                dependent[one] |= 1 << other
                dependent[other] |= 1 << one
            if meet(mine.writes, its.reads):
                enabling[other] |= 1 << one
    return Relations(dependent, enabling)


def _footprint(model: core.Model, known: Mapping[str, Footprint], instance: Instance) -> Footprint:
    """Of an instance of which nothing is known: everything."""
    footprint = known.get(instance.action)
    if footprint is None:
        whole = frozenset(AccessPath(variable.name) for variable in model.specification.variables)
        return Footprint(whole, whole)
    definition = model.specification.definitions.get(instance.action)
    # a step does not say the arguments that are passed as expressions: then it is not known which one is which
    all_said = definition is not None and len(definition.parameters) == len(instance.arguments)

    def key(found: Key) -> Key:
        if isinstance(found, Argument) and all_said:
            return Known(name_of(instance.arguments[found.position]))
        return _plain(found)

    return Footprint(
        frozenset(put(access, key) for access in footprint.reads),
        frozenset(put(access, key) for access in footprint.writes),
    )


def name_of(value: Value) -> str:
    """A value as a key: a model value and a string with its name are taken for one, which only adds conflicts."""
    return str(value)


# --- properties ------------------------------------------------------------------------------------------------------


def seen(model: core.Model, graph: Graph, only: Sequence[str] = ()) -> Relation:
    """Which instances change what one and the same conjunct of a property reads.

    A conjunct is that of an invariant for one choice of its constant sets' elements; that a step changes something is
    taken from the graph. With two such steps as dependent no violation is missed: what is left out can be done later.
    """
    conjuncts = list(dict.fromkeys(_conjuncts(model, only)))
    changes = _changes(model, graph, {access for conjunct in conjuncts for access in conjunct})
    found = [0] * len(graph.instances)
    for conjunct in conjuncts:
        mask = 0
        for access in conjunct:
            mask |= changes[access]
        for instance in elements(mask):
            found[instance] |= mask
    return found


def _changes(model: core.Model, graph: Graph, accesses: Iterable[AccessPath]) -> dict[AccessPath, int]:
    """By access, the instances that change it somewhere."""
    index = {variable.name: number for number, variable in enumerate(model.specification.variables)}
    found = dict.fromkeys(accesses, 0)
    by_variable: dict[int, list[AccessPath]] = {}
    for access in found:
        by_variable.setdefault(index[access.variable], []).append(access)
    known: set[tuple[int, int, Value, Value]] = set()
    for before, steps in zip(graph.states, graph.steps, strict=True):
        for instance, targets in steps.items():
            for target in targets:
                after = graph.states[target]
                for variable, of_it in by_variable.items():
                    old, new = before[variable], after[variable]
                    if old is new or old == new or (instance, variable, old, new) in known:
                        continue
                    known.add((instance, variable, old, new))
                    for access in of_it:
                        if not found[access] >> instance & 1 and _at(old, access.path) != _at(new, access.path):
                            found[access] |= 1 << instance
    return found


def _at(value: Value, path: Sequence[Key]) -> Value:
    """The part of a value at a path; the whole from where a key is not known or is not there."""
    for key in path:
        if not isinstance(key, Known):
            return value
        parts = _parts(value)
        if key.value not in parts:
            return value
        value = parts[key.value]
    return value


def _parts(value: Value) -> dict[object, Value]:
    if isinstance(value, Function):
        return {name_of(key): part for key, part in value.items()}
    return {str(number): part for number, part in enumerate(value, 1)} if isinstance(value, tuple) else {}


def _conjuncts(model: core.Model, only: Sequence[str]) -> Iterator[frozenset[AccessPath]]:
    depends = Dependence([variable.name for variable in model.specification.variables])
    formulas = [(d.name, d.body) for d in model.invariants]
    formulas += [(p.name, formula) for p in model.properties for formula in (*p.always, *p.steps)]
    for name, formula in formulas:
        if not only or name in only:
            for reads in _parts_of(formula, Names(), depends):
                yield frozenset(put(access, _plain) for access in reads)


def _plain(key: Key) -> Key:
    if not isinstance(key, Known):
        return ANY
    return Known(name_of(boolean(key.value) if isinstance(key.value, bool) else key.value))


def _parts_of(e: core.Expression, names: Names, depends: Dependence) -> Iterator[frozenset[AccessPath]]:
    """What each conjunct of a formula reads."""
    opened = depends.names.opened(e, names)
    if isinstance(opened, Passed):
        e, names = opened.expression, opened.names
        match e:
            case core.Call(definition=definition) if not definition.recursive and not any(
                parameter.arity for parameter in definition.parameters
            ):
                yield from _parts_of(definition.body, depends.names.entered(e, names), depends)
                return
            case core.Builtin(operator="/\\", arguments=parts):
                for part in parts:
                    yield from _parts_of(part, names, depends)
                return
            case core.Let():
                yield from _parts_of(e.body, names.let(e.definitions), depends)
                return
            case core.Builtin(operator="=>", arguments=(condition, then)):
                tested = depends.reads(condition, names)
                for reads in _parts_of(then, names, depends):
                    yield reads | tested
                return
            case core.Quantified(kind="\\A"):
                inner, chosen = depends.chosen(e.binders, names)
                for bound in _choices(e.binders, names, depends):
                    for reads in _parts_of(e.body, names.bind(bound) if bound else inner, depends):
                        yield reads | chosen
                return
    yield depends.reads(e, names)


def _choices(
    binders: Sequence[core.Binder], names: Names, depends: Dependence
) -> list[dict[core.Binding, Key | Passed]]:
    """The elements of sets that are written out, one choice after the other; others stay open."""
    found: list[dict[core.Binding, Key | Passed]] = [{}]
    for binder in binders:
        elements = None
        if binder.domain is not None and not binder.is_tuple:
            elements = depends.names.listed(binder.domain, names)
        for binding in binder.bindings:
            found = [{**choice, binding: element} for choice in found for element in elements or [ANY]]
    return found if len(found) <= _MOST_BINDINGS else [{}]


def joined(one: Relation, other: Relation) -> Relation:
    return [mine | its for mine, its in zip(one, other, strict=True)]


def common(one: Relation, other: Relation) -> Relation:
    return [mine & its for mine, its in zip(one, other, strict=True)]
