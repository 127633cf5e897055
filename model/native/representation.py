"""How the values of a type lie in C: scalars, bit sets over a universe, sorted vectors, arrays, structures.

A function has a place for each argument of its universe or, where that is large (`is_map`), a vector of pairs.

One value has one representation in a type, so that equal values are packed to equal bits.
Strings and model values share one numbering (`Atoms`), so that an enumeration needs no conversion.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace
from functools import lru_cache
from typing import Any

from rmqproof.model.evaluate.values import BY_NAME, Order, letter_of
from rmqproof.model.records import dataclass
from rmqproof.model.types.domain import (
    NOTHING,
    Atom,
    Bool,
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
    all_parts,
    cardinality,
    parts_of,
    rebuilt,
    set_of,
)

from .errors import NotCompilable

LARGEST_UNIVERSE = 1024
"""A set over a universe up to this size is a bit set; a larger one is a sorted vector."""
LARGEST_LISTED = 1 << 14
"""Of a universe up to this size a vector holds the positions of the elements in their order, not the elements."""
LARGEST_DOMAIN = 4096
"""A function whose domain is a universe up to this size has a place for each of its values."""
LARGEST_PLACES = 1 << 10
"""Bytes up to which a partial function has places for many more arguments than it is assumed to have."""
COPIED = 32
"""Bytes of a value up to which operators get a copy of it, and loops make one of an element; else it is pointed at."""
MOST_APART = 8
"""Parts of a value up to which each is cleared apart."""
CLEARED = 64
"""Bytes that are cleared as a whole, whatever is in them."""
LARGEST_VALUE = 1 << 16
"""Bytes of an unpacked value: values live on the stack."""
SCALAR = "I"


@dataclass(slots=True)
class Atoms:
    """Strings and model values, numbered; `order` is the model's of strings, model values and fields."""

    numbers: dict[Atom, int] = field(default_factory=dict)
    order: Order = BY_NAME

    def number(self, atom: Atom) -> int:
        return self.numbers.setdefault(atom, len(self.numbers))

    def atom(self, number: int) -> Atom:
        return list(self.numbers)[number]

    def sorted(self, atoms: Iterable[Atom]) -> list[Atom]:
        """In the Python engine's order of values: model values, then strings."""
        return sorted(atoms, key=lambda atom: (not atom.is_model, self.order.word_key(atom.name)))

    def part_order(self, type_: Tuple | Record) -> list[int]:
        """The numbers of the parts of the type, in the order in which its values are compared."""
        if isinstance(type_, Tuple):
            return list(range(len(type_.items)))
        return sorted(range(len(type_.fields)), key=lambda i: self.order.word_key(type_.fields[i][0]))

    def member_order(self, type_: Union) -> list[int]:
        """The numbers of the members of the type in the order of their values, where all values of one come before
        those of another; else as they are. Ranks are given in this order."""
        numbers = list(range(len(type_.members)))
        return sorted(numbers, key=lambda i: self._member_key(type_.members[i])) if separate(type_) else numbers

    def _member_key(self, member: Type) -> tuple[Any, ...]:
        """Where the values of a member of a union stand in the order of all values, by kind, then by domain."""
        match member:
            case Record():
                return 5, len(member.fields), 1, *sorted(map(self.order.word_key, member.names))
            case Tuple():
                return 5, len(member.items), 0
            case Enum():
                return (0 if all(atom.is_model for atom in member.atoms) else 3,)
        return (1 if isinstance(member, Bool) else 2 if isinstance(member, Int) else 4,)


@dataclass(frozen=True, slots=True)
class Capacity:
    """Sizes assumed where types give none. All are checked at run time; a run that needs more starts over with more."""

    sequence: int = 6
    vector: int = 8
    largest: int = 64
    """What can be no longer by its type has room for all that it may be; see `room`."""
    crowded: bool = False
    """What can be longer than `largest` was longer than `sequence` or `vector` says."""
    integers: int = 31
    """The number of integers beyond the known end of an endless range."""
    universe: int = LARGEST_UNIVERSE
    """A set over a universe up to this size is a bit set, a larger one a sorted vector."""
    domain: int = LARGEST_UNIVERSE
    """A partial function over a universe up to this size has a place for each of its values, a larger one is a map."""
    letters: int = 150_000
    """Of what Next does in C; where they would be more, ways are joined (`Formulas.joins`). Nothing starts over."""

    def grown(self) -> Capacity:
        return replace(
            self,
            sequence=self.sequence * 2,
            vector=self.vector * 2,
            largest=self.largest * 2 if self.crowded else self.largest,
            crowded=True,
            integers=self.integers * 16 + 15,
        )

    def room(self, assumed: int, most: int | None) -> int:
        """The length of what has at most `most` parts by its type, and mostly far fewer where those are many: a set of
        requests is one of all that could be asked for."""
        if most is None:
            return assumed
        return min(most, self.largest if self.crowded or most <= self.largest else assumed)


NARROW = Capacity(sequence=1, vector=1, largest=2, integers=1, universe=2, domain=2)
"""Hardly any room, where small specifications meet what large ones do with `Capacity()`."""


def larger(one: Capacity, other: Capacity) -> Capacity:
    """The one of two that has grown more often, from the same."""
    return one if one.sequence >= other.sequence else other


def first_capacity(narrow: bool) -> Capacity:
    """What the programs of a search begin with, and those of the graphs of its states. `narrow`: see `Tuning`."""
    return NARROW if narrow else Capacity()


def settle(type_: Type, capacity: Capacity) -> Type:
    """`type_` with an end to every sequence, vector and map; ranges of integers stay as they are."""
    match type_:
        case Set():
            element = settle(type_.element, capacity)
            if isinstance(element, Nothing):
                return Set(NOTHING, 0, True)
            if universe_size(element, capacity.universe) is not None:
                return replace(set_of(element, type_.most, type_.full), element=element)
            return Set(element, capacity.room(capacity.vector, type_.most), type_.full)
        case Seq():
            element = settle(type_.element, capacity)
            most = max(type_.least, capacity.room(capacity.sequence, type_.most))
            return Seq(element, min(type_.least, most), most)
        case Function():
            key, value = settle(type_.key, capacity), settle(type_.value, capacity)
            if type_.total or isinstance(key, Nothing) or has_places(key, value, capacity):
                return Function(key, value, type_.total)
            # A number that is known comes from maps that are settled: those of a variable may have more room.
            return Function(key, value, False, capacity.vector if type_.most is None else type_.most)
    return rebuilt(type_, lambda part: settle(part, capacity))


def has_places(key: Type, value: Type, capacity: Capacity) -> bool:
    """Whether a partial function has a place for each argument that it may have."""
    size = cardinality(key)
    if size is None or size > capacity.domain:
        return False
    return size <= 2 * capacity.vector or size * Structures(capacity.universe).size(value) <= LARGEST_PLACES


def bounded(type_: Type, capacity: Capacity) -> Type:
    """`type_` as it is stored in a state: endless integer ranges get an end too."""
    match type_:
        case Int():
            if type_.low is None and type_.high is None:
                return Int(-capacity.integers // 2, capacity.integers // 2)
            if type_.low is None and type_.high is not None:
                return Int(min(0, type_.high) - capacity.integers, type_.high)
            if type_.high is None and type_.low is not None:
                return Int(type_.low, max(0, type_.low) + capacity.integers)
            return type_
        case Set():
            return settle(Set(bounded(type_.element, capacity), type_.most), capacity)
        case Seq():
            return settle(Seq(bounded(type_.element, capacity), type_.least, type_.most), capacity)
        case Function():
            key = bounded(type_.key, capacity)
            total = type_.total and key == type_.key
            return settle(Function(key, bounded(type_.value, capacity), total, type_.most), capacity)
    return rebuilt(type_, lambda part: bounded(part, capacity))


def is_map(type_: Type) -> bool:
    """Whether it is a type, which is settled, of functions that lie in C as the pairs of which they are made."""
    return isinstance(type_, Function) and type_.most is not None


def pairs_in(type_: Function) -> Seq:
    """What a map is in C: the pairs of arguments and values, in the order of the arguments."""
    return Seq(Tuple((type_.key, type_.value)), 0, type_.most)


@dataclass(slots=True)
class PairTypes:
    """`pairs_in` of the maps of a layout, each made once, so that it can be known by its identity as the map's is."""

    _known: dict[int, Seq] = field(default_factory=dict)

    def of(self, type_: Function) -> Seq:
        known = self._known.get(id(type_))
        if known is None:
            known = self._known[id(type_)] = pairs_in(type_)
        return known


def universe_size(element: Type, largest: int) -> int | None:
    """The number of bits of a set of such elements; None: a vector. `largest`: see `Capacity.universe`."""
    size = cardinality(element)
    return size if size is not None and size <= largest and not may_clash(element) else None


def rank_key(type_: Type) -> object:
    """Equal for universes in which a common value has the same rank."""
    if isinstance(type_, Int):
        return ("i", type_.low)
    return type_


@dataclass(slots=True)
class Structures:
    """The C structures that a program uses, by shape."""

    universe: int = LARGEST_UNIVERSE
    names: dict[object, str] = field(default_factory=dict)
    definitions: list[str] = field(default_factory=list)

    def universe_size(self, element: Type) -> int | None:
        """The number of bits of a set of such elements; None: a vector."""
        return universe_size(element, self.universe)

    def listed_size(self, element: Type) -> int | None:
        """The size of the universe where a set of such elements is a vector of positions in it."""
        if not isinstance(element, Record | Tuple | Union | Function | Seq) or may_clash(element):
            return None
        size = cardinality(element)
        if size is None or not self.universe < size <= LARGEST_LISTED:
            return None
        inside = [part for part in all_parts(element) if isinstance(part, Set)]
        return None if any(self.universe_size(part.element) is None for part in inside) else size

    def of(self, type_: Type) -> str:
        """The C type of values of `type_`, which is settled."""
        refuse_typed(type_)
        refuse_mixed(type_)
        key = self.key(type_)
        if key == SCALAR:
            return SCALAR
        if key not in self.names:
            if self.size(type_) > LARGEST_VALUE:
                raise NotCompilable(None, "a value of more than 64 kilobytes")
            body = self._body(type_)
            name = f"T{len(self.names)}"
            self.names[key] = name
            self.definitions.append(f"typedef struct {{ {body} }} {name};")
        return self.names[key]

    def same(self, a: Type, b: Type) -> bool:
        """Whether the two types lie in C alike, value by value."""
        return self.key(a) == self.key(b)

    def key(self, type_: Type) -> object:
        match type_:
            case Int() | Bool() | Enum() | Text() | Nothing():
                return SCALAR
            case Set():
                size = self.universe_size(type_.element)
                if self.listed_size(type_.element) is not None:
                    return ("positions", type_.most, rank_key(type_.element))
                if size is None:
                    return ("vector", type_.most, self.key(type_.element))
                return ("bits", words(size), rank_key(type_.element))
            case Seq():
                return ("sequence", type_.most, self.key(type_.element))
            case Tuple():
                return ("tuple", tuple(self.key(item) for item in type_.items))
            case Record():
                return ("record", type_.names, tuple(self.key(item) for _, item in type_.fields))
            case Function() if is_map(type_):
                return self.key(pairs_in(type_))
            case Function():
                return ("function", type_.total, domain_size(type_), rank_key(type_.key), self.key(type_.value))
            case Union():
                return ("union", type_.members)
        raise NotCompilable(None, "a value whose type is not known")

    def size(self, type_: Type) -> int:
        """The bytes of an unpacked value."""
        match type_:
            case Set():
                size = self.universe_size(type_.element)
                if self.listed_size(type_.element) is not None:
                    return 8 + 8 * max(1, type_.most or 0)
                return 8 * words(size) if size is not None else 8 + max(1, type_.most or 0) * self.size(type_.element)
            case Seq():
                return 8 + max(1, type_.most or 0) * self.size(type_.element)
            case Tuple() | Record():
                return sum(map(self.size, parts_of(type_))) or 8
            case Function() if is_map(type_):
                return self.size(pairs_in(type_))
            case Function():
                size = domain_size(type_)
                return (0 if type_.total else 8 * words(size)) + max(1, size) * self.size(type_.value)
            case Union():
                return 8 + max(map(self.size, type_.members))
        return 8

    def is_scalar(self, type_: Type) -> bool:
        return self.key(type_) == SCALAR

    def parameter(self, type_: Type, name: str) -> str:
        """The declaration of a parameter of a routine over values: structures are pointed at."""
        return f"{self.of(type_)} {name}" if self.is_scalar(type_) else f"const {self.of(type_)} *{name}"

    def argument(self, type_: Type, place: str) -> str:
        """What a routine is given for the value at `place`: a name or a path, but for scalars any expression."""
        return place if self.is_scalar(type_) else f"&({place})"

    def cleared(self, type_: Type, place: str) -> str:
        """Statements that make what lies at `place` a value all the same, that of zero bits.

        Of what has a length nobody looks behind that, but for as many elements as the type says that there are, and the
        first: where there was none and a failure is noted only, it is taken all the same.
        """
        if self.key(type_) == SCALAR:
            return f"{place} = 0;"
        return self._cleared(type_, place)[0]

    def _cleared(self, type_: Type, place: str) -> tuple[str, int]:
        """Such statements, and how many bytes they clear."""
        size, steps, bytes_ = self.size(type_), "", 0
        whole = f"memset(&{place}, 0, sizeof {place});", size
        if size <= CLEARED:
            return whole
        match type_:
            case Set() if self.universe_size(type_.element) is not None:
                return whole
            case Set() if self.listed_size(type_.element) is not None:
                return f"{place}.n = 0; {place}.a[0] = 0;", 16
            case Set() | Seq() | Function() if isinstance(type_, Set | Seq) or is_map(type_):
                element = pairs_in(type_).element if isinstance(type_, Function) else type_.element
                least = max(1, type_.least) if isinstance(type_, Seq) else 1
                steps, bytes_ = f"{place}.n = 0;", 8
                parts = [(element, f"{place}.a[{i}]") for i in range(least)] if least <= MOST_APART else []
            case Tuple() | Record() if len(parts_of(type_)) <= MOST_APART:
                parts = [(part, f"{place}.f{i}") for i, part in enumerate(parts_of(type_))]
            case _:
                return whole
        if not parts:
            return whole
        for part, at in parts:
            more, count = (f"{at} = 0;", 8) if self.key(part) == SCALAR else self._cleared(part, at)
            steps, bytes_ = f"{steps} {more}", bytes_ + count
        return (steps, bytes_) if 2 * bytes_ <= size else whole

    def _body(self, type_: Type) -> str:
        match type_:
            case Set():
                size = self.universe_size(type_.element)
                if self.listed_size(type_.element) is not None:
                    return f"I n; I a[{max(1, type_.most or 0)}];"
                if size is None:
                    return f"I n; {self.of(type_.element)} a[{max(1, type_.most or 0)}];"
                return f"U w[{words(size)}];"
            case Seq():
                return f"I n; {self.of(type_.element)} a[{max(1, type_.most or 0)}];"
            case Tuple() | Record():
                return " ".join(f"{self.of(item)} f{i};" for i, item in enumerate(parts_of(type_))) or "I none;"
            case Function() if is_map(type_):
                return self._body(pairs_in(type_))
            case Function():
                size = domain_size(type_)
                bits = "" if type_.total else f"U w[{words(size)}]; "
                return f"{bits}{self.of(type_.value)} a[{max(1, size)}];"
            case Union():
                members = " ".join(f"{self.of(member)} m{i};" for i, member in enumerate(type_.members))
                return f"I tag; union {{ {members} }};"
        raise TypeError(type_)


def in_rank_order(type_: Type) -> bool:
    """Whether values in the order of their ranks are in the Python engine's order of values."""
    match type_:
        case Int() | Bool() | Enum() | Nothing():
            return True
        case Tuple() | Record() | Seq():
            return all(map(in_rank_order, parts_of(type_)))
        case Function():
            return type_.total and in_rank_order(type_.key) and in_rank_order(type_.value)
        case Union():
            return separate(type_) and all(map(in_rank_order, type_.members))
    return False


def separate(type_: Union) -> bool:
    """Whether of any two members all values of one come before all of the other, as they differ in kind or domain."""
    kinds: set[object] = set()
    for member in type_.members:
        match member:
            case Record():
                kinds.add(member.names)
            case Tuple():
                kinds.add(len(member.items))
            case Enum() if len({atom.is_model for atom in member.atoms}) == 1:
                kinds.add(("atoms", next(iter(member.atoms)).is_model))
            case Bool() | Int() | Set():
                kinds.add(type(member).__name__)
    return len(kinds) == len(type_.members)


@lru_cache(maxsize=10_000)
def refuse_mixed(type_: Type) -> None:
    """Raise `NotCompilable` for sets and domains of values that cannot be compared: the Python engine says where they
    come from. A set of values of which only parts cannot be is asked when it is built."""
    for part in all_parts(type_):
        if isinstance(part, Set) and isinstance(part.element, Union) and len(compared_as(part.element)) > 1:
            raise NotCompilable(None, "a set whose elements cannot be compared with each other")
        if isinstance(part, Function) and may_clash(part.key):
            raise NotCompilable(None, "a function whose arguments may not be comparable with each other")


@lru_cache(maxsize=10_000)
def may_clash(element: Type) -> bool:
    """Whether values of the type may have parts that cannot be compared, as `[a |-> 1]` and `[a |-> "x"]`: a set of
    them is a vector, where each that comes meets its neighbours."""
    return any(isinstance(part, Union) and len(compared_as(part)) > 1 for part in all_parts(element))


@lru_cache(maxsize=10_000)
def refuse_typed(type_: Type) -> None:
    """Raise `NotCompilable` where a typed model value (`A_p1`) may meet what TLC does not compare it with."""
    for part in all_parts(type_):
        kinds = compared_as(part) if isinstance(part, Union | Enum) else frozenset()
        if len(kinds) > 1 and any(len(each) == 1 for each in kinds):
            raise NotCompilable(None, "a typed model value where there may be other values")


def compared_as(type_: Type) -> frozenset[str]:
    """The kinds of which values of this type are, values of one of which can be compared: the letter of a typed model
    value is one; what can be compared with every value is of none."""
    match type_:
        case Union():
            return frozenset().union(*map(compared_as, type_.members))
        case Int() | Bool() | Set():
            return frozenset([type(type_).__name__])
        case Enum():
            found = (letter_of(atom.name) if atom.is_model else "Text" for atom in type_.atoms)
            return frozenset(filter(None, found))
        case Text():
            return frozenset(["Text"])
        case Nothing():
            return frozenset()
    return frozenset(["Function"])


def words(bits: int) -> int:
    return max(1, (bits + 63) // 64)


def domain_size(type_: Function) -> int:
    size = cardinality(type_.key)
    if size is None or size > LARGEST_DOMAIN or is_map(type_):
        raise NotCompilable(None, "a function whose domain is not bounded")
    return size


def each_argument(type_: Function, code: str, i: str, body: str) -> str:
    """A loop over the arguments of the function at `code`, a name; `i` is the rank of one."""
    size = domain_size(type_)
    if type_.total:
        return f"for (I {i} = 0; {i} < {size}; {i}++) {{ {body} }}"
    return (
        f"for (I {i}_k = 0; {i}_k < {words(size)}; {i}_k++) "
        f"for (U {i}_w = {code}.w[{i}_k]; {i}_w; {i}_w &= {i}_w - 1) "
        f"{{ I {i} = {i}_k * 64 + __builtin_ctzll({i}_w); {body} }}"
    )
