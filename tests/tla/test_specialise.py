"""Operators passed as arguments that look behind the values of what they are applied to."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.tla.by_name import ByName

from .core_text import text
from .specs import refused, resolve

MODULE = """
EXTENDS Naturals
VARIABLE x
Of(F(_), e) == F(e)
Through(F(_), e) == Of(F, e + 1)
Later(e) == e'
Double(e) == e + e
"""


@pytest.mark.parametrize(
    ("expression", "body"),
    [
        ("Of(Double, x)", "Of(@Double, %x)"),
        ("Of(LAMBDA e : e + x', x)", "Of((\\ e . (+ e (' %x))), %x)"),
        ("Of(UNCHANGED, x)", "[Let <Of(e) == (UNCHANGED e)> Of(%x)]"),
        ("Of(Later, x)", "[Let <Of(e) == Later(e)> Of(%x)]"),
        ("Through(', x)", "[Let <Through(e) == [Let <Of(e) == (' e)> Of((+ e 1))]> Through(%x)]"),
        ("LET Mine(e) == e' IN Of(Mine, x)", "[Let <Mine(e) == (' e)> [Let <Of(e) == Mine(e)> Of(%x)]]"),
    ],
)
def test_they_reach_it_as_an_expression(tmp_path: Path, expression: str, body: str) -> None:
    spec = resolve(tmp_path, M=f"{MODULE}X == {expression}")
    assert text(spec.definitions["X"].body) == body


def test_a_recursive_operator_gets_one_copy(tmp_path: Path) -> None:
    recursive = "RECURSIVE All(_, _)\nAll(F(_), n) == IF n = 0 THEN TRUE ELSE F(x) /\\ All(F, n - 1)\n"
    spec = resolve(tmp_path, M=f"{MODULE}{recursive}X == All(UNCHANGED, 2)")
    assert text(spec.definitions["X"].body) == (
        "[Let <All(n) == [If (= n 0) True (/\\ (UNCHANGED %x) All((- n 1)))]> All(2)]"
    )


def test_operators_made_of_operators_without_end(tmp_path: Path) -> None:
    recursive = "RECURSIVE More(_, _)\nMore(F(_), n) == IF n = 0 THEN F(x) ELSE More(LAMBDA e : F(e), n - 1)\n"
    error = refused(tmp_path, M=f"{MODULE}{recursive}X == More(UNCHANGED, 2)")
    assert error.message == "More passes on operators without end, each made of the one before"


BY_NAME = """
EXTENDS Naturals
VARIABLE x
Later(e) == e'
Of(F(_), e) == F(e)
None(e) == 1
"""


@pytest.mark.parametrize(
    ("operator", "places"),
    [
        ("X(a, b) == a' + b", {0}),
        ("X(a, b) == a + ENABLED b", {1}),
        ("X(a, b) == [a]_b", {0, 1}),
        ("X(a, b) == Later(a + None(b))", {0}),
        ("X(a, b) == None(a)' + b", set()),
        ("X(a, b) == Of(Later, b) + a", {1}),
        ("X(a, b) == Of(LAMBDA e : a' + e, b)", {0}),
        ("X(a, b) == LET Put(e) == a' = e IN Of(Put, b)", {0}),
        ("X(a, b) == LET Put(e) == Later(e) IN LET Do(F(_)) == F(b) IN Do(Put)", {1}),
        ("X(a, b) == Of(LAMBDA e : Of(LAMBDA f : Later(f), e), b)", {1}),
        ("RECURSIVE X(_, _)\nX(a, b) == IF a THEN ENABLED b ELSE X(b, a)", {0, 1}),
    ],
)
def test_parameters_that_are_passed_as_expressions(tmp_path: Path, operator: str, places: set[int]) -> None:
    spec = resolve(tmp_path, M=f"{BY_NAME}{operator}")
    assert ByName().parameters(spec.definitions["X"]) == places
