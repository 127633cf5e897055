"""A running cluster that is looked at: servers of ours that answer as a name server, brokers and a controller do."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner

from rmqproof.impl.runtime.remoting import Caller, Server
from rmqproof.impl.wire.remoting import Command
from rmqproof.model.cli import main
from rmqproof.rocketmq.assess.online import readings_of, state_lines
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.online import lenient_json, look_at
from rmqproof.rocketmq.processes.relay_network import Ports

SETTINGS = (
    "enableControllerMode=true\nallAckInSyncStateSet=true\nflushDiskType=ASYNC_FLUSH\nlistenPort=1\n"
    "controllerAddr=127.0.0.1:{0};127.0.0.1:{1}\n"
)


class Cluster:
    """A name server, a master, a slave and a controller; a second controller is not there. `asked`: every code."""

    def __init__(self) -> None:
        ports = Ports()
        self.n1, self.b1, self.b2, self.c1, self.c2 = (ports.take() for _ in range(5))
        self.asked: list[int] = []
        self.loop = asyncio.new_event_loop()
        self.servers: list[Server] = []
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        for port in (self.n1, self.b1, self.b2, self.c1):
            asyncio.run_coroutine_threadsafe(self._serve(port), self.loop).result(20)

    async def _serve(self, port: int) -> None:
        async def handle(command: Command, _: Caller) -> Command:
            self.asked.append(command.code)
            code, body = 0, self.answer(port, command)
            if body is None:
                code, body = 1, b""
            return Command(code, command.opaque, {}, body, 1)

        server = Server(handle)
        await server.start("127.0.0.1", port)
        self.servers.append(server)

    def answer(self, port: int, command: Command) -> bytes | None:
        if command.code == 106 and port == self.n1:
            addresses = f'{{0:"127.0.0.1:{self.b1}",2:"127.0.0.1:{self.b2}"}}'
            return f'{{"brokerAddrTable":{{"broker-a":{{"brokerAddrs":{addresses}}}}}}}'.encode()
        if command.code == 26:
            return SETTINGS.format(self.c1, self.c2).encode()
        if command.code == 1007:
            start = 100 if port == self.b1 else 90
            epochs = [
                {"epoch": 1, "startOffset": 0, "endOffset": start},
                {"epoch": 2, "startOffset": start, "endOffset": 500},
            ]
            return json.dumps({"epochList": epochs, "maxOffset": 500}).encode()
        if command.code == 1010:
            return b"enableElectUncleanMaster=true\n"
        if command.code == 1006 and json.loads(command.body) == ["broker-a"]:
            master = f"127.0.0.1:{self.b1}"
            state: dict[str, Any] = {"masterAddress": master, "inSyncReplicas": [{"brokerAddress": master}]}
            return json.dumps({"replicasInfoTable": {"broker-a": state}}).encode()
        return None

    def close(self) -> None:
        for server in self.servers:
            asyncio.run_coroutine_threadsafe(server.stop(), self.loop).result(20)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    found = Cluster()
    yield found
    found.close()


def test_settings_set_and_epochs(cluster: Cluster) -> None:
    found = look_at(f"127.0.0.1:{cluster.n1}")
    assert [(each.address, each.id) for each in found.brokers] == [
        (f"127.0.0.1:{cluster.b1}", 0),
        (f"127.0.0.1:{cluster.b2}", 2),
    ]
    assert found.members == [f"127.0.0.1:{cluster.b1}"] and found.silent == [f"controller 127.0.0.1:{cluster.c2}"]
    brokers, control = readings_of(found)
    assert [each["allAckInSyncStateSet"] for each in brokers] == [True, True]
    assert control["enableElectUncleanMaster"] is True and not brokers[0].remarks
    lines = list(state_lines(found))
    assert f"  127.0.0.1:{cluster.b1}: master, in the SyncStateSet, epoch 2 from 100, log to 500" in lines
    assert f"  127.0.0.1:{cluster.b2}: slave, not in the SyncStateSet, epoch 2 from 90, log to 500" in lines
    assert any("Epoch 2 starts at 100 on the master and at 90 on the slave" in line for line in lines)
    assert set(cluster.asked) == {26, 106, 1006, 1007, 1010}, "nothing that changes anything"


def test_a_broker_set_that_is_not_there(cluster: Cluster) -> None:
    with pytest.raises(RocketmqError, match="knows broker-a"):
        look_at(f"127.0.0.1:{cluster.n1}", "broker-b")
    with pytest.raises(RocketmqError, match="No name server answers"):
        look_at(f"127.0.0.1:{cluster.c2}")


def test_files_or_a_cluster() -> None:
    done = CliRunner().invoke(main, ["assess"])
    assert done.exit_code == 2 and "--cluster HOST:PORT" in done.output


def test_keys_that_are_numbers() -> None:
    assert lenient_json(b'{"a":{0:"127.0.0.1:10911", 2 :"x"}}') == {"a": {"0": "127.0.0.1:10911", "2": "x"}}
    assert lenient_json(b"<html>") is None
