"""Defects of controllers on JRaft that were reported and repaired."""

from __future__ import annotations

from rmqproof.rocketmq.processes.schedules.bench import ProcessBench, ProcessSchedule
from rmqproof.rocketmq.schedules.bench import Seen

_SCANS = 8
"""Seconds; they scan once a second here (scanNotActiveBrokerInterval)."""
_MANY = 3
"""Elections that nothing has caused but a scan."""


def hung_master_on_jraft(bench: ProcessBench) -> Seen:
    with bench.cluster(jraft=True, relayed=False) as c:
        c.cluster.nodes[c.lead].pause()
        elected = c.within(lambda: c.cluster.master() == c.other, 30)
        c.cluster.nodes[c.lead].go_on()
    return Seen(
        not elected,
        f"{c.lead} hangs (SIGSTOP) for 30 s: the controllers on JRaft "
        f"{'elect' if elected else 'do not elect'} {c.other}",
    )


def scan_finds_the_living(bench: ProcessBench) -> Seen:
    """`RaftReplicasInfoManager.checkNotActiveBroker`: an election of a set whose master lives ends with this line."""
    with bench.cluster(jraft=True, relayed=False) as c:
        c.cluster.nodes[c.other].kill()
        c.wait(lambda: c.cluster.members() == {c.lead}, "the smaller set")
        c.forget_lines()
        elections = 0

        def many() -> bool:
            nonlocal elections
            elections += c.told("c1", "broker_default.log", r"The old master \d+ is still alive")
            return elections >= _MANY

        c.within(many, _SCANS)
        heard = c.cluster.master() == c.lead
    return Seen(
        heard and elections >= _MANY,
        f"{c.lead} leads and lives, {c.other} is dead and out of the set: within {_SCANS} s the controller elects "
        f"{'again and again' if elections >= _MANY else f'{elections} times'} because of its scan",
    )


JRAFT = (
    ProcessSchedule(
        "#9717",
        "on JRaft the scan for dead brokers never runs",
        "SIGSTOP of the master",
        hung_master_on_jraft,
        since="5.2.0",
        fixed_in="5.4.0",
    ),
    ProcessSchedule(
        "#10875",
        "on JRaft the scan takes the living for the dead",
        "kill -9 of the slave",
        scan_finds_the_living,
        since="5.2.0",
        fixed_in="5.5.1",
    ),
)
