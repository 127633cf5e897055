"""Processes of a release: a cluster of them fails over; one lives in our cluster, as slave and as master."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic

import pytest

from rmqproof.conformance.runs.validate import validate_runs
from rmqproof.conformance.runs.validation import Answer
from rmqproof.impl.runtime.client import Client
from rmqproof.impl.runtime.cluster import Cluster
from rmqproof.impl.runtime.layout import Settings, new_layout
from rmqproof.impl.runtime.readings import rules_of
from rmqproof.impl.storage.message import Message, encode_message
from rmqproof.model.tla.library import bundled
from rmqproof.model.tla.model_files import find_models
from rmqproof.rocketmq.java import find_java
from rmqproof.rocketmq.logs import read_logs
from rmqproof.rocketmq.processes.cluster import RealCluster, records
from rmqproof.rocketmq.processes.failover import fail_over
from rmqproof.rocketmq.processes.java_process import JavaProcess, free_port
from rmqproof.rocketmq.processes.judging import lines_of
from rmqproof.rocketmq.processes.nodes import NAME_SERVER, broker
from rmqproof.rocketmq.releases import Release, get_release
from rmqproof.rocketmq.runs.format import TRACED

_SECONDS = 120


@pytest.fixture(scope="module")
def with_name_server(newest: Release) -> Release:
    if os.environ.get("RMQPROOF_REQUIRE_ROCKETMQ") == "1":
        return get_release(newest.version, also=(NAME_SERVER,))
    if NAME_SERVER not in newest.also:
        pytest.skip(f"no name server here: rmqproof rocketmq get {newest.version} --also {NAME_SERVER}")
    return newest


@pytest.mark.large
def test_nothing_that_was_acknowledged_is_lost_when_the_master_is_killed(
    with_name_server: Release, tmp_path: Path
) -> None:
    said: list[str] = []
    with RealCluster(with_name_server, find_java(), tmp_path / "real", traced=True) as cluster:
        found = fail_over(cluster, said.append)
    assert found.acknowledged and not found.missing and not found.differ, said
    assert len(set(found.masters)) == 2
    events, _ = read_logs(found.logs)
    elections = [each.state["controller"]["masterEpoch"] for each in events if each.action == "ControllerElectsMaster"]
    assert elections[0] == 1 and len(elections) > 1 and elections == sorted(set(elections))  # more on a slow machine
    told = {each.action for each in events}
    assert {"HeartbeatExpires", "HeartbeatArrives", "ControllerAcceptsAlter", "BecomeMaster", "BecomeSlave"} <= told
    (files,) = find_models([bundled(TRACED.config)])
    steps = validate_runs(sorted(cluster.traces.glob("*.ndjson")), files, TRACED)
    assert steps.answer is Answer.YES, lines_of(steps)
    written = sum(event.action == "ProducerIsTold" for event in steps.order.events)
    assert written >= len(found.acknowledged)


@asynccontextmanager
async def our_cluster(folder: Path) -> AsyncIterator[Cluster]:
    """One controller and one broker, as shipped, that speak as RocketMQ."""
    settings = Settings(rules=rules_of((), True), rocketmq_wire=True)
    cluster = Cluster(new_layout(folder, 1, 1, settings), tell=lambda _: None)
    await cluster.up()
    try:
        yield cluster
    finally:
        await cluster.down()


async def until(condition: Callable[[], object], what: str) -> None:
    end = monotonic() + _SECONDS
    while not condition():
        assert monotonic() < end, f"{what} did not come"
        await asyncio.sleep(0.1)


async def until_stored(client: Client, body: str) -> None:
    result = await client.put(body.encode(), body, _SECONDS)
    assert result.stored, result.reason


def same(ours: Path, real: Path, messages: int) -> bool:
    """Logs and epoch files, byte by byte; the real log's file is as long as it may become."""
    try:
        log = next((ours / "commitlog").iterdir()).read_bytes()
        theirs = (real / "commitlog" / ("0" * 20)).read_bytes()
        files = [(each / "epochFileCheckpoint").read_bytes() for each in (ours, real)]
    except (OSError, StopIteration):
        return False
    whole = len(records(log, 0)) == messages == len(records(theirs, 0))
    return whole and theirs.startswith(log) and files[0] == files[1]


async def in_our_cluster(release: Release, folder: Path) -> None:
    async with our_cluster(folder) as cluster:
        client = Client(cluster.layout.controllers)
        controllers = ";".join(node.address for node in cluster.layout.controllers)
        real: JavaProcess = broker(
            release, find_java(), folder / "r1", controllers, controllers, free_port(following=True)
        )
        ours, theirs = cluster.layout.store("b1"), real.folder / "store"
        try:
            await until_stored(client, "one")
            real.start()
            await until(lambda: same(ours, theirs, 1), "the copy of the real slave")
            assert (theirs / "brokerIdentity").read_text().endswith("#2")
            await until_stored(client, "two")
            await until(lambda: same(ours, theirs, 2), "the second message")
            await cluster.kill("b1")
            elected = f"127.0.0.1:{real.settings['listenPort']}"
            async with asyncio.timeout(_SECONDS):
                while await client.master() != elected:  # it was in the SyncStateSet
                    await asyncio.sleep(0.1)
            await until_stored(client, "three")
            cluster.start("b1")
            await until(lambda: same(ours, theirs, 3), "the copy of our slave")
            assert (theirs / "epochFileCheckpoint").read_text().splitlines()[0] == "2"
        finally:
            real.kill()
            await client.close()


def test_a_real_broker_lives_in_our_cluster(newest: Release, tmp_path: Path) -> None:
    asyncio.run(in_our_cluster(newest, tmp_path / "mixed"))


def test_records_end_where_the_log_does() -> None:
    first = encode_message(Message("T", b"a"), 0)
    log = first + encode_message(Message("T", b"b"), len(first))
    assert [each.body for each in records(log + bytes(100), 0)] == [b"a", b"b"]
    with pytest.raises(ValueError):
        records(log[:-3] + bytes(100), 0)
