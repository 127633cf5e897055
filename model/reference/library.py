"""The standard modules (*Specifying Systems*, chapter 18; TLC's classes `tlc2.module.*`).

A module that is written in TLA+ is evaluated as it is written (`core.Builtin.text`). Here are those that are not:
Naturals, Integers, Reals as far as integers go, Sequences, FiniteSets, TLC, what TLC computes of Bags and in place
of what SequencesExt writes, and of IOUtils the environment.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from itertools import permutations, product
from typing import Any, Protocol

from rmqproof.model.tla import core

from .moment import Environment, Moment, Operator
from .problems import EvaluationError, NotInReference
from .sets import (
    Combined,
    Described,
    Filtered,
    Functions,
    Interval,
    Named,
    Powerset,
    Rows,
    Sequences,
    United,
    elements,
    every_element,
    is_finite,
    member,
    plain,
)
from .values import Fun, Order, Truth, Value, equal, is_record, items_of, sequence, show, truth

_NUMBERS = ("Naturals", "Integers", "Reals")


class Evaluates(Protocol):
    """What operators need that take operators, or look at an argument first."""

    def lazy(self, node: core.Expression, env: Environment, at: Moment) -> Any: ...
    def value(self, node: core.Expression, env: Environment, at: Moment) -> Value: ...
    def holds(self, node: core.Expression, env: Environment, at: Moment) -> bool: ...
    def operator(self, node: core.Expression, env: Environment) -> Operator: ...
    def apply_to(self, operator: Operator, values: Sequence[Value], at: Moment) -> Any: ...


class Library:
    """The operators, by name."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.values: dict[str, Callable[..., Any]] = {
            f"{module}!{name}": rule for module in _NUMBERS for name, rule in self._of_numbers().items()
        }
        self.values |= {f"Sequences!{name}": rule for name, rule in self._of_sequences().items()}
        self.values |= {f"TLC!{name}": rule for name, rule in self._of_tlc().items()}
        self.values |= {f"Bags!{name}": rule for name, rule in self._of_bags().items()}
        self.values |= {"SequencesExt!IsPrefix": self._is_prefix, "SequencesExt!SetToSeq": self._in_order}
        self.values |= {"IOUtils!IOEnv": lambda: Fun(dict(os.environ)), "IOUtils!atoi": _number_in}
        self.values |= {"FiniteSets!IsFiniteSet": _is_finite, "FiniteSets!Cardinality": self._size}

    def call(self, node: core.Builtin, env: Environment, at: Moment, evaluator: Evaluates) -> Any:
        """The value of an operator of a module."""
        name, arguments = node.operator, node.arguments
        if name in ("TLC!Print", "TLC!PrintT"):
            evaluator.lazy(arguments[0], env, at)
            return evaluator.lazy(arguments[1], env, at) if name == "TLC!Print" else Truth.TRUE
        if name == "TLC!Assert":
            if not evaluator.holds(arguments[0], env, at):
                raise EvaluationError(f"Assert: {show(evaluator.value(arguments[1], env, at))}")
            return Truth.TRUE
        if name in ("Sequences!SelectSeq", "TLC!SortSeq", "Bags!BagOfAll"):
            return self._with_operator(name, arguments, env, at, evaluator)
        if name not in self.values:
            raise NotInReference(f"the operator {name}", node.at)
        return self.computed(name, [evaluator.lazy(argument, env, at) for argument in arguments])

    def computed(self, name: str, arguments: Sequence[Any]) -> Any:
        """The operator applied to values."""
        if name not in self.values:
            raise NotInReference(f"the operator {name}, passed as an argument")
        keep = name in ("FiniteSets!IsFiniteSet", "Sequences!Seq", "TLC!TLCEval")
        return self.values[name](*(a if keep else plain(a, self.order) for a in arguments))

    def _with_operator(
        self, name: str, arguments: Sequence[core.Expression], env: Environment, at: Moment, evaluator: Evaluates
    ) -> Any:
        """SelectSeq(s, Test(_)), SortSeq(s, Less(_, _)), BagOfAll(F(_), bag)"""
        place = 0 if name == "Bags!BagOfAll" else 1
        operator = evaluator.operator(arguments[place], env)
        value = evaluator.value(arguments[1 - place], env, at)

        def holds(*values: Value) -> bool:
            found = evaluator.apply_to(operator, values, at)
            if not isinstance(found, Truth):
                raise EvaluationError(f"a Boolean is needed, and this is {show(found)}")
            return found is Truth.TRUE

        if name == "Bags!BagOfAll":
            copies: dict[Value, Value] = {}
            for item, count in graph(value, name).items():
                image = plain(evaluator.apply_to(operator, [item], at), self.order)
                copies[image] = integer(copies[image]) + integer(count) if image in copies else count
            return Fun(copies)
        items = listed(value, name)
        if name == "Sequences!SelectSeq":
            return sequence([item for item in items if holds(item)])
        ordered: list[Value] = []
        for item in items:  # sorted by insertion, as TLC does
            place = len(ordered)
            while place > 0 and holds(item, ordered[place - 1]):
                place -= 1
            ordered.insert(place, item)
        return sequence(ordered)

    # --- Naturals, Integers, Reals (18.4) ----------------------------------------------------------------------

    def _of_numbers(self) -> dict[str, Callable[..., Any]]:
        order = self.order
        return {
            "Nat": lambda: Named(order, "Nat", "integer", lambda value: value >= 0),
            "Int": lambda: Named(order, "Int", "integer", lambda _: True),
            "Real": lambda: Named(order, "Real", "integer", lambda _: True),
            "+": lambda a, b: integer(a) + integer(b),
            "-": lambda a, b: integer(a) - integer(b),
            "*": lambda a, b: integer(a) * integer(b),
            "-.": lambda a: -integer(a),
            "^": _power,
            "\\div": _quotient,
            "%": _remainder,
            "/": _exact,
            "<": lambda a, b: truth(integer(a) < integer(b)),
            ">": lambda a, b: truth(integer(a) > integer(b)),
            "<=": lambda a, b: truth(integer(a) <= integer(b)),
            ">=": lambda a, b: truth(integer(a) >= integer(b)),
            "..": lambda a, b: Interval(order, integer(a), integer(b)),
        }

    # --- Sequences (18.1), where a string is one for some operators (`tlc2.module.Sequences`) ---------------------

    def _of_sequences(self) -> dict[str, Callable[..., Any]]:
        return {
            "Seq": lambda base: Sequences(self.order, base),
            "Len": lambda s: len(s) if type(s) is str else len(listed(s, "Len")),
            "\\o": lambda s, t: (
                s + t if type(s) is str and type(t) is str else sequence(listed(s, "\\o") + listed(t, "\\o"))
            ),
            "Append": lambda s, item: sequence([*listed(s, "Append"), item]),
            "Head": lambda s: _not_empty(listed(s, "Head"), "Head")[0],
            "Tail": lambda s: (
                _not_empty(s, "Tail")[1:] if type(s) is str else sequence(_not_empty(listed(s, "Tail"), "Tail")[1:])
            ),
            "SubSeq": _part,
        }

    # --- FiniteSets, TLC (14.4) --------------------------------------------------------------------------------

    def _size(self, items: Value) -> int:
        if type(items) is not frozenset:
            raise EvaluationError(f"Cardinality of {show(items)}")
        return len(self.order.sorted(items))  # TLC sorts them, which needs elements that compare

    def _in_order(self, items: Value) -> Value:
        """SetToSeq: TLC has it in Java."""
        if type(items) is not frozenset:
            raise EvaluationError(f"SetToSeq of {show(items)}")
        return sequence(self.order.sorted(items))

    def _is_prefix(self, s: Value, t: Value) -> Truth:
        """TLC has it in Java, for strings too; items are compared up to the first difference."""
        if type(s) is str and type(t) is str:
            return truth(t.startswith(s))
        one, other = listed(s, "IsPrefix"), listed(t, "IsPrefix")
        return truth(len(one) <= len(other) and all(equal(a, b, self.order) for a, b in zip(one, other, strict=False)))

    def _overridden(self, f: Value, g: Value) -> Fun:
        """f @@ g: TLC compares the arguments of the two (`TLC.Combine`)."""
        first, second = graph(f, "@@"), graph(g, "@@")
        for argument in second:
            member(argument, frozenset(first), self.order)
        return Fun({**second, **first})

    def _of_tlc(self) -> dict[str, Callable[..., Any]]:
        return {
            ":>": lambda key, value: Fun({key: value}),
            "@@": self._overridden,
            "Permutations": self._permutations,
            "ToString": lambda value: self.text(value),
            "TLCEval": self._evaluated,
            "Any": lambda: Named(self.order, "Any", "", lambda _: True),
        }

    def _evaluated(self, value: Any) -> Value:
        """`Value.toSetEnum`: Nat and Seq(S) stay, an infinite SUBSET is listed."""
        value = plain(value, self.order)
        return frozenset(value.elements()) if isinstance(value, Powerset) else value

    def _permutations(self, items: Value) -> Value:
        keys = every_element(items, self.order)
        return frozenset(Fun(dict(zip(keys, row, strict=True))) for row in permutations(keys))

    def text(self, value: Value) -> str:
        """The value as TLC writes it (the methods `toString`)."""
        if type(value) is str:
            return f'"{value}"'
        if type(value) is frozenset:
            return "{" + ", ".join(map(self.text, self.order.sorted(value))) + "}"
        if type(value) is not Fun:
            return str(value) if not isinstance(value, Truth) else value.name
        items = items_of(value)
        if items is not None:
            return "<<" + ", ".join(map(self.text, items)) + ">>"
        keys = self.order.sorted(value.graph)
        if is_record(value):
            return "[" + ", ".join(f"{key} |-> {self.text(value.graph[key])}" for key in keys) + "]"
        return "(" + " @@ ".join(f"{self.text(key)} :> {self.text(value.graph[key])}" for key in keys) + ")"

    # --- Bags (18.3): what TLC computes otherwise than the module writes ------------------------------------------

    def _of_bags(self) -> dict[str, Callable[..., Any]]:
        return {"BagUnion": self._bag_union, "SubBag": self._sub_bags, "IsABag": _is_bag}

    def _bag_union(self, bags: Value) -> Value:
        copies: dict[Value, Value] = {}
        for bag in elements(bags, self.order):
            for item, count in graph(bag, "BagUnion").items():
                copies[item] = integer(copies[item]) + integer(count) if item in copies else count
        return Fun(copies)

    def _sub_bags(self, bag: Value) -> Value:
        copies = graph(bag, "SubBag")
        if not _is_bag(bag).value:
            raise EvaluationError(f"SubBag needs a bag, and is given {show(bag)}")
        rows = product(*(range(integer(count) + 1) for count in copies.values()))
        return frozenset(Fun({item: count for item, count in zip(copies, row, strict=True) if count}) for row in rows)


# --- arguments ---------------------------------------------------------------------------------------------


def integer(value: Value) -> int:
    if type(value) is not int:
        raise EvaluationError(f"an integer is needed, and this is {show(value)}")
    return value


def listed(value: Value, operator: str) -> list[Value]:
    """The items of a sequence."""
    items = items_of(value)
    if items is None:
        raise EvaluationError(f"{operator} needs a sequence, and is given {show(value)}")
    return items


def graph(value: Value, operator: str) -> dict[Value, Value]:
    if type(value) is not Fun:
        raise EvaluationError(f"{operator} needs a function, and is given {show(value)}")
    return dict(value.graph)


def _is_bag(value: Value) -> Truth:
    """TLC: of what is no function false."""
    return truth(type(value) is Fun and all(type(count) is int and count > 0 for count in value.graph.values()))


def _not_empty(items: Any, operator: str) -> Any:
    if not items:
        raise EvaluationError(f"{operator} of the empty sequence")
    return items


def _is_finite(items: Any) -> Truth:
    """TLC says TRUE of functions, too; as no set is meant, that is an error here, in every engine."""
    if not isinstance(items, Described | frozenset):
        raise EvaluationError(f"IsFiniteSet of {show(items)}")
    return truth(_finite(items))


def _finite(items: Any) -> bool:
    """By the sets in the description (`Value.isFinite`), also where one of them is empty."""
    match items:
        case Functions(domain=domain, range=range_):
            return _finite(domain) and _finite(range_)
        case Rows(parts=parts) | United(parts=parts):
            return all(map(_finite, parts))
        case Powerset(base=base):
            return _finite(base)
        case Filtered(base=base) if not _finite(base):
            raise EvaluationError(f"whether {show(items)} is finite")
        case Filtered():
            return True
        case Combined(name="\\cup", left=left, right=right):
            return _finite(left) and _finite(right)
        case Combined(left=left, right=right) if not _finite(left):
            if not _finite(right):
                raise EvaluationError(f"whether {show(items)} is finite")
            return items.name == "\\cap"
        case Combined():
            return True
    return is_finite(items)


def _power(a: Value, b: Value) -> int:
    if integer(b) < 0 or b > 100_000 or (integer(a) == 0 == b):
        raise EvaluationError(f"{show(a)} ^ {show(b)}")
    return int(a**b)


def _number_in(text: Value) -> int:
    if type(text) is not str or not re.fullmatch(r"[+-]?[0-9]+", text):
        raise EvaluationError(f"atoi of {show(text)}")
    return int(text)


def _quotient(a: Value, b: Value) -> int:
    if integer(b) == 0:
        raise EvaluationError("division by zero")
    return integer(a) // integer(b)


def _remainder(a: Value, b: Value) -> int:
    if integer(b) <= 0:
        raise EvaluationError(f"the right side of % is {show(b)}")
    return integer(a) % integer(b)


def _exact(a: Value, b: Value) -> int:
    if integer(b) == 0 or integer(a) % b:
        raise EvaluationError(f"{show(a)} / {show(b)} is no integer")
    return integer(a) // integer(b)


def _part(s: Value, first: Value, last: Value) -> Value:
    items = s if type(s) is str else listed(s, "SubSeq")
    if integer(first) > integer(last):
        return "" if type(s) is str else sequence([])
    if first < 1 or last > len(items):
        raise EvaluationError(f"SubSeq({show(s)}, {first}, {last})")
    some = items[first - 1 : last]
    return some if type(s) is str else sequence(some)
