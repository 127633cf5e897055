"""Random schedules of the deterministic cores: more brokers, epochs and faults than any explored model has.

Hypothesis drives the faults and shrinks a failure to the shortest schedule that it finds. What must hold is what users
are promised: nothing that was acknowledged is missing on a broker that can be elected (RIP-44, with
allAckInSyncStateSet and clean elections), and no epoch has two masters.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from rmqproof.conformance.adapter import Answer
from rmqproof.conformance.reference import ReferenceAdapter
from rmqproof.conformance.reference.settings import BROKER_NAME
from tools.mutation.schedules import CONSTANTS, OTHERS, STEPS, take


def broken_promise(adapter: ReferenceAdapter) -> str:
    """What a user would lose now; empty if nothing."""
    world = adapter.world
    members = world.controller.broker_set(BROKER_NAME).sync_state_set
    for member in sorted(members):
        held = frozenset(world.disks[member].log)
        if lost := world.history.acked - held:
            return f"acknowledged messages {sorted(lost)} are not on b{member}"
        if lost := world.history.consumed - held:
            return f"messages {sorted(lost)} that were read are not on b{member}"
    for epoch, owners in enumerate(world.history.owners, 1):
        if len(owners) > 1:
            return f"epoch {epoch} has the masters {sorted(owners)}"
    return ""


def run(adapter: ReferenceAdapter, schedule: list[tuple[int, int]]) -> str:
    adapter.start(CONSTANTS)
    for choice, which in schedule:
        if take(adapter, choice, which) is Answer.PERFORMED and (broken := broken_promise(adapter)):
            return broken
    return ""


SCHEDULES = st.lists(
    st.tuples(st.integers(0, len(STEPS) + len(OTHERS) - 1), st.integers(0, 5)), min_size=60, max_size=250
)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(SCHEDULES)
def test_no_schedule_loses_what_was_acknowledged(schedule: list[tuple[int, int]]) -> None:
    assert run(ReferenceAdapter(), schedule) == ""


def test_schedules_find_a_wrong_rule() -> None:
    """Acknowledging what one broker has is found, so the schedules do reach something."""
    changes = {"may_acknowledge": lambda broker, offset: broker.flushed >= offset}

    @seed(1)
    @settings(
        max_examples=300,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    @given(SCHEDULES)
    def search(schedule: list[tuple[int, int]]) -> None:
        assert run(ReferenceAdapter(broker_changes=changes), schedule) == ""

    with pytest.raises(AssertionError, match=r"acknowledged messages \[\d+\] are not on b\d"):
        search()
