"""Formulas of liveness that ask for the level of a state: verdicts and counts are TLC's."""

from __future__ import annotations

import pytest

from rmqproof import check, load
from rmqproof.model.api.result import Result

TEXT = r"""---- MODULE Levels ----
EXTENDS Naturals, TLC
VARIABLE x
Init == x = 0
Up == x' = (x + 1) % 4
Early == Up /\ TLCGet("level") < 4
Late == Up /\ TLCGet("level") >= 2
Ends == Init /\ [][Early]_x /\ WF_x(Early)
Starts == Init /\ [][Up]_x /\ WF_x(Late)
Reaches == <>(x = 3)
Again == []<>(x = 0)
Deep == <>(TLCGet("level") > 3)

\* as TLC writes a specification that goes through a lasso again
Trace == <<0, 1, 2>>
Through == \E i, j \in 1..3 : /\ (j = i + 1 /\ i = TLCGet("level")) \/ (i = 3 /\ j = 1)
                           /\ x = Trace[i] /\ x' = Trace[j]
View == <<x, IF TLCGet("level") = 4 THEN 1 ELSE TLCGet("level")>>
NoLasso == ~([]<>(x = 0) /\ []<>(x = 2))
TwiceMet == x' = 1 - x /\ TLCGet("level") < 4
LevelToo == <<x, TLCGet("level")>>
EndsAtOne == <>[](x = 1)
====
"""


def checked(view: str = "", **given: str) -> Result:
    config = f"CHECK_DEADLOCK FALSE\n{'VIEW ' + view if view else ''}\n"
    config += "".join(f"{keyword.upper()} {name}\n" for keyword, name in given.items())
    return check(load(TEXT, config))


@pytest.mark.parametrize(
    ("specification", "prop", "violated"),
    [
        ("Ends", "Reaches", False),
        ("Ends", "Again", True),
        ("Ends", "Deep", False),
        ("Starts", "Reaches", True),
        ("Starts", "Again", False),
        ("Starts", "Deep", True),
    ],
)
def test_a_state_is_asked_at_its_level(specification: str, prop: str, violated: bool) -> None:
    found = checked(specification=specification, property=prop)
    assert found.violated == (prop if violated else None)
    assert (found.distinct, found.generated) == (4, 4 if specification == "Ends" else 5)


def test_a_view_tells_states_of_two_levels_apart() -> None:
    found = checked("View", init="Init", next="Through", property="NoLasso")
    assert found.violated == "NoLasso" and found.behaviour is not None
    assert [step["x"] for step in found.behaviour.states] == [0, 1, 2]
    assert (found.distinct, found.generated) == (3, 4)


def test_one_state_at_two_levels_is_two_states_with_such_a_view() -> None:
    found = checked("LevelToo", init="Init", next="TwiceMet", property="EndsAtOne")
    assert found.violated == "EndsAtOne" and found.behaviour is not None
    assert (found.distinct, found.generated) == (4, 4)
