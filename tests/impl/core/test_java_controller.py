"""A broker under a controller that does not know `restarted`, as RocketMQ's: it comes back all the same.

The controller is ours with the shipped rules, behind the wire: from each request the field is taken that
`ElectMasterRequestHeader` does not have; no answer of ours carries it either. Whom it hears, and when it misses a
broker, is as in `DefaultBrokerHeartbeatManager`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rmqproof.impl.broker.broker import Broker
from rmqproof.impl.broker.config import Role
from rmqproof.impl.controller.config import SHIPPED_CONTROLLER, ControllerConfig, controller_rules
from rmqproof.impl.controller.controller import Controller
from rmqproof.impl.core import broker_inputs as inputs
from rmqproof.impl.core.broker_outputs import FollowUp, ToController
from rmqproof.impl.core.codes import ResponseCode
from rmqproof.impl.core.controller_io import BrokerChannelClosed, ElectionNeeded, InactiveBrokers
from rmqproof.impl.core.controller_messages import (
    AlterSyncStateSetRequest,
    ApplyBrokerIdRequest,
    BrokerHeartbeatRequest,
    ElectMasterRequest,
    ElectMasterResponse,
    GetReplicaInfoRequest,
)
from rmqproof.impl.core.writes import StoredBroker
from rmqproof.impl.wire.controller_codec import decode_request, decode_response, encode_request, encode_response
from rmqproof.impl.wire.remoting import Command
from tests.impl.core.brokers import of, start

SET, CLUSTER = "broker-a", "DefaultCluster"
SECONDS = 1_000


class Shipped:
    """A controller whose brokers 1 and 2 are registered; 1 is master of epoch 1. It has a clock."""

    def __init__(self, members: frozenset[int]) -> None:
        self.controller, self.now = Controller(ControllerConfig(), controller_rules(SHIPPED_CONTROLLER)), 0
        for number in sorted(members):
            self.ask(ApplyBrokerIdRequest(CLUSTER, SET, number, f"b{number};7"))
            self.beat(number)
        assert self.ask(ElectMasterRequest(CLUSTER, SET, 1)).code is ResponseCode.SUCCESS
        self.ask(AlterSyncStateSetRequest(SET, 1, 1, members, 1))
        assert self.ask(GetReplicaInfoRequest(SET)).sync_state_set == members

    def beat(self, number: int) -> None:
        self.ask(BrokerHeartbeatRequest(CLUSTER, SET, "", number, 10 * SECONDS, 1, 0))

    def ask(self, given: Any) -> Any:
        step = self.controller.step(given, self.now, ())
        for event in step.undecided:
            self.controller.apply(event)
        for output in step.outputs:
            if isinstance(output, ElectionNeeded):
                self.ask(output.request)
        return step.response

    def tell(self, broker: Broker, given: Any) -> None:
        """A step of the broker and all that follows of it."""
        for output in broker.step(given):
            if isinstance(output, FollowUp):
                self.tell(broker, output.input)
            elif isinstance(output, ToController):
                request = _unmarked(encode_request(output.request, 1))
                answer = self.ask(decode_request(request))
                if answer is not None:
                    self.tell(broker, decode_response(output.request, encode_response(request, answer)))


def _unmarked(command: Command) -> Command:
    fields = {name: value for name, value in command.ext_fields.items() if name != "restarted"}
    return replace(command, ext_fields=fields)


def _rounds(shipped: Shipped, broker: Broker, others: tuple[int, ...], seconds: int) -> list[Role]:
    """What a broker does by itself, once a second (`BrokerNode`), and the roles it was in."""
    roles = []
    for _ in range(seconds):
        shipped.now += SECONDS
        for other in others:
            shipped.beat(other)
        shipped.ask(InactiveBrokers())
        for given in (inputs.Register(), inputs.PollController(), inputs.SendHeartbeat()):
            shipped.tell(broker, given)
        roles.append(broker.role)
    return roles


@pytest.mark.parametrize("members", [{1}, {1, 2}])
def test_a_restarted_master_comes_back(members: set[int]) -> None:
    """It may not go on in epoch 1 (hazard F-19), and is named as its master for as long as it is heard."""
    shipped = Shipped(frozenset(members))
    broker = start(1, StoredBroker(900, of({1: 0}), 900))
    roles = _rounds(shipped, broker, tuple(sorted(members - {1})), 30)
    assert roles[:10] == [Role.FENCED] * 10, "the controller waits for 10 s"
    wanted = (Role.MASTER, 1, 3) if members == {1} else (Role.SLAVE, 2, 2)  # to find nobody takes an epoch (F-5)
    assert (broker.role, broker.master_id, broker.master_epoch) == wanted
    assert shipped.controller.is_alive_in(SET, shipped.now)(1), "it is heard again"


def test_a_restarted_master_that_was_missed_comes_back_at_once() -> None:
    """Its connection was closed when it died (`DefaultBrokerHeartbeatManager.onBrokerChannelClose`)."""
    shipped = Shipped(frozenset({1}))
    shipped.ask(BrokerChannelClosed(SET, 1))
    broker = start(1, StoredBroker(900, of({1: 0}), 900))
    _rounds(shipped, broker, (), 1)
    assert (broker.role, broker.master_epoch) == (Role.MASTER, 3)


def test_only_the_answer_to_a_restarted_one_silences() -> None:
    broker = start(1, StoredBroker(900, of({1: 0}), 900))
    still = ElectMasterResponse(ResponseCode.CONTROLLER_MASTER_STILL_EXIST, 1, "here", 1, frozenset({1}), 1)
    broker.step(still)
    assert len(broker.step(inputs.SendHeartbeat())) == 1
    broker.step(replace(still, master_broker_id=2, restarted=True))
    assert len(broker.step(inputs.SendHeartbeat())) == 1
    broker.step(replace(still, restarted=True))
    assert broker.step(inputs.SendHeartbeat()) == []
