"""Sets of messages: which elements a loop meets, and in which type a next value is built, read off the C text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rmqproof.model.evaluate.system import system_of
from rmqproof.model.native.engine import NativeModel, NativeSearch
from rmqproof.model.native.representation import Atoms, Capacity, in_rank_order
from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.model import load_model
from rmqproof.model.types.domain import Bool, Enum, Int, Record, Seq, Set, Tuple, Union, model_values, strings
from tests.native.differential import interpreted, native, outcome

SPECS = Path(__file__).parent / "specs"
COUNTING = """---- MODULE Counting ----
EXTENDS Naturals
CONSTANT Most
VARIABLES msgs, last
Init == msgs = {[type |-> "count", n |-> 0]} /\\ last = [a |-> {}, b |-> [n |-> 0]]
Count == \\E m \\in msgs : /\\ m.n < 3
                         /\\ msgs' = msgs \\cup {[type |-> "count", n |-> m.n + 1]}
                         /\\ last' = [last EXCEPT !.a = @ \\cup {m.n + 1}, !.b.n = m.n]
Next == Count
TypeOK == /\\ msgs \\subseteq [type : {"count"}, n : 0..Most]
          /\\ last \\in [a : SUBSET (0..Most), b : [n : 0..Most]]
====
"""

MANY_THAT_COULD_BE = """---- MODULE Asking ----
EXTENDS Naturals, FiniteSets
CONSTANT Most
VARIABLES asked
Init == asked = {}
Ask == \\E from \\in 1..Most, to \\in 1..299 :
         /\\ from = 1 \\/ \\E a \\in asked : a.from = from - 1
         /\\ \\A a \\in asked : a.from # from
         /\\ (from + to) % 300 = 0
         /\\ asked' = asked \\cup {[from |-> from, to |-> to, urgent |-> from > 4]}
Next == Ask
Bound == \\A a \\in asked : a.from <= Most
====
"""


def record(*names: str) -> Record:
    return Record(tuple((name, Int(0, 1)) for name in names))


def test_loops_pass_over_what_a_first_condition_excludes() -> None:
    source = generated(SPECS / "MessageKinds.tla", SPECS / "MessageKinds.cfg")
    tables = re.findall(r"if \(x\d+_may \|\| c->kept\) \{ I r_ = [^;]*; (constant\d+_)\.w", source)
    assert len(tables) >= 8
    assert all(f"& {table}.w[" in source for table in tables)


def test_what_is_assigned_is_not_converted_as_a_whole(tmp_path: Path) -> None:
    spec, config = counting(tmp_path, 3)
    source = generated(spec, config)
    struct = re.search(r"typedef struct \{ (T\d+) v0; ", source)
    assert struct is not None
    assert not re.search(rf"convert\d+\(Ctx \*c, {struct[1]} x, ", source)
    assert outcome(native(load_model(spec, config)).result) == outcome(interpreted(load_model(spec, config)).result)


def test_what_does_not_fit_is_found_where_it_is_added(tmp_path: Path) -> None:
    spec, config = counting(tmp_path, 2)
    expected = interpreted(load_model(spec, config)).result
    assert expected.verdict is Verdict.SAFETY
    assert outcome(native(load_model(spec, config)).result) == outcome(expected)


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ((record("a", "b"), record("c")), True),
        ((record("a"), record("b"), model_values("None")), True),
        ((record("a", "b"), Tuple((Int(0, 1), Int(0, 1))), Tuple((Bool(),))), True),
        ((record("a"), Enum(model_values("None").atoms | strings("none").atoms)), False),
        ((record("a"), Seq(Int(0, 1), 0, 2)), False),
        ((record("a"), Set(Int(0, 3))), False),
    ],
)
def test_ranks_of_members_follow_the_order_of_values(members: tuple[Record, ...], expected: bool) -> None:
    assert in_rank_order(Union(members)) is expected


def test_members_are_ranked_by_kind_size_and_names() -> None:
    members = (record("b", "c"), record("a", "d"), record("z"), model_values("None"), Int(0, 1))
    assert Atoms().member_order(Union(members)) == [3, 4, 2, 1, 0]


def counting(folder: Path, most: int) -> tuple[Path, Path]:
    spec, config = folder / "Counting.tla", folder / "Counting.cfg"
    spec.write_text(COUNTING)
    config.write_text(f"CONSTANT Most = {most}\nINIT Init\nNEXT Next\nINVARIANT TypeOK\nCHECK_DEADLOCK FALSE\n")
    return spec, config


def generated(spec: Path, config: Path) -> str:
    model = NativeModel(load_model(spec, config), False)
    model.generate()
    return model.program.source


@pytest.mark.parametrize(("most", "room"), [(6, Capacity().vector), (10, Capacity().largest)])
def test_a_set_has_room_for_few_of_many_until_there_are_more(tmp_path: Path, most: int, room: int) -> None:
    spec, config = tmp_path / "Asking.tla", tmp_path / "Asking.cfg"
    spec.write_text(MANY_THAT_COULD_BE, encoding="utf-8")
    config.write_text(
        f"INIT Init NEXT Next INVARIANT Bound CHECK_DEADLOCK FALSE CONSTANT Most = {most}\n", encoding="utf-8"
    )
    model = load_model(spec, config)
    system = system_of(model)
    compiled = NativeModel(model, check_deadlock=False)
    compiled.compile()
    assert stored(compiled) == Capacity().vector
    result = NativeSearch(compiled, system, workers=1).run()
    assert outcome(result) == outcome(interpreted(model, system=system).result)
    assert result.distinct == most + 1
    assert stored(compiled) == room


def stored(compiled: NativeModel) -> int | None:
    (asked,) = compiled.program.layout.types
    assert isinstance(asked, Set)
    return asked.most
