"""Values of two kinds are not compared: what TLC ends with an error for is not compiled to something that is false.

A model value is compared with every value, so sets in which there is one have room for values of other kinds.
What is expected is what TLC said of each.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.checking.options import Options
from rmqproof.model.native import value_order
from tools.fuzz.engines import run

SPEC = """---- MODULE K ----
EXTENDS Integers, Sequences, FiniteSets
CONSTANTS m
VARIABLES x
Init == x = 0
Next == x' = IF {} THEN 1 ELSE 0
====
"""
CONFIG = "INIT Init\nNEXT Next\nCONSTANT m = m\n"
INCOMPARABLE = (
    r"<<>> \in {m, -1, 1}",
    r"<<x>> \in {m, x}",
    r"{x} \in {m, 1}",
    r"[a |-> x] \in {m, 4}",
    r'"a" \in {m, 1}',
    r'x \in {m, "a"}',
    r"<<>> \in {m, {1}}",
    r'<<1>> \in {<<m>>, <<"a">>}',
    r'{m, x} = {m, "b"}',
    r'<<{m, 1}>> = <<{m, "a"}>>',
    r'{m, x} \subseteq {m, "b"}',
    r'{m, 7} \cap {m, "b"} = {m}',
    r'{m, 7} \ {"b"} = {m, 7}',
    r"{m, 7} \cup {<<>>} = {m}",
    r'Cardinality({m, 7, "b"}) = 3',
    r'Len(<<{m, 7, "b"}>>) = 1',
    r'"b" \in DOMAIN [y \in {m, 7} |-> 1]',
    r'[[y \in {m, 7} |-> 1] EXCEPT !["b"] = 2][m] = 1',
    r'[y \in {m, 7} |-> y][x + 7] = "b"',
)
COMPARABLE = (
    r"<<>> \in {m}",
    r"1 \in {m}",
    r"m \in {1, 2}",
    r"{m} = {1}",
    r"<<m>> \in {<<1>>, <<2>>}",
    r"[y \in {m, 7} |-> 1][7] = 1",
)


def checked(formula: str, folder: Path) -> tuple[str, str]:
    """The verdict of the native engine, and what was said."""
    (folder / "K.tla").write_text(SPEC.replace("{}", formula, 1))
    (folder / "K.cfg").write_text(CONFIG)
    report = run(folder / "K.tla", Options(engine="native", workers=1))
    return report.verdict, report.detail


@pytest.mark.parametrize("formula", INCOMPARABLE)
def test_what_cannot_be_compared_is_an_error(formula: str, tmp_path: Path) -> None:
    verdict, detail = checked(formula, tmp_path)
    assert verdict == "error" and "report it" not in detail


@pytest.mark.parametrize("formula", COMPARABLE)
def test_what_can_be_compared_is_no_error_and_compiled(formula: str, tmp_path: Path) -> None:
    verdict, detail = checked(formula, tmp_path)
    assert verdict == "success" and "does not cover" not in detail


LETTERS = """---- MODULE K ----
EXTENDS Integers, Sequences
VARIABLES net, FIRST
Msg(k, l) == [kind |-> k, log |-> l]
Init == net = {} /\\ FIRST = <<>>
Send == net = {} /\\ net' = {Msg("ask", FIRST), Msg("tell", <<>>)} /\\ UNCHANGED FIRST
Answer(m) == /\\ Len(m.log) < 2
             /\\ net' = (net \\ {m}) \\cup IF m.kind = "tell"
                                           THEN {Msg("done", Append(m.log, [old |-> Len(m.log)]))} ELSE {}
             /\\ FIRST' = [i \\in 1..Len(m.log) |-> i]
Next == Send \\/ \\E m \\in net : Answer(m)
====
"""


@pytest.mark.parametrize(("first", "verdict"), [("kept", "success"), ("log", "error")])
def test_what_differs_first_decides_whether_the_rest_is_compared(first: str, verdict: str, tmp_path: Path) -> None:
    """A field goes before those that were named later: where `kind` differs nobody looks at `log`, unless that is the
    name of a variable. What TLC says."""
    (tmp_path / "K.tla").write_text(LETTERS.replace("FIRST", first))
    (tmp_path / "K.cfg").write_text("INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n")
    for engine in ("python", "native"):
        report = run(tmp_path / "K.tla", Options(engine=engine, workers=1))
        assert report.verdict == verdict and "report it" not in report.detail, (engine, report)


MEETING = """---- MODULE K ----
EXTENDS Integers
VARIABLES x, s
Init == x = 0 /\\ s = {}
Next == x < 3 /\\ x' = x + 1 /\\ s' = {[a |-> x, b |-> IF x = 1 THEN "no" ELSE x], [a |-> OTHER, b |-> "k"]}
====
"""


@pytest.mark.parametrize(("other", "verdict"), [("1", "success"), ("2", "error")])
def test_elements_with_parts_of_two_kinds_meet_in_a_set(other: str, verdict: str, tmp_path: Path) -> None:
    """TLC puts the elements of a set in order, by `b` where `a` is the same; so does machine code, where that fails."""
    (tmp_path / "K.tla").write_text(MEETING.replace("OTHER", other))
    (tmp_path / "K.cfg").write_text("INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n")
    report = run(tmp_path / "K.tla", Options(engine="native", workers=1))
    assert report.verdict == verdict and "does not cover" not in report.detail and "report it" not in report.detail


def test_a_set_that_python_cannot_have_is_its_to_tell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody asks what meets in a set, and the path to a failure goes through it."""
    monkeypatch.setattr(value_order, "may_clash", lambda type_: False)
    (tmp_path / "K.tla").write_text(LETTERS.replace("FIRST", "log"))
    (tmp_path / "K.cfg").write_text("INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n")
    report = run(tmp_path / "K.tla", Options(engine="native", workers=1))
    assert report.verdict == "error" and "report it" not in report.detail


TWO = """---- MODULE K ----
EXTENDS Integers, TLC
VARIABLES n, log, a, b
Rec(k, l) == [kind |-> k, log |-> l]
Init == n = 0 /\\ log = 0 /\\ a = Rec("x", 0) /\\ b = Rec("y", 0)
Next == n < 2 /\\ n' = n + 1 /\\ UNCHANGED log /\\ a' = Rec("x", n) /\\ b' = Rec("y", IF n = 1 THEN "s" ELSE n)
====
"""


@pytest.mark.parametrize("formula", ["a # b", "DOMAIN (a :> 1 @@ b :> 2) # {}"])
def test_records_whose_first_field_is_of_two_kinds(formula: str, tmp_path: Path) -> None:
    """In TLC they are neither equal nor different, though `kind` differs: `log` was named before it."""
    (tmp_path / "K.tla").write_text(TWO.replace("====", f"Inv == {formula}\n===="))
    (tmp_path / "K.cfg").write_text("INIT Init\nNEXT Next\nINVARIANT Inv\nCHECK_DEADLOCK FALSE\n")
    for engine in ("python", "native"):
        report = run(tmp_path / "K.tla", Options(engine=engine, workers=1))
        assert report.verdict == "error" and "report it" not in report.detail, (engine, report)
