"""What names mean: scopes, EXTENDS, LET, recursion, operators as arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.tla import core

from .core_text import text
from .specs import refused, resolve


def body(spec: core.Specification, name: str) -> str:
    return text(spec.definitions[name].body)


def test_declarations_and_definitions(tmp_path: Path) -> None:
    spec = resolve(
        tmp_path,
        M="EXTENDS Naturals\nCONSTANTS N, F(_)\nVARIABLES x, y\nAdd(a, b) == a + b\n"
        "Next == x' = Add(x, N) /\\ UNCHANGED y",
    )
    assert [constant.name for constant in spec.constants] == ["N", "F"]
    assert [(variable.name, variable.index) for variable in spec.variables] == [("x", 0), ("y", 1)]
    assert body(spec, "Add") == "(+ a b)"
    assert body(spec, "Next") == "(/\\ (= (' %x) Add(%x, $N)) (UNCHANGED %y))"


def test_bound_names(tmp_path: Path) -> None:
    spec = resolve(
        tmp_path,
        M="""
A(S) == \\A x, y \\in S, <<u, v>> \\in S \\X S : x = u
B(S) == {x \\in S : x # {}}
C(S) == {<<x, y>> : x, y \\in S}
D(S) == CHOOSE <<x, y>> \\in S : x = y
E(f) == [f EXCEPT ![1].a = @, ![2, 3] = [f EXCEPT ![4] = @]]""",
    )
    a = spec.definitions["A"].body
    assert isinstance(a, core.Quantified)
    first, second, third = a.binders
    assert first.domain is second.domain  # one set, written once
    assert third.is_tuple and [b.name for b in third.bindings] == ["u", "v"]
    assert isinstance(a.body, core.Builtin)
    left, right = a.body.arguments
    assert isinstance(left, core.Reference) and left.binding is first.bindings[0]
    assert isinstance(right, core.Reference) and right.binding is third.bindings[0]
    d = spec.definitions["D"].body
    assert isinstance(d, core.Choose) and d.binder.is_tuple
    e = spec.definitions["E"].body
    assert isinstance(e, core.Except)
    assert text(e.updates[0].path) == "<1, 'a'>"
    assert isinstance(e.updates[0].value, core.Reference) and e.updates[0].value.binding is e.updates[0].old
    inner = e.updates[1].value
    assert isinstance(inner, core.Except) and isinstance(inner.updates[0].value, core.Reference)
    assert inner.updates[0].value.binding is inner.updates[0].old


def test_extends_shares_what_comes_twice(tmp_path: Path) -> None:
    spec = resolve(
        tmp_path,
        Base="CONSTANT N\nTwice == N",
        Left="EXTENDS Base\nL == Twice",
        Right="EXTENDS Base\nR == Twice",
        Top="EXTENDS Left, Right\nBoth == <<L, R, N>>",
    )
    assert list(spec.definitions) == ["Twice", "L", "R", "Both"]
    assert len(spec.constants) == 1
    left, right = spec.definitions["L"].body, spec.definitions["R"].body
    assert isinstance(left, core.Call) and isinstance(right, core.Call)
    assert left.definition is right.definition is spec.definitions["Twice"]


def test_local_stays_inside(tmp_path: Path) -> None:
    error = refused(tmp_path, A="LOCAL Hidden == 1\nShown == Hidden", B="EXTENDS A\nX == Shown\nY == Hidden")
    assert error.message == "Hidden is not known here"


def test_let_and_recursion(tmp_path: Path) -> None:
    spec = resolve(
        tmp_path,
        M="""
EXTENDS Integers
RECURSIVE Even(_), Odd(_)
Even(n) == n = 0 \\/ Odd(n - 1)
Odd(n) == n # 0 /\\ Even(n - 1)
Plain(n) == Even(n)
Sum(S) == LET RECURSIVE sum(_)
              sum(T) == IF T = {} THEN 0 ELSE LET x == CHOOSE y \\in T : TRUE IN x + sum(T \\ {x})
              double == 2 * sum(S)
          IN double
fact[n \\in 0..5] == IF n = 0 THEN 1 ELSE n * fact[n - 1]
once[n \\in 0..5] == n
""",
    )
    assert [name for name, d in spec.definitions.items() if d.recursive] == ["Even", "Odd"]
    sum_body = spec.definitions["Sum"].body
    assert isinstance(sum_body, core.Let)
    assert [(d.name, d.recursive) for d in sum_body.definitions] == [("sum", True), ("double", False)]
    fact, once = spec.definitions["fact"].body, spec.definitions["once"].body
    assert isinstance(fact, core.FunctionConstructor) and fact.recursion is not None
    assert isinstance(once, core.FunctionConstructor) and once.recursion is None
    assert "[FunctionApplication fact (- n 1)]" in text(fact.body)


def test_operators_as_arguments(tmp_path: Path) -> None:
    spec = resolve(
        tmp_path,
        M="""
EXTENDS Naturals
Map(F(_), S) == {F(x) : x \\in S}
Fold(G(_, _), a, b) == G(a, b)
Inc(n) == n + 1
A == Map(Inc, {1})
B == Fold(+, 1, 2)
C == Map(LAMBDA k : k * 2, {1})
D(H(_)) == Map(H, {1})
E == Fold(=, 1, 2)""",
    )
    assert body(spec, "Map") == "[SetMap F(x) <x in S>]"
    assert body(spec, "A") == "Map(@Inc, [SetEnumeration <1>])"
    assert body(spec, "B") == "Fold((\\ _1 _2 . (+ _1 _2)), 1, 2)"
    assert body(spec, "C") == "Map((\\ k . (* k 2)), [SetEnumeration <1>])"
    assert body(spec, "D") == "Map(@H, [SetEnumeration <1>])"
    assert body(spec, "E") == "Fold((\\ _1 _2 . (= _1 _2)), 1, 2)"


def test_infix_definitions(tmp_path: Path) -> None:
    spec = resolve(tmp_path, M="a \\prec b == a = b\na ++ b == <<a, b>>\nx^+ == {x}\nX == 1 ++ 2 \\prec 3\nY == X^+")
    assert body(spec, "X") == "\\prec(++(1, 2), 3)"
    assert body(spec, "Y") == "^+(X)"


def test_operators_before_their_arguments(tmp_path: Path) -> None:
    text = "EXTENDS Integers\nx^+ == {x}\nX == +(1, 2)\nY == ^+(3)\nZ == 5 - -.(4)^2\nW == -4^2"
    spec = resolve(tmp_path, M=text)
    assert body(spec, "X") == "(+ 1 2)" and body(spec, "Y") == "^+(3)"
    assert body(spec, "Z") == "(- 5 (^ (-. 4) 2))" and body(spec, "W") == "(-. (^ 4 2))"


def test_labels(tmp_path: Path) -> None:
    spec = resolve(tmp_path, M="P(S) == \\A x \\in S : lab(x) :: x = 1")
    assert body(spec, "P") == "[Quantified \\A <x in S> [Label lab <x> (= x 1)]]"


def test_assumptions_and_theorems(tmp_path: Path) -> None:
    spec = resolve(
        tmp_path,
        A="EXTENDS Naturals\nCONSTANT N\nASSUME Positive == N > 0",
        B="""EXTENDS A
ASSUME N < 9
\\* All is well.
THEOREM Fine == Positive /\\ N < 9
THEOREM ASSUME NEW S, NEW x \\in S, x # N PROVE S # {}
Uses == Fine""",
    )
    assert [(a.name, text(a.body)) for a in spec.assumptions] == [("Positive", "(> $N 0)"), ("", "(< $N 9)")]
    fine, other = spec.theorems
    assert (fine.name, fine.comment, text(fine.goal)) == ("Fine", "All is well.", "(/\\ Positive (< $N 9))")
    assert [(kind, binding.name, text(domain)) for kind, binding, domain in other.fresh] == [
        ("CONSTANT", "S", "-"),
        ("CONSTANT", "x", "S"),
    ]
    assert text(other.assumptions) == "<(# x $N)>"


def test_comments_and_annotations_stay(tmp_path: Path) -> None:
    spec = resolve(
        tmp_path,
        M="VARIABLE\n  \\* @type: Int;\n  x\n\\* x never is one. It must not.\nInv == x # 1",
    )
    assert spec.definitions["Inv"].comment == "x never is one. It must not."
    assert [(note.kind, note.text) for note in spec.variables[0].annotations] == [("type", "Int")]


def test_several_modules_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "Top.tla"
    path.write_text("---- MODULE Top ----\nEXTENDS Other\nX == Y\n====\n---- MODULE Other ----\nY == z\n====\n")
    from rmqproof.model.tla.model import load_specification
    from rmqproof.model.tla.source import TlaError

    with pytest.raises(TlaError) as caught:
        load_specification(path)
    assert caught.value.at is not None and caught.value.at.line == 6


def test_long_chains_and_deep_nesting(tmp_path: Path) -> None:
    chain = " /\\ ".join(f"{n} = {n}" for n in range(3000))
    deep = "(" * 800 + "1" + " + 1)" * 800
    sums = " + ".join(["1"] * 6000)
    lines = "\n".join(f"D{n} == D{n - 1}" for n in range(1, 2000))
    spec = resolve(tmp_path, M=f"EXTENDS Naturals\nChain == {chain}\nDeep == {deep}\nSums == {sums}\nD0 == 1\n{lines}")
    conjunction = spec.definitions["Chain"].body
    assert isinstance(conjunction, core.Builtin) and len(conjunction.arguments) == 3000
    assert spec.definitions["D1999"].level == core.CONSTANT
    assert spec.definitions["Deep"].level == core.CONSTANT
    assert spec.definitions["Sums"].level == core.CONSTANT


def test_a_name_of_the_community_modules_gives_way_to_the_users_own(tmp_path: Path) -> None:
    """Which names those modules pass on differs between their releases."""
    spec = resolve(
        tmp_path,
        M="EXTENDS Naturals, SequencesExt, FiniteSetsExt\nCONSTANT Min\nRange(f) == {f[i] : i \\in DOMAIN f}\n"
        "Max(S) == Min\nOwn == Range(<<Max({1})>>)\nBound == \\A Sum \\in {1} : LET Last == Sum IN Last = 1\n"
        "Theirs == ToSet(<<1>>)",
    )
    call = spec.definitions["Own"].body
    assert isinstance(call, core.Call)
    assert call.definition is spec.definitions["Range"]
    assert body(spec, "Max") == "$Min"


def test_a_name_that_the_community_modules_only_pass_on_gives_way_too(tmp_path: Path) -> None:
    """SequencesExt uses Bags, Sequences and TLC; TLC's own copy does not pass their names on."""
    spec = resolve(tmp_path, M="EXTENDS SequencesExt\nBagToSet(x) == x\nHead(x) == <<x>>\nOwn == Head(BagToSet(1))")
    call = spec.definitions["Own"].body
    assert isinstance(call, core.Call)
    assert call.definition is spec.definitions["Head"]
    assert "Head is already" in str(refused(tmp_path, M="EXTENDS SequencesExt, Sequences\nHead(x) == x"))


@pytest.mark.parametrize("module", ["Sequences", "TLC", "Bags", "Json"])
def test_the_names_of_modules_that_come_with_tlc_are_taken(tmp_path: Path, module: str) -> None:
    name = {"Sequences": "Head", "TLC": "ToString", "Bags": "BagIn", "Json": "ToJson"}[module]
    parameters = "x, y" if module == "Bags" else "x"
    error = refused(tmp_path, M=f"EXTENDS {module}\n{name}({parameters}) == x")
    assert f"{name} is already" in str(error)
