"""Whether values can be compared, and whether they are equal: an error wherever TLC has one.

Values of one kind compare with each other, an untyped model value with every value, a typed one (`A_p1`) with its own
type and untyped ones only. Two functions are compared by their domains and then value by value, sets of one size
element by element, up to the first difference; whatever is compared on the way must be comparable. A set, in which
TLC sorts the elements, must have elements that compare (`tlc2.value.impl`, the methods `equals` and `compareTo`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any, NoReturn

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy import plain
from rmqproof.model.evaluate.show import shorten
from rmqproof.model.evaluate.value_order import current, ordered
from rmqproof.model.evaluate.values import ENDLESS, Boolean, Function, ModelValue, Value, domain_set, kind_of

_UNEQUAL_KINDS = "TLA+ does not say whether they are equal"
_TYPED = "the typed model value"

_FUNCTIONS = (tuple, Function)
_NORMAL = frozenset({int, str, Boolean, ModelValue, frozenset, tuple, Function})
_SCALARS = (int, str, Boolean, ModelValue)
_FEW = 4
"""Up to so many elements are compared with each of another set; of more the two are sorted."""


def equal(a: Value, b: Value) -> bool:
    """a = b; an error when the two are of kinds that cannot be compared."""
    return a == b or differ(a, b)


def differ(a: Value, b: Value) -> bool:
    """False for two values that are not equal, and an error where TLC has one: `1 = "a"`."""
    kind, other = type(a), type(b)
    if kind is other:
        if kind is int or kind is str or (kind is ModelValue and a.letter == b.letter):
            return False
        if kind is Function and a[0] is b[0]:
            kinds = tuple(map(type, a))
            if kinds == tuple(map(type, b)) and _always_compare(kinds):
                return False
    if kind not in _NORMAL or other not in _NORMAL:
        return _differ_plain(plain(a), plain(b))
    return _differ_plain(a, b)


def _differ_plain(a: Value, b: Value) -> bool:
    kind, other = type(a), type(b)
    if kind is ModelValue or other is ModelValue:
        return _model_values(a, b)
    if kind in _FUNCTIONS and other in _FUNCTIONS:
        return _functions(a, b)
    if kind is not other or kind not in _NORMAL:
        incomparable(a, b)
    if kind is frozenset and len(a) == len(b):
        return _first_difference(ordered(a), ordered(b))
    return False


def _functions(a: tuple[Value, ...], b: tuple[Value, ...]) -> bool:
    if type(a) is tuple and type(b) is tuple:
        return len(a) == len(b) and _first_difference(a, b)
    if type(a) is Function and type(b) is Function and a[0] is b[0]:
        return _first_difference(_values(a), _values(b))
    if is_record(a) and b and not is_record(b):
        incomparable(a, b)
    return _domains(a, b)


@lru_cache
def _always_compare(kinds: tuple[type, ...]) -> bool:
    """Whether two functions of one domain compare whatever their values are, of these kinds (the domain's is first)."""
    return all(kind in (int, str, Boolean) for kind in kinds[1:])


def _domains(a: tuple[Value, ...], b: tuple[Value, ...]) -> bool:
    """False for two functions with different domains."""
    if len(domain_set(a)) != len(domain_set(b)) or comparable_sets(domain_set(a), domain_set(b)):
        return False
    one, two = ([key for key, _ in current().pairs(f)] for f in (a, b))
    return _first_difference(one, two)


def _values(f: tuple[Value, ...]) -> list[Value]:
    return [value for _, value in current().pairs(f)]


def is_record(value: Value) -> bool:
    return type(value) is Function and all(type(key) is str for key in value[0].keys)


def _first_difference(a: Sequence[Value], b: Sequence[Value]) -> bool:
    for x, y in zip(a, b, strict=True):
        if x is not y and x != y:
            return differ(x, y)
    return False


def _model_values(a: Value, b: Value) -> bool:
    """Typed model values (`A_p1`) compare with their own type and untyped ones only."""
    for value, other in ((a, b), (b, a)):
        if type(value) is ModelValue and value.letter:
            _typed(value, other)
    return False


def _typed(value: ModelValue, other: Value) -> None:
    if not (type(other) is ModelValue and other.letter in ("", value.letter)):
        raise Fault(f"{_TYPED} {shorten(value)} is compared with {shorten(other)}")


def is_about_kinds(message: str) -> bool:
    """Whether an error's message is about two values that cannot be compared."""
    return any(words in message for words in (_UNEQUAL_KINDS, _TYPED, ENDLESS))


def incomparable(a: Value, b: Value) -> NoReturn:
    """An error; two sets of which one is infinite are compared by their descriptions alone."""
    if kind_of(a) == kind_of(b):
        raise Fault(f"whether {shorten(a)} and {shorten(b)} are equal is not known: {ENDLESS}", "Compare finite sets.")
    raise Fault(
        f"{shorten(a)} is {kind_of(a)} and {shorten(b)} is {kind_of(b)}; {_UNEQUAL_KINDS}",
        "Compare values of one kind; a model value is different from every value.",
    )


# --- membership --------------------------------------------------------------------------------------------


def stranger(value: Value, items: frozenset[Value]) -> bool:
    """False for a value that is not in a set, and an error where it cannot be compared with the elements."""
    value = plain(value)
    kind = type(value)
    if not items or _compares_with(mark_of(value) if kind in _SCALARS else _known_mark(value), _marks_of(items)):
        return False
    try:
        for item in items:
            _compared(item, value)
    except Fault:
        for item in ordered(items):  # to name the same one each time
            _compared(item, value)
    return False


def met(value: Value, found: Mapping[Value, Any]) -> bool:
    """Whether the value is among these. Raise `Fault` where it cannot be compared with them: TLC compares."""
    return value in found or stranger(value, frozenset(found))


def among(value: Value, items: Iterable[Value]) -> bool:
    """value \\in {item, ...}: compared with one after the other, as TLC does while the set is not sorted."""
    value = plain(value)
    return any(equal(item, value) for item in items)


def _compared(a: Value, b: Value) -> None:
    """An error where two values, which are not equal, cannot be compared.

    Whether TLC compares a record with another function that is no record, with as many arguments or not, depends on
    which of them asks.
    """
    if type(a) in _FUNCTIONS and type(b) in _FUNCTIONS and is_record(a) != is_record(b):
        _domains(a, b)
        return
    differ(a, b)


def alike(a: object, b: object) -> None:
    """An error where elements of one set cannot be compared with those of the other."""
    if type(a) is not frozenset or type(b) is not frozenset or not a or not b or comparable_sets(a, b):
        return
    small, large = (a, b) if len(a) <= len(b) else (b, a)
    if len(small) > _FEW:
        check_marks(_marks_of(a) | _marks_of(b), a | b)
        return
    for item in ordered(small):
        if item not in large:
            for other in ordered(large):
                _compared(other, item)


def comparable_sets(a: frozenset[Value], b: frozenset[Value]) -> bool:
    """Whether all elements of two sets can be compared; False also where it depends on the values."""
    return marks_compare(_marks_of(a) | _marks_of(b))


def outsider(some: Iterable[Value], items: frozenset[Value]) -> bool:
    """False for a set `some` that is no subset of the other; an error where the two cannot be compared."""
    for item in ordered(some):
        if item not in items:
            return stranger(item, items)
    return True


# --- sets --------------------------------------------------------------------------------------------------

Mark = Any
"""What matters of a value for comparisons: values with the same mark can be compared."""


def mark_of(value: Value) -> Mark:
    """`int`, `str`, `Boolean`; the letter of a model value; for a set or function a tuple with the marks inside it."""
    kind = type(value)
    if kind is int or kind is str or kind is Boolean:
        return kind
    if kind is ModelValue:
        return value.letter
    if kind is frozenset:
        return "set", len(value), frozenset(map(mark_of, value))
    if kind not in _FUNCTIONS:  # an infinite set: equal to itself only
        return "described", value
    marks = tuple(map(mark_of, value[1:] if kind is Function else value))
    if len(set(marks)) == 1:
        marks = marks[:1]
    return "function", len(value), value[0] if kind is Function else None, marks


_known_mark = lru_cache(100_000)(mark_of)


@lru_cache(20_000)
def _marks_of(items: frozenset[Value]) -> frozenset[Mark]:
    return frozenset(mark_of(item) if type(item) in _SCALARS else _known_mark(item) for item in items)


@lru_cache(50_000)
def _compares_with(mark: Mark, marks: frozenset[Mark]) -> bool:
    """Whether a value with this mark can be compared with values with those, which compare with each other."""
    return mark in marks or marks_compare(marks | {mark})


@lru_cache(10_000)
def marks_compare(marks: frozenset[Mark]) -> bool:
    """Whether values with these marks can be compared, each with each. False also where it depends on the values."""
    known = {mark for mark in marks if mark != ""}
    if len(known) < 2:
        return True
    if not all(type(mark) is tuple for mark in known) or len({mark[0] for mark in known}) > 1:
        return False
    if next(iter(known))[0] == "described":
        return False
    groups: dict[Any, list[Mark]] = {}
    for mark in known:
        groups.setdefault(mark[1] if mark[0] == "set" else mark[1:3], []).append(mark)
    if next(iter(known))[0] == "set":
        return all(marks_compare(frozenset().union(*(mark[2] for mark in group))) for group in groups.values())
    domains = [domain for _, domain in groups]
    if len(domains) > 1 and not _domains_compare(domains):
        return False
    return all(
        all(marks_compare(frozenset(part)) for part in zip(*_stretched(group), strict=True))
        for group in groups.values()
    )


def _domains_compare(domains: list[Any]) -> bool:
    if all(domain is None for domain in domains):
        return True
    return None not in domains and marks_compare(frozenset(mark_of(key) for domain in domains for key in domain.keys))


def _stretched(group: list[Mark]) -> list[tuple[Mark, ...]]:
    """The marks of the values of functions, all with the same length."""
    length = max(len(mark[3]) for mark in group)
    return [mark[3] * length if len(mark[3]) == 1 else mark[3] for mark in group]


def comparable_set(items: frozenset[Value]) -> frozenset[Value]:
    """The set itself. Raise `Fault` where its elements cannot be compared with each other."""
    if len(items) > 1:
        check_marks(_marks_of(items), items)
    return items


def check_marks(marks: frozenset[Mark], items: Iterable[Value]) -> None:
    """Raise `Fault` where these values, with these marks, cannot be compared with each other."""
    if not marks_compare(marks):
        in_order = ordered(items)
        # Neighbours are compared by any way of sorting, and tell of all, but where an untyped model value stands
        # between a typed one and what that does not compare with: whether TLC has an error then depends on the way.
        pairs = combinations(in_order, 2) if any(map(_has_letter, marks)) else pairwise(in_order)
        for a, b in pairs:
            if a != b:
                _compared(a, b)


def _has_letter(mark: Mark) -> bool:
    """Whether there is a typed model value in a value of this mark."""
    if type(mark) is not tuple:
        return type(mark) is str and bool(mark)
    if mark[0] == "function" and mark[2] is not None and any(_has_letter(mark_of(key)) for key in mark[2].keys):
        return True
    return mark[0] != "described" and any(map(_has_letter, mark[-1]))
