"""Hazards of the controller and of who belongs to a broker set, which nobody has reported."""

from __future__ import annotations

from time import sleep

from rmqproof.impl.core import controller_messages as messages
from rmqproof.rocketmq.processes.nodes import BROKER_NAME, CLUSTER
from rmqproof.rocketmq.processes.schedules.bench import Hands, ProcessBench, ProcessSchedule
from rmqproof.rocketmq.schedules.bench import Seen


def _clean(c: Hands, ids: tuple[int, ...] | None, living: bool) -> int:
    """The response's code."""
    return c.administer(messages.CleanBrokerDataRequest(CLUSTER, BROKER_NAME, ids, living)).code


def epochs_start_anew(bench: ProcessBench) -> Seen:
    with bench.cluster() as c:
        c.stored(c.lead, 1)
        c.hand_over(c.other)
        before = c.master_epoch()
        code = _clean(c, None, True)
        for name in c.nodes:
            c.cluster.nodes[name].kill()
        c.network.heal()
        c.forget_lines()
        for name in c.nodes:  # else they ask for ever to be registered as who they were
            (c.cluster.nodes[name].folder / "store" / "brokerIdentity").unlink()
            c.cluster.nodes[name].start()
        c.wait(lambda: c.cluster.master() is not None, "a master")
        after = c.master_epoch()
    return Seen(
        code == 0 and after <= before,
        f"the epoch was {before}; the set is cleaned (code {code}), the brokers start without "
        "brokerIdentity and one is elected: its epoch "
        f"is {after}",
    )


def ids_start_anew(bench: ProcessBench) -> Seen:
    with bench.cluster() as c:
        given = sorted(c.number_of(name) for name in c.nodes)
        for name in c.nodes:
            c.cluster.nodes[name].kill()
        code = _clean(c, None, True)
        answer = c.administer(messages.GetNextBrokerIdRequest(CLUSTER, BROKER_NAME))
        following = int(answer.ext_fields["nextBrokerId"])
    return Seen(
        code == 0 and following in given,
        f"the brokers on the disks have the ids {given}; they are down and the set is cleaned (code {code}): the next "
        f"newcomer is given {following}",
    )


def failed_elections_raise_the_epoch(bench: ProcessBench) -> Seen:
    with bench.cluster() as c:
        c.stored(c.lead, 1)
        before = c.master_epoch()
        for name in c.nodes:
            c.cluster.nodes[name].kill()
        c.master_is(None)
        sleep(10)
        after = c.master_epoch()
    return Seen(
        after > before + 2,
        f"no broker lives for 10 s, nobody can be elected: the epoch goes from {before} to {after}",
    )


def living_brokers_are_cleaned_whole(bench: ProcessBench) -> Seen:
    with bench.cluster() as c:
        c.stored(c.lead, 1)
        code = _clean(c, (3,), True)
        left = sorted(c.cluster.members() or ())
    return Seen(
        code == 0 and left == [],
        f"only brokerId 3 is to be cleaned, which does not exist, with cleanLivingBroker: code {code}, left in the "
        f"SyncStateSet is {left}",
    )


def first_election_checks_nothing(bench: ProcessBench) -> Seen:
    other = "broker-x"
    with bench.cluster() as c:
        applied = messages.ApplyBrokerIdRequest(CLUSTER, other, 1, "127.0.0.1:9;1")
        code = c.administer(applied).code
        answer = c.administer(messages.ElectMasterRequest(CLUSTER, other, 99))
        master = answer.ext_fields.get("masterBrokerId", "")
    return Seen(
        code == 0 and answer.code == 0 and master == "99",
        f"of {other} one broker is registered, which is not heard: brokerId 99 asks to be elected, code "
        f"{answer.code}, the "
        f"master is {master or 'nobody'}",
    )


def the_counter_stops(bench: ProcessBench) -> Seen:
    """A newcomer that is a process asks for an id."""
    with bench.cluster(brokers=3) as c:
        last = c.others[-1]
        c.cluster.nodes[last].kill()
        c.wait(lambda: last not in (c.cluster.members() or {last}), "the smaller set")
        taken = max(c.number_of(name) for name in c.nodes) + 2
        code = c.administer(messages.ApplyBrokerIdRequest(CLUSTER, BROKER_NAME, taken, "127.0.0.1:9;1")).code
        c.lose_disk(last)
        c.forget_lines()
        c.cluster.nodes[last].start()
        joined = c.within(lambda: last in (c.cluster.members() or ()), 25)
        answer = c.administer(messages.GetNextBrokerIdRequest(CLUSTER, BROKER_NAME))
    return Seen(
        code == 0 and not joined,
        f"somebody has taken brokerId {taken} (code {code}); a new broker starts: after 25 s it is "
        f"{'' if joined else 'not '}in the SyncStateSet, and the next id is {answer.ext_fields.get('nextBrokerId')}",
    )


def two_that_join_together(bench: ProcessBench) -> Seen:
    with bench.cluster(brokers=3) as c:
        c.stored(c.lead, 1)
        c.whole()
        c.hold(*c.between(c.lead, *c.others))
        for name in c.others:
            c.network.break_off(name, c.lead)
        c.wait(lambda: c.cluster.members() == {c.lead}, "the smaller set")
        c.wait(lambda: c.told(c.lead, "broker.log", r"SyncStateSet changed from"), "the smaller set at the master")
        c.hold(*c.from_controllers(c.lead))
        c.forget_lines()
        c.release(*c.between(c.lead, *c.others))
        wanted: list[str] = []

        def proposed() -> bool:
            line = c.told_line(c.lead, "store.log", r"Notify the syncStateSet has been changed into \[([^\]]*)\]")
            wanted.extend([line] if line is not None else [])
            return len(wanted) > 1

        c.within(proposed, 10)
    sets = [set(each.split(", ")) for each in wanted]
    return Seen(
        len(sets) > 1 and not sets[0] <= sets[1],
        f"two slaves catch up together, and no answer has come yet: {c.lead} wants the sets {wanted}",
    )


MEMBERS = (
    ProcessSchedule(
        "F-1",
        "a cleaning resets the epochs",
        "clean, start all again without brokerIdentity",
        epochs_start_anew,
        "5.1.1",
    ),
    ProcessSchedule("F-2", "a cleaning forgets the next brokerId", "kill all, clean", ids_start_anew, "5.1.1"),
    ProcessSchedule(
        "F-5", "a failed election raises the epoch each time", "kill all", failed_elections_raise_the_epoch, "5.1.1"
    ),
    ProcessSchedule("F-23", "the first election checks nothing", "elect 99", first_election_checks_nothing, "5.1.1"),
    ProcessSchedule(
        "F-27", "cleaning living brokers ignores the list", "clean id 3", living_brokers_are_cleaned_whole, "5.1.1"
    ),
    ProcessSchedule("F-46", "the counter of brokerIds stops", "take an id, a newcomer", the_counter_stops, "5.1.1"),
    ProcessSchedule(
        "InsufficientExpansion",
        "two slaves that join together: the second proposal takes the first one back",
        "break two, hold the answers, connect",
        two_that_join_together,
        "5.1.1",
    ),
)
