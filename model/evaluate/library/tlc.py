"""The TLC module."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import permutations as orders
from typing import Any

from rmqproof.model.evaluate.comparison import met
from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy import in_order, plain
from rmqproof.model.evaluate.lazy_sets import AnyValue, Powerset
from rmqproof.model.evaluate.library.operator import Operator, Runtime
from rmqproof.model.evaluate.operations import truth
from rmqproof.model.evaluate.shape import ANY, BOOL, INT, LAZY, STR, Shape, join, map_to
from rmqproof.model.evaluate.show import shorten, show
from rmqproof.model.evaluate.values import (
    TRUE,
    Boolean,
    Value,
    boolean,
    function,
    kind_of,
    pairs_of,
    record,
)


def print_value(runtime: Runtime, out: Value, result: Value) -> Value:
    """Print(out, result)"""
    runtime.output(f"{show(out)}  {show(result)}")
    return result


def print_true(runtime: Runtime, out: Value) -> Boolean:
    """PrintT(out)"""
    runtime.output(show(out))
    return TRUE


def assert_that(condition: Value, message: Value) -> Boolean:
    """Assert(condition, message); as in TLC a message that is a string keeps its quotes."""
    if not truth(condition):
        raise Fault(show(message), "The first argument of Assert is FALSE here.", kind="assert")
    return TRUE


def permutations(items: Value) -> frozenset[Value]:
    """Permutations(items): the bijections from the set to itself."""
    keys = in_order(items)
    return frozenset(function(dict(zip(keys, order, strict=True))) for order in orders(keys))


def sort_sequence(items: Value, less: Callable[[Value, Value], Value]) -> Value:
    """SortSeq(items, less)"""
    if type(items) is not tuple:
        raise Fault(f"SortSeq needs a sequence, and is given {kind_of(items)}: {shorten(items)}")

    ordered: list[Value] = []
    for item in items:
        # by insertion, as TLC: what `less` is asked shows where it is no order, or has no value
        place = len(ordered)
        while place > 0 and truth(less(item, ordered[place - 1])):
            place -= 1
        ordered.insert(place, item)
    return tuple(ordered)


def single(argument: Value, result: Value) -> Value:
    """argument :> result"""
    return function({argument: result})


def merge(f: Value, g: Value) -> Value:
    """f @@ g: f where both are defined."""
    for operand in (f, g):
        if not isinstance(operand, tuple):
            raise Fault(f"@@ needs functions, and is given {kind_of(operand)}: {shorten(operand)}")
    first, second = dict(pairs_of(f)), dict(pairs_of(g))
    if len({type(argument) for argument in (*first, *second)}) > 1 or not all(map(_is_plain, first)):
        for argument in second:
            met(argument, first)  # `TLC.Combine` compares all with each other
    return function({**second, **first})


def _is_plain(argument: Value) -> bool:
    return type(argument) in (int, str, Boolean)


def get(runtime: Runtime, key: Value) -> Value:
    """TLCGet(key)"""
    if type(key) is str:
        if key == "level":
            return runtime.level
        if key in ("distinct", "generated", "queue", "diameter", "duration"):
            return getattr(runtime, key)
        if key == "stats":
            names = ("generated", "distinct", "queue", "diameter", "duration")
            return record(**{name: getattr(runtime, name) for name in names})
        if key == "config":
            return record(mode="bfs", worker=1, deadlock=boolean(runtime.deadlock), seed=runtime.seed)
        if key == "all:named":  # of each worker: there is one
            named = {name: (value,) for name, value in runtime.registers.items() if type(name) is str}
            return function(named)
        if key == "-Dtlc2.tool.impl.Tool.cdot":  # the property that turns on action composition in TLC
            return "true"
        if key == "revision":
            return record(timestamp=0, date="", count=0, tag="")
    if key in runtime.registers:
        return runtime.registers[key]
    raise Fault(
        f"TLCGet({show(key)}) has no value",
        'Set it first with TLCSet, in an ASSUME; or ask for "level", "distinct", "generated", "diameter", "queue".',
    )


def put(runtime: Runtime, key: Value, value: Value) -> Boolean:
    """TLCSet(key, value)"""
    if key == "exit":
        runtime.exit = runtime.exit or value is TRUE
        return TRUE
    if key == "pause":
        raise Fault(f"TLCSet({show(key)}, …) is not supported", 'TLCSet("exit", TRUE) ends the search.')
    if type(key) is str and not key.startswith("s:"):
        raise Fault(f"TLCSet({show(key)}, …): the register must be a number", 'Or a name that begins with "s:".')
    runtime.registers[key] = value
    return TRUE


def evaluated(value: Value) -> Value:
    """TLCEval(value): an infinite SUBSET is to be listed, which is an error; `Nat` and `Seq(S)` stay."""
    value = plain(value)
    return frozenset(value) if isinstance(value, Powerset) else value


def java_time() -> int:
    """JavaTime: seconds since 1970, 31 bits."""
    return int(time.time()) & 0x7FFFFFFF


def _merged(shapes: Any) -> Shape:
    return map_to(join(shapes[0].element, shapes[1].element))


OPERATORS = {
    f"TLC!{name}": operator
    for name, operator in {
        "Print": Operator(print_value, lambda shapes: shapes[1], runtime=True),
        "PrintT": Operator(print_true, BOOL, runtime=True),
        "Assert": Operator(assert_that, BOOL),
        "Permutations": Operator(permutations),
        "SortSeq": Operator(sort_sequence, lambda shapes: shapes[0] if shapes[0].kind == "seq" else ANY),
        ":>": Operator(single, lambda shapes: map_to(shapes[1])),
        "@@": Operator(merge, _merged),
        "ToString": Operator(show, STR),
        "TLCGet": Operator(get, runtime=True),
        "TLCSet": Operator(put, BOOL, runtime=True),
        "Any": Operator(AnyValue, LAZY),
        "TLCEval": Operator(evaluated, lambda shapes: shapes[0]),
        "JavaTime": Operator(java_time, INT),
    }.items()
}
