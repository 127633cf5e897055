"""Configurations: every section, values, comments, and what is wrong with them."""

from __future__ import annotations

import pytest

from rmqproof.model.tla.config import Config, parse_config
from rmqproof.model.tla.source import Source, TlaError

from .core_text import text


def read(content: str) -> Config:
    return parse_config(Source("M.cfg", content))


def test_sections() -> None:
    config = read(
        """
SPECIFICATION Spec
INVARIANTS TypeOK Safe
INVARIANT Third TypeOK
PROPERTY Live
PROPERTIES Other
CONSTRAINT Small
ACTION_CONSTRAINTS Slow
SYMMETRY Perms VIEW view
ALIAS Shown POSTCONDITION Done
CHECK_DEADLOCK FALSE
"""
    )
    assert {section: name.text for section, name in config.single.items()} == {
        "SPECIFICATION": "Spec",
        "SYMMETRY": "Perms",
        "VIEW": "view",
        "ALIAS": "Shown",
    }
    assert {section: [name.text for name in names] for section, names in config.lists.items()} == {
        "INVARIANTS": ["TypeOK", "Safe", "Third"],
        "PROPERTIES": ["Live", "Other"],
        "CONSTRAINTS": ["Small"],
        "ACTION_CONSTRAINTS": ["Slow"],
        "POSTCONDITIONS": ["Done"],
    }
    assert config.check_deadlock is False


def test_values() -> None:
    config = read(
        """CONSTANTS
  N = 5   Low = -3
  S = {a, {"x", TRUE}, {}}
  a = a
  CONSTANT F(1, b) = 2 F(2, b) = FALSE
  Op <- Other  I!Op <- Another
  Nat <- [Inner] Few
  K = [Inner] 9 1st = 1st
"""
    )
    assert [
        (a.name.text, text(a.arguments), text(a.value), a.module and a.module.text) for a in config.assignments
    ] == [
        ("N", "<>", "5", None),
        ("Low", "<>", "-3", None),
        ("S", "<>", "[SetEnumeration <`a`, [SetEnumeration <'x', True>], [SetEnumeration <>]>]", None),
        ("a", "<>", "`a`", None),
        ("F", "<1, `b`>", "2", None),
        ("F", "<2, `b`>", "False", None),
        ("K", "<>", "9", "Inner"),
        ("1st", "<>", "`1st`", None),
    ]
    assert [(r.name.text, r.by.text, r.module and r.module.text) for r in config.replacements] == [
        ("Op", "Other", None),
        ("I!Op", "Another", None),
        ("Nat", "Few", "Inner"),
    ]
    assert config.model_values == ["a", "b", "1st"]


def test_comments() -> None:
    config = read(
        """\\* Two nodes,
\\* one value.
\\* EXPECT success depth 3 distinct 4
\\* GROUP large

(* Not the (* nested *) description. *)
CONSTANT S = "not a \\\\* comment" \\* but this
INIT Init NEXT Next
"""
    )
    assert config.description == "Two nodes, one value."
    assert config.expectation == "success depth 3 distinct 4"
    assert text(config.assignments[0].value) == repr("not a \\* comment")


@pytest.mark.parametrize(
    ("content", "message", "place", "remedy"),
    [
        ("INVARIENT Inv", "INVARIENT is not a section of a configuration", (1, 1), "Did you mean INVARIANT?"),
        ("INIT A\nINIT B", "INIT is given twice", (2, 6), "delete the other"),
        ("CONSTANTS\n  N 5", "did not expect 5 here", (2, 5), ""),
        ("CONSTANTS N = ", "the configuration ends in the middle of a section", (1, 14), ""),
        ("CONSTANTS N = {1, 2", "the configuration ends in the middle of a section", (1, 20), ""),
        ("CONSTANTS N = {1 2}", "did not expect 2 here", (1, 18), "Expected , or }"),
        ("CONSTANTS N = 1, M = 2", "did not expect ',' here", (1, 16), ""),
        ("CHECK_DEADLOCK no", "did not expect no here", (1, 16), ""),
        ("CHECK_DEADLOCK TRUE\nCHECK_DEADLOCK TRUE", "CHECK_DEADLOCK is given twice", (2, 1), ""),
        ("SPECIFICATION", "the configuration ends in the middle of a section", (1, 14), ""),
        ("(* open", "this comment has no end", (1, 1), ""),
        ("INIT A *)", "there is no comment to end here", (1, 8), ""),
        ("F(1) <- G", "F is not a section of a configuration", (1, 1), ""),
        ("CONSTANT F(1) <- G", "F is replaced as a whole", (1, 10), "F <- Operator"),
        ("_RL_REWARD P", "_RL_REWARD is not supported", (1, 1), ""),
        ("CONSTANT N = @", "did not expect '@' here", (1, 14), "a name or a number or a string"),
    ],
)
def test_errors(content: str, message: str, place: tuple[int, int], remedy: str) -> None:
    with pytest.raises(TlaError) as caught:
        read(content)
    error = caught.value
    assert error.kind == "config"
    assert error.message == message
    assert error.at is not None and (error.at.line, error.at.column) == place
    assert remedy in error.remedy
