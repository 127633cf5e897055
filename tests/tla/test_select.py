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
Locals(a) == \\A k \\in 1..a : at(k):: LET Add(b) == b + k IN Add(a) = deep:: (k * a)
Sum[n \\in 0..9] == IF n = 0 THEN 0 ELSE n + Sum[n - 1]
Old == [Sum EXCEPT ![1] = @ + 1]
Arms == CASE x = 1 -> 10 [] OTHER -> 20
Pair(A(_, _), a) == A(a, a)
THEOREM Fresh == ASSUME x = 1, NEW z, z = 2 PROVE z > 1
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
        ("Locals(7)!(8)!Add(9)", "Locals!()!Add(7, 8, 9)", "[Let <Add(b) == (+ b k)> (+ b k)]"),
        ("Locals(7)!at(8)!:!Add(9)!2", "Locals!at!:!Add!2(7, 8, 9)", "[Let <Add(b) == (+ b k)> k]"),
        ("Locals(7)!at(8)!deep!1", "Locals!at!deep!1(7, 8)", "[Let <Add(b) == (+ b k)> k]"),
        ("Sum!(4)!3!2", "Sum!()!3!2(4)", "[FunctionApplication Sum (- n 1)]"),
        ("Old!1", "Old!1", "Sum"),
        ("Arms!1!1", "Arms!1!1", "(= %x 1)"),
        ("Arms!2!2", "Arms!2!2", "20"),
        ("Fresh!1!>>", "Fresh!1!>>", "1"),
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
        ("P(7)!@", "P has no such part: 2 names are bound here"),
        ("P(7)!(1, 2)!at(1, 2)", "P has no such part: !at stands where only an operator of a LET has a name"),
        ("Inv!:!2", "Inv has no such part: !: stands at the end, or before"),
        ("Inv!1!:", "Inv has no such part: !: follows only a name"),
        ("Inv!>>", "Inv has no such part: !>> is the second of two parts, and this has 3"),
        ("Inv!1!2!1", "Inv has no such part: this has no parts, so there is no !1"),
        ("Locals(7)!at(8)!Add(9)", "Locals has no such part: there is no label Add; the operator of the LET is !:!Add"),
        ("Locals(7)!(8)!Add", "Locals has no such part: Add has 1 parameters"),
        ("Locals(7)!(8)!Sub(9)", "Locals has no such part: this LET defines no Sub"),
        ("Old!2", "Old has no such part: this has 1 part, so there is no !2"),
        ("Arms!2", "Arms has no such part: the parts of a CASE have names of two steps"),
        ("Arms!2!1", "Arms has no such part: OTHER is no expression"),
        ("Fresh!2", "Fresh has no such part: this has 1 part, so there is no !2"),
        ("Pair(P!(1, 2), 3)", "Pair wants an operator with 2 parameters here, not an expression"),
        ("Pair(P(1)!at!1, 3)", "an operator is wanted here, and P has arguments"),
        ("Pair(Locals!at(1)!1, 3)", "Locals has no such part: an operator is wanted here"),
        ("Pair(Choice!1, 3)", "Pair wants an operator with 2 parameters, and Choice!1 takes 1 argument"),
        ("P(7)!at(8)", "P has no such part: label at has 2 parameters"),
        ("P!1", "P!1 takes 1 argument"),
        ("x!1", "x is not the name of an instance, nor of a definition"),
    ],
)
def test_errors(tmp_path: Path, expression: str, message: str) -> None:
    error = refused(tmp_path, M=f"{MODULE}X == {expression}")
    assert error.message.startswith(message), error


@pytest.mark.parametrize(
    ("unit", "message"),
    [
        ("ASSUME here:: TRUE", "label here names a part of something that has no name itself"),
        ("THEOREM TRUE /\\ here:: TRUE", "label here names a part of something that has no name itself"),
        ("Z == [Sum EXCEPT ![1] = here:: 0]", "label here stands in an update of EXCEPT"),
        ("Z == {here:: 0, here:: 1}", "there are two labels here side by side"),
        ("Z == LET a == {here:: 0, here:: 1} IN a", "there are two labels here side by side"),
    ],
)
def test_where_labels_cannot_stand(tmp_path: Path, unit: str, message: str) -> None:
    assert refused(tmp_path, M=f"{MODULE}{unit}").message.startswith(message)


def test_labels_of_one_name_in_different_places(tmp_path: Path) -> None:
    units = "ASSUME Named == here:: TRUE\nZ == {here:: {here:: 0}, LET a == here:: 1 IN a}"
    resolve(tmp_path, M=f"{MODULE}{units}")
