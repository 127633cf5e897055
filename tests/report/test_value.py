"""Values: their TLA+ text and their equality."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from rmqproof.model.report.value import Field, Notation, canonical
from tests.report.samples import values

_NOTATION = Notation({"b1", "b2"})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (7, "7"),
        ({"#bigint": "-9007199254740993"}, "-9007199254740993"),
        (True, "TRUE"),
        ("b1", "b1"),
        ("b3", '"b3"'),
        ('a "quoted" \\ string\n', '"a \\"quoted\\" \\\\ string\\n"'),
        ({"#set": []}, "{}"),
        ({"#set": [1, {"#set": ["b1"]}]}, "{1, {b1}}"),
        ({"#tup": [1, "x"]}, '<<1, "x">>'),
        ([1, [2]], "<<1, <<2>>>>"),
        ([], "<<>>"),
        ({"#map": []}, "<<>>"),
        ({}, "<<>>"),
        ({"role": "Slave", "epoch": 2}, '[role |-> "Slave", epoch |-> 2]'),
        ({"#map": [["b1", 1], ["b2", {"#set": []}]]}, "(b1 :> 1 @@ b2 :> {})"),
        ({"#map": [[1, "a"], [2, "b"]]}, '<<"a", "b">>'),
        ({"#map": [[0, "a"], [1, "b"]]}, '(0 :> "a" @@ 1 :> "b")'),
        ({"two words": 1}, '("two words" :> 1)'),
        ({"#unserializable": "Nat"}, "Nat"),
    ],
)
def test_text(value: Any, text: str) -> None:
    assert _NOTATION.line(value) == text


def test_long_values_are_broken_between_their_parts() -> None:
    value = {"#map": [["b1", {"log": [1, 2, 3], "role": "Master"}], ["b2", {"log": [], "role": "Slave"}]]}
    assert _NOTATION.lines(value, 46) == [
        '( b1 :> [ log |-> <<1, 2, 3>>,',
        '          role |-> "Master" ] @@',
        '  b2 :> [log |-> <<>>, role |-> "Slave"] )',
    ]  # fmt: skip


@given(values)
def test_breaking_a_value_changes_only_white_space(value: Any) -> None:
    plain = Notation()
    squeezed = ["".join(text.split()) for text in (plain.line(value), "".join(plain.lines(value, 30)))]
    assert squeezed[0] == squeezed[1]


def test_path() -> None:
    assert _NOTATION.path(("disk", "b1", Field("log"), 2, "x y")) == 'disk[b1].log[2]["x y"]'


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([1, 2], {"#tup": [1, {"#bigint": "2"}]}),
        ({"#tup": ["a", "b"]}, {"#map": [[2, "b"], [1, "a"]]}),
        ({"#set": [1, 2, 2]}, {"#set": [2, 1]}),
        ({"a": 1, "b": 2}, {"#map": [["b", 2], ["a", 1]]}),
        ({"#tup": []}, {"#map": []}),
        ({}, []),
    ],
)
def test_equal_in_tla_though_written_otherwise(left: Any, right: Any) -> None:
    assert canonical(left) == canonical(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, True),
        (0, False),
        (1, "1"),
        ({"#set": [1]}, {"#tup": [1]}),
        ({"#set": []}, {"#tup": []}),
        ({"#map": [[0, 1]]}, {"#tup": [1]}),
        ({"#unserializable": "Nat"}, "Nat"),
    ],
)
def test_not_equal(left: Any, right: Any) -> None:
    assert canonical(left) != canonical(right)
