"""Private fields of Java objects."""

from __future__ import annotations

from typing import Any


def field_of(value: Any, name: str) -> Any:
    """The field, accessible, of the object's class or of one that it extends. KeyError where there is none."""
    kind = value.getClass()
    while kind is not None:
        for field in kind.getDeclaredFields():
            if str(field.getName()) == name:
                field.setAccessible(True)
                return field
        kind = kind.getSuperclass()
    raise KeyError(name)
