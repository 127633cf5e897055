"""Brokers in the hand of a test: made, given a role, connected, written to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rmqproof.impl.broker.broker import Broker
from rmqproof.impl.broker.config import BrokerConfig, FlushDiskType, Role
from rmqproof.impl.broker.rules import BrokerRules
from rmqproof.impl.core import broker_inputs as inputs
from rmqproof.impl.core.broker_outputs import (
    CloseConnection,
    PutAnswer,
    SendToMaster,
    SendToSlave,
    ToController,
)
from rmqproof.impl.core.codes import ConnectionState, PutStatus, ResponseCode
from rmqproof.impl.core.controller_messages import (
    AlterSyncStateSetRequest,
    ElectMasterResponse,
    GetReplicaInfoResponse,
)
from rmqproof.impl.core.replication_messages import EpochEntry, EpochFile, Transfer
from rmqproof.impl.core.writes import StoredBroker

MESSAGE = b"x" * 158
"""As in AutoSwitchHATest: one message has 158 bytes, ten have 1580."""


def of(entries: dict[int, int]) -> EpochFile:
    return tuple(EpochEntry(epoch, start) for epoch, start in entries.items())


def start(
    broker_id: int,
    stored: StoredBroker | None = None,
    rules: BrokerRules | None = None,
    **config: Any,
) -> Broker:
    config = {"all_ack_in_sync_state_set": True, "flush_disk_type": FlushDiskType.SYNC_FLUSH, **config}
    broker, _ = Broker.start(BrokerConfig(broker_id, **config), rules or BrokerRules(), stored)
    return broker


def info(master: int | None, epoch: int, members: set[int], number: int) -> GetReplicaInfoResponse:
    return GetReplicaInfoResponse(ResponseCode.SUCCESS, master, f"b{master}", epoch, frozenset(members), number)


def lead(broker: Broker, epoch: int, members: set[int] | None = None, number: int = 1) -> None:
    """Elected anew, with the answers in time, and changeToMaster done."""
    everybody = members if members is not None else {broker.id}
    broker.step(
        ElectMasterResponse(
            ResponseCode.SUCCESS, broker.id, "here", epoch, frozenset(everybody), number, broker.role is Role.FENCED
        )
    )
    broker.step(inputs.ContinuePromotion())
    broker.step(inputs.ContinuePromotion())
    assert broker.role is Role.MASTER


def follow(broker: Broker, master: int, epoch: int) -> None:
    broker.step(info(master, epoch, {master}, 1))
    assert broker.role is Role.SLAVE


def connect(slave: Broker, master: Broker, number: int = 0) -> bool:
    """Handshake and cut; whether they agreed."""
    slave.step(inputs.ConnectToMaster())
    master.step(inputs.SlaveConnected(number))
    packets = [o.packet for o in slave.step(inputs.MasterConnected()) if isinstance(o, SendToMaster)]
    while packets:
        for output in master.step(inputs.FromSlave(number, packets.pop(0))):
            if isinstance(output, CloseConnection) and output.connection == number:
                slave.step(inputs.MasterDisconnected())
                return False
            if isinstance(output, SendToSlave):
                told = slave.step(inputs.FromMaster(output.packet))
                packets += [o.packet for o in told if isinstance(o, SendToMaster)]
    return slave.client_state is ConnectionState.TRANSFER


def copy_all(slave: Broker, master: Broker, log: bytes, number: int = 0) -> list[Transfer]:
    """Transfer until there is nothing to send, with acknowledgements."""
    sent: list[Transfer] = []
    while True:
        outputs = [o for o in master.step(inputs.SendBatch(number)) if isinstance(o, SendToSlave)]
        for output in outputs:
            assert isinstance(output.packet, Transfer)
            packet = output.packet
            packet = replace(packet, body=log[packet.offset : packet.offset + packet.size])
            sent.append(packet)
            slave.step(inputs.FromMaster(packet))
        acknowledge(slave, master, number)
        if not outputs:
            return sent


def acknowledge(slave: Broker, master: Broker, number: int = 0) -> list[Any]:
    outputs: list[Any] = []
    for output in slave.step(inputs.ReportOffset()):
        if isinstance(output, SendToMaster):
            outputs += master.step(inputs.FromSlave(number, output.packet))
    return outputs


def put(broker: Broker, count: int = 1) -> list[PutAnswer]:
    answers: list[Any] = []
    for _ in range(count):
        answers += broker.step(inputs.Put(broker.log_end, MESSAGE))
    answers += broker.step(inputs.CheckWaitingPuts())
    return [answer for answer in answers if isinstance(answer, PutAnswer)]


def statuses(answers: list[PutAnswer]) -> list[PutStatus]:
    return [answer.status for answer in answers]


def pair(members: set[int] | None = None, **config: Any) -> tuple[Broker, Broker]:
    """A master of epoch 1 and a slave that is connected."""
    master, slave = start(1, **config), start(2, **config)
    lead(master, 1, members)
    follow(slave, 1, 1)
    assert connect(slave, master)
    return master, slave


def requests(outputs: list[Any]) -> list[AlterSyncStateSetRequest]:
    return [
        o.request for o in outputs if isinstance(o, ToController) and isinstance(o.request, AlterSyncStateSetRequest)
    ]
