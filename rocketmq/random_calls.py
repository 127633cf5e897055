"""Requests to a controller at random, with what lies at the edges: epochs of 32 bits, offsets of 64, unknown ids, empty
sets, dead masters. The same seed gives the same requests."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from rmqproof.impl.controller.liveness import BrokerLiveInfo
from rmqproof.impl.core import controller_messages as messages
from rmqproof.rocketmq.controller_state import ControllerState, InSync, Liveness, Replicas

CLUSTER, NAME = "DefaultCluster", "broker-a"
_IDS = (1, 2, 3, 4)
_STRANGE_IDS = (0, 5, 99, 2**31, 2**63 - 2)
_EPOCHS = (0, 1, 2, 3, 7, 2**31 - 2)
_OFFSETS = (-1, 0, 1, 100, 2**31 - 1, 2**31, 3 * 2**30, 2**32 + 5, 2**62)
_PRIORITIES = (0, 1, 5, 2**31 - 1)
Question = tuple[ControllerState, messages.ControllerRequest, Liveness, bool]


def questions(seed: int, count: int) -> Iterator[Question]:
    random = Random(seed)
    for _ in range(count):
        state = _state(random)
        yield state, _request(random, state), _living(random, state), random.random() < 0.4


def _members(random: Random, ids: tuple[int, ...], strange: float = 0.0) -> frozenset[int]:
    chosen = {broker_id for broker_id in ids if random.random() < 0.6}
    if random.random() < strange:
        chosen.add(random.choice(_STRANGE_IDS))
    return frozenset(chosen)


def _state(random: Random) -> ControllerState:
    if random.random() < 0.05:
        return ControllerState(NAME)
    registered = sorted(_members(random, _IDS) | {random.choice(_IDS)})
    brokers = tuple((i, f"127.0.0.1:{10000 + i}", f"127.0.0.1:{10000 + i};{i}") for i in registered)
    epoch = random.choice(_EPOCHS)
    members = _members(random, tuple(registered)) if epoch else frozenset()
    master = random.choice([*registered, None]) if epoch else None
    if master is not None and random.random() < 0.9:
        members |= {master}
    return ControllerState(
        NAME,
        Replicas(CLUSTER, max(registered) + 1, brokers),
        InSync(CLUSTER, epoch, random.choice(_EPOCHS) if epoch else 0, members, master),
    )


def _living(random: Random, state: ControllerState) -> Liveness:
    ids = [each[0] for each in state.replicas.brokers] if state.replicas is not None else list(_IDS)
    return tuple(
        (
            broker_id,
            BrokerLiveInfo(
                0,
                0,
                random.choice((1, 1, 2, 7)),
                random.choice(_OFFSETS),
                0,
                random.choice(_PRIORITIES),
            ),
        )
        for broker_id in ids
        if random.random() < 0.7
    )


def _request(random: Random, state: ControllerState) -> messages.ControllerRequest:
    name = NAME if random.random() < 0.97 else "broker-z"
    someone = random.choice((*_IDS, *_IDS, *_STRANGE_IDS))
    known = state.in_sync
    match random.randrange(12):
        case 0:
            return messages.GetNextBrokerIdRequest(CLUSTER, name)
        case 1:
            code = random.choice((f"127.0.0.1:{10000 + someone};{someone}", "127.0.0.1:1;77", "127.0.0.1:1"))
            return messages.ApplyBrokerIdRequest(CLUSTER, name, someone, code)
        case 2:
            address = random.choice((f"127.0.0.1:{10000 + someone}", "127.0.0.1:9"))
            return messages.RegisterBrokerRequest(CLUSTER, name, someone, address)
        case 3 | 4:
            return messages.ElectMasterRequest(CLUSTER, name, -1)
        case 5:
            return messages.ElectMasterRequest(CLUSTER, name, someone)
        case 6:
            return messages.ElectMasterRequest(CLUSTER, name, someone, True)
        case 7 | 8 | 9:
            master = known.master_broker_id if known is not None and random.random() < 0.8 else someone
            epoch = known.master_epoch if known is not None and random.random() < 0.8 else random.choice(_EPOCHS)
            number = known.sync_state_set_epoch if known is not None and random.random() < 0.8 else 1
            members = _members(random, _IDS, 0.1)
            if master is not None and random.random() < 0.7:
                members |= {master}
            return messages.AlterSyncStateSetRequest(
                name, master if master is not None else someone, epoch, members, number
            )
        case 10:
            if random.random() < 0.5:
                return messages.GetReplicaInfoRequest(name)
            return messages.GetSyncStateDataRequest((name,) if random.random() < 0.7 else (name, "broker-y"))
        case _:
            ids = tuple(sorted(_members(random, _IDS, 0.1))) or None
            return messages.CleanBrokerDataRequest(CLUSTER, name, ids, random.random() < 0.3)
