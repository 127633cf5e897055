"""What a configuration puts in place of a definition stands for it in instances of its module, too, as in TLC."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evaluate.asked import verdict

MODULES = {
    "P": "EXTENDS Integers\nCONSTANT k\nA == k\nB == A\nC(a) == A + a\nD(a) == C(a)",
    "Q": "EXTENDS Integers\nJ == INSTANCE P WITH k <- 5\nE == J!B",
}
TEXT = """---- MODULE K ----
HEAD
VARIABLE x
X == 7
Z == k + 100
W(a) == a * 10
Init == x = 0
Next == x' = x
ASSUME <<READ>> = <<VALUES>>
====
"""
OTHERS = "INIT Init\nNEXT Next\nCONSTANT k = 2\nCONSTANT "
CASES = {
    "another constant": (
        "EXTENDS P\nI == INSTANCE P WITH k <- 3",
        "A <- X",
        "A, B, I!A, I!B, I!C(1), I!D(1)",
        "7, 7, 3, 7, 8, 8",
    ),
    "the same constant": ("EXTENDS P\nI == INSTANCE P", "A <- Z", "A, B, I!A, I!B, I!D(1)", "102, 102, 2, 102, 103"),
    "a value": ("EXTENDS P\nI == INSTANCE P WITH k <- 3", "A = 9", "A, B, I!A, I!B", "9, 9, 3, 9"),
    "an operator": ("EXTENDS P\nI == INSTANCE P WITH k <- 3", "C <- W", "C(1), D(1), I!C(1), I!D(1)", "10, 10, 4, 10"),
    "parameters": ("EXTENDS P\nI(j) == INSTANCE P WITH k <- j", "A <- X", "A, B, I(6)!A, I(6)!B", "7, 7, 6, 7"),
    "in a module": ("EXTENDS P, Q", "A <- X", "A, B, J!A, J!B, E", "7, 7, 5, 7, 7"),
    "in an instance": ("EXTENDS P\nINSTANCE Q", "A <- X", "A, B, J!A, J!B, E", "7, 7, 5, 7, 7"),
    "a name of an instance": (
        "EXTENDS Integers\nCONSTANT k\nINSTANCE P WITH k <- 3\nI == INSTANCE P WITH k <- 4",
        "A <- X",
        "A, B, I!A, I!B",
        "7, 3, 4, 4",
    ),
}
"""What is extended and instantiated, what is replaced, what is read, and its values in TLC."""


@pytest.mark.parametrize("engine", ["python", "reference"])
@pytest.mark.parametrize("case", CASES)
def test_values(engine: str, case: str, tmp_path: Path) -> None:
    head, replaced, read, values = CASES[case]
    for name, text in MODULES.items():
        (tmp_path / f"{name}.tla").write_text(f"---- MODULE {name} ----\n{text}\n====\n")
    text = TEXT.replace("HEAD", head).replace("READ", read)
    assert verdict(engine, text.replace("VALUES", values), OTHERS + replaced, tmp_path) == "success"
    assert verdict(engine, text.replace("VALUES", values + ", 0"), OTHERS + replaced, tmp_path) != "success"
