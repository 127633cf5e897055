"""Atoms: the Boolean expressions that candidates are made of, from the types of what a specification declares.

Terms grow from the variables of the state by application, fields and the specification's own operators; atoms compare
terms of one type, and numbers of one dimension, with each other and with names, ask for membership, inclusion and
emptiness. `harvest` adds what the specification itself says.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product
from operator import attrgetter, methodcaller

from rmqproof.model.infer.dimensions import Dimension, Dimensions
from rmqproof.model.infer.sorts import Sort
from rmqproof.model.tla import core
from rmqproof.model.types.domain import (
    Bool,
    Enum,
    Function,
    Int,
    Record,
    Seq,
    Set,
    Tuple,
    Type,
    Union,
    includes,
    kind,
    members_of,
)

_DEEPEST = 4
_MOST_ARGUMENTS = 2
_MOST_MEMBERS = 40
"""As many records or tuples are put together for the question whether they are in a set."""
_VALUES = attrgetter("values")
_ELEMENTS = 2
"""Names for elements of a set in the state."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name that a candidate binds: `\\A text \\in sort`."""

    text: str
    sort: Sort


@dataclass(frozen=True, slots=True)
class Term:
    """`uses`: the names that it speaks of. `cost`: how long it is, in steps from a variable. `state`: it reads it.

    `dimensions`: what it may be compared with; anything of its type where there are none.
    """

    text: str
    type: Type
    uses: frozenset[Name] = frozenset()
    cost: int = 0
    state: bool = False
    dimensions: frozenset[Dimension] = frozenset()


@dataclass(frozen=True, slots=True)
class Atom:
    """A state formula. `cost`: simpler ones are preferred. `level` 1: it quantifies, and is tried where others fail."""

    text: str
    uses: frozenset[Name]
    cost: int
    level: int = 0


class Grammar:
    """The atoms over some names.

    `types` of the variables; `constants` are terms of constants and of numbers in the specification; `operators`
    those of one argument that terms are made with.
    """

    def __init__(
        self,
        types: Mapping[core.Variable, Type],
        sorts: Sequence[Sort],
        dimensions: Dimensions,
        constants: Sequence[Term] = (),
        operators: Sequence[Operator] = (),
    ) -> None:
        self.types, self.sorts, self.dimensions = types, sorts, dimensions
        self.constants, self.operators = constants, operators

    def atoms(self, names: Sequence[Name], most: int) -> list[Atom]:
        """Every atom that speaks of at most `most` of the names, each text once."""
        terms = list(self.terms(names, most))
        found: dict[str, Atom] = {}
        for atom in self._atoms(terms, names):
            if len(atom.uses) <= most and atom.text not in found:
                found[atom.text] = atom
        return list(found.values())

    def quantified(self, names: Sequence[Name], most: int) -> list[Atom]:
        """For each atom that speaks of an element of a sort, that there is such an element, and that all are such."""
        found = []
        for sort in self.sorts:
            if sort.elements is None:
                continue
            inner = inner_name(sort, names)
            for atom in self.atoms([*names, inner], most + 1):
                if inner in atom.uses and len(atom.uses) <= most + 1:
                    rest = atom.uses - {inner}
                    for kind_ in ("\\E", "\\A"):
                        text = f"{kind_} {inner.text} \\in {sort.text} : {atom.text}"
                        found.append(Atom(text, rest, atom.cost + 4, 1))
        return found

    def terms(self, names: Sequence[Name], most: int) -> Iterator[Term]:
        """The names, the constants, and what grows from the variables of the state."""
        named = [
            Term(n.text, n.sort.type, frozenset({n}), 0, n.sort.elements is None, n.sort.dimensions) for n in names
        ]
        basic, own = [t for t in named if not t.state], [t for t in named if t.state]
        yield from basic
        yield from self.constants
        fields = [part for term in own for part in _grown(term, ())]
        keys = [*basic, *(term for term in (*self.constants, *fields) if isinstance(term.type, Enum))]
        level = [*(self._variable(variable, type_) for variable, type_ in self.types.items()), *own]
        found = list(basic)
        for _ in range(_DEEPEST):
            yield from level
            found += level
            level = [longer for term in level for longer in _grown(term, keys) if len(longer.uses) <= most]
        for term in found:
            yield from (applied for operator in self.operators if (applied := operator.applied(term)) is not None)

    def _variable(self, variable: core.Variable, type_: Type) -> Term:
        return Term(variable.name, type_, state=True, dimensions=frozenset({self.dimensions.variable(variable)}))

    def _atoms(self, terms: Sequence[Term], names: Sequence[Name]) -> Iterator[Atom]:
        for term in terms:
            yield from self._alone(term)
        for one, other in combinations(terms, 2):
            if one.state or other.state or (one.uses and other.uses):
                yield from _compared(one, other)
        elements = [term for term in terms if term.cost <= 2]
        for term in terms:
            if isinstance(term.type, Set) and term.state:
                yield from _composed(term, [element for element in elements if not _is_of_element(element)])
                yield from _taken_over(term, elements)

    def _alone(self, term: Term) -> Iterator[Atom]:
        if not term.state:
            return
        match term.type:
            case Bool():
                yield Atom(term.text, term.uses, term.cost + 1)
            case Enum(atoms=atoms) if not any(atom.is_model for atom in atoms):
                for atom in sorted(atoms):
                    yield Atom(f'{term.text} = "{atom.name}"', term.uses, term.cost + 1)
            case Enum(atoms=atoms):
                for atom in sorted(atoms):
                    if not atom.is_model:
                        yield Atom(f'{term.text} = "{atom.name}"', term.uses, term.cost + 1)
            case Set(element=element):
                yield Atom(f"{term.text} = {{}}", term.uses, term.cost + 1)
                for sort in self.sorts:
                    if sort.type == element and sort.elements is not None:
                        yield Atom(f"{term.text} = {sort.text}", term.uses, term.cost + 2)
            case Seq(most=most) if most != 0:
                yield Atom(f"{term.text} = <<>>", term.uses, term.cost + 1)


@dataclass(frozen=True, slots=True)
class Operator:
    """One of the specification's own, of one argument. `given`: what it is applied to there."""

    name: str
    state: bool
    given: frozenset[Dimension]
    type_at: Callable[[Type], Type]
    dimension_at: Callable[[Dimension], Dimension]

    def applied(self, term: Term) -> Term | None:
        """None: nobody would apply it to this."""
        if not (self.state or term.state) or not term.dimensions or not are_same(term.dimensions, self.given):
            return None
        if isinstance(term.type, Int | Enum) and term.cost:
            return None  # of names only: there would be too many
        type_ = self.type_at(term.type)
        if not isinstance(type_, Int | Bool | Enum | Set):
            return None
        of = frozenset(map(self.dimension_at, term.dimensions))
        return Term(f"{self.name}({term.text})", type_, term.uses, term.cost + 1, True, of)


def _grown(term: Term, keys: Sequence[Term]) -> Iterator[Term]:
    """What can be made of a term in one step."""
    match term.type:
        case Function(key=Tuple(items=items), value=value, total=True) if len(items) <= _MOST_ARGUMENTS:
            fitting = [[key for key in keys if _fits(key, item)] for item in items]
            for chosen in product(*fitting):
                arguments = ", ".join(key.text for key in chosen)
                yield _longer(term, f"[{arguments}]", value, _VALUES, *chosen)
        case Function(key=domain, value=value, total=True):
            yield from (_longer(term, f"[{k.text}]", value, _VALUES, k) for k in keys if _is_key(term, k, domain))
        case Seq(element=value, least=least, most=most) if least == most and most is not None:
            yield from (_longer(term, f"[{k.text}]", value, _VALUES, k) for k in keys if _is_key(term, k, Int(1, most)))
        case Record(fields=fields):
            for name, value in fields:
                yield _longer(term, f".{name}", value, methodcaller("of_field", name))


def _longer(term: Term, text: str, type_: Type, of: Callable[[Dimension], Dimension], *keys: Term) -> Term:
    uses = term.uses.union(*(key.uses for key in keys))
    return Term(f"{term.text}{text}", type_, uses, term.cost + 1, True, frozenset(map(of, term.dimensions)))


def _is_key(term: Term, key: Term, domain: Type) -> bool:
    if not _fits(key, domain):
        return False
    return not isinstance(key.type, Int) or are_same(key.dimensions, {d.keys for d in term.dimensions})


def _fits(key: Term, domain: Type) -> bool:
    return includes(domain, key.type)


def are_same(some: Collection[Dimension], others: Collection[Dimension]) -> bool:
    """Whether they may be compared: those without a dimension may with all."""
    return not some or not others or any(one.is_same(other) for one in some for other in others)


def _may_be_compared(one: Term, other: Term) -> bool:
    """Numbers, sets of numbers, and truth values of different dimensions are not."""
    if isinstance(one.type, Set) and isinstance(one.type.element, Int):
        return are_same({d.values for d in one.dimensions}, {d.values for d in other.dimensions})
    return not isinstance(one.type, Int | Bool) or are_same(one.dimensions, other.dimensions)


def _compared(one: Term, other: Term) -> Iterator[Atom]:
    """Atoms about two terms."""
    uses, cost = one.uses | other.uses, one.cost + other.cost + 1
    for element, whole in ((one, other), (other, one)):
        if (
            isinstance(whole.type, Set)
            and whole.state | element.state | bool(whole.uses)
            and _overlap(element.type, whole.type.element)
            and (
                not isinstance(element.type, Int) or are_same(element.dimensions, {d.values for d in whole.dimensions})
            )
        ):
            yield Atom(f"{element.text} \\in {whole.text}", uses, cost)
    if not _overlap(one.type, other.type) or not _may_be_compared(one, other):
        return
    match one.type:
        case Int():
            yield Atom(f"{one.text} = {other.text}", uses, cost)
            yield Atom(f"{one.text} < {other.text}", uses, cost)
            yield Atom(f"{other.text} < {one.text}", uses, cost)
        case Set():
            yield Atom(f"{one.text} \\subseteq {other.text}", uses, cost)
            yield Atom(f"{other.text} \\subseteq {one.text}", uses, cost)
            yield Atom(f"{one.text} \\cap {other.text} = {{}}", uses, cost + 1)
        case Bool():
            yield Atom(f"{one.text} = {other.text}", uses, cost + 1)
        case _:
            yield Atom(f"{one.text} = {other.text}", uses, cost)


def _overlap(a: Type, b: Type) -> bool:
    """Whether some value that is not empty may be of both types."""
    if isinstance(a, Union) or isinstance(b, Union):
        return any(_overlap(x, y) for x in members_of(a) for y in members_of(b))
    if isinstance(a, Seq | Tuple | Function) and isinstance(b, Seq | Tuple | Function):
        return _overlap_as_functions(a, b)
    if isinstance(a, Enum) and isinstance(b, Enum):
        return bool(a.atoms & b.atoms)
    if isinstance(a, Set) and isinstance(b, Set):
        return _overlap(a.element, b.element)
    if isinstance(a, Record) and isinstance(b, Record):
        return a.names == b.names and all(_overlap(x, y) for (_, x), (_, y) in zip(a.fields, b.fields, strict=True))
    return kind(a) == kind(b)


def _overlap_as_functions(a: Seq | Tuple | Function, b: Seq | Tuple | Function) -> bool:
    """A sequence is a function on numbers, and a tuple a sequence of one length."""
    if isinstance(a, Tuple) and isinstance(b, Tuple):
        return len(a.items) == len(b.items) and all(map(_overlap, a.items, b.items))
    return all(_overlap(_key(a), _key(b)) and _overlap(x, y) for x in _values(a) for y in _values(b))


def _key(type_: Seq | Tuple | Function) -> Type:
    return type_.key if isinstance(type_, Function) else Int(1, None)


def _values(type_: Seq | Tuple | Function) -> tuple[Type, ...]:
    if isinstance(type_, Tuple):
        return type_.items
    return (type_.value if isinstance(type_, Function) else type_.element,)


def _composed(whole: Term, elements: Sequence[Term]) -> Iterator[Atom]:
    """Whether a tuple or a record put together from terms is in a set."""
    assert isinstance(whole.type, Set)
    for element in members_of(whole.type.element):
        parts: Sequence[tuple[str, Type]] = ()
        if isinstance(element, Record):
            parts = element.fields
        elif isinstance(element, Tuple):
            parts = [("", item) for item in element.items]
        if parts:
            yield from _put_together(whole, parts, elements)


def _is_of_element(term: Term) -> bool:
    """Whether it speaks of an element of a set in the state."""
    return any(name.sort.elements is None for name in term.uses)


def _taken_over(whole: Term, terms: Sequence[Term]) -> Iterator[Atom]:
    """Whether a record is in a set that has what another record has, in the fields that both have.

    What only the first has is a string of its kind, or comes from what the second is a part of, or it is a name.
    """
    assert isinstance(whole.type, Set)
    for source in terms:
        if not isinstance(source.type, Record):
            continue
        around = [t for t in terms if source.text.startswith(f"{t.text}.") and isinstance(t.type, Record)]
        for target in members_of(whole.type.element):
            if isinstance(target, Record) and target != source.type:
                yield from _with_fields_of(whole, target, [source, *around], terms)


def _with_fields_of(whole: Term, target: Record, sources: Sequence[Term], terms: Sequence[Term]) -> Iterator[Atom]:
    source, columns, shared = sources[0], [], 0
    for name, type_ in target.fields:
        if isinstance(type_, Enum) and len(type_.atoms) == 1 and not min(type_.atoms).is_model:
            columns.append([Term(f'"{min(type_.atoms).name}"', type_)])
            continue
        given = [s for s in sources if isinstance(s.type, Record) and _has_field(s.type, name, type_)]
        if given:
            shared += given[0] is source
            columns.append([Term(f"{given[0].text}.{name}", type_, given[0].uses, given[0].cost + 1)])
        else:
            columns.append([t for t in terms if t.cost == 0 and not t.state and _overlap(t.type, type_)])
    if not shared:
        return
    for row in islice(product(*columns), _MOST_MEMBERS):
        uses = whole.uses.union(source.uses, *(term.uses for term in row))
        text = ", ".join(f"{name} |-> {term.text}" for (name, _), term in zip(target.fields, row, strict=True))
        yield Atom(f"[{text}] \\in {whole.text}", uses, source.cost + 2)


def _has_field(record: Record, name: str, type_: Type) -> bool:
    found = record.field(name)
    return found is not None and _overlap(found, type_)


def _put_together(whole: Term, parts: Sequence[tuple[str, Type]], elements: Sequence[Term]) -> Iterator[Atom]:
    columns: list[list[Term]] = []
    for _, type_ in parts:
        fitting = [t for t in elements if not isinstance(t.type, Set | Function) and _overlap(t.type, type_)]
        if isinstance(type_, Enum):
            fitting += [Term(f'"{atom.name}"', type_) for atom in sorted(type_.atoms) if not atom.is_model]
        if isinstance(type_, Bool):
            fitting += [Term("TRUE", type_), Term("FALSE", type_)]
        columns.append(sorted(fitting, key=lambda term: term.cost))
    rows = sorted(product(*columns), key=lambda row: sum(term.cost for term in row)) if _few(columns) else []
    for row in rows[:_MOST_MEMBERS]:
        uses = whole.uses.union(*(term.uses for term in row))
        cost = whole.cost + sum(term.cost for term in row) + 1
        if parts[0][0]:
            text = ", ".join(f"{name} |-> {term.text}" for (name, _), term in zip(parts, row, strict=True))
            yield Atom(f"[{text}] \\in {whole.text}", uses, cost)
        else:
            yield Atom(f"<<{', '.join(term.text for term in row)}>> \\in {whole.text}", uses, cost)


def _few(columns: Sequence[Sequence[Term]]) -> bool:
    size = 1
    for column in columns:
        size *= len(column)
    return size <= _MOST_MEMBERS**2


def inner_name(sort: Sort, names: Sequence[Name]) -> Name:
    """A name for what an atom itself quantifies over."""
    taken = {name.text for name in names}
    return Name(next(text for text in (f"{sort.stem}{letter}" for letter in "xyzuvw") if text not in taken), sort)


def names_of(sorts: Sequence[Sort], each: int) -> list[Name]:
    """So many names for elements of each sort: m, m2, m3; of a set in the state two at most."""
    found = []
    for sort in sorts:
        most = each if sort.elements is not None else min(each, _ELEMENTS)
        found += [Name(f"{sort.stem}{number if number > 1 else ''}", sort) for number in range(1, most + 1)]
    return found
