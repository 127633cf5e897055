"""What a broker core wants its surroundings to do, in this order: writes (see `writes`), packets, requests, answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from rmqproof.impl.core.broker_inputs import BrokerInput
from rmqproof.impl.core.codes import PutStatus
from rmqproof.impl.core.controller_messages import ControllerRequest
from rmqproof.impl.core.replication_messages import ToMaster, ToSlave
from rmqproof.impl.core.writes import Write


@dataclass(frozen=True, slots=True)
class ToController:
    """Send a request; feed the answer to `Broker.step`. A lost one needs no notice: the core asks again."""

    request: ControllerRequest


@dataclass(frozen=True, slots=True)
class ConnectHa:
    """Open the slave's connection to the HA address of this broker; then `MasterConnected` or `MasterDisconnected`."""

    master_id: int
    master_address: str | None


@dataclass(frozen=True, slots=True)
class DisconnectHa:
    """Close the slave's connection. The core has forgotten it already."""


@dataclass(frozen=True, slots=True)
class SendToMaster:
    packet: ToMaster


@dataclass(frozen=True, slots=True)
class SendToSlave:
    """For a `Transfer` with `size` > 0 the runtime adds the body from the log."""

    connection: int
    packet: ToSlave


@dataclass(frozen=True, slots=True)
class CloseConnection:
    """Close a slave's connection. The core has forgotten it already."""

    connection: int


@dataclass(frozen=True, slots=True)
class PutAnswer:
    token: int
    status: PutStatus
    offset: int = -1
    """Where the message begins in the log, when it was appended."""


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """Consumers may read all bytes before `limit`; None: the broker does not serve."""

    limit: int | None


@dataclass(frozen=True, slots=True)
class FollowUp:
    """Feed this back soon, as a step of its own. Between the two anything may happen; to lose it does no harm."""

    input: BrokerInput


@dataclass(frozen=True, slots=True)
class Event:
    """A step of the protocol was taken: the action as in spec/core/ControllerMode.tla, its arguments as brokerIds."""

    action: str
    arguments: tuple[int, ...] = ()


BrokerOutput: TypeAlias = (
    Write
    | ToController
    | ConnectHa
    | DisconnectHa
    | SendToMaster
    | SendToSlave
    | CloseConnection
    | PutAnswer
    | ReadAnswer
    | FollowUp
    | Event
)
