"""The Raft port of a controller: what was not made with the cluster's secret is dropped before it is decoded."""

from __future__ import annotations

import asyncio
import pickle
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from pysyncobj.encryptor import getEncryptor

from rmqproof.impl.controller.controller import Controller
from rmqproof.impl.runtime.errors import ClusterError
from rmqproof.impl.runtime.events import CONTROLLER, Trace
from rmqproof.impl.runtime.gate import Gate
from rmqproof.impl.runtime.layout import SECRET, Layout, Settings, new_layout
from rmqproof.impl.runtime.raft import Machine, Replica


class Payload:
    """Unpickled, it makes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return Path.write_text, (self.path, "it ran")


def framed(data: bytes) -> bytes:
    """As PySyncObj sends it."""
    return struct.pack("i", len(data)) + data


def packed(message: object) -> bytes:
    return zlib.compress(pickle.dumps(message, 2))


async def said(layout: Layout, content: bytes) -> bytes:
    """What the controller answers to these bytes until it closes the connection."""
    reader, writer = await asyncio.open_connection(*layout.controllers[0].raft_address.split(":"))
    writer.write(content)
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


def with_replica(folder: Path, work: Callable[[Layout], object]) -> None:
    """Run a controller's replica, alone, while `work` talks to its port."""

    async def run() -> None:
        layout = new_layout(folder, 1, 0, Settings())
        layout.make_folder()
        own = layout.controllers[0].raft_address
        leads = asyncio.Event()
        replica = Replica(
            Machine(Controller(), Trace(CONTROLLER, None)), own, [], folder / "c1", layout.secret(), Gate(), leads.set
        )
        try:
            await leads.wait()
            await work(layout)  # type: ignore[misc]
            assert replica.is_leader
        finally:
            replica.stop()

    asyncio.run(run())


def test_a_pickle_from_somebody_else_is_not_loaded(tmp_path: Path) -> None:
    """With no encryption, with another secret, and behind the handshake that a controller makes."""
    ran = tmp_path / "ran"
    other = getEncryptor("not the secret of this cluster, though long enough")

    async def work(layout: Layout) -> None:
        for content in (
            framed(packed(Payload(ran))),
            framed(other.encrypt_at_time(packed(Payload(ran)), 1)),
            framed(packed(b"key")) + framed(packed(Payload(ran))),
            framed(b""),
            struct.pack("i", -5) + packed(Payload(ran)),
        ):
            assert await said(layout, content) == b""
            assert not ran.exists()

    with_replica(tmp_path, work)
    assert not ran.exists()


def test_the_payload_would_run(tmp_path: Path) -> None:
    """The same bytes with the secret are loaded: the attack of the test above is one."""
    ran = tmp_path / "ran"

    async def work(layout: Layout) -> None:
        known = getEncryptor(layout.secret())
        reader, writer = await asyncio.open_connection(*layout.controllers[0].raft_address.split(":"))
        writer.write(framed(known.encrypt_at_time(packed(Payload(ran)), 1)))
        (size,) = struct.unpack("i", await reader.readexactly(4))
        await reader.readexactly(size)
        writer.close()
        assert ran.exists()

    with_replica(tmp_path, work)


def test_a_replica_without_a_secret_is_refused(tmp_path: Path) -> None:
    async def run() -> None:
        with pytest.raises(ValueError, match="without a secret"):
            Replica(Machine(Controller(), Trace(CONTROLLER, None)), "127.0.0.1:1", [], tmp_path, "", Gate(), print)

    asyncio.run(run())


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666])
def test_a_secret_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    layout = new_layout(tmp_path, 1, 0, Settings())
    layout.make_folder()
    assert len(layout.secret()) == 64
    (tmp_path / SECRET).chmod(mode)
    with pytest.raises(ClusterError, match="Others than you can read"):
        layout.secret()


def test_a_secret_that_others_could_replace_is_refused(tmp_path: Path) -> None:
    layout = new_layout(tmp_path / "D", 1, 0, Settings())
    layout.make_folder()
    assert (tmp_path / "D").stat().st_mode & 0o077 == 0
    (tmp_path / "D").chmod(0o777)
    with pytest.raises(ClusterError, match="write to its folder"):
        layout.secret()
    (tmp_path / "D").chmod(0o700)
    (tmp_path / "D" / SECRET).write_text("short\n")
    with pytest.raises(ClusterError, match="holds no secret"):
        layout.secret()
    (tmp_path / "D" / SECRET).unlink()
    with pytest.raises(ClusterError, match="cannot be read"):
        layout.secret()
    (tmp_path / "D" / SECRET).symlink_to("/etc/hostname")
    with pytest.raises(ClusterError):
        layout.secret()


def test_two_clusters_have_two_secrets(tmp_path: Path) -> None:
    secrets = set()
    for name in ("a", "b"):
        layout = new_layout(tmp_path / name, 1, 0, Settings())
        layout.make_folder()
        layout.make_folder()
        secrets.add(layout.secret())
    assert len(secrets) == 2
