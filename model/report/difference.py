"""What changed between two values: the paths that differ, not the wholes that contain them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rmqproof.model.records import dataclass
from rmqproof.model.report.behaviour import Value
from rmqproof.model.report.value import (
    Field,
    canonical,
    function_pairs,
    is_field,
    is_record,
    sequence_elements,
    set_elements,
)

ValuePath = tuple[Value | Field, ...]
"""A variable's name, then `Field`s and arguments of functions (positions from 1 in sequences)."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """The value at `path` is another one."""

    path: ValuePath
    before: Value
    after: Value


@dataclass(frozen=True, slots=True)
class SetChanged:
    """A set lost and won elements; `before` and `after` are the whole sets."""

    path: ValuePath
    removed: tuple[Value, ...]
    added: tuple[Value, ...]
    before: Value
    after: Value


@dataclass(frozen=True, slots=True)
class SequenceChanged:
    """A sequence kept its first `kept` elements, lost the ones after, and won `added` at the end."""

    path: ValuePath
    kept: int
    removed: tuple[Value, ...]
    added: tuple[Value, ...]
    before: Value
    after: Value


@dataclass(frozen=True, slots=True)
class DomainChanged:
    """A function lost and won pairs (argument, result)."""

    path: ValuePath
    removed: tuple[tuple[Value, Value], ...]
    added: tuple[tuple[Value, Value], ...]


Change = Replaced | SetChanged | SequenceChanged | DomainChanged


def state_changes(before: Mapping[str, Value], after: Mapping[str, Value]) -> list[Change]:
    """Every change of every variable of `after`, in the order of its variables."""
    return [change for name in after for change in changes((name,), before.get(name), after[name])]


def changes(path: ValuePath, before: Value, after: Value) -> Iterator[Change]:
    """The smallest places below `path` at which the two values differ."""
    if canonical(before) == canonical(after):
        return
    old_set, new_set = set_elements(before), set_elements(after)
    if old_set is not None and new_set is not None:
        yield SetChanged(path, _missing(old_set, new_set), _missing(new_set, old_set), before, after)
        return
    old_items, new_items = sequence_elements(before), sequence_elements(after)
    if old_items is not None and new_items is not None:
        yield from _sequence_changes(path, old_items, new_items, before, after)
        return
    old_pairs, new_pairs = _pairs(before), _pairs(after)
    if old_pairs is not None and new_pairs is not None:
        yield from _function_changes(path, old_pairs, new_pairs, is_record(after) or is_record(before))
        return
    yield Replaced(path, before, after)


def _sequence_changes(
    path: ValuePath, old: list[Value], new: list[Value], before: Value, after: Value
) -> Iterator[Change]:
    kept = 0
    while kept < min(len(old), len(new)) and canonical(old[kept]) == canonical(new[kept]):
        kept += 1
    differing = [index for index in range(min(len(old), len(new))) if canonical(old[index]) != canonical(new[index])]
    if len(old) == len(new) and len(differing) == 1:
        index = differing[0]
        yield from changes((*path, index + 1), old[index], new[index])
        return
    yield SequenceChanged(path, kept, tuple(old[kept:]), tuple(new[kept:]), before, after)


def _function_changes(
    path: ValuePath, old: list[tuple[Value, Value]], new: list[tuple[Value, Value]], record: bool
) -> Iterator[Change]:
    old_results = {canonical(key): item for key, item in old}
    new_keys = {canonical(key) for key, _ in new}
    removed = tuple((key, item) for key, item in old if canonical(key) not in new_keys)
    added = tuple((key, item) for key, item in new if canonical(key) not in old_results)
    if removed or added:
        yield DomainChanged(path, removed, added)
    for key, item in new:
        name = canonical(key)
        if name in old_results:
            part = Field(key) if record and is_field(key) else key
            yield from changes((*path, part), old_results[name], item)


def _pairs(value: Value) -> list[tuple[Value, Value]] | None:
    # The empty function is the empty sequence; here it has to be both.
    return [] if sequence_elements(value) == [] else function_pairs(value)


def _missing(present: list[Value], other: list[Value]) -> tuple[Value, ...]:
    others = {canonical(item) for item in other}
    return tuple(item for item in present if canonical(item) not in others)
