"""RocketMQ's remoting frame and the controller's requests in it."""

from __future__ import annotations

import json
import struct
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmqproof.impl.core import controller_messages as messages
from rmqproof.impl.core.codes import RequestCode, ResponseCode
from rmqproof.impl.wire.controller_codec import (
    Sendable,
    decode_request,
    decode_response,
    encode_request,
    encode_response,
    refusal_code,
)
from rmqproof.impl.wire.errors import ProtocolError
from rmqproof.impl.wire.remoting import Command, encode_command, frames, request, response

TEXTS = st.text(max_size=12)
NUMBERS = st.integers(-(2**63), 2**63 - 1)
INTS = st.integers(-(2**31), 2**31 - 1)
SETS = st.frozensets(NUMBERS, max_size=3)
CODES = st.sampled_from(ResponseCode)
OPTIONAL = st.none() | NUMBERS
COMMANDS = st.builds(
    Command,
    code=INTS,
    opaque=INTS,
    ext_fields=st.dictionaries(TEXTS, TEXTS, max_size=3),
    body=st.binary(max_size=40),
    flag=st.integers(0, 3),
    remark=st.none() | TEXTS,
    language=st.sampled_from(["JAVA", "PYTHON"]),
    version=INTS,
)
BROKER_IDS = st.none() | st.lists(NUMBERS, min_size=1, max_size=3).map(tuple)
REQUESTS: list[st.SearchStrategy[Sendable]] = [
    st.builds(messages.GetNextBrokerIdRequest, TEXTS, TEXTS),
    st.builds(messages.ApplyBrokerIdRequest, TEXTS, TEXTS, NUMBERS, TEXTS, st.booleans()),
    st.builds(messages.RegisterBrokerRequest, TEXTS, TEXTS, NUMBERS, TEXTS),
    st.builds(messages.ElectMasterRequest, TEXTS, TEXTS, NUMBERS, st.booleans(), st.booleans()),
    st.builds(messages.AlterSyncStateSetRequest, TEXTS, NUMBERS, NUMBERS, SETS, NUMBERS),
    st.builds(messages.GetReplicaInfoRequest, TEXTS),
    st.builds(messages.GetSyncStateDataRequest, st.lists(TEXTS, max_size=3).map(tuple)),
    st.builds(messages.CleanBrokerDataRequest, TEXTS, TEXTS, BROKER_IDS, st.booleans()),
    st.builds(messages.BrokerHeartbeatRequest, TEXTS, TEXTS, TEXTS, *[NUMBERS] * 6),
    st.builds(messages.NotifyBrokerRoleChangedRequest, TEXTS, NUMBERS, st.none() | TEXTS, NUMBERS, NUMBERS, SETS),
]
MASTER = (CODES, OPTIONAL, st.none() | TEXTS, NUMBERS, SETS, NUMBERS)
REPLICAS = st.lists(st.builds(messages.ReplicaState, NUMBERS, TEXTS, st.booleans()), max_size=2).map(tuple)
BROKER_SETS = st.lists(
    st.builds(messages.BrokerSetState, TEXTS, OPTIONAL, st.none() | TEXTS, NUMBERS, NUMBERS, REPLICAS, REPLICAS),
    max_size=2,
    unique_by=lambda found: found.broker_name,
).map(tuple)
RESPONSES: list[tuple[Sendable, st.SearchStrategy[Any]]] = [
    (messages.GetNextBrokerIdRequest("", ""), st.builds(messages.GetNextBrokerIdResponse, CODES, NUMBERS, TEXTS)),
    (messages.ApplyBrokerIdRequest("", "", 1, ""), st.builds(messages.ApplyBrokerIdResponse, CODES, TEXTS)),
    (messages.RegisterBrokerRequest("", "", 1, ""), st.builds(messages.RegisterBrokerResponse, *MASTER, TEXTS)),
    (
        messages.ElectMasterRequest("", "", 1),
        st.builds(messages.ElectMasterResponse, *MASTER, st.booleans(), TEXTS),
    ),
    (
        messages.AlterSyncStateSetRequest("", 1, 1, frozenset(), 1),
        st.builds(messages.AlterSyncStateSetResponse, CODES, SETS, NUMBERS, TEXTS),
    ),
    (messages.GetReplicaInfoRequest(""), st.builds(messages.GetReplicaInfoResponse, *MASTER, TEXTS)),
    (messages.GetSyncStateDataRequest(()), st.builds(messages.GetSyncStateDataResponse, CODES, BROKER_SETS, TEXTS)),
    (messages.CleanBrokerDataRequest("", ""), st.builds(messages.CleanBrokerDataResponse, CODES, TEXTS)),
]


def through_the_wire(command: Command) -> Command:
    (found,) = frames().feed(encode_command(command))
    return found


def test_golden_frame() -> None:
    """length, serialization type and header length, JSON header in RocketMQ's field names, body."""
    command = encode_request(messages.AlterSyncStateSetRequest("b", 1, 2, frozenset({2, 1}), 3), 9)
    header = (
        b'{"code":1001,"extFields":{"brokerName":"b","masterBrokerId":"1","masterEpoch":"2"},"flag":0,'
        b'"language":"PYTHON","opaque":9,"serializeTypeCurrentRPC":"JSON","version":0}'
    )
    body = b'{"syncStateSet":[1,2],"syncStateSetEpoch":3}'
    golden = struct.pack(">iI", 4 + len(header) + len(body), len(header)) + header + body
    assert encode_command(command) == golden


def test_a_frame_as_rocketmq_writes_it() -> None:
    header = (
        b'{"code":1004,"extFields":{"brokerName":"broker-set-a"},"flag":0,"language":"JAVA","opaque":4,'
        b'"serializeTypeCurrentRPC":"JSON","version":475}'
    )
    (command,) = frames().feed(struct.pack(">iI", 4 + len(header), len(header)) + header)
    assert decode_request(command) == messages.GetReplicaInfoRequest("broker-set-a")


@given(st.lists(COMMANDS, max_size=2), st.data())
@settings(max_examples=40)
def test_a_stream_of_commands_in_pieces(commands: list[Command], data: st.DataObject) -> None:
    content = b"".join(map(encode_command, commands))
    decoder = frames()
    found: list[Command] = []
    while content:
        size = data.draw(st.integers(1, len(content)))
        found += decoder.feed(content[:size])
        content = content[size:]
    assert found == commands
    assert decoder.incomplete == 0


@given(st.binary(max_size=80), st.integers(0, 60))
def test_arbitrary_bytes(content: bytes, header_length: int) -> None:
    for stream in (content, struct.pack(">iI", 4 + len(content), min(header_length, len(content))) + content):
        try:
            list(frames().feed(stream))
        except ProtocolError as problem:
            assert str(problem)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner),
)
FIELD_NAMES = st.sampled_from(
    [
        "clusterName",
        "brokerName",
        "brokerId",
        "brokerAddr",
        "brokerAddress",
        "masterBrokerId",
        "masterEpoch",
        "appliedBrokerId",
        "registerCheckCode",
        "syncStateSetEpoch",
        "brokerControllerIdsToClean",
        "epoch",
    ]
)


@given(
    st.sampled_from(sorted(RequestCode)) | INTS,
    st.dictionaries(FIELD_NAMES, TEXTS | NUMBERS.map(str), max_size=9),
    st.binary(max_size=20) | JSON_VALUES.map(lambda value: json.dumps(value).encode()),
)
def test_arbitrary_fields_and_bodies(code: int, fields: dict[str, str], body: bytes) -> None:
    command = request(code, 1, fields, body)
    try:
        decode_request(command)
    except ProtocolError as problem:
        assert str(problem)
    for to, _ in RESPONSES:
        try:
            decode_response(to, command)
        except ProtocolError as problem:
            assert str(problem)


@pytest.mark.parametrize("strategy", REQUESTS, ids=lambda strategy: str(strategy)[:40])
def test_every_request_round_trips(strategy: st.SearchStrategy[Sendable]) -> None:
    @given(strategy)
    def check(message: Sendable) -> None:
        assert decode_request(through_the_wire(encode_request(message, 1))) == message

    check()


@pytest.mark.parametrize(("to", "strategy"), RESPONSES, ids=lambda value: type(value).__name__)
def test_every_response_round_trips(to: Sendable, strategy: st.SearchStrategy[messages.ControllerResponse]) -> None:
    @given(strategy)
    def check(message: messages.ControllerResponse) -> None:
        command = through_the_wire(encode_response(encode_request(to, 7), message))
        assert command.is_response and command.opaque == 7
        if isinstance(message, messages.ElectMasterResponse):
            # Not on the wire: it is known from the request.
            assert isinstance(to, messages.ElectMasterRequest)
            message = replace(message, restarted=to.restarted)
        assert decode_response(to, command) == message

    check()


def test_every_request_code_of_the_controller_is_known() -> None:
    """1001 to 1013 and the heartbeat; those that have no message class are answered by the node itself."""
    assert {code for code in RequestCode if code > 1000} == set(range(1001, 1014))
    assert int(RequestCode.BROKER_HEARTBEAT) == 904


def test_a_missing_field_is_named() -> None:
    with pytest.raises(ProtocolError, match="the request 1003 has no field brokerId"):
        decode_request(request(1003, 1, {"clusterName": "c", "brokerName": "b"}))


# --- as a Java controller or broker sends it --------------------------------------------------------------------------


def test_the_number_of_an_elected_set_is_in_the_header_only() -> None:
    """`ElectMasterResponseHeader`, `ElectMasterResponseBody`: the body has the members and the group."""
    to = messages.ElectMasterRequest("c", "b", 2)
    fields = {"masterBrokerId": "2", "masterAddress": "h:1", "masterEpoch": "3", "syncStateSetEpoch": "5"}
    body = b'{"brokerMemberGroup":{"brokerAddrs":{"1":"h:0"},"brokerName":"b","cluster":"c"},"syncStateSet":[2]}'
    told = decode_response(to, response(encode_request(to, 1), 0, fields, body))
    assert told == messages.ElectMasterResponse(ResponseCode.SUCCESS, 2, "h:1", 3, frozenset({2}), 5)


def test_a_broker_knows_by_its_request_that_it_asked_as_a_restarted_one() -> None:
    """A Java controller knows no such field, and repeats none."""
    to = messages.ElectMasterRequest("c", "b", 2, restarted=True)
    told = decode_response(to, response(encode_request(to, 1), 0, {"masterBrokerId": "2", "masterEpoch": "3"}))
    assert isinstance(told, messages.ElectMasterResponse) and told.restarted


def test_a_notice_without_the_name_of_the_set() -> None:
    """`NotifyBrokerRoleChangedRequestHeader` has none."""
    fields = {"masterBrokerId": "2", "masterAddress": "h:1", "masterEpoch": "3", "syncStateSetEpoch": "5"}
    told = decode_request(request(1008, 1, fields, b'{"syncStateSet":[2],"syncStateSetEpoch":5}'))
    assert told == messages.NotifyBrokerRoleChangedRequest("", 2, "h:1", 3, 5, frozenset({2}))


def test_what_is_null_is_left_out_of_the_sync_state_data() -> None:
    """fastjson leaves null fields out; `BrokerReplicasInfo` without a master."""
    to = messages.GetSyncStateDataRequest(("b",))
    body = b'{"replicasInfoTable":{"b":{"inSyncReplicas":[],"masterEpoch":2,"notInSyncReplicas":[{"alive":false,'
    body += b'"brokerAddress":"h:1","brokerId":1,"brokerName":"b"}],"syncStateSetEpoch":3}}}'
    told = decode_response(to, response(encode_request(to, 1), 0, {}, body))
    found = messages.BrokerSetState("b", None, None, 2, 3, (), (messages.ReplicaState(1, "h:1", False),))
    assert told == messages.GetSyncStateDataResponse(ResponseCode.SUCCESS, (found,))
    assert encode_response(encode_request(to, 1), told).body == body


@pytest.mark.parametrize(
    ("code", "fields", "answer"),
    [
        (9999, {}, 3),
        (1011, {"brokerName": "b", "brokerControllerIdsToClean": "1;x"}, 2009),
        (904, {"clusterName": "c", "brokerName": "b", "brokerAddr": "h:1"}, 2005),
        (1003, {"clusterName": "c", "brokerName": "b"}, 1),
    ],
)
def test_requests_that_cannot_be_read_are_answered_as_by_java(code: int, fields: dict[str, str], answer: int) -> None:
    """`ControllerRequestProcessor.handleRequest`, `handleBrokerHeartbeat`; `ReplicasInfoManager.cleanBrokerData`."""
    with pytest.raises(ProtocolError) as refused:
        decode_request(request(code, 1, fields))
    assert refusal_code(refused.value) == answer


def test_a_set_is_cleaned_without_the_name_of_the_cluster() -> None:
    """`CleanControllerBrokerDataRequestHeader.clusterName` may be null."""
    asked = decode_request(request(1011, 1, {"brokerName": "b", "brokerControllerIdsToClean": "1;2"}))
    assert asked == messages.CleanBrokerDataRequest("", "b", (1, 2))


def test_the_header_of_a_broker_that_is_told_to_serialize_as_rocketmq() -> None:
    """`RocketMQSerializable.rocketMQProtocolEncode`: -Drocketmq.serialize.type=ROCKETMQ."""
    header = bytes.fromhex("03ee0001d9000000070000000000000000")  # code, Java, version 473, opaque, flag, no remark
    fields = b"\0\x0abrokerName\0\0\0\x08broker-a" + b"\0\x08brokerId\0\0\0\x012"
    header += struct.pack(">i", len(fields)) + fields
    frame = struct.pack(">iI", 4 + len(header), 1 << 24 | len(header)) + header
    (command,) = list(frames().feed(frame))
    assert (command.code, command.language, command.version, command.opaque) == (1006, "JAVA", 473, 7)
    assert command.ext_fields == {"brokerName": "broker-a", "brokerId": "2"}
    assert encode_command(command) == frame
    (answer,) = list(frames().feed(encode_command(response(command, 3, {"a": "b"}, b"body", "no"))))
    assert (answer.code, answer.is_response, answer.remark, answer.ext_fields) == (3, True, "no", {"a": "b"})
    assert (answer.serialize_type, answer.body) == (1, b"body")


@given(st.binary(max_size=60))
def test_any_binary_header_is_read_or_refused(header: bytes) -> None:
    frame = struct.pack(">iI", 4 + len(header), 1 << 24 | len(header)) + header
    try:
        assert len(list(frames().feed(frame))) == 1
    except ProtocolError as problem:
        assert str(problem)
