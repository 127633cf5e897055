"""What the lines of nodes say of each other: the order that follows, and that nothing is lost by it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmqproof.conformance.runs.event import Event, RunError
from rmqproof.conformance.runs.event_order import Order, order_of
from rmqproof.conformance.runs.folding import Pace
from rmqproof.conformance.runs.formats import LogFormat
from rmqproof.conformance.runs.happens_before import Demand, Knowledge, Met, ordered_by
from rmqproof.conformance.runs.model import RunModel
from rmqproof.conformance.runs.streams import Streams
from rmqproof.conformance.runs.validate import validate_runs
from rmqproof.conformance.runs.validation import Answer, Bounds, Validation
from rmqproof.rocketmq.runs.cluster import CONTROLLER, read_cluster
from rmqproof.rocketmq.runs.demands import BrokerFacts, Late, cluster_knowledge
from rmqproof.rocketmq.runs.format import CLUSTER, refine
from tests.at_length import first
from tests.rocketmq.runs.cluster_recording import (
    CONTROLLER_MODE,
    LATE_ACKS,
    LATE_BATCHES,
    Line,
    open_walk,
    walk,
    write_by_node,
)

# --- orders ----------------------------------------------------------------------------------------------------------


def look(node: str, number: int, sent: Sequence[str] = (), received: Sequence[str] = ()) -> Event:
    return Event(node, None, state={"x": number}, sequence=number, sent=tuple(sent), received=tuple(received))


def is_number(wanted: int, facts: int) -> Met:
    return Met.YES if facts == wanted else Met.NO


def numbered(events: list[Event], wanted: dict[tuple[str, int], tuple[str, int]], facts: dict[str, list[int]]) -> Order:
    """Facts of a node are numbers, by the number of its lines so far; an event wants one of another node."""
    order = order_of(events)
    demands = []
    for event in order.events:
        other = wanted.get((event.node, event.sequence or 0))
        demands.append((Demand((other[0], ""), partial(is_number, other[1])),) if other is not None else ())
    after = [facts[event.node][event.sequence or 0] for event in order.events]
    return ordered_by(order, Knowledge({(name, ""): found[0] for name, found in facts.items()}, after, demands))


def places(order: Order) -> list[tuple[str, int | None]]:
    return [(event.node, event.sequence) for event in order.events]


def test_an_event_comes_between_the_lines_that_it_needs() -> None:
    """b's second event needs a as it is after two of its four lines."""
    events = [look("a", n) for n in (1, 2, 3, 4)] + [look("b", n) for n in (1, 2)]
    order = numbered(events, {("b", 2): ("a", 7)}, {"a": [0, 1, 7, 2, 3], "b": [0, 0, 0]})
    found = places(order)
    assert found.index(("a", 2)) < found.index(("b", 2)) < found.index(("a", 3))
    assert not order.open and not order.contradictions
    streams = Streams(order)
    ready = streams.next_events((1, 1))
    assert [places(order)[index] for index in ready] == [("a", 2)]
    assert ("a", 3) not in [places(order)[index] for index in streams.next_events((2, 1))]
    # by the lines alone both could come
    assert len(streams.written_next((2, 1))) == 2


def test_bounds_follow_from_bounds() -> None:
    """c needs b's second line, which needs a's: so c comes after a's."""
    events = [look(node, n) for node in "cba" for n in (1, 2, 3)]
    facts = {"a": [0, 0, 7, 0], "b": [0, 0, 5, 0], "c": [0, 0, 0, 0]}
    order = numbered(events, {("b", 2): ("a", 7), ("c", 1): ("b", 5)}, facts)
    found = places(order)
    assert found.index(("a", 2)) < found.index(("b", 2)) < found.index(("c", 1)) < found.index(("b", 3))
    ready = Streams(order).next_events((0, 0, 0))
    assert {found[index] for index in ready} == {("a", 1), ("b", 1)}


def test_what_is_met_twice_is_left_open_and_tried_where_it_was_read() -> None:
    events = [look("a", n) for n in (1, 2, 3, 4)] + [look("b", 1)]
    order = numbered(events, {("b", 1): ("a", 7)}, {"a": [0, 7, 0, 7, 0], "b": [0, 0]})
    assert list(order.open.values()) == [((("a", ""), ((1, 1), (3, 3))),)]
    found = places(order)
    assert found.index(("a", 3)) < found.index(("b", 1)) < found.index(("a", 4))
    streams = Streams(order)
    assert [("b", 1) in [found[i] for i in streams.next_events((n, 0))] for n in range(5)] == [0, 1, 0, 1, 0]


def test_what_is_never_met_and_what_goes_in_a_circle_has_no_place() -> None:
    events = [look("a", n) for n in (1, 2)] + [look("b", 1)]
    order = numbered(events, {("b", 1): ("a", 9)}, {"a": [0, 1, 2], "b": [0, 0]})
    assert [places(order)[index] for index in order.contradictions] == [("b", 1)]
    # each needs the other's first line done and its own not
    events = [look("a", n) for n in (1, 2)] + [look("b", n) for n in (1, 2)]
    order = numbered(events, {("a", 1): ("b", 7), ("b", 1): ("a", 7)}, {"a": [0, 7, 0], "b": [0, 7, 0]})
    assert order.contradictions


def test_a_message_named_twice_by_its_sender_orders() -> None:
    events = [look("b", 1, received=("m",)), look("a", 1, sent=("m", "m"))]
    assert order_of(events).needs == ((), (0,)) and places(order_of(events)) == [("a", 1), ("b", 1)]


# --- runs of the protocol --------------------------------------------------------------------------------------------


ENOUGH = dict.fromkeys(
    ("MaxPuts", "MaxEpoch", "MaxAlters", "MaxCrashes", "MaxLosses", "MaxLostDisks", "MaxBreaks", "MaxDesignations",
     "MaxFailOvers", "MaxReads"), 200,
)  # fmt: skip
"""Budgets for all of these runs, so that they have one model; without that of heartbeats, which runs alone have."""


NOTHING_LATE, ACKS_LATE, BATCHES_LATE = Late(), Late(acks=True), Late(acks=True, batches=True)
MODELS = {NOTHING_LATE: CONTROLLER_MODE, ACKS_LATE: LATE_ACKS, BATCHES_LATE: LATE_BATCHES}


@cache
def walked(late: Late) -> RunModel:
    return open_walk(MODELS[late])


def answer(lines: list[Line], tmp_path: Path, bounds: Bounds | None = None, form: LogFormat = CLUSTER) -> Validation:
    path = write_by_node(lines, tmp_path / "run.ndjson")
    return validate_runs([path], LATE_ACKS, form, bounds, constants=ENOUGH)


@pytest.mark.parametrize("late", first(1, MODELS))
def test_steps_of_the_model_meet_the_demands(late: Late, tmp_path: Path) -> None:
    asked = 0
    for seed in range(8):
        path = write_by_node(walk(walked(late), seed, 120), tmp_path / "run.ndjson")
        events = list(read_cluster([path])[0])
        taken = {id(event): json.loads(event.text)["detail"]["step"] for event in events if event.text[0] == "{"}
        events.sort(key=lambda event: (taken.get(id(event), -1), event.node != CONTROLLER))
        knowledge = cluster_knowledge(events, [(e.node, e.stream) for e in events], CONTROLLER, True, late)
        now = dict(knowledge.first)
        for event, demands, after in zip(events, knowledge.demands, knowledge.after, strict=True):
            for demand in demands:
                asked += 1
                facts = now[demand.of]
                met = Met.UNKNOWN if facts is None else demand.met(facts)
                assert met in (Met.YES, Met.UNKNOWN), (seed, event.text, facts)
            now[event.node, event.stream] = after
    assert asked > 250


def test_a_batch_of_no_message_is_of_a_master_that_has_nothing_more() -> None:
    """It brings an epoch. With a message more at the master the model's batch has that one."""
    broker = {"role": "Slave", "masterEpoch": 7, "master": "b2", "sss": {"#set": []}, "pending": {"#set": []}}
    state = {"broker": broker, "disk.logEnd": 4, "disk.flushed": 4, "disk.confirm": 4, "link": "b2"}
    batch = Event("b1", "SlaveAppendsBatch", ("b1",), facts=state)
    nodes = [("b1", ""), ("b1", ""), ("b2", "")]
    look = Event("b2", None)
    of_some, of_none = (
        cluster_knowledge(
            [replace(batch, facts={**state, "disk.logEnd": end}), batch, look], nodes, "c", True, ACKS_LATE
        ).demands[1][0]
        for end in (3, 4)
    )
    for end, some, none in ((4, Met.YES, Met.YES), (5, Met.YES, Met.NO)):
        master = BrokerFacts("Master", 7, "b2", 4, 5, end)
        assert (of_some.met(master), of_none.met(master)) == (some, none)


@pytest.mark.parametrize("seed", first(1, [1, 3]))
def test_a_run_whose_order_is_lost_is_explained(seed: int, tmp_path: Path) -> None:
    """Each node's lines in one piece, no clocks, no messages: the order of the steps is another one."""
    lines = walk(walked(ACKS_LATE), seed, 120)
    result = answer(lines, tmp_path)
    assert result.answer is Answer.YES
    assert sum(map(len, result.order.derived)) > 20 and result.tried < 10 * len(lines)
    explained = [(step.event.node, step.event.sequence) for step in result.steps if step.event is not None][1:]
    assert explained != sorted(explained), "node by node is no order of this run"


def test_a_folded_run_whose_states_are_forgotten_is_explained(tmp_path: Path) -> None:
    """Brokers that are down while everything that they have is folded come back with it."""
    lines = walk(walked(ACKS_LATE), 0, 120)
    for line in lines:
        if line["action"] == "ConsumerReads":  # what nobody has read is not folded
            line["action"] = None
    result = answer(lines, tmp_path, Bounds(recent=16, pinned=8, ahead=8, pace=Pace(ahead=2, gain=1, every=2)))
    assert result.answer is Answer.YES and max(step.folded for step in result.steps) >= 2
    assert len(result.model.states) < result.tried / 2
    assert len(result.layers) < len(lines) / 2, "the others are forgotten"
    for step in reversed(result.steps[::3]):
        state = step.state
        assert result.model.subject.system.fingerprint(state) == step.fingerprint


def test_a_step_that_is_none_is_not_one_to_the_python_engine(tmp_path: Path) -> None:
    result = answer(walk(walked(ACKS_LATE), 3, 60), tmp_path)
    model, checked = result.model, 0
    for before, after in zip(result.steps, result.steps[1:], strict=False):
        if after.action is not None and before.folded == after.folded == 0 and before.state[:-1] != after.state[:-1]:
            checked += 1
            assert not model.holds(after.state, after.action, after.arguments, before.state), after.action
    assert checked > 20


def mutated(lines: list[Line], random: Random) -> list[Line]:
    """With one line dropped, doubled, put after the next of its node, or altered."""
    lines = deepcopy(lines)
    chosen = random.choice(lines)
    later = [
        line for line in lines if line["node"] == chosen["node"] and line["sequence"] > chosen["sequence"]
    ]  # fmt: skip
    match random.choice(("drop", "double", "swap", "alter")):
        case "drop":
            lines.remove(chosen)
            for line in later:
                line["sequence"] -= 1
        case "double":
            for line in later:
                line["sequence"] += 1
            lines.append({**deepcopy(chosen), "sequence": chosen["sequence"] + 1})
        case "swap" if later:
            chosen["sequence"], later[0]["sequence"] = later[0]["sequence"], chosen["sequence"]
        case _:
            inside, key = random.choice(list(numbers(chosen.get("state", {}))) or [(chosen, "unused")])
            inside[key] = max(0, inside.get(key, 0) + random.choice((-1, 1)))
    return lines


def numbers(value: Any) -> Any:
    if isinstance(value, dict):
        for key, inside in value.items():
            if type(inside) is int:
                yield value, key
            else:
                yield from numbers(inside)


def same_without_demands(seed: int, steps: int, tmp_path: Path) -> tuple[Answer, bool]:
    """The answer on a mutated run, and whether the search that knows no demands says the same."""
    lines = mutated(walk(walked(ACKS_LATE), seed, steps), Random(seed))
    bounds = Bounds(entries=20_000)
    try:
        one = answer(lines, tmp_path, bounds)
    except RunError:
        return Answer.UNKNOWN, True
    other = answer(lines, tmp_path, bounds, LogFormat(read_cluster, partial(refine, demands=False)))
    same = one.answer is other.answer or Answer.UNKNOWN in (one.answer, other.answer)
    return one.answer, same


def test_mutated_runs_are_answered_as_without_demands(tmp_path: Path) -> None:
    answers = set()
    for seed in (2, 5):
        found, same = same_without_demands(seed, 16, tmp_path)
        answers.add(found)
        assert same, seed
    assert Answer.NO in answers


@pytest.mark.large
def test_many_mutated_runs_are_answered_as_without_demands(tmp_path: Path) -> None:
    answers = []
    for seed in range(60):
        found, same = same_without_demands(seed, 30, tmp_path)
        answers.append(found)
        assert same, seed
    assert answers.count(Answer.NO) > 20


# --- no order is left out ---------------------------------------------------------------------------------------------


def in_every_order(lines: list[Line], tmp_path: Path, bounds: Bounds) -> Validation:
    """The answer of a search that knows of no steps that commute, and takes any step without a line anywhere."""

    def read(*given: Any) -> Any:
        events, mapping = read_cluster(*given)
        return [replace(event, unlogged=None) for event in events], mapping

    return answer(lines, tmp_path, bounds, LogFormat(read, partial(refine, demands=False, commuting=False)))


def is_explained_in_some_order(seed: int, steps: int, mutation: int) -> tuple[Answer, Answer]:
    lines = mutated(walk(walked(ACKS_LATE), seed, steps), Random(mutation))
    with TemporaryDirectory() as folder:
        try:
            quick = answer(lines, Path(folder), Bounds(ahead=2)).answer
        except RunError:
            return Answer.NO, Answer.NO
        return quick, in_every_order(lines, Path(folder), Bounds(entries=20_000)).answer


MUTATIONS = (st.integers(0, 999), st.integers(6, 14), st.integers(0, 999))


@settings(max_examples=10, derandomize=True, deadline=None, database=None)
@given(*MUTATIONS)
def test_no_is_said_where_no_order_explains_a_run(seed: int, steps: int, mutation: int) -> None:
    quick, slow = is_explained_in_some_order(seed, steps, mutation)
    assert quick is slow or slow is Answer.UNKNOWN


@pytest.mark.large
@settings(max_examples=400, derandomize=True, deadline=None, database=None)
@given(*MUTATIONS)
def test_no_is_said_where_no_order_explains_many_runs(seed: int, steps: int, mutation: int) -> None:
    quick, slow = is_explained_in_some_order(seed, steps, mutation)
    assert quick is slow or slow is Answer.UNKNOWN
