"""Type inference: what values the variables of small specifications can hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.tla.model import load_model
from rmqproof.model.types.annotation import AnnotationError, parse_annotation
from rmqproof.model.types.domain import (
    BOOL,
    EMPTY_SEQUENCE,
    NOTHING,
    Function,
    Int,
    Record,
    Seq,
    Set,
    Text,
    Tuple,
    Type,
    cardinality,
    includes,
    join,
    model_values,
    strings,
)
from rmqproof.model.types.infer import infer_types
from rmqproof.model.types.narrowing import clamp, widen
from rmqproof.model.types.rendering import render

SPECS = Path(__file__).parents[1] / "specs"


def types_of(spec: str, config: str) -> dict[str, str]:
    report = infer_types(load_model(SPECS / f"{spec}.tla", SPECS / f"{config}.cfg"))
    return {variable.name: render(type_) for variable, type_ in report.variables.items()}


def inferred(tmp_path: Path, body: str) -> dict[str, str]:
    """The types of a module with this body, which defines Init and Next."""
    header = "" if body.lstrip().startswith("EXTENDS") else "EXTENDS Integers, Sequences, FiniteSets, TLC"
    (tmp_path / "M.tla").write_text(f"---- MODULE M ----\n{header}\n{body}\n====\n")
    (tmp_path / "M.cfg").write_text("INIT Init\nNEXT Next\n")
    report = infer_types(load_model(tmp_path / "M.tla", tmp_path / "M.cfg"))
    return {variable.name: render(type_) for variable, type_ in report.variables.items()}


def test_two_phase_commit() -> None:
    assert types_of("TwoPhaseCommit", "TwoPhaseCommit") == {
        "vote": '[{m1, m2, m3, m4} -> {"aborted", "committed", "prepared", "working"}]',
        "decision": '{"aborted", "committed", "open"}',
        "heard": "SUBSET {m1, m2, m3, m4}",
        "sent": 'SUBSET ([from : {m1, m2, m3, m4}, kind : {"prepared"}] \\cup [kind : {"abort", "commit"}])',
    }


def test_messages_of_paxos_are_a_union_of_records() -> None:
    found = types_of("Paxos", "Paxos")
    assert found["promised"] == "[{a1, a2, a3} -> -1..1]"
    assert found["network"].count("ballot") == 5


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("VARIABLE x\nInit == x = 0\nNext == x < 7 /\\ x' = x + 1", "0..7"),
        ("VARIABLE x\nInit == x = 0\nNext == x' = x + 1", "Nat"),
        ("VARIABLE x\nInit == x = 0\nNext == x' = x + 1\nTypeOK == x \\in 0..9", "0..9"),
        ('VARIABLE x\nInit == x = <<>>\nNext == x\' = Append(x, "a")', 'Seq({"a"})'),
        ("VARIABLE x\nInit == x = {}\nNext == \\E n \\in 1..3 : x' = x \\cup {n}", "SUBSET 1..3"),
        ('VARIABLE x\nInit == x = 1\nNext == x\' = "one"', '{"one"} \\cup 1..1'),
        ("VARIABLE x\nInit == x = [a |-> 1, b |-> TRUE]\nNext == x' = [x EXCEPT !.a = 2]", "[a : 1..2, b : BOOLEAN]"),
        ('VARIABLE x\nInit == x = <<>>\nNext == x\' = x @@ ("k" :> 1)', '[partly {"k"} -> 1..1]'),
        ("VARIABLE x\nInit == x = 0\nNext == IF FALSE THEN x' = 9 ELSE x' = 1", "0..1"),
        ("VARIABLE x\nInit == x = 5\nNext == x' = x\nTypeOK == x \\in 0..3", "5..5"),
    ],
)
def test_a_variable(tmp_path: Path, body: str, expected: str) -> None:
    assert inferred(tmp_path, body)["x"] == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("SetToSeq({3, 5})", "Seq(3..5, length 0..2)"),
        ("SetToSeq({n \\in 1..3 : n > 1})", "Seq(2..3, length 0..2)"),
        ("SetToSeq({})", "Seq({}, length 0)"),
        ("SetToSeqs({1, 2})", "SUBSET Seq(1..2, length 2)"),
        ("SetToAllKPermutations({1, 2})", "SUBSET Seq(1..2, length 0..2)"),
        ("SetToSortSeq({n \\in 1..3 : n > 1}, LAMBDA a, b : a > b)", "Seq(2..3, length 0..2)"),
        ('FoldBag(LAMBDA a, b : Append(a, b), <<>>, "k" :> 2)', 'Seq({"k"})'),
        ("FoldBag(LAMBDA a, b : BagAdd(a, b + 1), EmptyBag, 1 :> 2)", "[partly 2..2 -> 1..infinity]"),
    ],
)
def test_operators_of_the_community_modules(tmp_path: Path, value: str, expected: str) -> None:
    extended = "EXTENDS Integers, SequencesExt, Bags, BagsExt, TLC"
    found = inferred(tmp_path, f"{extended}\nVARIABLE x\nInit == x = {value}\nNext == x' = x")
    assert found["x"] == expected


REPLIES = """
EXTENDS Naturals, TLC
VARIABLES sent, last
Ask(n) == [kind |-> "ask", number |-> n]
IsA(m, kind, low) == m.kind = kind /\\ (m.number >= low \\/ low = 0)
Init == sent = {Ask(0)} /\\ last = Ask(0)
Answer == \\E m \\in sent : IsA(m, "ask", 0) /\\ sent' = sent \\cup {[kind |-> "reply", to |-> m]} /\\ UNCHANGED last
Take == \\E m \\in sent : /\\ m.kind \\in {"reply", "none"}
                      /\\ last' = m.to
                      /\\ sent' = sent \\ {m}
Next == Answer \\/ Take
"""


def test_a_record_is_told_by_its_field(tmp_path: Path) -> None:
    """Also where an operator asks: a message that is answered is no reply, which would hold replies without end."""
    found = inferred(tmp_path, REPLIES)
    ask = '[kind : {"ask"}, number : 0..0]'
    assert found == {"last": ask, "sent": f'SUBSET ({ask} \\cup [kind : {{"reply"}}, to : {ask}])'}


def test_what_a_guard_says_of_a_parameter_is_not_so_of_its_next_value(tmp_path: Path) -> None:
    """The parameter stands for a variable: its next value is another one."""
    found = inferred(
        tmp_path,
        """
EXTENDS Naturals
VARIABLES x, y, z, w
Here(v) == v = 0 /\\ v' = 5 /\\ y' = v'
Inner(v) == v = 5 /\\ v' = 7
Told(v) == Inner(v) /\\ z' = v'
Before(v) == v' = 3 /\\ w' = v'
Init == x = 0 /\\ y = 0 /\\ z = 0 /\\ w = 0
Next == \\/ Here(x) /\\ UNCHANGED <<z, w>>
        \\/ Told(x) /\\ UNCHANGED <<y, w>>
        \\/ x = 0 /\\ Before(x) /\\ UNCHANGED <<y, z>>
""",
    )
    assert found == dict.fromkeys("xyzw", "0..7")


def test_values_that_hold_ever_more_of_their_kind_are_given_up(tmp_path: Path) -> None:
    parts = ", ".join(f"{name} |-> x" for name in "abcdefgh")
    found = inferred(tmp_path, f"EXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == x' = [{parts}]")
    assert found["x"] == "?"


def test_case_takes_the_arm_that_constants_say(tmp_path: Path) -> None:
    body = """VARIABLE x
Kind == "row"
Init == x = CASE Kind = "set" -> {} [] Kind = "row" -> <<>> [] OTHER -> 0
Next == x' = CASE Kind = "set" -> x \\cup {1} [] OTHER -> IF Len(x) < 2 THEN Append(x, 1) ELSE x"""
    assert inferred(tmp_path, body)["x"].startswith("Seq(1..1")


def test_claims_about_parts(tmp_path: Path) -> None:
    body = """VARIABLE x
Init == x = [n \\in {1, 2} |-> [log |-> <<>>, at |-> 0]]
Next == \\E n \\in {1, 2} : x' = [x EXCEPT ![n].log = Append(@, x[n].at), ![n].at = @ + 1]
TypeOK == \\A n \\in {1, 2} : Len(x[n].log) <= 3 /\\ x[n].at \\in 0..4"""
    assert inferred(tmp_path, body)["x"] == "Seq([at : 0..4, log : Seq(0..4, length 0..3)], length 2)"


def test_recursion_ends(tmp_path: Path) -> None:
    body = """VARIABLE x
RECURSIVE Sum(_)
Sum(s) == IF s = <<>> THEN 0 ELSE Head(s) + Sum(Tail(s))
F[n \\in 0..5] == IF n = 0 THEN 1 ELSE n * F[n - 1]
Init == x = 0
Next == x' = Sum(<<1, 2>>) + F[3]"""
    assert inferred(tmp_path, body)["x"] in ("Nat", "Int")


SAMPLES: list[Type] = [
    NOTHING,
    BOOL,
    Int(0, 3),
    Int(2, None),
    strings("a", "b"),
    model_values("m"),
    Text(),
    EMPTY_SEQUENCE,
    Seq(Int(0, 1), 0, 4),
    Tuple((Int(0, 1), BOOL)),
    Set(Int(0, 3), 4),
    Record.of({"a": BOOL}),
    Record.of({"a": Int(1, 2), "b": BOOL}),
    Function(strings("a"), BOOL, True),
    Function(Int(1, 4), BOOL),
    join(Int(0, 1), model_values("m")),
]


@pytest.mark.parametrize("a", SAMPLES, ids=render)
@pytest.mark.parametrize("b", SAMPLES, ids=render)
def test_a_join_holds_both(a: Type, b: Type) -> None:
    whole = join(a, b)
    assert includes(whole, a) and includes(whole, b)
    assert join(b, a) == whole
    assert includes(widen(a, whole, (0, 10)), whole)
    assert includes(a, clamp(a, b)) or not includes(a, b)


def test_sizes() -> None:
    assert cardinality(Set(Int(0, 3))) == 16
    assert cardinality(Record.of({"a": BOOL, "b": Int(1, 3)})) == 6
    assert cardinality(Seq(BOOL, 0, 2)) == 7
    assert cardinality(Function(Int(1, 2), Int(0, 2))) == 16
    assert cardinality(Int(0, None)) is None


def test_annotations() -> None:
    assert render(parse_annotation("Int -> Set(<<Str, Bool>>);")) == "[partly Int -> SUBSET (STRING \\X BOOLEAN)]"
    assert render(parse_annotation("{ id: Int, log: Seq(Int) }")) == "[id : Int, log : Seq(Int)]"
    with pytest.raises(AnnotationError):
        parse_annotation("Set(Int")


def test_the_members_of_a_union_have_one_order_in_all_processes() -> None:
    """They go by their text. That of a set went by hashes, and so did a model's C text, which is kept by its digest."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    shown = repr(strings(*reversed(letters)))
    assert [letter for _, letter in sorted((shown.index(f"'{c}'"), c) for c in letters)] == [*letters]
