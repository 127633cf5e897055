"""The operator symbols of TLA+: spellings, fixity, precedence range, associativity.

Every symbol has one canonical ASCII spelling, the `name` of its `syntax.Apply` nodes. Two operators whose ranges
overlap cannot stand side by side without parentheses, unless they are one and the same left-associative operator.
Source: *Specifying Systems*, section 15.2.1 and table 6; ranges below are the book's.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

from rmqproof.model.records import dataclass

Fixity = Literal["prefix", "infix", "postfix"]


@dataclass(frozen=True, slots=True)
class Operator:
    name: str
    fixity: Fixity
    low: int
    high: int
    left: bool = False


# low, high, associates to the left; then the canonical names
_INFIX: tuple[tuple[int, int, bool, str], ...] = (
    (1, 1, False, "=>"),
    (2, 2, False, "<=> ~> -+->"),
    (3, 3, True, "/\\ \\/"),
    (
        5,
        5,
        False,
        "= # < > <= >= \\in \\notin \\subseteq \\subset \\supset \\supseteq \\sqsubset \\sqsubseteq \\sqsupset",
    ),
    (
        5,
        5,
        False,
        "\\sqsupseteq \\prec \\succ \\preceq \\succeq \\sim \\simeq \\ll \\gg \\asymp \\approx \\cong \\doteq",
    ),
    (5, 5, False, "\\propto |- |= -| =| := ::="),
    (5, 14, True, "\\cdot"),
    (6, 6, True, "@@"),
    (7, 7, False, ":> <:"),
    (8, 8, False, "\\"),
    (8, 8, True, "\\cap \\cup"),
    (9, 9, False, ".. ..."),
    (9, 13, False, "!!"),
    (9, 13, True, "## $ $$ ?? \\sqcap \\sqcup \\uplus"),
    (9, 14, False, "\\wr"),
    (10, 10, True, "+ ++ (+)"),
    (10, 11, False, "%"),
    (10, 11, True, "%% | ||"),
    (10, 13, True, "\\X"),
    (11, 11, True, "- -- (-)"),
    (13, 13, False, "/ // (/) \\div"),
    (13, 13, True, "* ** & && (.) (\\X) \\o \\star \\bigcirc \\bullet"),
    (14, 14, False, "^ ^^"),
)
_PREFIX: tuple[tuple[int, int, str], ...] = (
    (4, 4, "~"),
    (4, 15, "[] <> ENABLED UNCHANGED"),
    (10, 13, "SUBSET UNION DOMAIN"),
    (12, 12, "-."),
)
_POSTFIX = "' ^+ ^* ^#"  # all 15-15

# canonical name, then its other spellings
_SPELLINGS = """
~ \\lnot \\neg ¬
/\\ \\land ∧
\\/ \\lor ∨
<=> \\equiv ≡ ⇔
=> ⇒
# /= ≠
<= =< \\leq ≤
>= \\geq ≥
\\X \\times ×
\\cap \\intersect ∩
\\cup \\union ∪
\\o \\circ ∘
(+) \\oplus ⊕
(-) \\ominus ⊖
(.) \\odot ⊙
(/) \\oslash ⊘
(\\X) \\otimes ⊗
[] □
<> ◇
\\in ∈
\\notin ∉
~> ↝
-+-> ⇸
.. ‥
... …
!! ‼
?? ⁇
:= ≔
::= ⩴
=| ⫤
-| ⊣
|= ⊨
|- ⊢
|| ‖
^+ ⁺
\\approx ≈
\\asymp ≍
\\bigcirc ◯
\\bullet ●
\\cdot ⋅
\\cong ≅
\\div ÷
\\doteq ≐
\\gg ≫
\\ll ≪
\\prec ≺
\\preceq ⪯
\\propto ∝
\\sim ∼
\\simeq ≃
\\sqcap ⊓
\\sqcup ⊔
\\sqsubset ⊏
\\sqsubseteq ⊑
\\sqsupset ⊐
\\sqsupseteq ⊒
\\star ⋆
\\subset ⊂
\\subseteq ⊆
\\succ ≻
\\succeq ⪰
\\supset ⊃
\\supseteq ⊇
\\uplus ⊎
\\wr ≀
"""


@cache
def infix_operators() -> dict[str, Operator]:
    """By canonical name."""
    return {
        name: Operator(name, "infix", low, high, left) for low, high, left, names in _INFIX for name in names.split()
    }


@cache
def prefix_operators() -> dict[str, Operator]:
    """By canonical name; unary minus is `-.`."""
    return {name: Operator(name, "prefix", low, high) for low, high, names in _PREFIX for name in names.split()}


@cache
def postfix_operators() -> dict[str, Operator]:
    """By canonical name."""
    return {name: Operator(name, "postfix", 15, 15) for name in _POSTFIX.split()}


@cache
def spellings() -> dict[str, str]:
    """Every spelling of every operator symbol, with its canonical name."""
    names = {name: name for table in (infix_operators(), prefix_operators(), postfix_operators()) for name in table}
    for line in _SPELLINGS.split("\n"):
        words = line.split()
        names.update((word, words[0]) for word in words)
    return names
