"""Draws typed expressions of the whole language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from tools.fuzz.tree import Field, Node, Part
from tools.fuzz.types import (
    BASES,
    BOOLEAN,
    Bag,
    Base,
    Case,
    Function,
    Name,
    Record,
    Sequence,
    SetOf,
    Sizes,
    Tagged,
    Tuple,
    Type,
)

LARGE = 8
"""Elements of a set that is still good for SUBSET, and of a domain that is still good for a set of functions."""


WIDE = 8
"""Values of a domain of which a variable gets any, in a step, and at the beginning where there is no SYMMETRY."""


@dataclass(frozen=True, slots=True)
class Operator:
    """A definition that can be used. `parameters` that are tuples of types with a result take an operator."""

    name: tuple[Part, ...]
    parameters: tuple[Type | Higher, ...]
    result: Type
    state: bool
    """Reads variables."""
    recursive: bool = False
    """Calls itself: worth fewer uses, and never in its own arguments."""


@dataclass(frozen=True, slots=True)
class Higher:
    """An operator as an argument."""

    parameters: tuple[Type, ...]
    result: Type


@dataclass(frozen=True, slots=True)
class Scope:
    """What an expression may name."""

    values: tuple[tuple[tuple[Part, ...], Type], ...] = ()
    operators: tuple[Operator, ...] = ()
    state: bool = False
    depth: int = 0
    """Of names bound around: it numbers the next one, so neighbours share names and nested ones do not."""

    def bound(self, *names: tuple[Name, Type]) -> Scope:
        more = tuple(((name,), type) for name, type in names)
        return replace(self, values=self.values + more, depth=self.depth + len(names))

    def deeper(self, names: int) -> Scope:
        """Where so many more names are bound that cannot be used."""
        return replace(self, depth=self.depth + names)

    def with_operator(self, operator: Operator) -> Scope:
        return replace(self, operators=(*self.operators, operator), depth=self.depth + 1)

    def of(self, type: Type) -> list[tuple[Part, ...]]:
        return [name for name, its in self.values if its == type]


@dataclass(slots=True)
class Universe:
    """The values of a specification: base domains as expressions, their literals, and how many there are."""

    domains: dict[Base, tuple[Part, ...]]
    literals: dict[Base, tuple[tuple[Part, ...], ...]]
    sizes: Sizes
    strings: tuple[Name, ...]
    records: tuple[Record, ...]
    tagged: tuple[Tagged, ...] = ()


@dataclass(frozen=True, slots=True)
class Forms:
    """What an expression can look like; a form that is named twice is drawn twice as often."""

    general: tuple[Form, ...]
    """Of any type."""
    of_type: Callable[[Type], tuple[Form, ...]]
    content: Callable[[Expressions, Type, int, Scope], Node | None]
    """Of something tagged."""


@dataclass(slots=True)
class Expressions:
    """`risk`: the share of partial operations that are left unguarded."""

    random: Random
    universe: Universe
    forms: Forms
    risk: float = 0.1
    wild: float = 0.0
    """The share of expressions that have another type than they should."""
    left: int = 400
    """Nodes that may still be drawn before only leaves are."""
    fair: bool = False
    """Some of the actions are fair."""
    bits: bool = False
    """Module Bitwise is extended."""
    extended: frozenset[str] = field(default_factory=frozenset)
    bases: tuple[Base, ...] = BASES
    """What is drawn where any base type will do; one that is named twice is drawn twice as often."""
    wide: int = WIDE
    """Values of a domain of which a variable may have any at the beginning."""

    # --- small helpers

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def local(self, scope: Scope, more: int = 0) -> Name:
        return Name("local", scope.depth + more)

    def base(self) -> Base:
        return self.random.choice(self.bases)

    def small_type(self, largest: int = 30) -> Type:
        """A type with few values, for keys, elements and variables."""
        for _ in range(20):
            type = self.type(2)
            if self.universe.sizes(type) <= largest:
                return type
        return BOOLEAN

    def type(self, depth: int) -> Type:
        if self.universe.tagged and self.chance(0.25):
            return self.random.choice(self.universe.tagged)
        if depth == 0 or self.chance(0.4):
            return self.base()
        inner = depth - 1
        kind = self.random.randrange(7)
        if kind == 0 or kind == 6:
            return SetOf(self.type(inner))
        if kind == 1:
            return Function(self.base() if self.chance(0.8) else self.type(inner), self.type(inner))
        if kind == 2:
            return Sequence(self.type(inner))
        if kind == 3:
            return Bag(self.base())
        if kind == 4:
            return Tuple(tuple(self.type(inner) for _ in range(self.random.choice((2, 2, 3)))))
        return self.random.choice(self.universe.records)

    def near(self, scope: Scope, depth: int = 1) -> Type:
        """A type for which the scope has something, more often than not."""
        if scope.values and self.chance(0.7):
            type = self.random.choice(scope.values)[1]
            while self.chance(0.25):
                match type:
                    case SetOf(element) | Sequence(element) | Bag(element):
                        type = element
                    case Function(key, value):
                        type = self.random.choice((key, value))
                    case Tuple(elements):
                        type = self.random.choice(elements)
                    case Record(fields):
                        type = self.random.choice(fields)[1]
                    case _:
                        break
            return type
        return self.type(depth)

    # --- sets of all values of a type

    def domain(self, type: Type, level: int = 0) -> Node:
        """`level`: of names bound around."""
        size = self.universe.sizes(type)
        match type:
            case Base():
                parts: tuple[Part, ...] = self.universe.domains[type]
            case SetOf(element):
                parts = ("(SUBSET ", self.domain(element, level + 1), ")")
            case Function(key, value):
                parts = ("[", self.domain(key, level), " -> ", self.domain(value, level), "]")
            case Sequence(element):
                k = Name("local", 90 + level)
                inner = self.domain(element, level + 1)
                parts = ("(UNION {[1..", k, " -> ", inner, "] : ", k, f" \\in 0..{self.universe.sizes.length}", "})")
            case Bag(element):
                k = Name("local", 90 + level)
                inner = self.domain(element, level + 1)
                parts = ("(UNION {[", k, " -> 1..2] : ", k, " \\in SUBSET ", inner, "})")
            case Tuple(elements):
                parts = ("(", self.domain(elements[0], level))
                for each in elements[1:]:
                    parts = (*parts, " \\X ", self.domain(each, level))
                parts = (*parts, ")")
            case Record(fields):
                parts = ("[",)
                for i, (name, each) in enumerate(fields):
                    parts = (*parts, ", " if i else "", Field(name), " : ", self.domain(each, level))
                parts = (*parts, "]")
            case Tagged():
                parts = ("(",)
                for i, case in enumerate(type.cases):
                    parts = (*parts, " \\cup " if i else "", *self.domain_of_case(type, case, level))
                parts = (*parts, ")")
        return Node(SetOf(type), parts, size)

    # --- leaves

    def literal(self, type: Type, level: int = 0) -> Node:
        """A constant of a type, as short as can be."""
        match type:
            case Base():
                return Node(type, self.random.choice(self.universe.literals[type]))
            case SetOf(element):
                if self.chance(0.25):
                    return Node(type, ("{}",), 0)
                if self.chance(0.5) and self.universe.sizes(element) <= LARGE:
                    domain = self.domain(element, level)
                    return Node(type, domain.parts, domain.bound)
                return Node(type, ("{", self.literal(element, level), "}"), 1)
            case Function(key, value):
                if self.chance(0.3):
                    return Node(type, ("(", self.literal(key, level), " :> ", self.literal(value, level), ")"))
                name = Name("local", 80 + level)
                return Node(
                    type,
                    ("[", name, " \\in ", self.small_domain(key, level), " |-> ", self.literal(value, level + 1), "]"),
                )
            case Sequence(element):
                return Node(type, ("<<", self.literal(element, level), ">>") if self.chance(0.5) else ("<<>>",))
            case Bag(element):
                return Node(
                    type, ("SetToBag({", self.literal(element, level), "})") if self.chance(0.5) else ("EmptyBag",)
                )
            case Tuple(elements):
                return Node(type, ("<<", *self.commas([self.literal(each, level) for each in elements]), ">>"))
            case Record(fields):
                return self.record(type, [self.literal(each, level) for _, each in fields])
            case Tagged(_, cases):
                case = self.random.choice(cases)
                return self.tagged(type, case, self.literal(case.content, level) if case.content is not None else None)

    def tagged(self, type: Tagged, case: Case, content: Node | None) -> Node:
        if type.tag is None or content is None:
            tag = ("<<", case.tag) if type.tag is None else ("[", Field(type.tag), " |-> ", case.tag)
            more = () if content is None else (", ", content)
            return Node(type, (*tag, *more, ">>" if type.tag is None else "]"))
        parts = (Field(type.tag), " |-> ", case.tag), (Field(case.field), " |-> ", content)
        first, second = parts if self.chance(0.5) else parts[::-1]
        return Node(type, ("[", *first, ", ", *second, "]"))

    def domain_of_case(self, type: Tagged, case: Case, level: int) -> tuple[Part, ...]:
        if type.tag is None:
            assert case.content is not None
            return ("({", case.tag, "} \\X ", self.domain(case.content, level), ")")
        more: tuple[Part, ...] = ()
        if case.content is not None:
            more = (", ", Field(case.field), " : ", self.domain(case.content, level))
        return ("[", Field(type.tag), " : {", case.tag, "}", *more, "]")

    def record(self, type: Record, values: list[Node]) -> Node:
        order = list(range(len(values)))
        self.random.shuffle(order)
        parts: tuple[Part, ...] = ("[",)
        for place, i in enumerate(order):
            parts = (*parts, ", " if place else "", Field(type.fields[i][0]), " |-> ", values[i])
        return Node(type, (*parts, "]"))

    def small_domain(self, type: Type, level: int = 0) -> Node:
        if self.universe.sizes(type) <= LARGE:
            return self.domain(type, level)
        return Node(SetOf(type), ("{", *self.commas([self.literal(type, level) for _ in range(2)]), "}"), 2)

    @staticmethod
    def commas(nodes: list[Node]) -> tuple[Part, ...]:
        parts: list[Part] = []
        for i, node in enumerate(nodes):
            parts += [", ", node] if i else [node]
        return tuple(parts)

    def leaf(self, type: Type, scope: Scope) -> Node:
        names = scope.of(type)
        if names and self.chance(0.8):
            name = self.random.choice(names) if self.chance(0.6) else names[-1]
            bound = min(self.universe.sizes(type.element), 99) if isinstance(type, SetOf) else None
            return Node(type, name, bound)
        if type == BOOLEAN and scope.values and self.chance(0.8):
            return self.test(scope)
        if isinstance(type, SetOf) and self.universe.sizes(type.element) <= LARGE and self.chance(0.6):
            domain = self.domain(type.element)
            return Node(type, domain.parts, domain.bound)
        return self.literal(type)

    def test(self, scope: Scope) -> Node:
        """A comparison of something that has a name."""
        name, type = self.random.choice(scope.values)
        others = [other for other in scope.of(type) if other != name]
        other = Node(type, self.random.choice(others)) if others and self.chance(0.6) else self.literal(type)
        return Node(BOOLEAN, ("(", Node(type, name), self.random.choice((" = ", " # ")), other, ")"))

    # --- expressions

    def well_typed(self, type: Type, depth: int, scope: Scope) -> Node:
        """An expression in which nothing has another type than it should."""
        wild, self.wild = self.wild, 0.0
        made = self.make(type, depth, scope)
        self.wild = wild
        return made

    def make(self, type: Type, depth: int, scope: Scope) -> Node:
        self.left -= 1
        if self.wild and self.chance(self.wild):
            return replace(self.make(self.type(1), max(depth - 1, 0), scope), type=type)
        if depth <= 0 or self.left <= 0 or self.chance(0.12):
            return self.leaf(type, scope)
        depth -= 1
        if self.universe.tagged and self.chance(0.15):
            inside = self.forms.content(self, type, depth, scope)
            if inside is not None:
                return inside
        forms = self.forms.general if self.chance(0.3) else self.forms.of_type(type)
        return self.random.choice(forms)(self, type, depth, scope)

    def call(self, type: Type, depth: int, scope: Scope) -> Node:
        fitting = [op for op in scope.operators if op.result == type and (scope.state or not op.state)]
        if not fitting:
            return self.leaf(type, scope)
        op = self.random.choice(fitting)
        if not op.parameters:
            return Node(type, op.name)
        arguments: list[Node] = []
        for parameter in op.parameters:
            if isinstance(parameter, Higher):
                arguments.append(self.operator_argument(parameter, depth, scope))
            else:
                arguments.append(self.make(parameter, depth - 1, scope))
        return Node(type, (*op.name, "(", *self.commas(arguments), ")"))

    def operator_argument(self, wanted: Higher, depth: int, scope: Scope) -> Node:
        """LAMBDA, or the name of an operator that fits."""
        fitting = [
            op
            for op in scope.operators
            if op.parameters == wanted.parameters and op.result == wanted.result and (scope.state or not op.state)
        ]
        if fitting and self.chance(0.5):
            return Node(wanted.result, self.random.choice(fitting).name)
        names = [self.local(scope, i) for i in range(len(wanted.parameters))]
        inner = scope.bound(*zip(names, wanted.parameters, strict=True))
        parts: list[Part] = ["LAMBDA "]
        for i, name in enumerate(names):
            parts += [", ", name] if i else [name]
        return Node(wanted.result, (*parts, " : ", self.make(wanted.result, depth - 1, inner)))

    def small_set(self, element: Type, depth: int, scope: Scope, largest: int = LARGE) -> Node:
        """A set with few elements."""
        for _ in range(3):
            node = self.make(SetOf(element), depth, scope)
            if node.bound is not None and node.bound <= largest:
                return node
        names = scope.of(SetOf(element))
        if names and self.universe.sizes(element) <= largest and self.chance(0.5):
            return Node(SetOf(element), self.random.choice(names), self.universe.sizes(element))
        return self.small_domain(element)


Form = Callable[[Expressions, Any, int, Scope], Node]
"""Draws an expression of a type, its parts of a depth, in a scope."""


def bracketed(type: Type, *parts: Part) -> Node:
    return Node(type, ("(", *parts, ")"))
