"""Requests to the controller, their answers, heartbeats and notifications as remoting commands.

Names of header fields and bodies are RocketMQ's (`...RequestHeader`, `SyncStateSet`, `BrokerReplicasInfo`); `restarted`
in the ElectMaster request and `asyncLearner` in ApplyBrokerId are fields of this implementation, left out where they
are false. A Java controller ignores them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rmqproof.impl.core.codes import NO_BROKER_ID, RequestCode, ResponseCode
from rmqproof.impl.core.controller_messages import (
    AlterSyncStateSetRequest,
    AlterSyncStateSetResponse,
    ApplyBrokerIdRequest,
    ApplyBrokerIdResponse,
    BrokerHeartbeatRequest,
    BrokerSetState,
    CleanBrokerDataRequest,
    CleanBrokerDataResponse,
    ControllerRequest,
    ControllerResponse,
    ElectMasterRequest,
    ElectMasterResponse,
    GetNextBrokerIdRequest,
    GetNextBrokerIdResponse,
    GetReplicaInfoRequest,
    GetReplicaInfoResponse,
    GetSyncStateDataRequest,
    GetSyncStateDataResponse,
    Members,
    NotifyBrokerRoleChangedRequest,
    RegisterBrokerRequest,
    RegisterBrokerResponse,
    ReplicaState,
)
from rmqproof.impl.wire.errors import InvalidRequest, MalformedIds, ProtocolError, UnknownRequest
from rmqproof.impl.wire.remoting import Command, request, response

Sendable = ControllerRequest | NotifyBrokerRoleChangedRequest
REQUEST_CODE_NOT_SUPPORTED = 3


@dataclass(frozen=True)
class Packed:
    """The parts of a command that a message decides."""

    code: RequestCode
    ext_fields: Mapping[str, str]
    body: bytes = b""
    one_way: bool = False


def encode_request(message: Sendable, opaque: int) -> Command:
    """The command for a request; heartbeats and notifications are one-way."""
    packed = _PACKED[type(message)](message)
    return request(packed.code, opaque, packed.ext_fields, packed.body, packed.one_way)


def decode_request(command: Command) -> Sendable:
    """The request of a command. UnknownRequest if its code is not one of these, ProtocolError if a field is missing or
    wrong; a subclass of it where the Java has a code for that."""
    read = _REQUESTS.get(command.code)
    if read is None:
        raise UnknownRequest(f" request type {command.code} not supported")
    return read(_Header(command))


def refusal_code(problem: ProtocolError) -> int:
    """What a controller answers to a request that cannot be read (`ControllerRequestProcessor`; what raises there is
    answered with SYSTEM_ERROR by `NettyRemotingAbstract`)."""
    match problem:
        case UnknownRequest():
            return REQUEST_CODE_NOT_SUPPORTED
        case MalformedIds():
            return ResponseCode.CONTROLLER_INVALID_CLEAN_BROKER_METADATA
        case InvalidRequest():
            return ResponseCode.CONTROLLER_INVALID_REQUEST
    return ResponseCode.SYSTEM_ERROR


def encode_response(to: Command, message: ControllerResponse) -> Command:
    """The answer to a request."""
    remark = getattr(message, "remark", "") or None
    match message:
        case GetNextBrokerIdResponse():
            return response(to, message.code, _fields(nextBrokerId=message.next_broker_id), remark=remark)
        case RegisterBrokerResponse() | ElectMasterResponse() | GetReplicaInfoResponse():
            fields = _fields(
                masterBrokerId=message.master_broker_id,
                masterAddress=message.master_address,
                masterEpoch=message.master_epoch,
                syncStateSetEpoch=message.sync_state_set_epoch,
            )
            return response(to, message.code, fields, _set_body_of(message), remark)
        case AlterSyncStateSetResponse():
            fields = _fields(newSyncStateSetEpoch=message.sync_state_set_epoch)
            return response(to, message.code, fields, _set_body_of(message), remark)
        case GetSyncStateDataResponse():
            return response(to, message.code, {}, _json(_replicas_info(message.broker_sets)), remark)
        case _:
            return response(to, message.code, {}, remark=remark)


def decode_response(to: Sendable, command: Command) -> ControllerResponse:
    """The answer to the request that was sent; ProtocolError if a field is missing or wrong."""
    read = _RESPONSES.get(type(to))
    if read is None:
        raise ProtocolError(f"a {type(to).__name__} has no answer")
    answer = read(_Header(command))
    if isinstance(to, ElectMasterRequest) and isinstance(answer, ElectMasterResponse):
        # Which request it answers is known here; a Java controller does not repeat the field.
        return replace(answer, restarted=to.restarted)
    return answer


# --- writing ---------------------------------------------------------------------------------------------------------


def _packed_apply(message: ApplyBrokerIdRequest) -> Packed:
    fields = _fields(
        clusterName=message.cluster_name,
        brokerName=message.broker_name,
        appliedBrokerId=message.broker_id,
        registerCheckCode=message.register_check_code,
        asyncLearner=message.async_learner or None,
    )
    return Packed(RequestCode.CONTROLLER_APPLY_BROKER_ID, fields)


def _packed_register(message: RegisterBrokerRequest) -> Packed:
    fields = _fields(
        clusterName=message.cluster_name,
        brokerName=message.broker_name,
        brokerId=message.broker_id,
        brokerAddress=message.broker_address,
    )
    return Packed(RequestCode.CONTROLLER_REGISTER_BROKER, fields)


def _packed_elect(message: ElectMasterRequest) -> Packed:
    fields = _fields(
        clusterName=message.cluster_name,
        brokerName=message.broker_name,
        brokerId=message.broker_id,
        designateElect=message.designate_elect,
        restarted=message.restarted or None,
    )
    return Packed(RequestCode.CONTROLLER_ELECT_MASTER, fields)


def _packed_alter(message: AlterSyncStateSetRequest) -> Packed:
    fields = _fields(
        brokerName=message.broker_name,
        masterBrokerId=message.master_broker_id,
        masterEpoch=message.master_epoch,
    )
    body = _set_body(message.new_sync_state_set, message.sync_state_set_epoch)
    return Packed(RequestCode.CONTROLLER_ALTER_SYNC_STATE_SET, fields, body)


def _packed_clean(message: CleanBrokerDataRequest) -> Packed:
    ids = None if message.broker_ids is None else ";".join(map(str, message.broker_ids))
    fields = _fields(
        clusterName=message.cluster_name,
        brokerName=message.broker_name,
        brokerControllerIdsToClean=ids,
        isCleanLivingBroker=message.clean_living_broker,
    )
    return Packed(RequestCode.CLEAN_BROKER_DATA, fields)


def _packed_heartbeat(message: BrokerHeartbeatRequest) -> Packed:
    fields = _fields(
        clusterName=message.cluster_name,
        brokerName=message.broker_name,
        brokerAddr=message.broker_address,
        brokerId=message.broker_id,
        heartbeatTimeoutMills=message.timeout_millis,
        epoch=message.epoch,
        maxOffset=message.max_offset,
        confirmOffset=message.confirm_offset,
        electionPriority=message.election_priority,
    )
    return Packed(RequestCode.BROKER_HEARTBEAT, fields, one_way=True)


def _packed_notify(message: NotifyBrokerRoleChangedRequest) -> Packed:
    fields = _fields(
        brokerName=message.broker_name,
        masterBrokerId=message.master_broker_id,
        masterAddress=message.master_address,
        masterEpoch=message.master_epoch,
        syncStateSetEpoch=message.sync_state_set_epoch,
    )
    body = _set_body(message.sync_state_set, message.sync_state_set_epoch)
    return Packed(RequestCode.NOTIFY_BROKER_ROLE_CHANGED, fields, body, one_way=True)


_PACKED: Mapping[type, Callable[[Any], Packed]] = {
    GetNextBrokerIdRequest: lambda message: Packed(
        RequestCode.CONTROLLER_GET_NEXT_BROKER_ID,
        _fields(clusterName=message.cluster_name, brokerName=message.broker_name),
    ),
    ApplyBrokerIdRequest: _packed_apply,
    RegisterBrokerRequest: _packed_register,
    ElectMasterRequest: _packed_elect,
    AlterSyncStateSetRequest: _packed_alter,
    GetReplicaInfoRequest: lambda message: Packed(
        RequestCode.CONTROLLER_GET_REPLICA_INFO, _fields(brokerName=message.broker_name)
    ),
    GetSyncStateDataRequest: lambda message: Packed(
        RequestCode.CONTROLLER_GET_SYNC_STATE_DATA, {}, _json(list(message.broker_names))
    ),
    CleanBrokerDataRequest: _packed_clean,
    BrokerHeartbeatRequest: _packed_heartbeat,
    NotifyBrokerRoleChangedRequest: _packed_notify,
}


# --- reading ---------------------------------------------------------------------------------------------------------


class _Header:
    """The fields and the body of a command, read with their types."""

    def __init__(self, command: Command) -> None:
        self.command = command

    def text(self, name: str) -> str:
        value = self.command.ext_fields.get(name)
        if value is None:
            raise ProtocolError(f"the request {self.command.code} has no field {name}")
        return value

    def optional_text(self, name: str) -> str | None:
        return self.command.ext_fields.get(name)

    def number(self, name: str, default: int | None = None) -> int:
        value = self.command.ext_fields.get(name)
        if value is None and default is not None:
            return default
        return _number(self.text(name), name)

    def optional_number(self, name: str) -> int | None:
        return None if name not in self.command.ext_fields else self.number(name)

    def truth(self, name: str) -> bool:
        return self.command.ext_fields.get(name, "false").lower() == "true"

    def code(self) -> ResponseCode:
        try:
            return ResponseCode(self.command.code)
        except ValueError:
            raise ProtocolError(f"the answer has the unknown code {self.command.code}") from None

    def remark(self) -> str:
        return self.command.remark or ""

    def json(self) -> Any:
        if not self.command.body:
            return None
        try:
            return json.loads(self.command.body)
        except (ValueError, RecursionError):
            raise ProtocolError(f"the body of {self.command.code} is not JSON") from None

    def members(self) -> tuple[Members, int]:
        """The SyncStateSet of the body and its number; empty and 0 without a body."""
        body = self.json()
        if body is None:
            return frozenset(), 0
        members = body.get("syncStateSet") if isinstance(body, dict) else None
        number = body.get("syncStateSetEpoch", 0) if isinstance(body, dict) else None
        if not _is_list_of_ints(members) or not isinstance(number, int) or isinstance(number, bool):
            raise ProtocolError(f"the body of {self.command.code} is not a SyncStateSet")
        return frozenset(members or ()), number


def _alter(header: _Header) -> AlterSyncStateSetRequest:
    members, number = header.members()
    return AlterSyncStateSetRequest(
        header.text("brokerName"), header.number("masterBrokerId"), header.number("masterEpoch"), members, number
    )


def _sync_state_data(header: _Header) -> GetSyncStateDataRequest:
    names = header.json()
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ProtocolError("the body of GetSyncStateData is not a list of broker names")
    return GetSyncStateDataRequest(tuple(names))


def _clean(header: _Header) -> CleanBrokerDataRequest:
    text = (header.optional_text("brokerControllerIdsToClean") or "").strip()
    try:
        ids = None if not text else tuple(_number(part, "brokerControllerIdsToClean") for part in text.split(";"))
    except ProtocolError as problem:
        remark = f"Please set the option <brokerControllerIdsToClean> according to the format, exception: {problem}"
        raise MalformedIds(remark) from None
    return CleanBrokerDataRequest(
        header.optional_text("clusterName") or "", header.text("brokerName"), ids, header.truth("isCleanLivingBroker")
    )


def _notify(header: _Header) -> NotifyBrokerRoleChangedRequest:
    """`NotifyBrokerRoleChangedRequestHeader` has no brokerName: a broker hears of its own set only."""
    members, _ = header.members()
    return NotifyBrokerRoleChangedRequest(
        header.optional_text("brokerName") or "",
        header.number("masterBrokerId"),
        header.optional_text("masterAddress"),
        header.number("masterEpoch"),
        header.number("syncStateSetEpoch"),
        members,
    )


def _heartbeat(header: _Header) -> BrokerHeartbeatRequest:
    """`ControllerRequestProcessor.handleBrokerHeartbeat`; the defaults of `onBrokerHeartbeat`."""
    if header.optional_text("brokerId") is None:
        raise InvalidRequest("Heart beat with empty brokerId")
    return BrokerHeartbeatRequest(
        header.text("clusterName"),
        header.text("brokerName"),
        header.text("brokerAddr"),
        header.number("brokerId"),
        header.number("heartbeatTimeoutMills", 10_000),
        header.number("epoch", -1),
        header.number("maxOffset", -1),
        header.number("confirmOffset", -1),
        header.number("electionPriority", 2**31 - 1),
    )


_REQUESTS: Mapping[int, Callable[[_Header], Sendable]] = {
    RequestCode.CONTROLLER_GET_NEXT_BROKER_ID: lambda header: GetNextBrokerIdRequest(
        header.text("clusterName"), header.text("brokerName")
    ),
    RequestCode.CONTROLLER_APPLY_BROKER_ID: lambda header: ApplyBrokerIdRequest(
        header.text("clusterName"),
        header.text("brokerName"),
        header.number("appliedBrokerId"),
        header.text("registerCheckCode"),
        header.truth("asyncLearner"),
    ),
    RequestCode.CONTROLLER_REGISTER_BROKER: lambda header: RegisterBrokerRequest(
        header.text("clusterName"), header.text("brokerName"), header.number("brokerId"), header.text("brokerAddress")
    ),
    RequestCode.CONTROLLER_ELECT_MASTER: lambda header: ElectMasterRequest(
        header.text("clusterName"),
        header.text("brokerName"),
        header.number("brokerId", NO_BROKER_ID),
        header.truth("designateElect"),
        header.truth("restarted"),
    ),
    RequestCode.CONTROLLER_ALTER_SYNC_STATE_SET: _alter,
    RequestCode.CONTROLLER_GET_REPLICA_INFO: lambda header: GetReplicaInfoRequest(header.text("brokerName")),
    RequestCode.CONTROLLER_GET_SYNC_STATE_DATA: _sync_state_data,
    RequestCode.CLEAN_BROKER_DATA: _clean,
    RequestCode.BROKER_HEARTBEAT: _heartbeat,
    RequestCode.NOTIFY_BROKER_ROLE_CHANGED: _notify,
}


def _register_response(header: _Header) -> RegisterBrokerResponse:
    members, number = header.members()
    return RegisterBrokerResponse(header.code(), *_master(header), members, number, header.remark())


def _elect_response(header: _Header) -> ElectMasterResponse:
    """`ElectMasterResponseBody` has the members, and not their number: that is in the header only."""
    members, in_body = header.members()
    number = header.number("syncStateSetEpoch", in_body)
    return ElectMasterResponse(header.code(), *_master(header), members, number, remark=header.remark())


def _replica_info_response(header: _Header) -> GetReplicaInfoResponse:
    members, number = header.members()
    return GetReplicaInfoResponse(header.code(), *_master(header), members, number, header.remark())


def _master(header: _Header) -> tuple[int | None, str | None, int]:
    return (
        header.optional_number("masterBrokerId"),
        header.optional_text("masterAddress"),
        header.number("masterEpoch", 0),
    )


def _sync_state_data_response(header: _Header) -> GetSyncStateDataResponse:
    body = header.json()
    table = body.get("replicasInfoTable") if isinstance(body, dict) else {} if body is None else None
    if not isinstance(table, dict):
        raise ProtocolError("the body of the answer to GetSyncStateData is not a replicasInfoTable")
    try:
        sets = tuple(_broker_set(name, found) for name, found in table.items())
    except (KeyError, TypeError, AttributeError):
        raise ProtocolError("a broker set in the answer to GetSyncStateData lacks a field") from None
    return GetSyncStateDataResponse(header.code(), sets, header.remark())


_RESPONSES: Mapping[type, Callable[[_Header], ControllerResponse]] = {
    GetNextBrokerIdRequest: lambda header: GetNextBrokerIdResponse(
        header.code(), header.number("nextBrokerId", 0), header.remark()
    ),
    ApplyBrokerIdRequest: lambda header: ApplyBrokerIdResponse(header.code(), header.remark()),
    RegisterBrokerRequest: _register_response,
    ElectMasterRequest: _elect_response,
    AlterSyncStateSetRequest: lambda header: AlterSyncStateSetResponse(
        header.code(), *header.members(), header.remark()
    ),
    GetReplicaInfoRequest: _replica_info_response,
    GetSyncStateDataRequest: _sync_state_data_response,
    CleanBrokerDataRequest: lambda header: CleanBrokerDataResponse(header.code(), header.remark()),
}


# --- small parts -----------------------------------------------------------------------------------------------------


def _fields(**values: str | int | bool | None) -> dict[str, str]:
    """Header fields as Java writes them; what is None is left out."""
    return {name: _java_text(value) for name, value in values.items() if value is not None}


def _java_text(value: str | int | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _set_body(members: Iterable[int], number: int) -> bytes:
    return _json({"syncStateSet": sorted(members), "syncStateSetEpoch": number})


def _set_body_of(
    message: RegisterBrokerResponse | ElectMasterResponse | GetReplicaInfoResponse | AlterSyncStateSetResponse,
) -> bytes:
    return _set_body(message.sync_state_set, message.sync_state_set_epoch)


def _number(text: str, name: str) -> int:
    try:
        value = int(text) if len(text) <= 20 and text.isascii() and "_" not in text else None
    except ValueError:
        value = None
    if value is None or not -(2**63) <= value < 2**63:
        raise ProtocolError(f"the field {name} is {text!r}, not a number")
    return value


def _is_list_of_ints(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, int) and not isinstance(one, bool) for one in value)


def _replicas_info(sets: Iterable[BrokerSetState]) -> dict[str, Any]:
    """`BrokerReplicasInfo` as fastjson writes it, without what is null."""

    def identity(replica: ReplicaState, name: str) -> dict[str, Any]:
        return {
            "alive": replica.alive,
            "brokerAddress": replica.broker_address,
            "brokerId": replica.broker_id,
            "brokerName": name,
        }

    return {
        "replicasInfoTable": {
            found.broker_name: {
                "inSyncReplicas": [identity(replica, found.broker_name) for replica in found.in_sync_replicas],
                **({} if found.master_address is None else {"masterAddress": found.master_address}),
                **({} if found.master_broker_id is None else {"masterBrokerId": found.master_broker_id}),
                "masterEpoch": found.master_epoch,
                "notInSyncReplicas": [identity(replica, found.broker_name) for replica in found.not_in_sync_replicas],
                "syncStateSetEpoch": found.sync_state_set_epoch,
            }
            for found in sets
        }
    }


def _broker_set(name: str, found: Any) -> BrokerSetState:
    def replicas(key: str) -> tuple[ReplicaState, ...]:
        return tuple(
            ReplicaState(one["brokerId"], one.get("brokerAddress") or "", bool(one.get("alive")))
            for one in found.get(key) or ()
        )

    return BrokerSetState(
        name,
        found.get("masterBrokerId"),
        found.get("masterAddress"),
        found["masterEpoch"],
        found["syncStateSetEpoch"],
        replicas("inSyncReplicas"),
        replicas("notInSyncReplicas"),
    )
