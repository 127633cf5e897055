"""A walk through a model, without any way to show it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rmqproof import check, explore, load
from rmqproof.model.api.exploring import Walk
from rmqproof.model.explore.export import exported
from rmqproof.model.explore.page.views import ModelViews
from rmqproof.model.explore.session import NoSuchStep
from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.report.itf import read_itf
from rmqproof.model.tla.source import TlaError

LOCK = Path(__file__).parents[2] / "docs" / "tutorial" / "Lock.tla"
CLOCK = """---- MODULE Clock ----
EXTENDS Naturals
VARIABLES hour, used
Init == hour \\in 1..3 /\\ used = {}
Tick == hour < 12 /\\ hour' = hour + 1 /\\ UNCHANGED used
Mark(n, m) == /\\ hour > 2
              /\\ LET both == {n, m} IN both \\cap used = {}
              /\\ used' = used \\cup {n, m} /\\ UNCHANGED hour
Wrong == hour = 9 /\\ hour' = 1 /\\ hour' = 2 /\\ UNCHANGED used
Next == \\/ Tick
        \\/ \\E n, m \\in used : Mark(n, m)
        \\/ \\E n \\in 1..2 : n < hour /\\ Mark(n, n + 1)
        \\/ IF hour = 5 THEN Mark(7, 7) ELSE Wrong
Early == hour < 7
Grows == [][hour' >= hour]_hour
Odd == 10 \\div (hour - 4) > 0
====
"""


@pytest.fixture
def lock() -> Walk:
    return explore(LOCK)


@pytest.fixture
def clock() -> Walk:
    model = load(CLOCK, init="Init", next="Next", invariants=["Early"], properties=["Grows"], constraints=["hour < 9"])
    return explore(model)


def test_steps_with_what_they_change_and_break(lock: Walk) -> None:
    assert [move.title for move in lock.choices.moves] == ["Look(w1)", "Look(w2)"]
    lock.take("Look( w1 )")
    lock.take("Look")
    lock.take("Take(w1)")
    second = next(move for move in lock.choices.moves if move.title == "Take(w2)")
    assert lock.space.changed(second.changes) == ["holder: w1 -> w2", 'at[w2]: "saw it free" -> "inside"']
    assert second.breaks == ("OneInside",)
    assert lock.violated == ()
    lock.step(second.number)
    assert lock.violated == ("OneInside",)
    assert lock.texts["holder"] == "w2"
    assert [prop.sentence for prop in lock.properties if not prop.holds] == ["Two workers are inside at once."]


def test_back_and_the_same_way_again(lock: Walk) -> None:
    lock.walk([1, 1, 2, 1])
    there, numbers = lock.texts, lock.numbers
    lock.back(2)
    assert lock.numbers == (1, 1)
    lock.back(10)
    assert lock.numbers == (1,)
    lock.walk(numbers)
    assert lock.texts == there
    with pytest.raises(NoSuchStep, match=r"There is no 9: there are \d steps from here"):
        lock.walk([1, 9])
    assert lock.numbers == numbers


def test_several_initial_states(clock: Walk) -> None:
    assert [move.title for move in clock.choices.moves] == ["Initial state"] * 3
    with pytest.raises(NoSuchStep, match="Choose an initial state first, 1 to 3"):
        _ = clock.properties
    assert clock.start(2).state[0] == 2


def test_what_is_no_step_is_said_with_what_is_one(lock: Walk) -> None:
    with pytest.raises(NoSuchStep, match=r"Take\(w1\) is not possible here: 1. Look\(w1\), 2. Look\(w2\)"):
        lock.take("Take(w1)")
    with pytest.raises(NoSuchStep, match="Look is several steps here"):
        lock.take("Look")


def test_why_an_action_is_not_enabled(lock: Walk) -> None:
    refusals = lock.why("Take")
    assert [(refusal.title, refusal.text) for refusal in refusals] == [
        ("Take(w1)", 'at[w] = "saw it free"'),
        ("Take(w2)", 'at[w] = "saw it free"'),
    ]
    assert refusals[0].values == (("at[w]", '"idle"'),)
    assert refusals[0].place.endswith("Lock.tla:20:6")
    assert lock.why("Look") == []
    with pytest.raises(NoSuchStep, match="Tak is no action; there are Look, Take, GiveUp, Leave"):
        lock.why("Tak")


def test_why_through_sets_guards_and_branches(clock: Walk) -> None:
    """The nearest first: what stands before the call, the set that is empty, the condition of the other branch."""
    clock.start(1)
    said = {(refusal.title, refusal.text): dict(refusal.values) for refusal in clock.why("Mark")}
    assert (
        said
        == {
            ("Mark", "\\E n \\in used"): {"used": "{}"},
            ("Mark", "n < hour"): {"n": "1", "hour": "1"},
            ("Mark", "hour = 5"): {"hour": "1"},
        }
        or ("Mark", "n < hour") in said
    )
    clock.start(2)
    assert ("Mark(1, 2)", "hour > 2") in {(refusal.title, refusal.text) for refusal in clock.why("Mark")}
    assert clock.why("Wrong")[0].text == "hour = 9"


def test_values_of_parts_that_bind_names_themselves(tmp_path: Path) -> None:
    spec = tmp_path / "Count.tla"
    definitions = (
        "VARIABLE net\nInit == net = {1, 2}\nGo == Cardinality({m \\in net : m > 1}) > 2 /\\ net' = {}\nNext == Go"
    )
    spec.write_text(f"---- MODULE Count ----\nEXTENDS Naturals, FiniteSets\n{definitions}\n====\n")
    (refusal,) = explore(load(spec, init="Init", next="Next")).why("Go")
    assert refusal.values == (("Cardinality({m \\in net : m > 1})", "1"),)


def test_next_values_that_contradict_each_other() -> None:
    """No conjunct about the state is false, and the action is not possible: that is said, and not nothing."""
    walk = explore(load(CLOCK, init="hour = 9 /\\ used = {}", next="Wrong"))
    assert walk.choices.moves == ()
    assert "contradict" in walk.why("Wrong")[0].text


def test_step_properties_and_constraints(clock: Walk) -> None:
    assert clock.find("hour = 7").moves is not None
    clock.go(clock.find("hour = 7"))
    assert clock.violated == ("Early",)
    clock.take("Tick")
    assert [move.outside for move in clock.choices.moves if move.action == "Tick"] == [True]


def test_a_property_without_a_value_here() -> None:
    walk = explore(load(CLOCK, init="Init", next="Next", invariants=["Odd"]))
    walk.walk([3, 1])
    (odd,) = walk.properties
    assert odd.holds is None
    assert "divided by zero" in odd.error


def test_random_walks_are_those_of_their_seed(lock: Walk) -> None:
    lock.random(7, 10)
    first = lock.numbers
    lock.start()
    lock.random(7, 10)
    assert lock.numbers == first
    lock.start()
    lock.random(8, 10)
    assert lock.numbers != first


def test_a_random_walk_ends_where_something_becomes_false(tmp_path: Path) -> None:
    spec = tmp_path / "Up.tla"
    definitions = "VARIABLE x\nInit == x = 0\nNext == x' = x + 1\nSmall == x < 2"
    spec.write_text(f"---- MODULE Up ----\nEXTENDS Naturals\n{definitions}\n====\n")
    walk = explore(load(spec, init="Init", next="Next", invariants=["Small"]))
    for reached in ("2", "12"):
        walk.random(1, 10)
        assert walk.texts["x"] == reached


def test_a_walk_through_an_algorithm_is_told_in_its_words(tmp_path: Path) -> None:
    spec = tmp_path / "Up.tla"
    spec.write_text(
        "---- MODULE Up ----\nEXTENDS Naturals\n(* --algorithm Up\nvariables x = 0;\nprocess p \\in {1, 2} begin\n"
        "  Go: x := x + 1;\nend process;\nend algorithm *)\n====\n"
    )
    walk = explore(load(spec, init="Init", next="Next"))
    walk.take("Go(2)")
    place = f"process p, {spec}:6"
    assert place in exported(walk, "walk.txt")
    assert ModelViews(walk.space).model()["algorithm"] == {"Go": f"{place}: Go: x := x + 1;"}


def test_jumps(lock: Walk) -> None:
    jump = lock.find(r'\A w \in Worker : at[w] = "inside"')
    assert [move.title for move in jump.moves or ()] == ["Look(w1)", "Look(w2)", "Take(w1)", "Take(w2)"]
    lock.go(jump)
    assert lock.violated == ("OneInside",)
    step = lock.find("holder # Nobody /\\ holder' = Nobody")
    assert [move.title for move in step.moves or ()] == ["Leave(w1)"]
    assert lock.find("Cardinality(Worker) = 5").moves is None
    with pytest.raises(TlaError, match="TLA\\+ does not say whether they are equal"):
        lock.find('at = "never"')


def test_a_jump_that_gives_up_says_so(lock: Walk) -> None:
    jump = lock.find("FALSE", most=3)
    assert (jump.moves, jump.whole) == (None, False)
    everything = lock.find("FALSE")
    assert (everything.moves, everything.whole, everything.looked_at) == (None, True, 14)
    with pytest.raises(TlaError, match="speaks of a whole behaviour"):
        lock.find("<>(holder = w1)")


def test_expressions_here_and_of_the_step_that_led_here(lock: Walk) -> None:
    assert lock.value("holder").text == "nobody"
    with pytest.raises(TlaError, match="none led here"):
        lock.value("holder'")
    lock.define('Inside == {w \\in Worker : at[w] = "inside"}')
    lock.walk([1, 1, 1])
    assert lock.value("<<holder, holder', Inside, Inside'>>").text == "<<nobody, w1, {}, {w1}>>"
    assert lock.value("<>(holder = w1)").text == "TRUE"


def test_a_trace_is_walked(lock: Walk) -> None:
    found = check(str(LOCK)).behaviour
    assert found is not None
    lock.follow(found.shown)
    assert lock.behaviour.steps == found.shown.steps
    steps = found.shown.steps
    with pytest.raises(TlaError, match=r"step 4 \(Take\) of the trace is none of this model"):
        lock.follow(Behaviour(found.shown.variables, (*steps[:3], *steps[4:])))
    assert len(lock.path) == len(steps)


def test_exports(lock: Walk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The trace is read again, the module is checked with the property that the walk violates, the test passes."""
    lock.go(lock.find(r'\A w \in Worker : at[w] = "inside"'))
    (tmp_path / "walk.itf.json").write_text(exported(lock, "walk.itf.json"))
    assert [step.action for step in read_itf(tmp_path / "walk.itf.json").steps][1:] == ["Look", "Look", "Take", "Take"]

    (tmp_path / "Walked.tla").write_text(exported(lock, "Walked.tla"))
    again = check(load(tmp_path / "Walked.tla", search_path=[LOCK.parent]), engine="python")
    assert (again.violated, again.distinct) == ("OneInside", 5)
    wrong = (
        (tmp_path / "Walked.tla").read_text().replace('at |-> (w1 :> "saw', 'at |-> (w1 :> "inside" @@ w1 :> "saw', 1)
    )
    (tmp_path / "Walked.tla").write_text(wrong)
    assert check(load(tmp_path / "Walked.tla", search_path=[LOCK.parent]), engine="python").violated == "WalkIsAllowed"

    namespace: dict[str, Any] = {}
    exec(exported(lock, "test_walk.py"), namespace)
    namespace["test_walk"]()
    with pytest.raises(NoSuchStep, match=r"ends in .itf.json, .tla, .py, .txt"):
        exported(lock, "walk.doc")
