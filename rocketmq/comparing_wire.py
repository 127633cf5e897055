"""What goes over the wire, ours and the classes' side by side: requests to a controller, the packets of the HA stream,
and what a put returns."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

from rmqproof.impl.broker.config import Role
from rmqproof.impl.broker.readings import SHIPPED_BROKER, broker_rules
from rmqproof.impl.core import controller_messages as messages
from rmqproof.impl.core.codes import PutStatus, RequestCode
from rmqproof.impl.core.replication_messages import Acknowledge, EpochEntry, Handshake, HandshakeReply, Transfer
from rmqproof.impl.wire.controller_codec import decode_request, encode_request
from rmqproof.impl.wire.ha import encode_to_master, encode_to_slave, from_master, from_slave
from rmqproof.impl.wire.remoting import JSON_TYPE, ROCKETMQ_TYPE, encode_command, frames
from rmqproof.rocketmq.java_fields import allocated, field_of
from rmqproof.rocketmq.pair import Pair
from rmqproof.rocketmq.random_calls import questions
from rmqproof.rocketmq.schedules.bench import Bench
from rmqproof.rocketmq.schedules.epochs import cache

_HEADER = "org.apache.rocketmq.remoting.protocol.header.controller"
_PROTOCOL = "org.apache.rocketmq.remoting.protocol"
_AUTO_SWITCH = "org.apache.rocketmq.store.ha.autoswitch"
_OFFSETS = (0, 1, 109, 2**31 - 1, 2**31, 2**40, 2**63 - 1)
_EPOCHS = (0, 1, 2, 7, 2**31 - 1)


class Shape(NamedTuple):
    """A request's header class, its code, and its fields: Java's name and ours."""

    header: str
    code: RequestCode
    fields: dict[str, str]


_SET = {"clusterName": "cluster_name", "brokerName": "broker_name"}
_SHAPES: dict[type, Shape] = {
    messages.GetNextBrokerIdRequest: Shape(
        "register.GetNextBrokerIdRequestHeader", RequestCode.CONTROLLER_GET_NEXT_BROKER_ID, _SET
    ),
    messages.ApplyBrokerIdRequest: Shape(
        "register.ApplyBrokerIdRequestHeader",
        RequestCode.CONTROLLER_APPLY_BROKER_ID,
        {**_SET, "appliedBrokerId": "broker_id", "registerCheckCode": "register_check_code"},
    ),
    messages.RegisterBrokerRequest: Shape(
        "register.RegisterBrokerToControllerRequestHeader",
        RequestCode.CONTROLLER_REGISTER_BROKER,
        {**_SET, "brokerId": "broker_id", "brokerAddress": "broker_address"},
    ),
    messages.ElectMasterRequest: Shape(
        "ElectMasterRequestHeader",
        RequestCode.CONTROLLER_ELECT_MASTER,
        {**_SET, "brokerId": "broker_id", "designateElect": "designate_elect"},
    ),
    messages.AlterSyncStateSetRequest: Shape(
        "AlterSyncStateSetRequestHeader",
        RequestCode.CONTROLLER_ALTER_SYNC_STATE_SET,
        {"brokerName": "broker_name", "masterBrokerId": "master_broker_id", "masterEpoch": "master_epoch"},
    ),
    messages.GetReplicaInfoRequest: Shape(
        "GetReplicaInfoRequestHeader", RequestCode.CONTROLLER_GET_REPLICA_INFO, {"brokerName": "broker_name"}
    ),
    messages.CleanBrokerDataRequest: Shape(
        "admin.CleanControllerBrokerDataRequestHeader",
        RequestCode.CLEAN_BROKER_DATA,
        {**_SET, "brokerControllerIdsToClean": "broker_ids", "isCleanLivingBroker": "clean_living_broker"},
    ),
}


# --- requests --------------------------------------------------------------------------------------------------------


def requests(bench: Bench, random: Random, count: int) -> Iterator[Pair]:
    """Frames of requests to a controller, both ways, with JSON and with binary headers: `RemotingCommand`, each
    request's header class, `SyncStateSet`."""
    for _, request, _, _ in questions(random.randrange(2**32), count):
        if type(request) not in _SHAPES:
            continue  # GetSyncStateData has a body of names alone
        opaque, binary = random.randrange(2**31), random.random() < 0.5
        name = f"{type(request).__name__.removesuffix('Request')}, {'binary' if binary else 'JSON'} header"
        found = list(frames().feed(_frame_of_theirs(bench, request, opaque, binary)))
        ours: Any = [decode_request(each) for each in found]
        yield Pair(f"frame, theirs read by ours, {name}", str(request), [request], ours)
        command = encode_request(request, opaque)
        kind = ROCKETMQ_TYPE if binary else JSON_TYPE
        data = encode_command(type(command)(**{**command.__dict__, "serialize_type": kind}))
        theirs = _read_by_theirs(bench, request, data)
        yield Pair(f"frame, ours read by theirs, {name}", str(request), theirs, _plain(request, opaque))


def _frame_of_theirs(bench: Bench, request: Any, opaque: int, binary: bool) -> bytes:
    shape, find = _SHAPES[type(request)], bench.jpype.JClass
    header = find(f"{_HEADER}.{shape.header}")()
    for theirs, ours in shape.fields.items():
        field = field_of(header, theirs)
        field.set(header, _java(bench, str(field.getType().getSimpleName()), _value(getattr(request, ours))))
    command = find(f"{_PROTOCOL}.RemotingCommand").createRequestCommand(int(shape.code), header)
    command.setOpaque(opaque)
    if binary:
        command.setSerializeTypeCurrentRPC(find(f"{_PROTOCOL}.SerializeType").ROCKETMQ)
    if isinstance(request, messages.AlterSyncStateSetRequest):
        members = bench.jpype.java.util.HashSet()
        for each in request.new_sync_state_set:
            members.add(bench.jpype.java.lang.Long(each))
        command.setBody(find(f"{_PROTOCOL}.body.SyncStateSet")(members, request.sync_state_set_epoch).encode())
    return _bytes_of(bench, command.encode())


def _read_by_theirs(bench: Bench, request: Any, data: bytes) -> Any:
    shape, find = _SHAPES[type(request)], bench.jpype.JClass
    array = bench.jpype.JArray(bench.jpype.JByte)(data[4:])
    command = find(f"{_PROTOCOL}.RemotingCommand").decode(array)
    header = command.decodeCommandCustomHeader(find(f"{_HEADER}.{shape.header}").class_)
    found: dict[str, Any] = {"opaque": int(command.getOpaque()), "code": int(command.getCode())}
    for theirs in shape.fields:
        value = field_of(header, theirs).get(header)
        found[theirs] = None if value is None else str(value).lower() if theirs in _TRUTHS else str(value)
    if isinstance(request, messages.AlterSyncStateSetRequest):
        kind = find(f"{_PROTOCOL}.body.SyncStateSet")
        body = find(f"{_PROTOCOL}.RemotingSerializable").decode(command.getBody(), kind.class_)
        found["members"] = sorted(int(each) for each in body.getSyncStateSet())
        found["number"] = int(body.getSyncStateSetEpoch())
    return found


_TRUTHS = {"designateElect", "isCleanLivingBroker"}


def _plain(request: Any, opaque: int) -> dict[str, Any]:
    shape = _SHAPES[type(request)]
    found: dict[str, Any] = {"opaque": opaque, "code": int(shape.code)}
    for theirs, ours in shape.fields.items():
        value = _value(getattr(request, ours))
        found[theirs] = None if value is None else str(value).lower() if theirs in _TRUTHS else str(value)
    if isinstance(request, messages.AlterSyncStateSetRequest):
        found["members"] = sorted(request.new_sync_state_set)
        found["number"] = request.sync_state_set_epoch
    return found


def _value(value: Any) -> Any:
    return ";".join(map(str, value)) if isinstance(value, tuple) else value


def _java(bench: Bench, kind: str, value: Any) -> Any:
    lang = bench.jpype.java.lang
    if value is None:
        return None
    match kind:
        case "Long" | "long":
            return lang.Long(value)
        case "Integer" | "int":
            return lang.Integer(value)
        case "Boolean" | "boolean":
            return lang.Boolean(value)
    return lang.String(str(value))


def _bytes_of(bench: Bench, buffer: Any) -> bytes:
    array = bench.jpype.JArray(bench.jpype.JByte)(int(buffer.remaining()))
    buffer.get(array)
    return bytes(array)


# --- the HA stream ---------------------------------------------------------------------------------------------------


def ha_packets(bench: Bench, random: Random, count: int) -> Iterator[Pair]:
    """`AutoSwitchHAConnection`: what it writes, bit by bit, and what it reads."""
    with bench.store() as store:
        store.become_master(1, frozenset({1}))
        for _ in range(3):
            store.put()
        for _ in range(count):
            yield _handshake_read(bench, random, store)
            yield _reply(bench, random, store)
            yield from _transfer_header(bench, random, store)


def _handshake_read(bench: Bench, random: Random, store: Any) -> Pair:
    """The connection's reader is given our slave's handshake."""
    packet = Handshake(random.choice((0, 1, 2, 2**31, 2**63 - 1)), 0, random.random() < 0.5, random.random() < 0.5)
    connection = _connection(bench, store, [], "HANDSHAKE")
    reading = allocated(bench.jpype, f"{_AUTO_SWITCH}.AutoSwitchHAConnection$ReadSocketService")
    _outer(reading, connection)
    field_of(reading, "processPosition").setInt(reading, 0)
    reader = allocated(bench.jpype, f"{_AUTO_SWITCH}.AutoSwitchHAConnection$ReadSocketService$HAServerReader")
    _outer(reader, reading)
    data = encode_to_master(packet, with_epoch=False)
    buffer = bench.jpype.java.nio.ByteBuffer.allocate(64)
    buffer.put(bench.jpype.JArray(bench.jpype.JByte)(data))
    _call(reader, "processReadResult", buffer)
    theirs = (
        int(connection.getSlaveId()),
        bool(connection.isSyncFromLastFile()),
        bool(connection.isAsyncLearner()),
        int(field_of(reading, "processPosition").get(reading)),
    )
    (read,) = from_slave().feed(data)
    assert isinstance(read, Handshake)
    ours = (read.slave_broker_id, read.sync_from_last_file, read.async_learner, len(data))
    return Pair("HA, handshake of ours read by AutoSwitchHAConnection", str(packet), theirs, ours)


def _reply(bench: Bench, random: Random, store: Any) -> Pair:
    entries = _entries(random)
    connection = _connection(bench, store, entries, "HANDSHAKE")
    writing = _writing(bench, connection)
    _call(writing, "buildHandshakeBuffer")
    theirs = b"".join(
        _bytes_of(bench, field_of(writing, name).get(writing)) for name in ("byteBufferHeader", "handShakeBuffer")
    )
    last = entries[-1].epoch if entries else -1
    ours = encode_to_slave(HandshakeReply(last, store.end, last, tuple(entries)))
    return Pair("HA, reply to a handshake", f"{entries} to {store.end}", theirs, ours)


def _transfer_header(bench: Bench, random: Random, store: Any) -> Iterator[Pair]:
    entries = _entries(random) or [EpochEntry(1, 0)]
    entry, offset, size = random.choice(entries), random.choice(_OFFSETS), random.choice((0, 1, 327))
    connection = _connection(bench, store, entries, "TRANSFER")
    field_of(connection, "currentTransferEpoch").setInt(connection, entry.epoch)
    writing = _writing(bench, connection)
    long, integer = bench.jpype.java.lang.Long, bench.jpype.java.lang.Integer
    _call(writing, "buildTransferHeaderBuffer", long(offset), integer(size))
    theirs = _bytes_of(bench, field_of(writing, "byteBufferHeader").get(writing))
    body = random.randbytes(size)
    made = Transfer(offset, size, entry, store.confirmed, body)
    data = encode_to_slave(made)
    given = f"{entry} at {offset}, {size} bytes"
    yield Pair("HA, header of a transfer", given, theirs, data[: len(theirs)])
    yield Pair("HA, transfer of theirs read by ours", given, [made], list(from_master().feed(theirs + body)))


def acks(bench: Bench, random: Random, count: int) -> Iterator[Pair]:
    """`AutoSwitchHAClient.sendHandshakeHeader` and `reportSlaveOffset`: what a slave writes on a socket."""
    java = bench.jpype.java
    with bench.store(2) as store:
        listening = java.nio.channels.ServerSocketChannel.open().bind(java.net.InetSocketAddress("127.0.0.1", 0))
        near = java.nio.channels.SocketChannel.open(listening.getLocalAddress())
        far = listening.accept()
        client = allocated(bench.jpype, f"{_AUTO_SWITCH}.AutoSwitchHAClient")
        for name, value in (
            ("handshakeHeaderBuffer", java.nio.ByteBuffer.allocate(16)),
            ("transferHeaderBuffer", java.nio.ByteBuffer.allocate(12)),
            ("haService", store.ha),
            ("haWriter", bench.jpype.JClass("org.apache.rocketmq.store.ha.io.HAWriter")()),
            ("socketChannel", near),
        ):
            field_of(client, name).set(client, value)
        state = bench.jpype.JClass("org.apache.rocketmq.store.ha.HAConnectionState")
        for _ in range(count):
            packet = Handshake(
                random.choice((0, 1, 2, 2**40, 2**63 - 1)), 0, random.random() < 0.5, random.random() < 0.5
            )
            field_of(client, "brokerId").set(client, java.lang.Long(packet.slave_broker_id))
            store.config.setSyncFromLastFile(packet.sync_from_last_file)
            store.config.setAsyncLearner(packet.async_learner)
            _call(client, "sendHandshakeHeader")
            ours = encode_to_master(packet, with_epoch=False)
            yield Pair("HA, handshake", str(packet), _received(bench, far, len(ours)), ours)
            offset = random.choice(_OFFSETS)
            _call(client, "reportSlaveOffset", state.TRANSFER, java.lang.Long(offset))
            ours = encode_to_master(Acknowledge(offset))
            yield Pair("HA, ack", str(offset), _received(bench, far, len(ours)), ours)
        for each in (near, far, listening):
            each.close()


def _received(bench: Bench, channel: Any, size: int) -> bytes:
    buffer = bench.jpype.java.nio.ByteBuffer.allocate(size)
    while buffer.hasRemaining():
        channel.read(buffer)
    buffer.flip()
    return _bytes_of(bench, buffer)


def _entries(random: Random) -> list[EpochEntry]:
    epochs = sorted(random.sample(_EPOCHS, random.randrange(4)))
    starts = sorted(random.sample(_OFFSETS, len(epochs)))
    return [EpochEntry(epoch, start) for epoch, start in zip(epochs, starts, strict=True)]


def _connection(bench: Bench, store: Any, entries: list[EpochEntry], state: str) -> Any:
    made = allocated(bench.jpype, f"{_AUTO_SWITCH}.AutoSwitchHAConnection")
    field_of(made, "haService").set(made, store.ha)
    field_of(made, "epochCache").set(made, cache(bench, None, *entries))
    states = bench.jpype.JClass("org.apache.rocketmq.store.ha.HAConnectionState")
    field_of(made, "currentState").set(made, states.valueOf(state))
    return made


def _writing(bench: Bench, connection: Any) -> Any:
    made = allocated(bench.jpype, f"{_AUTO_SWITCH}.AutoSwitchHAConnection$WriteSocketService")
    _outer(made, connection)
    buffers = bench.jpype.java.nio.ByteBuffer
    field_of(made, "byteBufferHeader").set(made, buffers.allocate(36))
    field_of(made, "handShakeBuffer").set(made, buffers.allocate(12_000))
    return made


def _outer(value: Any, owner: Any) -> None:
    """The object that an inner one belongs to, in its class and in those that it extends."""
    kind = value.getClass()
    while kind is not None:
        for field in kind.getDeclaredFields():
            if str(field.getName()).startswith("this$"):
                field.setAccessible(True)
                field.set(value, owner)
        kind = kind.getSuperclass()


def _call(value: Any, name: str, *arguments: Any) -> Any:
    """A private method, the only one of its name."""
    kind = value.getClass()
    while kind is not None:
        for method in kind.getDeclaredMethods():
            if str(method.getName()) == name:
                method.setAccessible(True)
                return method.invoke(value, *arguments)
        kind = kind.getSuperclass()
    raise KeyError(name)


# --- what a put returns ----------------------------------------------------------------------------------------------

_SHIPPED = broker_rules(SHIPPED_BROKER)


def puts(bench: Bench, random: Random, count: int) -> Iterator[Pair]:
    """`CommitLog.asyncPutMessage` and `GroupTransferService`: the status of a put.

    Random are the set, a proposal that is under way, connections with acks of all or of nothing, and the settings.
    """
    with bench.store(slaveTimeout=30) as store:
        store.become_master(1, frozenset({1}))
        connections = store.ha.getConnectionList()
        for _ in range(count):
            members = frozenset({1, *random.sample((2, 3), random.randrange(3))})
            all_ack, needed, least = random.random() < 0.5, random.randrange(1, 4), random.randrange(1, 4)
            known = [(slave, random.choice((0, 2**40))) for slave in random.choices((2, 3, 4), k=random.randrange(4))]
            for name, value in (
                ("AllAckInSyncStateSet", all_ack),
                ("InSyncReplicas", needed),
                ("MinInSyncReplicas", least),
                ("EnableAutoInSyncReplicas", False),
            ):
                getattr(store.config, f"set{name}")(value)
            store.learn(members)
            for slave, ack in known:
                made = allocated(bench.jpype, f"{_AUTO_SWITCH}.AutoSwitchHAConnection")
                field_of(made, "slaveId").set(made, bench.jpype.java.lang.Long(slave))
                field_of(made, "slaveAckOffset").setLong(made, ack)
                connections.add(made)
            theirs = store.put()
            connections.clear()
            ours = _our_status(members, known, all_ack, needed, least)
            given = f"members {sorted(members)}, acks {known}, all {all_ack}, {needed} needed, {least} at least"
            yield Pair("put, status", given, theirs, ours)


def _our_status(members: frozenset[int], known: list[tuple[int, int]], all_ack: bool, needed: int, least: int) -> str:
    config = SimpleNamespace(all_ack_in_sync_state_set=all_ack, in_sync_replicas=needed, min_in_sync_replicas=least)
    made = {number: SimpleNamespace(slave_id=slave, ack=ack) for number, (slave, ack) in enumerate(known)}
    # what the rules read of a broker
    master: Any = SimpleNamespace(
        id=1,
        role=Role.MASTER,
        config=config,
        rules=_SHIPPED,
        sync_state_set=members,
        pending=frozenset(),
        union=members,
        connections=made,
    )
    refusal = _SHIPPED.may_append(master, True)
    if refusal is not None:
        return refusal.name
    return (PutStatus.PUT_OK if _SHIPPED.may_acknowledge(master, 2**40) else PutStatus.FLUSH_SLAVE_TIMEOUT).name
