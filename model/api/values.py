"""TLA+ values as Python values, and Python values as TLA+.

integer, BOOLEAN, string            int, bool, str
model value                         ModelValue, a str
set                                 frozenset
sequence, tuple                     tuple
function, record                    Function, a dict that does not change and can be a member of a set
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, NoReturn

from rmqproof.model.report.value import function_pairs, integer, sequence_elements, set_elements

_FIELD = re.compile(r"[A-Za-z0-9_]*[A-Za-z][A-Za-z0-9_]*")


class ModelValue(str):
    """A model value, by its name."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class Function(dict[Any, Any]):
    """A function or a record: its arguments, or fields, with their values."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __getattr__(self, name: str) -> Any:
        """A field of a record: `entry.epoch`."""
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no field {name}: {', '.join(map(str, self))}") from None

    def _fixed(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("a value of TLA+ does not change; make a dict of it: dict(value)")

    __setitem__ = __delitem__ = update = pop = popitem = clear = setdefault = __ior__ = _fixed

    def __reduce__(self) -> tuple[Any, ...]:
        return Function, (dict(self),)


def from_itf(value: Any, model_values: Collection[str] = ()) -> Any:
    """The Python value of an ITF value; strings in `model_values` are model values."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return ModelValue(value) if value in model_values else value
    number = integer(value)
    if number is not None:
        return number
    elements = set_elements(value)
    if elements is not None:
        return frozenset(from_itf(item, model_values) for item in elements)
    items = sequence_elements(value)
    if items is not None:
        return tuple(from_itf(item, model_values) for item in items)
    pairs = function_pairs(value)
    if pairs is not None:
        return Function((from_itf(key, model_values), from_itf(item, model_values)) for key, item in pairs)
    return value.get("#unserializable", value) if isinstance(value, dict) else value


def to_tla(value: Any) -> str:
    """The value in TLA+. A str is TLA+ already: `"b1"` is a name, `'"b1"'` a string. Raise `TypeError`."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, set | frozenset):
        return "{" + ", ".join(sorted(map(to_tla, value))) + "}"
    if isinstance(value, list | tuple):
        return "<<" + ", ".join(map(to_tla, value)) + ">>"
    if isinstance(value, range) and value.step == 1:
        return f"{value.start}..{value.stop - 1}"
    if isinstance(value, Mapping) and value and all(isinstance(key, str) and _FIELD.fullmatch(key) for key in value):
        return "[" + ", ".join(f"{key} |-> {to_tla(item)}" for key, item in value.items()) + "]"
    raise TypeError(f"{value!r} has no form in TLA+ here: write it as a str of TLA+")
