"""Types as sets of values, ordered by inclusion: what inference computes with.

The lattice is not of finite height (integer ranges, lengths); `widen` ends an iteration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from rmqproof.model.records import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """A set of values."""


@dataclass(frozen=True, slots=True)
class Nothing(Type):
    """No value: the element of `{}`, the type of what is never computed."""


@dataclass(frozen=True, slots=True)
class Unknown(Type):
    """Any value."""


@dataclass(frozen=True, slots=True)
class Bool(Type):
    pass


@dataclass(frozen=True, slots=True)
class Int(Type):
    """The integers from `low` to `high`; None: without end."""

    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Atom:
    """A string (`is_model` false) or a model value."""

    name: str
    is_model: bool = False

    def __lt__(self, other: Atom) -> bool:
        return (self.name, self.is_model) < (other.name, other.is_model)


@dataclass(frozen=True, slots=True)
class Enum(Type):
    """Some strings and model values, all known."""

    atoms: frozenset[Atom]

    def __repr__(self) -> str:
        """In the order of names: members of unions go by this, and the order of a set differs between processes."""
        return f"Enum({sorted(self.atoms)!r})"


@dataclass(frozen=True, slots=True)
class Text(Type):
    """Any string."""


@dataclass(frozen=True, slots=True)
class Set(Type):
    """Sets of at most `most` elements. `full`: the one set that holds every value of the element type."""

    element: Type
    most: int | None = None
    full: bool = False


@dataclass(frozen=True, slots=True)
class Seq(Type):
    """Sequences of `least` to `most` elements."""

    element: Type
    least: int = 0
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Tuple(Type):
    items: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Record(Type):
    """Exactly these fields, sorted by name."""

    fields: tuple[tuple[str, Type], ...]

    @classmethod
    def of(cls, fields: dict[str, Type]) -> Record:
        return cls(tuple(sorted(fields.items())))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.fields)

    def field(self, name: str) -> Type | None:
        return next((type_ for key, type_ in self.fields if key == name), None)


@dataclass(frozen=True, slots=True)
class Function(Type):
    """Functions whose domain is every value of `key` (`total`) or some of them, at most `most`."""

    key: Type
    value: Type
    total: bool = False
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Union(Type):
    """A value of one of the members, which are of different kinds (see `kind`)."""

    members: tuple[Type, ...]


NOTHING = Nothing()
UNKNOWN = Unknown()
BOOL = Bool()
EMPTY_SEQUENCE = Seq(NOTHING, 0, 0)
DEEPEST = 12
"""Types nested deeper than this are given up as Unknown: a recursion that builds ever deeper values."""
MOST_PARTS = 5_000
"""So are types of more parts that are nested more than a third as deep."""


def strings(*names: str) -> Enum:
    return Enum(frozenset(Atom(name) for name in names))


def model_values(*names: str) -> Enum:
    return Enum(frozenset(Atom(name, True) for name in names))


def exactly(value: int) -> Int:
    return Int(value, value)


def kind(type_: Type) -> object:
    """Two types of one kind join into one type; types of different kinds into a Union."""
    match type_:
        case Int():
            return "int"
        case Bool():
            return "bool"
        case Enum() | Text():
            return "atom"
        case Set():
            return "set"
        case Seq() | Tuple() | Function():
            return "function"
        case Record():
            return type_.names
    return "other"


# --- parts ---------------------------------------------------------------------------------------------------------


def parts_of(type_: Type) -> tuple[Type, ...]:
    """The types that the type is made of."""
    match type_:
        case Set() | Seq():
            return (type_.element,)
        case Tuple():
            return type_.items
        case Record():
            return tuple(item for _, item in type_.fields)
        case Function():
            return type_.key, type_.value
        case Union():
            return type_.members
    return ()


def all_parts(type_: Type) -> Iterator[Type]:
    """The type and all types inside it."""
    yield type_
    for part in parts_of(type_):
        yield from all_parts(part)


def rebuilt(type_: Type, change: Callable[[Type], Type]) -> Type:
    """The type with its parts changed; a set, sequence or partial function that is made anew may be of any size."""
    match type_:
        case Set():
            return Set(change(type_.element))
        case Seq():
            return Seq(change(type_.element))
        case Tuple():
            return Tuple(tuple(change(item) for item in type_.items))
        case Record():
            return Record(tuple((name, change(item)) for name, item in type_.fields))
        case Function():
            return Function(change(type_.key), change(type_.value), type_.total)
        case Union():
            return join_all([change(member) for member in type_.members])
    return type_


# --- join --------------------------------------------------------------------------------------------------


@lru_cache(maxsize=100_000)
def join(a: Type, b: Type) -> Type:
    """The smallest type we have that holds the values of both."""
    if a == b or isinstance(b, Nothing):
        return a
    if isinstance(a, Nothing):
        return b
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return UNKNOWN
    if isinstance(a, Union) or isinstance(b, Union):
        return _join_members((*members_of(a), *members_of(b)))
    if kind(a) == kind(b):
        return _join_same(a, b)
    return _join_members((a, b))


def join_all(types: list[Type] | tuple[Type, ...]) -> Type:
    result: Type = NOTHING
    for type_ in types:
        result = join(result, type_)
    return result


def members_of(type_: Type) -> tuple[Type, ...]:
    """The alternatives of a Union; otherwise the type itself."""
    return type_.members if isinstance(type_, Union) else (type_,)


def _join_members(types: tuple[Type, ...]) -> Type:
    merged: dict[object, Type] = {}
    for type_ in types:
        key = kind(type_)
        merged[key] = join(merged[key], type_) if key in merged else type_
    function = merged.get("function")
    if function is not None:
        # A record is a function of strings: it and a function that may have strings as keys are one kind.
        records = [type_ for type_ in merged.values() if isinstance(type_, Record)]
        if records and isinstance(function, Function) and _has_strings(function.key):
            for record in records:
                del merged[record.names]
                function = join(function, as_function(record))
            merged["function"] = function
        elif records and isinstance(function, Seq) and function.most == 0:
            pass  # the empty function: no record is empty
    if len(merged) == 1:
        return next(iter(merged.values()))
    return Union(tuple(sorted(merged.values(), key=repr)))


def _has_strings(key: Type) -> bool:
    return isinstance(key, Text | Unknown) or (isinstance(key, Enum) and any(not atom.is_model for atom in key.atoms))


def as_function(type_: Type) -> Function:
    """A record, tuple or sequence seen as a function."""
    match type_:
        case Function():
            return type_
        case Record():
            return Function(strings(*type_.names), join_all([t for _, t in type_.fields]), total=True)
        case Tuple():
            return Function(Int(1, len(type_.items)), join_all(type_.items), total=True)
        case Seq():
            if type_.most == 0:
                return Function(NOTHING, NOTHING)
            return Function(Int(1, type_.most), type_.element, total=type_.least == type_.most)
    raise TypeError(type_)


def as_sequence(type_: Type) -> Seq | None:
    """A tuple seen as a sequence."""
    if isinstance(type_, Tuple):
        return Seq(join_all(type_.items), len(type_.items), len(type_.items))
    return type_ if isinstance(type_, Seq) else None


def _join_same(a: Type, b: Type) -> Type:
    match a, b:
        case Int(), Int():
            low = None if a.low is None or b.low is None else min(a.low, b.low)
            high = None if a.high is None or b.high is None else max(a.high, b.high)
            return Int(low, high)
        case Enum(), Enum():
            return Enum(a.atoms | b.atoms)
        case (Text(), _) | (_, Text()):
            return Text()
        case Set(), Set():
            most = None if a.most is None or b.most is None else max(a.most, b.most)
            return set_of(join(a.element, b.element), most)
        case Record(), Record():
            return Record(tuple((n, join(s, t)) for (n, s), (_, t) in zip(a.fields, b.fields, strict=True)))
        case Tuple(), Tuple() if len(a.items) == len(b.items):
            return Tuple(tuple(join(s, t) for s, t in zip(a.items, b.items, strict=True)))
    left, right = as_sequence(a), as_sequence(b)
    if left is not None and right is not None:
        most = None if left.most is None or right.most is None else max(left.most, right.most)
        return Seq(join(left.element, right.element), min(left.least, right.least), most)
    f, g = as_function(a), as_function(b)
    total = f.total and g.total and f.key == g.key
    return Function(join(f.key, g.key), join(f.value, g.value), total, _most_arguments(f, g))


def _most_arguments(f: Function, g: Function) -> int | None:
    if isinstance(f.key, Nothing) or isinstance(g.key, Nothing):
        return g.most if isinstance(f.key, Nothing) else f.most
    return None if f.most is None or g.most is None else max(f.most, g.most)


def set_of(element: Type, most: int | None = None, full: bool = False) -> Set:
    """A set type whose `most` is no larger than the element type allows."""
    size = cardinality(element)
    if size == 0:
        return Set(NOTHING, 0, True)
    if size is not None and (most is None or most > size):
        most = size
    return Set(element, most, full)


def function_of(key: Type, value: Type, total: bool) -> Type:
    """A function type; with the domain 1..n it is a type of sequences."""
    if isinstance(key, Nothing):
        return EMPTY_SEQUENCE
    if total and isinstance(key, Int) and key.low == 1 and key.high is not None:
        return Seq(value, key.high, key.high)
    return Function(key, value, total)


def includes(big: Type, small: Type) -> bool:
    """Whether every value of `small` is one of `big`."""
    return join(big, small) == big


# --- size --------------------------------------------------------------------------------------------------

COUNTED = 1 << 62
"""Universes of this size or more are as good as infinite."""


@lru_cache(maxsize=100_000)
def cardinality(type_: Type) -> int | None:
    """The number of values; None when infinite or beyond counting."""
    size = _cardinality(type_)
    return None if size is None or size >= COUNTED else size


def _cardinality(type_: Type) -> int | None:
    match type_:
        case Nothing():
            return 0
        case Bool():
            return 2
        case Int():
            return None if type_.low is None or type_.high is None else max(0, type_.high - type_.low + 1)
        case Enum():
            return len(type_.atoms)
        case Set():
            size = cardinality(type_.element)
            return None if size is None or size > 61 else 1 << size
        case Tuple():
            return _product([cardinality(item) for item in type_.items])
        case Record():
            return _product([cardinality(field) for _, field in type_.fields])
        case Function():
            key, value = cardinality(type_.key), cardinality(type_.value)
            if key is None or value is None or key > 61 or type_.most is not None:
                return None
            return int((value if type_.total else value + 1) ** key)
        case Seq():
            size = cardinality(type_.element)
            if type_.most is None or size is None or type_.most > 61:
                return None
            return sum(int(size**n) for n in range(type_.least, type_.most + 1))
        case Union():
            total = 0
            for member in type_.members:
                size = cardinality(member)
                if size is None:
                    return None
                total += size
            return total
    return None


def _product(sizes: list[int | None]) -> int | None:
    result = 1
    for size in sizes:
        if size is None:
            return None
        result *= size
        if result >= COUNTED:
            return None
    return result


# --- narrowing and widening --------------------------------------------------------------------------------


def smaller(a: int | None, b: int | None) -> int | None:
    return a if b is None else b if a is None else min(a, b)


def larger(a: int | None, b: int | None) -> int | None:
    return a if b is None else b if a is None else max(a, b)


# --- text --------------------------------------------------------------------------------------------------
