"""The broker's rules that have more than one reading: a field each, named as its operator in spec/core/Rules.tla, and
REPAIRED by default. What the other readings are is in `readings`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from rmqproof.impl.broker.config import BrokerConfig, Role
from rmqproof.impl.broker.epoch_file import (
    append_newer_wins,
    end_of,
    find_consistent_point_or_start,
    index_at,
    keep_up_to,
    last_start,
)
from rmqproof.impl.broker.parts import Batch, HaConnection, MasterInfo
from rmqproof.impl.broker.state import BrokerData
from rmqproof.impl.core.broker_outputs import PutAnswer
from rmqproof.impl.core.codes import PutStatus
from rmqproof.impl.core.controller_messages import Members
from rmqproof.impl.core.replication_messages import EpochEntry, EpochFile


class BrokerState(BrokerData):
    """A broker and its readings of the rules; a rule is asked with it, and may ask another."""

    fixed: ClassVar[frozenset[str]] = BrokerData.fixed | {"rules"}

    def __init__(self, config: BrokerConfig, rules: BrokerRules) -> None:
        super().__init__(config)
        self.rules = rules


# --- acknowledgement and confirmation --------------------------------------------------------------------------------


def ack_set(broker: BrokerState) -> Members:
    """The set whose members must hold a message: what the controller may have stored, whichever proposal it applied."""
    return broker.union


def durable_end(broker: BrokerState) -> int:
    """How far a log counts as a copy: what is on the disk."""
    return broker.flushed


def holders(broker: BrokerState, offset: int) -> Members:
    """Brokers that the master knows to hold the log up to an offset; each counts once."""
    found = {slave for slave, ack in broker.acks().items() if ack >= offset}
    found.discard(broker.id)
    if broker.rules.durable_end(broker) >= offset:
        found.add(broker.id)
    return frozenset(found)


def acknowledged_by_members(broker: BrokerState, members: Members, copies: Members, least: int) -> bool:
    """Only members count; the minimum of replicas is asked again when the producer is told (hazards F-16, F-17)."""
    config = broker.config
    needed = len(members) if config.all_ack_in_sync_state_set else config.in_sync_replicas
    return len(copies & members) >= max(needed, least)


def may_acknowledge(broker: BrokerState, next_offset: int) -> bool:
    """May the producer of the message that ends at this offset be told that it is stored?"""
    rules = broker.rules
    return broker.role is Role.MASTER and acknowledged_by_members(
        broker, rules.ack_set(broker), holders(broker, next_offset), broker.config.min_in_sync_replicas
    )


def may_append(broker: BrokerState, admitted: bool) -> PutStatus | None:
    """Why a put is refused before anything is written. What was admitted earlier is asked again."""
    if broker.role is not Role.MASTER:
        return PutStatus.SERVICE_NOT_AVAILABLE
    if len(broker.rules.ack_set(broker)) < broker.config.min_in_sync_replicas:
        return PutStatus.IN_SYNC_REPLICAS_NOT_ENOUGH
    return None


def read_limit(broker: BrokerState) -> int:
    """How far consumers may read (`getConfirmOffset`)."""
    alone = broker.union == {broker.id} or not broker.config.all_ack_in_sync_state_set
    return broker.rules.durable_end(broker) if broker.role is Role.MASTER and alone else broker.confirm_offset


def confirm_at_master(broker: BrokerState, members: Members, acks: Mapping[int, int], end: int) -> int:
    """The smallest offset of the members; one without a connection, or whose connection has not acknowledged yet,
    freezes it (#6662, #6728, hazard F-18), and it does not move back."""
    slaves = members - {broker.id}
    if any(acks.get(slave, -1) < 0 for slave in slaves):
        return broker.confirm_offset
    return max(broker.confirm_offset, min([end, *(acks[slave] for slave in slaves)]))


def confirm_with(broker: BrokerState, local: Members, members: Members, acks: Mapping[int, int]) -> int:
    """The master's confirmOffset with these acks, when `local` is the confirmed set and `members` count
    (`computeConfirmOffset`)."""
    return confirm_at_master(broker, members, acks, broker.rules.durable_end(broker))


def ack_moves_confirm(broker: BrokerState, slave: int) -> bool:
    """Of every master, whoever acknowledges: a proposed slave counts, too (hazard F-47)."""
    return broker.role is Role.MASTER


def confirm_after_flush(broker: BrokerState) -> int:
    """The master's own flushed end is one of the offsets whose minimum it is."""
    if broker.role is not Role.MASTER:
        return broker.confirm_offset
    return confirm_at_master(broker, broker.union, broker.acks(), broker.flushed)


def confirm_on_slave(announced: int, log_end: int, old: int) -> int:
    """What the master announced, as far as the own log reaches; it does not move back."""
    return min(max(announced, old), log_end)


# --- SyncStateSet ----------------------------------------------------------------------------------------------------


def expand_guard(broker: BrokerState, slave: int) -> bool:
    """May this slave be proposed for the set? It has all that may be read, and has reached the present epoch."""
    connection = broker.connection_of(slave)
    return (
        connection is not None
        and not connection.async_learner
        and connection.ack >= broker.rules.read_limit(broker)
        and connection.ack >= last_start(broker.epoch_file)
    )


def pending_with(broker: BrokerState, members: Members) -> Members:
    """All proposals that are not resolved are remembered, not only the last one (hazard F-6)."""
    return broker.pending | members


def confirm_at_proposal(broker: BrokerState) -> int:
    """What could be read so far: from now on the stored offset counts (hazard F-47)."""
    return max(broker.confirm_offset, broker.rules.read_limit(broker))


# --- change of role --------------------------------------------------------------------------------------------------


def may_resume(broker: BrokerState) -> bool:
    """May a restarted broker that the controller names as master go on in the same epoch? Never."""
    return False


def heeds_notice(broker: BrokerState) -> bool:
    """A broker that is not registered yet does not obey a late notification."""
    return broker.role is not Role.FENCED


def sync_state_set_at_promotion(broker: BrokerState, info: MasterInfo) -> Members:
    return info.sync_state_set


def log_at_promotion(broker: BrokerState) -> int:
    """A new master keeps all that it has received, whether known to be confirmed or not (#5209)."""
    return broker.log_end


def confirm_at_promotion(broker: BrokerState, members: Members, log_end: int) -> int:
    """What a new master with the set `members` starts with. Its role and connections are still the earlier ones, its
    log will end at `log_end`."""
    kept = broker.config.keep_confirm_offset or broker.role is Role.MASTER
    return min(broker.confirm_offset, log_end) if kept else 0


def epoch_file_at_promotion(file: EpochFile, epoch: int, log_end: int) -> EpochFile:
    return append_newer_wins(file, EpochEntry(epoch, log_end))


def waiting_after_demotion(broker: BrokerState) -> None:
    """Nobody will count copies for them any more."""
    for waiting in broker.waiting:
        broker.emit(PutAnswer(waiting.token, PutStatus.FLUSH_SLAVE_TIMEOUT, waiting.offset))
    broker.waiting = ()


def sets_after_demotion(broker: BrokerState) -> None:
    """A demoted master knows nothing of its SyncStateSet any more."""
    broker.sync_state_set, broker.sync_state_set_epoch, broker.pending = frozenset(), 0, frozenset()


def role_after_restart(broker: BrokerState, led_before: bool) -> None:
    """Fenced, as it was made (#6508)."""


def epoch_file_after_restart(file: EpochFile, log_end: int) -> EpochFile:
    """Recovery cuts the epoch file to the recovered log (hazard F-10)."""
    return keep_up_to(file, log_end)


def confirm_after_restart(confirm_offset: int, log_end: int) -> int:
    """The checkpoint's, as far as the log reaches (#6609, #6703)."""
    return min(confirm_offset, log_end)


# --- replication -----------------------------------------------------------------------------------------------------


def handshake_allowed(broker: BrokerState, as_master: bool, peer_epoch: int) -> bool:
    """Both know the same epoch, and the one that is asked is master of it (hazard F-25)."""
    return broker.master_epoch == peer_epoch and (not as_master or broker.role is Role.MASTER)


def epoch_file_after_handshake(own: EpochFile, masters: EpochFile, point: int) -> EpochFile:
    """The master's, as far as the slave's log reaches (RIP-44; the Java keeps its own, hazard F-12)."""
    return keep_up_to(masters, point)


def first_ack(point: int, log_end: int) -> int:
    """What the master hears right after the handshake: nothing (-1)."""
    return -1


def master_end_at_transfer(broker: BrokerState) -> int:
    """What a connection remembers when a batch leaves: nothing."""
    return -1


def room_for_batch(broker: BrokerState, connection: HaConnection, boundary: int | None) -> int:
    """Bytes that may be sent next, whatever their epoch."""
    left = broker.log_end - connection.next_offset
    if boundary is not None:
        return max(0, min(boundary - connection.next_offset, left))
    return min(broker.config.ha_transfer_batch_size, left)


def next_batch(broker: BrokerState, connection: HaConnection, boundary: int | None) -> Batch:
    """Bytes of one epoch, labelled with it: the entry covers the first byte, the batch ends where the entry ends."""
    file, offset = broker.epoch_file, connection.next_offset
    index = index_at(file, offset)
    if index is None:
        return Batch(0, None)
    end = end_of(file, index, broker.log_end)
    return Batch(min(room_for_batch(broker, connection, boundary), end - offset), file[index])


def epoch_file_on_header(file: EpochFile, entry: EpochEntry) -> EpochFile:
    return append_newer_wins(file, entry)


@dataclass(frozen=True)
class BrokerRules:
    """Readings of the broker's rules. REPAIRED unless replaced."""

    ack_set: Callable[[BrokerState], Members] = ack_set
    durable_end: Callable[[BrokerState], int] = durable_end
    may_acknowledge: Callable[[BrokerState, int], bool] = may_acknowledge
    may_append: Callable[[BrokerState, bool], PutStatus | None] = may_append
    read_limit: Callable[[BrokerState], int] = read_limit
    confirm_with: Callable[[BrokerState, Members, Members, Mapping[int, int]], int] = confirm_with
    ack_moves_confirm: Callable[[BrokerState, int], bool] = ack_moves_confirm
    confirm_after_flush: Callable[[BrokerState], int] = confirm_after_flush
    confirm_on_slave: Callable[[int, int, int], int] = confirm_on_slave
    expand_guard: Callable[[BrokerState, int], bool] = expand_guard
    pending_with: Callable[[BrokerState, Members], Members] = pending_with
    confirm_at_proposal: Callable[[BrokerState], int] = confirm_at_proposal
    poll_resolves_proposals: bool = False
    """True: an unchanged set of the controller shows that no proposal is under way. It does not."""
    sent_at_once: bool = True
    """False: proposals wait in a queue and get the epochs that are valid when they leave it (#9897)."""
    may_resume: Callable[[BrokerState], bool] = may_resume
    heeds_notice: Callable[[BrokerState], bool] = heeds_notice
    sync_state_set_at_promotion: Callable[[BrokerState, MasterInfo], Members] = sync_state_set_at_promotion
    log_at_promotion: Callable[[BrokerState], int] = log_at_promotion
    confirm_at_promotion: Callable[[BrokerState, Members, int], int] = confirm_at_promotion
    epoch_file_at_promotion: Callable[[EpochFile, int, int], EpochFile] = epoch_file_at_promotion
    waiting_after_demotion: Callable[[BrokerState], None] = waiting_after_demotion
    sets_after_demotion: Callable[[BrokerState], None] = sets_after_demotion
    role_after_restart: Callable[[BrokerState, bool], None] = role_after_restart
    epoch_file_after_restart: Callable[[EpochFile, int], EpochFile] = epoch_file_after_restart
    confirm_after_restart: Callable[[int, int], int] = confirm_after_restart
    erased_when_truncated: bool = True
    """False: truncation moves the end of the log in memory and leaves the bytes on the disk (#10666)."""
    handshake_allowed: Callable[[BrokerState, bool, int], bool] = handshake_allowed
    truncation_point: Callable[[EpochFile, int, EpochFile, int], int] = find_consistent_point_or_start
    epoch_file_after_handshake: Callable[[EpochFile, EpochFile, int], EpochFile] = epoch_file_after_handshake
    first_ack: Callable[[int, int], int] = first_ack
    acks_beyond_log_accepted: bool = False
    """True: a master believes a slave that acknowledges more than the master has (hazard F-13)."""
    empty_log_takes_any_offset: bool = False
    """True: the first batch of an empty log is not compared with its end (`AutoSwitchHAClient.HAClientReader`)."""
    older_connections_count: bool = False
    """True: an older connection of a slave that was not reaped goes on counting (hazard F-16)."""
    master_end_at_transfer: Callable[[BrokerState], int] = master_end_at_transfer
    next_batch: Callable[[BrokerState, HaConnection, int | None], Batch] = next_batch
    epoch_file_on_header: Callable[[EpochFile, EpochEntry], EpochFile] = epoch_file_on_header
