"""Liveness formulas that ask where the search is, as trace specifications do. Verdicts are TLC's, with one worker."""

from __future__ import annotations

import pytest

from rmqproof import check, load

MOMENTS = r"""---- MODULE Moments ----
EXTENDS Naturals, TLC
VARIABLES x, y
vars == <<x, y>>
Zero == x = 0 /\ y = 0
Up == x < 4 /\ x' = x + 1 /\ y' = y
Round == x' = (x + 1) % 4 /\ y' = y
Both == \/ x < 2 /\ x' = x + 1 /\ y' = y
        \/ y < 2 /\ y' = y + 1 /\ x' = x
Back == \/ Up
        \/ x = 4 /\ x' = 1 /\ y' = 1 - y
        \/ x = 2 /\ x' = 0 /\ y' = y
Line == Zero /\ [][Up]_vars
Still == Zero /\ [][UNCHANGED vars]_vars
FairLine == Line /\ WF_vars(Up)
Two == x \in {0, 3} /\ y = 0 /\ [][Up]_vars
FairTwo == Two /\ WF_vars(Up)
FairCycle == Zero /\ [][Round]_vars /\ WF_vars(Round)
Branch == Zero /\ [][Both]_vars
FairBranch == Branch /\ WF_vars(Both)
Lasso == Zero /\ [][Back]_vars
FairLasso == Lasso /\ WF_vars(Back)
G(key) == TLCGet(key)
====
"""


@pytest.mark.parametrize(
    ("specification", "formula", "violated"),
    [
        ("FairCycle", r'<>(G("distinct") # 0 /\ <>(G("level") > 3))', False),
        ("FairBranch", '<>(G("queue") >= 2)', False),
        ("FairLine", '[](G("queue") > 0 => [](G("diameter") > 1))', True),
        ("Two", r'<>(G("generated") > 0) \/ []<>(G("queue") = 4)', False),
        ("FairTwo", r'<>(G("diameter") # 3 /\ x = 3)', True),
        ("FairLine", '<>(G("distinct") >= 4)', False),
        ("Branch", r'(G("generated") > 4 \/ x = 4) ~> (G("diameter") >= 4 \/ x = 4)', True),
        ("FairCycle", '(G("generated") > 2) ~> (G("diameter") < 3)', True),
        ("FairCycle", '[](G("diameter") # 2 => <>(G("diameter") = 1))', True),
        ("Lasso", '<>(G("diameter") > 1)', False),
        ("Line", r'<>[](G("generated") >= 5 \/ x < 4)', False),
        ("FairLasso", r'(G("generated") = 6 \/ x = 1) ~> (G("distinct") > 0 \/ x < 0)', False),
        ("Lasso", '<>[](G("distinct") # 4)', True),
        ("Still", '<>(G("level") = 2)', False),  # the step to the state itself is one of the system
        ("Line", '<>(G("level") = 2)', True),
        ("Branch", r'[](G("distinct") = 0 => [](G("distinct") < 6 /\ x < 2))', False),
    ],
)
def test_a_state_is_asked_when_it_is_met(specification: str, formula: str, violated: bool) -> None:
    text = MOMENTS.replace("====\n", f"Prop == {formula}\n====\n")
    found = check(load(text, f"SPECIFICATION {specification}\nPROPERTY Prop\nCHECK_DEADLOCK FALSE\n"))
    assert found.violated == ("Prop" if violated else None)


TRACE = r"""---- MODULE Trace ----
EXTENDS Naturals, Sequences, TLC
CONSTANTS Log, Wide
VARIABLES x, hidden, line
Init == x = 0 /\ hidden = 0 /\ line = 1
Step == /\ line <= Len(Log)
        /\ x' = Log[line]
        /\ x' \in {x + 1, x + 2}
        /\ hidden' \in {h \in 0..1 : Wide \/ h = 0}
        /\ line' = line + 1
Spec == Init /\ [][Step]_<<x, hidden, line>>
View == <<x, hidden, line, TLCGet("level")>>
Matched == [](line <= Len(Log) => [](TLCGet("queue") = 1 \/ line > Len(Log)))
Some == [](line <= Len(Log) => [](TLCGet("queue") > 0 \/ line > Len(Log)))
Whole == <<1, 2, 4>>
Short == <<1, 4>>
None == <<>>
====
"""


@pytest.mark.parametrize("view", ["", "VIEW View\n"])
@pytest.mark.parametrize(
    ("log", "wide", "prop", "states"),
    [
        ("Whole", "FALSE", "Matched", None),
        ("Whole", "TRUE", "Matched", 1),  # two states in the queue
        ("Whole", "TRUE", "Some", None),
        ("Short", "FALSE", "Matched", 2),
        ("Short", "TRUE", "Some", 2),
        ("None", "FALSE", "Matched", None),
    ],
)
def test_a_trace_is_matched_or_not(log: str, wide: str, prop: str, states: int | None, view: str) -> None:
    config = f"SPECIFICATION Spec\nPROPERTY {prop}\nCHECK_DEADLOCK FALSE\n{view}CONSTANTS Log <- {log} Wide = {wide}\n"
    found = check(load(TRACE, config))
    if states is None:
        assert found.violated is None
    else:
        assert found.violated == prop and found.behaviour is not None
        assert len(found.behaviour.states) == states, "nothing happens after the last one that has a successor"
