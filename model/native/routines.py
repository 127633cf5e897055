"""The C functions over the values of types: each is written when it is first asked for, and named by a number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from rmqproof.model.records import dataclass
from rmqproof.model.types.domain import Enum, Type, cardinality

from .errors import NotCompilable
from .representation import Atoms, Structures


@dataclass(slots=True)
class Routines:
    """The C functions written so far, in an order in which each uses only earlier ones."""

    structures: Structures
    atoms: Atoms
    names: dict[object, str] = field(default_factory=dict)
    functions: list[str] = field(default_factory=list)
    initialisers: list[str] = field(default_factory=list)
    """Statements that fill tables, before anything else is computed."""
    tables: list[tuple[str, Enum]] = field(default_factory=list)

    def name(self, prefix: str, key: object) -> str:
        """A new name, for what is known by `key` from now on."""
        name = f"{prefix}{len(self.names)}"
        self.names[key] = name
        return name

    def routine(self, prefix: str, key: object, write: Callable[[], str]) -> str:
        """The name of the C function that is known by `key`; `write` writes it when it is first asked for, with `@` for
        its name."""
        if key not in self.names:
            text = write()
            self.functions.append(text.replace("@", self.name(prefix, key)))
        return self.names[key]


def size_of(type_: Type) -> int:
    size = cardinality(type_)
    if size is None:
        raise NotCompilable(None, "a universe that is not bounded")
    return size
