"""Names of parts of definitions."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.tla import core

from .core_text import text
from .specs import refused, resolve

MODULE = """
EXTENDS Naturals
VARIABLES x, y
Inv == /\\ x = 1
       /\\ (x = 2 => y = 3)
       /\\ deep:: (x = 4 \\/ inner:: y = 5)
P(a) == \\A k \\in 1..a, l \\in 1..2 : at(k, l):: (x = k + a)
Choice(a) == IF a = 1 THEN x ELSE LET z == y + a IN z * 2
THEOREM Thm == Inv => P(3)
"""


@pytest.mark.parametrize(
    ("expression", "arguments", "body"),
    [
        ("Inv!1", "Inv!1", "(= %x 1)"),
        ("Inv!2!1", "Inv!2!1", "(= %x 2)"),
        ("Inv!2!>>", "Inv!2!>>", "(= %y 3)"),
        ("Inv!2!<<", "Inv!2!<<", "(= %x 2)"),
        ("Inv!deep", "Inv!deep", "(\\/ (= %x 4) [Label inner <> (= %y 5)])"),
        ("Inv!deep!inner", "Inv!deep!inner", "(= %y 5)"),
        ("Thm!:", "Thm!:", "(=> Inv P(3))"),
        ("P(7)!1", "P!1(7)", "(.. 1 a)"),
        ("P(7)!(8, 9)", "P!()(7, 8, 9)", "[Label at <k, l> (= %x (+ k a))]"),
        ("P(7)!at(8, 9)!2", "P!at!2(7, 8, 9)", "(+ k a)"),
        ("Choice(7)!3!1!1", "Choice!3!1!1(7)", "[Let <z == (+ %y a)> z]"),
    ],
)
def test_parts(tmp_path: Path, expression: str, arguments: str, body: str) -> None:
    spec = resolve(tmp_path, M=f"{MODULE}X == {expression}")
    found = spec.definitions["X"].body
    assert text(found) == arguments
    assert isinstance(found, core.Call)
    assert text(found.definition.body) == body


def test_through_an_instance(tmp_path: Path) -> None:
    spec = resolve(tmp_path, M=MODULE, N="VARIABLE v\nI == INSTANCE M WITH x <- v, y <- {}\nX == I!Inv!1")
    found = spec.definitions["X"].body
    assert isinstance(found, core.Call) and text(found.definition.body) == "(= %v 1)"


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("Inv!4", "Inv has no such part: this has 3 parts, so there is no !4"),
        ("Inv!nothing", "Inv has no such part: there is no label nothing"),
        ("P(7)!(1)", "P has no such part: 2 names are bound here"),
        ("P(7)!at(8)", "P has no such part: label at has 2 parameters"),
        ("P!1", "P!1 takes 1 argument"),
        ("x!1", "x is not the name of an instance, nor of a definition"),
    ],
)
def test_errors(tmp_path: Path, expression: str, message: str) -> None:
    error = refused(tmp_path, M=f"{MODULE}X == {expression}")
    assert error.message.startswith(message), error
