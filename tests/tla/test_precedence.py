"""Pairs of operators: what groups how, and what must have parentheses."""

from __future__ import annotations

import itertools

import pytest

from rmqproof.model.tla.operators import infix_operators, postfix_operators, prefix_operators, spellings
from rmqproof.model.tla.source import TlaError
from tests.tla.outline import expression

GROUPS = {
    "a /\\ b => c": "(=> (/\\ a b) c)",
    "a => b /\\ c": "(=> a (/\\ b c))",
    "a <=> b /\\ c": "(<=> a (/\\ b c))",
    "a \\/ b => c \\/ d": "(=> (\\/ a b) (\\/ c d))",
    "a => b <=> c": "(=> a (<=> b c))",
    "a ~> b => c": "(=> (~> a b) c)",
    "a /\\ b /\\ c": "(/\\ (/\\ a b) c)",
    "a \\/ b \\/ c": "(\\/ (\\/ a b) c)",
    "~a /\\ b": "(/\\ (~ a) b)",
    "~a = b": "(~ (= a b))",
    "~ ~a": "(~ (~ a))",
    "a = b /\\ c # d": "(/\\ (= a b) (# c d))",
    "a \\in S \\cup T": "(\\in a (\\cup S T))",
    "a \\in 1..n + 1": "(\\in a (.. 1 (+ n 1)))",
    "a + b + c": "(+ (+ a b) c)",
    "a - b - c": "(- (- a b) c)",
    "a + b - c": "(+ a (- b c))",
    "a - b + c": "(+ (- a b) c)",
    "a * b * c": "(* (* a b) c)",
    "a + b * c": "(+ a (* b c))",
    "a * b + c": "(+ (* a b) c)",
    "a \\div b + c": "(+ (\\div a b) c)",
    "a % n = 0": "(= (% a n) 0)",
    "a * b % n": "(% (* a b) n)",
    "a ^ b * c": "(* (^ a b) c)",
    "-a + b": "(+ (-. a) b)",
    "-a * b": "(-. (* a b))",
    "a - -b": "(- a (-. b))",
    "- - a": "(-. (-. a))",
    "-a ^ b": "(-. (^ a b))",
    "a = -1": "(= a (-. 1))",
    "a..-1": "(.. a (-. 1))",
    "SUBSET S \\cup T": "(\\cup (SUBSET S) T)",
    "SUBSET SUBSET S": "(SUBSET (SUBSET S))",
    "UNION {S} \\ T": "(\\ (UNION (SetEnumeration <S>)) T)",
    "DOMAIN f = S": "(= (DOMAIN f) S)",
    "DOMAIN f'": "(DOMAIN (' f))",
    "DOMAIN f[x]": "(DOMAIN (FunctionApplication f <x>))",
    "UNCHANGED x /\\ y": "(/\\ (UNCHANGED x) y)",
    "UNCHANGED f[x]": "(UNCHANGED (FunctionApplication f <x>))",
    "[]P => <>Q": "(=> ([] P) (<> Q))",
    "[]<>P /\\ Q": "(/\\ ([] (<> P)) Q)",
    "[]~P": "([] (~ P))",
    "a @@ b @@ c": "(@@ (@@ a b) c)",
    "a :> b @@ c :> d": "(@@ (:> a b) (:> c d))",
    "a \\o b \\o c": "(\\o (\\o a b) c)",
    "x' = y'": "(= (' x) (' y))",
    "x'^2": "(^ (' x) 2)",
    "f[x].y'": "(' (FieldAccess (FunctionApplication f <x>) y))",
    "f'[x]": "(FunctionApplication (' f) <x>)",
    "f[x]'": "(' (FunctionApplication f <x>))",
    "f[x].y[z]": "(FunctionApplication (FieldAccess (FunctionApplication f <x>) y) <z>)",
    "f[a, b]": "(FunctionApplication f <a b>)",
    "r^+": "(^+ r)",
    "r^* \\o s": "(\\o (^* r) s)",
    "A \\X B": "(Cartesian <A B>)",
    "A \\X B \\X C": "(Cartesian <A B C>)",
    "(A \\X B) \\X C": "(Cartesian <(Cartesian <A B>) C>)",
    "A \\X (B \\X C)": "(Cartesian <A (Cartesian <B C>)>)",
    "A \\X B = C": "(= (Cartesian <A B>) C)",
    "A \\cdot B /\\ C": "(/\\ (\\cdot A B) C)",
    "a (+) b (+) c": "((+) ((+) a b) c)",
    "a \\prec b /\\ c": "(/\\ (\\prec a b) c)",
    "a /\\ \\A x : b \\/ c": "(/\\ a (Quantified \\A <(Bound <x> -)> (\\/ b c)))",
    "1 + IF a THEN b ELSE c + 2": "(+ 1 (If a b (+ c 2)))",
    "~ \\E x \\in S : p => q": "(~ (Quantified \\E <(Bound <x> S)> (=> p q)))",
}


@pytest.mark.parametrize(("text", "tree"), GROUPS.items())
def test_grouping(text: str, tree: str) -> None:
    assert expression(text) == tree


AMBIGUOUS = [
    "a /\\ b \\/ c", "a \\/ b /\\ c", "a = b = c", "a # b = c", "a \\in S \\in T", "a < b < c",
    "a => b => c", "a <=> b <=> c", "a ~> b ~> c", "a <=> b ~> c", "A \\cdot B = C",
    "a \\cup b \\cap c", "a \\cap b \\ c", "a \\ b \\ c", "1..2..3", "a .. b ... c", "a :> b :> c", "a !! b !! c",
    "a * b / c", "a / b / c", "a \\div b \\div c", "a ^ b ^ c", "a % b % c", "a % b - c", "a - b % c", "2^-1", "a * -b",
    "a \\o b * c", "a \\X b + c", "a %% b %% c - d", "SUBSET S \\X T", "DOMAIN f * g",
    "[]a = b", "UNCHANGED x = y", "ENABLED A = B", "[]P'", "UNCHANGED x'", "ENABLED f[x]'", "<>x'.a",
]  # fmt: skip


@pytest.mark.parametrize("text", AMBIGUOUS)
def test_needs_parentheses(text: str) -> None:
    with pytest.raises(TlaError) as error:
        expression(text)
    assert "arentheses" in error.value.remedy
    assert error.value.kind == "parse"


def test_every_pair_of_infix_operators_follows_the_ranges() -> None:
    """`a op1 b op2 c` groups left, right or not at all, as the ranges alone decide."""
    for one, two in itertools.product(infix_operators().values(), repeat=2):
        text = f"a {one.name} b {two.name} c"
        left = one.low > two.high or (one is two and one.left)
        right = one.high < two.low
        if not left and not right:
            with pytest.raises(TlaError):
                expression(text)
            continue
        grouped = f"(a {one.name} b) {two.name} c" if left else f"a {one.name} (b {two.name} c)"
        if one is two and one.name == "\\X":
            assert expression(text) == "(Cartesian <a b c>)"
        else:
            assert expression(text) == expression(grouped), text


def test_every_prefix_operator_against_every_infix_operator() -> None:
    for prefix, infix in itertools.product(prefix_operators().values(), infix_operators().values()):
        text = f"{prefix.name} a {infix.name} b".replace("-.", "-")
        if prefix.low > infix.high:
            assert expression(text) == expression(f"({prefix.name} a) {infix.name} b".replace("-.", "-"))
        elif prefix.high < infix.low:
            assert expression(text) == expression(f"{prefix.name} (a {infix.name} b)".replace("-.", "-"))
        else:
            with pytest.raises(TlaError):
                expression(text)


def test_every_spelling_means_its_canonical_operator() -> None:
    for spelling, name in spellings().items():
        if name in infix_operators():
            assert expression(f"a {spelling} b") == expression(f"a {name} b"), spelling
        elif name in postfix_operators():
            assert expression(f"a {spelling}") == f"({name} a)"
        elif name != "-.":
            assert expression(f"{spelling} a") == f"({name} a)"


def test_a_label_must_not_change_the_grouping() -> None:
    assert expression("a + lab :: b * c") == "(+ a (Label lab <> (* b c)))"
    with pytest.raises(TlaError, match="group differently"):
        expression("a * lab :: b + c")
    assert expression("a * lab :: (b + c)") == "(* a (Label lab <> (+ b c)))"
