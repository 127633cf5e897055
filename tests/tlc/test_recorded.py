"""`rmqproof tlc` says what TLC said of the same models, and ends with its status. `make tlc` records it anew."""

from __future__ import annotations

import pytest

from tools.tlc.__main__ import Run, differences, runs
from tools.tlc.normal import FILE, canonical, evaluated, normal

COVERED = [one for one in runs() if "-coverage" in one.arguments]
OTHERWISE = ("line 41, col", "line 42, col", "line 65, col")
"""Of Paxos: TLC evaluates a definition of LET for each use of it, we once; and it takes quorums in another order."""


@pytest.mark.parametrize("one", list(runs()), ids=lambda one: one.name)
def test_the_same_messages_as_tlc(one: Run) -> None:
    assert not differences(one), "\n".join(differences(one))


@pytest.mark.parametrize("one", COVERED, ids=lambda one: one.name)
def test_expressions_are_evaluated_as_often_as_by_tlc(one: Run) -> None:
    theirs, ours = (evaluated(output) for output, _ in (one.of_tlc(), one.of_ours()))
    both = {key for key in theirs.keys() & ours.keys() if not key[1].startswith(OTHERWISE)}
    assert len(both) >= 2
    assert {key: ours[key] for key in both} == {key: theirs[key] for key in both}


def test_another_output_is_no_same_one() -> None:
    text = "@!@!@STARTMSG 2110:1 @!@!@\nInvariant {} is violated.\n@!@!@ENDMSG 2110 @!@!@\n"
    assert normal(text.format("A")) == ["2110:1 Invariant A is violated."]
    assert normal(text.format("A")) != normal(text.format("B"))


def test_a_value_is_the_same_in_another_order() -> None:
    assert canonical("{3, 1, 2}") == canonical("1..3")
    assert canonical("(a :> <<1, 2>> @@ b :> [x |-> 1, y |-> {}])") == canonical(
        "(b :> [y |-> {}, x |-> 1] @@ a :> <<1, 2>>)"
    )
    assert canonical("<<1, 2>>") != canonical("<<2, 1>>")


@pytest.mark.parametrize(
    "name, wrong",
    [
        ("ways-graph", ("x = 2", "x = 1")),
        ("lock-graph", ("Take(w1)", "Take(w2)")),
        ("ways-dump", ("x = 2", "x = 3")),
        ("lasso-trace-json", ('"count":2', '"count":3')),
        ("lasso-trace-tla", ('"Round"', '"Turn"')),
    ],
)
def test_another_file_is_no_same_one(name: str, wrong: tuple[str, str]) -> None:
    (one,) = runs([name])
    text, _ = one.of_tlc()
    said, mark, files = text.partition(f"\n{FILE} ")
    assert wrong[0] in files
    assert normal(text) != normal(said + mark + files.replace(*wrong))
