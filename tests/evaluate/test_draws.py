"""What is drawn at random: anew each time, the same in every run, and never what a success is silent about."""

from __future__ import annotations

import pytest

from rmqproof import check, load, simulate
from rmqproof.model.api.result import Result
from rmqproof.model.evaluate.draws import Draws
from rmqproof.model.evaluate.lazy import Filtered
from rmqproof.model.evaluate.lazy_sets import Interval
from rmqproof.model.evaluate.library import samples
from rmqproof.model.evaluate.library.operator import Runtime
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.tla.core import Call

CONFIG = "INIT Init\nNEXT Next\n"


def text(definitions: str) -> str:
    return f"""---- MODULE Drawn ----
EXTENDS Integers, TLC, Randomization
VARIABLES x, y
Init == x = 0 /\\ y = 0
Same == x = y
{definitions}
===="""


def checked(definitions: str, config: str = "INVARIANT Same\n", **options) -> Result:
    return check(load(text(definitions), CONFIG + config), **options)


APART = [
    "Next == x' = RandomElement(0..99) /\\ y' = RandomElement(0..99)",
    "Next == LET r == RandomElement(0..99) IN x' = r /\\ y' = r",
    "R == RandomElement(0..(99 + x - x))\nNext == x' = R /\\ y' = R",
    "R(n) == RandomElement(0..n)\nNext == x' = R(99) /\\ y' = R(99)",
    "Next == \\E i \\in 1..9, j \\in {[k \\in 1..2 |-> RandomElement(0..99)]} : x' = j[1] /\\ y' = j[2]",
    "Next == x' = RandomSubset(3, 1..99) /\\ y' = RandomSubset(3, 1..99)",
    "Next == x' = RandomSetOfSubsets(3, 9, 1..99) /\\ y' = RandomSetOfSubsets(3, 9, 1..99)",
]
ALIKE = [
    "R == RandomElement(0..99)\nNext == x' = R /\\ y' = R",
    "R == RandomSubset(3, 1..99)\nNext == \\E r \\in R : x' = r /\\ y' = r",
    "F(r) == x' = r /\\ y' = r\nNext == F(RandomElement(0..99))",
    "Next == x' = (LET r == RandomElement(0..99) IN r - r) /\\ y' = 0",
    "Next == \\E r \\in {RandomElement(0..99)} : x' = r /\\ y' = r",
]


@pytest.mark.parametrize("engine", ["python", "native"])
@pytest.mark.parametrize("step", APART)
def test_what_tlc_draws_twice_is_drawn_twice(step: str, engine: str) -> None:
    assert checked(step, engine=engine).verdict == "safety failure"


@pytest.mark.parametrize("engine", ["python", "native"])
@pytest.mark.parametrize("step", ALIKE)
def test_what_tlc_draws_once_is_drawn_once_and_the_success_says_so(step: str, engine: str) -> None:
    found = checked(step, engine=engine)
    assert found.verdict == "success"
    assert "Drawn.tla:" in found.message and "nothing is proved" in found.message
    assert not found and not found.exhaustive


def test_draws_are_the_same_in_every_run_and_for_any_number_of_workers() -> None:
    step = "Next == \\E i \\in 1..3 : x' = RandomElement(0..40) + i /\\ y' = (y + RandomElement({0, 1})) % 40"
    found = [
        BreadthFirst(system_of(load(text(step), CONFIG).resolved), workers=workers, block=block).run()
        for workers, block in ((1, None), (2, 50), (1, None))
    ]
    assert found[0].distinct > 500
    assert len({(each.distinct, each.total, each.depth) for each in found}) == 1


def test_a_counterexample_of_draws_is_found_again() -> None:
    found = checked(
        "Next == \\E i \\in 1..3 : x' = RandomElement(0..99) + i /\\ y' = i\nBelow == x < 97", "INVARIANT Below\n"
    )
    assert found.verdict == "safety failure"
    assert found.behaviour[-1]["x"] >= 97


def test_random_behaviours_draw_anew_in_the_same_state() -> None:
    step = "Next == x' = RandomElement(1..3) * (1 - y) /\\ y' = 1 - y"
    never = ["A == x # 1", "B == x # 2", "C == x # 3"]
    for each in never:  # in state (0, 0) each of the three is drawn some time
        model = load(text("\n".join([step, each])), f"{CONFIG}INVARIANT {each[0]}\n")
        found = simulate(model, 3, depth=60, seed=1)
        assert found.verdict == "safety failure"


def test_an_assumption_alone_draws_nothing_for_the_search() -> None:
    found = checked("ASSUME RandomElement(1..9) \\in 1..9\nNext == UNCHANGED <<x, y>>")
    assert found.verdict == "success" and found.exhaustive


def test_what_alias_draws_is_only_shown() -> None:
    found = checked("Next == UNCHANGED <<x, y>>\nShown == [x |-> RandomElement(1..9)]", "INVARIANT Same\nALIAS Shown\n")
    assert found.verdict == "success" and found.exhaustive


def test_the_place_and_the_occasion_say_what_is_drawn() -> None:
    def three(draws: Draws, *words: object) -> list[float]:
        with draws.occasion(*words):
            return [draws.random(place).random() for place in ("a", "b", "a")]

    draws = Draws()
    first = three(draws, "next", 7)
    assert len(set(first)) == 3
    assert first == three(Draws(), "next", 7)
    assert not set(first) & set(three(draws, "next", 8))
    with draws.occasion("next", 7):
        assert draws.random("b").random() == first[1]  # whatever was evaluated before it
        assert three(draws, "next", 8) and draws.random("a").random() == first[0]
    draws.salt = "5"
    assert not set(first) & set(three(draws, "next", 7))


SAME = [Interval(1, 9), frozenset(range(1, 10)), Filtered(Interval(0, 9), lambda item: item > 0)]


@pytest.mark.parametrize("items", SAME)
def test_how_a_set_is_kept_does_not_matter(items: object) -> None:
    """A definition has one value for all who ask, whether its sets were listed before or not."""
    drawn = (samples.random_element(Runtime(), items), samples.random_subset(Runtime(), 4, items))
    assert drawn == (samples.random_element(Runtime(), SAME[0]), samples.random_subset(Runtime(), 4, SAME[0]))


def test_a_definition_that_is_drawn_is_the_same_for_all_who_ask() -> None:
    definitions = """Graphs == [edge : SUBSET ((1..3) \\X (1..3))]
Graph == LET g == RandomElement(Graphs) IN [edge |-> g.edge \\cup {<<1, 1>>}]
Next == \\E e \\in Graph.edge : x' = e[1] /\\ y' = e[2]
Known == <<x, y>> \\in Graph.edge \\cup {<<0, 0>>}"""
    for engine in ("python", "native"):
        assert checked(definitions, "INVARIANT Known\n", engine=engine).verdict == "success"


def test_a_definition_that_is_drawn_has_one_value_whoever_asks_first() -> None:
    model = load(text("R == RandomElement(0..999)\nNext == x' = R /\\ y' = R"), CONFIG).resolved
    definition = model.specification.definitions["R"]
    asked, searched = system_of(model), system_of(model)
    value = asked.constant(Call(definition.at, definition))
    ((_, _, state),) = searched.successors(next(iter(searched.initial_states())))
    assert searched.values(state) == (value, value)
