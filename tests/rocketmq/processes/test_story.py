"""A finding told: what clients were told, what was done, what the logs say, in one order."""

from __future__ import annotations

from rmqproof.rocketmq.incident.timeline import Moment
from rmqproof.rocketmq.processes.history import Finding, History, Put, Record, Seen
from rmqproof.rocketmq.processes.story import story_of

BEGAN = 1795500000.0
PUT = Put("0-7", 0, BEGAN, BEGAN + 0.2, "SEND_OK", 6)


def moment(after: float, node: str, kind: str, text: str) -> Moment:
    return Moment(BEGAN + after, node, kind, text, f"{node}.log:1", text)


def test_a_story() -> None:
    history = History([PUT], [Seen(Record(0, 6, "0-7"), BEGAN + 0.3)])
    moments = [
        moment(-60, "controller", "elected", "elects broker 1 in epoch 1"),
        moment(1, "controller", "elected", "elects broker 2 in epoch 2"),
        moment(2, "b2", "leads", "leads in epoch 2, from offset 60"),
        moment(3, "b1", "handshake", "hears the end of the master's log: 60"),
        moment(4, "b1", "cuts", "has no more than the master up to 60; cuts the rest"),
        moment(90, "b1", "follows", "follows broker 2 in epoch 2"),
    ]
    lines = story_of(Finding("lost", "…", "0-7", ("b1",)), history, [(BEGAN + 0.5, "kill -9 of b1")], moments)
    assert [line.split("  ", 1)[1] for line in lines] == [
        "producer    sends 0-7",
        "producer    is told SEND_OK of 0-7",
        "consumer    is given 0-7 at offset 6",
        "chaos       kill -9 of b1",
        "controller  elects broker 2 in epoch 2  (controller.log:1)",
        "b2          leads in epoch 2, from offset 60  (b2.log:1)",
        "b1          has no more than the master up to 60; cuts the rest  (b1.log:1)",
    ]


def test_a_finding_about_no_message_has_no_story() -> None:
    assert story_of(Finding("stuck", "…"), History([PUT]), [], []) == []
