"""Small models that together have every action of spec/core/ControllerMode.tla: the reference implementation performs
each of their edges, with the repaired rules, and with the shipped ones where an action belongs to those; and it does
what `strict` asks besides."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from rmqproof.conformance.reference import ReferenceAdapter
from rmqproof.conformance.reference.adapter import ACTIONS
from rmqproof.conformance.reference.registration import RegistrationAdapter
from rmqproof.impl.broker.parts import Batch, HaConnection
from rmqproof.impl.broker.readings import next_batch_as_shipped
from rmqproof.impl.broker.rules import BrokerState
from rmqproof.impl.controller.config import may_be_cleaned
from tests.at_length import all_but, every
from tools.mutation.grounds import EVERY_ACTION, STRICT, Found, first_difference, ground
from tools.mutation.strict import StrictAdapter

pytestmark = pytest.mark.xdist_group("every action")  # in one process, so that each model is replayed once


@cache
def outcome(config: str) -> Found:
    return first_difference(config, ReferenceAdapter)


@pytest.mark.parametrize(
    "config",
    every(2, all_but(EVERY_ACTION, "bugs/Issue4442", "bugs/ConnectionsCounted")),
    ids=lambda config: config.replace("/", "-"),
)
def test_every_edge_is_performed(config: str) -> None:
    found = outcome(config)
    assert found.difference is None, found.difference
    assert found.states == len(ground(config).steps)
    assert found.edges == sum(len(steps) for steps in ground(config).steps.values())


@pytest.mark.parametrize(
    "config", every(2, all_but(STRICT, "Three", "Flush")), ids=lambda config: config.replace("/", "-")
)
def test_nothing_else_is_done(config: str) -> None:
    found = first_difference(config, StrictAdapter)
    assert found.difference is None, found.difference
    assert found.states == len(ground(config).steps)


def test_every_action_is_performed() -> None:
    named = set(ground("Cut").domains.names)
    assert named == set(ACTIONS)
    assert set().union(*(outcome(config).actions for config in EVERY_ACTION)) == named


@pytest.mark.parametrize(
    "config", ["AsShippedEpochMonotone", pytest.param("AsShippedSSSAgreementPerEpoch", marks=pytest.mark.large)]
)
def test_the_shipped_reading_performs_every_edge(config: str) -> None:
    """A cleaning that a named master forbids; a first report beyond the slave's log."""
    found = first_difference(config, ReferenceAdapter)
    assert found.difference is None, found.difference
    assert found.states == len(ground(config).steps)


def test_a_cleaning_in_spite_of_a_dead_master_that_is_named_is_caught() -> None:
    found = first_difference(
        "AsShippedEpochMonotone", lambda: ReferenceAdapter(controller_changes={"may_be_cleaned": may_be_cleaned})
    )
    assert found.caught_by == "MetadataIsCleaned"


@pytest.mark.large
def test_a_batch_for_a_slave_that_reported_more_than_it_has_is_caught() -> None:
    def believing(broker: BrokerState, connection: HaConnection, boundary: int | None) -> Batch:
        believed = replace(connection, ack=min(connection.ack, connection.next_offset))
        return next_batch_as_shipped(broker, believed, boundary)

    changes = {"next_batch": believing}
    found = first_difference("AsShippedSSSAgreementPerEpoch", lambda: ReferenceAdapter(changes))
    assert found.caught_by == "SlaveAppendsBatch"


def test_registration() -> None:
    found = first_difference("bugs/CleaningForgetsNextId", RegistrationAdapter)
    assert found.difference is None and found.edges > 1000


def test_registration_that_forgets_the_file_is_caught() -> None:
    class WithoutTemporaryFile(RegistrationAdapter):
        def _GetNextBrokerId(self, r: str) -> bool:
            done = super()._GetNextBrokerId(r)
            self.world.files[r] = type(self.world.files[r])()
            return done

    found = first_difference("bugs/CleaningForgetsNextIdFixed", WithoutTemporaryFile)
    assert found.caught_by == "GetNextBrokerId"
