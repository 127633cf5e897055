"""ENABLED written in an instance, where INSTANCE puts something in the place of its variables."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.evaluate.system import system_of
from rmqproof.model.tla.model import load_model

OUTER = """---- MODULE Outer ----
EXTENDS Naturals
VARIABLES v, w
Abstract == INSTANCE Inner WITH x <- {x}, y <- {y}
Init == v = 0 /\\ w = 0
Next == UNCHANGED <<v, w>>
Invariant == {invariant}
====
"""
INNER = """---- MODULE Inner ----
EXTENDS Naturals
VARIABLES x, y
Step == x' = 0 /\\ y' = 1
CanStep == ENABLED Step
CanGo(n) == ENABLED (x' = n /\\ \\E m \\in 2..3 : y' = x' + m /\\ n < 7)
====
"""


def holds(folder: Path, x: str, y: str, invariant: str = "Abstract!CanStep") -> bool:
    (folder / "Outer.tla").write_text(OUTER.format(x=x, y=y, invariant=invariant), encoding="utf-8")
    (folder / "Inner.tla").write_text(INNER, encoding="utf-8")
    (folder / "Outer.cfg").write_text("INIT Init\nNEXT Next\nINVARIANT Invariant\n", encoding="utf-8")
    system = system_of(load_model(folder / "Outer.tla", folder / "Outer.cfg"))
    (initial,) = system.initial_states()
    return system.invariants[0].holds(initial)


def test_a_variable_for_each_variable(tmp_path: Path) -> None:
    assert holds(tmp_path, "w", "v")


@pytest.mark.parametrize(("x", "y"), [("v", "v"), ("v + 1", "w"), ("v", "3"), ("v + w", "v + w")])
def test_the_variables_of_the_instance_are_apart(tmp_path: Path, x: str, y: str) -> None:
    assert holds(tmp_path, x, y)
    assert not holds(tmp_path, x, y, "Abstract!CanGo(7)")
    assert holds(tmp_path, x, y, "\\A n \\in {0, 1} : LET m == n + 1 IN Abstract!CanGo(n) /\\ ~ Abstract!CanGo(m + 6)")


def test_outside_of_the_instance_its_variables_are_what_stands_for_them(tmp_path: Path) -> None:
    assert not holds(tmp_path, "v", "v", "ENABLED Abstract!Step")
    assert holds(tmp_path, "w", "v", "ENABLED Abstract!Step")
