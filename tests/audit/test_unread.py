"""A variable that only an operator reads which is passed to another is none that nothing depends on."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.audit.audit import Budget, audit
from rmqproof.model.audit.vacuity import Kind, textual
from rmqproof.model.tla.model import load_model
from rmqproof.model.tla.model_files import find_models

SPEC = """---- MODULE Passed ----
EXTENDS Naturals
VARIABLES x, mode
Holds(F(_)) == F(0)
Allowed(i) == GUARD
Init == x = 0 /\\ mode = 0
Next == Holds(Allowed) /\\ x' = 1 - x /\\ UNCHANGED mode
Small == x < 2
====
"""


@pytest.mark.parametrize(("guard", "unread"), [("mode = i", []), ("x >= i", ["mode"])])
def test_what_a_passed_operator_reads(tmp_path: Path, guard: str, unread: list[str]) -> None:
    spec, config = tmp_path / "Passed.tla", tmp_path / "Passed.cfg"
    spec.write_text(SPEC.replace("GUARD", guard))
    config.write_text("INIT Init\nNEXT Next\nINVARIANT Small\n")
    gaps = textual(load_model(spec, config))
    assert [gap.subject for gap in gaps if gap.kind is Kind.VARIABLE] == unread


SUBSCRIPT = """---- MODULE Subscript ----
EXTENDS Naturals
VARIABLES x, ghost
Init == x = 0 /\\ ghost = 0
Next == x < 3 /\\ x' = x + 1 /\\ ghost' = ghost + 1
Grows == [][PROPERTY]_<<x, ghost>>
====
"""


@pytest.mark.parametrize(("formula", "unread"), [("x' >= x", ["ghost"]), ("x' > x", []), ("ghost' > x", [])])
def test_what_a_subscript_says(tmp_path: Path, formula: str, unread: list[str]) -> None:
    """Nothing, where the action is true of steps that change nothing of it."""
    spec = tmp_path / "Subscript.tla"
    spec.write_text(SUBSCRIPT.replace("PROPERTY", formula))
    spec.with_suffix(".cfg").write_text("INIT Init\nNEXT Next\nPROPERTY Grows\nCHECK_DEADLOCK FALSE\n")
    (files,) = find_models([spec])
    found = audit(files, Budget(mutants=0))
    assert [gap.subject for gap in found.gaps if gap.kind is Kind.VARIABLE] == unread
