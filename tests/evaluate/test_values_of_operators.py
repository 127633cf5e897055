"""A value that a configuration gives an operator with parameters is its value whatever the arguments, as in TLC."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evaluate.asked import verdict

TEXT = r"""---- MODULE K ----
EXTENDS Naturals, Sequences
CONSTANT P(_)
VARIABLE x
Small(a, b) == a + b < 3
Same(a) == a
Map(F(_), S) == {F(s) : s \in S}
Applied(F(_), a) == F(a)
Init == x = 0
Next == x' = x + 1 /\ Small(x, 1)
Inv == x < 2 /\ P(x) # 9 /\ Map(Same, {1}) # {7} /\ Applied(Same, 4) # 8
====
"""
CONFIG = "INIT Init\nNEXT Next\nINVARIANT Inv\nCHECK_DEADLOCK FALSE\nCONSTANT\n"
CASES = {
    "P <- Same Small <- FALSE": "success",
    "P <- Same Small = FALSE": "success",
    "P = 3": "safety failure",
    "P = 9": "safety failure",
    "P <- TRUE": "error",
    "P <- Same Same = 7": "safety failure",
    "P <- Same Applied = 8": "safety failure",
    "P <- Same Applied <- TRUE": "error",
    "P <- Same Small = {TRUE}": "error",
    "P <- Same Len <- TRUE": "safety failure",
    "P <- Same Same = [K] 7": "safety failure",
    "P <- Same Small <- [K] FALSE": "success",
}
"""By what stands under CONSTANT; the verdicts are TLC's."""


@pytest.mark.parametrize("engine", ["python", "reference", "native"])
@pytest.mark.parametrize("constants", CASES)
def test_a_value_whatever_the_arguments(constants: str, engine: str, tmp_path: Path) -> None:
    assert verdict(engine, TEXT, f"{CONFIG}{constants}\n", tmp_path) == CASES[constants]


def test_nothing_is_asked_of_the_arguments(tmp_path: Path) -> None:
    text = TEXT.replace("Small(x, 1)", 'Small(x + "a", Head(<<>>))')
    assert verdict("python", text, f"{CONFIG}P = 1 Small <- FALSE\n", tmp_path) == "success"
    assert verdict("python", text, f"{CONFIG}P = 1\n", tmp_path) == "error"
