"""Real processes on loopback: start, put, kill, partition, restart, stop. Ports are chosen free; nothing is waited for
by a fixed time."""

from __future__ import annotations

import asyncio
import json
import math
import socket
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.impl.core.codes import RequestCode, ResponseCode
from rmqproof.impl.runtime.chaos import Chaos, Step, schedule
from rmqproof.impl.runtime.client import Client
from rmqproof.impl.runtime.cluster import Cluster
from rmqproof.impl.runtime.errors import ClusterError
from rmqproof.impl.runtime.events import events_in
from rmqproof.impl.runtime.layout import HOST, Settings, load_layout, new_layout
from rmqproof.impl.runtime.merging import merge_traces
from rmqproof.impl.runtime.remoting import Peer
from rmqproof.model.cli import main

FOREVER = math.inf
"""Nothing here depends on how fast the machine is: what has to happen is waited for, however long it takes."""
SETTINGS = Settings(trace=True, heartbeat_timeout=5.0)


class Running:
    """A cluster and a client, for one test."""

    def __init__(self, folder: Path, controllers: int, brokers: int, settings: Settings = SETTINGS) -> None:
        self.cluster = Cluster(new_layout(folder, controllers, brokers, settings), owned=True, patience=FOREVER)
        self.client = Client(self.cluster.layout.controllers)

    async def __aenter__(self) -> Running:
        await self.cluster.up()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.client.close()
        await self.cluster.down()
        assert not [node.name for node in self.cluster.layout.nodes if self.cluster.running(node.name)]

    async def put(self, *keys: str) -> None:
        for key in keys:
            result = await self.client.put(key.encode(), key, FOREVER)
            assert result.stored, (key, result)

    async def roles(self) -> dict[str, str]:
        found = {}
        for state in await self.cluster.status():
            if state.status is not None and "broker" in state.status:
                found[state.node.name] = state.status["broker"]["role"]
        return found

    async def master(self) -> str:
        """The name of the one master, once there is one that the others know."""
        found: list[str] = []

        async def one() -> bool:
            found[:] = [name for name, role in (await self.roles()).items() if role == "Master"]
            return len(found) == 1

        await self.cluster.until(one)
        return found[0]

    async def keys_at(self, name: str) -> list[str]:
        return [message.key for message in await self.client.pull(self.cluster.layout.node(name).address)]

    async def holds(self, name: str, keys: list[str]) -> None:
        async def same() -> bool:
            try:
                return await self.keys_at(name) == keys
            except ClusterError:
                return False

        await self.cluster.until(same)

    async def members(self, *names: str) -> None:
        async def same() -> bool:
            sets = [
                s.status["controller"]["sss"]["#set"]
                for s in await self.cluster.status()
                if s.status and "controller" in s.status
            ]
            return sorted(names) in sets

        await self.cluster.until(same)


def test_a_master_is_killed_and_comes_back(tmp_path: Path) -> None:
    """RocketMQ's AutoSwitchRoleIntegrationTest I2, with an acknowledgement by all; then the trace of it is read."""

    async def run() -> None:
        async with Running(tmp_path, 1, 2) as running:
            await running.members("b1", "b2")
            await running.put("m1", "m2")
            first = await running.master()
            (second,) = {"b1", "b2"} - {first}
            await running.cluster.kill(first)
            await running.members(second)
            await running.put("m3")
            assert await running.keys_at(second) == ["m1", "m2", "m3"]
            await running.cluster.restart(first)
            await running.members("b1", "b2")
            await running.put("m4")
            for name in (first, second):
                await running.holds(name, ["m1", "m2", "m3", "m4"])
            with pytest.raises(ClusterError, match="is running already"):
                running.cluster.start(first)

    asyncio.run(run())
    assert merge_traces(tmp_path / "traces", tmp_path / "run.ndjson") > 40
    events = list(events_in(tmp_path / "run.ndjson"))
    for node in {event.node for event in events}:
        numbers = [event.sequence for event in events if event.node == node]
        assert numbers == list(range(1, len(numbers) + 1))
    actions = {event.action for event in events}
    assert {"AppendPut", "AcknowledgePut", "SlaveAppendsBatch", "ProcessCrashes", "BrokerRestarts"} <= actions
    assert {event.arguments[1] for event in events if event.action == "AcknowledgePut"} == {"m1", "m2", "m3", "m4"}
    sent = {identity for event in events for identity in event.sent}
    assert all(
        identity in sent for event in events if event.action == "LearnSyncStateSet" for identity in event.received
    )


def test_addresses_that_are_taken_are_tried_again(tmp_path: Path) -> None:
    """Another program listens where b1 wants to, before the cluster begins: it begins at other addresses."""

    async def run() -> None:
        cluster = Cluster(new_layout(tmp_path, 1, 1, SETTINGS), owned=True, patience=FOREVER)
        taken = cluster.layout.node("b1").port
        with socket.create_server((HOST, taken)):
            await cluster.up()
            assert cluster.layout.node("b1").port != taken and load_layout(tmp_path) == cluster.layout
            await cluster.down()
        # A node that others know by its address waits until that is free.
        taken = cluster.layout.node("b1").port
        other = socket.create_server((HOST, taken))
        starting = asyncio.create_task(cluster.up())

        async def refused() -> bool:
            return cluster.running("b1")

        await cluster.until(refused)
        other.close()
        await starting
        assert cluster.layout.node("b1").port == taken
        await cluster.down()

    asyncio.run(run())


def test_a_master_is_cut_off_and_acknowledges_nothing(tmp_path: Path) -> None:
    """Its put is not acknowledged; the others elect; healed, it becomes a slave and its message is gone."""

    async def run() -> None:
        async with Running(tmp_path, 1, 3) as running:
            await running.members("b1", "b2", "b3")
            await running.put("m1")
            old = await running.master()
            address = running.cluster.layout.node(old).address
            await running.cluster.partition([old])
            result = await running.client.put_at(address, b"lost", "lost", FOREVER)
            assert not result.stored
            others = [name for name in ("b1", "b2", "b3") if name != old]
            await running.members(*others)
            await running.put("m2")
            await running.cluster.heal()
            await running.members("b1", "b2", "b3")
            for name in ("b1", "b2", "b3"):
                await running.holds(name, ["m1", "m2"])

    asyncio.run(run())


def test_a_producer_that_goes_away_does_no_harm(tmp_path: Path) -> None:
    """Its put is still under way when its connection ends; the broker goes on and so does the put."""

    async def run() -> None:
        async with Running(tmp_path, 1, 1, replace(SETTINGS, flush_period=0.5)) as running:
            address = running.cluster.layout.node("b1").address
            client = Client(running.cluster.layout.controllers)
            sending = asyncio.create_task(client.put_at(address, b"first", "m1", FOREVER))

            async def appended() -> bool:
                status = await running.cluster.status_of("b1")
                return status is not None and status["messages"] == 1

            await running.cluster.until(appended)
            sending.cancel()
            await client.close()
            await running.put("m2")
            assert await running.keys_at("b1") == ["m1", "m2"]

    asyncio.run(run())


def test_what_administrators_ask(tmp_path: Path) -> None:
    """The controller's request codes beside those that brokers use, and GET_BROKER_EPOCH_CACHE."""

    async def run() -> None:
        async with Running(tmp_path, 1, 1) as running:
            await running.put("m1")
            (controller,), (broker,) = running.cluster.layout.controllers, running.cluster.layout.brokers
            peer, name = Peer(controller.address), {"clusterName": "DefaultCluster", "brokerName": "broker-a"}
            metadata = await peer.call(RequestCode.CONTROLLER_GET_METADATA_INFO, {}, timeout=FOREVER)
            assert metadata.ext_fields["controllerLeaderAddress"] == controller.address
            found = await peer.call(RequestCode.GET_CONTROLLER_CONFIG, {}, timeout=FOREVER)
            assert found.body == b"enableElectUncleanMaster=false\n"
            refused = await peer.call(RequestCode.UPDATE_CONTROLLER_CONFIG, {}, timeout=FOREVER)
            assert refused.code == ResponseCode.CONTROLLER_INVALID_REQUEST
            data = await peer.call(RequestCode.CONTROLLER_GET_SYNC_STATE_DATA, {}, b'["broker-a"]', FOREVER)
            table = json.loads(data.body)["replicasInfoTable"]["broker-a"]
            assert [one["brokerId"] for one in table["inSyncReplicas"]] == [1] and table["masterBrokerId"] == 1
            asked = {**name, "brokerId": "1", "designateElect": "true"}
            elected = await peer.call(RequestCode.CONTROLLER_ELECT_MASTER, asked, timeout=FOREVER)
            assert elected.code == ResponseCode.CONTROLLER_MASTER_STILL_EXIST
            cleaned = await peer.call(RequestCode.CLEAN_BROKER_DATA, name, timeout=FOREVER)
            assert cleaned.code == ResponseCode.CONTROLLER_INVALID_CLEAN_BROKER_METADATA
            at_broker = Peer(broker.address)
            epochs = json.loads((await at_broker.call(RequestCode.GET_BROKER_EPOCH_CACHE, {}, timeout=FOREVER)).body)
            assert epochs["epochList"] == [{"endOffset": 2**63 - 1, "epoch": 1, "startOffset": 0}]
            unknown = await peer.call(12345, {}, timeout=FOREVER)
            assert (unknown.code, unknown.remark) == (3, " request type 12345 not supported")
            beat = {**name, "brokerAddr": broker.address, "brokerId": "1"}
            heard = await peer.call(RequestCode.BROKER_HEARTBEAT, beat, timeout=FOREVER)
            assert (heard.code, heard.remark) == (0, "Heart beat success")
            unknown = await at_broker.call(12345, {}, timeout=FOREVER)
            assert unknown.remark == "the request code 12345 is not supported"
            await peer.close()
            await at_broker.close()

    asyncio.run(run())


def test_the_commands(tmp_path: Path) -> None:
    """`up`, `put`, `get`, `status`, `kill`, `start`, `down`, as a user types them."""
    runner, place = CliRunner(), ["--dir", str(tmp_path / "D")]

    def call(*words: str, status: int = 0) -> str:
        result = runner.invoke(main, ["cluster", *words, *place])
        assert result.exit_code == status, result.output
        assert "Traceback" not in result.output
        return result.output

    assert "holds no cluster" in call("status", status=153)
    try:
        assert "Master" in call("up", "--controllers", "1", "--brokers", "1")
        assert "is running" in call("up", status=153)
        assert "stored as number 0" in call("put", "hello", "--timeout", "inf")
        assert "hello" in call("get")
        call("kill", "b1")
        assert "b1 is not running" in call("pause", "b1", status=153)
        assert "There is no node x" in call("kill", "x", status=153)
        call("start", "b1")
        assert "stored as number 1" in call("put", "again", "--timeout", "inf")
    finally:
        call("down")
    layout = load_layout((tmp_path / "D").resolve())
    assert not any(Cluster(layout).running(node.name) for node in layout.nodes)


def test_a_damaged_store_is_refused_with_the_file(tmp_path: Path) -> None:
    async def run() -> None:
        async with Running(tmp_path, 1, 1) as running:
            await running.put("m1")
            await running.cluster.kill("b1")
            (tmp_path / "store" / "b1" / "epochFileCheckpoint").write_text("1\n5\n1-0\n")
            with pytest.raises(ClusterError, match="epochFileCheckpoint: line 2 says CRC32 5"):
                await running.cluster.restart("b1")

    asyncio.run(run())


def test_the_same_seed_is_the_same_schedule() -> None:
    assert schedule(7, 50) == schedule(7, 50)
    assert schedule(7, 20) == schedule(7, 50)[:20]
    assert schedule(7, 50) != schedule(8, 50)


def test_chaos_loses_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        async with Running(tmp_path, 1, 2) as running:
            steps = schedule(3, 2, ("lose-tail", "partition"))
            outcome = await Chaos(running.cluster, lambda _: None, FOREVER).run(steps)
            assert outcome.problems == []
            assert len(outcome.acknowledged) > 5
            assert sum(outcome.done.values()) + sum(outcome.skipped.values()) == 2

    asyncio.run(run())


def test_chaos_notices_that_unflushed_bytes_were_counted_as_copies(tmp_path: Path) -> None:
    """As shipped: all brokers lose power, and with it messages that were acknowledged."""
    settings = replace(SETTINGS, flush_period=30.0, rules={"DurableEnd": "DurableEndAsShipped"})

    async def run() -> None:
        async with Running(tmp_path, 1, 2, settings) as running:
            await running.members("b1", "b2")
            await running.put("m1")
            chaos = Chaos(running.cluster, lambda _: None, FOREVER)
            chaos.outcome.acknowledged["m1"] = 0
            outcome = await chaos.run([Step("blackout", (0.0, 0.0), 0.1, 0.0, 0.0)])
            assert any(problem.startswith("m1 was acknowledged as number 0") for problem in outcome.problems)

    asyncio.run(run())
