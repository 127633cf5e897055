"""Deliberately broken copies of the reference implementation: one changed rule each. What catches them is in `caught`.

Not here, because no reachable state shows them: an epoch file that matches by epoch alone (an epoch has one start), a
set proposed without the master (nobody proposes it), an empty epoch file that is not written (a slave has its master's
first entry), a slave's confirmOffset that falls (its master's does not). Unit tests hold those rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import patch

from rmqproof.conformance.reference import ReferenceAdapter
from rmqproof.impl.broker import broker as broker_module
from rmqproof.impl.broker import ha_client, ha_server, puts, roles, rules, sync_state_set
from rmqproof.impl.broker.broker import Broker
from rmqproof.impl.broker.config import Role
from rmqproof.impl.broker.epoch_file import (
    append_newer_wins,
    end_of,
    find_consistent_point_or_start,
    index_of,
    last_start,
)
from rmqproof.impl.broker.parts import Batch
from rmqproof.impl.controller import controller as controller_module
from rmqproof.impl.controller import decisions, elect_policy, liveness
from rmqproof.impl.controller.broker_set import apply_event
from rmqproof.impl.controller.config import Refusal, alter_code
from rmqproof.impl.core import broker_inputs as inputs
from rmqproof.impl.core.broker_outputs import Event, SendToMaster, SendToSlave
from rmqproof.impl.core.codes import ConnectionState, PutStatus, ResponseCode
from rmqproof.impl.core.controller_io import ElectMasterEvent
from rmqproof.impl.core.replication_messages import Acknowledge, EpochEntry, EpochFile, Transfer


@dataclass(frozen=True)
class BrokenCopy:
    """`patched` puts the wrong rule in; the adapter is made and used inside of it."""

    name: str
    make: Callable[[], ReferenceAdapter]
    patched: Callable[[], AbstractContextManager[Any]] = nullcontext


COPIES: list[BrokenCopy] = []


def _broker(name: str, **changed: Any) -> None:
    """One rule of the broker is another."""
    COPIES.append(BrokenCopy(name, lambda: ReferenceAdapter(broker_changes=changed)))


def _controller(name: str, **changed: Any) -> None:
    COPIES.append(BrokenCopy(name, lambda: ReferenceAdapter(controller_changes=changed)))


def _code(name: str, target: Any, attribute: str, wrong: Any) -> None:
    """A piece of code that is no rule of its own is another."""
    steps: Mapping[type, Any] = broker_module._STEPS
    right = getattr(target, attribute)

    @contextmanager
    def patched() -> Any:
        with ExitStack() as stack:
            stack.enter_context(patch.object(target, attribute, wrong))
            for module in (roles, sync_state_set, puts, ha_server, ha_client, controller_module, decisions):
                if getattr(module, attribute, None) is right:
                    stack.enter_context(patch.object(module, attribute, wrong))
            replaced = {kind: wrong for kind, step in steps.items() if step is right}
            stack.enter_context(patch.dict(steps, replaced))
            yield

    COPIES.append(BrokenCopy(name, ReferenceAdapter, patched))


# --- the truncation point and the handshake --------------------------------------------------------------------------


def _one_further(own: EpochFile, end: int, masters: EpochFile, master_end: int) -> int:
    return min(find_consistent_point_or_start(own, end, masters, master_end) + 1, end)


def _one_less(own: EpochFile, end: int, masters: EpochFile, master_end: int) -> int:
    return max(find_consistent_point_or_start(own, end, masters, master_end) - 1, 0)


def _starts_do_not_matter(own: EpochFile, end: int, masters: EpochFile, master_end: int) -> int:
    for index in range(len(own) - 1, -1, -1):
        same = index_of(masters, own[index].epoch)
        if same is not None:
            return min(end_of(own, index, end), end_of(masters, same, master_end), end)
    return 0


def _oldest_first(own: EpochFile, end: int, masters: EpochFile, master_end: int) -> int:
    for index, entry in enumerate(own):
        if entry in masters:
            return min(end_of(own, index, end), end_of(masters, masters.index(entry), master_end), end)
    return 0


def _own_end_only(own: EpochFile, end: int, masters: EpochFile, master_end: int) -> int:
    for index in range(len(own) - 1, -1, -1):
        if own[index] in masters:
            return min(end_of(own, index, end), end)
    return 0


_broker("truncation point one too far", truncation_point=_one_further)
_broker("truncation point one too early", truncation_point=_one_less)
_broker("no truncation at all", truncation_point=lambda own, end, m, m_end: end)
_broker("oldest common entry instead of the newest", truncation_point=_oldest_first)
_broker("the master's end of the entry is not looked at", truncation_point=_own_end_only)
_broker(
    "missing epoch check in the handshake",
    handshake_allowed=lambda broker, as_master, epoch: not as_master or broker.role is Role.MASTER,
)
_broker(
    "missing role check in the handshake",
    handshake_allowed=lambda broker, as_master, epoch: broker.master_epoch == epoch,
)
_broker(
    "the slave keeps its own epoch file",
    epoch_file_after_handshake=lambda own, masters, point: tuple(e for e in own if e.start_offset < point),
)
_broker(
    "the slave takes the master's whole epoch file",
    epoch_file_after_handshake=lambda own, masters, point: masters,
)
_broker("a fresh connection counts as acknowledged", first_ack=lambda point, end: end)
_broker("truncation leaves the bytes on the disk", erased_when_truncated=False)

# --- transfer --------------------------------------------------------------------------------------------------------


def _batch_across_epochs(broker: Broker, connection: Any, boundary: int | None) -> Batch:
    batch = rules.next_batch(broker, connection, boundary)
    return replace(batch, size=rules.room_for_batch(broker, connection, boundary))


def _newest_label(broker: Broker, connection: Any, boundary: int | None) -> Batch:
    batch = rules.next_batch(broker, connection, boundary)
    return replace(batch, entry=broker.epoch_file[-1] if batch.entry is not None else None)


def _no_label_without_bytes(broker: Broker, connection: Any, boundary: int | None) -> Batch:
    batch = rules.next_batch(broker, connection, boundary)
    return batch if batch.size else Batch(0, None)


_broker(
    "batch one message too large",
    next_batch=lambda broker, connection, boundary: replace(
        rules.next_batch(broker, connection, boundary),
        size=min(rules.next_batch(broker, connection, boundary).size + 1, broker.log_end - connection.next_offset),
    ),
)
_broker("batch across the end of an epoch", next_batch=_batch_across_epochs)
_broker("every batch has the newest label", next_batch=_newest_label)
_broker("an epoch without bytes is not announced", next_batch=_no_label_without_bytes)
_broker(
    "a header's entry is appended without dropping an empty one",
    epoch_file_on_header=lambda file, entry: (*file, entry) if not file or file[-1].epoch < entry.epoch else file,
)
_broker("headers are not recorded", epoch_file_on_header=lambda file, entry: file)
_broker(
    "the announced confirmOffset is not cut to the own log",
    confirm_on_slave=lambda announced, end, old: max(announced, old),
)

# --- acknowledgement and confirmation --------------------------------------------------------------------------------

_broker("ack before flush", durable_end=lambda broker: broker.log_end)
_broker("the confirmed set alone acknowledges", ack_set=lambda broker: broker.sync_state_set)
_broker(
    "the minimum of replicas is not asked again",
    may_acknowledge=lambda broker, offset: (
        broker.role is Role.MASTER
        and rules.acknowledged_by_members(broker, broker.rules.ack_set(broker), rules.holders(broker, offset), 0)
    ),
)
_broker(
    "one copy fewer than needed",
    may_acknowledge=lambda broker, offset: (
        broker.role is Role.MASTER and len(rules.holders(broker, offset) & broker.union) >= len(broker.union) - 1
    ),
)
_broker(
    "copies of brokers outside of the set count",
    may_acknowledge=lambda broker, offset: (
        broker.role is Role.MASTER and len(rules.holders(broker, offset)) >= len(broker.union)
    ),
)
_broker(
    "an offset one less is enough",
    may_acknowledge=lambda broker, offset: rules.may_acknowledge(broker, offset - 1),
)
_broker(
    "a slave acknowledges puts",
    may_append=lambda broker, admitted: None,
)
_broker(
    "puts are appended with too few members",
    may_append=lambda broker, admitted: None if broker.role is Role.MASTER else PutStatus.SERVICE_NOT_AVAILABLE,
)
_broker(
    "a put is refused after the first one",
    may_append=lambda broker, admitted: (
        rules.may_append(broker, admitted) if not broker.waiting else PutStatus.SERVICE_NOT_AVAILABLE
    ),
)
_broker(
    "confirmOffset is the largest ack",
    confirm_with=lambda broker, local, members, acks: max([broker.confirm_offset, *acks.values()]),
)
_broker(
    "confirmOffset passes a member without a connection",
    confirm_with=lambda broker, local, members, acks: max(
        broker.confirm_offset, min([broker.flushed, *(a for a in acks.values() if a >= 0)])
    ),
)
_broker(
    "confirmOffset moves back",
    confirm_with=lambda broker, local, members, acks: min(
        [broker.flushed, *(max(acks.get(member, 0), 0) for member in members - {broker.id})]
    ),
)
_broker(
    "the master's flush does not move the confirmOffset",
    confirm_after_flush=lambda broker: broker.confirm_offset,
)
_broker("consumers read to the end of the log", read_limit=lambda broker: broker.log_end)
_broker(
    "consumers read by the confirmed set",
    read_limit=lambda broker: (
        broker.flushed if broker.role is Role.MASTER and broker.sync_state_set == {broker.id} else broker.confirm_offset
    ),
)

# --- SyncStateSet ----------------------------------------------------------------------------------------------------


def _expand_if(test: Callable[[Broker, Any], bool]) -> Callable[[Broker, int], bool]:
    def guard(broker: Broker, slave: int) -> bool:
        connection = broker.connection_of(slave)
        return connection is not None and test(broker, connection)

    return guard


_broker("expand without the guard", expand_guard=_expand_if(lambda broker, c: True))
_broker(
    "expand a learner",
    expand_guard=_expand_if(
        lambda broker, c: c.ack >= max(broker.rules.read_limit(broker), last_start(broker.epoch_file))
    ),
)
_broker(
    "expand only a slave that is ahead",
    expand_guard=_expand_if(lambda broker, c: c.ack > broker.rules.read_limit(broker)),
)
_broker("only the last proposal is remembered", pending_with=lambda broker, members: members)
_broker("proposals are not remembered", pending_with=lambda broker, members: frozenset())
_broker("an unchanged set resolves proposals", poll_resolves_proposals=True)
_broker("proposals wait in a queue", sent_at_once=False)


def _learn_and_keep_pending(broker: Broker, members: frozenset[int], number: int) -> None:
    pending = broker.pending
    _RIGHT_LEARN(broker, members, number)
    broker.pending = pending


def _learn_any_number(broker: Broker, members: frozenset[int], number: int) -> None:
    if number == broker.sync_state_set_epoch:
        broker.sync_state_set_epoch -= 1
    _RIGHT_LEARN(broker, members, number)


_RIGHT_LEARN = sync_state_set.learn
_code("a new set does not resolve proposals", sync_state_set, "learn", _learn_and_keep_pending)
_code("a set with the same number is learned", sync_state_set, "learn", _learn_any_number)

_code("the reply to a proposal is not learned", sync_state_set, "on_altered", lambda broker, told: None)

# --- roles and recovery ----------------------------------------------------------------------------------------------


def _obey_equal_epochs(broker: Broker, info: Any, cause: Event | None = None) -> None:
    if info.epoch == broker.master_epoch:
        broker.master_epoch -= 1
    _RIGHT_OBEY(broker, info, cause)


_RIGHT_OBEY = roles._obey


def _demote_and_keep_connections(broker: Broker, info: Any, cause: Event) -> None:
    connections = broker.connections
    with patch.object(roles, "end_connections", lambda broker: None):
        _RIGHT_DEMOTE(broker, info, cause)
    broker.connections = connections


def _demote_and_keep_set(broker: Broker, info: Any, cause: Event) -> None:
    kept = broker.sync_state_set
    _RIGHT_DEMOTE(broker, info, cause)
    broker.sync_state_set = kept


_RIGHT_DEMOTE = roles.change_to_slave


def _label_before_cut(broker: Broker, given: Any) -> None:
    if broker.role is Role.PROMOTING:  # puts are accepted at once
        roles._record_epoch(broker)
        broker.role = Role.MASTER
        broker.emit(Event("NewMasterRecordsEpoch", (broker.id,)))
        broker.emit(Event("NewMasterOpensForPuts", (broker.id,)))


_code("an equal epoch is obeyed", roles, "_obey", _obey_equal_epochs)
_code("demotion keeps connections", roles, "change_to_slave", _demote_and_keep_connections)
_code("demotion keeps the SyncStateSet", roles, "change_to_slave", _demote_and_keep_set)
_code("puts before the epoch is recorded", roles, "continue_promotion", _label_before_cut)
_broker(
    "a new master does not record its epoch",
    epoch_file_at_promotion=lambda file, epoch, end: file,
)
_broker(
    "the epoch begins one too late",
    epoch_file_at_promotion=lambda file, epoch, end: append_newer_wins(file, EpochEntry(epoch, end + 1)),
)
_broker(
    "an epoch that had no bytes keeps its entry",
    epoch_file_at_promotion=lambda file, epoch, end: (*file, EpochEntry(epoch, end)),
)
_broker(
    "a new master cuts to the confirmOffset",
    log_at_promotion=lambda broker: broker.confirm_offset,
)
_broker(
    "a new master starts with itself",
    sync_state_set_at_promotion=lambda broker, info: frozenset({broker.id}),
)
_broker("waiting puts survive a demotion", waiting_after_demotion=lambda broker: None)
_broker("a restarted master goes on in its epoch", may_resume=lambda broker: True)
_broker("a fenced broker obeys late notifications", heeds_notice=lambda broker: True)
_broker("notifications are ignored", heeds_notice=lambda broker: False)
_broker(
    "recovery keeps the whole epoch file",
    epoch_file_after_restart=lambda file, end: file,
)
_broker(
    "recovery drops an entry that begins at the end",
    epoch_file_after_restart=lambda file, end: tuple(e for e in file if e.start_offset < end),
)
_broker(
    "recovery confirms the whole log",
    confirm_after_restart=lambda confirm, end: end,
)
_broker(
    "recovery keeps a confirmOffset behind the log",
    confirm_after_restart=lambda confirm, end: confirm,
)


def _log_flushed_to_the_end(broker: Broker, given: inputs.LogFlushed) -> None:
    _RIGHT_FLUSHED(broker, given)
    if broker.role is Role.MASTER:
        broker.set_confirm_offset(broker.flushed)


_RIGHT_FLUSHED = puts.on_flushed
_code("own flush confirms", puts, "on_flushed", _log_flushed_to_the_end)


def _report_the_end(broker: Broker, _: Any) -> None:
    if broker.client_state is ConnectionState.TRANSFER and broker.log_end > broker.reported_offset:
        broker.reported_offset = broker.log_end
        broker.emit(SendToMaster(Acknowledge(broker.log_end)))


_code("a slave reports unflushed bytes", ha_client, "report", _report_the_end)


def _acks_may_fall(broker: Broker, number: int, connection: Any, offset: int) -> None:
    _RIGHT_ACKNOWLEDGE(broker, number, replace(connection, ack=-1), max(offset - 1, 0))


_RIGHT_ACKNOWLEDGE = ha_server._acknowledge
_code("acks are recorded one too small", ha_server, "_acknowledge", _acks_may_fall)

# --- the controller --------------------------------------------------------------------------------------------------


def _alter_without(*codes: ResponseCode) -> Callable[..., Refusal | None]:
    def wrong(state: Any, request: Any, alive: Any) -> Refusal | None:
        refusal = alter_code(state, request, alive)
        return None if refusal is not None and refusal.code in codes else refusal

    return wrong


_controller(
    "AlterSyncStateSet without the check of the set's number",
    alter_code=_alter_without(ResponseCode.CONTROLLER_FENCED_SYNC_STATE_SET_EPOCH),
)
_controller(
    "AlterSyncStateSet without the check of the master",
    alter_code=_alter_without(ResponseCode.CONTROLLER_INVALID_MASTER),
)
_controller(
    "AlterSyncStateSet takes dead members",
    alter_code=_alter_without(ResponseCode.CONTROLLER_BROKER_NOT_ALIVE),
)
_controller(
    "AlterSyncStateSet refuses everything",
    alter_code=lambda state, request, alive: Refusal(ResponseCode.CONTROLLER_INVALID_MASTER, "no"),
)
_controller("a learner leads first", first_elected=lambda state, by: frozenset({by}))
_controller("whoever lives is eligible", eligible_cleanly=lambda state: frozenset(state.brokers))
_controller(
    "no unclean election where it is allowed",
    eligible_uncleanly=lambda state: frozenset(),
)
_controller(
    "a new master inherits the set",
    sync_state_set_after_election=lambda state, new: state.sync_state_set | {new},
)
_controller("a master is never missed", inactive_master_is_found=lambda state, alive: False)
_controller("cleaning forgets the epoch", epoch_after_clean=lambda state: 0)
_controller("cleaning keeps the epoch", epoch_after_clean=lambda state: state.master_epoch)
_controller(
    "cleaning keeps the set's number",
    sss_epoch_after_clean=lambda state: state.sync_state_set_epoch,
)
_controller("cleaning keeps the master", master_after_clean=lambda state: state.master_broker_id)
_controller("decisions are applied later", decided_when_applied=False)


def _nobody_stays(clean: Any, unclean: Any, old: Any, prefer: Any, live: Any, order: Any, best: Any) -> int | None:
    return _RIGHT_ELECT(clean, unclean, None, prefer, live, order, best)


_RIGHT_ELECT = elect_policy.elect
_code("a living master is replaced", decisions, "elect", _nobody_stays)
COPIES[-1] = replace(
    COPIES[-1],
    make=lambda: ReferenceAdapter(
        controller_changes={"inactive_master_is_found": lambda state, alive: state.master_broker_id is not None}
    ),
)


def _applied(name: str, **changed: Any) -> None:
    """An election leaves something else."""
    right = apply_event

    def wrong(state: Any, event: Any, after: Any) -> Any:
        new = right(state, event, after)
        if isinstance(event, ElectMasterEvent):
            new = replace(new, **{field: change(state, new) for field, change in changed.items()})
        return new

    _code(name, controller_module, "apply_event", wrong)


_applied("an election keeps the epoch", master_epoch=lambda old, new: old.master_epoch)
_applied(
    "an election keeps the set's number",
    sync_state_set_epoch=lambda old, new: old.sync_state_set_epoch,
)
_applied(
    "nobody elected empties the set",
    sync_state_set=lambda old, new: new.sync_state_set if new.master_broker_id is not None else frozenset(),
)


def _dead_masters_rule(controller: Any, state: Any, request: Any) -> int | None:
    return int(request.broker_id)


_code("a restarted broker always wins", decisions, "_restarted", _dead_masters_rule)


def _restart_without_election(controller: Any, state: Any, request: Any) -> int | None:
    found = _RIGHT_RESTARTED(controller, state, request)
    return found if state.master_broker_id is None else None


_RIGHT_RESTARTED = decisions._restarted
_code("a restarted master is not elected anew", decisions, "_restarted", _restart_without_election)


def _never_expired(self: liveness.BrokerLiveInfo, now: int) -> bool:
    return True


_code("nobody is ever missed", liveness.BrokerLiveInfo, "alive", _never_expired)

# --- the store -------------------------------------------------------------------------------------------------------


def _no_checkpoint(self: Broker, offset: int) -> None:
    self.confirm_offset = offset


_code(
    "the confirmOffset is not written down",
    Broker,
    "set_confirm_offset",
    _no_checkpoint,
)


def _stale_header(broker: Broker, given: Any) -> None:
    broker_outputs = len(broker._out)
    _RIGHT_SEND(broker, given)
    for index in range(broker_outputs, len(broker._out)):
        output = broker._out[index]
        if isinstance(output, SendToSlave) and isinstance(output.packet, Transfer) and output.packet.size:
            broker._out[index] = SendToSlave(output.connection, replace(output.packet, offset=output.packet.offset + 1))


_RIGHT_SEND = ha_server.send_batch
_code("batches claim another offset", ha_server, "send_batch", _stale_header)
