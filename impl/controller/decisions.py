"""What a controller answers to each request, and which events it wants in its log (`ReplicasInfoManager`).

The order of the checks is the Java's: it decides which code a request gets that is wrong in two ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rmqproof.impl.controller.broker_set import BrokerSet
from rmqproof.impl.controller.elect_policy import elect
from rmqproof.impl.controller.state import ControllerState
from rmqproof.impl.core.codes import FIRST_BROKER_CONTROLLER_ID, NO_BROKER_ID, ResponseCode
from rmqproof.impl.core.controller_io import (
    AlterSyncStateSetEvent,
    ApplyBrokerIdEvent,
    CleanBrokerDataEvent,
    ControllerEvent,
    ControllerInput,
    ElectMasterEvent,
    UpdateBrokerAddressEvent,
)
from rmqproof.impl.core.controller_messages import (
    AlterSyncStateSetRequest,
    AlterSyncStateSetResponse,
    ApplyBrokerIdRequest,
    ApplyBrokerIdResponse,
    BrokerSetState,
    CleanBrokerDataRequest,
    CleanBrokerDataResponse,
    ControllerResponse,
    ElectMasterRequest,
    ElectMasterResponse,
    GetNextBrokerIdRequest,
    GetNextBrokerIdResponse,
    GetReplicaInfoRequest,
    GetReplicaInfoResponse,
    GetSyncStateDataRequest,
    GetSyncStateDataResponse,
    RegisterBrokerRequest,
    RegisterBrokerResponse,
    ReplicaState,
)


@dataclass(frozen=True, slots=True)
class Decision:
    """An answer and the events behind it. As long as the events are not applied, nothing has happened."""

    response: ControllerResponse
    events: tuple[ControllerEvent, ...] = ()


def decide(controller: ControllerState, request: ControllerInput, now: int, order: Sequence[int]) -> Decision:
    """Look at the state, change nothing. TypeError for what is not a request of a broker or an administrator."""
    match request:
        case GetNextBrokerIdRequest():
            return _get_next_broker_id(controller, request)
        case ApplyBrokerIdRequest():
            return _apply_broker_id(controller, request)
        case RegisterBrokerRequest():
            return _register_broker(controller, request, now)
        case ElectMasterRequest():
            return _elect_master(controller, request, now, order)
        case AlterSyncStateSetRequest():
            return _alter_sync_state_set(controller, request, now)
        case GetReplicaInfoRequest():
            return _get_replica_info(controller, request)
        case GetSyncStateDataRequest():
            return _get_sync_state_data(controller, request, now)
        case CleanBrokerDataRequest():
            return _clean_broker_data(controller, request, now)
    raise TypeError(f"{type(request).__name__} is not a request that the controller decides")


# --- registration ----------------------------------------------------------------------------------------------------


def _get_next_broker_id(controller: ControllerState, request: GetNextBrokerIdRequest) -> Decision:
    state = controller.sets.get(request.broker_name)
    following = state.next_assign_broker_id if state is not None else FIRST_BROKER_CONTROLLER_ID
    return Decision(GetNextBrokerIdResponse(ResponseCode.SUCCESS, following))


def _apply_broker_id(controller: ControllerState, request: ApplyBrokerIdRequest) -> Decision:
    state, wanted = controller.broker_set(request.broker_name), request.broker_id
    holder = state.brokers.get(wanted)
    if not state.registered and not state.brokers:
        accepted = controller.rules.first_id_accepted(state, wanted)
    elif holder is None:
        accepted = controller.rules.unassigned_id_accepted(state, wanted)
    else:
        accepted = holder.register_check_code == request.register_check_code
    if not accepted:
        remark = f"Fail to apply brokerId: {wanted} in broker-set: {request.broker_name}"
        return Decision(ApplyBrokerIdResponse(ResponseCode.CONTROLLER_BROKER_ID_INVALID, remark))
    event = ApplyBrokerIdEvent(
        request.cluster_name,
        request.broker_name,
        request.register_check_code.split(";")[0],
        wanted,
        request.register_check_code,
        request.async_learner,
    )
    return Decision(ApplyBrokerIdResponse(ResponseCode.SUCCESS), (event,))


def _register_broker(controller: ControllerState, request: RegisterBrokerRequest, now: int) -> Decision:
    state = controller.broker_set(request.broker_name)
    if not state.registered or request.broker_id not in state.brokers:
        remark = f"Broker-set: {request.broker_name} hasn't been registered in controller, or brokerId unknown"
        code = ResponseCode.CONTROLLER_BROKER_NEED_TO_BE_REGISTERED
        return Decision(RegisterBrokerResponse(code, remark=remark))
    response = RegisterBrokerResponse(
        ResponseCode.SUCCESS,
        sync_state_set=state.sync_state_set,
        sync_state_set_epoch=state.sync_state_set_epoch,
    )
    master = state.master_broker_id
    if master is not None and controller.alive(request.broker_name, master, now):
        response = replace(
            response, master_broker_id=master, master_address=state.address(master), master_epoch=state.master_epoch
        )
    if state.address(request.broker_id) == request.broker_address:
        return Decision(response)
    event = UpdateBrokerAddressEvent(
        request.cluster_name, request.broker_name, request.broker_address, request.broker_id
    )
    return Decision(response, (event,))


# --- elections -------------------------------------------------------------------------------------------------------


def _elect_master(controller: ControllerState, request: ElectMasterRequest, now: int, order: Sequence[int]) -> Decision:
    state = controller.broker_set(request.broker_name)
    if not state.registered:
        code = ResponseCode.CONTROLLER_BROKER_NEED_TO_BE_REGISTERED
        remark = f"Broker-set: {request.broker_name} hasn't been registered in controller"
        return Decision(ElectMasterResponse(code, restarted=request.restarted, remark=remark))
    new = (
        _restarted(controller, state, request)
        if request.restarted
        else _elected(controller, state, request, now, order)
    )
    if new is not None and new == state.master_broker_id and not request.restarted:
        remark = f"The old master {new} is still alive, not need to elect new master"
        return Decision(_naming(state, ResponseCode.CONTROLLER_MASTER_STILL_EXIST, request, remark))
    if new is not None:
        members = controller.rules.sync_state_set_after_election(state, new)
        event = ElectMasterEvent(request.broker_name, new, members)
        response = ElectMasterResponse(
            ResponseCode.SUCCESS,
            new,
            state.address(new),
            state.master_epoch + 1,
            members,
            state.sync_state_set_epoch + 1,
            request.restarted,
        )
        return Decision(response, (event,))
    if request.broker_id != NO_BROKER_ID:
        code = ResponseCode.CONTROLLER_ELECT_MASTER_FAILED
        remark = f"Failed to elect a new master of broker-set: {request.broker_name}"
        return Decision(ElectMasterResponse(code, restarted=request.restarted, remark=remark))
    code = ResponseCode.CONTROLLER_MASTER_NOT_AVAILABLE
    response = ElectMasterResponse(code, remark="The old master has down and failed to elect a new broker master")
    # Repaired (hazard F-5): once is enough, a retry finds no master to take away.
    recorded = controller.rules.no_master_is_recorded_again or controller.rules.inactive_master_is_found(
        state, controller.is_alive_in(request.broker_name, now)
    )
    return Decision(response, (ElectMasterEvent(request.broker_name, None, state.sync_state_set),) if recorded else ())


def _naming(state: BrokerSet, code: ResponseCode, request: ElectMasterRequest, remark: str) -> ElectMasterResponse:
    return ElectMasterResponse(
        code,
        state.master_broker_id,
        state.address(state.master_broker_id),
        state.master_epoch,
        state.sync_state_set,
        state.sync_state_set_epoch,
        request.restarted,
        remark,
    )


def _elected(
    controller: ControllerState, state: BrokerSet, request: ElectMasterRequest, now: int, order: Sequence[int]
) -> int | None:
    """The new master, or the old one, or nobody."""
    requester = request.broker_id
    if state.master_epoch == 0:  # nobody was ever elected: who asks for itself first, leads
        allowed, as_shipped = (
            controller.rules.first_elected(state, requester),
            controller.rules.first_election_asks_policy,
        )
        if requester != NO_BROKER_ID or not as_shipped:
            return requester if requester in allowed and (as_shipped or not request.designate_elect) else None
    unclean = controller.config.enable_elect_unclean_master
    return elect(
        controller.rules.eligible_cleanly(state),
        controller.rules.eligible_uncleanly(state) if unclean else None,
        state.master_broker_id,
        requester if request.designate_elect else None,
        controller.live_info_in(request.broker_name, now),
        order,
        controller.rules.best_candidate,
    )


def _restarted(controller: ControllerState, state: BrokerSet, request: ElectMasterRequest) -> int | None:
    """A broker that lost what it knew is elected anew, cleanly, unless somebody else leads. It lives: it asks."""
    requester = request.broker_id
    if state.master_broker_id not in (None, requester):
        return None
    if state.master_epoch == 0:
        return requester if requester in controller.rules.first_elected(state, requester) else None
    return requester if requester in controller.rules.eligible_cleanly(state) else None


# --- the SyncStateSet ------------------------------------------------------------------------------------------------


def _alter_sync_state_set(controller: ControllerState, request: AlterSyncStateSetRequest, now: int) -> Decision:
    state = controller.broker_set(request.broker_name)
    if not state.registered:
        code = ResponseCode.CONTROLLER_ALTER_SYNC_STATE_SET_FAILED
        return Decision(AlterSyncStateSetResponse(code, remark="Broker metadata is not existed"))
    refusal = controller.rules.alter_code(state, request, controller.is_alive_in(request.broker_name, now))
    if refusal is not None:
        return Decision(AlterSyncStateSetResponse(refusal.code, remark=refusal.remark))
    members = request.new_sync_state_set
    response = AlterSyncStateSetResponse(ResponseCode.SUCCESS, members, state.sync_state_set_epoch + 1)
    return Decision(response, (AlterSyncStateSetEvent(request.broker_name, members),))


# --- reading and cleaning --------------------------------------------------------------------------------------------


def _get_replica_info(controller: ControllerState, request: GetReplicaInfoRequest) -> Decision:
    state = controller.broker_set(request.broker_name)
    if not state.registered:
        code = ResponseCode.CONTROLLER_BROKER_METADATA_NOT_EXIST
        return Decision(GetReplicaInfoResponse(code, remark="Broker metadata is not existed"))
    return Decision(
        GetReplicaInfoResponse(
            ResponseCode.SUCCESS,
            state.master_broker_id,
            state.address(state.master_broker_id),
            state.master_epoch,
            state.sync_state_set,
            state.sync_state_set_epoch,
        )
    )


def _get_sync_state_data(controller: ControllerState, request: GetSyncStateDataRequest, now: int) -> Decision:
    found: list[BrokerSetState] = []
    for name in request.broker_names:
        state = controller.broker_set(name)
        if not state.registered:
            continue
        replicas = [
            ReplicaState(broker_id, known.address, controller.alive(name, broker_id, now))
            for broker_id, known in sorted(state.brokers.items())
        ]
        found.append(
            BrokerSetState(
                name,
                state.master_broker_id,
                state.address(state.master_broker_id),
                state.master_epoch,
                state.sync_state_set_epoch,
                tuple(replica for replica in replicas if replica.broker_id in state.sync_state_set),
                tuple(replica for replica in replicas if replica.broker_id not in state.sync_state_set),
            )
        )
    return Decision(GetSyncStateDataResponse(ResponseCode.SUCCESS, tuple(found)))


def _clean_broker_data(controller: ControllerState, request: CleanBrokerDataRequest, now: int) -> Decision:
    name = request.broker_name
    state = controller.broker_set(name)
    invalid = ResponseCode.CONTROLLER_INVALID_CLEAN_BROKER_METADATA
    ids, alive = request.broker_ids or None, controller.is_alive_in(name, now)
    if not request.clean_living_broker:
        refused = not controller.rules.may_be_cleaned(state, alive) if ids is None else any(map(alive, ids))
        if refused:
            what = f"Broker {name}" if ids is None else f"Broker [{name}] with ids {ids}"
            return Decision(CleanBrokerDataResponse(invalid, f"{what} is still alive, clean up failure"))
    if not state.registered:
        return Decision(CleanBrokerDataResponse(invalid, f"Broker {name} is not existed,clean broker data failure."))
    if request.clean_living_broker and controller.rules.cleaning_keeps_numbers:
        ids = None  # the Java reads the ids only to look whether they live, so it removes the whole set
    return Decision(CleanBrokerDataResponse(ResponseCode.SUCCESS), (CleanBrokerDataEvent(name, ids),))
