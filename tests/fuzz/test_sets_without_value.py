"""What TLC evaluates of a set before it asks whether something is in it, or goes through its elements.

TLC has the value of every part first: of {x \\in S : P(x)} P of every element, where it lists S (`Tool.evalImpl`,
OPCODE_sso; `SetPredValue` where it does not). What is expected is what TLC 2.18 said of each.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.checking.options import Options
from tools.fuzz import engines
from tools.fuzz.reference import reference

SPEC = r"""---- MODULE T ----
EXTENDS Integers, Sequences, FiniteSets, TLC
VARIABLES z, one, two, q, e, r, p, f, s
vars == <<z, one, two, q, e, r, p, f, s>>
B == 1 \div z
SetB == {1, B}
FilterK(n) == {k \in {1, n} : 1 \div (k - 1) = 1}
Named == q \in Seq(SetB)
Init == /\ z = 0 /\ one = 1 /\ two = 2 /\ q = <<>> /\ e = {} /\ r = [a |-> 1, b |-> 2] /\ p = <<1, 2>> /\ f = (1 :> 1)
        /\ s = {1, 2}
Next == UNCHANGED vars
%s
====
"""
CONFIG = "INIT Init\nNEXT Next\nINVARIANTS %s\nCHECK_DEADLOCK FALSE\n"

WITHOUT_VALUE = (
    r"<<>> \in Seq({B})",
    r"<<1>> \in Seq({B})",
    r"q \in Seq({B})",
    r"{} \in SUBSET {B}",
    r"e \in SUBSET {B}",
    r"{1} \in SUBSET {B}",
    r"2 \in {k \in {1, 2} : 1 \div (k - 1) = 1}",
    r"two \in {k \in {1, 2} : 1 \div (k - 1) = 1}",
    r"two \in {k \in 1..2 : 1 \div (k - 1) = 1}",
    r"two \in {k \in 1..two : 1 \div (k - 1) = 1}",
    r"[a |-> 1] \in [a : {1}, b : {B}]",
    r"r \in [a : {1}, b : {B}]",
    r"r \in [a : {2}, b : {B}]",
    r"r \in [b : {3}, a : {B}]",
    r"r \in [a : {1}, b : {k \in {1, 2} : 1 \div (k - 1) = 1}]",
    r"r \in [a : {2}, b : {k \in {1, 2} : 1 \div (k - 1) = 1}]",
    r"<<1, 2>> \in {2} \X {B}",
    r"p \in {2} \X {B}",
    r"p \in {1} \X {B}",
    r"p \in {2} \X {k \in {1, 2} : 1 \div (k - 1) = 1}",
    r"p \in {B} \X {2}",
    r"f \in [{B} -> {1}]",
    r"f \in [{1} -> {B}]",
    r"f \in [{2} -> {B}]",
    r"f \in [{2} -> {k \in {1, 2} : 1 \div (k - 1) = 1}]",
    r"q \in [{} -> {B}]",
    r"q \in [{B} -> {}]",
    r"one \in {1} \cup {B}",
    r"one \in {B} \cup {1}",
    r"one \in Nat \cup {B}",
    r"one \in {B} \cup Nat",
    r"two \in {1} \cap {B}",
    r"two \in {B} \cap {1}",
    r"two \in {1} \ {B}",
    r"one \in {1} \ {B}",
    r"{one} \in (SUBSET {1}) \ {{B}}",
    r"{one} \in (SUBSET {1}) \cup {{B}}",
    r"{two} \in (SUBSET {1}) \cap {{B}}",
    r"one \in UNION {{1}, {B}}",
    r"one \in UNION {{B}, {1}}",
    r"one \in UNION {{1 \div (k - 1)} : k \in {1, 2}}",
    r"{} \in UNION {SUBSET {1}, SUBSET {B}}",
    r"one \in UNION {Nat, {B}}",
    r"one \in {1, B}",
    r"one \in {B, 1}",
    r"one \in {1 \div (k - 1) : k \in {1, 2}}",
    r"one \in {1 \div (2 - k) : k \in {1, 2}}",
    r"one \in 1..B",
    r"two \in B..1",
    r"two \in 3..B",
    r"one \notin 2..B",
    r"e \subseteq {B}",
    r"{one} \subseteq {k \in {1, 2} : 1 \div (k - 1) = 1}",
    r"{two} \subseteq {k \in {1, 2} : 1 \div (k - 1) = 1}",
    r"e \subseteq {k \in {1, 2} : 1 \div (k - 1) = 1}",
    r"\E k \in {1, B} : k = 1",
    r"\E k \in {m \in {2, 1} : 1 \div (m - 1) = 1} : k = 2",
    r"\E k \in {m \in {1, 2} : 1 \div (2 - m) = 1} : k = 1",
    r"\E k \in {m \in 1..two : 1 \div (2 - m) = 1} : k = 1",
    r"\E k \in {1} \cup {B} : k = 1",
    r"\E k \in {1, 2} \ {B} : k = 1",
    r"\E k \in SUBSET {B} : k = {}",
    r"\E k \in [{1} -> {B}] : TRUE",
    r"\E k \in [a : {1}, b : {B}] : TRUE",
    r"\E k \in {} \X {B} : TRUE",
    r"\E k \in {}, m \in {B} : TRUE",
    r"\E k \in {1}, m \in {B} : TRUE",
    r"\A k \in {}, m \in {B} : TRUE",
    r"\A k \in e, m \in {B} : TRUE",
    r"\E k \in e, m \in {j \in {1, 2} : 1 \div (j - 1) = 1} : TRUE",
    r"\E k \in e, m \in SUBSET {B} : TRUE",
    r"\E k \in {1, 2}, m \in {j \in {1, 2} : 1 \div (2 - j) = 1} : k = 1",
    r"(CHOOSE k \in {m \in {1, 2} : 1 \div (2 - m) = 1} : TRUE) = 1",
    r"(CHOOSE k \in {1} \cup {B} : k = 1) = 1",
    r"(CHOOSE k \in SUBSET {B} : k = {}) = {}",
    r"(CHOOSE k \in 1..B : k = 1) = 1",
    r"Cardinality({k \in {1, 2} : 1 \div (2 - k) = 1}) = 1",
    r"{k \in {1, 2} : 1 \div (2 - k) = 1} # {}",
    r"DOMAIN [k \in {m \in {1, 2} : 1 \div (2 - m) = 1} |-> k] = {1}",
    r"f \in [DOMAIN f -> {1, B}]",
    r"\A k \in DOMAIN f : f[k] \in {1, B}",
    r"Named",
    r"one \in SetB",
    r"two \in FilterK(2)",
    r"two \in (LET S == {k \in {1, 2} : 1 \div (k - 1) = 1} IN S)",
    r"LET S == {k \in {1, 2} : 1 \div (k - 1) = 1} IN two \in S",
    r"two \in IF one = 1 THEN {k \in {1, 2} : 1 \div (k - 1) = 1} ELSE {}",
    r"p \in {<<a, b>> \in {<<1, 2>>, <<2, 1>>} : 1 \div (a - 2) = -1}",
    r"p \in {<<a, b>> \in {p, <<2, 1>>} : 1 \div (a - 2) = -1}",
    r"two \in {k \in {m \in {1, 2} : 1 \div (m - 1) = 1} : TRUE}",
    r"two \in {k \in {1, 2} \cup {3} : 1 \div (k - 1) = 1}",
    r"two \in {k \in Nat \cap {1, 2} : 1 \div (k - 1) = 1}",
    r"two \in {k \in {1, 2} \ {5} : 1 \div (k - 1) = 1}",
    r"two \in {k \in UNION {{1}, {2}} : 1 \div (k - 1) = 1}",
    r"two \in {k \in DOMAIN p : 1 \div (k - 1) = 1}",
    r"two \in {k \in {g \in {1, 2} : g > 0} : 1 \div (k - 1) = 1}",
    r"(two \in {k \in {1, 2} : 1 \div (k - 1) = 1}) = TRUE",
    r"~(two \notin {k \in {1, 2} : 1 \div (k - 1) = 1})",
    r"\A t \in {2} : t \in {k \in {1, 2} : 1 \div (k - 1) = 1}",
    r"\A t \in {1, 2} : t \in {k \in {1, t} : 1 \div (k - 1) = 1} \/ t = 1",
    r"\A t \in {2} : t \in {k \in {1, t} : 1 \div (k - 1) = 1}",
    r"two \in {k \in s : 1 \div (k - 1) = 1}",
    r"{two} \in SUBSET {k \in s : 1 \div (k - 1) = 1}",
    r"e \in SUBSET {k \in s : 1 \div (k - 1) = 1}",
    r"<<>> \in Seq({k \in s : 1 \div (k - 1) = 1})",
    r"q \in Seq({k \in s : 1 \div (k - 1) = 1})",
    r"two \in {k \in s \cap Nat : 1 \div (k - 1) = 1}",
    r"two \in {k \in 1..2 : 1 \div (k - 1) = 1} \cup {5}",
    r"two \in Nat \cup {k \in 1..2 : 1 \div (k - 1) = 1}",
    r"one \in {k \in Nat : B = 1} \ {1}",
    r"one \in {1} \cap {k \in Nat : B = 1}",
    r"two \in {1} \cap {k \in Nat : B = 1}",
    r"two \in {1} \ {k \in Nat : B = 1}",
    r"one \in Nat \ {k \in {3} : B = 1}",
    r"one \in UNION {{k \in {1, 2} : 1 \div (k - 1) = 1}, {1}}",
    r"two \in UNION {{j \in {1, 2} : 1 \div (k - j) = 1} : k \in {1}}",
    r"{} \in UNION {SUBSET {j \in {1, 2} : 1 \div (k - j) = 1} : k \in {1}}",
    r"\A k \in {1 \div (j - 1) : j \in s} : k = 1",
    r"\E k \in SUBSET {j \in s : 1 \div (j - 1) = 1} : k = {}",
    r"\E k \in {j \in s : 1 \div (j - 1) = 1} \cup {5} : k = 5",
    r"\E k \in s \ {j \in s : 1 \div (j - 1) = 1} : k = 5",
    r"\A k \in e \ {j \in s : 1 \div (j - 1) = 1} : k = 5",
    r"\A k \in e \X {j \in s : 1 \div (j - 1) = 1} : FALSE",
    r"\A k \in [a : {1}, b : {j \in s : 1 \div (j - 1) = 1}] : TRUE",
    r"\A k \in [e -> {j \in s : 1 \div (j - 1) = 1}] : TRUE",
    r"[k \in {j \in s : 1 \div (j - 1) = 1} |-> k] = [k \in {2} |-> k]",
    r"{k : k \in {j \in s : 1 \div (j - 1) = 1}} # {}",
    r"{k + j : k \in e, j \in {j \in s : 1 \div (j - 1) = 1}} = {}",
    r"[k \in e, j \in {j \in s : 1 \div (j - 1) = 1} |-> k] = <<>>",
    r"\E k \in 1..two : k \in {j \in s : 1 \div (j - 1) = 1}",
    r"LET F(S) == \E k \in S : k = 1 IN F({j \in s : 1 \div (2 - j) = 1})",
    r"LET F(S) == two \in {k \in S : 1 \div (k - 1) = 1} IN F(s)",
)
TRUE = (
    r"two \in {k \in Nat : 1 \div (k - 1) = 1}",
    r"{1} \in {k \in SUBSET {1, 2} : \A w \in {{}} : w # k \/ B = 1}",
    r"{1} \in {k \in SUBSET {1, 2} : k # {} \/ B = 1}",
    r"e \in {k \in SUBSET {1, 2} : k = {} \/ B = 1}",
    r"<<1>> \in {k \in Seq({1}) : k # <<>> \/ B = 1}",
    r"q \in {k \in Seq({1}) : k = <<>> \/ B = 1}",
    r"r \in [a : {1}, b : {2}]",
    r"\A k \in e : \A m \in {B} : TRUE",
    r"(CHOOSE k \in {1, 2} : k = 1 \/ B = 1) = 1",
    r"{} = {k \in e : 1 \div z = 1}",
    r"[k \in {1, 2} |-> 1 \div (2 - k)][1] = 1",
    r"LET S == {k \in {1, 2} : 1 \div (k - 1) = 1} IN one = 1 \/ two \in S",
    r"two \in IF one = 1 THEN {2} ELSE {B}",
    r"<<1, 2>> \in {<<a, b>> \in {1, 2} \X {1, 2} : 1 \div (a - 2) = -1}",
    r"p \in {<<a, b>> \in {1, 2} \X {1, 2} : 1 \div (a - 2) = -1}",
    r"two \in {k \in {m \in {1, 2} : m = 2} : 1 \div (k - 1) = 1}",
    r"two \in {k \in Nat \cup {3} : 1 \div (k - 1) = 1}",
    r"p \in {k \in {1, 2} \X {1, 2} : 1 \div (k[1] - 2) = -1}",
    r"f \in {g \in [{1} -> {1, 2}] : 1 \div (g[1] - 2) = -1}",
    r"r \in {g \in [a : {1}, b : {2, 3}] : 1 \div (g.b - 3) = -1}",
    r"\A t \in e : t \in {k \in {1, 2} : 1 \div (k - 1) = 1}",
    r"<<>> \in Seq({k \in Nat : B = 1})",
    r"e \subseteq {k \in Nat : B = 1}",
    r"e \in SUBSET {k \in Nat : B = 1}",
    r"one \in Nat \cup {k \in Nat : B = 1}",
    r"one \in {1} \cup {k \in Nat : B = 1}",
    r"LET F(S) == two \in {k \in S : 1 \div (k - 1) = 1} IN F(Nat)",
    r"LET F(S) == {two} \in {k \in S : k # {} \/ B = 1} IN F(SUBSET s)",
)
FALSE = (
    r"p \in {2} \X {k \in Nat : B = 1}",
    r"one \in UNION {{j \in {1, 2} : 1 \div (k - j) = 1} : k \in {3}}",
)
EXPECTED = {
    **dict.fromkeys(WITHOUT_VALUE, "error"),
    **dict.fromkeys(TRUE, "success"),
    **dict.fromkeys(FALSE, "safety failure"),
}

IN_MACHINE_CODE = (
    r"<<>> \in Seq({B})",
    r"e \in SUBSET {B}",
    r"two \in {k \in {1, 2} : 1 \div (k - 1) = 1}",
    r"two \in {k \in 1..two : 1 \div (k - 1) = 1}",
    r"r \in [a : {1}, b : {k \in {1, 2} : 1 \div (k - 1) = 1}]",
    r"p \in {2} \X {k \in {1, 2} : 1 \div (k - 1) = 1}",
    r"one \in {1} \cup {B}",
    r"e \subseteq {k \in {1, 2} : 1 \div (k - 1) = 1}",
    r"\E k \in {m \in {1, 2} : 1 \div (2 - m) = 1} : k = 1",
    r"\E k \in {}, m \in {B} : TRUE",
    r"\A k \in e, m \in {B} : TRUE",
    r"\E k \in {1, 2}, m \in {j \in {1, 2} : 1 \div (2 - j) = 1} : k = 1",
    r"two \in {k \in {m \in {1, 2} : 1 \div (m - 1) = 1} : TRUE}",
    r"e \in SUBSET {k \in s : 1 \div (k - 1) = 1}",
    r"<<>> \in Seq({k \in s : 1 \div (k - 1) = 1})",
    r"two \in Nat \cup {k \in 1..2 : 1 \div (k - 1) = 1}",
)
"""Each takes a compilation: one of each kind."""


def written(folder: Path, *formulas: str) -> Path:
    named = {f"Inv{number}": formula for number, formula in enumerate(formulas)}
    (folder / "T.tla").write_text(SPEC % "\n".join(f"{name} == {formula}" for name, formula in named.items()))
    (folder / "T.cfg").write_text(CONFIG % " ".join(named))
    return folder / "T.tla"


def assert_judged(spec: Path, verdict: str) -> None:
    assert reference(spec).verdict == verdict
    report = engines.run(spec, Options(engine="python"))
    assert report.verdict == verdict, report.detail


@pytest.mark.parametrize("formula", (*WITHOUT_VALUE, *FALSE))
def test_sets_with_parts_without_value(tmp_path: Path, formula: str) -> None:
    assert_judged(written(tmp_path, formula), EXPECTED[formula])


def test_parts_without_value_that_do_not_matter(tmp_path: Path) -> None:
    assert_judged(written(tmp_path, *TRUE), "success")


@pytest.mark.parametrize("formula", IN_MACHINE_CODE)
def test_sets_with_parts_without_value_in_machine_code(tmp_path: Path, formula: str) -> None:
    report = engines.run(written(tmp_path, formula), Options(engine="native"))
    assert report.verdict == EXPECTED[formula], report.detail
