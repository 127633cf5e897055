"""Remoting over real sockets: any bytes, broken connections, partitions; layouts and rules of a cluster."""

from __future__ import annotations

import asyncio
import math
import socket
from pathlib import Path

import pytest

from rmqproof.impl.runtime.errors import ClusterError
from rmqproof.impl.runtime.gate import Gate
from rmqproof.impl.runtime.layout import HOST, Layout, NodeAddress, Settings, load_layout, new_layout
from rmqproof.impl.runtime.readings import rules_of
from rmqproof.impl.runtime.remoting import Caller, Peer, Server, Unreachable
from rmqproof.impl.wire.remoting import Command, response


async def echo(command: Command, caller: Caller) -> Command | None:
    return response(command, 0, command.ext_fields, command.body)


class Echo:
    """A server that answers every request with itself."""

    async def __aenter__(self) -> str:
        self.server = Server(echo)
        layout = new_layout(Path("/nowhere"), 1, 0, Settings())
        await self.server.start(HOST, layout.controllers[0].port)
        return layout.controllers[0].address

    async def __aexit__(self, *_: object) -> None:
        await self.server.stop()


def test_many_requests_at_once_get_their_own_answers() -> None:
    async def run() -> None:
        async with Echo() as address:
            peer = Peer(address)
            found = await asyncio.gather(*(peer.call(7, {"n": str(n)}, bytes([n]), math.inf) for n in range(50)))
            assert [answer.body for answer in found] == [bytes([n]) for n in range(50)]
            await peer.close()

    asyncio.run(run())


def test_bytes_that_are_no_frame_end_only_their_connection() -> None:
    async def run() -> None:
        async with Echo() as address:
            host, port = address.split(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(b"GET / HTTP/1.1\r\n\r\n")
            assert await reader.read() == b""
            writer.close()
            peer = Peer(address)
            assert (await peer.call(7, {}, b"still here", math.inf)).body == b"still here"
            await peer.close()

    asyncio.run(run())


def test_an_address_that_is_in_use_is_tried_again() -> None:
    async def run() -> None:
        with socket.create_server((HOST, 0)) as other:
            port = other.getsockname()[1]
            with pytest.raises(OSError, match="in use"):
                await Server(echo).start(HOST, port)
            server = Server(echo)
            starting = asyncio.create_task(server.start(HOST, port, math.inf))
            peer = Peer(f"{HOST}:{port}")
            with pytest.raises(Unreachable):
                await peer.call(7, {}, timeout=0.0)
            assert not starting.done()
        await starting
        assert (await peer.call(7, {}, b"now", math.inf)).body == b"now"
        await peer.close()
        await server.stop()

    asyncio.run(run())


def test_nobody_listens() -> None:
    async def run() -> None:
        layout = new_layout(Path("/nowhere"), 1, 0, Settings())
        with pytest.raises(Unreachable, match="cannot be reached"):
            await Peer(layout.controllers[0].address).call(7, {}, timeout=math.inf)

    asyncio.run(run())


def test_a_partition_delays_and_healing_delivers() -> None:
    async def run() -> None:
        async with Echo() as address:
            gate = Gate()
            peer = Peer(address, gate)
            assert (await peer.call(7, {}, b"1", math.inf)).body == b"1"
            gate.block([address])
            with pytest.raises(Unreachable, match="did not answer within"):
                await peer.call(7, {}, b"2", 0.0)
            waiting = asyncio.create_task(peer.call(7, {}, b"3", math.inf))
            with pytest.raises(Unreachable, match="did not answer within"):
                await peer.call(7, {}, b"4", 0.0)
            assert not waiting.done()
            gate.block([])
            assert (await waiting).body == b"3"
            await peer.close()

    asyncio.run(run())


def test_a_layout_comes_back_and_a_damaged_one_is_refused(tmp_path: Path) -> None:
    layout = new_layout(tmp_path, 2, 3, Settings(rules={"DurableEnd": "DurableEndAsShipped"}))
    layout.save()
    assert load_layout(tmp_path) == layout
    ports = [port for node in layout.nodes for port in (node.port, node.port + 1)]
    assert len(set(ports)) == len(ports)
    with pytest.raises(ClusterError, match="There is no node b9"):
        layout.node("b9")
    (tmp_path / "cluster.json").write_text("{")
    with pytest.raises(ClusterError, match=r"cluster\.json cannot be read"):
        load_layout(tmp_path)
    with pytest.raises(ClusterError, match="holds no cluster"):
        load_layout(tmp_path / "other")


def test_what_a_partition_blocks() -> None:
    assert NodeAddress("b1", 100).addresses() == ["127.0.0.1:100", "127.0.0.1:101"]
    assert NodeAddress("c1", 100, 101).addresses() == ["127.0.0.1:100", "127.0.0.1:101"]
    layout = Layout(Path("/x"), (), (NodeAddress("b1", 1),), Settings())
    assert layout.with_lost("b1").node("b1").lost


def test_rules_are_named_as_in_the_specification() -> None:
    assert rules_of(["DurableEnd=DurableEndAsShipped"], shipped=False) == {"DurableEnd": "DurableEndAsShipped"}
    assert rules_of(["AlterCode=AlterCodeAsDesigned"], shipped=False) == {"AlterCode": "AlterCodeAsDesigned"}
    assert len(rules_of([], shipped=True)) > 15
    with pytest.raises(ClusterError, match="is not RULE=READING"):
        rules_of(["DurableEnd"], shipped=False)
    with pytest.raises(ClusterError, match="There is no rule Durable"):
        rules_of(["Durable=DurableEndAsShipped"], shipped=False)
    with pytest.raises(ClusterError, match="has no reading Wrong"):
        rules_of(["DurableEnd=Wrong"], shipped=False)
