"""Exact counts, verdicts and counterexamples on systems whose numbers are known."""

from __future__ import annotations

import pytest

from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.control import Control
from rmqproof.model.search.result import FindingKind, PropertyKind, Result, Stopped, Verdict
from rmqproof.model.search.system import StateProperty, StepProperty
from rmqproof.model.search.trace import TraceError

from .toys import Toy, counter, grid, jugs, two_phase


def check(system: Toy, **options) -> Result:
    return BreadthFirst(system, workers=1, **options).run()


def counts(result: Result) -> tuple[int, int, int]:
    return result.distinct, result.total, result.depth


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        (counter(9), (10, 10, 10)),
        (grid(4, 3), (12, 1 + 3 * 3 + 4 * 2, 6)),
        (jugs(), (16, 97, 8)),
        (two_phase(3), (288, 1146, 11)),
        (two_phase(5), (8832, 58146, 17)),
    ],
)
def test_counts_are_those_tlc_publishes(system, expected):
    result = check(system)
    assert result.verdict is Verdict.SUCCESS
    assert result.exhaustive
    assert counts(result) == expected
    assert result.queue == 0


def test_invariant_gives_a_shortest_behaviour():
    result = check(jugs(invariants=[StateProperty("NotSolved", lambda s: s[0] != 4, "Four gallons can be measured.")]))
    assert result.verdict is Verdict.SAFETY
    assert result.violation.name == "NotSolved"
    assert result.violation.sentence == "Four gallons can be measured."
    assert [step.state for step in result.behaviour] == [(0, 0), (5, 0), (2, 3), (2, 0), (0, 2), (5, 2), (4, 3)]
    assert [step.action for step in result.behaviour][:3] == [None, "FillBigJug", "BigToSmall"]
    assert result.behaviour[1].arguments == (1, "argument")
    assert not result.exhaustive
    assert result.depth == 7


def test_violation_stops_the_counts_at_once():
    """Of the two successors of (0, 0) the second is violated: three states generated, and no more."""
    result = check(grid(9, 9, invariants=[StateProperty("Low", lambda s: s[1] == 0)]))
    assert counts(result) == (3, 3, 2)


def test_violated_initial_state():
    result = check(Toy([1, 2, 3], lambda s: iter(()), invariants=[StateProperty("NotTwo", lambda s: s != 2)]))
    assert result.verdict is Verdict.SAFETY
    assert counts(result) == (2, 2, 1)
    assert [step.action for step in result.behaviour] == [None]


def test_initial_property_is_a_liveness_failure_as_in_tlc():
    result = check(counter(3, initial_properties=[StateProperty("StartsAtOne", lambda s: s == 1)]))
    assert result.verdict is Verdict.LIVENESS
    assert result.violation.kind is PropertyKind.INITIAL


def test_step_property_is_checked_on_steps_to_seen_states():
    def step(s):
        yield 0, (s + 1) % 3

    result = check(Toy([0], step, step_properties=[StepProperty("Grows", lambda s, t: t > s)]))
    assert result.verdict is Verdict.LIVENESS
    assert [step.state for step in result.behaviour] == [0, 1, 2, 0]
    assert counts(result) == (3, 4, 3)


def test_deadlock():
    result = check(counter(4, check_deadlock=True))
    assert result.verdict is Verdict.DEADLOCK
    assert [step.state for step in result.behaviour] == [0, 1, 2, 3, 4]
    assert result.violation.name == "deadlock"


def test_no_deadlock_where_the_constraint_cuts_every_successor():
    result = check(counter(9, check_deadlock=True, constraint=lambda s: s <= 3))
    assert result.verdict is Verdict.SUCCESS
    assert counts(result) == (4, 5, 4)
    assert result.cut == 1


def test_states_outside_the_constraint_are_checked_and_not_expanded():
    result = check(counter(9, constraint=lambda s: s <= 3, invariants=[StateProperty("Small", lambda s: s <= 3)]))
    assert result.verdict is Verdict.SAFETY
    assert [step.state for step in result.behaviour] == [0, 1, 2, 3, 4]
    assert counts(result) == (4, 5, 4)


def test_action_constraint():
    result = check(grid(3, 3, action_constraint=lambda s, t: t[1] == s[1]))
    assert counts(result) == (3, 1 + 2 + 3, 3)


def test_initial_state_outside_the_constraint():
    result = check(Toy([0, 7], lambda s: iter([(0, s)]), constraint=lambda s: s < 5))
    assert counts(result) == (1, 3, 1)


def test_duplicate_initial_states_are_generated_and_not_distinct():
    assert counts(check(Toy([0, 0, 1], lambda s: iter([(0, s)])))) == (2, 5, 1)


def test_no_initial_state_is_a_finding():
    result = check(Toy([], lambda s: iter(())))
    assert result.verdict is Verdict.SUCCESS
    assert counts(result) == (0, 0, 0)
    assert [f.kind for f in result.findings] == [FindingKind.NO_STATES]


def test_initial_states_without_actions_are_an_error():
    result = check(Toy([0], lambda s: iter(()), actions=()))
    assert result.verdict is Verdict.ERROR
    assert not result.exhaustive


def test_view_identifies_states():
    result = check(grid(4, 4, view=lambda s: s[0] + s[1]))
    assert result.distinct == 7


def test_counterexample_under_a_view_is_a_real_behaviour():
    system = grid(5, 5, view=lambda s: s[0] + s[1], invariants=[StateProperty("Near", lambda s: s[0] + s[1] < 4)])
    states = [step.state for step in check(system).behaviour]
    assert states == [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]


def test_error_while_evaluating_carries_the_behaviour():
    def step(s):
        yield 0, s + 1
        if s == 2:
            raise ZeroDivisionError("nothing divides by nought")

    result = check(Toy([0], step))
    assert result.verdict is Verdict.ERROR
    assert isinstance(result.failure.error, ZeroDivisionError)
    assert result.failure.during == "successors"
    assert [step.state for step in result.behaviour] == [0, 1, 2]


def test_error_in_an_invariant_names_it():
    result = check(
        counter(
            5, invariants=[StateProperty("Fine", lambda s: True), StateProperty("Broken", lambda s: 1 / (s - 3) < 9)]
        )
    )
    assert result.failure.during == "invariant Broken"
    assert [step.state for step in result.behaviour] == [0, 1, 2, 3]


def test_keep_going_collects_a_violation_of_each_property():
    system = grid(
        4,
        4,
        invariants=[StateProperty("X", lambda s: s[0] < 3), StateProperty("Y", lambda s: s[1] < 2)],
        step_properties=[StepProperty("Never", lambda s, t: False)],
    )
    result = check(system, keep_going=True)
    assert [(v.name, v.depth) for v in result.violations] == [("Never", 2), ("Y", 3), ("X", 4)]
    assert result.exhaustive
    assert counts(result) == counts(check(grid(4, 4)))


def test_coverage_and_findings():
    def step(s):
        yield 0, (s + 1) % 4
        yield 0, s
        if s > 7:
            yield 1, 0

    result = check(Toy([0], step, actions=("Move", "Never"), constraint=lambda s: True))
    move, never = result.coverage
    assert (move.enabled, move.total, move.distinct) == (4, 8, 3)
    assert (never.enabled, never.total, never.distinct) == (0, 0, 0)
    assert {(f.kind, f.subject) for f in result.findings} == {
        (FindingKind.ACTION_NEVER_TAKEN, "Never"),
        (FindingKind.CONSTRAINT_CUT_NOTHING, ""),
        (FindingKind.NO_PROPERTIES, ""),
    }


def test_constraint_that_cuts_everything_is_a_finding():
    result = check(counter(5, constraint=lambda s: s == 0))
    assert FindingKind.CONSTRAINT_CUT_EVERYTHING in {f.kind for f in result.findings}


def test_limits_never_say_success():
    result = check(grid(50, 50), control=Control(max_states=100))
    assert result.verdict is Verdict.ERROR
    assert result.stopped is Stopped.STATES
    assert not result.exhaustive
    assert "nothing is proved" in result.message
    result = check(grid(50, 50), control=Control(max_seconds=0.0))
    assert result.stopped is Stopped.SECONDS


def test_interrupted():
    control = Control()
    system = counter(1000, invariants=[StateProperty("Watch", lambda s: s != 500 or not control.interrupt() or True)])
    result = check(system, control=control)
    assert result.stopped is Stopped.INTERRUPTED
    assert result.verdict is Verdict.ERROR
    assert result.distinct == 501


def test_collision_probability_is_tlcs():
    result = check(two_phase(5))
    assert result.collision.optimistic == pytest.approx(8832 * (58146 - 8832) / 2**64)
    assert result.collision.observed is None or result.collision.optimistic >= 1e-10


def test_counterexample_under_a_view_keeps_to_the_constraints():
    """(1, 1) and (1, 2) look alike; the step to the first is forbidden, so the behaviour goes through the second."""
    edges = {(0, 0): [(0, (1, 1)), (0, (1, 2))], (1, 2): [(0, (2, 2))], (1, 1): [], (2, 2): []}
    result = check(
        Toy(
            [(0, 0)],
            lambda state: iter(edges[state]),
            view=lambda state: state[0],
            action_constraint=lambda before, after: after != (1, 1),
            invariants=[StateProperty("Near", lambda state: state[0] < 2)],
        )
    )
    assert [step.state for step in result.behaviour] == [(0, 0), (1, 2), (2, 2)]


def test_a_system_that_steps_otherwise_the_second_time_is_an_error_not_a_verdict():
    calls = 0

    def step(s):
        nonlocal calls
        calls += 1
        yield 0, s + calls

    for faulty in (
        Toy([0], step, invariants=[StateProperty("Small", lambda s: s < 50)]),
        Toy([0], lambda s: iter([(0, next(iter(step(s)))[1])] if s < 50 else []), check_deadlock=True),
    ):
        result = check(faulty)
        assert result.verdict is Verdict.ERROR
        assert isinstance(result.failure.error, TraceError)


def test_a_search_that_starts_over_has_no_negative_rate():
    control = Control(progress_seconds=0.0)
    told = []
    control.on_progress = told.append
    control.start()
    for total in (1_000, 3_000, 50):
        control.should_stop(total, total, 1, 1)
    assert [progress.total for progress in told] == [1_000, 3_000, 50]
    assert all(progress.rate >= 0 for progress in told)
