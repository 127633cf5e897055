"""FiniteSetsExt and Functions, where Python is quicker than the definitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy import frozen, in_order, plain
from rmqproof.model.evaluate.lazy_sets import Functions, Subsets
from rmqproof.model.evaluate.library.arguments import boolean_of, finite_set, integer, mapping
from rmqproof.model.evaluate.library.operator import Operator
from rmqproof.model.evaluate.operations import apply
from rmqproof.model.evaluate.order import current
from rmqproof.model.evaluate.shape import ANY, INT, set_of
from rmqproof.model.evaluate.show import shorten
from rmqproof.model.evaluate.values import Value, function, pairs_of

Test = Callable[[Value], Value]


def quantify(items: Value, test: Test) -> int:
    return sum(1 for item in in_order(items) if boolean_of(test(item), "Quantify"))


def k_subset(k: Value, items: Value) -> Value:
    return Subsets(finite_set(items, "kSubset"), integer(k, "kSubset"))


def maximum(items: Value) -> int:
    return max(_numbers(items, "Max"))


def minimum(items: Value) -> int:
    return min(_numbers(items, "Min"))


def _numbers(items: Value, operator: str) -> list[int]:
    numbers = [integer(item, operator) for item in finite_set(items, operator)]
    if not numbers:
        raise Fault(f"{operator} of the empty set", "Guard it with a test that the set is not empty.")
    return numbers


def range_of(f: Value) -> frozenset[Value]:
    return frozenset(value for _, value in pairs_of(mapping(f, "Range")))


def restrict(f: Value, items: Value) -> Value:
    return function({item: plain(apply(f, item)) for item in frozen(items)})


def restrict_domain(f: Value, test: Test) -> Value:
    pairs = pairs_of(mapping(f, "RestrictDomain"))
    return function({key: value for key, value in pairs if boolean_of(test(key), "RestrictDomain")})


def restrict_values(f: Value, test: Test) -> Value:
    pairs = pairs_of(mapping(f, "RestrictValues"))
    return function({key: value for key, value in pairs if boolean_of(test(value), "RestrictValues")})


def anti_function(f: Value) -> Value:
    """Where several arguments have the same value, the one that CHOOSE takes: the first in the model's order."""
    inverse: dict[Value, Value] = {}
    for key, value in current().pairs(mapping(f, "AntiFunction")):
        inverse.setdefault(value, key)
    return function(inverse)


def is_injective(f: Value) -> bool:
    values = [value for _, value in pairs_of(mapping(f, "IsInjective"))]
    return len(set(values)) == len(values)


def injections(a: Value, b: Value) -> frozenset[Value]:
    return frozenset(f for f in Functions(a, b).elements() if is_injective(f))


def exists_injection(a: Value, b: Value) -> bool:
    return len(finite_set(a, "ExistsInjection")) <= len(finite_set(b, "ExistsInjection"))


def exists_surjection(a: Value, b: Value) -> bool:
    source, target = finite_set(a, "ExistsSurjection"), finite_set(b, "ExistsSurjection")
    return len(source) >= len(target) and (bool(target) or not source)


def exists_bijection(a: Value, b: Value) -> bool:
    return len(finite_set(a, "ExistsBijection")) == len(finite_set(b, "ExistsBijection"))


def choose_unique(items: Value, test: Test) -> Value:
    found = [item for item in in_order(items) if boolean_of(test(item), "ChooseUnique")]
    if len(found) != 1:
        some = "no element" if not found else f"{len(found)} elements"
        raise Fault(f"ChooseUnique: {some} of {shorten(items)} satisfy the predicate")
    return found[0]


OPERATORS: Final = {
    "FiniteSetsExt!Quantify": Operator(quantify, INT),
    "FiniteSetsExt!kSubset": Operator(k_subset, set_of(ANY, lazy=True), lazy=True),
    "FiniteSetsExt!Max": Operator(maximum, INT),
    "FiniteSetsExt!Min": Operator(minimum, INT),
    "FiniteSetsExt!ChooseUnique": Operator(choose_unique),
    "Functions!Range": Operator(range_of),
    "Functions!Restrict": Operator(restrict),
    "Functions!RestrictDomain": Operator(restrict_domain),
    "Functions!RestrictValues": Operator(restrict_values),
    "Functions!AntiFunction": Operator(anti_function),
    "Functions!IsInjective": Operator(is_injective, condition=True),
    "Functions!Injection": Operator(injections),
    "Functions!ExistsInjection": Operator(exists_injection, condition=True),
    "Functions!ExistsSurjection": Operator(exists_surjection, condition=True),
    "Functions!ExistsBijection": Operator(exists_bijection, condition=True),
}
