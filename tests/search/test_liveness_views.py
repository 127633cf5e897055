"""Liveness where only a VIEW leaves finitely many states: verdicts and counts are those of TLC, where one is given."""

from __future__ import annotations

import pytest

from rmqproof import check, load
from rmqproof.model.api.result import Result

TEXT = r"""---- MODULE Growing ----
EXTENDS Naturals
VARIABLES x, turns
vars == <<x, turns>>
Init == x = 0 /\ turns = 0
Go == x' = (x + 1) % 3 /\ turns' = turns + 1
Round == Init /\ [][Go]_vars /\ WF_vars(Go)
Stay == x' = x /\ turns' = turns + 1
Still == Init /\ [][Stay]_vars /\ WF_vars(Stay)
Both == Init /\ [][Go \/ Stay]_vars /\ WF_vars(Go) /\ SF_vars(Stay)
Shown == <<x>>
Leaves == <>[](x # 0)
Never == <>(x = 1)
GrowsLast == []<><<turns' > turns /\ x = 2>>_vars
Stays == []<><<x' = x>>_vars
Standing == <>[][x' # x]_vars
====
"""


def checked(specification: str, *properties: str) -> Result:
    config = f"CHECK_DEADLOCK FALSE\nVIEW Shown\nSPECIFICATION {specification}\n"
    return check(load(TEXT, config + "".join(f"PROPERTY {name}\n" for name in properties)), engine="python")


@pytest.mark.parametrize(
    ("specification", "prop", "states"),
    [("Round", "Leaves", 3), ("Still", "Never", 1), ("Both", "Leaves", 3), ("Both", "Standing", 3)],
)
def test_a_violation_is_found_in_what_the_view_shows(specification: str, prop: str, states: int) -> None:
    found = checked(specification, prop)
    assert (found.verdict, found.violated, found.distinct) == ("liveness failure", prop, states)
    assert found.judged.replayed


@pytest.mark.parametrize(("specification", "prop"), [("Round", "GrowsLast"), ("Both", "Stays")])
def test_a_step_is_asked_where_it_leads_to_and_not_at_what_looks_like_it(specification: str, prop: str) -> None:
    """That back to the first state leads to one with more turns; a success is not decided without all states."""
    found = checked(specification, prop)
    assert found.violated is None
    assert "Liveness is not checked" in found.message
    assert checked(specification, prop, "Leaves").violated == "Leaves"


def test_the_step_back_is_one_to_a_state_that_looks_alike() -> None:
    found = checked("Round", "Leaves")
    (violation,) = found.outcome.result.violations
    assert [step.state[1] for step in violation.behaviour] == [0, 1, 2]
    assert violation.fairness == ("WF_vars(Go): taken at step 2",)
