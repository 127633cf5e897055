"""Java objects from inside: private fields, and objects that were not constructed."""

from __future__ import annotations

from functools import lru_cache
from typing import Any


def field_of(value: Any, name: str) -> Any:
    """The field, accessible, of the object's class or of one that it extends. KeyError where there is none."""
    return _field_of(value.getClass(), name)


@lru_cache(maxsize=1000)
def _field_of(kind: Any, name: str) -> Any:
    while kind is not None:
        for field in kind.getDeclaredFields():
            if str(field.getName()) == name:
                field.setAccessible(True)
                return field
        kind = kind.getSuperclass()
    raise KeyError(name)


def allocated(jpype: Any, name: str) -> Any:
    """An object of a class whose constructor was not run: its fields are to be set."""
    field = jpype.JClass("sun.misc.Unsafe").class_.getDeclaredField("theUnsafe")
    field.setAccessible(True)
    return field.get(None).allocateInstance(jpype.JClass(name).class_)
