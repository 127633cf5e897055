"""Random simulation: what it finds, and that a seed says all."""

from __future__ import annotations

from rmqproof.model.search.control import Control
from rmqproof.model.search.result import Result, Stopped, Verdict
from rmqproof.model.search.simulate import Simulation
from rmqproof.model.search.system import StateProperty, StepProperty

from .toys import Toy, counter, grid, jugs


def simulate(system: Toy, behaviours: int = 200, depth: int = 20, seed: int = 1, **more) -> Result:
    return Simulation(system, behaviours=behaviours, depth=depth, seed=seed, **more).run()


def test_finds_a_violated_invariant():
    result = simulate(jugs(invariants=[StateProperty("NotSolved", lambda s: s[0] != 4, "Solved.")]), depth=50)
    assert result.verdict is Verdict.SAFETY
    assert result.behaviour[-1].state[0] == 4
    assert result.violation.sentence == "Solved."


def test_finds_a_deadlock_only_where_there_is_no_successor():
    assert simulate(counter(5, check_deadlock=True)).verdict is Verdict.DEADLOCK
    assert simulate(counter(5)).verdict is Verdict.SUCCESS
    assert simulate(counter(5, check_deadlock=True, constraint=lambda s: s < 3)).verdict is Verdict.SUCCESS


def test_finds_a_violated_step_property():
    result = simulate(grid(4, 4, step_properties=[StepProperty("NeverUp", lambda s, t: t[1] == s[1])]))
    assert result.verdict is Verdict.LIVENESS
    assert result.behaviour[-1].action == "Up"


def test_depth_counts_states():
    result = simulate(counter(100), behaviours=3, depth=7)
    assert (result.depth, result.behaviours, result.distinct, result.total) == (7, 3, 21, 1 + 3 * 6)
    assert not result.exhaustive


def test_another_seed_gives_other_behaviours():
    def ends(seed: int) -> tuple:
        system = grid(30, 30, invariants=[StateProperty("Near", lambda s: sum(s) < 25)])
        return simulate(system, depth=50, seed=seed).behaviour

    assert ends(1) == ends(1)
    assert ends(1) != ends(2)


def test_an_error_carries_the_behaviour():
    def step(s):
        if s == 3:
            raise ZeroDivisionError
        yield 0, s + 1

    result = simulate(Toy([0], step))
    assert result.failure.during == "successors"
    assert [step.state for step in result.behaviour] == [0, 1, 2, 3]


def test_a_limit_is_no_success():
    result = simulate(counter(100), control=Control(max_seconds=0))
    assert result.verdict is Verdict.ERROR
    assert result.stopped is Stopped.SECONDS


def rare(found: list[int]) -> Toy:
    """A tree with 4,096 leaves, one of which is the bug; a step may also lead nowhere."""

    def step(s):
        yield 0, s
        if len(s) < 12:
            yield 0, (*s, 0)
            yield 0, (*s, 1)

    return Toy([()], step, invariants=[StateProperty("Safe", lambda s: s != tuple(found), "Found.")])


def test_guided_behaviours_find_what_chance_does_not():
    """No more behaviours are taken than the tree has leaves; with equal chances one in 2 to the 12th finds it."""
    system = rare([1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0])
    result = simulate(system, behaviours=5000, depth=40, guided=True)
    assert result.verdict is Verdict.SAFETY
    assert simulate(system, behaviours=result.behaviours + 1, depth=40, guided=True).behaviour == result.behaviour
    assert simulate(system, behaviours=300, depth=40).verdict is Verdict.SUCCESS


def test_a_guided_simulation_ends_when_it_has_met_everything():
    result = simulate(grid(5, 5), behaviours=10_000, depth=30, guided=True)
    assert result.verdict is Verdict.SUCCESS and not result.exhaustive
    assert result.behaviours <= 25


def test_a_guided_simulation_depends_on_its_seed_alone():
    def met(seed: int) -> tuple:
        result = simulate(grid(9, 9), behaviours=20, depth=30, seed=seed, guided=True)
        return result.distinct, result.coverage

    assert met(3) == met(3)
