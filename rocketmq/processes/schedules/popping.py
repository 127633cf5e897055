"""Hazards of POP, which nobody has reported."""

from __future__ import annotations

from time import time

from rmqproof.impl.runtime.codes import ClientCode, ClientResponse
from rmqproof.impl.storage.message import messages_of
from rmqproof.rocketmq.processes.nodes import CLUSTER
from rmqproof.rocketmq.processes.schedules.bench import Hands, ProcessBench, ProcessSchedule
from rmqproof.rocketmq.schedules.bench import Seen

_GROUP, _TOPIC = "poppers", "TopicTest"
_REVIVE_GROUP, _REVIVE_TOPIC = "CID_RMQ_SYS_REVIVE_GROUP", f"rmq_sys_REVIVE_LOG_{CLUSTER}"
"""`PopAckConstants`"""
_BETWEEN = 0.3
"""Seconds between two requests of the consumer."""
_INVISIBLE = 25
"""Seconds; a slave asks for its master's offsets every ten."""
_POPPED = {
    "consumerGroup": _GROUP,
    "topic": _TOPIC,
    "queueId": "-1",
    "maxMsgNums": "8",
    "invisibleTime": str(_INVISIBLE * 1000),
    "pollTime": "0",
    "initMode": "0",
    "expType": "TAG",
    "exp": "*",
}
"""`PopMessageRequestHeader`; a group that is new begins with the first message."""


def acting_slave_passes_over(bench: ProcessBench) -> Seen:
    """The controller hangs while the master is dead, so that nobody is elected, and the slave acts for it."""
    with bench.cluster(timerWheelEnable=True, enableSlaveActingMaster=True, reviveQueueNum=1) as c:
        for number in 1, 2:  # two checkpoints: the offset of the revival is that of the last one that it has done
            c.stored(c.lead, number)
            _popped(c, c.lead, f"m{number}")
        c.wait(lambda: _offset(c, c.other, _GROUP, _TOPIC) == 2, f"the group's offset at {c.other}")
        c.wait(lambda: c.queue_length(c.other, _REVIVE_TOPIC) == 2, f"both checkpoints at {c.other}", 2.0 * _INVISIBLE)
        c.cluster.nodes["c1"].pause()
        c.cluster.nodes[c.lead].kill()
        passed = c.within(lambda: _offset(c, c.other, _REVIVE_GROUP, _REVIVE_TOPIC) == 1, 20)
        c.cluster.nodes["c1"].go_on()
        c.leads(c.other)
        c.stored(c.other, 3)
        again = _given_until(c, c.other, "m3", 2)
    return Seen(
        passed and again == ["m3", "m3"],
        f"messages 1 and 2 are popped and not acknowledged, {c.lead} dies; {c.other} acts for it, its revival "
        f"{'has' if passed else 'has not'} gone over both checkpoints, then it leads; a consumer that pops on until "
        f"message 3, which it does not acknowledge, is given a second time is given {again}",
    )


def _pop(c: Hands, name: str) -> list[str]:
    answer = c.asked(c.port(name), ClientCode.POP_MESSAGE, {**_POPPED, "bornTime": str(int(time() * 1000))})
    if answer is None or answer.code != ClientResponse.SUCCESS:
        return []
    # of a message that is given again the broker alters the properties, so no checksum of the record is asked for
    return [each.body.decode(errors="replace") for each in messages_of(answer.body, crc_property=False)]


def _popped(c: Hands, name: str, body: str) -> None:
    """A message that is given to the consumer, which says nothing of it. Raise `DidNotCome`."""
    c.wait(lambda: body in _pop(c, name), f"{body} for who pops at {name}")


def _given_until(c: Hands, name: str, body: str, times: int) -> list[str]:
    """What the consumer is given until it is given this so often, or for twice the time that a message is invisible."""
    given: list[str] = []

    def enough() -> bool:
        given.extend(_pop(c, name))
        return given.count(body) >= times

    c.within(enough, 2.0 * _INVISIBLE, every=_BETWEEN)
    return given


def _offset(c: Hands, name: str, group: str, topic: str) -> int | None:
    fields = {"consumerGroup": group, "topic": topic, "queueId": "0"}
    answer = c.asked(c.port(name), ClientCode.QUERY_CONSUMER_OFFSET, fields)
    return int(answer.ext_fields["offset"]) if answer is not None and "offset" in answer.ext_fields else None


POPPING = (
    ProcessSchedule(
        "F-78",
        "an acting slave's revival goes over a POP checkpoint whose message it can store nowhere",
        "pop, SIGSTOP of the controller, kill -9 of the master, SIGCONT, pop",
        acting_slave_passes_over,
        "5.1.1",
    ),
)
