"""Constants in the place of formulas about states: TLC knows their values beforehand, and refuses those that leave
nothing to check. Every exit status here is TLC's."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli import main

FACTS = """---- MODULE Facts ----
CONSTANT k
Never == 2 = 3
Three == k = 3
====
"""
RING = """---- MODULE Ring ----
EXTENDS Naturals
CONSTANT C, M
VARIABLE x
Init == x = 0
Next == x' = (x + 1) %% 3
Small == x < 3
Wrong == 1 = 2
Right == 1 = 1
Number == 3
Mixed == 1 = "a"
Again == Wrong
id(a) == a
RECURSIVE Turn(_)
Turn(b) == IF b THEN FALSE ELSE Turn(~b)
Safe == Init /\\ [][Next]_x
Inside == Wrong /\\ x = 0
F == INSTANCE Facts WITH k <- 1
G(k) == INSTANCE Facts
Given == %s
====
"""


def run(folder: Path, config: str, given: str = "TRUE") -> tuple[int, str]:
    (folder / "Facts.tla").write_text(FACTS)
    (folder / "Ring.tla").write_text(RING % given)
    (folder / "Ring.cfg").write_text(f"CONSTANT C = FALSE M = m\n{config}\n")
    result = CliRunner().invoke(main, ["check", str(folder / "Ring.tla")], env={"COLUMNS": "200"})
    return result.exit_code, result.output


@pytest.mark.parametrize(
    ("given", "cause"),
    [
        ("Wrong /\\ Safe", "because Wrong is FALSE"),
        ("Again /\\ Safe", "because Again is FALSE"),
        ("FALSE /\\ Safe", "the specification Given is trivially false\n"),
        ("C /\\ Safe", "because C is FALSE"),
        ("id(Wrong) /\\ Safe", "because Wrong is FALSE"),
        ("id(FALSE) /\\ Safe", "trivially false\n"),
        ("LET f == FALSE IN f /\\ Safe", "trivially false\n"),
        ("Safe /\\ Wrong", "because Wrong is FALSE"),
        ("Init /\\ (Wrong /\\ [][Next]_x)", "because Wrong is FALSE"),
        ("Wrong /\\ x = 0 /\\ [][Next]_x", "because Wrong is FALSE"),
        ("F!Never /\\ Safe", "is FALSE"),
        ("lab :: (Wrong /\\ Safe)", "because Wrong is FALSE"),
        ("Number /\\ Safe", "Number, a conjunct of the specification Given, is a constant, 3"),
        ("M /\\ Safe", "M, a conjunct of the specification Given, is a constant, m"),
        ("Wrong", "the specification Given is a constant"),
    ],
)
def test_specification_with_a_false_constant(tmp_path: Path, given: str, cause: str) -> None:
    status, output = run(tmp_path, "SPECIFICATION Given", given)
    assert (status, cause in output) == (151, True), output
    assert "Ring.tla:20:" in output


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ("1 = 2 /\\ Safe", 0),
        ("id(1 = 2) /\\ Safe", 0),
        ("LET f == 1 = 2 IN f /\\ Safe", 0),
        ("(1 = 2 /\\ Init) /\\ [][Next]_x", 0),
        ("Inside /\\ [][Next]_x", 0),
        ("Right /\\ Safe", 0),
        ("TRUE /\\ Safe", 0),
        ("G(1)!Three /\\ Safe", 0),  # what an instance with a parameter defines is no constant to TLC
        ("G(1)!Never /\\ Safe", 0),
        ("Safe /\\ (Wrong => <>(x = 7))", 0),
        ("Mixed /\\ Safe", 75),
    ],
)
def test_specification_that_is_explored(tmp_path: Path, given: str, status: int) -> None:
    assert run(tmp_path, "SPECIFICATION Given", given)[0] == status


@pytest.mark.parametrize(
    ("section", "given", "status"),
    [
        ("PROPERTY", "Wrong", 151),
        ("PROPERTY", "C", 151),
        ("PROPERTY", "Number", 151),
        ("PROPERTY", "Safe /\\ Wrong", 151),
        ("PROPERTY", "Inside", 151),
        ("PROPERTY", "Safe /\\ id(Wrong)", 151),
        ("PROPERTY", "Right", 0),
        ("PROPERTY", "Safe /\\ Right", 0),
        ("PROPERTY", "1 = 2 /\\ [](x < 9)", 13),
        ("PROPERTY", "[]Wrong", 12),
        ("INVARIANT", "Wrong", 151),
        ("INVARIANT", "C", 151),
        ("INVARIANT", "Number", 151),
        ("INVARIANT", "Turn(TRUE)", 151),
        ("INVARIANT", "Right", 0),
        ("INVARIANT", "Inside", 12),
        ("CONSTRAINT", "Wrong", 151),
        ("CONSTRAINT", "Number", 151),
        ("CONSTRAINT", "Right", 0),
        ("CONSTRAINT", "Mixed", 75),
        ("ACTION_CONSTRAINT", "Wrong", 151),
        ("ACTION_CONSTRAINT", "Right", 0),
    ],
)
def test_what_the_configuration_names(tmp_path: Path, section: str, given: str, status: int) -> None:
    found, output = run(tmp_path, f"SPECIFICATION Safe\n{section} Given", given)
    assert found == status, output
    if status == 151:
        whole = "/\\" not in given and given != "Inside"
        assert ("Ring.cfg:3:" in output) if whole else ("trivially false" in output), output


def test_declared_constant_as_an_invariant(tmp_path: Path) -> None:
    status, output = run(tmp_path, "SPECIFICATION Safe\nINVARIANT C")
    assert (status, "the invariant C is a constant, FALSE" in output) == (151, True), output


@pytest.mark.parametrize("given", ["Wrong", "Right"])
def test_initial_predicate_without_states(tmp_path: Path, given: str) -> None:
    status, output = run(tmp_path, "INIT Given NEXT Next", given)
    assert (status, "the initial predicate Given is a constant" in output) == (151, True), output


LEVEL = """---- MODULE Level ----
EXTENDS Naturals, TLC
CONSTANT C
VARIABLE x
Now == TLCGet("level")
Many == TLCGet("distinct")
Twice == LET two == Many IN two + two
Init == x = 0
Next == x' = (x + 1) % 3
Early == Now \\in 1..4
====
"""


@pytest.mark.parametrize(
    ("config", "status", "message"),
    [
        ("C = 1 CONSTRAINT Early", 0, ""),
        ("C = 1 INVARIANT Early", 0, ""),
        ("C <- Now", 0, ""),
        ("C <- Many", 151, "C is a constant, and Many asks how far the search is"),
        ("C <- Twice", 151, "C is a constant, and Twice asks how far the search is"),
    ],
)
def test_what_asks_the_search_is_no_constant(tmp_path: Path, config: str, status: int, message: str) -> None:
    (tmp_path / "Level.tla").write_text(LEVEL)
    (tmp_path / "Level.cfg").write_text(f"INIT Init NEXT Next CONSTANT {config}\n")
    result = CliRunner().invoke(main, ["check", str(tmp_path / "Level.tla")], env={"COLUMNS": "200"})
    assert result.exit_code == status
    assert message in result.output


@pytest.mark.parametrize(("mapped", "status"), [("4", 13), ("5", 0), ("x * 0", 13), ("x * 0 + 5", 0)])
def test_a_conjunct_of_an_instance_is_as_its_module_has_it(tmp_path: Path, mapped: str, status: int) -> None:
    """A constant in the place of a variable: TLC finds the violation of an initial state, and refuses nothing."""
    (tmp_path / "Mapped.tla").write_text(
        "---- MODULE Mapped ----\nVARIABLE u\nBegin == u \\in {5}\nSafe == Begin /\\ [][u' = u]_u\n====\n"
    )
    (tmp_path / "Maps.tla").write_text(
        "---- MODULE Maps ----\nEXTENDS Integers\nVARIABLE x\nInit == x \\in 0..1\nNext == x' = 1 - x\n"
        f"I == INSTANCE Mapped WITH u <- {mapped}\nRefines == I!Safe\nBegin == I!Begin\n====\n"
    )
    config = tmp_path / "Maps.cfg"
    for named, expected in (("Refines", status), ("Begin", 151 if mapped == "4" else status)):
        config.write_text(f"INIT Init\nNEXT Next\nPROPERTY {named}\n")
        result = CliRunner().invoke(main, ["check", str(config), "--engine", "python"])
        assert result.exit_code == expected, result.output
