"""The master and its SyncStateSet: who is in it, who is proposed for it (`AutoSwitchHAService`; RIP-44)."""

from __future__ import annotations

from rmqproof.impl.broker.config import Role
from rmqproof.impl.broker.parts import QueuedProposal
from rmqproof.impl.broker.rules import BrokerState
from rmqproof.impl.core.broker_inputs import (
    CheckWaitingPuts,
    ExpandSyncStateSet,
    SendQueuedProposal,
    ShrinkSyncStateSet,
)
from rmqproof.impl.core.broker_outputs import Event, FollowUp, ToController
from rmqproof.impl.core.codes import ResponseCode
from rmqproof.impl.core.controller_messages import AlterSyncStateSetRequest, AlterSyncStateSetResponse, Members


def learn(broker: BrokerState, members: Members, number: int) -> None:
    """The controller's set (`changeSyncStateSet`). A greater number resolves every proposal: those that carry a smaller
    one can no longer be accepted."""
    if number > broker.sync_state_set_epoch:
        confirm = broker.rules.confirm_with(broker, members, members, broker.acks())
        broker.sync_state_set, broker.sync_state_set_epoch = members, number
        broker.pending = frozenset()
        broker.set_confirm_offset(confirm)
        broker.emit(Event("LearnSyncStateSet", (broker.id,)))
        if broker.waiting:
            broker.emit(FollowUp(CheckWaitingPuts()))
    elif number == broker.sync_state_set_epoch and broker.pending and broker.rules.poll_resolves_proposals:
        broker.pending = frozenset()
        broker.emit(Event("ForgetUnresolvedProposals", (broker.id,)))


def on_altered(broker: BrokerState, told: AlterSyncStateSetResponse) -> None:
    """The answer to a proposal. A refusal teaches nothing: an earlier or a later proposal may still be stored."""
    if told.code is ResponseCode.SUCCESS and broker.role is Role.MASTER:
        learn(broker, told.sync_state_set, told.sync_state_set_epoch)


def expand(broker: BrokerState, given: ExpandSyncStateSet) -> None:
    """A slave that has caught up joins (`maybeExpandInSyncStateSet`)."""
    slave = given.slave_id
    if broker.role is not Role.MASTER or slave in broker.sync_state_set or broker.connection_of(slave) is None:
        return
    if broker.rules.expand_guard(broker, slave):
        _propose(broker, broker.sync_state_set | {slave}, Event("ProposeExpand", (broker.id, slave)))


def shrink(broker: BrokerState, given: ShrinkSyncStateSet) -> None:
    """A member that does not keep up leaves (`maybeShrinkSyncStateSet`)."""
    member = given.member_id
    if broker.role is Role.MASTER and member in broker.sync_state_set and member != broker.id:
        _propose(broker, broker.sync_state_set - {member}, Event("ProposeShrink", (broker.id, member)))


def _propose(broker: BrokerState, members: Members, event: Event) -> None:
    """From now on the members of the proposal count, too. What consumers may read does not move back by that."""
    confirm = broker.rules.confirm_at_proposal(broker)
    broker.pending = broker.rules.pending_with(broker, members)
    broker.set_confirm_offset(confirm)
    broker.emit(event)
    if broker.rules.sent_at_once:
        broker.emit(ToController(_request(broker, members)))
        return
    proposal = QueuedProposal(members, broker.sync_state_set_epoch)
    if proposal not in broker.queue:
        broker.queue = (*broker.queue, proposal)
    broker.emit(FollowUp(SendQueuedProposal()))


def send_queued(broker: BrokerState, given: SendQueuedProposal) -> None:
    """As shipped (#9897): the epochs that are valid now are put on a set that was computed earlier."""
    if given.position >= len(broker.queue):
        return
    proposal = broker.queue[given.position]
    broker.queue = (*broker.queue[: given.position], *broker.queue[given.position + 1 :])
    broker.emit(Event("SendQueuedProposal", (broker.id,)))
    broker.emit(ToController(_request(broker, proposal.members)))


def _request(broker: BrokerState, members: Members) -> AlterSyncStateSetRequest:
    return AlterSyncStateSetRequest(
        broker.config.broker_name, broker.id, broker.master_epoch, members, broker.sync_state_set_epoch
    )
