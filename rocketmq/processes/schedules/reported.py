"""Defects that were reported and repaired: seen on processes of a release that has them, and not of the one with the
repair."""

from __future__ import annotations

from time import sleep

from rmqproof.rocketmq.processes.schedules.bench import Hands, ProcessBench, ProcessSchedule
from rmqproof.rocketmq.schedules.bench import Seen

_WHILE = 6.0
"""Seconds in which a producer would have been told."""


def acknowledged_by_the_old_set(bench: ProcessBench) -> Seen:
    """The slave leaves the set and is stored again, and its master does not hear that. A request that waits three
    seconds for its answer costs the master its channel, so the slave's return is prepared before."""
    with bench.cluster() as c:
        c.stored(c.lead, 1)
        c.hold(*c.between(c.lead, c.other))
        c.network.break_off(c.other, c.lead)
        c.wait(lambda: c.cluster.members() == {c.lead}, "the smaller set")
        c.stored(c.lead, 2)  # so the master has heard of it
        c.forget_lines()
        c.release((c.other, c.lead))
        c.wait(
            lambda: c.told(c.lead, "store.log", r"Receive slave handshake|change state to HANDSHAKE"), "its handshake"
        )
        c.hold(*c.from_controllers(c.lead))
        c.release((c.lead, c.other))
        c.wait(lambda: c.cluster.members() == {c.lead, c.other}, "the slave in the set again")
        c.hold(*c.between(c.lead, c.other))
        c.waiting(c.lead, 3)
        told, lacks = c.told_of(3, _WHILE), 3 not in c.quietly(c.other)
    return Seen(
        told == "SEND_OK" and lacks,
        "the controller has stored both and its answer is held; the producer of a message that "
        f"{c.other} does not have "
        f"is told {told}",
    )


def read_without_a_member(bench: ProcessBench) -> Seen:
    with bench.cluster(brokers=3) as c:
        second, third = c.others
        c.stored(c.lead, 1)
        c.hold(*c.to_controllers(c.lead))
        c.hold(*c.between(c.lead, third))
        c.network.break_off(third, c.lead)
        c.waiting(c.lead, 2)
        c.wait(lambda: 2 in c.quietly(second), f"message 2 at {second}")
        read = c.within(lambda: "m2" in c.consumed(c.lead), _WHILE)
        members, lacks = c.cluster.members() or set(), 2 not in c.quietly(third)
    return Seen(
        read and lacks and third in members,
        f"{third} is in the SyncStateSet, not connected, and lacks message 2: consumers {_are(read)} given it",
    )


def _are(given: bool) -> str:
    return "are" if given else "are not"


def read_before_it_is_confirmed(bench: ProcessBench) -> Seen:
    with bench.cluster() as c:
        c.hold(*c.between(c.lead, c.other))
        c.waiting(c.lead, 1)
        read = c.within(lambda: "m1" in c.consumed(c.lead), _WHILE)
        lacks = 1 not in c.quietly(c.other)
    return Seen(
        read and lacks,
        f"both are in the SyncStateSet, {c.other} lacks the first message of an empty log: consumers "
        f"{_are(read)} given "
        "it",
    )


def label_of_the_epoch_before(bench: ProcessBench) -> Seen:
    with bench.cluster() as c:
        c.stored(c.lead, 1)
        c.lead_again()
        c.stored(c.lead, 2)
        c.within(lambda: c.epochs(c.other) == c.epochs(c.lead), 3)
        master, slave = c.epochs(c.lead), c.epochs(c.other)
        same = c.ids(c.other) == c.ids(c.lead) == [1, 2]
    return Seen(
        same and slave != master and len(master) == 2,
        f"the master is elected again and keeps its connection; both have messages 1 and 2, and its epochs with their "
        f"starts are {master}, the slave's {slave}",
    )


def newest_epoch_is_cut(bench: ProcessBench) -> Seen:
    with bench.cluster() as c:
        c.stored(c.lead, 1)
        c.hand_over(c.other)
        c.release(*c.controllers(c.lead))
        c.wait(lambda: c.epochs(c.lead) == c.epochs(c.other), "the same epochs")
        before = c.epochs(c.lead)
        c.forget_lines()
        c.network.break_off(c.lead, c.other)
        c.wait(lambda: c.told(c.lead, "store.log", r"change state to TRANSFER|change to transfer state"), "its return")
        sleep(2)
        after = c.epochs(c.lead)
    return Seen(
        len(before) == 2 and after == before[:-1],
        f"a slave with the epochs {before} connects again: its file has {after}",
    )


def two_that_leave_together(bench: ProcessBench) -> Seen:
    with bench.cluster(brokers=3) as c:
        c.stored(c.lead, 1)
        c.whole()
        c.hold(*c.from_controllers(c.lead))
        c.hold(*c.between(c.lead, *c.others))
        for name in c.others:
            c.network.break_off(name, c.lead)
        wanted: list[str] = []
        c.within(lambda: _next(c, wanted) == 2, _WHILE)
    return Seen(
        len(wanted) > 1 and not set(wanted[1]) <= set(wanted[0]),
        f"both slaves' connections end, and no answer has come yet: {c.lead} wants the sets {wanted}",
    )


def _next(c: Hands, wanted: list[str]) -> int:
    line = c.told_line(c.lead, "store.log", r"Notify the syncStateSet has been changed into \[([^\]]*)\]")
    if line is not None:
        wanted.append(line)
    return len(wanted)


def new_address_is_a_new_broker(bench: ProcessBench) -> Seen:
    with bench.cluster(relayed=False) as c:
        c.stored(c.lead, 1)
        node = c.cluster.nodes[c.other]
        node.kill()
        earlier = c.cluster.members() or set()
        c.move(c.other)
        node.start()
        c.within(lambda: len(c.registered()) > 2 or c.cluster.members() == {c.lead, c.other}, 20)
        registered = c.registered()
    return Seen(
        len(registered) > 2,
        f"{c.other} (the set was {sorted(earlier)}) is stopped and starts at another port: the controller knows the "
        f"brokers {registered}",
    )


REPORTED = (
    ProcessSchedule(
        "#5663",
        "the set that acknowledges is the old one until the answer comes",
        "break, hold the answer, put",
        acknowledged_by_the_old_set,
        fixed_in="5.1.1",
    ),
    ProcessSchedule(
        "#6662",
        "a member without connection does not hold the confirmOffset back",
        "break one of two slaves, put, pull",
        read_without_a_member,
        fixed_in="5.1.1",
    ),
    ProcessSchedule(
        "#4808",
        "a broker with a new address is a new broker",
        "stop, start at another port",
        new_address_is_a_new_broker,
        fixed_in="5.1.1",
    ),
    ProcessSchedule(
        "#7441",
        "a confirmOffset of 0 counts as none",
        "hold the slave, put, pull",
        read_before_it_is_confirmed,
        fixed_in="5.2.0",
    ),
    ProcessSchedule(
        "#9689",
        "bytes of a new epoch carry the old label",
        "the controller misses all and elects the same one, put",
        label_of_the_epoch_before,
        since="5.1.1",
        fixed_in="5.4.0",
    ),
    ProcessSchedule(
        "#9897",
        "two connections that end together: the second proposal takes the first one back",
        "hold the controller's answers, break two connections",
        two_that_leave_together,
        since="5.1.1",
        fixed_in="5.4.0",
    ),
    ProcessSchedule(
        "#9942",
        "a slave that connects again loses the newest epoch from its file (F-49)",
        "failover, break",
        newest_epoch_is_cut,
        since="5.1.1",
        fixed_in="5.4.0",
    ),
)
