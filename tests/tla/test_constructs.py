"""Every construct of the language and of the configuration, one small model each, with TLC's counts.

The names are those of the language reference. A model has the variable x, starts at 0 and counts up to 2, unless it
says otherwise; what it is about stands in assumptions, or decides how many states there are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rmqproof.model.evaluate.system import PythonSystem, check_assumptions, check_postconditions
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.model import load_model

COUNTING = "VARIABLE x\nInit == x = 0\nNext == x < 2 /\\ x' = x + 1\n"
CONFIG = "INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n"


@dataclass(frozen=True)
class Model:
    """`body` is that of module M; `counts` are distinct states, generated states, depth."""

    body: str
    counts: tuple[int, int, int] = (3, 3, 3)
    config: str = CONFIG
    modules: dict[str, str] = field(default_factory=dict)
    verdict: Verdict = Verdict.SUCCESS
    extends: str = "Integers"


def assumed(formula: str, before: str = "", **others: object) -> Model:
    return Model(f"{before}\n{COUNTING}ASSUME {formula}", **others)  # type: ignore[arg-type]


SUB = {"Sub": "CONSTANT c\nVARIABLE v\nTwice(n) == c * n\nStep == v < c /\\ v' = v + 1"}

CONSTRUCTS: dict[str, Model] = {
    "EXTENDS": assumed("Twice(2) = 6", modules={"Sub": "Twice(n) == 3 * n"}, before="EXTENDS Sub"),
    "nested module": assumed("I!Two = 2", "---- MODULE Inner ----\nTwo == 2\n====\nI == INSTANCE Inner"),
    "INSTANCE without WITH": Model(
        "CONSTANT c\nVARIABLE v\nINSTANCE Sub\nInit == v = 0\nNext == Step",
        config=CONFIG + "CONSTANT c = 2",
        modules=SUB,
    ),
    "INSTANCE WITH": Model(
        "VARIABLE x\nS == INSTANCE Sub WITH v <- x, c <- 2\nInit == x = 0\nNext == S!Step", modules=SUB
    ),
    "parameterised INSTANCE": Model(
        "VARIABLE x\nF(n) == INSTANCE Sub WITH v <- x, c <- n\nInit == x = 0\nNext == F(2)!Step\n"
        "ASSUME F(3)!Twice(4) = 12",
        modules=SUB,
    ),
    "LOCAL": assumed("A = 1", modules={"Sub": "LOCAL B == 1\nA == B"}, before="EXTENDS Sub\nB == 5"),
    "operator constants": assumed("F(3) = 4", "CONSTANT F(_)\nG(n) == n + 1", config=CONFIG + "CONSTANT F <- G"),
    "infix operator constant": assumed(
        "3 ++ 4 = 7", "CONSTANT _++_\nPlus(a, b) == a + b", config=CONFIG + "CONSTANT ++ <- Plus"
    ),
    "VARIABLES": Model("VARIABLES x, y\nInit == x = 0 /\\ y \\in 0..1\nNext == x < 1 /\\ x' = 1 /\\ y' = y", (4, 4, 2)),
    "ASSUME with a name": assumed("Named == 1 + 1 = 2"),
    "THEOREM and proof": assumed(
        "TRUE",
        "THEOREM T == 1 = 1\n<1>1. 1 = 1 OBVIOUS\n<1>2. QED BY <1>1\nLEMMA L == ASSUME NEW n PROVE n = n OMITTED",
    ),
    "RECURSIVE": assumed("Sum(4) = 10", "RECURSIVE Sum(_)\nSum(n) == IF n = 0 THEN 0 ELSE n + Sum(n - 1)"),
    "mutual RECURSIVE": assumed(
        "Even(4)", "RECURSIVE Even(_), Odd(_)\nEven(n) == n = 0 \\/ Odd(n - 1)\nOdd(n) == n # 0 /\\ Even(n - 1)"
    ),
    "LAMBDA": assumed("Twice(LAMBDA n : n + 3, 1) = 7", "Twice(F(_), n) == F(F(n))"),
    "higher-order operators": assumed("Fold(Plus, 3) = 6", "Plus(a, b) == a + b\nFold(Op(_, _), n) == Op(n, n)"),
    "infix definition": assumed("2 ++ 3 = 13", "a ++ b == a * 5 + b"),
    "prefix definition": assumed("-3 = 30", "-. a == 10 * a", extends="Naturals"),
    "postfix definition": assumed("3 ^# = 9", "n ^# == n * n"),
    "function definition": assumed("f[3] = 6", "f[n \\in 0..5] == IF n = 0 THEN 0 ELSE n + f[n - 1]"),
    "LET": assumed("LET a == 1  F(n) == n + a  g[n \\in 1..2] == n * 2 IN F(2) + g[2] = 7"),
    "IF": assumed("(IF 1 < 2 THEN 3 ELSE 1 \\div 0) = 3"),
    "CASE": assumed("(CASE 1 > 2 -> 1 [] 2 > 1 -> 2 [] OTHER -> 3) = 2"),
    "CHOOSE": assumed("(CHOOSE n \\in 1..5 : n * n = 16) = 4"),
    "CHOOSE with a tuple": assumed("(CHOOSE <<a, b>> \\in (1..3) \\X (1..3) : a + b = 6) = <<3, 3>>"),
    "EXCEPT": assumed("[<<1, 2>> EXCEPT ![1] = @ + 4, ![2] = 0] = <<5, 0>>"),
    "EXCEPT of nested paths": assumed(
        "[[a |-> <<1, [b |-> 2]>>] EXCEPT !.a[2].b = @ + 1].a[2].b = 3 "
        "/\\ [[i, j \\in 1..2 |-> 0] EXCEPT ![1, 2] = 5][1, 2] = 5"
    ),
    "records": assumed('[a |-> 1, b |-> 2].b = 2 /\\ [a |-> 1] \\in [a : 1..2] /\\ DOMAIN [a |-> 1] = {"a"}'),
    "tuples and sequences": assumed("<<1, 2>> \\o <<3>> = <<1, 2, 3>> /\\ Head(<<7>>) = 7", "EXTENDS Sequences"),
    "strings": assumed('"a\\"b\\\\" # "ab" /\\ "a" \\in STRING'),
    "SUBSET and UNION": assumed("SUBSET {1} = {{}, {1}} /\\ UNION {{1}, {2}} = {1, 2}"),
    "DOMAIN": assumed("DOMAIN <<5, 6>> = 1..2 /\\ DOMAIN [n \\in {3} |-> n] = {3}"),
    "[S -> T]": assumed("<<2, 1>> \\in [1..2 -> 1..2] /\\ [{} -> {1}] = {<<>>}"),
    "[f : S]": assumed("[a : {1}, b : {2}] = {[a |-> 1, b |-> 2]}"),
    "\\X": assumed("{1} \\X {2} \\X {3} = {<<1, 2, 3>>} /\\ ({1} \\X {2}) \\X {3} = {<<<<1, 2>>, 3>>}"),
    "set filter": assumed("{n \\in 1..4 : n > 2} = {3, 4} /\\ {<<a, b>> \\in (1..2) \\X (1..2) : a < b} = {<<1, 2>>}"),
    "set map": assumed("{n * 2 : n \\in 1..2} = {2, 4} /\\ {a + b : <<a, b>> \\in {<<1, 2>>}, c \\in {1}} = {3}"),
    "quantifiers": assumed("\\A a, b \\in 1..2, c \\in {3} : a + b + c > 4 /\\ \\E <<d, e>> \\in {<<1, 2>>} : d < e"),
    "junction lists": assumed("\n  /\\ \\/ FALSE\n     \\/ TRUE\n  /\\ 1 = 1\n     => TRUE"),
    "labels": assumed("A", "A == lab :: 1 = 1 /\\ (\\A n \\in 1..2 : inner(n) :: n > 0)"),
    "UNCHANGED": Model(
        "VARIABLES x, y, z\nvars == <<y, z>>\nInit == x = 0 /\\ y = 1 /\\ z = 2\nNext == x' = 1 - x /\\ UNCHANGED vars",
        (2, 3, 2),
    ),
    "ENABLED": Model(COUNTING + "Inv == (x < 2) <=> ENABLED Next", config=CONFIG + "INVARIANT Inv"),
    "prime of an expression": Model("VARIABLE x\nInit == x = 0\nNext == x' \\in 0..2 /\\ (x * 2)' = x * 2 + 2"),
    "[A]_v": Model(COUNTING + "Always == [][x' > x]_x", config=CONFIG + "PROPERTY Always"),
    "<<A>>_v": Model(COUNTING + "Inv == (x < 2) = ENABLED <<Next>>_x", config=CONFIG + "INVARIANT Inv"),
    "\\cdot": Model("VARIABLE x\nInit == x = 0\nA == x < 4 /\\ x' = x + 1\nNext == A \\cdot A", (3, 5, 3)),
    "temporal operators": Model(
        COUNTING
        + "Spec == Init /\\ [][Next]_x /\\ WF_x(Next) /\\ SF_x(Next)\nP == [](x \\in 0..2) /\\ (x = 0 ~> x = 2)\n"
        "Q == \\AA y : TRUE -+-> TRUE",
        config="SPECIFICATION Spec\nCHECK_DEADLOCK FALSE",
    ),
    "PlusCal": assumed(
        "TRUE", "(* --algorithm a { variable y = 0; { skip; } } *)\n\\* BEGIN TRANSLATION\n\\* END TRANSLATION"
    ),
    "precedence": assumed("1 + 2 * 3 - 4 = 3 /\\ (TRUE => FALSE <=> FALSE) /\\ -1 + 2 = 1 /\\ 2 ^ 3 * 2 = 16"),
    "Unicode": Model(
        "VARIABLE x\nInit ≜ x = 0 ∧ TRUE\nNext ≜ x < 2 ∧ x' = x + 1\nASSUME ∀ n ∈ 1‥2 : ¬(n ∉ {1, 2}) ∧ ⟨1⟩ ≠ ⟨2⟩"
    ),
}

CONFIGURATIONS: dict[str, Model] = {
    "SPECIFICATION": Model(COUNTING + "Spec == Init /\\ [][Next]_x", config="SPECIFICATION Spec\nCHECK_DEADLOCK FALSE"),
    "INIT and NEXT": Model(COUNTING),
    "CONSTANT =": assumed(
        'N = 3 /\\ S = {m, t} /\\ T = "text" /\\ B = FALSE /\\ n = 4',
        "CONSTANTS N, S, m, t, T, B, n",
        config=CONFIG + 'CONSTANTS N = 3 m = m t = t\nS = {m, t} T = "text"\nB = FALSE n = 4',
    ),
    "CONSTANT <-": assumed(
        "N = 5 /\\ D = 6", "CONSTANT N\nFive == 5\nD == 1\nSix == 6", config=CONFIG + "CONSTANTS N <- Five D <- Six"
    ),
    "CONSTANT <- [Module]": assumed(
        "A = 7",
        "EXTENDS Sub\nSeven == 7",
        config=CONFIG + "CONSTANT B <- [Sub] Seven",
        modules={"Sub": "B == 1\nA == B"},
    ),
    "model values": assumed(
        'm1 # m2 /\\ m1 # 1 /\\ {m1} # {"m1"}', "CONSTANTS m1, m2", config=CONFIG + "CONSTANTS m1 = m1 m2 = other"
    ),
    "INVARIANTS": Model(
        COUNTING + "A == x >= 0\nB == x < 2", (3, 3, 3), CONFIG + "INVARIANTS A B", verdict=Verdict.SAFETY
    ),
    "PROPERTIES": Model(COUNTING + "A == [](x < 3)\nB == [][x' = x + 1]_x", config=CONFIG + "PROPERTIES A B"),
    "CONSTRAINT": Model(
        "VARIABLE x\nInit == x = 0\nNext == x' = x + 1\nSmall == x < 3", (3, 4, 3), CONFIG + "CONSTRAINT Small"
    ),
    "ACTION_CONSTRAINT": Model(
        "VARIABLE x\nInit == x = 0\nNext == x' \\in 0..5\nUp == x' = x + 1", (6, 37, 6), CONFIG + "ACTION_CONSTRAINT Up"
    ),
    "SYMMETRY": Model(
        "EXTENDS TLC\nCONSTANTS a, b\nVARIABLE x\nInit == x \\in SUBSET {a, b}\nNext == UNCHANGED x\n"
        "Sym == Permutations({a, b})",
        (3, 7, 1),
        CONFIG + "CONSTANTS a = a b = b\nSYMMETRY Sym",
    ),
    "VIEW": Model(
        "VARIABLES x, y\nInit == x = 0 /\\ y \\in 0..1\nNext == x < 2 /\\ x' = x + 1 /\\ y' = y\nV == x",
        (3, 4, 3),
        CONFIG + "VIEW V",
    ),
    "CHECK_DEADLOCK": Model(COUNTING, config="INIT Init\nNEXT Next\nCHECK_DEADLOCK TRUE", verdict=Verdict.DEADLOCK),
    "POSTCONDITION": Model(
        "EXTENDS TLC\n" + COUNTING + 'Post == TLCGet("distinct") = 3', config=CONFIG + "POSTCONDITION Post"
    ),
    "ALIAS": Model(COUNTING + "Shown == [twice |-> 2 * x]", config=CONFIG + "ALIAS Shown"),
    "comments": Model(COUNTING, config="\\* one\n(* two (* nested *) *)\n" + CONFIG),
}

ALL = CONSTRUCTS | CONFIGURATIONS


def write(model: Model, folder: Path) -> Path:
    """M.tla, M.cfg and the modules it needs."""
    lines = model.body.split("\n")
    extended = [line.removeprefix("EXTENDS ") for line in lines if line.startswith("EXTENDS ")]
    rest = [line for line in lines if not line.startswith("EXTENDS ")]
    texts = {"M": ([model.extends, *extended], "\n".join(rest))}
    texts |= {name: (["Integers"], body) for name, body in model.modules.items()}
    for name, (extends, body) in texts.items():
        text = f"---- MODULE {name} ----\nEXTENDS {', '.join(extends)}\n{body}\n====\n"
        (folder / f"{name}.tla").write_text(text, encoding="utf-8")
    (folder / "M.cfg").write_text(model.config, encoding="utf-8")
    return folder / "M.tla"


@pytest.mark.parametrize("name", ALL)
def test_a_construct(name: str, tmp_path: Path) -> None:
    expected = ALL[name]
    system = PythonSystem(load_model(write(expected, tmp_path)))
    assert check_assumptions(system.model, system) == []
    result = BreadthFirst(system, workers=1).run()
    assert (result.verdict, result.distinct, result.total, result.depth) == (expected.verdict, *expected.counts)
    system.runtime.distinct = result.distinct
    assert check_postconditions(system) == []


def test_an_alias_is_what_is_shown(tmp_path: Path) -> None:
    system = PythonSystem(load_model(write(ALL["ALIAS"], tmp_path)))
    (state,) = system.initial_states()
    assert system.alias(state) == {"twice": 0}
