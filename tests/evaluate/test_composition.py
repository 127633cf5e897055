r"""A \cdot B: as an action, where TLC counts the states between, and as a test of a step. Counts are TLC's."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.tla.source import TlaError
from tests.evaluate.explore import explore, written
from tests.native.differential import interpreted

# the module's body; distinct states, generated states, depth
MODELS = {
    "chain": (
        r"""A(S) == \E n \in S : x' = (x + n) % 7
Init == x = 0 /\ y = 0
Next == /\ x < 3 /\ y' = y
        /\ A({1, 2}) \cdot A({3, 4}) \cdot A({5})
Inv == y = 0 \/ ENABLED (A({1, 2}) \cdot A({3}))""",
        (6, 17, 3),
    ),
    "right nested": (
        r"""A(S) == \E n \in S : x' = (x + n) % 7
Init == x = 0 /\ y = 0
Next == \/ /\ y' = x
           /\ A({1, 2}) \cdot (A({3, 4}) \cdot A({5, 6}))
        \/ \E n \in 0..1 : (x' = n /\ y' = n) \cdot (x' = x + 1 /\ UNCHANGED y)
        \/ ENABLED (A({1}) \cdot A({2, 3})) /\ x > 3 /\ UNCHANGED <<x, y>>""",
        (31, 447, 4),
    ),
    "leaves y": (
        r"""A(n) == x' = n
B(n) == x' = x + n
Init == x = 0 /\ y = 0
Next == /\ x = 0
        /\ y' \in {1, 2}
        /\ \E n \in {1, 2} : A(n) \cdot B(n)""",
        (5, 9, 2),
    ),
    "leaves y to the right side": (
        r"""A(n) == x' = n
B(n) == x' = x + n
Init == x = 0 /\ y = 0
Next == /\ x < 3
        /\ \E n \in {1, 2} : (A(n) \cdot (B(n) /\ y' = x)) \/ (x' = 3 /\ x = 2 /\ (y' = 1) \cdot (y' = y + n))""",
        (5, 13, 3),
    ),
    "unchanged": (
        r"""A(n) == x' = n
B(n) == x' = x + n /\ UNCHANGED y
Init == x = 0 /\ y = 0
Next == /\ x < 3
        /\ UNCHANGED y
        /\ \E n \in {1, 2} : (A(n) \cdot B(n))""",
        (3, 9, 2),
    ),
    "as a test": (
        r"""A == \/ /\ x \in {0}
        /\ x' \in {1, 2, 3}
     \/ /\ x \in {4}
        /\ x' \in {5}
B == \/ /\ x \in {1, 2}
        /\ x' \in {2, 4}
     \/ /\ x \in {5}
        /\ x' \in {6}
Init == x = 0 /\ y = 0
Next == (A /\ y' = 1) \cdot (B /\ y' = 0)
AC == (A /\ TRUE) \cdot B
Prop == [][~(B \cdot A)]_x /\ [][A \cdot B]_x
Inv == x = 6 \/ x = 2 \/ ENABLED Next""",
        (4, 10, 3),
    ),
    "constrains": (
        r"""Step(n) == x' = (x + n) % 9 /\ n \in {1, 2}
Init == x = 0 /\ y = 0
Next == x' \in 0..8 /\ y' \in {0, 1}
AC == (\E n \in 1..2 : Step(n)) \cdot (\E n \in 2..3 : Step(n) /\ y' > 0)
Prop == [][y' = 0 \/ ~AC \/ \E k \in 3..4 : Step(1) \cdot (x' = (x + k - 1) % 9) \/ Step(2) \cdot Step(2)]_x""",
        (10, 181, 5),
    ),
    "local": (
        r"""Init == x = 0 /\ y = 0
Next == \E n \in {1, 2} : LET d == n + 1 e == x + 1 IN (x' = d + e + e /\ y' = d) \cdot (x' = (x + d) % 7 /\ y' = y)""",
        (15, 61, 5),
    ),
    "instead of": (
        r"""A(v, n) == (x' = n /\ y' = 3) \cdot (x' = (v + n) % 5 /\ y' = y)
Init == x = 0 /\ y = 0
Next == x < 4 /\ (A(1, x) \/ A(2, y))""",
        (6, 21, 5),
    ),
    "complete": (
        r"""Init == x = 0 /\ y = 0
Next == /\ x' \in 0..3 /\ y' = x
        /\ (x' = x + 1 /\ y' = 0) \cdot (x' = (x + 1) % 4 /\ y' >= 0)""",
        (3, 4, 3),
    ),
}


def configuration(body: str) -> str:
    lines = [
        f"{kind} {name}\n"
        for kind, name in (("PROPERTY", "Prop"), ("INVARIANT", "Inv"), ("ACTION_CONSTRAINT", "AC"))
        if f"\n{name} ==" in body
    ]
    return "INIT Init\nNEXT Next\n" + "".join(lines)


@pytest.mark.parametrize("name", MODELS)
def test_counts_are_those_of_tlc(name: str, tmp_path: Path) -> None:
    body, counts = MODELS[name]
    system = written(tmp_path, f"EXTENDS Naturals\nVARIABLES x, y\n{body}", configuration(body))
    found = explore(system)
    assert (found.distinct, found.total, found.depth) == counts


def test_the_right_side_cannot_read_what_the_left_side_leaves_open(tmp_path: Path) -> None:
    body = "VARIABLES x, y\nInit == x = 0 /\\ y = 0\nNext == (x' = 1) \\cdot (x' = y /\\ y' = 0)"
    with pytest.raises(TlaError, match="4:30: variable y is read before it has a value"):
        explore(written(tmp_path, body))


def test_what_stands_around_speaks_of_the_whole_step(tmp_path: Path) -> None:
    """TLC lets the left side not change y then, and finds no step here."""
    body = "VARIABLES x, y\nInit == x = 0 /\\ y = 0\nNext == y' = 1 /\\ (x' = 1 /\\ y' = 5) \\cdot (x' = 2)"
    system = written(tmp_path, body)
    (state,) = system.initial_states()
    assert [system.values(step.state) for step in system.successors(state)] == [(2, 1)]


def test_states_between_count_up_to_a_violation(tmp_path: Path) -> None:
    body, _ = MODELS["as a test"]
    config = "INIT Init\nNEXT Next\nINVARIANT Low\nCHECK_DEADLOCK FALSE\n"
    system = written(tmp_path, f"EXTENDS Naturals\nVARIABLES x, y\n{body}\nLow == x < 6", config)
    result = interpreted(system.model, system=system).result
    assert (result.distinct, result.total, result.depth) == (4, 10, 3)
