"""How often each expression of a specification was evaluated, and what that cost, as a tree of its text.

A count is how often an expression was evaluated, for states and steps that were found more than once, too. Its cost is
the number of evaluations that it led to: its own, those of its parts, and its share of those of the definitions that
it calls (by how many of their calls it made).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Set
from dataclasses import field
from enum import StrEnum

from rmqproof.model.evaluate.counting import INITIAL, Evaluations, Place
from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.tla.source import Location, Source
from rmqproof.model.tla.walk import children

_UNCOUNTED = (
    core.Literal,
    core.ModelValueLiteral,
    core.ConstantReference,
    core.VariableReference,
    core.Reference,
    core.OperatorArgument,
    core.Lambda,
    core.Label,
)
"""What has no counter of its own."""


class Reason(StrEnum):
    """What asks for evaluations."""

    INITIAL = "initial states"
    ACTION = "action"
    PROPERTY = "property"
    CONSTRAINT = "constraint"


@dataclass(frozen=True, slots=True)
class Counted:
    """An expression. `module`: the one in which it stands. `joins`: it is a conjunction, a disjunction, `\\E` or LET.

    `parts`: the counted ones within it, in the text's order.
    """

    at: Location
    module: str
    count: int
    cost: int
    joins: bool
    parts: tuple[Counted, ...] = field(default=(), repr=False)

    def all(self) -> Iterator[Counted]:
        """This one and all within it."""
        yield self
        for part in self.parts:
            yield from part.all()


@dataclass(frozen=True, slots=True)
class Asked:
    """What one action or property evaluated. `at`: where it is defined; None: Next has no name."""

    reason: Reason
    name: str
    at: Location | None
    module: str
    parts: tuple[Counted, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Coverage:
    """`formulas`: the bodies of all definitions that a search can come to, each with what was evaluated of it for any
    reason, in the order of the text."""

    asked: tuple[Asked, ...]
    formulas: tuple[Counted, ...] = field(repr=False)

    @property
    def sources(self) -> list[Source]:
        """The texts of the counted expressions."""
        return list({part.at.source.name: part.at.source for part in self.formulas}.values())

    def expressions(self) -> Iterator[Counted]:
        for part in self.formulas:
            yield from part.all()

    @property
    def never(self) -> list[Counted]:
        """What was never evaluated; not what stands within such."""
        return [inner for part in self.formulas for inner in _outermost_never(part)]


def _outermost_never(part: Counted) -> Iterator[Counted]:
    if not part.count:
        yield part
        return
    for inner in part.parts:
        yield from _outermost_never(inner)


def coverage_of(model: core.Model, evaluations: Evaluations, actions: list[str]) -> Coverage:
    """What was evaluated until now. `actions`: what the steps are called."""
    counts = evaluations.counts()
    together: Counter[Place] = Counter()
    for (_, place), number in counts.items():
        together[place] += number
    roots = list(_roots(model, actions))
    whole = _Tree(together)
    formulas = {Place.of(node.at): (node, model.specification.name) for _, _, node, _ in roots}
    for definition in _reachable([node for _, _, node, _ in roots]):
        formulas[Place.of(definition.body.at)] = definition.body, definition.module
    parts = [part for _, formula in sorted(formulas.items()) for part in whole.parts(*formula)]
    return Coverage(tuple(_asked(model, counts, set(actions), *root) for root in roots), tuple(parts))


def _roots(model: core.Model, actions: list[str]) -> Iterator[tuple[Reason, str, core.Expression, str]]:
    """Reason, name, formula, and the name by which evaluations are counted."""
    definitions = model.specification.definitions
    if model.initial is not None:
        yield Reason.INITIAL, _name_of(model.initial, "Init"), model.initial, INITIAL
    if model.next is not None:
        if "Next" not in actions:
            yield Reason.ACTION, _name_of(model.next, "Next"), model.next, "Next"
        for name in actions:
            known = definitions.get(name)
            yield Reason.ACTION, name, known.body if known is not None else model.next, name
    for constraint in (*model.constraints, *model.action_constraints):
        yield Reason.CONSTRAINT, constraint.name, constraint.body, constraint.name
    for invariant in model.invariants:
        yield Reason.PROPERTY, invariant.name, invariant.body, invariant.name
    for prop in model.properties:
        for formula in (*prop.initial, *prop.always, *prop.steps):
            yield Reason.PROPERTY, prop.name, formula, prop.name


def _name_of(node: core.Expression, otherwise: str) -> str:
    return node.definition.name if isinstance(node, core.Call) else otherwise


def _asked(
    model: core.Model,
    counts: Mapping[tuple[str, Place], int],
    actions: set[str],
    reason: Reason,
    name: str,
    node: core.Expression,
    counted_for: str,
) -> Asked:
    own = Counter({place: number for (asked, place), number in counts.items() if asked == counted_for})
    definition = model.specification.definitions.get(name)
    module = definition.module if definition is not None else model.specification.name
    others = actions - {name} if reason is Reason.ACTION else set()
    tree = _Tree(own, others)
    at = definition.at if definition is not None else None
    return Asked(reason, name, at, module, tree.unfolded(node, module))


class _Tree:
    """Writes trees of what has a counter. `others`: definitions that are counted for themselves."""

    def __init__(self, counts: Mapping[Place, int], others: Set[str] = frozenset()) -> None:
        self._counts = counts
        self._others = others
        self._unfolded: set[core.Definition] = set()
        self._seen: set[core.Definition] = set()

    def parts(self, node: core.Expression, module: str) -> tuple[Counted, ...]:
        """The outermost counted expressions of a formula; definitions that it calls stay closed."""
        return tuple(self._parts(node, module, unfold=False))

    def unfolded(self, node: core.Expression, module: str) -> tuple[Counted, ...]:
        """The same, with the body of each definition where it is called first."""
        return tuple(self._parts(node, module, unfold=True))

    def _parts(self, node: core.Expression, module: str, unfold: bool) -> Iterator[Counted]:
        inner = tuple(part for child in children(node) for part in self._parts(child, module, unfold))
        called = node.definition if isinstance(node, core.Call) else None
        if unfold and called is not None and called.name not in self._others and called not in self._unfolded:
            self._unfolded.add(called)
            yield from inner
            yield from self._parts(called.body, called.module, unfold)
            return
        count = self._counts.get(Place.of(node.at)) if not isinstance(node, _UNCOUNTED) else None
        if count is None:
            yield from inner
            return
        cost = count + sum(part.cost for part in inner)
        if called is not None and not unfold:
            cost += self._share(called, count)
        yield Counted(node.at, module, count, cost, _joins(node), inner)

    def _share(self, definition: core.Definition, calls: int) -> int:
        """What this many of a definition's calls cost; nothing within itself."""
        if definition in self._seen or not calls:
            return 0
        self._seen.add(definition)
        try:
            parts = self.parts(definition.body, definition.module)
        finally:
            self._seen.discard(definition)
        entered = max((part.count for part in parts), default=0)
        return sum(part.cost for part in parts) * calls // max(entered, calls)


def _joins(node: core.Expression) -> bool:
    match node:
        case core.Builtin(operator="/\\" | "\\/") | core.Quantified(kind="\\E") | core.Let():
            return True
    return False


def _reachable(nodes: list[core.Expression]) -> list[core.Definition]:
    """The definitions that these formulas lead to."""
    found: dict[core.Definition, None] = {}
    todo = list(nodes)
    while todo:
        node = todo.pop()
        used: object = node.definition if isinstance(node, core.Call) else None
        used = node.target if isinstance(node, core.OperatorArgument) else used
        if isinstance(used, core.Definition) and used not in found:
            found[used] = None
            todo.append(used.body)
        todo += children(node)
    return list(found)
