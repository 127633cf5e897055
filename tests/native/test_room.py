"""What has too little room in machine code at first: the search starts over with more, and loses nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.checking.check import check
from rmqproof.model.checking.options import Options, SparkOptions
from rmqproof.model.native.context import Context
from rmqproof.model.native.native_model import NativeModel
from rmqproof.model.native.representation import NARROW, Capacity
from rmqproof.model.search.control import Tuning
from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.model_files import ModelFiles

BY_TLC = {
    "Init == x \\in {p \\in Permutations(1..6) : \\A i \\in 1..6 : p[i] # i}\nNext == x' = x": (530, 265, 1),
    "Init == x = <<1, 2, 3, 4, 5>>\nNext == x' \\in Permutations(1..5)": (14_401, 120, 2),
    "L == [i \\in 1..3000 |-> i]\nInit == x = 0\nNext == x' = Cardinality(DOMAIN L)": (3, 2, 2),
    "L == [i \\in 1..3000 |-> i]\nInit == x = 0\nNext == \\E i \\in DOMAIN L : i > 2998 /\\ x' = i": (7, 3, 2),
}
"""Constants of more parts than a set has room for, of a large universe. Generated, distinct, depth."""

LONG = """Init == x = [n \\in {1, 2} |-> <<>>]
Next == x' = IF Len(x[1]) < 70 THEN [x EXCEPT ![1] = Append(@, Len(@) % 2)] ELSE x"""


def counts(folder: Path, body: str, tuning: Tuning) -> tuple[object, ...]:
    spec, config = folder / "Room.tla", folder / "Room.cfg"
    spec.write_text(f"---- MODULE Room ----\nEXTENDS Integers, Sequences, FiniteSets, TLC\nVARIABLE x\n{body}\n====\n")
    config.write_text("INIT Init\nNEXT Next\n")
    result = check(ModelFiles(spec, config), Options(engine="native", workers=1, tuning=tuning)).result
    assert (result.verdict, result.engine) == (Verdict.SUCCESS, "native"), result.message
    return result.total, result.distinct, result.depth


@pytest.mark.parametrize("body", BY_TLC)
@pytest.mark.parametrize("narrow", [False, True])
def test_large_constants(body: str, narrow: bool, tmp_path: Path) -> None:
    """Of a set that was written out, and of the domain of a sequence, eight elements were left: nobody looked at the
    failure of the others, and the search was a success until the reference evaluator missed states."""
    assert counts(tmp_path, body, Tuning(narrow=narrow)) == BY_TLC[body]


@pytest.mark.parametrize("narrow", [False, True])
def test_a_value_on_the_way_has_the_room_of_its_variable(
    narrow: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was appended to had no room for more than 64, the variable was blamed, and grew until it was too large."""
    monkeypatch.setenv("RMQPROOF_CFLAGS", "-O0")
    assert counts(tmp_path, LONG, Tuning(narrow=narrow)) == (72, 71, 71)


def test_a_failure_that_nobody_expects_is_not_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Context, "may_overflow", lambda *_: False)
    (body,) = (body for body in BY_TLC if "Cardinality" in body)
    assert counts(tmp_path, body, Tuning(narrow=True)) == BY_TLC[body]


@pytest.mark.parametrize("engine", ["native", "regions", "spark"])
def test_every_program_of_a_check_begins_with_hardly_any_room(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of graphs of behaviours, too: of all states, of regions of them, of a store."""
    monkeypatch.setenv("RMQPROOF_CFLAGS", "-O0")
    spec, config = tmp_path / "Rows.tla", tmp_path / "Rows.cfg"
    spec.write_text(
        "---- MODULE Rows ----\nEXTENDS Integers, Sequences\nVARIABLE q\n"
        "Init == q = <<>>\nNext == (Len(q) < 5 /\\ q' = Append(q, Len(q))) \\/ (Len(q) = 5 /\\ q' = Tail(q))\n"
        "Spec == Init /\\ [][Next]_q /\\ WF_q(Next)\nFull == <>(Len(q) = 5)\n====\n"
    )
    config.write_text("SPECIFICATION Spec\nPROPERTY Full\nCHECK_DEADLOCK FALSE\n")
    begun: list[Capacity] = []
    generate = NativeModel.generate

    def generated(native: NativeModel) -> None:
        begun.append(native.at_first)
        generate(native)

    monkeypatch.setattr(NativeModel, "generate", generated)
    regions = 0 if engine == "regions" else Tuning().regions
    options = Options(
        engine="spark" if engine == "spark" else "native",
        workers=1,
        tuning=Tuning(narrow=True, regions=regions, again=0 if engine == "regions" else Tuning().again),
        spark=SparkOptions(partitions=2, hand_over=10**9),
    )
    result = check(ModelFiles(spec, config), options).result
    assert (result.verdict, result.distinct) == (Verdict.SUCCESS, 14), result.message
    assert set(begun) == {NARROW} and len(begun) > 1
