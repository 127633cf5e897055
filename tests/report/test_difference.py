"""What changed between two values, down to the smallest place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from rmqproof.model.report.difference import (
    DomainChanged,
    Replaced,
    SequenceChanged,
    SetChanged,
    changes,
    state_changes,
)
from rmqproof.model.report.value import Field, canonical
from tests.report.samples import values


def _of(before: Any, after: Any) -> list[Any]:
    return list(changes(("x",), before, after))


def test_a_field_of_a_record_in_a_function() -> None:
    before = {"#map": [["b1", {"role": "Slave", "epoch": 1}], ["b2", {"role": "Slave", "epoch": 1}]]}
    after = {"#map": [["b1", {"role": "Slave", "epoch": 1}], ["b2", {"role": "Master", "epoch": 1}]]}
    assert _of(before, after) == [Replaced(("x", "b2", Field("role")), "Slave", "Master")]


def test_elements_of_a_set() -> None:
    found = _of({"#set": [1, {"a": 1}]}, {"#set": [{"a": 2}, 1]})
    assert [(change.removed, change.added) for change in found] == [(({"a": 1},), ({"a": 2},))]
    assert isinstance(found[0], SetChanged)


@pytest.mark.parametrize(
    ("before", "after", "kept", "removed", "added"),
    [
        ([1], [1, 2], 1, (), (2,)),
        ([1, 2, 3], [1], 1, (2, 3), ()),
        ([1, 2, 3], [1, 5], 1, (2, 3), (5,)),
        ([], [4], 0, (), (4,)),
    ],
)
def test_the_end_of_a_sequence(before: Any, after: Any, kept: int, removed: Any, added: Any) -> None:
    (found,) = _of({"#tup": before}, {"#tup": after})
    assert isinstance(found, SequenceChanged)
    assert (found.kept, found.removed, found.added) == (kept, removed, added)


def test_one_element_of_a_sequence() -> None:
    assert _of([{"id": 1}, {"id": 2}], [{"id": 1}, {"id": 3}]) == [Replaced(("x", 2, Field("id")), 2, 3)]


def test_the_domain_of_a_function_and_what_stays_in_it() -> None:
    before = {"#map": [["a", 1], ["b", 2]]}
    after = {"#map": [["b", 3], ["c", 4]]}
    assert _of(before, after) == [
        DomainChanged(("x",), (("a", 1),), (("c", 4),)),
        Replaced(("x", "b"), 2, 3),
    ]


def test_from_the_empty_function() -> None:
    assert _of({"#tup": []}, {"#map": [["a", 1]]}) == [DomainChanged(("x",), (), (("a", 1),))]


def test_variables_in_their_order() -> None:
    found = state_changes({"b": 1, "a": 1, "c": 1}, {"b": 2, "a": 2, "c": 1})
    assert [change.path for change in found] == [("b",), ("a",)]


@given(values, values)
def test_there_is_a_change_exactly_when_the_values_differ(before: Any, after: Any) -> None:
    assert bool(_of(before, after)) == (canonical(before) != canonical(after))
    assert not _of(before, before)
