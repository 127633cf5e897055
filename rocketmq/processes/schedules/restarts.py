"""Defects that were reported and repaired, of a master that is killed and starts again."""

from __future__ import annotations

from rmqproof.rocketmq.processes.schedules.bench import Hands, ProcessBench, ProcessSchedule
from rmqproof.rocketmq.schedules.bench import Seen

_WHILE = 6.0
"""Seconds in which a producer would have been told."""
_LOADED = r"load over, and the max phy offset"
_UNNOTICED = "60000"
"""Milliseconds in which a broker has started again, so that no controller misses it."""


def _half_confirmed(c: Hands) -> None:
    """Message 1 is everywhere, message 2 with its master only."""
    c.stored(c.lead, 1)
    c.wait(lambda: c.consumed(c.lead) == ["m1"], "message 1 for consumers")
    c.hold(*c.between(c.lead, *c.others))
    c.waiting(c.lead, 2)


def _starts_alone(c: Hands) -> None:
    """The master is killed and starts again; the controller has noticed nothing, and no slave can connect."""
    c.hold(*c.between(c.lead, *c.others))
    c.die_unheard(c.lead)
    c.forget_lines()
    c.cluster.nodes[c.lead].start()
    c.leads(c.lead)


def dispatched_after_a_restart(bench: ProcessBench) -> Seen:
    with bench.cluster() as c:
        _half_confirmed(c)
        before = c.queue_length(c.lead)
        c.cluster.nodes[c.lead].kill()
        c.hold(*c.controllers(c.lead))
        c.forget_lines()
        c.cluster.nodes[c.lead].start()
        c.wait(lambda: c.told(c.lead, "store.log", _LOADED), "the start")
        after = before
        if c.within(lambda: c.queue_length(c.lead) > before, _WHILE):
            after = c.queue_length(c.lead)
    return Seen(
        before == 1 and after > 1,
        f"messages 1 and 2 are in the log, 1 is confirmed and dispatched ({before}); after a kill -9 and a start, with "
        f"no role, the consume queue has {after}",
    )


def takes_messages_before_its_role(bench: ProcessBench) -> Seen:
    with bench.cluster(brokerRole="ASYNC_MASTER") as c:
        c.stored(c.lead, 1)
        c.cluster.nodes[c.lead].kill()
        c.hold(*c.controllers(c.lead), *c.between(c.lead, c.other))
        c.forget_lines()
        c.cluster.nodes[c.lead].start()
        c.wait(lambda: c.told(c.lead, "store.log", _LOADED), "the start")

        def decided() -> bool:
            """It does not listen at once: a connection that is refused or closed says nothing."""
            c.put(c.lead, 2)
            c.told_of(2, 0.5)
            result = c.puts[2].result
            return 2 in c.quietly(c.lead) or (result is not None and result.known)

        c.wait(decided, "an answer to the put")
        told = c.told_of(2, 0.5)
        taken = 2 in c.quietly(c.lead)
    return Seen(
        taken,
        f"a master was killed and starts, and no controller answers: message 2 is {'' if taken else 'not '}in its log; "
        f"its producer is told {told}",
    )


def acknowledges_alone(bench: ProcessBench) -> Seen:
    with bench.cluster(controllerHeartBeatTimeoutMills=_UNNOTICED) as c:
        c.stored(c.lead, 1)
        _starts_alone(c)
        c.insist(c.lead, 2)
        told, lacks = c.told_of(2, _WHILE), 2 not in c.quietly(c.other)
        members = sorted(c.cluster.members() or ())
    return Seen(
        told == "SEND_OK" and lacks and c.other in members,
        f"a master was killed and starts before the controller notices, which has the SyncStateSet {members}; the "
        f"producer of a message that {c.other} does not have is told {told}",
    )


def gives_a_queue_offset_again(bench: ProcessBench) -> Seen:
    with bench.cluster(controllerHeartBeatTimeoutMills=_UNNOTICED) as c:
        _half_confirmed(c)
        _starts_alone(c)
        c.insist(c.lead, 3)
        given = {each.body.decode(): each.queue_offset for each in c.cluster.messages(c.lead)}
    return Seen(
        len(set(given.values())) < len(given),
        f"messages 1 and 2 are in the log, 1 is confirmed and dispatched; the master is killed and starts, and takes "
        f"message 3: the queue offsets are {given}",
    )


RESTARTS = (
    ProcessSchedule(
        "#6609",
        "a restart dispatches what is not confirmed",
        "hold the slave, put, kill -9, start",
        dispatched_after_a_restart,
        fixed_in="5.1.1",
    ),
    ProcessSchedule(
        "#6508",
        "a restarted master takes messages before its role is confirmed",
        "kill -9, start without controller, put",
        takes_messages_before_its_role,
        fixed_in="5.1.1",
    ),
    ProcessSchedule(
        "#6342",
        "a restarted master takes the number of the SyncStateSet, and not the set",
        "hold the slave, kill -9, start, put",
        acknowledges_alone,
        fixed_in="5.1.1",
    ),
    ProcessSchedule(
        "#7689",
        "a queue offset is given to two messages",
        "hold the slave, put, kill -9, start, put",
        gives_a_queue_offset_again,
        fixed_in="5.2.0",
    ),
)
