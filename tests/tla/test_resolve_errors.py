"""What is wrong with a specification, where, and what to do about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from .specs import refused, resolve

CASES: list[tuple[str, str, str]] = [
    # module body, message, part of the remedy
    ("Counter == 1\nX == Countre", "Countre is not known here", "Did you mean Counter?"),
    ("X == Len(<<>>)", "Len is not known here", "EXTENDS Sequences"),
    ("X == true", "true is not known here", "written TRUE"),
    ("X == TRUE && FALSE", "&& is not known here", "written /\\"),
    ("X == null", "null is not known here", "CONSTANT null"),
    ("VARIABLE f\nX == f(1)", "f takes no arguments in parentheses", "f[...]. It is defined at"),
    ("X == Y\nY == 1", "Y is used before its definition in line 3", "RECURSIVE Y"),
    ("F(n) == F(n)", "F is used in its own definition", "RECURSIVE F(_)"),
    ("F(a, b) == a\nX == F(1)", "F takes 2 arguments, not 1 argument", "defined at"),
    ("F(a, b) == a\nX == F", "F takes 2 arguments, but has none here", "apply it, F(..., ...)"),
    ("F(a) == a\nX == F({F})", "F takes 1 argument, but has none here", "An operator is not a value"),
    ("M(G(_), x) == G(x)\nX == M(1, 2)", "M wants an operator with 1 parameter here, not an expression", "LAMBDA"),
    ("M(G(_)) == G(1)\nP(a, b) == a\nX == M(P)", "M wants an operator with 1 parameter, and P takes 2 arguments", ""),
    ("M(G(_)) == G(1)\nX == M(LAMBDA a, b : a)", "M wants an operator with 1 parameter, and this LAMBDA has 2", ""),
    ("X == 1\nX == 2", "X is already defined at", "another name"),
    ("VARIABLE x\nP == \\E x \\in {1} : TRUE", "x already has a meaning at", "names do not hide names"),
    ("X == 1\nF(X) == X", "X already has a meaning at", ""),
    ("F(a, a) == a", "a is bound twice here", ""),
    ("X == LET y == 1 IN \\A y \\in {1} : TRUE", "y already has a meaning at", ""),
    ("EXTENDS Naturals\nNat == 1", "Nat is already defined", "Nat <- ..."),
    ("VARIABLE x\nCONSTANT x", "x is already declared as a variable at", ""),
    ("TRUE == 1", "TRUE is part of the language", ""),
    ("CONSTANTS A, TRUE", "TRUE is part of the language", ""),
    ("VARIABLE STRING", "STRING is part of the language", ""),
    ("RECURSIVE F(_)\nG == F(1)", "F is declared RECURSIVE but never defined", ""),
    ("RECURSIVE F(_)\nF(a, b) == a", "F is declared RECURSIVE with 1 parameter and defined with 2 parameters", ""),
    ("X == LET RECURSIVE f(_) IN 1", "f is declared RECURSIVE but never defined in this LET", ""),
    ("X == [a |-> 1, a |-> 2]", "field a is given twice", ""),
    ("X == @", "@ has a meaning only in an update of EXCEPT", ""),
    ("f[x \\in {1}, y \\in {2}] == x\nX == f[1, 2, 3]", "function f takes 2 arguments, not 3 arguments", ""),
    ("X == 1.5", "1.5 is not an integer", ""),
    ("P == 1\nX == P!Q", "P has no such part: there is no label Q", ""),
    ("X == Missing!Op", "Missing is not known here", ""),
    ("INSTANCE Nowhere", "there is no module Nowhere", "Searched for Nowhere.tla"),
    ("EXTENDS Sequenzes", "there is no module Sequenzes", "Did you mean Sequences"),
    ("I == INSTANCE Naturals\nX == I", "I is the name of an instance", "I!Op"),
    ("I == INSTANCE Naturals\nX == I!Natt", "module Naturals defines no Natt", "Did you mean Nat?"),
    ("RECURSIVE F(_)\nCONSTANT C\nF(x) == x", "between RECURSIVE F and its definition", ""),
    ("X == \\A x \\in {1} : lab:: x = 1", "the parameters of label lab must be the names", "Write lab(x)::"),
    ("X == \\A x \\in {1} : lab(x, x):: x = 1", "the parameters of label lab must be the names", "Write lab(x)::"),
    ("F(a) == lab(a):: a = 1", "the parameters of label lab must be the names", "Write lab::"),
    ("f[x \\in {1}] == lab:: 0", "the parameters of label lab must be the names", "Write lab(x)::"),
    (
        "I(n) == INSTANCE Naturals\nM(G(_, _)) == G(1, 2)\nX == M(I(1)!+)",
        "an operator that is passed to M cannot name an instance with arguments",
        "LAMBDA",
    ),
    ("THEOREM T == ASSUME NEW x PROVE x = x\nX == T", "T is an ASSUME ... PROVE", ""),
]


@pytest.mark.parametrize(("text", "message", "remedy"), CASES, ids=[case[1][:40] for case in CASES])
def test_messages(tmp_path: Path, text: str, message: str, remedy: str) -> None:
    error = refused(tmp_path, M=text)
    assert error.kind == "parse"
    assert error.message.startswith(message), error
    assert remedy in error.remedy, error
    assert error.at is not None


def test_the_place_is_that_of_the_name(tmp_path: Path) -> None:
    error = refused(tmp_path, M="F(a) == a\nX == {1,\n  F(unknown)}")
    assert error.at is not None
    assert (error.at.line, error.at.column, error.at.end_column) == (4, 5, 12)


def test_several_at_once(tmp_path: Path) -> None:
    error = refused(tmp_path, M="\n".join(f"X{n} == unknown{n}" for n in range(14)))
    lines = error.remedy.split("\n")
    assert error.message == "unknown0 is not known here"
    assert "13 more:" in lines[1]
    assert lines[2].strip().endswith("unknown1 is not known here") and ":3:" in lines[2]
    assert lines[-1].strip() == "..." and len(lines) == 12


def test_errors_of_a_module_that_is_only_instantiated(tmp_path: Path) -> None:
    error = refused(tmp_path, A="VARIABLE v\nNever == v + 1", B="VARIABLE v\nI == INSTANCE A\nX == 1")
    assert error.message == "+ is not known here"
    assert error.at is not None and error.at.source.name.endswith("A.tla")


def test_circles(tmp_path: Path) -> None:
    error = refused(tmp_path, A="EXTENDS B", B="INSTANCE C", C="EXTENDS A")
    assert error.message == "modules depend on each other in a circle: C -> A -> B -> C"


def test_a_name_declared_and_defined_through_extends(tmp_path: Path) -> None:
    error = refused(tmp_path, A="CONSTANT N", B="N == 1", C="EXTENDS A, B")
    assert error.message.startswith("N is defined in module B and declared as a constant in another module")


def test_two_definitions_through_extends_keep_the_first(tmp_path: Path) -> None:
    # SANY warns and goes on
    spec = resolve(tmp_path, A="N == 1", B="N == 2", C="EXTENDS A, B\nX == N")
    assert spec.definitions["N"].module == "A"


def test_the_module_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "Right.tla").write_text("---- MODULE Wrong ----\n====\n")
    error = refused(tmp_path, M="EXTENDS Right")
    assert "should hold module Right" in error.message


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "Bad.tla").write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8" in refused(tmp_path, M="EXTENDS Bad").message


@pytest.mark.parametrize(
    "use",
    [
        "I(z) == INSTANCE Inner WITH c <- {}",
        "I == INSTANCE Inner WITH c <- {}",
        "Op(k) == LET J == INSTANCE Inner WITH c <- {} IN J!F + k",
        "Op(k) == LET J(q) == INSTANCE Inner WITH c <- {} IN J(1)!F + k",
    ],
)
def test_what_an_instance_is_given_is_read_though_nothing_uses_it(tmp_path: Path, use: str) -> None:
    inner = "CONSTANT c\nF == 1"
    for given, wrong in (("nope", "nope is not known here"), ("[y \\in {1} |-> {y \\in {2} : TRUE}]", "already has a")):
        text = "EXTENDS Integers\n" + use.replace("{}", given)
        assert wrong in str(refused(tmp_path, Inner=inner, Outer=text))
    resolve(tmp_path, Inner=inner, Outer="EXTENDS Integers\n" + use.replace("{}", "[y \\in {1} |-> 2]"))
