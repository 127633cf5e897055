"""Actions whose ways are found at run time: recursive operators and functions. Counts are TLC's."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof import check, load
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.tla.source import TlaError
from tests.evaluate.explore import explore, written

# the module's body; distinct states, generated states, depth
MODELS = {
    "depth known at run time": (
        r"""RECURSIVE A(_)
A(n) == IF n = 0 THEN x' = (x + 1) % 4 ELSE A(n - 1)
Init == x = 0 /\ y = 0
Next == A(y) /\ y' = (y + x) % 3""",
        (4, 5, 4),
    ),
    "a constant formula with two ways is passed": (
        r"""RECURSIVE A(_, _)
A(n, g) == IF n = 0 THEN g /\ x' = 1 - x ELSE A(n - 1, g)
Init == x = 0 /\ y = 0
Next == A(2, \E k \in {1, 2} : TRUE) /\ UNCHANGED y""",
        (2, 5, 2),
    ),
    "ways": (
        r"""RECURSIVE A(_)
A(n) == IF n = 0 THEN x' \in {0, 1} \/ x' = 2 ELSE A(n - 1) \/ (n = 2 /\ x' = n)
Init == x = 0 /\ y = 0
Next == A(y) /\ y' = (y + 1) % 4""",
        (12, 43, 5),
    ),
    "assigns in steps": (
        r"""RECURSIVE A(_), B(_)
A(n) == IF n = 0 THEN x' = 1 /\ y' = 1 ELSE y' = n /\ B(n - 1)
B(n) == IF n = 0 THEN x' = 2 ELSE x' = n /\ A(n)
Init == x = 0 /\ y = 0
Next == A(x) \/ (x < 3 /\ x' = x + 1 /\ UNCHANGED y) \/ (B(y) /\ y' = 0)""",
        (7, 13, 4),
    ),
    "different exits": (
        r"""RECURSIVE A(_)
A(n) == CASE n = 0 -> x' = y [] n = 1 -> y' = x [] n = 2 -> TRUE [] n = 3 -> UNCHANGED <<x, y>>
     [] OTHER -> A(n - 2) \/ A(n - 3)
Init == x = 0 /\ y = 0
Next == \E n \in 0..7 : A(n) /\ x' = (x + n) % 4 /\ y' \in {y, n} """,
        (28, 336, 4),
    ),
    "middle of a conjunction": (
        r"""RECURSIVE A(_)
A(n) == n = 0 \/ (n > 0 /\ A(n - 1) /\ x' = (x + 1) % 3)
Init == x = 0 /\ y = 0
Next == A(y) /\ x' \in 0..2 /\ y' = (y + 1) % 3""",
        (9, 16, 4),
    ),
    "under exists": (
        r"""RECURSIVE A(_)
A(S) == \E i \in S : IF i = y THEN x' = i ELSE A(S \ {i})
Init == x = 0 /\ y = 0
Next == A({0, 1, 2}) /\ y' = (y + 1) % 4""",
        (4, 16, 4),
    ),
    "primed by name": (
        r"""RECURSIVE A(_, _), B(_, _)
A(v, n) == IF n = 0 THEN v = (x + 1) % 3 ELSE B(v, n - 1)
B(w, n) == A(w, n) \/ (n = 1 /\ w = 0)
Init == x = 0 /\ y = 0
Next == \/ A(x', y) /\ UNCHANGED y
        \/ A(y', x) /\ UNCHANGED x""",
        (9, 25, 4),
    ),
    "formula as an argument": (
        r"""RECURSIVE A(_, _)
A(P, n) == IF n = 0 THEN P ELSE A(P, n - 1) \/ (n = 2 /\ x' = 3)
Init == x = 0 /\ y = 0
Next == \E k \in 1..2 : A(x' = k \/ x' = k + 1, y) /\ y' = (y + 1) % 4""",
        (13, 65, 5),
    ),
    "initial predicate": (
        r"""RECURSIVE B(_, _)
B(v, n) == IF n = 0 THEN v \in {0, 1} ELSE B(v, n - 1) \/ v = n + 1
Init == B(x, 2) /\ y = x /\ B(y, 1)
Next == x' = 1 - y /\ y' = x""",
        (8, 11, 4),
    ),
    "initial steps": (
        r"""RECURSIVE B(_)
B(n) == IF n = 0 THEN y = 0 ELSE (x = n \/ x = n + 1) /\ y \in 1..n
Init == \E n \in 0..2 : (n = 0 /\ x = 5 /\ B(n)) \/ (n # 0 /\ B(n))
Next == UNCHANGED <<x, y>>""",
        (6, 13, 1),
    ),
    "forall": (
        r"""RECURSIVE A(_, _)
A(k, n) == IF n = 0 THEN (k = 1 /\ x' = y) \/ (k = 2 /\ y' = x) \/ (k = 3 /\ n = 0) ELSE A(k, n - 1)
Init == x \in 0..2 /\ y \in 0..2
Next == (\A k \in 1..2 : A(k, x)) \/ (\A k \in {j \in 0..5 : j % 3 = x} : A(k % 4, k) /\ y' = 2 /\ x' = 1)""",
        (9, 19, 1),
    ),
    "recursion through forall": (
        r"""RECURSIVE A(_)
A(n) == IF n = 0 THEN x' = 0 \/ x' = 1 ELSE \A m \in {n - 1} : A(m) /\ (x' = 0 \/ n = 1)
Init == x = 0 /\ y = 0
Next == A(y) /\ y' \in {(y + 1) % 3, 3}""",
        (7, 33, 3),
    ),
    "enabled": (
        r"""RECURSIVE A(_)
A(n) == IF n = 0 THEN x' = 1 /\ y' = 2 ELSE y' = n /\ n < 3 /\ A(n - 1)
RECURSIVE D(_)
D(n) == IF n = 0 THEN x' = 1 ELSE n < 3 /\ D(n - 1)
Init == x = 0 /\ y = 0
Next == \/ ENABLED D(x) /\ x' = x + 1 /\ y' = y
        \/ ~ENABLED D(x) /\ x' = 0 /\ y' = y + 1 /\ y < 2
        \/ ENABLED (A(x) /\ TRUE) /\ y' = 2 /\ x' = 0""",
        (12, 15, 8),
    ),
    "as a property": (
        r"""RECURSIVE A(_)
A(n) == IF n = 0 THEN x' = (x + 1) % 3 ELSE A(n - 1)
RECURSIVE V(_, _, _)
V(v, w, n) == IF n = 0 THEN v = (w + 1) % 3 ELSE V(v, w, n - 1)
Init == x = 0 /\ y = 0
Next == A(y) /\ y' = (y + 1) % 3
Prop == [][A(y) /\ V(x', x, 100) /\ V(y', y, x)]_x""",
        (3, 4, 3),
    ),
    "local": (
        r"""Init == x = 0 /\ y = 0
Next == \E k \in 1..2 : LET d == k + x
                            RECURSIVE A(_)
                            A(n) == IF n = 0 THEN x' = d % 3 \/ x' = k ELSE A(n - 1) /\ n # d
                        IN A(y) /\ y' = (y + k) % 3""",
        (9, 29, 4),
    ),
    "operator as an argument": (
        r"""RECURSIVE A(_, _)
A(F(_), n) == IF n = 0 THEN F(n) ELSE A(F, n - 1) \/ F(n)
Set(i) == x' = i
Init == x = 0 /\ y = 0
Next == \/ A(Set, y) /\ y' = (y + 1) % 3
        \/ A(LAMBDA i : x' = x /\ i = 1 /\ y' = i, x)""",
        (8, 21, 5),
    ),
    "composed": (
        r"""RECURSIVE A(_)
A(n) == IF n = 0 THEN x' = (x + 1) % 3 ELSE A(n - 1)
Init == x = 0 /\ y = 0
Next == (A(y) /\ y' = (y + 1) % 3) \cdot (A(x) /\ y' = x)""",
        (4, 9, 4),
    ),
    "function": (
        r"""N[n \in 1..3] == /\ x' = (x + n) % 5
                 /\ UNCHANGED y
Init == x = 0 /\ y = 0
Next == \E i \in 1..3 : N[i]""",
        (5, 16, 3),
    ),
    "function of two": (
        r"""N[n \in 1..3, m \in {0, 1}] == (x' = (x + n) % 5 \/ x' = m) /\ n > m
Init == x = 0 /\ y = 0
Next == \E i \in 1..3 : N[i, y] /\ y' = 1 - y""",
        (10, 51, 4),
    ),
    "function of a tuple": (
        r"""N[<<n, m>> \in (1..3) \X {0, 1}] == (x' = (x + n) % 5 \/ x' = m) /\ n > m
Init == x = 0 /\ y = 0
Next == \E i \in 1..3 : N[<<i, y>>] /\ y' = 1 - y""",
        (10, 51, 4),
    ),
    "recursive function": (
        r"""N[n \in 0..3] == IF n = 0 THEN x' = (x + 1) % 5 \/ x' = 0 ELSE y' = (y + n) % 3 /\ (N[n - 1] \/ x' = n)
Init == x = 0 /\ y = 0
Next == \E i \in 0..3 : N[i] /\ y' \in 0..2""",
        (15, 166, 3),
    ),
    "local function": (
        r"""Init == x = 0 /\ y = 0
Next == \E k \in 1..2 : LET d == k + x
                            N[n \in 0..3] == IF n = 0 THEN x' = d % 4 ELSE N[n - 1]
                            M[n \in 0..3] == y' = (y + d + n) % 4
                        IN N[x] /\ (M[k] \/ M[x])""",
        (16, 65, 5),
    ),
    "function in ENABLED": (
        r"""N[n \in 1..3] == /\ x' = x + n
                 /\ x + n < 4
                 /\ UNCHANGED y
Init == x = 0 /\ y = 0
Next == \E i \in 1..3 : N[i] \/ (~ENABLED N[i] /\ x' = 0 /\ y' = 1)
Inv == x < 3 \/ ENABLED N[1] \/ ~ENABLED N[2]""",
        (8, 25, 4),
    ),
    "function by operator": (
        r"""N(k) == [n \in 1..3 |-> x' = (x + n + k) % 5]
M[n \in 1..3] == x' = n \/ x' = 0
P(f, i) == f[i] /\ UNCHANGED y
Init == x = 0 /\ y = 0
Next == \E i \in 1..3 : (N(1)[i] /\ y' = 0) \/ P(M, i) \/ P(N(i), i)
         \/ (LET f == [n \in 1..4 |-> y' = n] IN x' = x /\ f[i])""",
        (20, 301, 3),
    ),
    "recursive function, entered again after": (
        r"""N[n \in 0..2] == IF n = 0 THEN TRUE \/ x = 0 ELSE N[n - 1] \/ x = n
Init == x = 0 /\ y = 0
Next == N[2] /\ x' = (x + 1) % 3 /\ N[1] /\ y' = y""",
        (3, 11, 3),
    ),
    "forall elements": (
        r"""Init == x \in 0..2 /\ y \in 0..2
Next == \/ (\A k \in {j \in 0..5 : j % 3 = x} : x' = k \/ y' = k) /\ UNCHANGED y /\ x' = 1
        \/ (\A k \in {j \in 0..2 : j # x} : x' = k \/ y' = k \/ k = 0) /\ y' = 1 /\ x' \in {0, 1}""",
        (9, 21, 1),
    ),
    "function of a function": (
        r"""N[n \in 1..2] == [m \in 0..2 |-> x' = n + m]
Init == x = 0 /\ y = 0
Next == \E i \in 1..2 : x < 3 /\ N[i][x] /\ UNCHANGED y""",
        (5, 7, 3),
    ),
    "boolean recursion": (
        r"""RECURSIVE A(_, _)
A(p, n) == IF n = 0 THEN p /\ x' = 1 ELSE A(p, n - 1) \/ A(x = n \/ x = 0, n - 1)
Init == x = 0 /\ y = 0
Next == A(y = 0 \/ y = 1, 3) /\ y' = (y + 1) % 3""",
        (4, 23, 4),
    ),
}


NAMED_CONDITIONS = {
    "IN (~ok /\\ x' = 0) \\/ (ok /\\ x' = (x + i) % 5)": (5, 16, 3),
    "IN (ok /\\ x' = (x + i) % 5) \\/ (~ok /\\ x' = 0)": (5, 16, 3),
    "IN (IF ok THEN TRUE ELSE TRUE) /\\ ok /\\ x' = (x + i) % 5": (5, 12, 3),
}
"""Behind a LET, with the counts of TLC, which goes each way through what has a name there and is followed, also where
its value was asked before."""


@pytest.mark.parametrize("body", NAMED_CONDITIONS)
@pytest.mark.parametrize("engine", ["python", "native"])
def test_a_condition_of_a_let_has_its_ways_each_time_it_is_followed(body: str, engine: str, tmp_path: Path) -> None:
    text = (
        f"EXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == \\E i \\in 1..2 : LET ok == x < 3 \\/ x + i < 4 {body}"
    )
    written(tmp_path, text, "INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n")
    found = check(load(tmp_path / "Test.tla"), engine=engine, workers=1).outcome.result
    assert (found.distinct, found.total, found.depth) == NAMED_CONDITIONS[body]


def system_of(folder: Path, body: str) -> PythonSystem:
    config = "INIT Init\nNEXT Next\n"
    for kind, name in (("PROPERTY", "Prop"), ("INVARIANT", "Inv")):
        config += f"{kind} {name}\n" if f"\n{name} ==" in body else ""
    return written(folder, f"EXTENDS Naturals\nVARIABLES x, y\n{body}", config)


@pytest.mark.parametrize("name", MODELS)
def test_counts_are_those_of_tlc(name: str, tmp_path: Path) -> None:
    body, counts = MODELS[name]
    system = system_of(tmp_path, body)
    found = explore(system)
    assert (found.distinct, found.total, found.depth) == counts
    careful = system.careful()
    for state in found.states:
        again: list[object] = []
        careful.next(state, again)  # type: ignore[arg-type]
        assert again == list(system.successors(state))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            r"""N[n \in 0..2] == x = n /\ (n = 0 \/ N[n - 1] \/ y = n)
Init == \E i \in 0..2 : N[i] /\ y \in {1, 2}
Next == UNCHANGED <<x, y>>""",
            r"4:\d+: .*applied to -1, which is not in its domain",
        ),
        (
            r"""N[n \in 1..2, m \in 1..2] == x' = n + m
Init == x = 0 /\ y = 0
Next == \E i \in 1..3 : N[i, 1] /\ UNCHANGED y""",
            r"6:\d+: .*applied to 3, which is not in its domain",
        ),
        (
            r"""N[n \in 1..2] == [m \in 0..2 |-> x' = n + m]
Init == x = 0 /\ y = 0
Next == \E i \in 1..3 : N[i][x] /\ UNCHANGED y""",
            r"6:\d+: .*applied to 3, which is not in its domain",
        ),
        (
            r"""RECURSIVE A(_)
A(n) == A(n + 1) \/ x' = n
Init == x = 0 /\ y = 0
Next == A(y) /\ y' = 0""",
            r"5:9: the recursion does not end, or goes deeper than can be computed[\s\S]*comes nearer",
        ),
        (
            r"""RECURSIVE A(_, _)
A(P, n) == IF n = 0 THEN P ELSE A(P /\ y' = n, n - 1)
Init == x = 0 /\ y = 0
Next == A(x' = 1, 1)""",
            r"5:33: A is an action that calls itself with ever other formulas[\s\S]*formulas that stay the same",
        ),
    ],
)
def test_errors_say_where_and_what_to_do(body: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(TlaError, match=message):
        explore(system_of(tmp_path, body))


def test_recursion_deeper_than_pythons_own_stack(tmp_path: Path) -> None:
    """TLC's stack ends here."""
    body = r"""RECURSIVE A(_)
A(n) == IF n = 0 THEN x' = 1 - x ELSE A(n - 1)
Init == x = 0 /\ y = 0
Next == A(4000) /\ y' = 0"""
    found = explore(system_of(tmp_path, body))
    assert (found.distinct, found.total) == (2, 3)


def test_a_step_is_called_by_the_operator_that_makes_it(tmp_path: Path) -> None:
    body = r"""RECURSIVE A(_)
A(n) == IF n = 0 THEN x' = 1 ELSE A(n - 1)
N[n \in 1..2] == x' = n /\ y' = 2
Init == x = 0 /\ y = 0
Next == (A(x) /\ y' = 1) \/ N[2]"""
    system = system_of(tmp_path, body)
    (state,) = system.initial_states()
    steps = [(system.actions[step.action], step.arguments) for step in system.successors(state)]
    assert steps == [("A", (0,)), ("N", (2,))]
