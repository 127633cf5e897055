"""A variable that only an operator reads which is passed to another is none that nothing depends on."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.audit.audit import Budget, audit
from rmqproof.model.audit.vacuity import NOTES, Kind, textual
from rmqproof.model.pluscal.translate import translate
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


ALGORITHM = """---- MODULE Forever ----
EXTENDS Naturals
(* --algorithm Forever
variables x = 0, y = 0;
process p \\in {1, 2} begin
  Go: while TRUE do
    either x := (x + 1) % 3; or x := 5; skip; end either;
  end while;
end process;
process q = 3 begin
  On: while TRUE do await x < 9; y := 1 - y; end while;
end process;
end algorithm *)
Low == x < 6 /\\ y < 2
====
"""


@pytest.mark.parametrize("written", [False, True])
def test_what_the_translation_of_an_algorithm_writes_is_nobodys_gap(written: bool, tmp_path: Path) -> None:
    """Where a step of a process with one label begins, `skip`, and the end of what does not end."""
    spec = tmp_path / "Forever.tla"
    spec.write_text(translate(ALGORITHM).text if written else ALGORITHM)
    spec.with_suffix(".cfg").write_text("SPECIFICATION Spec\nINVARIANT Low\n")
    (files,) = find_models([spec])
    found = [gap.sentence for gap in audit(files, Budget(workers=1)).gaps if gap.kind not in NOTES]
    assert found == ["`x < 9` in q may be left out: the reachable graph is the same."]
