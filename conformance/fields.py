"""Every field of an implementation's state, read from the implementation itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

_PLAIN = (str, bytes, int, float, bool, Enum, type(None))


def fields_of(state: Any, name: str = "", stop: Collection[str] = ()) -> set[str]:
    """The dotted names of the fields of `state` and of the objects in them, `"broker.epoch_file.entries"`.

    A field that holds objects is not listed itself, but its fields are.
    Dataclasses, objects with attributes and slots are entered, and so are the items of mappings and collections, which
    add nothing to the name. A name in `stop` is not entered. Attributes that are functions are left out. What an empty
    collection could hold is not seen: ask in a state where it holds something, or in several.
    """
    found: set[str] = set()
    _enter(state, name, frozenset(stop), found, set())
    return found


def _enter(value: Any, name: str, stop: frozenset[str], found: set[str], inside: set[int]) -> None:
    if isinstance(value, _PLAIN) or callable(value) or name in stop or id(value) in inside:
        return
    inside.add(id(value))
    if isinstance(value, Mapping):
        for key, item in value.items():
            _enter(key, name, stop, found, inside)
            _enter(item, name, stop, found, inside)
    elif isinstance(value, Sequence | Set) and not hasattr(value, "_fields"):
        for item in value:
            _enter(item, name, stop, found, inside)
    else:
        for field, item in _attributes(value):
            if callable(item):
                continue
            path = f"{name}.{field}" if name else field
            before = len(found)
            _enter(item, path, stop, found, inside)
            if len(found) == before and not any(name.startswith(f"{path}.") for name in found):
                found.add(path)
    inside.discard(id(value))


def _attributes(value: Any) -> Iterator[tuple[str, Any]]:
    if is_dataclass(value):
        for field in fields(value):
            yield field.name, getattr(value, field.name)
        return
    if hasattr(value, "_fields"):  # a named tuple
        yield from zip(value._fields, value, strict=True)
        return
    names = list(getattr(value, "__dict__", {}))
    names += [slot for kind in type(value).__mro__ for slot in _slots(kind) if slot not in names]
    for name in names:
        if not name.startswith("__") and hasattr(value, name):
            yield name, getattr(value, name)


def _slots(kind: type) -> tuple[str, ...]:
    slots = kind.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)
