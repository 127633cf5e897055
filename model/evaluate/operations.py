"""The operators of the language on values, with every check: what generated code calls when it knows too little.

All arguments may be lazy; all errors are `Fault`s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from rmqproof.model.evaluate.combined_sets import Single, intersect, subtract, unite
from rmqproof.model.evaluate.comparison import alike, outsider, stranger
from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy import Filtered, LazyFunction, LazySet, frozen, in_order, plain
from rmqproof.model.evaluate.lazy_sets import Functions, Interval, Powerset
from rmqproof.model.evaluate.memory import watched
from rmqproof.model.evaluate.show import shorten
from rmqproof.model.evaluate.values import (
    FALSE,
    TRUE,
    Function,
    Value,
    domain_set,
    kind_of,
)


def truth(value: Value) -> bool:
    """The truth of a Boolean."""
    if value is TRUE:
        return True
    if value is FALSE:
        return False
    raise Fault(f"a Boolean is needed here, and this is {kind_of(value)}: {shorten(value)}")


# --- membership --------------------------------------------------------------------------------------------


def member(value: Value, items: Any) -> bool:
    """value \\in items"""
    if type(items) is frozenset:
        return plain(value) in items or stranger(value, items)
    if isinstance(items, LazySet):
        return value in items
    raise Fault(f"the right side of \\in must be a set, and is {kind_of(items)}: {shorten(items)}")


def is_subset(a: Any, b: Any) -> bool:
    """a \\subseteq b"""
    if type(a) is frozenset and type(b) is frozenset:
        return a <= b or outsider(a, b)
    set_needed(a, "\\subseteq")
    if isinstance(a, Powerset) and isinstance(b, Powerset):
        return is_subset(a.base, b.base)
    for item in a.one_by_one() if isinstance(a, Filtered) else in_order(a):
        set_needed(b, "\\subseteq")  # as in TLC nobody asks where there is no element
        if not member(item, b):
            return False
    return True


# --- sets --------------------------------------------------------------------------------------------------


def set_needed(items: Any, operator: str) -> None:
    if not isinstance(items, (frozenset, LazySet)):
        raise Fault(f"{operator} needs sets, and is given {kind_of(items)}: {shorten(items)}")


def _none_listed(items: Any) -> bool:
    return isinstance(items, (frozenset, Interval)) and not items


def union(a: Any, b: Any) -> Any:
    set_needed(a, "\\cup")
    set_needed(b, "\\cup")
    alike(a, b)
    return unite(a, b)


def intersection(a: Any, b: Any) -> Any:
    if _none_listed(a) or _none_listed(b):
        return frozenset()  # as TLC, which asks one for each element of the other, a described one too
    set_needed(a, "\\cap")
    set_needed(b, "\\cap")
    alike(a, b)
    return intersect(a, b)


def difference(a: Any, b: Any) -> Any:
    set_needed(a, "\\")
    if _none_listed(a):
        return frozenset()
    set_needed(b, "\\")
    alike(a, b)
    return subtract(a, b)


def big_union(sets: Any) -> frozenset[Value]:
    """UNION"""
    set_needed(sets, "UNION")
    return frozenset().union(*map(frozen, sets))


def iterate(items: Any) -> Iterable[Value]:
    """The elements in any order."""
    if type(items) is frozenset:
        return items
    if isinstance(items, LazySet):
        return watched(items.elements())
    raise Fault(f"a set is needed here, and this is {kind_of(items)}: {shorten(items)}")


def begun(items: Any) -> Any:
    """The set, of which all that its first element needs is evaluated."""
    iterate(items)
    return items


def single(item: Any) -> Any:
    """{item}"""
    return Single(item) if isinstance(item, LazySet) and item.infinite else frozenset((plain(item),))


def filtered(items: Any, test: Callable[[Value], bool]) -> Any:
    """{x \\in items : test(x)}"""
    if isinstance(items, Single):
        return items if test(items.item) else frozenset()
    if isinstance(items, LazySet) and not isinstance(items, Interval):
        return Filtered(items, test)
    return frozenset(filter(test, iterate(items)))


# --- functions ---------------------------------------------------------------------------------------------


def apply(f: Any, argument: Value) -> Value:
    """f[argument]"""
    kind = type(f)
    if kind is Function:
        argument = plain(argument)
        at = f[0].at.get(argument)
        if at is not None:
            return f[at]
    elif kind is tuple:
        if type(argument) is int and 0 < argument <= len(f):
            return f[argument - 1]
    elif kind is LazyFunction:
        return f.apply(argument)
    else:
        raise Fault(f"{shorten(f)} is {kind_of(f)}, not a function, and cannot be applied to {shorten(argument)}")
    return outside(f, argument)


def outside(f: Any, argument: Value) -> NoReturn:
    """f[argument] where the argument is not in the domain."""
    if kind_of(f) == "a record" and type(argument) is str:
        raise Fault(f"the record {shorten(f)} has no field {argument}")
    stranger(argument, domain_set(f))
    what = "a sequence" if type(f) is tuple and len(f) else "the empty function" if not f else "a function"
    whole = shorten(domain_set(f)) if type(f) is Function or len(f) < 8 else f"1..{len(f)}"
    raise Fault(
        f"{what} is applied to {shorten(plain(argument))}, which is not in its domain {whole}\n"
        f"    the function: {shorten(f)}"
    )


def apply_sequence(f: tuple[Value, ...], index: Value) -> Value:
    """f[index] of a Python tuple."""
    if type(index) is int and 0 < index <= len(f):
        return f[index - 1]
    outside(f, index)


def field(f: Any, name: str) -> Value:
    """f.name"""
    if type(f) is Function:
        at = f[0].at.get(name)
        if at is not None:
            return f[at]
        raise Fault(f"{shorten(f)} has no field {name}")
    if type(f) is LazyFunction:
        return f.apply(name)
    if isinstance(f, tuple):
        outside(f, name)
    raise Fault(f"{shorten(f)} is {kind_of(f)}, not a record, and has no field {name}")


def domain(f: Any) -> Any:
    """DOMAIN f; as in TLC, each of finitely many values has to exist."""
    if isinstance(f, tuple):
        return domain_set(f)
    if type(f) is LazyFunction:
        if not (isinstance(f.domain, LazySet) and f.domain.infinite):
            f.frozen()
        return f.domain
    raise Fault(f"DOMAIN needs a function, and is given {kind_of(f)}: {shorten(f)}")


def put(f: tuple[Value, ...], position: int, value: Value) -> Function:
    """The `Function` with another value at a position."""
    items = [*f]
    items[position] = value
    return Function(items)


def put_in_sequence(f: tuple[Value, ...], index: int, value: Value) -> tuple[Value, ...]:
    """The sequence with another value at an index that is in its domain."""
    items = [*f]
    items[index - 1] = value
    return tuple(items)


def except_path(f: Any, path: Sequence[Value], change: Callable[[Value], Value]) -> Value:
    """[f EXCEPT !path = change(@)]. A key outside the domain changes nothing, as in TLC."""
    if type(f) is LazyFunction and isinstance(f.domain, LazySet) and f.domain.infinite:
        return _except_lazy(f, path, change)
    f = plain(f)
    if not isinstance(f, tuple):
        raise Fault(f"EXCEPT needs a function or a record, and is given {kind_of(f)}: {shorten(f)}")
    key = plain(path[0])
    if type(f) is Function:
        position = f[0].at.get(key)
        if position is None:
            stranger(key, f[0].set)
            return f
    else:
        if type(key) is not int:
            if f:
                stranger(key, domain_set(f))
            return f
        if not 0 < key <= len(f):
            return f
        position = key - 1
    old = f[position]
    new = plain(change(old) if len(path) == 1 else except_path(old, path[1:], change))
    items = [*f]
    items[position] = new
    return Function(items) if type(f) is Function else tuple(items)


def _except_lazy(f: LazyFunction, path: Sequence[Value], change: Callable[[Value], Value]) -> Value:
    key = plain(path[0])
    if key not in f.domain:
        return f
    old = f.apply(key)
    new = change(old) if len(path) == 1 else except_path(old, path[1:], change)
    return LazyFunction(f.domain, lambda _, argument: new if argument == key else f.apply(argument))


def function_set(a: Any, b: Any) -> Functions:
    set_needed(a, "[S -> T]")
    set_needed(b, "[S -> T]")
    return Functions(a, b)


# --- arithmetic --------------------------------------------------------------------------------------------


def numbers(operator: str, *values: Value) -> None:
    """An error unless all are integers."""
    for value in values:
        if type(value) is not int:
            raise Fault(f"{operator} needs integers, and is given {kind_of(value)}: {shorten(value)}")
