"""How an implementation and its model differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from rmqproof.model.report.difference import (
    Change,
    DomainChanged,
    Replaced,
    SequenceChanged,
    SetChanged,
    ValuePath,
    state_changes,
)
from rmqproof.model.report.value import Field, Notation


class Kind(StrEnum):
    """What went wrong, in the words of the report."""

    INITIAL = "other initial states"
    STATE = "another state"
    REFUSED = "refused, and the model allows it"
    PERFORMED = "performed, and the model does not allow it"
    CHANGED = "refused, and yet something changed"
    CRASHED = "an exception"
    DIED = "the implementation ended"
    HUNG = "no answer"
    UNREACHED = "a step that the model allows and no choice takes"
    SNAPSHOT = "restore() does not bring back what snapshot() took"
    HIDDEN = "two paths to one model state, and the implementation behaves differently after them"
    PATH = "a whole path ends elsewhere than the restored snapshots"


@dataclass(frozen=True, slots=True)
class Row:
    """One part of the state in which model and implementation differ, as text."""

    path: str
    model: str
    implementation: str


@dataclass(frozen=True, slots=True)
class Asked:
    """One action that the implementation was asked for, as ITF."""

    action: str
    arguments: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference. `source` is the number of the model state before the action (-1: before the initial states).

    `before` is that state, `expected` and `observed` are what model and implementation show after the action, as ITF,
    None where there is nothing to show. `since`: the actions asked for after `source` and before this one.
    """

    kind: Kind
    source: int
    asked: Asked
    before: Mapping[str, Any] | None = None
    expected: Mapping[str, Any] | None = None
    observed: Mapping[str, Any] | None = None
    message: str = ""
    since: tuple[Asked, ...] = ()
    fingerprint: int | None = None
    """Of the state before."""

    def changes(self) -> list[Change]:
        """From what the model has to what the implementation shows, only what differs."""
        if self.expected is None or self.observed is None:
            return []
        return state_changes(self.expected, {**dict.fromkeys(self.expected, ABSENT), **self.observed})

    @property
    def group(self) -> tuple[str, str, str]:
        """Differences with the same one probably have the same cause: kind, action, first differing part."""
        first = next(iter(self.changes()), None)
        return (self.kind, self.asked.action, _general(first.path) if first is not None else self.message[:60])


ABSENT = {"#unserializable": "(not shown)"}


def rows(changes: Sequence[Change], model_values: frozenset[str]) -> list[Row]:
    """Differences as a table: part, model, implementation."""
    notation = Notation(model_values)
    found: list[Row] = []
    for change in changes:
        name = notation.path(change.path)
        match change:
            case Replaced(before=before, after=after):
                found.append(Row(name, notation.line(before), notation.line(after)))
            case SetChanged(before=before, after=after) | SequenceChanged(before=before, after=after):
                found.append(Row(name, notation.line(before), notation.line(after)))
            case DomainChanged(removed=removed, added=added):
                for key, item in removed:
                    found.append(Row(_inside(notation, change.path, key), notation.line(item), "(not there)"))
                for key, item in added:
                    found.append(Row(_inside(notation, change.path, key), "(not there)", notation.line(item)))
    return found


def _inside(notation: Notation, path: ValuePath, key: Any) -> str:
    return f"{notation.path(path)}[{notation.line(key)}]"


def _general(path: ValuePath) -> str:
    """A path without the arguments of functions: the same for every broker."""
    return ".".join(str(part.name if isinstance(part, Field) else part) for part in (path[0], *_fields(path[1:])))


def _fields(parts: Sequence[Any]) -> list[Field]:
    return [part for part in parts if isinstance(part, Field)]
