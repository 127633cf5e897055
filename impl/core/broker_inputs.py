"""What happens to a broker: timers, clients, the store, the controller's answers, packets of its peers.

`Broker.step` takes one of these at a time. Controller answers are the classes of `controller_messages` themselves.
Connections are named by ints that the runtime chooses; a number is not used again while the connection is open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from rmqproof.impl.core.controller_messages import (
    AlterSyncStateSetResponse,
    ElectMasterResponse,
    GetReplicaInfoResponse,
    NotifyBrokerRoleChangedRequest,
    RegisterBrokerResponse,
)
from rmqproof.impl.core.replication_messages import ToMaster, ToSlave

# --- timers and what the core asked to be given back -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Register:
    """A fenced broker tries to take its place again; every few seconds until it is not fenced any more."""


@dataclass(frozen=True, slots=True)
class PollController:
    """syncBrokerMetadataPeriod has passed: ask for GetReplicaInfo."""


@dataclass(frozen=True, slots=True)
class SendHeartbeat:
    """brokerHeartbeatInterval has passed."""


@dataclass(frozen=True, slots=True)
class ContinuePromotion:
    """The next step of changeToMaster. The runtime waits here for what the Java waits for (dispatch)."""


@dataclass(frozen=True, slots=True)
class ExpandSyncStateSet:
    """Check whether this slave may join; after each of its acknowledgements."""

    slave_id: int


@dataclass(frozen=True, slots=True)
class ShrinkSyncStateSet:
    """This member was not caught up for haMaxTimeSlaveNotCatchup, or has no connection (`CaughtUpTimes` says so)."""

    member_id: int


@dataclass(frozen=True, slots=True)
class SendQueuedProposal:
    """A proposal that waits leaves. Only where proposals wait (SentAtOnce is replaced). `position` in the queue."""

    position: int = 0


@dataclass(frozen=True, slots=True)
class CheckWaitingPuts:
    """Answer the waiting puts that have copies enough; `token` None: all of them, in the order of the log."""

    token: int | None = None


# --- clients and the store -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Put:
    """A producer's message, encoded. `token` names the request in the answer.

    `admitted`: the checks before the append were passed some time ago, the thread comes back to append only now.
    """

    token: int
    body: bytes
    admitted: bool = False


@dataclass(frozen=True, slots=True)
class PutTimedOut:
    """slaveTimeout has passed for a waiting put."""

    token: int


@dataclass(frozen=True, slots=True)
class Read:
    """How far may consumers read?"""


@dataclass(frozen=True, slots=True)
class LogFlushed:
    """All bytes before `offset` are on the disk."""

    offset: int


# --- the slave's end of a connection ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ConnectToMaster:
    """A slave without a connection tries to get one."""


@dataclass(frozen=True, slots=True)
class MasterConnected:
    """The connection that `ConnectHa` asked for is open."""


@dataclass(frozen=True, slots=True)
class MasterDisconnected:
    """The connection could not be opened, or ended."""


@dataclass(frozen=True, slots=True)
class FromMaster:
    packet: ToSlave


@dataclass(frozen=True, slots=True)
class ReportOffset:
    """Acknowledge what is stored, if the master does not know it yet."""


# --- the master's end, one per connection ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SlaveConnected:
    connection: int


@dataclass(frozen=True, slots=True)
class FromSlave:
    connection: int
    packet: ToMaster


@dataclass(frozen=True, slots=True)
class SlaveDisconnected:
    connection: int


@dataclass(frozen=True, slots=True)
class SendBatch:
    """Send what comes next on a connection, if anything does.

    `boundary`: the last message boundary that the batch may reach, from the store (None: every offset is one).
    """

    connection: int
    boundary: int | None = None


@dataclass(frozen=True, slots=True)
class SendConfirmOffset:
    """Send a header without a body, which brings the confirmOffset and keeps the connection awake."""

    connection: int


BrokerInput: TypeAlias = (
    Register
    | PollController
    | SendHeartbeat
    | ContinuePromotion
    | ExpandSyncStateSet
    | ShrinkSyncStateSet
    | SendQueuedProposal
    | CheckWaitingPuts
    | Put
    | PutTimedOut
    | Read
    | LogFlushed
    | ConnectToMaster
    | MasterConnected
    | MasterDisconnected
    | FromMaster
    | ReportOffset
    | SlaveConnected
    | FromSlave
    | SlaveDisconnected
    | SendBatch
    | SendConfirmOffset
    | RegisterBrokerResponse
    | GetReplicaInfoResponse
    | ElectMasterResponse
    | AlterSyncStateSetResponse
    | NotifyBrokerRoleChangedRequest
)
