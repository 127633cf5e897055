"""Arguments of library operators, checked. A kind takes a value and the operator's name, for the error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy import LazySet, plain
from rmqproof.model.evaluate.library.operator import Operator
from rmqproof.model.evaluate.shape import ANY, Shape
from rmqproof.model.evaluate.show import shorten
from rmqproof.model.evaluate.values import Boolean, Function, Value, kind_of

Kind = Callable[[Any, str], Any]


def taking(
    qualified: str,
    function: Callable[..., Any],
    *kinds: Kind,
    shape: Shape = ANY,
    condition: bool = False,
    lazy: bool = False,
) -> tuple[str, Operator]:
    """An operator in its module's table: each argument is checked to be of its kind, and the function takes them."""
    name = qualified.partition("!")[2]

    def checked(*arguments: Any) -> Any:
        return function(*(kind(argument, name) for kind, argument in zip(kinds, arguments, strict=True)))

    return qualified, Operator(checked, shape, condition=condition, lazy=lazy)


def anything(value: Any, operator: str) -> Any:
    """As it is: a set of any kind, an operator."""
    return value


def value_of(value: Value, operator: str) -> Value:
    """In normal form."""
    return plain(value)


def test(holds: Callable[[Value], Value], operator: str) -> Callable[[Value], bool]:
    """An operator with Boolean values."""
    return lambda item: boolean_of(holds(item), operator)


def text(value: Value, operator: str) -> Any:
    """A string, or a sequence."""
    return value if type(value) is str else sequence(value, operator)


def sequence(value: Value, operator: str) -> tuple[Value, ...]:
    """A sequence in normal form."""
    value = plain(value)
    if type(value) is tuple:
        return value
    raise _unfit(operator, "a sequence", value)


def mapping(value: Value, operator: str) -> tuple[Value, ...]:
    """A function in normal form: a tuple or a `Function`."""
    value = plain(value)
    if isinstance(value, tuple):
        return value
    raise _unfit(operator, "a function", value)


def record_fields(value: Value, operator: str) -> dict[str, Value]:
    """The fields of a record. The empty function is the record without fields."""
    value = plain(value)
    if type(value) is Function and all(type(key) is str for key in value[0].keys):
        return dict(value.items())
    if value == ():
        return {}
    raise _unfit(operator, "a record", value)


def string(value: Value, operator: str) -> str:
    if type(value) is str:
        return value
    raise _unfit(operator, "a string", value)


def integer(value: Value, operator: str) -> int:
    if type(value) is int:
        return value
    raise _unfit(operator, "an integer", value)


def natural(value: Value, operator: str) -> int:
    if type(value) is int and value >= 0:
        return value
    raise _unfit(operator, "a natural number", value)


def boolean_of(value: Value, operator: str) -> bool:
    if type(value) is Boolean:
        return value.truth
    raise _unfit(operator, "a Boolean", value)


def finite_set(value: Value, operator: str) -> frozenset[Value]:
    """A finite set in normal form."""
    if isinstance(value, LazySet):
        if value.size is None:
            raise _unfit(operator, "a finite set", value)
        return value.frozen
    if type(value) is frozenset:
        return value
    raise _unfit(operator, "a set", value)


def refuse(operator: str, reason: str) -> NoReturn:
    """For operators that are declared and cannot be evaluated."""
    raise Fault(f"{operator} is not supported: {reason}", "In the configuration, replace the definition that uses it.")


def _unfit(operator: str, what: str, value: Any) -> Fault:
    return Fault(f"{operator} needs {what}, and is given {kind_of(value)}: {shorten(value)}")
