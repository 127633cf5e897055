"""What the built-in operators do to types."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from .domain import (
    BOOL,
    EMPTY_SEQUENCE,
    NOTHING,
    UNKNOWN,
    Atom,
    Enum,
    Function,
    Int,
    Nothing,
    Record,
    Seq,
    Set,
    Text,
    Tuple,
    Type,
    Union,
    Unknown,
    as_function,
    as_sequence,
    cardinality,
    exactly,
    function_of,
    join,
    join_all,
    members_of,
    set_of,
    strings,
)

LOGIC = ("=", "#", "/=", "\\in", "\\notin", "~", "/\\", "\\/", "=>", "<=>", "\\subseteq", "<", "<=", ">", ">=")
FORMULAS = ("ENABLED", "UNCHANGED", "[]", "<>", "~>", "-+->", "\\cdot", "IsFiniteSet", "Assert", "PrintT", "is chosen")
BOOLEAN_OPERATORS = frozenset((*LOGIC, *FORMULAS))


def short_name(operator: str) -> str:
    """`Naturals!+` without its module; the language's own symbols as they are."""
    return operator.rpartition("!")[2] if "!" in operator and operator != "!" else operator


def element_of(type_: Type) -> Type:
    """The type of the elements of a set; Unknown when it is not known to be a set."""
    sets = [member for member in members_of(type_) if isinstance(member, Set)]
    if sets:
        return join_all([member.element for member in sets])
    return NOTHING if isinstance(type_, Nothing) else UNKNOWN


def is_full(type_: Type) -> bool:
    return isinstance(type_, Set) and type_.full


def _integer(type_: Type) -> Int | None:
    return next((member for member in members_of(type_) if isinstance(member, Int)), None)


def _corners(a: Int, b: Int, operate: Callable[[int, int], int]) -> Int | None:
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return None
    values = [operate(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    return Int(min(values), max(values))


def _add(a: Int, b: Int) -> Int:
    low = None if a.low is None or b.low is None else a.low + b.low
    high = None if a.high is None or b.high is None else a.high + b.high
    return Int(low, high)


def _negate(a: Int) -> Int:
    return Int(None if a.high is None else -a.high, None if a.low is None else -a.low)


def _multiply(a: Int, b: Int) -> Int:
    corners = _corners(a, b, lambda x, y: x * y)
    if corners is not None:
        return corners
    positive = a.low is not None and a.low >= 0 and b.low is not None and b.low >= 0
    return Int(a.low * b.low, None) if positive and a.low is not None and b.low is not None else Int()


def _divide(a: Int, b: Int) -> Int:
    if b.low is None or b.low < 1 or a.low is None:
        return Int()
    low = min(a.low // b.low, a.low // b.high if b.high is not None else min(a.low, 0) and -1)
    high = None if a.high is None else max(a.high // b.low, 0 if a.high >= 0 else -1)
    return Int(low, high)


def _modulo(a: Int, b: Int) -> Int:
    if b.low is None or b.low < 1:
        return Int()
    high = None if b.high is None else b.high - 1
    if a.low is not None and a.low >= 0 and a.high is not None and (high is None or a.high < high):
        high = a.high
    return Int(0, high)


def _power(a: Int, b: Int) -> Int:
    if a.low is None or a.low < 1 or b.low is None or b.low < 0:
        return Int()
    low = int(a.low**b.low) if b.low < 64 else None
    high = int(a.high**b.high) if a.high is not None and b.high is not None and b.high < 64 else None
    return Int(low, high)


def _bits_of_either(a: Int, b: Int) -> Int:
    """Of numbers that are not negative; of others there is no value."""
    if a.high is None or b.high is None:
        return Int(0, None)
    return Int(0, (1 << max(a.high, b.high, 0).bit_length()) - 1)


def _bits_of_both(a: Int, b: Int) -> Int:
    return Int(0, min((high for high in (a.high, b.high) if high is not None), default=None))


ARITHMETIC: dict[str, Callable[[Int, Int], Int]] = {
    "+": _add,
    "-": lambda a, b: _add(a, _negate(b)),
    "*": _multiply,
    "\\div": _divide,
    "%": _modulo,
    "^": _power,
    "&": _bits_of_both,
    "|": _bits_of_either,
    "^^": _bits_of_either,
    "shiftR": lambda a, b: Int(0, a.high),
}


def interval(low: Type, high: Type) -> Type:
    """`low..high`"""
    a, b = _integer(low), _integer(high)
    if a is None or b is None:
        return NOTHING if isinstance(low, Nothing) or isinstance(high, Nothing) else Set(Int())
    full = a.low == a.high and b.low == b.high and a.low is not None and b.low is not None
    if a.low is not None and b.high is not None and a.low > b.high:
        return Set(NOTHING, 0, True)
    return set_of(Int(a.low, b.high), None, full)


def union(a: Type, b: Type) -> Type:
    """`a \\cup b`"""
    if not isinstance(a, Set) or not isinstance(b, Set):
        return join(a, b) if not isinstance(a, Unknown) else UNKNOWN
    if isinstance(a.element, Nothing):
        return b
    if isinstance(b.element, Nothing):
        return a
    element = join(a.element, b.element)
    most = None if a.most is None or b.most is None else a.most + b.most
    return set_of(element, most, a.full and b.full and _covers(element, a.element, b.element))


def _covers(whole: Type, a: Type, b: Type) -> bool:
    """Whether every value of `whole`, their join, is in `a` or in `b`."""
    if whole in (a, b):
        return True
    match a, b:
        case Int(), Int():
            return (
                a.low is not None
                and b.low is not None
                and (a.high is None or b.low <= a.high + 1)
                and (b.high is None or a.low <= b.high + 1)
            )
        case Enum(), Enum():
            return True
    size, x, y = cardinality(whole), cardinality(a), cardinality(b)
    return isinstance(whole, Union) and size is not None and x is not None and y is not None and size == x + y


def difference(a: Type, b: Type) -> Type:
    """`a \\ b`"""
    if not isinstance(a, Set):
        return a
    if isinstance(a.element, Enum) and isinstance(b, Set) and b.full and isinstance(b.element, Enum):
        left = a.element.atoms - b.element.atoms
        return set_of(Enum(left), a.most, a.full) if left else Set(NOTHING, 0, True)
    return Set(a.element, a.most)


def enumeration(items: Sequence[Type]) -> Type:
    """`{a, b, …}`"""
    if not items:
        return Set(NOTHING, 0, True)
    element = join_all(list(items))
    full = all(cardinality(item) == 1 for item in items) and cardinality(element) == len(set(items))
    return set_of(element, len(items), full)


def domain(type_: Type) -> Type:
    """`DOMAIN f`"""
    parts: list[Type] = []
    for member in members_of(type_):
        match member:
            case Function():
                parts.append(set_of(member.key, member.most, member.total))
            case Record():
                parts.append(set_of(strings(*member.names), None, True))
            case Tuple() | Seq():
                sequence = as_sequence(member)
                assert sequence is not None
                if sequence.most == 0:
                    parts.append(Set(NOTHING, 0, True))
                else:
                    parts.append(set_of(Int(1, sequence.most), None, sequence.least == sequence.most))
            case Nothing():
                parts.append(NOTHING)
            case Unknown():
                parts.append(UNKNOWN)
    return join_all(parts)


def apply(function: Type, argument: Type, literal: int | str | None) -> Type:
    """`f[x]`; `literal` is the argument where it is written out."""
    parts: list[Type] = []
    for member in members_of(function):
        match member:
            case Function():
                parts.append(member.value)
            case Seq():
                parts.append(member.element)
            case Tuple():
                if isinstance(literal, int) and 1 <= literal <= len(member.items):
                    parts.append(member.items[literal - 1])
                else:
                    parts.extend(member.items)
            case Record():
                field = member.field(literal) if isinstance(literal, str) else None
                if isinstance(literal, str):
                    parts.extend([field] if field is not None else [])
                elif isinstance(argument, Enum):
                    parts.extend(t for n, t in member.fields if any(a.name == n for a in argument.atoms))
                else:
                    parts.extend(t for _, t in member.fields)
            case Unknown():
                return UNKNOWN
    return join_all(parts)


def update(function: Type, argument: Type, literal: int | str | None, value: Callable[[Type], Type]) -> Type:
    """`[f EXCEPT ![argument] = …]`; `value` maps the old type at the place to the new one."""
    parts: list[Type] = []
    for member in members_of(function):
        match member:
            case Function():
                parts.append(Function(member.key, join(member.value, value(member.value)), member.total, member.most))
            case Seq() if member.most == 0:
                parts.append(member)
            case Seq():
                parts.append(Seq(join(member.element, value(member.element)), member.least, member.most))
            case Tuple():
                at = literal - 1 if isinstance(literal, int) else None
                parts.append(
                    Tuple(
                        tuple(
                            value(t) if at == i else t if at is not None else join(t, value(t))
                            for i, t in enumerate(member.items)
                        )
                    )
                )
            case Record():
                parts.append(
                    Record(
                        tuple(
                            (n, value(t) if n == literal else t if isinstance(literal, str) else join(t, value(t)))
                            for n, t in member.fields
                        )
                    )
                )
            case _:
                parts.append(member)
    return join_all(parts)


def append(sequence: Type, element: Type) -> Type:
    s = as_sequence(_sequence(sequence))
    if s is None:
        return UNKNOWN
    return Seq(join(s.element, element), s.least + 1, None if s.most is None else s.most + 1)


def concatenate(a: Type, b: Type) -> Type:
    if Text() in (a, b) or isinstance(a, Enum) or isinstance(b, Enum):
        return Text()
    s, t = as_sequence(_sequence(a)), as_sequence(_sequence(b))
    if s is None or t is None:
        return UNKNOWN
    most = None if s.most is None or t.most is None else s.most + t.most
    return Seq(join(s.element, t.element), s.least + t.least, most)


def _sequence(type_: Type) -> Type:
    """The part of the type that can be a sequence."""
    if isinstance(type_, Nothing):
        return EMPTY_SEQUENCE
    for member in members_of(type_):
        if isinstance(member, Seq | Tuple):
            return member
        if isinstance(member, Function) and isinstance(member.key, Int | Nothing):
            high = member.key.high if isinstance(member.key, Int) else 0
            return Seq(member.value, 0, high)
    return UNKNOWN


def powerset(type_: Type) -> Type:
    if isinstance(type_, Nothing):
        return NOTHING
    if not isinstance(type_, Set):
        return Set(set_of(element_of(type_)))
    return set_of(Set(type_.element, type_.most), None, type_.full)


def function_set(keys: Type, values: Type) -> Type:
    """`[keys -> values]`"""
    value = element_of(values)
    function = function_of(element_of(keys), value, is_full(keys))
    return set_of(function, None, is_full(keys) and is_full(values))


def override(a: Type, b: Type) -> Type:
    """`a @@ b`"""
    parts = []
    for type_ in (a, b):
        if isinstance(type_, Unknown | Nothing):
            return type_
        if isinstance(type_, Seq) and type_.most == 0:
            continue
        if not isinstance(type_, Function | Record | Tuple | Seq):
            return UNKNOWN
        parts.append(type_)
    if not parts:
        return EMPTY_SEQUENCE
    if len(parts) == 1:
        return parts[0]
    if isinstance(parts[0], Record) and isinstance(parts[1], Record):
        fields = dict(parts[1].fields) | dict(parts[0].fields)
        return Record.of(fields)
    f, g = as_function(parts[0]), as_function(parts[1])
    key = join(f.key, g.key)
    total = (f.total and f.key == key) or (g.total and g.key == key)
    size = cardinality(key)
    if not total and f.total and g.total and isinstance(key, Enum) and size is not None:
        total = True
    return function_of(key, join(f.value, g.value), total)


def single(key: Type, value: Type) -> Type:
    """`key :> value`"""
    return function_of(key, value, cardinality(key) == 1)


def _less_one(most: int | None) -> int | None:
    return None if most is None else max(0, most - 1)


def _intersection(a: Type, b: Type) -> Type:
    if not isinstance(a, Set) or not isinstance(b, Set):
        return a
    if a == b:
        return a
    small, other = (a, b) if (a.most is not None and (b.most is None or a.most <= b.most)) else (b, a)
    return Set(small.element, small.most if other.most is None else min(small.most or 0, other.most))


def _subsequence(a: Type, arguments: Sequence[Type]) -> Type:
    s = as_sequence(_sequence(a))
    if s is None:
        return UNKNOWN
    low, high = _integer(arguments[1]), _integer(arguments[2])
    most = s.most
    if low is not None and high is not None and low.low is not None and high.high is not None:
        longest = max(0, high.high - low.low + 1)
        most = longest if most is None else min(most, longest)
    return Seq(s.element, 0, most)


def _listed(a: Type) -> Type:
    """`SetToSeq(a)`"""
    if isinstance(a, Nothing):
        return NOTHING
    element, size = element_of(a), _size(a)
    if isinstance(element, Nothing):
        return EMPTY_SEQUENCE
    return Seq(element, size.low or 0, size.high) if isinstance(size, Int) else Seq(element)


def _orders(a: Type) -> Type:
    """`SetToSeqs(a)`"""
    return NOTHING if isinstance(a, Nothing) else Set(_listed(a))


def _partial_orders(a: Type) -> Type:
    """`SetToAllKPermutations(a)`"""
    listed = _listed(a)
    return Set(Seq(listed.element, 0, listed.most)) if isinstance(listed, Seq) else listed


def _negated(a: Type) -> Type:
    x = _integer(a)
    return _negate(x) if x is not None else Int()


def _united(a: Type) -> Type:
    """`UNION a`"""
    inner = element_of(a)
    return set_of(element_of(inner)) if not isinstance(inner, Nothing) else Set(NOTHING, 0, True)


def _length(a: Type) -> Type:
    s = as_sequence(_sequence(a))
    return Int(0, None) if s is None else Int(s.least, s.most)


def _size(a: Type) -> Type:
    """`Cardinality(a)`"""
    if not isinstance(a, Set):
        return NOTHING if isinstance(a, Nothing) else Int(0, None)
    size = cardinality(a.element)
    return exactly(size) if a.full and size is not None else Int(0, a.most)


def _head(a: Type) -> Type:
    s = as_sequence(_sequence(a))
    return UNKNOWN if s is None else a.items[0] if isinstance(a, Tuple) and a.items else s.element


def _tail(a: Type) -> Type:
    s = as_sequence(_sequence(a))
    if isinstance(a, Tuple) and a.items:
        return Tuple(a.items[1:])
    return UNKNOWN if s is None else Seq(s.element, max(0, s.least - 1), _less_one(s.most))


def _selected(a: Type) -> Type:
    s = as_sequence(_sequence(a))
    return UNKNOWN if s is None else Seq(s.element, 0, s.most)


def _permutations(a: Type) -> Type:
    element = element_of(a)
    return set_of(function_of(element, element, is_full(a)))


LEVEL = Int(0, 1 << 40)
"""Of a state: how many states a shortest behaviour to it has."""
_CONSTANT: Final[Mapping[str, Type]] = {
    "BOOLEAN": set_of(BOOL, None, True),
    "STRING": Set(Text(), None, True),
    "Nat": Set(Int(0, None), None, True),
    "Int": Set(Int(), None, True),
    "ToString": Text(),
}
_OF_FIRST: Final[Mapping[str, Callable[[Type], Type]]] = {
    "-.": _negated,
    "TLCGet": lambda a: LEVEL if a == Enum(frozenset({Atom("level")})) else UNKNOWN,
    "TLCEval": lambda a: a,
    "'": lambda a: a,
    "SUBSET": powerset,
    "UNION": _united,
    "DOMAIN": domain,
    "Len": _length,
    "Cardinality": _size,
    "Head": _head,
    "Tail": _tail,
    "SelectSeq": _selected,
    "SortSeq": lambda a: as_sequence(_sequence(a)) or UNKNOWN,
    "Seq": lambda a: Set(Seq(element_of(a)), None, is_full(a)),
    "Permutations": _permutations,
    "SetToSeq": _listed,
    "SetToSeqs": _orders,
    "SetToAllKPermutations": _partial_orders,
}
_OF_BOTH: Final[Mapping[str, Callable[[Type, Type], Type]]] = {
    "..": interval,
    "\\cup": union,
    "\\union": union,
    "\\cap": _intersection,
    "\\intersect": _intersection,
    "\\": difference,
    "Append": append,
    "\\o": concatenate,
    "\\circ": concatenate,
    ":>": single,
    "@@": override,
    "Print": lambda a, b: b,
}


def builtin(operator: str, arguments: Sequence[Type]) -> Type:
    """The type of a built-in operator's value. Operators that take operators are `infer`'s."""
    name = short_name(operator)
    if name in BOOLEAN_OPERATORS:
        return BOOL
    a = arguments[0] if arguments else NOTHING
    b = arguments[1] if len(arguments) > 1 else NOTHING
    if name in ARITHMETIC and len(arguments) == 2:
        x, y = _integer(a), _integer(b)
        if x is None or y is None:
            return NOTHING if isinstance(a, Nothing) or isinstance(b, Nothing) else Int()
        return ARITHMETIC[name](x, y)
    if name in _OF_FIRST:
        return _OF_FIRST[name](a)
    if name in _OF_BOTH:
        return _OF_BOTH[name](a, b)
    return _subsequence(a, arguments) if name == "SubSeq" else _CONSTANT.get(name, UNKNOWN)
