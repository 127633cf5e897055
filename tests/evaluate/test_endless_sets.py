"""Infinite sets as values: in sets, functions and records they are compared as they are described, as TLC does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rmqproof.model.checking.options import Options
from tools.fuzz import engines
from tools.fuzz.reference import reference

SPEC = r"""---- MODULE T ----
EXTENDS Integers, Sequences, FiniteSets, TLC
VARIABLES w, x
Named == U
F == [k \in {1} |-> U]
R == [q |-> U]
Init == w = 0 /\ x = 0
Next == x' = 1 - x /\ w' = w
Inv == x \in {0, 1} /\ %s
====
"""
SETS = ("Nat", "(SUBSET Nat)", "Seq({1})")
TRUE = (
    r"{U, U} = {U} /\ {Named, U} = {U}",
    r"Cardinality({U, U}) = 1",
    r"U = U /\ ~(U # U) /\ Named = U",
    r"U \in {U} /\ U \in {U, U} /\ Named \in {Named}",
    r"LET N == U IN N \in {N} /\ N = N",
    r"\E S \in {U, U} : S = U",
    r"(CHOOSE S \in {U} : TRUE) = U",
    r"{U} \cap {U} = {U} /\ {U} \cup {U} = {U} /\ {U} \ {U} = {}",
    r"{U} \subseteq {U} /\ {S \in {U} : TRUE} = {U}",
    r"[q |-> U].q = U /\ R = [q |-> U] /\ R \in {R}",
    r"[k \in {1} |-> U][1] = U /\ F = [k \in {1} |-> U] /\ F \in {F}",
    r"(1 :> U)[1] = U /\ (1 :> U) = (1 :> U)",
    r"[[k \in {1, 2} |-> U] EXCEPT ![1] = {}][2] = U",
    r"[[k \in {1, 2} |-> {}] EXCEPT ![1] = U][1] = U",
    r"<<U, 1>>[2] = 1 /\ Len(<<U, U>>) = 2 /\ Head(<<U, 1>>) = U /\ Append(<<1>>, U) = <<1, U>>",
    r"<<U>> \in {<<U>>} /\ <<1, U>> # <<2, U>>",
    r"[S \in {U} |-> 1][U] = 1",
    r"{1} \in {{1}, U} /\ {} \in {{}, U}",
    r"{[q |-> U], [q |-> U]} = {[q |-> U]}",
)
ORDER = (
    ("-1", "U, Int"),
    ("{1}", "SUBSET U, SUBSET Int"),
    ("<<1>>", "Seq(U), Seq(Int)"),
    ("<<1>>", "Seq({1}), Seq({1, 2})"),
    ("<<<<1>>>>", "Seq(Seq({1})), Seq(Seq({2}))"),
    ("<<<<1>>>>", 'Seq(Seq({1})), Seq(Seq({"a", "b"}))'),
    ("<<1>>", r"[1..n -> U] : n \in {1}"),
)
NO_ORDER = (
    ("1", "U, {1}"),
    ("1", "{}, U"),
    ("1", "1..3, U"),
    ("1", "U, STRING"),
    ("1", r"{y \in U : y > 0}, {1}"),
    ("1", r"U \cup {-1}, Int"),
    ("1", r"IF y = 1 THEN U ELSE {y} : y \in {1, 2}"),
    ("{1}", "SUBSET U, SUBSET {1}"),
    ("{1}", "SUBSET U, {{1}}"),
    ("<<1>>", "Seq(U), Seq({1})"),
    ("<<1>>", 'Seq({1}), Seq({"a"})'),
    ("<<1>>", r"Seq({1}), U \X {1}"),
    ("<<1>>", r"[1..n -> U] : n \in 0..2"),
    ("[a |-> 1]", "[a : U], [a : U]"),
)
"""Members of unions of sets that TLC can put in order, some of them infinite, and of those that it cannot."""
NO_VALUE = (
    r"{1} \in {U, U}",
    r"1 \in {U}",
    r"U = {1}",
    r"{1} = U",
    r"{U} = {{1}}",
    r"{U} \cup {{1}} # {}",
    r"\A S \in {U, {1}} : S # {2}",
    r"{U, {1}} # {}",
    *(rf"{value} \in UNION {{{sets}}}" for value, sets in NO_ORDER),
)
"""Where TLC, which cannot list one, ends with an error."""


def checked(formula: str, items: str, folder: Path) -> tuple[str, str]:
    """What the Python engine says, with the judge, and what the reference evaluator says."""
    (folder / "T.tla").write_text(re.sub(r"\bU\b", lambda _: items, SPEC % formula))
    (folder / "T.cfg").write_text("INIT Init\nNEXT Next\nINVARIANT Inv\nCHECK_DEADLOCK FALSE\n")
    python = engines.run(folder / "T.tla", Options(engine="python"))
    return python.verdict, reference(folder / "T.tla").verdict


@pytest.mark.parametrize("items", SETS)
def test_it_has_a_value(items: str, tmp_path: Path) -> None:
    assert checked(r" /\ ".join(f"({formula})" for formula in TRUE), items, tmp_path) == ("success", "success")


@pytest.mark.parametrize(("value", "sets"), ORDER)
def test_sets_in_order_are_united(value: str, sets: str, tmp_path: Path) -> None:
    formula = rf"{value} \in UNION {{{sets}}}"
    assert checked(formula, "Nat", tmp_path) == ("success", "success")


@pytest.mark.parametrize("formula", [rf"{value} \in UNION {{{sets}}}" for value, sets in (*ORDER, *NO_ORDER)])
def test_machine_code_says_the_same(formula: str, tmp_path: Path) -> None:
    python, _ = checked(formula, "Nat", tmp_path)
    assert engines.run(tmp_path / "T.tla", Options(engine="native")).verdict == python


@pytest.mark.parametrize("formula", NO_VALUE)
def test_it_has_none(formula: str, tmp_path: Path) -> None:
    assert checked(formula, "Nat", tmp_path) == ("error", "error")


def test_a_described_set_is_compared_with_a_listed_one(tmp_path: Path) -> None:
    """Element by element: whether one is in the description is not asked."""
    (tmp_path / "T.tla").write_text(re.sub(r"\bU\b", "Nat", SPEC % "{<<1, 2>>} # [a : {1}]"))
    (tmp_path / "T.cfg").write_text("INIT Init\nNEXT Next\nINVARIANT Inv\nCHECK_DEADLOCK FALSE\n")
    assert engines.run(tmp_path / "T.tla", Options(engine="python")).verdict == "success"


@pytest.mark.parametrize("formula", ["<<Nat>>", "{Nat}", "[q |-> SUBSET Nat]"])
def test_no_state_holds_one(formula: str, tmp_path: Path) -> None:
    (tmp_path / "T.tla").write_text(re.sub(r"\bU\b", "Nat", SPEC % "TRUE").replace("w = 0", f"w = {formula}"))
    (tmp_path / "T.cfg").write_text("INIT Init\nNEXT Next\nINVARIANT Inv\nCHECK_DEADLOCK FALSE\n")
    assert engines.run(tmp_path / "T.tla", Options(engine="python")).verdict == "error"
    assert reference(tmp_path / "T.tla").verdict == "error"
