"""Where two traces part."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.report.comparison import Parting, comparison_text, first_difference
from tests.report.samples import behaviour, behaviours, sample


@given(behaviours())
def test_a_trace_is_the_same_as_itself(any_behaviour: Behaviour) -> None:
    assert first_difference(any_behaviour, any_behaviour) is None


def test_the_shape_of_values_does_not_matter() -> None:
    ours, theirs = behaviour({"q": {"#tup": [1]}}), behaviour({"q": [{"#bigint": "1"}]})
    assert comparison_text(ours, theirs) == "The traces are the same: 1 steps."


def test_another_state() -> None:
    left = sample("die_hard")
    right = replace(
        left, steps=(*left.steps[:2], replace(left.steps[2], state={"small": 1, "big": 2}), *left.steps[3:])
    )
    assert comparison_text(left, right) == (
        "The first 2 steps are the same.\n"
        "3. BigToSmall leads to different states (- left, + right):\n"
        "    small: 3 -> 1"
    )  # fmt: skip


def test_another_action() -> None:
    left, right = (behaviour({"x": 1}, {"x": 2}, actions=(name,)) for name in ("A", "B"))
    assert comparison_text(left, right) == "The first 1 steps are the same.\n- 2. A\n+ 2. B"


@pytest.mark.parametrize(
    ("left", "right", "parting", "words"),
    [
        (behaviour({"x": 1}), behaviour({"y": 1}), Parting.VARIABLES, "only the left has x; only the right has y"),
        (behaviour({"x": 1}), behaviour({"x": 1}, {"x": 2}), Parting.LENGTH, "the right goes on for 1 more"),
        (behaviour({"x": 1}, loop=0), behaviour({"x": 1}), Parting.LOOP, "The left returns to step 1, the right to no"),
    ],
)
def test_other_differences(left: Behaviour, right: Behaviour, parting: Parting, words: str) -> None:
    found = first_difference(left, right)
    assert found is not None
    assert found.parting is parting
    assert words in comparison_text(left, right)
