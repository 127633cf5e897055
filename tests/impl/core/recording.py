"""Answers of RocketMQ's own `ReplicasInfoManager`, recorded, so that impl is held to them where no release can be had.

    python -m tests.impl.core.recording 5.3.1

asks the class of that release (see `rmqproof rocketmq get`) a long row of random requests, each in the state that the
ones before left, and writes requests, answers and states to `answers/`.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path
from random import Random
from typing import Any

from rmqproof.impl.controller.liveness import BrokerLiveInfo
from rmqproof.impl.core import controller_messages as messages
from rmqproof.impl.core.controller_messages import ControllerRequest
from rmqproof.rocketmq.controller_state import ControllerState, Liveness, RealAnswer

ANSWERS = Path(__file__).parent / "answers"
SET = "b"
WALKS, STEPS = 160, 40
FAR_AWAY = 2**62
IDS = (1, 1, 2, 2, 3, 4, 9, -1)


def requests(random: Random, state: ControllerState) -> ControllerRequest:
    """A request that fits the state, or nearly."""
    known, replicas = state.in_sync, state.replicas
    ids = tuple(each[0] for each in replicas.brokers) if replicas is not None and random.random() < 0.8 else IDS
    broker_id = random.choice(ids or IDS)
    cluster = "c" if random.random() < 0.9 else "d"
    following = replicas.next_assign_broker_id if replicas is not None else 1
    match random.choices(range(8), (3, 8, 6, 12, 12, 2, 1, 2))[0]:
        case 0:
            return messages.GetNextBrokerIdRequest(cluster, SET)
        case 1:
            wanted = following if random.random() < 0.6 else broker_id
            return messages.ApplyBrokerIdRequest(cluster, SET, wanted, f"h:{random.choice((wanted, 7))};{wanted}")
        case 2:
            return messages.RegisterBrokerRequest(cluster, SET, broker_id, f"h:{random.choice((broker_id, 8))}")
        case 3:
            asking = random.choice((-1, broker_id, broker_id))
            return messages.ElectMasterRequest(cluster, SET, asking, random.random() < 0.3 and asking != -1)
        case 4:
            master = known.master_broker_id if known is not None and known.master_broker_id is not None else broker_id
            epoch, number = (known.master_epoch, known.sync_state_set_epoch) if known is not None else (0, 0)
            if random.random() < 0.3:
                epoch, number, master = epoch + random.randint(-1, 1), number + random.randint(-1, 1), broker_id
            members = {i for i in (*ids, *IDS[:4]) if random.random() < 0.4}
            return messages.AlterSyncStateSetRequest(
                SET, master, epoch, frozenset(members | ({master} if random.random() < 0.8 else set())), number
            )
        case 5:
            return messages.GetReplicaInfoRequest(SET)
        case 6:
            return messages.GetSyncStateDataRequest((SET, "unknown"))
    some = None if random.random() < 0.5 else tuple(sorted(random.sample(sorted({*ids, 9}), 1)))
    return messages.CleanBrokerDataRequest(cluster, SET, some, random.random() < 0.2)


def living(random: Random) -> Liveness:
    """Brokers that are alive, with small and enormous offsets."""
    chosen = [i for i in (1, 2, 3, 4, 9) if random.random() < 0.6]
    return tuple(
        (
            i,
            BrokerLiveInfo(
                FAR_AWAY,
                0,
                random.choice((-1, 1, 1, 2)),
                random.choice((0, 5, 6, 2**31, 2**31 + 7, 2**33)) if len(chosen) == 2 else random.choice((0, 5, 6)),
                0,
                random.choice((2**31 - 1, 2**31 - 1, 1)),
            ),
        )
        for i in chosen
    )


def plain(value: Any) -> Any:
    """As JSON."""
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def recorded(version: str) -> Iterator[list[dict[str, Any]]]:
    from rmqproof.rocketmq.releases import open_release
    from rmqproof.rocketmq.worker import Worker

    worker = Worker(open_release(version))
    for seed in range(WALKS):
        random, state = Random(f"{version} {seed}"), ControllerState(SET)
        unclean, heard, walk = random.random() < 0.4, living(random), []
        for _ in range(STEPS):
            if random.random() < 0.3:
                heard = living(random)
            asked = requests(random, state)
            answer: RealAnswer
            answer, state = worker.call("ask", state, asked, heard, unclean)
            if answer.raised:
                break
            walk.append(
                {
                    "request": [type(asked).__name__, *(plain(getattr(asked, f.name)) for f in fields(asked))],
                    "living": [[i, info.epoch, info.max_offset, info.election_priority] for i, info in heard],
                    "unclean": unclean,
                    "answer": [answer.code, plain(answer.header), plain(answer.body)],
                    "state": plain(asdict(state)),
                }
            )
        yield walk
    worker.close()


def main(version: str) -> None:
    path = ANSWERS / f"ReplicasInfoManager-{version}.json.gz"
    content = json.dumps(list(recorded(version)), separators=(",", ":")).encode()
    path.write_bytes(gzip.compress(content, 9, mtime=0))
    print(f"{path}: {len(content)} bytes, {path.stat().st_size} compressed")


if __name__ == "__main__":
    main(sys.argv[1])
