"""The adapter of the reference implementation, and what no action of the specification asks for.

The specification has no message that comes where it does not belong, no text for administrators, no timer that saves
another one. What the cores do with those is held to what it may mean in the specification: nothing, or that a
connection breaks. Whatever else they do is an exception in the next `HeartbeatArrives`, which is asked for of every
broker in every state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rmqproof.conformance.adapter import Value
from rmqproof.conformance.reference import ReferenceAdapter
from rmqproof.conformance.reference.settings import BROKER_NAME, CLUSTER_NAME
from rmqproof.conformance.reference.world import World
from rmqproof.impl.broker.broker import Broker
from rmqproof.impl.broker.config import Role
from rmqproof.impl.broker.epoch_file import NO_POINT
from rmqproof.impl.broker.rules import BrokerRules
from rmqproof.impl.core import broker_inputs as inputs
from rmqproof.impl.core import controller_messages as messages
from rmqproof.impl.core import replication_messages as packets
from rmqproof.impl.core.broker_outputs import (
    BrokerOutput,
    CloseConnection,
    ConnectHa,
    DisconnectHa,
    FollowUp,
    PutAnswer,
    ReadAnswer,
    SendToSlave,
    ToController,
)
from rmqproof.impl.core.codes import ConnectionState, PutStatus, ResponseCode
from rmqproof.impl.core.controller_io import ControllerInput, ControllerStep, ControllerTrace
from rmqproof.impl.core.writes import FlushLog
from tools.mutation.strict_controller import ask_the_controller, must

_NEVER_GIVEN = 999
"""A connection, a token, a brokerId that nobody has."""
_REPAIRED = BrokerRules()
_SAVED_BY_A_TIMER: tuple[inputs.BrokerInput, ...] = (
    inputs.CheckWaitingPuts(),
    inputs.ReportOffset(),
    inputs.ContinuePromotion(),
    inputs.SendQueuedProposal(),
)


class StrictAdapter(ReferenceAdapter):
    """As `ReferenceAdapter`, and the cores are asked what the specification does not ask."""

    def start(self, constants: Mapping[str, Value]) -> int:
        count = super().start(constants)
        self.world.__class__ = StrictWorld
        return count

    def _same(self, b: int, before: Broker, told: inputs.BrokerInput) -> bool:
        must(super()._same(b, before, told), f"{type(told).__name__} teaches something else than the poll")
        return True

    def _HeartbeatArrives(self, b: int) -> bool:
        broker = self.world.brokers[b]
        if broker is not None:
            _hears_of_the_controller(broker)
            _hears_of_a_master(broker)
            _hears_of_slaves(broker)
            _times_out(broker)
            _shows_itself(broker, self.world)
            self._transfers(b, broker)
        ask_the_controller(self.world, b)
        return super()._HeartbeatArrives(b)

    def _transfers(self, s: int, broker: Broker) -> None:
        """What the master's runtime says of where a message ends makes no difference here."""
        link = self.world.links.get(s)
        master = self.world.brokers[link[0]] if link is not None else None
        if link is None or master is None or master.rules.next_batch is not _REPAIRED.next_batch:
            return
        connection = master.connections.get(link[1])
        if connection is None:
            return
        ends = connection.next_offset + master.config.ha_transfer_batch_size
        _agree(after(master, inputs.SendBatch(link[1])), after(master, inputs.SendBatch(link[1], ends)), "a boundary")
        must(
            not _sizes(after(master, inputs.SendBatch(link[1], connection.next_offset - 1))), "bytes behind a boundary"
        )
        again = master.copy()
        if not _sizes((again.step(inputs.SendBatch(link[1])), {})):
            _nothing(again, inputs.SendBatch(link[1]))  # a header that brings nothing is sent once
        for begin, end in ((0, 2), (1, 2), (2, 3), (3, 6), (4, 6), (6, 7)):
            long = master.copy()
            long.config = replace(master.config, ha_transfer_batch_size=100)
            long.log_end, long.epoch_file = 7, _entries((1, 0), (2, 2), (3, 3), (4, 6))
            long.connections = {link[1]: replace(connection, next_offset=begin)}
            must(_sizes(after(long, inputs.SendBatch(link[1]))) == end - begin, "a batch is not of one epoch")
            for size in (0, 1):
                sent = _sizes(after(long, inputs.SendBatch(link[1], begin + size)))
                must(sent == size, "a batch does not end where a message ends")


# --- messages where they do not belong -------------------------------------------------------------------------------


def _hears_of_the_controller(broker: Broker) -> None:
    """Answers that say nothing, or come too late, change nothing, although they name a new epoch."""
    known = (broker.id, "x:1", broker.master_epoch + 1, frozenset({broker.id}), 99)
    other = (_NEVER_GIVEN, *known[1:])
    ok, failed = ResponseCode.SUCCESS, ResponseCode.CONTROLLER_ELECT_MASTER_FAILED
    useless: list[inputs.BrokerInput] = [
        messages.RegisterBrokerResponse(failed, *other),
        messages.GetReplicaInfoResponse(failed, *other),
        messages.ElectMasterResponse(failed, *other),
        messages.ElectMasterResponse(ok, None, *known[1:]),
        messages.ElectMasterResponse(ok, *other, restarted=True),
        messages.AlterSyncStateSetResponse(failed, frozenset({broker.id}), 99),
    ]
    if broker.role is not Role.FENCED:
        useless += [
            messages.RegisterBrokerResponse(ok, *other),
            messages.ElectMasterResponse(ok, *known, restarted=True),
            inputs.Register(),
        ]
    elif broker.rules.may_resume is _REPAIRED.may_resume:
        useless.append(messages.GetReplicaInfoResponse(ok, *known))
        useless += [messages.ElectMasterResponse(ok, *known), messages.ElectMasterResponse(ok, *other)]
        _is_given_no_new_epoch(broker)
    if broker.role in (Role.PROMOTING, Role.LABELLED):
        useless += [
            messages.GetReplicaInfoResponse(ok, *other),
            messages.ElectMasterResponse(ok, *other),
            messages.NotifyBrokerRoleChangedRequest(BROKER_NAME, *other[:3], 99, frozenset({broker.id})),
        ]
    if broker.role is not Role.MASTER:
        useless.append(messages.AlterSyncStateSetResponse(ok, frozenset({broker.id}), 99))
        useless += [inputs.ExpandSyncStateSet(_NEVER_GIVEN), inputs.ShrinkSyncStateSet(_NEVER_GIVEN)]
    if broker.role not in (Role.PROMOTING, Role.LABELLED):
        useless.append(inputs.ContinuePromotion())
    for message in useless:
        _nothing(broker, message)


def _is_given_no_new_epoch(broker: Broker) -> None:
    """A controller that knows no `restarted` names the restarted broker as master: it stays fenced and is silent until
    it is missed. Then it is heard again, and asks again as one that has restarted. None of ours answers so."""
    known = (broker.id, "x:1", broker.master_epoch + 1, frozenset({broker.id}), 99)
    still = messages.ElectMasterResponse(ResponseCode.CONTROLLER_MASTER_STILL_EXIST, *known, restarted=True)
    silent = {**broker.state(), "silent": True, "unknown_restart": True}
    must(after(broker, still) == ([], silent), "a restarted broker takes an epoch that is not new")
    quiet = broker.copy()
    quiet.step(still)
    must(not _does(quiet, inputs.SendHeartbeat()), "a broker that has to be missed sends heartbeats")
    for master in (None, _NEVER_GIVEN):
        poll = messages.GetReplicaInfoResponse(ResponseCode.SUCCESS, master, None, *known[2:])
        outputs, state = after(quiet, poll)
        (heard, *others) = [output.request for output in outputs if isinstance(output, ToController)]
        must(isinstance(heard, messages.BrokerHeartbeatRequest) and not state["silent"], "a missed broker stays silent")
        asks = [request.restarted for request in others if isinstance(request, messages.ElectMasterRequest)]
        must(asks == ([True] if master is None else []), "a missed broker does not ask as one that has restarted")


def _hears_of_a_master(broker: Broker) -> None:
    """A packet that does not belong ends the connection, and one without a connection is nothing."""
    end, file = broker.log_end, broker.epoch_file
    reply = packets.HandshakeReply(broker.master_epoch, end, -1, file)
    beyond = packets.Transfer(end + 1, 1, None, end + 1, b"x")
    if broker.client_state is ConnectionState.TRANSFER:
        for packet in (reply, beyond):
            _breaks(broker, inputs.FromMaster(packet))
        _breaks(broker, inputs.MasterConnected(), keeps=True)
        return
    _nothing(broker, inputs.FromMaster(reply))
    _nothing(broker, inputs.FromMaster(beyond))
    if broker.role is not Role.SLAVE:
        _breaks(broker, inputs.MasterConnected(), keeps=True)
        return
    waiting = broker.copy()
    waiting.step(inputs.MasterConnected())
    must(waiting.client_state is ConnectionState.HANDSHAKE, "a slave begins no handshake")
    _breaks(waiting, inputs.FromMaster(packets.Transfer(end, 0, None, end)))
    _breaks(waiting, inputs.MasterConnected(), keeps=True)
    if broker.rules.handshake_allowed is _REPAIRED.handshake_allowed:
        _breaks(waiting, inputs.FromMaster(packets.HandshakeReply(broker.master_epoch + 1, end, -1, file)))
    shipped = waiting.copy()
    shipped.rules = replace(broker.rules, truncation_point=lambda *_: NO_POINT)
    _breaks(shipped, inputs.FromMaster(reply))
    if broker.rules.truncation_point is _REPAIRED.truncation_point:
        _cuts(waiting)
        nothing_in_common = packets.HandshakeReply(broker.master_epoch, end, -1, ())
        _, state = after(waiting, inputs.FromMaster(nothing_in_common))
        must(state["log_end"] == 0, "bytes are kept that no epoch of the master's vouches for")


def _cuts(waiting: Broker) -> None:
    """With more epochs than the models have: the logs agree up to the start of the first entry that differs."""
    old = waiting.copy()
    old.log_end, old.flushed, old.epoch_file = 7, 3, _entries((1, 0), (2, 2), (3, 3), (5, 6))
    masters = _entries((1, 0), (2, 2), (3, 3), (4, 5), (6, 8))
    handshake_allowed = old.rules.handshake_allowed(old, False, old.master_epoch)
    if handshake_allowed and old.rules.epoch_file_after_handshake is _REPAIRED.epoch_file_after_handshake:
        outputs, state = after(old, inputs.FromMaster(packets.HandshakeReply(old.master_epoch, 9, 6, masters)))
        must(FlushLog(5) in outputs and FollowUp(inputs.ReportOffset()) in outputs, "what is left is not flushed")
        must(state["log_end"] == 5, "the log is cut elsewhere")
        must(state["epoch_file"] == masters[:4], "another epoch file is taken over")


def _entries(*pairs: tuple[int, int]) -> packets.EpochFile:
    return tuple(packets.EpochEntry(epoch, start) for epoch, start in pairs)


def _hears_of_slaves(broker: Broker) -> None:
    """An acknowledgement of more than there is ends the connection, also one on a connection that nobody introduced;
    one of less is nothing; what comes on no connection is nothing."""
    far = packets.Acknowledge(broker.log_end + 1)
    _nothing(broker, inputs.FromSlave(_NEVER_GIVEN, far))
    _nothing(broker, inputs.SlaveDisconnected(_NEVER_GIVEN))
    _nothing(broker, inputs.SendBatch(_NEVER_GIVEN))
    _nothing(broker, inputs.SendConfirmOffset(_NEVER_GIVEN))
    new = broker.copy()
    new.step(inputs.SlaveConnected(_NEVER_GIVEN))
    _nothing(new, inputs.SendBatch(_NEVER_GIVEN))
    _nothing(new, inputs.SendConfirmOffset(_NEVER_GIVEN))
    _closes(new, _NEVER_GIVEN, packets.Acknowledge(0))
    greeted, _ = after(new, inputs.FromSlave(_NEVER_GIVEN, packets.Handshake(_NEVER_GIVEN, broker.master_epoch)))
    for output in greeted:
        if isinstance(output, SendToSlave):
            newest = max((entry.epoch for entry in broker.epoch_file), default=-1)
            shown = packets.HandshakeReply(broker.master_epoch, broker.log_end, newest, broker.epoch_file)
            must(output.packet == shown, "a slave is shown something else than there is")
    outputs, state = after(new, inputs.SlaveDisconnected(_NEVER_GIVEN))
    must(not outputs and state == broker.state(), "a connection leaves something behind")
    for number, connection in broker.connections.items():
        _nothing(broker, inputs.FromSlave(number, packets.Acknowledge(connection.ack)))
        if broker.rules.first_ack is _REPAIRED.first_ack:  # the other reading comes with such acknowledgements
            _closes(broker, number, far)


def _times_out(broker: Broker) -> None:
    """A put that waits too long is answered, but not acknowledged, and its message stays; one that is not taken is
    refused."""
    outputs, state = after(broker, inputs.Put(_NEVER_GIVEN, b"x", True))
    refused = len(outputs) == 1 and isinstance(outputs[0], PutAnswer) and outputs[0].status is not PutStatus.PUT_OK
    must(state["log_end"] > broker.log_end or (refused and state == broker.state()), "a put is forgotten")
    longer = broker.copy()
    longer.log_end += 2
    _, state = after(longer, inputs.LogFlushed(longer.log_end - 1))
    must(state["flushed"] == longer.log_end - 1, "more is taken for flushed, or less")
    _, state = after(longer, inputs.LogFlushed(longer.log_end + 1))
    must(state["flushed"] == longer.log_end, "what is not there is taken for flushed")
    reported = broker.copy()
    reported.step(inputs.ReportOffset())
    _nothing(reported, inputs.ReportOffset())
    _nothing(broker, inputs.PutTimedOut(_NEVER_GIVEN))
    if broker.waiting and broker.role is Role.MASTER:
        smaller = frozenset({broker.id}), broker.sync_state_set_epoch + 1
        outputs, _ = after(broker, messages.AlterSyncStateSetResponse(ResponseCode.SUCCESS, *smaller))
        must(FollowUp(inputs.CheckWaitingPuts()) in outputs, "nobody looks whether a smaller set has a put")
    for waiting in broker.waiting:
        outputs, state = after(broker, inputs.PutTimedOut(waiting.token))
        must(
            outputs == [PutAnswer(waiting.token, PutStatus.FLUSH_SLAVE_TIMEOUT, waiting.offset)]
            and state == {**broker.state(), "waiting": tuple(w for w in broker.waiting if w != waiting)},
            "a put that timed out does something else",
        )


def _shows_itself(broker: Broker, world: World) -> None:
    """The heartbeat is about the own log, addresses are those of the brokers, and who is fenced serves nobody."""
    (sent,) = [o.request for o in after(broker, inputs.SendHeartbeat())[0] if isinstance(o, ToController)]
    assert isinstance(sent, messages.BrokerHeartbeatRequest)
    newest = max((entry.epoch for entry in broker.epoch_file), default=-1)
    must(
        (sent.broker_id, sent.epoch, sent.max_offset, sent.confirm_offset)
        == (broker.id, newest, broker.log_end, broker.confirm_offset),
        "the heartbeat tells something else",
    )
    if broker.role is Role.FENCED:
        must(after(broker, inputs.Read())[0] == [ReadAnswer(None)], "a fenced broker serves consumers")
        shipped = broker.copy()
        shipped.rules = replace(broker.rules, may_resume=lambda _: True)
        outputs, _ = after(shipped, messages.RegisterBrokerResponse(ResponseCode.SUCCESS, None))
        asked = [o.request for o in outputs if isinstance(o, ToController)]
        wanted = messages.ElectMasterRequest(CLUSTER_NAME, BROKER_NAME, broker.id)
        must(asked == [wanted], "a broker that nobody leads does not ask for an election")
    if broker.master_id is not None and broker.role is not Role.FENCED:
        address = world.settings.brokers[broker.master_id].broker_address
        must(broker.master_address == address, "the master is looked for at another address")
        wanted_ha = [ConnectHa(broker.master_id, address)]
        ready = broker.role is Role.SLAVE and broker.client_state is ConnectionState.READY
        must(after(broker, inputs.ConnectToMaster())[0] == (wanted_ha if ready else []), "another connection is opened")


# --- what a step makes possible --------------------------------------------------------------------------------------


class StrictWorld(World):
    """Whoever makes a step possible says so: nothing waits for a timer that need not."""

    def step(self, broker_id: int, given: inputs.BrokerInput) -> list[BrokerOutput]:
        before = self.brokers[broker_id]
        outputs = super().step(broker_id, given)
        now = self.brokers[broker_id]
        assert before is not None and now is not None
        announced = [output.input for output in outputs if isinstance(output, FollowUp)]
        if now.rules.poll_resolves_proposals:  # a wrong rule, whose effects nobody announces
            return outputs
        for wish in _wishes(given, before, now):
            said = wish in announced or (
                isinstance(wish, inputs.CheckWaitingPuts) and any(isinstance(a, type(wish)) for a in announced)
            )
            goes_on = isinstance(given, inputs.ContinuePromotion) and wish == given
            new = goes_on or isinstance(wish, inputs.ShrinkSyncStateSet) or not _does(before, wish)
            if not said and new and _does(now, wish):
                must(False, f"{type(given).__name__} makes {wish} possible and does not say so")
        answered = {output.token for output in outputs if isinstance(output, PutAnswer)}
        gone = {waiting.token for waiting in before.waiting} - {waiting.token for waiting in now.waiting}
        must(gone <= answered, "a producer is forgotten")
        begins = now.log_end > before.log_end or now.client_state is not before.client_state
        if begins and now.client_state is not ConnectionState.HANDSHAKE and now.flushed < now.log_end:
            must(FlushLog(now.log_end) in outputs or now.copies_from is None, "bytes wait for nobody to flush them")
        return outputs

    def ask(self, given: ControllerInput, order: tuple[int, ...] = ()) -> ControllerStep:
        """What the controller answers is what it holds afterwards, and what it reports is of this broker set."""
        before = self.controller.broker_set(BROKER_NAME)
        step = super().ask(given, order)
        for output in step.outputs:
            if isinstance(output, ControllerTrace):
                must(output.broker_name in (BROKER_NAME, ""), "a step of another broker set is reported")
                applied = output.action == "ControllerAppliesEvent"
                must(
                    not applied or not self.settings.controller_rules.decided_when_applied, "an event waits for nobody"
                )
        answer, state = step.response, self.controller.broker_set(BROKER_NAME)
        told = any(isinstance(output, ControllerTrace) for output in step.outputs)
        must(told or state.master_epoch == before.master_epoch, "an election is not reported")
        if step.undecided or answer is None or answer.code is not ResponseCode.SUCCESS:
            return step
        if isinstance(answer, messages.AlterSyncStateSetResponse | messages.ElectMasterResponse):
            stored = (answer.sync_state_set, answer.sync_state_set_epoch)
            must(stored == (state.sync_state_set, state.sync_state_set_epoch), "another set is told than is stored")
        if isinstance(answer, messages.ElectMasterResponse | messages.GetReplicaInfoResponse):
            known = (state.master_broker_id, state.address(state.master_broker_id), state.master_epoch)
            must(
                (answer.master_broker_id, answer.master_address, answer.master_epoch) == known, "another master is told"
            )
        return step


def _wishes(given: inputs.BrokerInput, before: Broker, now: Broker) -> tuple[inputs.BrokerInput, ...]:
    if isinstance(given, inputs.FromSlave) and isinstance(given.packet, packets.Acknowledge):
        connection = now.connections.get(given.connection)
        if connection is not None and connection.slave_id not in now.union:
            return (*_SAVED_BY_A_TIMER, inputs.ExpandSyncStateSet(connection.slave_id))
    if isinstance(given, inputs.SlaveDisconnected):
        gone = before.connections.get(given.connection)
        if gone is not None and now.connection_of(gone.slave_id) is None:
            return (*_SAVED_BY_A_TIMER, inputs.ShrinkSyncStateSet(gone.slave_id))
    if now.master_epoch > before.master_epoch:
        return (*_SAVED_BY_A_TIMER, inputs.ConnectToMaster())
    return _SAVED_BY_A_TIMER


# --- asking ----------------------------------------------------------------------------------------------------------


def after(broker: Broker, given: inputs.BrokerInput) -> tuple[list[BrokerOutput], dict[str, Any]]:
    """What a core would do, and its state then. It is not changed."""
    copy = broker.copy()
    outputs = copy.step(given)
    return outputs, copy.state()


def _does(broker: Broker, given: inputs.BrokerInput) -> bool:
    return bool(after(broker, given)[0])


def _sizes(found: tuple[list[BrokerOutput], dict[str, Any]]) -> int:
    """Bytes that a core sends to slaves."""
    sent = [output.packet for output in found[0] if isinstance(output, SendToSlave)]
    return sum(packet.size for packet in sent if isinstance(packet, packets.Transfer))


def _agree(one: Any, other: Any, what: str) -> None:
    must(one == other, f"{what} makes a difference")


def _nothing(broker: Broker, given: inputs.BrokerInput) -> None:
    must(after(broker, given) == ([], broker.state()), f"{given} does something")


def _breaks(broker: Broker, given: inputs.BrokerInput, keeps: bool = False) -> None:
    """The slave's connection ends; `keeps`: it is another one that ends."""
    ready = {} if keeps else {"client_state": ConnectionState.READY, "reported_offset": -1}
    must(after(broker, given) == ([DisconnectHa()], {**broker.state(), **ready}), f"{given} does not end a connection")


def _closes(broker: Broker, number: int, packet: packets.ToMaster) -> None:
    left = {other: c for other, c in broker.connections.items() if other != number}
    found = after(broker, inputs.FromSlave(number, packet))
    must(
        found == ([CloseConnection(number)], {**broker.state(), "connections": left}),
        f"{packet} does not end the connection",
    )
