"""Hazards of copying and of what is on the disks, which nobody has reported."""

from __future__ import annotations

from pathlib import Path
from time import sleep
from typing import Any

from rmqproof.rocketmq.processes.schedules.bench import ProcessBench, ProcessSchedule
from rmqproof.rocketmq.schedules.bench import Seen

_WHILE = 6.0
_NEVER_FLUSHED: dict[str, Any] = {"flushIntervalCommitLog": "3600000", "flushCommitLogThoroughInterval": "3600000"}
_LOADED = r"load over, and the max phy offset"


def hung_slave_counts_as_caught_up(bench: ProcessBench) -> Seen:
    with bench.cluster(haMaxTimeSlaveNotCatchup=3000) as c:
        c.stored(c.lead, 1)
        c.cluster.nodes[c.other].pause()
        c.waiting(c.lead, 2)
        told = c.told_of(2, 15)
        members = sorted(c.cluster.members() or ())
        c.cluster.nodes[c.other].go_on()
    return Seen(
        told != "SEND_OK" and len(members) == 2,
        f"{c.other} hangs (SIGSTOP), haMaxTimeSlaveNotCatchup=3000: after 15 s the SyncStateSet is {members}, and the "
        f"producer is told {told}",
    )


def minimum_is_asked_before_only(bench: ProcessBench) -> Seen:
    with bench.cluster(minInSyncReplicas=2) as c:
        c.stored(c.lead, 1)
        c.hold(*c.between(c.lead, c.other))
        c.waiting(c.lead, 2)
        c.network.break_off(c.other, c.lead)
        told = c.told_of(2, 20)
        members, lacks = sorted(c.cluster.members() or ()), 2 not in c.quietly(c.other)
    return Seen(
        told == "SEND_OK" and lacks,
        f"minInSyncReplicas=2; while message 2 waits the connection ends and the set becomes {members}: "
        "its producer is "
        f"told {told}, {c.other} {'lacks it' if lacks else 'has it'}",
    )


def epoch_that_begins_where_the_last_does(bench: ProcessBench) -> Seen:
    with bench.cluster() as c:
        c.hand_over(c.other)
        sleep(c.patience.meanwhile)
        epoch, file = c.master_epoch(), c.epochs(c.other)
    return Seen(
        bool(file) and file[-1][0] < epoch,
        f"nothing is stored when {c.other} is elected in epoch {epoch}: the epochs of its file and "
        f"their starts are {file}",
    )


def unreadable_epoch_file(bench: ProcessBench) -> Seen:
    """Both logs are as long when the old master comes back."""
    with bench.cluster() as c:
        c.stored(c.lead, 1)
        c.hold(*c.between(c.lead, c.other))
        c.waiting(c.lead, 2)
        c.hand_over(c.other)
        c.cluster.nodes[c.lead].kill()
        c.stored(c.other, 3)
        for name in ("epochFileCheckpoint", "epochFileCheckpoint.bak"):  # an entry is missing
            Path(c.cluster.nodes[c.lead].folder, "store", name).write_text("2\n1\n1-0\n", encoding="ascii")
        c.network.heal()
        c.cluster.nodes[c.lead].start()
        joined = c.within(lambda: c.cluster.members() == {c.lead, c.other}, 25)
        ids = {name: c.ids(name) for name in (c.other, c.lead)}
    return Seen(
        joined and ids[c.lead] == [1, 2],
        f"the epoch file of {c.lead} cannot be read when it comes back: it is {'' if joined else 'not '}in the "
        f"SyncStateSet, and the logs have the messages {ids}",
    )


def recovery_keeps_epochs(bench: ProcessBench) -> Seen:
    with bench.cluster(forces_seen=True, **_NEVER_FLUSHED) as c:
        c.stored(c.lead, 1)
        c.lead_again()
        before, after = c.cluster.lose_power(c.lead)
        c.hold(*c.controllers(c.lead))
        c.forget_lines()
        c.cluster.nodes[c.lead].start()
        c.wait(lambda: c.told(c.lead, "store.log", _LOADED), "the start")
        sleep(c.patience.meanwhile)
        file = c.epochs(c.lead)
    return Seen(
        after < before and bool(file) and file[-1][1] > 0,
        f"of {before} message that {c.lead} had {after} are left after a loss of power (ASYNC_FLUSH); "
        "after its start the "
        f"epochs of its file and their starts are {file}",
    )


def in_the_set_without_the_log(bench: ProcessBench) -> Seen:
    with bench.cluster(forces_seen=True, **_NEVER_FLUSHED) as c:
        c.stored(c.lead, 1)
        c.lead_again()
        c.stored(c.lead, 2)
        c.network.heal()  # who is not heard is not taken into the set
        c.whole()
        c.wait(lambda: c.epochs(c.other) == c.epochs(c.lead), "the same epochs")
        c.cluster.lose_power(c.other)
        c.wait(lambda: c.cluster.members() == {c.lead}, "the smaller set")
        c.cluster.nodes[c.other].start()
        joined = c.within(lambda: c.cluster.members() == {c.lead, c.other}, 60)
        there = c.ids(c.other)
    return Seen(
        joined and there == [],
        f"{c.other} has lost its log and not its epoch file: it is {'' if joined else 'not '}in the "
        "SyncStateSet, and has "
        f"of the acknowledged messages [1, 2] {there}",
    )


def backup_is_an_earlier_file(bench: ProcessBench) -> Seen:
    with bench.cluster() as c:
        c.stored(c.lead, 1)
        c.lead_again()
        before = c.epochs(c.lead)
        node = c.cluster.nodes[c.lead]
        node.kill()
        Path(node.folder, "store", "epochFileCheckpoint").write_text("2\n1\n1-0\n", encoding="ascii")
        c.forget_lines()
        c.network.heal()
        node.start()
        c.leads_somebody()
        after = c.epochs(c.lead)
    epochs = [epoch for epoch, _ in after]
    return Seen(
        len(before) == 2 and before[-1][0] not in epochs,
        f"{c.lead} had the epochs {before}; its file is damaged, and after its start it has, from the backup and by "
        f"election, {after}",
    )


HAZARDS = (
    ProcessSchedule(
        "F-15", "a hung slave counts as caught up", "SIGSTOP of the slave, put", hung_slave_counts_as_caught_up, "5.1.1"
    ),
    ProcessSchedule(
        "F-17",
        "minInSyncReplicas is asked before the append only",
        "hold, put, break",
        minimum_is_asked_before_only,
        "5.1.1",
    ),
    ProcessSchedule(
        "F-20",
        "an epoch that begins where the last one does is refused",
        "elect another one, no put",
        epoch_that_begins_where_the_last_does,
        "5.1.1",
    ),
    ProcessSchedule(
        "F-8",
        "an unreadable epoch file is taken for a new replica's",
        "put apart, damage the file, return",
        unreadable_epoch_file,
        "5.1.1",
    ),
    ProcessSchedule(
        "F-10",
        "recovery does not cut the epoch file",
        "put, elect again, lose power, start",
        recovery_keeps_epochs,
        "5.1.1",
    ),
    ProcessSchedule(
        "F-13",
        "an ack beyond the own log",
        "put in two epochs, the slave loses power, start",
        in_the_set_without_the_log,
        "5.1.1",
    ),
    ProcessSchedule(
        "F-42",
        "the backup is an earlier file",
        "elect again, kill -9, damage the file, start",
        backup_is_an_earlier_file,
        "5.1.1",
    ),
)
