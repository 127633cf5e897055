"""Which steps pass a line: those that are made by a way on which it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof import load
from rmqproof.model.debugger.stops import CannotStop, Stops, Wanted, counting
from rmqproof.model.explore.session import Session
from rmqproof.model.explore.space import Space, open_space

WAYS = """---- MODULE Ways ----
EXTENDS Naturals
VARIABLES x, y
vars == <<x, y>>

Init ==
  \\/ x = 0 /\\ y = 0
  \\/ x = 7
     /\\ y = 7

Small(n) ==
  \\/ n = 0
  \\/ n = 1

Double(n) == n + n

Up(k) ==
  /\\ Small(x)

  /\\ x' = Double(x)
       + k
  /\\ IF y = 0
     THEN y' = 1
     ELSE UNCHANGED y

Other ==
  LET step == IF x = 7 THEN 0 ELSE 1
      Go(n) ==
        x' = n
  IN /\\ Go(step)
     /\\ CASE y = 7 -> y' = 6
          [] y > 5 -> y' = 5
          [] OTHER -> y' = y

Next ==
  \\/ \\E k \\in 1..2 : Up(k)
  \\/ Other

Spec == Init /\\ [][Next]_vars
Low == x < 3

Fine ==
  /\\ Low
  /\\ y < 7
====
"""


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Space:
    folder = tmp_path_factory.mktemp("ways")
    (folder / "Ways.tla").write_text(WAYS)
    (folder / "Ways.cfg").write_text("SPECIFICATION Spec\nINVARIANT Fine\n")
    return open_space(load(folder / "Ways.tla").files)


def line_of(text: str) -> int:
    (found,) = [number for number, line in enumerate(WAYS.splitlines(), 1) if text in line]
    return found


def passed(space: Space, start: int, text: str, condition: str = "") -> list[str]:
    """The steps from an initial state that pass the line."""
    stop = Stops(space).on_line(space.files.spec.resolve(), line_of(text), None, Wanted(condition))
    session = Session(space)
    here = session.start(start).state
    return [move.title for move in session.choices.moves if stop.test(here, move.state)]


def starts(space: Space, text: str) -> list[int]:
    stop = Stops(space).on_line(space.files.spec.resolve(), line_of(text), None, Wanted())
    return [move.number for move in space.initial.moves if stop.test(None, move.state)]


@pytest.mark.parametrize(
    "line, start, steps",
    [
        ("Up(k) ==", 1, ["Up(1)", "Up(2)"]),
        ("x' = Double(x)", 1, ["Up(1)", "Up(2)"]),
        ("     + k", 1, ["Up(1)", "Up(2)"]),
        ("THEN y' = 1", 1, ["Up(1)", "Up(2)"]),
        ("ELSE UNCHANGED y", 1, []),
        ("\\/ n = 0", 1, ["Up(1)", "Up(2)"]),
        ("\\/ n = 1", 1, []),
        ("Small(n) ==", 1, ["Up(1)", "Up(2)"]),
        ("\\/ Other", 2, ["Other"]),
        ("CASE y = 7", 2, ["Other"]),
        ("[] y > 5", 2, []),
        ("[] OTHER", 1, ["Other"]),
        ("        x' = n", 2, ["Other"]),
        ("\\E k \\in 1..2", 2, []),
    ],
)
def test_steps_that_pass_a_line(space: Space, line: str, start: int, steps: list[str]) -> None:
    # the second number of `x = 7` is the second initial state
    assert passed(space, start, line) == steps


def test_initial_states_that_pass_a_line(space: Space) -> None:
    assert starts(space, "\\/ x = 0") == [1]
    assert starts(space, "     /\\ y = 7") == [2]
    assert starts(space, "Init ==") == [1, 2]


def test_a_condition_speaks_of_the_step_and_of_what_is_bound(space: Space) -> None:
    assert passed(space, 1, "x' = Double(x)", "k = 2") == ["Up(2)"]
    assert passed(space, 1, "\\E k \\in 1..2", "x' > 1") == ["Up(2)"]
    assert passed(space, 1, "\\/ n = 0", "n = x") == ["Up(1)", "Up(2)"]
    assert passed(space, 1, "THEN y' = 1", "k = 1 /\\ y' = 1") == ["Up(1)"]


@pytest.mark.parametrize(
    "condition, said",
    [("k =", "condition"), ("unknown > 1", "unknown"), ("[](x = 0)", "a step, or of a whole behaviour")],
)
def test_a_condition_that_is_none(space: Space, condition: str, said: str) -> None:
    with pytest.raises(CannotStop, match=said):
        passed(space, 1, "x' = Double(x)", condition)


def test_what_is_bound_at_some_of_the_places_alone(space: Space) -> None:
    with pytest.raises(CannotStop, match="k"):
        passed(space, 1, "\\/ Other", "k = 1")


def test_a_line_between_conjuncts_is_the_next_one(space: Space) -> None:
    stops = Stops(space)
    file = space.files.spec.resolve()
    blank = line_of("/\\ Small(x)") + 1
    found = stops.on_line(file, blank, None, Wanted())
    assert found.at is not None and found.at.line == line_of("x' = Double(x)")


@pytest.mark.parametrize("line", ["Spec ==", "Double(n) == n + n"])
def test_a_line_that_no_step_passes(space: Space, line: str) -> None:
    with pytest.raises(CannotStop, match="No step passes here"):
        passed(space, 1, line)


def test_another_file(space: Space) -> None:
    with pytest.raises(CannotStop, match="No step passes here"):
        Stops(space).on_line(Path(__file__), 1, None, Wanted())


def test_a_column_chooses_among_what_stands_on_a_line(space: Space) -> None:
    stops = Stops(space)
    line = line_of("\\/ x = 0")
    found = stops.on_line(space.files.spec.resolve(), line, WAYS.splitlines()[line - 1].index("y = 0") + 1, Wanted())
    assert found.at is not None and (found.at.column, found.at.end_column) == (15, 20)


def test_an_operator_by_its_name(space: Space) -> None:
    stop = Stops(space).in_operator("Small", Wanted("n = 0"))
    session = Session(space)
    here = session.start(1).state
    assert [move.title for move in session.choices.moves if stop.test(here, move.state)] == ["Up(1)", "Up(2)"]
    with pytest.raises(CannotStop, match=r"there are .*Up.*Other"):
        Stops(space).in_operator("Double", Wanted())


@pytest.mark.parametrize(
    "text, hits", [("", [1, 2, 3, 4]), ("3", [3, 4]), ("= 2", [2]), (">2", [3, 4]), ("% 2", [2, 4]), ("%0", [])]
)
def test_numbers_of_hits(text: str, hits: list[int]) -> None:
    assert [number for number in range(1, 5) if counting(text)(number)] == hits


def test_a_number_of_hits_that_is_none() -> None:
    with pytest.raises(CannotStop, match="some is no number of hits"):
        counting("some")


@pytest.mark.parametrize("line, stops", [("/\\ Low", [2]), ("/\\ y < 7", [2]), ("Low == x < 3", [2]), ("Fine ==", [2])])
def test_a_line_of_an_invariant_stops_where_it_is_false(space: Space, line: str, stops: list[int]) -> None:
    assert starts(space, line) == stops


def test_a_conjunct_of_an_invariant_alone(space: Space) -> None:
    stops = Stops(space)
    file = space.files.spec.resolve()
    low, high = (stops.on_line(file, line_of(text), None, Wanted()) for text in ("Low ==", "y < 7"))
    after = next(move.state for move in space.moves(space.initial.moves[1].state).moves)
    assert space.shown(after) == {"x": 0, "y": 6}
    assert not low.test(None, after) and not high.test(None, after)
    large = stops.on_line(file, line_of("y < 7"), None, Wanted("x = 7"))
    assert large.test(None, space.initial.moves[1].state) and not large.test(None, after)
