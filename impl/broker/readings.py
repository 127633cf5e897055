"""Readings of the broker's rules other than REPAIRED, by the names that a .cfg gives them (`Rule <- Reading`): SHIPPED
(the Java of 2025-09), DESIGNED (RIP-44), and those of single issues and hazards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any

from rmqproof.impl.broker.config import Role
from rmqproof.impl.broker.epoch_file import (
    append_as_shipped,
    entry_at,
    find_consistent_point,
    index_of,
    last_epoch,
    truncate_suffix_by_epoch,
    truncate_suffix_by_offset,
)
from rmqproof.impl.broker.parts import Batch, HaConnection
from rmqproof.impl.broker.rules import (
    BrokerRules,
    BrokerState,
    acknowledged_by_members,
    expand_guard,
    holders,
    next_batch,
    room_for_batch,
)
from rmqproof.impl.core.codes import PutStatus
from rmqproof.impl.core.controller_messages import Members
from rmqproof.impl.core.replication_messages import EpochEntry, EpochFile

# --- SHIPPED: acknowledgement and confirmation -----------------------------------------------------------------------


def _may_acknowledge_as_shipped(broker: BrokerState, next_offset: int) -> bool:
    """Connections are counted, older ones of a slave too; the role and the minimum are not asked again."""
    members, config = broker.rules.ack_set(broker), broker.config
    reached = [
        connection.slave_id
        for connection in broker.connections.values()
        if connection.slave_id not in (-1, broker.id) and connection.ack >= next_offset
    ]
    if config.all_ack_in_sync_state_set:
        return len(members) <= 1 or 1 + sum(slave in members for slave in reached) >= len(members)
    return config.in_sync_replicas <= 1 or 1 + len(reached) >= config.in_sync_replicas


def _may_append_as_shipped(broker: BrokerState, admitted: bool) -> PutStatus | None:
    """The larger of the local and the remote set is compared with the minimum."""
    if broker.role is not Role.MASTER:
        return PutStatus.SERVICE_NOT_AVAILABLE
    enough = max(len(broker.sync_state_set), len(broker.pending)) >= broker.config.min_in_sync_replicas
    return None if enough else PutStatus.IN_SYNC_REPLICAS_NOT_ENOUGH


def _may_append_after_demotion(broker: BrokerState, admitted: bool) -> PutStatus | None:
    """What was admitted while the broker led is appended, also when it has become slave (hazard F-37)."""
    if broker.role is Role.MASTER or (broker.role is Role.SLAVE and admitted):
        return None
    return PutStatus.SERVICE_NOT_AVAILABLE


def _read_limit_as_shipped(broker: BrokerState) -> int:
    """The size of the local set decides, whatever is under way."""
    alone = len(broker.sync_state_set) == 1 or not broker.config.all_ack_in_sync_state_set
    return broker.log_end if broker.role is Role.MASTER and alone else broker.confirm_offset


def _read_limit_of_issue_2830(broker: BrokerState) -> int:
    """Messages go to consumers as they are appended."""
    return broker.log_end if broker.role is Role.MASTER else broker.confirm_offset


def _read_limit_computed(broker: BrokerState, confirm: Callable[..., int]) -> int:
    """An offset of 0 is computed as one that was never computed; whether all members have to acknowledge is not
    asked."""
    if broker.role is not Role.MASTER:
        return broker.confirm_offset
    if len(broker.sync_state_set) == 1:
        return broker.log_end
    return broker.confirm_offset or confirm(broker, broker.sync_state_set, broker.union, broker.acks())


def _read_limit_of_issue_7441(broker: BrokerState) -> int:
    return _read_limit_computed(broker, _confirm_with_as_shipped)


def _read_limit_up_to_51(broker: BrokerState) -> int:
    return _read_limit_computed(broker, _confirm_with_up_to_51)


def _smallest_ack(slaves: Members, acks: Mapping[int, int], end: int) -> int:
    return min([end, *(acks.get(slave, 0) for slave in slaves)])


def _confirm_skipping_fresh(broker: BrokerState, members: Members, acks: Mapping[int, int], end: int, old: int) -> int:
    """A member without a connection freezes it, one without a first ack is skipped; it may move back (F-14, F-18)."""
    slaves = members - {broker.id}
    if not slaves <= acks.keys():
        return old
    return _smallest_ack(frozenset(slave for slave in slaves if acks[slave] > 0), acks, end)


def _confirm_with_as_shipped(broker: BrokerState, local: Members, members: Members, acks: Mapping[int, int]) -> int:
    """The minimum is over all connections, older ones of a slave too; where a member has none, what was stored counts,
    or everything if the local set is the master alone (`getConfirmOffsetDirectly`)."""
    smallest = dict(acks)
    for connection in broker.connections.values():
        known = smallest.get(connection.slave_id, 0)
        if connection.ack > 0:
            smallest[connection.slave_id] = min(known, connection.ack) if known > 0 else connection.ack
    old = broker.log_end if broker.role is Role.MASTER and len(local) == 1 else broker.confirm_offset
    return _confirm_skipping_fresh(broker, members, smallest, broker.log_end, old)


def _ack_moves_confirm_as_shipped(broker: BrokerState, slave: int) -> bool:
    """Only a member of the local set moves it (`updateConfirmOffsetWhenSlaveAck`); the role is not asked."""
    return slave in broker.sync_state_set and (broker.role is Role.MASTER or broker.config.keep_confirm_offset)


def _confirm_at_promotion_as_shipped(broker: BrokerState, members: Members, log_end: int) -> int:
    """`setSyncStateSet` computes it with the connections of the earlier role, `changeToMaster` again without them."""
    if broker.role is not Role.MASTER and members == {broker.id}:
        return log_end
    return min(_confirm_with_as_shipped(broker, members, members, broker.acks()), log_end)


def _expand_guard_as_shipped(broker: BrokerState, slave: int) -> bool:
    """Also what the master had when the last batch left (`AutoSwitchHAConnection.maybeExpandInSyncStateSet`)."""
    connection = broker.connection_of(slave)
    return connection is not None and connection.ack >= connection.master_end and expand_guard(broker, slave)


def _confirm_of_hazard_f18(broker: BrokerState, local: Members, members: Members, acks: Mapping[int, int]) -> int:
    end = broker.rules.durable_end(broker)
    return _confirm_skipping_fresh(broker, members, acks, end, broker.confirm_offset)


def _confirm_of_issue_6662(broker: BrokerState, local: Members, members: Members, acks: Mapping[int, int]) -> int:
    counted = frozenset(slave for slave in members - {broker.id} if acks.get(slave, -1) >= 0)
    return _smallest_ack(counted, acks, broker.rules.durable_end(broker))


def _confirm_counting_fresh(broker: BrokerState, members: Members, acks: Mapping[int, int], end: int) -> int:
    """A connection without an ack counts with 0, and so does no connection."""
    return min([end, *(max(acks.get(slave, 0), 0) for slave in members - {broker.id})])


def _confirm_of_issue_6728(broker: BrokerState, local: Members, members: Members, acks: Mapping[int, int]) -> int:
    return _confirm_counting_fresh(broker, members, acks, broker.rules.durable_end(broker))


def _confirm_with_up_to_51(broker: BrokerState, local: Members, members: Members, acks: Mapping[int, int]) -> int:
    """The smallest ack of the connections that exist: one without an ack counts with 0, no connection does not."""
    return _confirm_counting_fresh(broker, local & acks.keys(), acks, broker.log_end)


def _confirm_with_as_designed(broker: BrokerState, local: Members, members: Members, acks: Mapping[int, int]) -> int:
    return _confirm_counting_fresh(broker, members, acks, broker.log_end)


def _confirm_on_slave_as_shipped(announced: int, log_end: int, old: int) -> int:
    return min(announced, log_end)


def _confirm_unmoved(broker: BrokerState) -> int:
    return broker.confirm_offset


# --- SHIPPED: change of role -----------------------------------------------------------------------------------------


def _epoch_file_at_promotion_as_shipped(file: EpochFile, epoch: int, log_end: int) -> EpochFile:
    """An equal epoch moves its entry to the end of the log (F-19), one that begins where the last one does is refused
    (F-20), a smaller one is refused."""
    if epoch < last_epoch(file):
        return file
    return append_as_shipped(truncate_suffix_by_epoch(file, epoch), EpochEntry(epoch, log_end))


def _keep(broker: BrokerState) -> None:
    pass


def _resume_as_master(broker: BrokerState, led_before: bool) -> None:
    """#6508: a restarted master led on before anybody had confirmed it."""
    if led_before:
        broker.role, broker.master_id = Role.MASTER, broker.id
        broker.master_epoch = last_epoch(broker.epoch_file)
        broker.sync_state_set = frozenset({broker.id})


# --- SHIPPED: replication --------------------------------------------------------------------------------------------


def _truncation_point_as_shipped(own: EpochFile, own_end: int, masters: EpochFile, master_end: int) -> int:
    """Without an epoch file nothing is cut (F-8); the point may lie behind the own log (F-13)."""
    return find_consistent_point(own, own_end, masters, master_end) if own else own_end


def _first_ack_as_shipped(point: int, log_end: int) -> int:
    """The idle heartbeat reports the truncation point even where the log does not reach it (F-13)."""
    return point if point > log_end else -1


def next_batch_as_shipped(broker: BrokerState, connection: HaConnection, boundary: int | None) -> Batch:
    """The connection remembers the epoch that it transfers and its end; the newest one never ends (#9689), and a
    batch that is cut at an end carries the label of the next epoch (F-12). What lies before the first entry begins with
    a header of that entry alone; from another offset than 0 nothing comes that a slave could read. Nor does anything
    for one that has reported more than it has (F-13): the Java transfers from what was reported."""
    file, offset = broker.epoch_file, connection.next_offset
    if connection.ack > offset:
        return Batch(0, None, connection.transfer_epoch, connection.transfer_end)
    room = room_for_batch(broker, connection, boundary)
    if connection.transfer_epoch == 0:
        first = entry_at(file, offset)
        if first is None:
            if offset == 0 and file:
                return Batch(0, file[0], file[0].epoch, _end_or_open(file, 0))
            return Batch(0, None, 0, connection.transfer_end)
        index: int | None = file.index(first)
        end = _end_or_open(file, file.index(first))
    else:
        index, end = index_of(file, connection.transfer_epoch), connection.transfer_end
    if index is None:
        return Batch(room, None, connection.transfer_epoch, end)
    if index + 1 < len(file) and end != -1 and offset + room > end:
        following = file[index + 1]
        return Batch(max(end - offset, 0), following, following.epoch, _end_or_open(file, index + 1))
    return Batch(room, file[index], file[index].epoch, end)


def _end_or_open(file: EpochFile, index: int) -> int:
    return file[index + 1].start_offset if index + 1 < len(file) else -1


def _next_batch_of_issue_9689(broker: BrokerState, connection: HaConnection, boundary: int | None) -> Batch:
    file = broker.epoch_file
    kept = index_of(file, connection.transfer_epoch) if connection.transfer_epoch else None
    if kept is not None:
        return Batch(room_for_batch(broker, connection, boundary), file[kept], file[kept].epoch)
    now = next_batch(broker, connection, boundary)
    newest = now.entry is not None and now.entry == file[-1]
    return replace(now, transfer_epoch=now.entry.epoch if newest and now.entry is not None else 0)


# --- DESIGNED --------------------------------------------------------------------------------------------------------


def _may_acknowledge_once_admitted(broker: BrokerState, next_offset: int) -> bool:
    """The minimum of replicas was asked when the message arrived (F-17)."""
    return broker.role is Role.MASTER and acknowledged_by_members(
        broker, broker.rules.ack_set(broker), holders(broker, next_offset), 0
    )


def _read_limit_of_the_confirmed_set(broker: BrokerState, end: int) -> int:
    alone = broker.role is Role.MASTER and broker.sync_state_set == {broker.id}
    return end if alone else broker.confirm_offset


def _expand_guard_as_designed(broker: BrokerState, slave: int) -> bool:
    connection = broker.connection_of(slave)
    return connection is not None and not connection.async_learner and connection.ack >= broker.rules.read_limit(broker)


def _expand_whoever_is_connected(broker: BrokerState, slave: int) -> bool:
    connection = broker.connection_of(slave)
    return connection is not None and not connection.async_learner


def _epoch_file_on_header_as_designed(file: EpochFile, entry: EpochEntry) -> EpochFile:
    if index_of(file, entry.epoch) is not None:
        return file
    return (*truncate_suffix_by_epoch(file, entry.epoch), entry)


BROKER_READINGS: Mapping[str, Mapping[str, Any]] = {
    "AckSet": {
        "AckSetAsDesigned": lambda broker: broker.sync_state_set,
        "AckSetOfIssue5663": lambda broker: broker.sync_state_set,
        "AckSetOfConfirmedSet": lambda broker: broker.sync_state_set,
    },
    "DurableEnd": {
        "DurableEndAsShipped": lambda broker: broker.log_end,
        "DurableEndAsDesigned": lambda broker: broker.log_end,
        "DurableEndInMemory": lambda broker: broker.log_end,
    },
    "MayAcknowledge": {
        "MayAcknowledgeAsShipped": _may_acknowledge_as_shipped,
        "MayAcknowledgeAsDesigned": _may_acknowledge_once_admitted,
        "MayAcknowledgeOfMinInSyncAskedOnce": _may_acknowledge_once_admitted,
    },
    "MayAppend": {
        "MayAppendAsShipped": _may_append_as_shipped,
        "MayAppendOfPutAfterDemotion": _may_append_after_demotion,
    },
    "ReadLimit": {
        "ReadLimitAsShipped": _read_limit_as_shipped,
        "ReadLimitOfIssue7441": _read_limit_of_issue_7441,
        "ReadLimitUpTo51": _read_limit_up_to_51,
        "ReadLimitOfIssue2830": _read_limit_of_issue_2830,
        "ReadLimitAsDesigned": lambda broker: _read_limit_of_the_confirmed_set(broker, broker.log_end),
        "ReadLimitOfReadBeyondProposal": lambda broker: _read_limit_of_the_confirmed_set(
            broker, broker.rules.durable_end(broker)
        ),
    },
    "ConfirmWith": {
        "ConfirmWithAsShipped": _confirm_with_as_shipped,
        "ConfirmWithAsDesigned": _confirm_with_as_designed,
        "ConfirmWithOfFreshConnectionSkipped": _confirm_of_hazard_f18,
        "ConfirmWithOfIssue6662": _confirm_of_issue_6662,
        "ConfirmWithOfIssue6728": _confirm_of_issue_6728,
        "ConfirmWithUpTo51": _confirm_with_up_to_51,
    },
    "AckMovesConfirm": {"AckMovesConfirmAsShipped": _ack_moves_confirm_as_shipped},
    "ConfirmAfterFlush": {
        "ConfirmAfterFlushAsShipped": _confirm_unmoved,
        "ConfirmAfterFlushAsDesigned": _confirm_unmoved,
        "ConfirmNotMovedByFlush": _confirm_unmoved,
    },
    "ConfirmOnSlave": {
        "ConfirmOnSlaveAsShipped": _confirm_on_slave_as_shipped,
        "ConfirmOnSlaveAsDesigned": _confirm_on_slave_as_shipped,
    },
    "ExpandGuard": {
        "ExpandGuardAsShipped": _expand_guard_as_shipped,
        "ExpandGuardAsDesigned": _expand_guard_as_designed,
        "ExpandWhoeverIsConnected": _expand_whoever_is_connected,
    },
    "PendingWith": {
        "PendingWithAsShipped": lambda broker, members: members,
        "PendingWithAsDesigned": lambda broker, members: frozenset(),
        "PendingWithUpTo51": lambda broker, members: frozenset(),
        "PendingWithOfLastProposalOnly": lambda broker, members: members,
    },
    "ConfirmAtProposal": {"ConfirmAtProposalAsShipped": _confirm_unmoved},
    "PollResolvesProposals": {"PollResolvesProposalsBySameNumber": True},
    "SentAtOnce": {"SentAtOnceAsShipped": False, "SentAtOnceOfIssue9897": False},
    "MayResume": {
        "MayResumeAsShipped": lambda broker: True,
        "MayResumeAsDesigned": lambda broker: True,
        "MayResumeInSameEpoch": lambda broker: True,
        "MayResumeOfIssue6342": lambda broker: True,
    },
    "HeedsNotice": {
        "HeedsNoticeAsShipped": lambda broker: True,
        "HeedsNoticeAsDesigned": lambda broker: True,
        "HeedsEveryNotice": lambda broker: True,
    },
    "SyncStateSetAtPromotion": {"SyncStateSetAtPromotionOfIssue6342": lambda broker, info: frozenset({broker.id})},
    "LogAtPromotion": {"LogAtPromotionOfIssue5209": lambda broker: broker.confirm_offset},
    "ConfirmAtPromotion": {"ConfirmAtPromotionAsShipped": _confirm_at_promotion_as_shipped},
    "EpochFileAtPromotion": {
        "EpochFileAtPromotionAsShipped": _epoch_file_at_promotion_as_shipped,
        "EpochFileAtPromotionAsDesigned": lambda file, epoch, end: (
            *truncate_suffix_by_epoch(file, epoch),
            EpochEntry(epoch, end),
        ),
        "EpochFileAtPromotionOfIssue9942": lambda file, epoch, end: append_as_shipped(file, EpochEntry(epoch, end)),
    },
    "WaitingAfterDemotion": {"WaitingAfterDemotionAsShipped": _keep},
    "SetsAfterDemotion": {"SetsAfterDemotionAsShipped": _keep},
    "RoleAfterRestart": {"RoleAfterRestartOfIssue6508": _resume_as_master},
    "EpochFileAfterRestart": {
        "EpochFileAfterRestartAsShipped": lambda file, end: file,
        "EpochFileAfterRestartOfRecoveryKeepsEpochFile": lambda file, end: file,
    },
    "ConfirmAfterRestart": {
        "ConfirmAfterRestartOfIssue6609": lambda confirm, end: end,
        "ConfirmAfterRestartOfIssue6703": lambda confirm, end: confirm,
    },
    "ResidueAfterTruncation": {
        "ResidueAfterTruncationAsShipped": False,
        "ResidueAfterTruncationOfIssue10666": False,
    },
    "HandshakeAllowed": {
        "HandshakeAllowedAsShipped": lambda broker, as_master, epoch: True,
        "HandshakeAllowedAsDesigned": lambda broker, as_master, epoch: not as_master or broker.role is Role.MASTER,
        "HandshakeWithAnyone": lambda broker, as_master, epoch: True,
    },
    "TruncationPoint": {
        "TruncationPointAsShipped": _truncation_point_as_shipped,
        "TruncationPointAsDesigned": _truncation_point_as_shipped,
    },
    "EpochFileAfterHandshake": {
        "EpochFileAfterHandshakeAsShipped": lambda own, masters, point: truncate_suffix_by_offset(own, point),
    },
    "FirstAck": {"FirstAckAsShipped": _first_ack_as_shipped},
    "EmptyLogTakesAnyOffset": {"EmptyLogTakesAnyOffsetAsShipped": True},
    "TwinAfterReconnect": {"TwinAfterReconnectAsShipped": True},
    "MasterEndAtTransfer": {"MasterEndAtTransferAsShipped": lambda broker: broker.log_end},
    "NextBatch": {
        "NextBatchAsShipped": next_batch_as_shipped,
        "NextBatchOfIssue9689": _next_batch_of_issue_9689,
    },
    "EpochFileOnHeader": {
        "EpochFileOnHeaderAsShipped": append_as_shipped,
        "EpochFileOnHeaderAsDesigned": _epoch_file_on_header_as_designed,
    },
}
"""By rule, by reading. What a reading holds goes into the rule's field of `BrokerRules`."""

_FIELDS = {"ResidueAfterTruncation": "erased_when_truncated", "TwinAfterReconnect": "older_connections_count"}

SHIPPED_BROKER: Mapping[str, str] = {
    rule: reading for rule, known in BROKER_READINGS.items() for reading in known if reading.endswith("AsShipped")
}
"""Every rule as the Java has it."""


def broker_rules(replaced: Mapping[str, str]) -> BrokerRules:
    """The repaired rules with some replaced, `{"DurableEnd": "DurableEndAsShipped"}`. Rules of others are ignored.

    ValueError names a reading that does not exist, and those that do.
    """
    changes: dict[str, Any] = {}
    for rule, reading in replaced.items():
        known = BROKER_READINGS.get(rule)
        if known is None:
            continue
        if reading not in known:
            raise ValueError(f"{rule} has no reading {reading}; there are {', '.join(sorted(known))}")
        changes[_FIELDS.get(rule) or _field_of(rule)] = known[reading]
        if rule == "FirstAck":
            changes["acks_beyond_log_accepted"] = True
    assert changes.keys() <= {f.name for f in fields(BrokerRules)}
    return replace(BrokerRules(), **changes)


def _field_of(rule: str) -> str:
    """`DurableEnd` is the field `durable_end`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in rule).lstrip("_")
