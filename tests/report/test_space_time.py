"""Space-time diagrams: who acts, which messages, and that the drawing is in order."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given, settings

from rmqproof.model.report.behaviour import Behaviour, Origin
from rmqproof.model.report.box import event_box
from rmqproof.model.report.chart import Arrow, Chart, Life, Tone
from rmqproof.model.report.diagram import behaviour_dot, processes_of
from rmqproof.model.report.processes import chart_of
from rmqproof.model.report.render import picture
from rmqproof.model.tla.library import bundled
from rmqproof.rocketmq.controller_mode import CONTROLLER, EXCHANGES, ControllerMode, is_controller_mode
from tests.report.samples import TRACES, behaviour, behaviours, sample


def _chart(name: str) -> Chart:
    return _chart_of(sample(name))


def _chart_of(trace: Behaviour) -> Chart:
    return chart_of(trace, processes_of(trace))


def _lanes(chart: Chart) -> list[str]:
    return [lane.name for lane in chart.lanes]


def _actors(chart: Chart) -> list[str]:
    return [event.lane for event in chart.events if event.title and event.step > 0]


# The protocol


def test_lanes_of_the_protocol() -> None:
    assert _lanes(_chart("failover")) == ["controller", "b1", "b2", "b3"]


def test_who_acts_in_the_protocol() -> None:
    c = CONTROLLER
    expected = ["b1", "b1", "b1", "b2", "b2", "b1", "b1", "b1", "b1", c, c, "b2", "b1", c, "b1", "b1", "b2", "b2", c]
    assert _actors(_chart("failover")) == expected


def test_the_actions_that_the_diagram_knows_are_in_the_specification() -> None:
    text = bundled("ControllerMode.tla").read_text(encoding="utf-8")
    actions = set(re.findall(r"\w+", text.split("Next ==")[1].split("Spec ==")[0]))
    assert set(EXCHANGES) - actions == set()


def test_a_queued_proposal_leaves_its_broker() -> None:
    request = {"type": "AlterSyncStateSet", "from": "b2", "members": {"#set": ["b2"]}, "sent": False}
    trace = sample("failover")
    queued, sent, applied = (
        replace(
            trace.steps[0],
            index=index,
            action=action,
            arguments=arguments,
            state=trace.steps[0].state | {"requests": {"#set": now}},
        )
        for index, (action, arguments, now) in enumerate(
            [
                ("ProposeShrink", ("b2", "b1"), [request]),
                ("SendQueuedProposal", (request,), [request | {"sent": True}]),
                ("ControllerAcceptsAlter", (request | {"sent": True},), []),
            ],
            1,
        )
    )
    chart = _chart_of(replace(trace, steps=(trace.steps[0], queued, sent, applied)))
    assert _actors(chart) == ["b2", "b2", CONTROLLER]
    assert Arrow("b2", 2, CONTROLLER, 3, "alter {b2}") in chart.arrows


def test_messages_of_the_protocol() -> None:
    arrows = _chart("failover").arrows
    assert Arrow("b1", 4, "b2", 4, "batch 1") in arrows
    assert Arrow("b2", 6, "b1", 6, "ack 2") in arrows
    assert Arrow("b1", 1, CONTROLLER, 11, "alter {b1}", dropped=True) in arrows
    assert Arrow("b2", 18, CONTROLLER, 19, "alter {b1, b2}") in arrows


def test_logs_are_drawn_where_they_change() -> None:
    chart = _chart("failover")
    changed = {(event.step, event.lane): event.strips for event in chart.events if event.strips and event.step}
    assert [key for key in changed if key[0] < 9] == [
        (2, "b1"), (3, "b1"), (4, "b2"), (5, "b2"), (6, "b1"), (7, "b1"), (8, "b1")
    ]  # fmt: skip
    (log,) = changed[8, "b1"]
    assert [(cell.text, cell.shade, cell.ticked) for cell in log.cells] == [("1", 1, True), ("2", 1, True)]
    assert log.bar == 2


def test_the_violating_step_is_red_and_shows_every_log() -> None:
    chart = _chart("issue5663")
    last = [event for event in chart.events if event.step == 6]
    assert [(event.lane, event.tone) for event in last] == [("b1", Tone.BAD), ("b2", Tone.PLAIN)]
    assert all([strip.label for strip in event.strips] == ["log", "epochs"] for event in last)
    assert chart.verdict == "AckedDurability is violated in step 7."
    assert "a failover loses it" in chart.sentence


def test_lanes_show_roles() -> None:
    turns = [(turn.step, turn.life) for turn in _chart("failover").turns if turn.lane == "b1"]
    assert turns == [(0, Life.LEADING), (9, Life.DOWN), (13, Life.WAITING), (15, Life.PLAIN)]


def test_the_names_of_the_variables_are_not_enough() -> None:
    assert is_controller_mode(sample("failover"))
    other = behaviour({"controller": 1, "disk": {"#map": [["b", 1]]}, "broker": {"#map": []}})
    assert not is_controller_mode(other)
    assert "digraph" in behaviour_dot(other)


def test_an_action_that_is_not_known_is_on_its_broker() -> None:
    trace = sample("failover")
    renamed = replace(trace, steps=(*trace.steps[:3], replace(trace.steps[3], action="NewAction"), *trace.steps[4:]))
    assert _actors(chart_of(renamed, ControllerMode(renamed)))[2] == "b1"


# Any specification


def test_the_guess_for_two_phase_commit() -> None:
    chart = _chart("two_phase_commit")
    assert _lanes(chart) == ["state", "m1", "m2", "m3"]
    assert _actors(chart) == ["m1", "m2", "state", "m3", "state", "state", "state", "m2", "m1"]
    assert set(chart.arrows) == {
        Arrow("m1", 1, "state", 3, "prepared"),
        Arrow("m2", 2, "state", 5, "prepared"),
        Arrow("m3", 4, "state", 6, "prepared"),
        Arrow("state", 7, "m2", 8, "commit"),
    }


def test_the_guess_for_an_election() -> None:
    chart = _chart("election")
    assert _lanes(chart) == ["n1", "n2", "n3"]
    assert set(chart.arrows) == {
        Arrow("n1", 1, "n2", 2, "vote?"),
        Arrow("n1", 1, "n3", 3, "vote?", dropped=True),
        Arrow("n2", 2, "n1", 4, "vote"),
        Arrow("n1", 6, "n2", 7, "append"),
    }
    assert [event.tone for event in chart.events if event.title == "Crash(n1)"] == [Tone.FAULT]
    assert [turn.life for turn in chart.turns if turn.lane == "n1"] == [Life.PLAIN, Life.LEADING, Life.DOWN]


def test_processes_can_be_numbers() -> None:
    chart = _chart("token_ring")
    assert _lanes(chart) == ["0", "1", "2"]
    assert _actors(chart) == ["1", "0", "1", "2", "0", "1", "2"]
    assert chart.loop == 1


def test_without_processes_there_is_one_lane() -> None:
    assert _lanes(_chart("die_hard")) == ["state"]


def test_records_in_a_sequence_show_every_field() -> None:
    one, two = {"ack": 0, "open": True}, {"attempt": 12, "replica": "nobody"}
    chart = _chart_of(behaviour({"one": [one], "many": [two] * 3, "named": [{"id": 7, "ack": 0}]}))
    assert [[cell.text for cell in strip.cells] for strip in chart.events[0].strips] == [
        ["ack 0, open TRUE"],
        ['12, "nobody"'] * 3,
        ["7"],
    ]
    assert chart.legend.lines == ("many: attempt, replica", "named: id")


def test_a_legend_says_what_colours_the_cells() -> None:
    log = [{"id": 4, "epoch": 1}, {"id": 5, "epoch": 3}]
    chart = _chart_of(behaviour({"log": log, "file": [{"epoch": 1, "start": 100}] * 4}))
    assert chart.legend.lines == ("log: id, coloured by epoch", "file: epoch, start, coloured by epoch")
    assert [(cell.text, cell.shade) for cell in chart.legend.shades] == [("epoch 1", 1), ("epoch 3", 3)]


# The drawing


@dataclass(frozen=True)
class _Node:
    name: str
    x: float
    y: float
    width: float
    height: float

    def overlaps(self, other: _Node) -> bool:
        beside = abs(self.x - other.x) >= (self.width + other.width) / 2 - 0.5
        above = abs(self.y - other.y) >= (self.height + other.height) / 2 - 0.5
        return not (beside or above)


def _nodes(dot: str) -> list[_Node]:
    """The nodes as Graphviz draws them, in points."""
    pattern = re.compile(r'^node ("[^"]*"|\S+) (\S+) (\S+) (\S+) (\S+)', re.MULTILINE)
    found = pattern.findall(picture(dot, "plain").decode())
    return [_Node(name.strip('"'), *(72 * float(number) for number in numbers)) for name, *numbers in found]


def _boxes(nodes: list[_Node], lanes: list[str]) -> list[_Node]:
    return [node for node in nodes if re.fullmatch(rf"\d+ ({'|'.join(map(re.escape, lanes))})", node.name)]


@pytest.mark.parametrize("name", TRACES)
def test_boxes_do_not_overlap_and_lanes_are_straight(name: str) -> None:
    chart = _chart(name)
    boxes = _boxes(_nodes(behaviour_dot(sample(name))), _lanes(chart))
    assert len(boxes) == len(chart.events)
    overlapping = [(a.name, b.name) for a, b in itertools.combinations(boxes, 2) if a.overlaps(b)]
    assert overlapping == []
    for lane in _lanes(chart):
        assert len({round(box.x) for box in boxes if box.name.split(" ", 1)[1] == lane}) == 1


@pytest.mark.parametrize("name", TRACES)
def test_time_runs_down(name: str) -> None:
    nodes = {node.name: node.y for node in _nodes(behaviour_dot(sample(name)))}
    heights = [nodes[f"step {step.index}"] for step in sample(name).steps]
    assert heights == sorted(heights, reverse=True)
    assert min(above - below for above, below in itertools.pairwise(heights)) >= 30


def _passing_by() -> Behaviour:
    """A message from p to s that is under way for long, while q and r between them are busy."""
    names = ("p", "q", "r", "s")
    message = {"type": "m", "from": "p", "to": "s"}

    def state(sent: bool, *counts: int) -> dict[str, Any]:
        count = {"#map": [[name, number] for name, number in zip(names, counts, strict=True)]}
        return {"count": count, "net": {"#set": [message] if sent else []}}

    states = [state(False, 0, 0, 0, 0), state(True, 1, 0, 0, 0)]
    states += [state(True, 1, number, number - 1, 0) for number in (1, 2, 3)]
    states += [state(True, 1, 3, 3, 0), state(True, 1, 4, 3, 0), state(False, 1, 4, 3, 1)]
    return behaviour(*states, origin=Origin(model_values=frozenset(names)))


@pytest.mark.parametrize("trace", [*map(sample, TRACES), _passing_by()], ids=[*TRACES, "passing by"])
def test_arrows_touch_their_boxes_and_cross_no_other(trace: Behaviour) -> None:
    dot = behaviour_dot(trace)
    lanes = _lanes(_chart_of(trace))
    boxes = _boxes(_nodes(dot), lanes)
    # Graphviz shifts the picture; measure the boxes against the positions that we gave.
    centres = {
        name: (float(x), float(y)) for name, x, y in re.findall(r'^ *"([^"]+)" \[pos="([-.\d]+),([-.\d]+)"', dot, re.M)
    }
    placed = [_Node(box.name, *centres[box.name], box.width, box.height) for box in boxes]
    by_name = {box.name: box for box in placed}
    for tail, head, points in re.findall(r'^ *"([^"]+)" -> "([^"]+)" \[pos="e,([^"]+)"', dot, re.M):
        if head not in by_name:
            continue
        tip, *path = [tuple(map(float, point.split(","))) for point in points.split(" ")]
        assert abs(abs(tip[0] - by_name[head].x) - by_name[head].width / 2) < 1.5, (tail, head)
        for x, y in _along(path):
            inside = [
                box.name
                for box in placed
                if box.name not in (tail, head)
                and abs(x - box.x) < box.width / 2 - 1
                and abs(y - box.y) < box.height / 2 - 1
            ]
            assert inside == [], (tail, head)


def _along(path: list[tuple[float, ...]]) -> Iterator[tuple[float, float]]:
    """Points on the Bezier curves that Graphviz draws."""
    for start in range(0, len(path) - 1, 3):
        corners = path[start : start + 4]
        for step in range(21):
            t = step / 20
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
            yield tuple(sum(w * corner[axis] for w, corner in zip(weights, corners, strict=True)) for axis in (0, 1))  # type: ignore[misc]


@pytest.mark.parametrize("name", TRACES)
def test_boxes_are_as_large_as_reckoned_and_columns_stand_apart(name: str) -> None:
    chart = _chart(name)
    boxes = {box.name: box for box in _boxes(_nodes(behaviour_dot(sample(name))), _lanes(chart))}
    for event in chart.events:
        drawn, reckoned = boxes[f"{event.step} {event.lane}"], event_box(event)
        assert (drawn.width, drawn.height) == pytest.approx((reckoned.width, reckoned.height), abs=1)
    sides: dict[str, list[float]] = {}
    for event in chart.events:
        box = boxes[f"{event.step} {event.lane}"]
        sides.setdefault(event.lane, []).extend((box.x - box.width / 2, box.x + box.width / 2))
    for left, right in itertools.pairwise(_lanes(chart)):
        assert min(sides[right]) - max(sides[left]) > 60


def test_a_loop_is_drawn() -> None:
    assert '"step 7" -> "step 1"' in behaviour_dot(sample("token_ring"))


@settings(max_examples=40, deadline=None)
@given(behaviours())
def test_every_behaviour_has_a_diagram(any_behaviour: Behaviour) -> None:
    assert b"<svg" in picture(behaviour_dot(any_behaviour), "svg")
