"""A variable that only an operator reads which is passed to another is none that nothing depends on."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.audit.vacuity import Kind, textual
from rmqproof.model.tla.model import load_model

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
