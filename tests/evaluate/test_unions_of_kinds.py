"""A union of listed sets is evaluated before it is asked, as in TLC, which compares their elements."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evaluate.asked import verdict

TEXT = r"""---- MODULE K ----
EXTENDS Integers, Sequences, FiniteSetsExt
CONSTANT m, None
VARIABLES x, r, s
Numbers == 0..1
Init == x = None /\ r = [a |-> None] /\ s = <<None>>
Next == UNCHANGED <<x, r, s>>
Inv == HOLDS
====
"""
CONFIG = "INIT Init\nNEXT Next\nINVARIANT Inv\nCONSTANT m = m None = {m}\n"
CASES = {
    r"x \in {{m}} \cup {0, 1}": "error",
    r"x \in {0, 1} \cup {None}": "error",
    r"x \in {x} \cup {0}": "error",
    r"x \in {None} \cup 0..1": "error",
    r"x \in {None} \cup Numbers": "error",
    r'x \in {None} \cup {"a"}': "error",
    r"r \in [a : {None} \cup {0}]": "error",
    r"s \in Seq({None} \cup {0})": "error",
    r"x \in {None, 0}": "success",
    r"x \in {None} \cup Nat": "success",
    r"x \in {None} \cup {m}": "success",
    r"x \in {None} \cup {{}, {0}}": "success",
    r"kSubset(m, {1, 2}) = {}": "error",
    r"kSubset(1, {1, 2}) = {{1}, {2}}": "success",
}
"""The verdicts are TLC's."""


@pytest.mark.parametrize("engine", ["python", "native", "reference"])
@pytest.mark.parametrize("holds", CASES)
def test_members(engine: str, holds: str, tmp_path: Path) -> None:
    assert verdict(engine, TEXT.replace("HOLDS", holds), CONFIG, tmp_path) == CASES[holds]
