"""Hypothesis drives the fault schedule through the deterministic cluster: cores, storage, a network that loses things.

With the repaired rules no schedule loses an acknowledged or a consumed message; with a shipped rule one is found, and
shrunk.
"""

from __future__ import annotations

import copy
import functools
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from rmqproof.impl.broker.config import Role
from rmqproof.impl.runtime.simulated import SimulatedCluster
from rmqproof.impl.storage.simulated_files import nothing

BROKERS = st.integers(1, 3)
FAULTS = ("crash", "lose power", "lose disk", "shrink", "break", "lose request", "lose answer", "nothing")
ENOUGH = 2000


@functools.cache
def settled(replaced: tuple[tuple[str, str], ...]) -> SimulatedCluster:
    """A cluster with a master and all brokers in its SyncStateSet."""
    cluster = SimulatedCluster(3, dict(replaced))
    assert cluster.work(ENOUGH) < ENOUGH
    return cluster


class Schedule(RuleBasedStateMachine):
    """Faults and single steps of progress in any order, from a cluster that has settled."""

    replaced: ClassVar[dict[str, str]] = {}
    faults: ClassVar[tuple[str, ...]] = FAULTS

    def __init__(self) -> None:
        super().__init__()
        self.cluster = copy.deepcopy(settled(tuple(self.replaced.items())))

    @rule(most=st.integers(1, 60))
    def work(self, most: int) -> None:
        self.cluster.work(most)
        self.check()

    @rule(indices=st.lists(st.integers(0, 20), min_size=1, max_size=12))
    def single_steps(self, indices: list[int]) -> None:
        """Progress in an order of its own."""
        for index in indices:
            steps = self.cluster.possible()
            if steps:
                self.cluster.take(steps[index % len(steps)])
        self.check()

    @rule(count=st.integers(1, 3))
    def put_at_masters(self, count: int) -> None:
        for number, machine in self.cluster.machines.items():
            for _ in range(count):
                if machine.core is not None and machine.core.role is Role.MASTER:
                    self.cluster.put(number)
        self.check()

    @rule(number=BROKERS)
    def read(self, number: int) -> None:
        self.cluster.read(number)
        self.check()

    @rule()
    def restart_all(self) -> None:
        for number in self.cluster.machines:
            self.cluster.restart(number)
        self.check()

    @rule(
        which=st.integers(0, len(FAULTS) - 1),
        one=BROKERS,
        other=BROKERS,
        part=st.integers(0, 3),
        given_up=st.booleans(),
    )
    def fault(self, which: int, one: int, other: int, part: int, given_up: bool) -> None:
        cluster = self.cluster
        match self.faults[which % len(self.faults)]:
            case "crash":
                cluster.crash(one)
            case "lose power":
                cluster.crash(one, lambda count: count * part // 4)
            case "lose disk" if not any(machine.lost for machine in cluster.machines.values()):
                cluster.lose_disk(one)
            case "shrink":
                cluster.shrink(one, other)
            case "break":
                cluster.break_stream(part)
            case "lose request":
                cluster.lose_request(part)
            case "lose answer":
                cluster.lose_answer(part)
        if given_up:
            cluster.give_up(one)
        self.check()

    def check(self) -> None:
        assert self.cluster.problems() == []

    def teardown(self) -> None:
        """In the end everything runs and is connected; then every acknowledged message is readable at its place."""
        if self.replaced:
            return
        cluster = self.cluster
        for number in cluster.machines:
            cluster.restart(number)
        for number, machine in cluster.machines.items():
            if machine.lost:
                cluster.give_up(number)
        assert cluster.work(ENOUGH) < ENOUGH, "the cluster does not come to rest"
        self.drop_lost_members()
        self.check()
        masters = [n for n, m in cluster.machines.items() if m.core is not None and m.core.role is Role.MASTER]
        assert len(masters) == 1
        log = cluster.machines[masters[0]].ids()
        cluster.consumed.clear()
        cluster.read(masters[0])
        assert [cluster.consumed[i] for i in range(len(log))] == log
        assert {key: log.index(key) for key in cluster.acknowledged} == cluster.acknowledged

    def drop_lost_members(self) -> None:
        """A member whose disk is lost holds the others up until the master has taken it out of the set."""
        for number, machine in self.cluster.machines.items():
            for lost in [n for n, other in self.cluster.machines.items() if other.lost]:
                if machine.core is not None:
                    self.cluster.shrink(number, lost)
        assert self.cluster.work(ENOUGH) < ENOUGH


def with_rules(replaced: dict[str, str], faults: tuple[str, ...] = FAULTS) -> type[Schedule]:
    return type("ScheduleWithOtherRules", (Schedule,), {"replaced": replaced, "faults": faults})


def run(machine: type[RuleBasedStateMachine], examples: int, steps: int, **more: Any) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
            **more,
        ),
    )


def test_no_schedule_loses_a_message() -> None:
    run(Schedule, examples=50, steps=30)


@pytest.mark.parametrize(
    ("rule_name", "reading", "faults", "broken"),
    [
        ("ExpandGuard", "ExpandWhoeverIsConnected", ("shrink", "break", "crash"), "Durability|Stable"),
        ("EligibleCleanly", "EligibleWhoeverLives", ("crash", "break"), "Durability|Stable"),
    ],
)
def test_a_wrong_rule_is_caught(rule_name: str, reading: str, faults: tuple[str, ...], broken: str) -> None:
    with pytest.raises(AssertionError, match=broken):
        run(with_rules({rule_name: reading}, faults), examples=300, steps=30, phases=(Phase.generate,))


@pytest.mark.parametrize("reading", [None, "DurableEndAsShipped"])
def test_unflushed_bytes_are_no_copy(reading: str | None) -> None:
    """Nothing is flushed until a machine fails: as repaired the producer has no answer yet, as shipped it has."""
    cluster = copy.deepcopy(settled(() if reading is None else (("DurableEnd", reading),)))
    cluster.put(1)
    for turn in range(100):
        steps = [step for step in cluster.possible() if not step.name.endswith("flushes")]
        if steps:
            cluster.take(steps[turn % len(steps)])
    assert [machine.ids() for machine in cluster.machines.values()] == [["m1"]] * 3
    cluster.crash(2, nothing)
    if reading is None:
        assert cluster.acknowledged == {} and cluster.problems() == []
    else:
        assert cluster.problems() == ["AckedDurability: b2 can be elected and lacks ['m1']"]
