"""The order in which TLC keeps variables; how many names a module has before it changes was measured with SANY."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.tla.model import load_specification

VARIABLES = """pc messages state votedFor log commitIndex nextIndex matchIndex votesGranted currentTerm history
clock"""
SMALL = "state matchIndex currentTerm votesGranted history messages nextIndex pc votedFor commitIndex log clock"
LARGE = "messages matchIndex log clock pc state commitIndex history currentTerm nextIndex votesGranted votedFor"
HUGE = "clock state pc matchIndex votedFor nextIndex commitIndex messages history currentTerm log votesGranted"
INNER = (
    "---- MODULE Inner ----\nEXTENDS Integers\nCONSTANT N\nVARIABLE v\nLOCAL Hidden == 0\nASSUME Small == N < 3\n"
    + "".join(f"In{i} == {i}\n" for i in range(20))
    + "====\n"
)
NESTED = """---- MODULE In ----
VARIABLE w
A == w
B == INSTANCE Inner WITH N <- 1, v <- w
====
J == INSTANCE In WITH w <- log
"""
MANY_KINDS = r"""THEOREM T == TRUE
ASSUME A == TRUE
RECURSIVE R(_)
R(x) == IF x = 0 THEN 0 ELSE R(x - 1)
f[x \in {1}] == LET z == 1 IN z
CONSTANTS C, D(_)
"""


def ordered(folder: Path, extends: str, units: str, definitions: int) -> str:
    names = ", ".join(VARIABLES.split())
    more = "".join(f"Op{i} == {i}\n" for i in range(definitions))
    (folder / "Inner.tla").write_text(INNER)
    head = f"---- MODULE Spec ----\nEXTENDS {extends}\nVARIABLES {names}\n"
    (folder / "Spec.tla").write_text(f"{head}{units}{more}====\n")
    specification = load_specification(folder / "Spec.tla")
    found = [specification.variables[index].name for index in specification.compared]
    return " ".join(name for name in found if name in VARIABLES.split())


@pytest.mark.parametrize(
    ("extends", "units", "definitions"),
    [
        ("Integers", "", 46),
        ("Integers", MANY_KINDS, 40),
        ("FiniteSets, TLC, Sequences, Bags", "", 23),
        ("Inner", "", 23),
        ("Integers", "I == INSTANCE Inner WITH N <- 1, v <- pc\n", 10),
        ("Integers", "I(N) == INSTANCE Inner WITH v <- pc\n", 10),
        ("Integers", "INSTANCE Inner WITH N <- 1, v <- pc\n", 25),
        ("Integers", "LOCAL INSTANCE Inner WITH N <- 1, v <- pc\n", 25),
        ("Integers", NESTED, 7),
    ],
)
def test_variables_stand_in_the_table_of_names(tmp_path: Path, extends: str, units: str, definitions: int) -> None:
    """With so many definitions the table is made larger, with one less it is not."""
    assert ordered(tmp_path, extends, units, definitions - 1) == SMALL
    assert ordered(tmp_path, extends, units, definitions) == LARGE


def test_the_table_grows_again(tmp_path: Path) -> None:
    assert ordered(tmp_path, "Integers", "", 600) == HUGE
