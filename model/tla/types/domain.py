"""Types as sets of values, ordered by inclusion: what inference computes with.

The lattice is not of finite height (integer ranges, lengths); `widen` ends an iteration.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache


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


@dataclass(frozen=True, slots=True, order=True)
class Atom:
    """A string (`is_model` false) or a model value."""

    name: str
    is_model: bool = False


@dataclass(frozen=True, slots=True)
class Enum(Type):
    """Some strings and model values, all known."""

    atoms: frozenset[Atom]


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
    """Functions whose domain is every value of `key` (`total`) or some of them."""

    key: Type
    value: Type
    total: bool = False


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
    return Function(join(f.key, g.key), join(f.value, g.value), f.total and g.total and f.key == g.key)


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
            if key is None or value is None or key > 61:
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


def _smaller(a: int | None, b: int | None) -> int | None:
    return a if b is None else b if a is None else min(a, b)


def _larger(a: int | None, b: int | None) -> int | None:
    return a if b is None else b if a is None else max(a, b)


def clamp(type_: Type, claim: Type) -> Type:
    """`type_` with the bounds that `claim` adds; where the two do not fit each other, `type_`."""
    if isinstance(type_, Unknown):
        return claim
    if isinstance(claim, Unknown):
        return type_
    match type_, claim:
        case Int(), Int():
            low, high = _larger(type_.low, claim.low), _smaller(type_.high, claim.high)
            return type_ if low is not None and high is not None and low > high else Int(low, high)
        case Text(), Enum():
            return claim
        case Enum(), Enum():
            common = type_.atoms & claim.atoms
            return Enum(common) if common else type_
        case Set(), Set():
            if isinstance(type_.element, Nothing):
                return type_
            most = _smaller(type_.most, claim.most)
            element = clamp(type_.element, claim.element)
            return set_of(element, most, type_.full and element == type_.element)
        case Record(), Record() if type_.names == claim.names:
            return Record(tuple((n, clamp(t, c)) for (n, t), (_, c) in zip(type_.fields, claim.fields, strict=True)))
        case Tuple(), Tuple() if len(type_.items) == len(claim.items):
            return Tuple(tuple(clamp(t, c) for t, c in zip(type_.items, claim.items, strict=True)))
        case Tuple(), Seq():
            return Tuple(tuple(clamp(t, claim.element) for t in type_.items))
        case Seq(), Tuple() if type_.most is None or type_.most >= len(claim.items) >= type_.least:
            return Tuple(tuple(clamp(type_.element, c) for c in claim.items))
        case Seq(), Seq():
            most = _smaller(type_.most, claim.most)
            least = max(type_.least, claim.least)
            if most is not None and least > most:
                return type_
            return Seq(clamp(type_.element, claim.element), least, most)
        case Function(), Function():
            key = clamp(type_.key, claim.key)
            total = (type_.total and key == type_.key) or (claim.total and key == claim.key)
            return Function(key, clamp(type_.value, claim.value), total)
        case Function(), Seq() if claim.least == claim.most and claim.most is not None:
            return Seq(clamp(type_.value, claim.element), claim.least, claim.most)
    if isinstance(type_, Union) or isinstance(claim, Union):
        claims = {kind(member): member for member in members_of(claim)}
        kept = [clamp(t, claims[kind(t)]) for t in members_of(type_) if kind(t) in claims]
        return join_all(kept) if kept else type_
    return type_


def widen(old: Type, new: Type, landmarks: tuple[int, ...]) -> Type:
    """`new`, with every bound that grew since `old` moved out to the next landmark or to infinity."""
    match old, new:
        case Int(), Int():
            low, high = new.low, new.high
            if low is not None and (old.low is None or low < old.low):
                low = max((mark for mark in landmarks if mark <= low), default=None)
            if high is not None and (old.high is None or high > old.high):
                high = min((mark for mark in landmarks if mark >= high), default=None)
            return Int(low, high)
        case Set(), Set():
            most = new.most if new.most == old.most else None
            return set_of(widen(old.element, new.element, landmarks), most, new.full)
        case Seq(), Seq():
            grew = new.most is None or old.most is None or new.most > old.most
            return Seq(widen(old.element, new.element, landmarks), new.least, None if grew else new.most)
        case Tuple(), Tuple() if len(old.items) == len(new.items):
            return Tuple(tuple(widen(s, t, landmarks) for s, t in zip(old.items, new.items, strict=True)))
        case Record(), Record() if old.names == new.names:
            return Record(
                tuple((n, widen(s, t, landmarks)) for (n, s), (_, t) in zip(old.fields, new.fields, strict=True))
            )
        case Function(), Function():
            return Function(widen(old.key, new.key, landmarks), widen(old.value, new.value, landmarks), new.total)
    if isinstance(old, Tuple | Seq) and isinstance(new, Seq):
        sequence = as_sequence(old)
        assert sequence is not None
        return widen(sequence, new, landmarks)
    if isinstance(new, Union):
        before = {kind(member): member for member in members_of(old)}
        return join_all([widen(before.get(kind(m), NOTHING), m, landmarks) for m in new.members])
    return new


def depth(type_: Type) -> int:
    match type_:
        case Set() | Seq():
            return 1 + depth(type_.element)
        case Function():
            return 1 + max(depth(type_.key), depth(type_.value))
        case Tuple():
            return 1 + max((depth(item) for item in type_.items), default=0)
        case Record():
            return 1 + max((depth(field) for _, field in type_.fields), default=0)
        case Union():
            return max(depth(member) for member in type_.members)
    return 0


def integer_bounds(type_: Type) -> list[int]:
    """The ends of all ranges of integers in the type."""
    match type_:
        case Int():
            return [bound for bound in (type_.low, type_.high) if bound is not None]
        case Set() | Seq():
            return integer_bounds(type_.element)
        case Function():
            return [*integer_bounds(type_.key), *integer_bounds(type_.value)]
        case Tuple():
            return [bound for item in type_.items for bound in integer_bounds(item)]
        case Record():
            return [bound for _, item in type_.fields for bound in integer_bounds(item)]
        case Union():
            return [bound for member in type_.members for bound in integer_bounds(member)]
    return []


def shallow(type_: Type) -> Type:
    """`type_`, or Unknown when it is nested too deeply."""
    return UNKNOWN if depth(type_) > DEEPEST else type_


def not_full(type_: Type) -> Type:
    return replace(type_, full=False) if isinstance(type_, Set) else type_


# --- text --------------------------------------------------------------------------------------------------


def render(type_: Type) -> str:
    """As TLA+ would write the set of values, nearly."""
    match type_:
        case Nothing():
            return "{}"
        case Unknown():
            return "?"
        case Bool():
            return "BOOLEAN"
        case Text():
            return "STRING"
        case Int():
            if type_.low is None and type_.high is None:
                return "Int"
            if type_.low == 0 and type_.high is None:
                return "Nat"
            low = "-infinity" if type_.low is None else type_.low
            return f"{low}..{'infinity' if type_.high is None else type_.high}"
        case Enum():
            return "{" + ", ".join(a.name if a.is_model else f'"{a.name}"' for a in sorted(type_.atoms)) + "}"
        case Set():
            return f"SUBSET {_wrapped(type_.element)}"
        case Seq():
            if type_.most is None:
                return f"Seq({render(type_.element)})"
            length = f"{type_.least}..{type_.most}" if type_.least != type_.most else f"{type_.most}"
            return f"Seq({render(type_.element)}, length {length})"
        case Tuple():
            return "(" + " \\X ".join(_wrapped(item) for item in type_.items) + ")"
        case Record():
            return "[" + ", ".join(f"{name} : {render(field)}" for name, field in type_.fields) + "]"
        case Function():
            partly = "" if type_.total else "partly "
            return f"[{partly}{render(type_.key)} -> {render(type_.value)}]"
        case Union():
            return " \\cup ".join(_wrapped(member) for member in type_.members)
    return repr(type_)


def _wrapped(type_: Type) -> str:
    return f"({render(type_)})" if isinstance(type_, Union | Set) else render(type_)
