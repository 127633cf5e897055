"""Settings of a controller, and its rules: REPAIRED unless replaced, named as its operator in spec/core/Rules.tla."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from rmqproof.impl.controller.broker_set import BrokerSet
from rmqproof.impl.controller.liveness import BrokerLiveInfo
from rmqproof.impl.core.codes import NO_BROKER_ID, ResponseCode
from rmqproof.impl.core.controller_messages import AlterSyncStateSetRequest, Members


@dataclass(frozen=True, slots=True)
class ControllerConfig:
    enable_elect_unclean_master: bool = False
    notify_broker_role_changed: bool = True


@dataclass(frozen=True, slots=True)
class Refusal:
    code: ResponseCode
    remark: str


AlterRule = Callable[[BrokerSet, AlterSyncStateSetRequest, Callable[[int], bool]], Refusal | None]
StateRule = Callable[[BrokerSet], int]
IdRule = Callable[[BrokerSet, int], bool]


def alter_code(state: BrokerSet, request: AlterSyncStateSetRequest, alive: Callable[[int], bool]) -> Refusal | None:
    """Why an AlterSyncStateSet is refused; the order of `ReplicasInfoManager.alterSyncStateSet`. None: it is not."""
    name, members = request.broker_name, request.new_sync_state_set
    if members == state.sync_state_set:
        return Refusal(
            ResponseCode.CONTROLLER_ALTER_SYNC_STATE_SET_FAILED,
            "The newSyncStateSet is equal with oldSyncStateSet, no needed to update syncStateSet",
        )
    if state.master_broker_id is None or state.master_broker_id != request.master_broker_id:
        return Refusal(
            ResponseCode.CONTROLLER_INVALID_MASTER,
            f"Rejecting alter syncStateSet request because the current leader is:{{{state.master_broker_id}}}, "
            f"not {{{request.master_broker_id}}}",
        )
    if request.master_epoch != state.master_epoch:
        return Refusal(
            ResponseCode.CONTROLLER_FENCED_MASTER_EPOCH,
            f"Rejecting alter syncStateSet request because the current master epoch is:{{{state.master_epoch}}}, "
            f"not {{{request.master_epoch}}}",
        )
    if request.sync_state_set_epoch != state.sync_state_set_epoch:
        return Refusal(
            ResponseCode.CONTROLLER_FENCED_SYNC_STATE_SET_EPOCH,
            "Rejecting alter syncStateSet request because the current syncStateSet epoch is:"
            f"{{{state.sync_state_set_epoch}}}, not {{{request.sync_state_set_epoch}}}",
        )
    for member in sorted(members):
        if member not in state.brokers:
            return Refusal(
                ResponseCode.CONTROLLER_INVALID_REPLICAS,
                f"Rejecting alter syncStateSet request because the replicas {{{member}}} don't exist",
            )
        if not alive(member):
            return Refusal(
                ResponseCode.CONTROLLER_BROKER_NOT_ALIVE,
                f"Rejecting alter syncStateSet request because the replicas {{{member}}} don't alive",
            )
    if request.master_broker_id not in members:
        return Refusal(
            ResponseCode.CONTROLLER_ALTER_SYNC_STATE_SET_FAILED,
            f"Rejecting alter syncStateSet request because the newSyncStateSet of {name} don't contains origin leader "
            f"{{{request.master_broker_id}}}",
        )
    return None


def first_elected(state: BrokerSet, requester: int) -> Members:
    """Who may be the first master: the registered broker that asks, unless it is a learner (#10013)."""
    return frozenset({requester} & state.brokers.keys()) - state.learners()


def eligible_cleanly(state: BrokerSet) -> Members:
    return state.sync_state_set - state.learners()


def eligible_uncleanly(state: BrokerSet) -> Members:
    return frozenset(state.brokers) - state.learners()


def inactive_master_is_found(state: BrokerSet, alive: Callable[[int], bool]) -> bool:
    """Is there a master, and is it not alive? As shipped with JRaft up to 5.5.0 the condition is inverted (#10875)."""
    return state.master_broker_id is not None and not alive(state.master_broker_id)


def may_be_cleaned(state: BrokerSet, alive: Callable[[int], bool]) -> bool:
    """May the whole set be cleaned, if nobody says that its brokers may live?"""
    return state.master_broker_id is None or not alive(state.master_broker_id)


def rank(info: BrokerLiveInfo) -> tuple[int, int, int]:
    """The smallest is elected: the greatest epoch, then the greatest maxOffset, then the smallest priority."""
    return -info.epoch, -info.max_offset, info.election_priority


def best_candidate(living: Sequence[tuple[int, BrokerLiveInfo]]) -> int:
    """Of equal ones the first."""
    return min(living, key=lambda one: rank(one[1]))[0]


def kept_heartbeat(known: BrokerLiveInfo | None, new: BrokerLiveInfo) -> BrokerLiveInfo:
    """The newest counts, also when a log has become shorter."""
    return new


def sync_state_set_after_election(state: BrokerSet, new_master: int) -> Members:
    return frozenset({new_master})


@dataclass(frozen=True)
class ControllerRules:
    """The controller's side of spec/core/Rules.tla and of spec/protocols/Registration.tla."""

    alter_code: AlterRule = alter_code
    decided_when_applied: bool = True
    """False: a decision is taken on the state of that moment and applied when the log has it (DLedger as shipped)."""
    inactive_master_is_found: Callable[[BrokerSet, Callable[[int], bool]], bool] = inactive_master_is_found
    first_elected: Callable[[BrokerSet, int], Members] = first_elected
    eligible_cleanly: Callable[[BrokerSet], Members] = eligible_cleanly
    eligible_uncleanly: Callable[[BrokerSet], Members] = eligible_uncleanly
    sync_state_set_after_election: Callable[[BrokerSet, int], Members] = sync_state_set_after_election
    first_election_asks_policy: bool = False
    """True: a request without an id before the first election is decided by the policy."""
    no_master_is_recorded_again: bool = False
    """True: every failed election of the controller records once more that there is no master (hazard F-5)."""
    best_candidate: Callable[[Sequence[tuple[int, BrokerLiveInfo]]], int] = best_candidate
    kept_heartbeat: Callable[[BrokerLiveInfo | None, BrokerLiveInfo], BrokerLiveInfo] = kept_heartbeat
    scan_wants_another_alive: bool = False
    """True: the scan for inactive masters passes over a broker set of which nobody is alive."""
    may_be_cleaned: Callable[[BrokerSet, Callable[[int], bool]], bool] = may_be_cleaned
    cleaning_keeps_numbers: bool = False
    """True: cleaning some brokers gives the SyncStateSet no new number and leaves the master named (hazard F-3)."""
    epoch_after_clean: StateRule = lambda state: state.master_epoch + 1 if state.master_epoch > 0 else 0
    sss_epoch_after_clean: StateRule = lambda state: state.sync_state_set_epoch + 1
    master_after_clean: Callable[[BrokerSet], int | None] = lambda state: None
    sync_state_set_after_clean: Callable[[BrokerSet], Members] = lambda state: state.sync_state_set
    next_id_after_clean: StateRule = lambda state: state.next_assign_broker_id
    first_id_accepted: IdRule = lambda state, broker_id: broker_id == state.next_assign_broker_id
    unassigned_id_accepted: IdRule = lambda state, broker_id: broker_id == state.next_assign_broker_id


def _alter_code_without_master(
    state: BrokerSet, request: AlterSyncStateSetRequest, alive: Callable[[int], bool]
) -> Refusal | None:
    members = request.new_sync_state_set
    if members == state.sync_state_set:
        return Refusal(ResponseCode.CONTROLLER_ALTER_SYNC_STATE_SET_FAILED, "equal")
    if request.sync_state_set_epoch != state.sync_state_set_epoch:
        return Refusal(ResponseCode.CONTROLLER_FENCED_SYNC_STATE_SET_EPOCH, "another syncStateSet epoch")
    if not all(alive(member) for member in members):
        return Refusal(ResponseCode.CONTROLLER_BROKER_NOT_ALIVE, "a replica is not alive")
    return None


def _alter_code_as_designed(
    state: BrokerSet, request: AlterSyncStateSetRequest, alive: Callable[[int], bool]
) -> Refusal | None:
    """The four checks of RIP-44."""
    if state.master_broker_id != request.master_broker_id:
        return Refusal(ResponseCode.CONTROLLER_INVALID_MASTER, "another master")
    if request.sync_state_set_epoch != state.sync_state_set_epoch:
        return Refusal(ResponseCode.CONTROLLER_FENCED_SYNC_STATE_SET_EPOCH, "another syncStateSet epoch")
    if not all(alive(member) for member in request.new_sync_state_set):
        return Refusal(ResponseCode.CONTROLLER_BROKER_NOT_ALIVE, "a replica is not alive")
    if request.master_broker_id not in request.new_sync_state_set:
        return Refusal(ResponseCode.CONTROLLER_ALTER_SYNC_STATE_SET_FAILED, "no master in the set")
    return None


_INT_BITS = 32


def _int(value: int) -> int:
    """As Java casts to int."""
    value &= (1 << _INT_BITS) - 1
    return value - (1 << _INT_BITS) if value >> (_INT_BITS - 1) else value


def _compared_as_shipped(one: BrokerLiveInfo, other: BrokerLiveInfo) -> int:
    """`DefaultElectPolicy.comparator`: differences as int, which overflow (#10578)."""
    if one.epoch != other.epoch:
        return _int(other.epoch - one.epoch)
    if one.max_offset != other.max_offset:
        return _int(other.max_offset - one.max_offset)
    return _int(one.election_priority - other.election_priority)


def _best_candidate_as_shipped(living: Sequence[tuple[int, BrokerLiveInfo]]) -> int:
    """The first of a TreeSet into which the candidates are put in this order; of equal ones the first stays.

    With differences that overflow the comparator is no order: then three candidates and more can be sorted by the tree
    otherwise than here, where each is compared with the best before it.
    """
    best, known = living[0]
    for broker_id, info in living[1:]:
        if _compared_as_shipped(info, known) < 0:
            best, known = broker_id, info
    return best


def _kept_heartbeat_as_shipped(known: BrokerLiveInfo | None, new: BrokerLiveInfo) -> BrokerLiveInfo:
    """`DefaultBrokerHeartbeatManager.onBrokerHeartbeat`: the greatest (epoch, maxOffset) ever reported (hazard F-4)."""
    if known is None or (new.epoch, new.max_offset) > (known.epoch, known.max_offset):
        return new
    return replace(new, epoch=known.epoch, max_offset=known.max_offset, confirm_offset=known.confirm_offset)


def _only_who_asks(state: BrokerSet, requester: int) -> Members:
    """Neither registration nor the learner flag is looked at. Nobody asks with -1: then the policy is asked."""
    return frozenset({requester}) - {NO_BROKER_ID}


def _no_master_is_named(state: BrokerSet, alive: Callable[[int], bool]) -> bool:
    """Dead or alive (`ReplicasInfoManager.cleanBrokerData`). AsShipped cleans with isCleanLivingBroker, unasked."""
    return state.master_broker_id is None


CONTROLLER_READINGS: Mapping[str, Mapping[str, Any]] = {
    "AlterCode": {
        "AlterCodeWithoutMaster": _alter_code_without_master,
        "AlterCodeAsDesigned": _alter_code_as_designed,
    },
    "DecidedWhenApplied": {"DecidedBeforeApplied": False},
    "InactiveMasterIsFound": {
        "InactiveMasterIsNeverFound": lambda state, alive: False,
        "InactiveMasterIsFoundInverted": lambda state, alive: (
            state.master_broker_id is not None
            and alive(state.master_broker_id)
            and not all(alive(broker_id) for broker_id in state.brokers)
        ),
        "InactiveMasterIsFoundIfOthersLive": lambda state, alive: (
            inactive_master_is_found(state, alive) and any(alive(broker_id) for broker_id in state.brokers)
        ),
    },
    "FirstElected": {
        "FirstElectedAsShipped": _only_who_asks,
        "FirstElectedAsDesigned": _only_who_asks,
        "FirstElectedOfIssue10013": _only_who_asks,
    },
    "NoMasterIsRecordedAgain": {"NoMasterIsRecordedAgainAsShipped": True},
    "BestCandidate": {"BestCandidateAsShipped": _best_candidate_as_shipped},
    "KeptHeartbeat": {"KeptHeartbeatAsShipped": _kept_heartbeat_as_shipped},
    "ScanWantsAnotherAlive": {"ScanWantsAnotherAliveAsShipped": True},
    "MayBeCleaned": {"MayBeCleanedAsShipped": _no_master_is_named, "MayBeCleanedWithoutIds": _no_master_is_named},
    "CleaningKeepsNumbers": {"CleaningKeepsNumbersAsShipped": True},
    "EligibleCleanly": {"EligibleWhoeverLives": lambda state: frozenset(state.brokers)},
    "EligibleUncleanly": {"EligibleUncleanlyAsShipped": lambda state: frozenset(state.brokers)},
    "EpochAfterClean": {
        "EpochAfterCleanAsShipped": lambda state: 0,
        "EpochAfterCleanOfCleaningResetsEpochs": lambda state: 0,
        "EpochAfterCleanAsBefore": lambda state: state.master_epoch,
    },
    "SssEpochAfterClean": {
        "SssEpochAfterCleanAsShipped": lambda state: 0,
        "SssEpochAfterCleanOfCleaningResetsEpochs": lambda state: 0,
    },
    "SyncStateSetAfterClean": {
        "SyncStateSetAfterCleanAsShipped": lambda state: frozenset(),
        "SyncStateSetAfterCleanOfCleaningKeepsDeadMaster": lambda state: (
            state.sync_state_set - {state.master_broker_id}
        ),
    },
    "MasterAfterClean": {"MasterAfterCleanOfCleaningKeepsDeadMaster": lambda state: state.master_broker_id},
    "NextIdAfterClean": {
        "NextIdAfterCleanOfCleaningForgetsNextId": lambda state: 1,
        "NextIdAfterCleanOfAnyFreeId": lambda state: 1,
    },
    "FirstIdAccepted": {
        "FirstIdAcceptedOfCleaningForgetsNextId": lambda state, broker_id: broker_id == 1,
        "FirstIdAcceptedOfAnyFreeId": lambda state, broker_id: broker_id == 1,
    },
    "UnassignedIdAccepted": {
        "UnassignedIdAcceptedOfCleaningForgetsNextId": lambda state, broker_id: True,
        "UnassignedIdAcceptedOfAnyFreeId": lambda state, broker_id: True,
        "AnyUnassignedIdAccepted": lambda state, broker_id: True,
    },
}
"""Readings of the controller's rules other than REPAIRED, by the names that a .cfg uses (`Rule <- Reading`)."""


def controller_rules(replaced: Mapping[str, str]) -> ControllerRules:
    """The repaired rules with some replaced, `{"FirstElected": "FirstElectedAsShipped"}`. Rules of brokers are ignored.

    ValueError names a reading that does not exist, and those that do.
    """
    changes: dict[str, Any] = {}
    for rule, reading in replaced.items():
        known = CONTROLLER_READINGS.get(rule)
        if known is None:
            continue
        if reading not in known:
            raise ValueError(f"{rule} has no reading {reading}; there are {', '.join(sorted(known))}")
        changes[field_of(rule)] = known[reading]
        if reading == "FirstElectedAsShipped":
            changes["first_election_asks_policy"] = True
    assert changes.keys() <= {f.name for f in fields(ControllerRules)}
    return replace(ControllerRules(), **changes)


def field_of(rule: str) -> str:
    """`DurableEnd` is the field `durable_end`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in rule).lstrip("_")


SHIPPED_CONTROLLER: Mapping[str, str] = {
    rule: reading
    for rule, readings in CONTROLLER_READINGS.items()
    for reading in readings
    if reading.endswith("AsShipped")
} | {
    "NextIdAfterClean": "NextIdAfterCleanOfCleaningForgetsNextId",
    "FirstIdAccepted": "FirstIdAcceptedOfCleaningForgetsNextId",
    "UnassignedIdAccepted": "UnassignedIdAcceptedOfCleaningForgetsNextId",
}
