"""What TLC asks of sets that are described, or of which one is: by `\\in`, `\\subseteq`, IsFiniteSet and TLCEval.

Of `S \\cup T` it asks the listed one first, an interval too (`Tool.evalAppl`, OPCODE_cup); what is on the left of
`\\subseteq` has to be a set that it can list, also where it is the same as on the right. A set with a part that is not
finite is not, though another part may be empty (`isFinite` of `SetOfFcnsValue` and others). What is expected is what
TLC said of each.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.at_length import every
from tests.evaluate import asked

SPEC = """---- MODULE K ----
EXTENDS Integers, Sequences, FiniteSets, TLC
VARIABLES x
Init == x = 0
Next == x' = x
Inv == x = 0 /\\ (FORMULA)
====
"""
SAID = {
    "error": (
        r"TLCEval(SUBSET Nat) = TLCEval(SUBSET Nat)",
        r"{1} \in TLCEval(SUBSET Nat)",
        r"TLCEval([{1} -> Nat]) # {}",
        r"TLCEval(Nat \cup {-1}) # {}",
        r"IsFiniteSet(Nat \cap Int)",
        r"IsFiniteSet(Nat \ Int)",
        r"IsFiniteSet({y \in Nat : y < 3})",
        r"IsFiniteSet({y \in [{} -> Nat] : TRUE})",
        r"IsFiniteSet({y \in Nat \cup {-1} : TRUE})",
        r"IsFiniteSet(SUBSET {y \in Nat : y < 3})",
        r"IsFiniteSet({1} \cup {y \in Nat : y < 3})",
        r"IsFiniteSet({y \in Nat : y < 3} \cup {1})",
        r"IsFiniteSet({y \in Nat : y < 3} \cup Nat)",
        r"IsFiniteSet({f \in [{} -> Nat] : FALSE})",
        r"0 \subseteq 0",
        r"x \subseteq 0",
        r"x \subseteq x",
        r'"a" \subseteq "a"',
        r"Nat \subseteq Nat",
        r"LET S == Nat IN S \subseteq S",
        r"Nat \subseteq Int",
        r"SUBSET Nat \subseteq SUBSET Nat",
        r"SUBSET Nat \subseteq SUBSET Int",
        r"Seq({1}) \subseteq Seq({1})",
        r"<<1>> \subseteq <<1>>",
        r"[a |-> 1] \subseteq [a |-> 1]",
        r"STRING \subseteq STRING",
        r"[{1} -> Nat] \subseteq [{1} -> Nat]",
        r"[a : Nat] \subseteq [a : Nat]",
        r"[{} -> Nat] \subseteq [{} -> Nat]",
        r"(UNION {Nat}) \subseteq Nat",
        r"(Nat \cup {1}) \subseteq Nat",
        r"(Nat \ {1}) \subseteq Nat",
        r"{y \in Nat : y > 0} \subseteq Nat",
        r'"q" \in STRING \cup 1..9',
        r'"q" \in 1..9 \cup STRING',
        r"1 \in BOOLEAN \cup Nat",
        r"{} \in 1..2 \cup (SUBSET {})",
        r"{} \in (SUBSET {}) \cup 1..2",
        r'1 \in (1..2 \cup STRING) \cup {"a"}',
        r'"z" \in (1..2 \cup STRING) \cup {"a"}',
    ),
    "success": (
        r"TLCEval(SUBSET {1}) = {{}, {1}}",
        r"TLCEval(Nat) = Nat",
        r"1 \in TLCEval(Nat)",
        r"<<1>> \in TLCEval(Seq(Nat))",
        r"TLCEval(Seq({1})) = Seq({1})",
        r"TLCEval(SUBSET SUBSET {1}) # {}",
        r"TLCEval(<<SUBSET Nat>>)[1] = SUBSET Nat",
        r"TLCEval(STRING) = STRING",
        r"IsFiniteSet(Nat \cap {1})",
        r"IsFiniteSet({1} \cap Nat)",
        r"IsFiniteSet({1} \ Nat)",
        r"IsFiniteSet((1..3) \ Nat)",
        r"IsFiniteSet(SUBSET {1})",
        r"IsFiniteSet([{1} -> {1}])",
        r"IsFiniteSet([a : {}, b : {1}])",
        r"IsFiniteSet({} \X {1})",
        r"IsFiniteSet(UNION {{1}, {2}})",
        r"IsFiniteSet(UNION {SUBSET {1}, SUBSET {2}})",
        r"IsFiniteSet({y \in {1, 2} : y < 2})",
        r"IsFiniteSet({y \in SUBSET {1, 2} : y = {}})",
        r"IsFiniteSet({y \in Nat \cap {1} : TRUE})",
        r"IsFiniteSet({Nat})",
        r"IsFiniteSet(1..3)",
        r"IsFiniteSet(3..1)",
        r"IsFiniteSet(BOOLEAN)",
        r"IsFiniteSet({<<y>> : y \in {1}})",
        r"IsFiniteSet([{} -> {}])",
        r"LET F(S) == IsFiniteSet([{} -> S]) IN F({1})",
        r"{} \subseteq 0",
        r"(Nat \cap {1}) \subseteq Nat",
        r"({1} \ Nat) = {}",
        r"5 \in STRING \cup 1..9",
        r"1 \in STRING \cup 1..9",
        r'"q" \in (1..0) \cup STRING',
        r'"q" \in STRING \cup (1..0)',
        r"TRUE \in Nat \cup BOOLEAN",
        r"1 \in (SUBSET {}) \cup 1..2",
        r'"a" \in (1..2 \cup STRING) \cup {"a"}',
        r"1 \in ((SUBSET {}) \cup STRING) \cup (3..4 \cup 1..2)",
    ),
    "safety failure": (
        r"IsFiniteSet(Nat \cup {1})",
        r"IsFiniteSet({1} \cup Nat)",
        r"IsFiniteSet(Nat \ {1})",
        r"IsFiniteSet(SUBSET Nat)",
        r"IsFiniteSet([{1} -> Nat])",
        r"IsFiniteSet([{} -> Nat])",
        r"IsFiniteSet([Nat -> {}])",
        r"IsFiniteSet([a : Nat])",
        r"IsFiniteSet([a : {}, b : Nat])",
        r"IsFiniteSet([a : Nat, b : {}])",
        r"IsFiniteSet(Nat \X {})",
        r"IsFiniteSet({} \X Nat)",
        r"IsFiniteSet(SUBSET [{} -> Nat])",
        r"IsFiniteSet([{1} -> [{} -> Nat]])",
        r"IsFiniteSet(Seq({}))",
        r"IsFiniteSet(Seq({1}))",
        r"IsFiniteSet(UNION {Nat})",
        r"IsFiniteSet(UNION {Nat, Int})",
        r"IsFiniteSet(UNION {[{} -> Nat]})",
        r"IsFiniteSet(Nat \cup {y \in Nat : y < 3})",
        r"IsFiniteSet(STRING)",
        r"IsFiniteSet(Int)",
        r"IsFiniteSet(DOMAIN [y \in Nat |-> y])",
        r"LET S == [{} -> Nat] IN IsFiniteSet(S)",
        r"LET F(S) == IsFiniteSet([S -> Nat]) IN F({})",
        r"LET F(S) == IsFiniteSet([{} -> S]) IN F(Nat)",
    ),
}
CASES = [(verdict, formula) for verdict, formulas in SAID.items() for formula in formulas]


@pytest.mark.parametrize(("verdict", "formula"), CASES)
@pytest.mark.parametrize("engine", ["python", "reference"])
def test_they_say_what_tlc_says(engine: str, verdict: str, formula: str, tmp_path: Path) -> None:
    assert said(engine, formula, tmp_path) == verdict


@pytest.mark.parametrize(("verdict", "formula"), every(8, CASES))
def test_machine_code_says_what_tlc_says(verdict: str, formula: str, tmp_path: Path) -> None:
    assert said("native", formula, tmp_path) == verdict


def said(engine: str, formula: str, folder: Path) -> str:
    return asked.verdict(engine, SPEC.replace("FORMULA", formula), "INIT Init\nNEXT Next\nINVARIANT Inv\n", folder)
