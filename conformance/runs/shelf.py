"""What is taken out of the model's states while they are compared with a long run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rmqproof.model.evaluate.values import Value


@dataclass(frozen=True, eq=False)
class Shelf:
    """A prefix of the logs, of `base` entries: the entries, what names of the run stand for their ids, and more that
    whoever took them out (`Folding`) needs to put them back.

    Two shelves with the same entries are equal.
    """

    base: int = 0
    entries: tuple[Value, ...] = ()
    ids: Mapping[Value, None] = field(default_factory=dict)
    names: Mapping[str, Value] = field(default_factory=dict)
    more: Any = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shelf) and (
            self is other or (self.base == other.base and self.more == other.more and self.entries == other.entries)
        )

    def __hash__(self) -> int:
        return hash((self.base, self.entries[-1] if self.entries else None))


EMPTY = Shelf()
