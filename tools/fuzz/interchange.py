"""Model values that SYMMETRY may exchange: the sets of them, what variables hold of them, the permutations.

From five values on, or with two sets of three, there are more than 24 permutations, and engines go another way
(`evaluate/symmetry.py`, LISTED). The domains are small all the same: what a variable holds of five values is one of
some hundred things that are described, `{[k \\in N |-> {p[k]}] : p \\in Permutations(N)}`, of every kind of structure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import factorial
from random import Random

from tools.fuzz.tree import Field, Node, Part
from tools.fuzz.types import BOOLEAN, MODEL, Bag, Function, Name, Record, Sequence, SetOf, Tuple, Type

COUNTS = (2, 3, 3, 4, 5, 5, 5, 6, 6)
MOST_OF_ONE = 5
"""Of so many values all permutations are taken at most: TLC tries each of them for every state."""


@dataclass(frozen=True, slots=True)
class Interchange:
    """`sets`: constants with their model values. The first has all of them, the next two have each of them once."""

    sets: tuple[tuple[Name, tuple[Name, ...]], ...]

    @property
    def given(self) -> tuple[Node, ...]:
        """Lines of the configuration for all sets but the first."""
        lines = []
        for constant, values in self.sets[1:]:
            shown: list[Part] = []
            for i, value in enumerate(values):
                shown += [", ", value] if i else [value]
            lines.append(Node(MODEL, (constant, " = {", *shown, "}")))
        return tuple(lines)

    def permutations(self, random: Random) -> Node:
        """The symmetry set: of one set, of two that share values or do not, or some permutations of one."""
        (all_, values), *parts = self.sets
        # of two values one leaves none where it is, and what has one element TLC passes over (docs/fuzzing.md)
        tests = _TESTS if 2 < len(values) <= MOST_OF_ONE else _TESTS[1:] if len(values) == 2 else ()
        forms = [_some(all_, test) for test in tests]
        if parts:
            (one, _), (other, _) = parts[:2]
            both = Node(BOOLEAN, (_of(one), " \\cup ", _of(other)))
            forms += [both] * 4 + [Node(BOOLEAN, (_of(random.choice(parts)[0]),))] * 2
            if len(parts) > 2:  # which shares a value with each of the two
                forms += [Node(BOOLEAN, (_of(one), " \\cup ", _of(parts[2][0])))] * 2
        if len(values) <= MOST_OF_ONE:
            forms += [Node(BOOLEAN, (_of(all_),))] * (3 if parts else 8)
        return random.choice(forms)

    def variable(self, random: Random, strings: list[Name], most: int) -> tuple[Type, Node]:
        """What a variable may hold, a type and a set of at most `most` values."""
        make = random.choice(_SHAPES)
        found = [shape for constant, values in self.sets[:3] for shape in make(constant, len(values), strings)]
        fitting = [each for each in found if 3 < (each.bound or 0) <= most]
        if not fitting:
            constant, values = self.sets[0]
            return MODEL, Node(SetOf(MODEL), (constant,), len(values))
        large = [each for each in fitting if (each.bound or 0) > 12]
        chosen = random.choice(large if large and random.random() < 0.7 else fitting)
        assert isinstance(chosen.type, SetOf)
        return chosen.type.element, chosen


def interchange(random: Random, all_: Name, values: tuple[Name, ...], free: tuple[Name, ...]) -> Interchange:
    """The sets of these values; `free` are constants for the parts."""
    sets = [(all_, values)]
    share = 0.2 if len(values) == MOST_OF_ONE else 0.5
    if len(values) > MOST_OF_ONE or (len(values) > 2 and random.random() < share):
        middle = len(values) // 2 if len(values) > MOST_OF_ONE else random.randint(1, len(values) - 1)
        sets += [(free[0], values[:middle]), (free[1], values[middle:])]
        if random.random() < 0.3:
            sets.append((free[2], values[middle - 1 : middle + 1]))
    return Interchange(tuple(sets))


_J, _K, _P, _S = (Name("local", 95 + i) for i in range(4))

_TESTS: tuple[tuple[Part, ...], ...] = (
    (_P, "[", _K, "] # ", _K),  # of three values those that generate rotations only
    (_P, "[", _P, "[", _K, "]] = ", _K),
)


def _of(items: Name) -> Node:
    return Node(BOOLEAN, ("Permutations(", items, ")"))


def _some(items: Name, test: tuple[Part, ...]) -> Node:
    """Those permutations of which a test is true for each value."""
    among: tuple[Part, ...] = (_P, " \\in Permutations(", items, ") : \\A ", _K, " \\in ", items, " : ")
    return Node(BOOLEAN, ("{", *among, *test, "}"))


def _set(element: Type, size: int, *parts: Part) -> Node:
    return Node(SetOf(element), parts, size)


def _all(n: Name, count: int, strings: list[Name]) -> Iterator[Node]:
    """All values of a type."""
    yield _set(SetOf(MODEL), 2**count, "(SUBSET ", n, ")")
    yield _set(Function(MODEL, BOOLEAN), 2**count, "[", n, " -> BOOLEAN]")
    yield _set(Function(MODEL, MODEL), count**count, "[", n, " -> ", n, "]")
    yield _set(SetOf(SetOf(MODEL)), 2**2 ** min(count, 5), "(SUBSET SUBSET ", n, ")")
    yield _set(SetOf(Tuple((MODEL, MODEL))), 2 ** (count * count), "(SUBSET (", n, " \\X ", n, "))")
    yield _set(Tuple((MODEL, SetOf(MODEL))), count * 2**count, "(", n, " \\X SUBSET ", n, ")")
    yield _set(Function(BOOLEAN, SetOf(MODEL)), 4**count, "[BOOLEAN -> SUBSET ", n, "]")
    yield _set(Function(MODEL, SetOf(MODEL)), 2 ** (count * count), "[", n, " -> SUBSET ", n, "]")
    pairs = Function(Tuple((MODEL, MODEL)), BOOLEAN)
    yield _set(pairs, 2 ** (count * count), "[", n, " \\X ", n, " -> BOOLEAN]")
    parts: tuple[Part, ...] = (_S, " \\in SUBSET ", n, "})")
    yield _set(Function(MODEL, BOOLEAN), 3**count, "(UNION {[", _S, " -> BOOLEAN] : ", *parts)
    yield _set(Bag(MODEL), 3**count, "(UNION {[", _S, " -> 1..2] : ", *parts)
    up_to_two = 1 + count + count * count
    yield _set(Sequence(MODEL), up_to_two, "(UNION {[1..", _K, " -> ", n, "] : ", _K, " \\in 0..2})")
    one_or_none = 1 + 2**count
    yield _set(Sequence(SetOf(MODEL)), one_or_none, "(UNION {[1..", _K, " -> SUBSET ", n, "] : ", _K, " \\in 0..1})")


def _records(n: Name, count: int, strings: list[Name]) -> Iterator[Node]:
    one, other = strings[:2]
    fields: tuple[tuple[Name, Type], ...] = ((one, MODEL), (other, SetOf(MODEL)))
    domain: tuple[Part, ...] = ("[", Field(one), " : ", n, ", ", Field(other), " : SUBSET ", n, "]")
    yield _set(Record(fields), count * 2**count, *domain)
    fields = ((one, Function(MODEL, BOOLEAN)), (other, BOOLEAN))
    domain = ("[", Field(one), " : [", n, " -> BOOLEAN], ", Field(other), " : BOOLEAN]")
    yield _set(Record(fields), 2 * 2**count, *domain)


def _by_permutations(n: Name, count: int, strings: list[Name]) -> Iterator[Node]:
    """Cycles and orders: values of which each may stand as another one does."""
    if count > MOST_OF_ONE:
        return
    size, among = factorial(count), (" : ", _P, " \\in Permutations(", n, ")}")
    each: tuple[Part, ...] = (_K, " \\in ", n)
    image: tuple[Part, ...] = (_P, "[", _K, "]")
    yield _set(Function(MODEL, MODEL), size, "Permutations(", n, ")")
    yield _set(Function(MODEL, SetOf(MODEL)), size, "{[", *each, " |-> {", *image, "}]", *among)
    nested: tuple[Part, ...] = ("[", _J, " \\in ", n, " |-> ", _J, " = ", *image, "]")
    yield _set(Function(MODEL, Function(MODEL, BOOLEAN)), size, "{[", *each, " |-> ", *nested, "]", *among)
    if count == MOST_OF_ONE:
        return  # the reference evaluator takes seconds to put the elements of such sets in order
    yield _set(SetOf(Tuple((MODEL, MODEL))), size, "{{<<", _K, ", ", *image, ">> : ", *each, "}", *among)
    yield _set(SetOf(SetOf(MODEL)), size, "{{{", _K, ", ", *image, "} : ", *each, "}", *among)


def _by_part(n: Name, count: int, strings: list[Name]) -> Iterator[Node]:
    """What a part of the values and one of them say."""
    among: tuple[Part, ...] = (_S, " \\in SUBSET ", n, "}")
    yield _set(SetOf(SetOf(MODEL)), 2**count, "{{", _S, ", ", n, " \\ ", _S, "} : ", *among)
    yield _set(
        SetOf(SetOf(MODEL)), count * count, "{{{", _J, "}, {", _J, ", ", _K, "}} : ", _J, ", ", _K, " \\in ", n, "}"
    )
    both = count * 2**count
    with_one: tuple[Part, ...] = (_J, " \\in ", n, ", ", *among)
    moved: tuple[Part, ...] = ("[", _K, " \\in ", n, " |-> IF ", _K, " \\in ", _S, " THEN ")
    yield _set(Function(MODEL, MODEL), both, "{", *moved, _J, " ELSE ", _K, "] : ", *with_one)
    yield _set(Function(MODEL, SetOf(MODEL)), both, "{", *moved, "{", _J, "} ELSE ", _S, "] : ", *with_one)
    yield _set(SetOf(Tuple((MODEL, SetOf(MODEL)))), both, "{{<<", _J, ", ", _S, ">>, <<", _J, ", {}>>} : ", *with_one)


_SHAPES: tuple[Callable[[Name, int, list[Name]], Iterator[Node]], ...] = (
    *(_all,) * 2,
    _records,
    *(_by_permutations,) * 2,  # values that look alike and are not, of which the colours do not tell enough
    _by_part,
)
