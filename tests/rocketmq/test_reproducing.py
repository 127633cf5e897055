"""Counterexamples on the classes of releases; the property is evaluated on what is there, and not on the model."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from rmqproof.model.report.itf import read_itf
from rmqproof.model.tla.library import PROTOCOL, bundled
from rmqproof.rocketmq.commands.rocketmq.reproducing import opened
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.releases import Release
from rmqproof.rocketmq.walks.avoiding import Avoided, another, edge_of
from rmqproof.rocketmq.walks.reproducing import Evaluation, Reproduction, Story, reproduce, reproduce_any, state_of
from rmqproof.rocketmq.worker import Worker
from tests.rocketmq.conftest import NEWEST_AT_LENGTH, OLDEST_AT_LENGTH

TRACES = Path(__file__).parents[2] / "traces"


def story(name: str) -> Story:
    return opened(TRACES / f"{name}.itf.json")


def reproduced(name: str, release: Release) -> Reproduction:
    return reproduce(story(name), release)


@pytest.mark.large
@OLDEST_AT_LENGTH
def test_what_a_release_has(release: Release) -> None:
    newest = release.version == "5.5.0"
    alone, label = (reproduced(name, release) for name in ("InsufficientRemovalLoss", "Issue9689"))
    assert alone.broken is newest, alone
    assert alone.seen["acked"] == ([1] if newest else [])
    assert "no answer" in alone.left or newest, alone.left
    assert label.broken is not newest, label
    worker = Worker(release)
    together, number = reproduce_any(story("Issue9897"), release, None, worker, 1)
    worker.close()
    assert together.broken is not newest, together
    assert number == (1 if newest else 2), "in the order of the class's thread"


@NEWEST_AT_LENGTH
def test_an_acknowledged_message_is_lost_after_a_restart(release: Release) -> None:
    found = reproduce(opened(bundled("AsShippedRestart.cfg")), release)
    if release.version == "5.5.0":
        assert not found.broken
        assert "handshake" in found.left, "the slave finds no common epoch"
        return
    assert found.broken, found.left
    assert found.seen["acked"] == [2]
    assert found.seen["brokers"]["b2"]["log"] == []


@pytest.mark.large
def test_a_check_is_held_before_its_mark_and_files_are_damaged(newest: Release) -> None:
    worker = Worker(newest)
    told = ("CheckThenMark", "UnreadableEpochFile", "TruncationBeyondLog", "ResumedEpochMoved")
    marked, unreadable, elected, refused = (reproduce(story(name), newest, None, worker) for name in told)
    worker.close()
    assert marked.broken and marked.seen["acked"] == [1], marked.left
    assert marked.seen["brokers"]["b2"]["log"] == [], "b2 is proposed and stored without the message"
    assert unreadable.broken and unreadable.seen["brokers"]["b1"]["epochFile"] == [], unreadable.left
    assert "CONTROLLER_MASTER_STILL_EXIST" in elected.left, "a master that restarts is not elected anew"
    assert refused.left == "b2 ends the connection in the handshake"


def seen_as_in(state: Any) -> dict[str, Any]:
    """What would be seen if the classes were in the model's state."""
    disks = dict(state["disk"]["#map"])
    logs = {name: [each["id"] for each in disk["log"]["#tup"]] for name, disk in disks.items()}
    files = {name: [(e["epoch"], e["start"]) for e in disk["epochFile"]["#tup"]] for name, disk in disks.items()}
    brokers = {name: {"log": logs[name], "epochFile": files[name]} for name in disks}
    ghosts = {name: state["history"][name]["#set"] for name in ("acked", "thin", "consumed")}
    return {"brokers": brokers, **ghosts}


def test_the_property_is_asked_of_what_is_there() -> None:
    told = story("InsufficientRemovalLoss")
    steps = told.behaviour.steps
    evaluation = Evaluation(told, dict(steps[0].state), seen_as_in(steps[0].state))
    for step in steps[1:]:
        evaluation.after(step, seen_as_in(step.state))
    assert evaluation.broken
    there = copy.deepcopy(seen_as_in(steps[-1].state))
    there["brokers"]["b2"]["log"] = [1]
    evaluation.after(steps[-1], there)
    assert not evaluation.broken, "the leader has the message"


def test_a_property_without_end_is_refused() -> None:
    with pytest.raises(RocketmqError, match="without end"):
        story("Issue7219")


def test_another_counterexample_is_without_the_step() -> None:
    told = story("InsufficientRemovalLoss")
    behaviour, subject = told.behaviour, told.subject
    first, step = behaviour.steps[:2]
    avoided = Avoided(edges={edge_of(subject, state_of(subject, first.state), step.action, step.arguments)})
    other = another(subject, behaviour, avoided)
    assert other is not None
    assert other.steps[0].state == first.state
    assert (other.steps[1].action, other.steps[1].arguments) != (step.action, step.arguments)
    assert another(subject, behaviour, Avoided(actions={"AcknowledgePut"})) is None


def test_proposals_leave_in_the_order_in_which_they_were_made() -> None:
    """The trace sends the second one first."""
    told = story("Issue9897")
    other = another(told.subject, told.behaviour, Avoided(out_of_line=True))
    assert other is not None and len(other.steps) == len(told.behaviour.steps)
    made, sent = (
        [sorted(each.arguments[0]["members"]["#set"]) for each in steps if each.action == "SendQueuedProposal"]
        for steps in (other.steps, told.behaviour.steps)
    )
    proposals = [each.arguments[1] for each in other.steps if each.action == "ProposeShrink"]
    assert made == [sorted({"b1", "b2", "b3"} - {each}) for each in proposals]
    assert sent == made[::-1]


def test_the_model_of_a_trace_is_the_one_that_comes_with_rmqproof(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a clone beside an installed rmqproof: its spec/bugs does not find what it extends."""
    (tmp_path / "spec" / "bugs").mkdir(parents=True)
    for name in ("Issue9897.tla", "Issue9897.cfg"):
        (tmp_path / "spec" / "bugs" / name).write_bytes(bundled(name).read_bytes())
    monkeypatch.chdir(tmp_path)
    assert story("Issue9897").behaviour.violated == "SSSProposalMonotone"


def test_every_trace_names_a_model_that_is_here() -> None:
    for path in sorted(TRACES.glob("*.itf.json")):
        config = read_itf(path).origin.config
        assert (PROTOCOL.parent / config).is_file(), path.name
