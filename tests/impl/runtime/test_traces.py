"""The trace of a node across its lives, and all traces as one run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmqproof.impl.runtime.errors import ClusterError
from rmqproof.impl.runtime.events import CONTROLLER, Event, Trace, event_of_line, events_in
from rmqproof.impl.runtime.merging import merge_traces

TEXTS = st.text(max_size=8)
VALUES = st.recursive(st.integers() | TEXTS | st.booleans(), lambda inner: st.lists(inner, max_size=3), max_leaves=5)
EVENTS = st.builds(
    Event,
    node=TEXTS,
    sequence=st.integers(),
    action=st.none() | TEXTS,
    arguments=st.lists(VALUES, max_size=3).map(tuple),
    received=st.lists(TEXTS, max_size=2).map(tuple),
    sent=st.lists(TEXTS, max_size=2).map(tuple),
    state=st.dictionaries(TEXTS, VALUES, max_size=2),
    detail=st.dictionaries(TEXTS, VALUES, max_size=2),
    life=st.integers(0),
    replica=st.none() | TEXTS,
    at=st.integers(0),
)


@given(EVENTS)
def test_an_event_is_one_line_and_comes_back(event: Event) -> None:
    assert "\n" not in event.line()
    assert event_of_line(event.line()) == event


@given(st.text(max_size=40) | VALUES.map(json.dumps) | st.dictionaries(TEXTS, VALUES).map(json.dumps))
def test_any_line_is_read_or_refused(line: str) -> None:
    try:
        event_of_line(line)
    except ValueError as problem:
        assert str(problem)


def test_the_numbers_go_on_across_lives_and_a_torn_line_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "b1.ndjson"
    first = Trace("b1", path)
    first.write("AppendPut", ("b1",))
    first.write(None, sent=["x"])
    first.close()
    with open(path, "ab") as torn:
        torn.write(b'{"node":"b1","sequ')
    second = Trace("b1", path)
    assert (second.life, second.last_action) == (1, None)
    second.write("BrokerRestarts", ("b1",))
    second.close()
    events = list(events_in(path))
    assert [(event.sequence, event.life) for event in events] == [(1, 0), (2, 0), (3, 1)]
    assert events[1].sent == ("b1:2", "x")


def test_a_trace_that_is_off_writes_nothing(tmp_path: Path) -> None:
    trace = Trace("b1", None)
    trace.write("AppendPut")
    assert not trace.on and trace.sequence == 0 and list(tmp_path.iterdir()) == []


def controller_line(path: Path, replica: str, code: str) -> None:
    trace = Trace(CONTROLLER, path / f"{replica}.ndjson", replica)
    trace.write("ControllerAcceptsAlter", (), detail={"code": code}, sequence=1)
    trace.close()


def test_replicas_are_one_node(tmp_path: Path) -> None:
    for replica in ("c1", "c2"):
        controller_line(tmp_path, replica, "SUCCESS")
    trace = Trace("b1", tmp_path / "b1.ndjson")
    trace.write("AppendPut", ("b1",))
    trace.close()
    assert merge_traces(tmp_path, tmp_path / "run.txt") == 2
    assert {event.node for event in events_in(tmp_path / "run.txt")} == {"b1", CONTROLLER}


def test_replicas_that_disagree_are_named(tmp_path: Path) -> None:
    controller_line(tmp_path, "c1", "SUCCESS")
    controller_line(tmp_path, "c2", "INVALID_MASTER")
    with pytest.raises(ClusterError, match="the controllers c1 and c2 disagree about step 1"):
        merge_traces(tmp_path, tmp_path / "run.txt")


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "b1.ndjson").write_text('{"node":"b1","sequence":1,"action":null}\nnonsense\n')
    with pytest.raises(ClusterError, match=r"b1\.ndjson:2: it is not JSON"):
        merge_traces(tmp_path, tmp_path / "run.txt")
