"""UNCHANGED, [A]_v and <<A>>_v compare as `=` does: an error where the next value is of another kind.

Each is a next-state relation and a property; what is expected is what TLC said.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.at_length import every
from tests.evaluate import asked
from tools.fuzz.reference import NotCovered

SPEC = """---- MODULE K ----
EXTENDS Integers, Sequences
VARIABLES x
Init == x = 1
Next == NEXT
Prop == PROPERTY
====
"""
ERRORS = (
    r"""x' = "a" /\ UNCHANGED x | TRUE""",
    r"""x' = <<"a", 1>> /\ UNCHANGED <<x>> | TRUE""",
    r"""x' = "a" | [][FALSE]_x""",
    r"""x' = "a" | [][x' = 2]_x""",
    r"""x' = "a" | [][x = 2]_x""",
    r"""x' = <<x>> | [][x = 1]_<<x>>""",
    r"""x' = "a" | [][~ UNCHANGED x]_x""",
    r"""x' = "a" | [](x = 1 => <><<x' = x>>_x)""",
    r"""x' = "a" | []<><<TRUE>>_x""",
    r"""x' = "a" | <>[][FALSE]_x""",
    r"""x' = "a" | [][ENABLED <<x' = 1>>_x]_x""",
    r"""x' = IF x = 1 THEN <<1>> ELSE x | [][FALSE]_x""",
)
HOLD = (
    r"""x' = x | [][~ UNCHANGED x]_x""",
    r"""x' = IF x = 1 THEN 2 ELSE x | <>[][FALSE]_x""",
    r"""x' = 2 | [][TRUE]_x""",
)


def verdict(engine: str, given: str, folder: Path) -> str:
    following, wanted = given.split(" | ")
    text = SPEC.replace("NEXT", following).replace("PROPERTY", wanted)
    return asked.verdict(engine, text, "INIT Init\nNEXT Next\nPROPERTY Prop\nCHECK_DEADLOCK FALSE\n", folder)


@pytest.mark.parametrize("given", (*ERRORS, *HOLD))
def test_two_kinds_are_not_compared(given: str, tmp_path: Path) -> None:
    expected = "success" if given in HOLD else "error"
    assert verdict("python", given, tmp_path) == expected
    try:
        assert verdict("reference", given, tmp_path) == expected
    except NotCovered:
        assert "<>" in given  # liveness


@pytest.mark.parametrize("given", every(3, (*ERRORS, *HOLD)))
def test_machine_code_says_the_same(given: str, tmp_path: Path) -> None:
    assert verdict("native", given, tmp_path) == ("success" if given in HOLD else "error")
