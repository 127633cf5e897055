"""What drives the world: helpers that the actions share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from rmqproof.conformance.adapter import Value
from rmqproof.conformance.reference.world import Alter, World
from rmqproof.impl.broker.broker import Broker
from rmqproof.impl.core import broker_inputs as inputs
from rmqproof.impl.core.broker_outputs import ToController
from rmqproof.impl.core.controller_messages import (
    BrokerHeartbeatRequest,
    ControllerRequest,
    GetReplicaInfoRequest,
    GetReplicaInfoResponse,
)

_Request = TypeVar("_Request", bound=ControllerRequest)


class NotOffered(Exception):
    """The environment does not do this: the budget is used, the message is not under way, the process does not run."""


class Driver:
    """Actions are methods `_Name` that drive the world and say whether the step was taken."""

    world: World
    _ids: Mapping[str, int]

    def _up(self, b: int) -> Broker:
        """The process of b; without one nothing can be done to it."""
        broker = self.world.brokers[b]
        if broker is None:
            raise NotOffered
        return broker

    def _poll(self, b: int) -> list[Any]:
        """A broker asks for GetReplicaInfo and gets the answer; what it does then."""
        self._up(b)
        request = request_in(self.world.step(b, inputs.PollController()), GetReplicaInfoRequest)
        response = self.world.ask(request).response
        assert isinstance(response, GetReplicaInfoResponse)
        return list(self.world.step(b, response))

    def _deliver_heartbeat(self, b: int) -> None:
        self._up(b)
        heartbeat = request_in(self.world.step(b, inputs.SendHeartbeat()), BrokerHeartbeatRequest)
        self.world.ask(as_old_as_can_be(heartbeat))

    def _sender(self, r: Value) -> int:
        return self._ids[r["from"]]

    def _alter(self, r: Value) -> Alter:
        members = self.world.settings.ids_of(r["members"])
        return Alter(self._sender(r), r["masterEpoch"], r["sssEpoch"], members, r["basis"])


def offered(condition: bool) -> None:
    if not condition:
        raise NotOffered


def request_in(outputs: Iterable[Any], kind: type[_Request]) -> _Request:
    for output in outputs:
        if isinstance(output, ToController) and isinstance(output.request, kind):
            return output.request
    raise AssertionError(f"the broker sent no {kind.__name__}")


def as_old_as_can_be(heartbeat: BrokerHeartbeatRequest) -> BrokerHeartbeatRequest:
    """The offsets in it rank candidates of an election. What the controller heard may be arbitrarily old, so all may
    have reported the same, and chance decides between them, as in the model."""
    return replace(heartbeat, epoch=-1, max_offset=-1, confirm_offset=-1)
