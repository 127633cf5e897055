"""Relays between two ends in this process and one in another: held, one way, half open, broken, rewritten."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from rmqproof.rocketmq.processes.relay_network import Ports, RelayNetwork, five_digits

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/net/tcp"), reason="whose a connection is tells /proc")
PATIENCE = 20


class Ends:
    """`there` listens behind its front; `here` connects to it, as this process is called."""

    def __init__(self) -> None:
        self.front = Ports().take()
        self.listening = socket.create_server(("127.0.0.2", self.front))
        self.listening.settimeout(PATIENCE)
        self.network = RelayNetwork(lambda: {"here": os.getpid()})
        self.network.add("there", self.front, ("127.0.0.2", self.front))

    def connect(self) -> tuple[socket.socket, socket.socket]:
        near = socket.create_connection(("127.0.0.1", self.front), PATIENCE)
        far, _ = self.listening.accept()
        far.settimeout(PATIENCE)
        return near, far


@pytest.fixture
def ends() -> Iterator[Ends]:
    found = Ends()
    with ExitStack() as stack:
        stack.callback(found.listening.close)
        stack.callback(found.network.close)
        yield found


def silent(end: socket.socket) -> bool:
    end.settimeout(0.2)
    try:
        end.recv(1)
    except TimeoutError:
        return True
    finally:
        end.settimeout(PATIENCE)
    return False


def test_bytes_pass_and_it_is_known_whose_they_are(ends: Ends) -> None:
    near, far = ends.connect()
    near.sendall(b"a")
    assert far.recv(1) == b"a"
    far.sendall(b"b")
    assert near.recv(1) == b"b"
    assert ends.network.links() == [("here", "there")]
    far.close()
    assert near.recv(1) == b""


def test_one_direction_is_held_and_comes_later(ends: Ends) -> None:
    near, far = ends.connect()
    ends.network.pace([("here", "there")], held=True)
    near.sendall(b"a")
    far.sendall(b"b")
    assert near.recv(1) == b"b"
    assert silent(far)
    ends.network.heal()
    assert far.recv(1) == b"a"


def test_no_connection_is_opened_through_a_partition(ends: Ends) -> None:
    ends.network.pace([("here", "there")], held=True)
    near = socket.create_connection(("127.0.0.1", ends.front), PATIENCE)
    ends.listening.settimeout(0.2)
    with pytest.raises(TimeoutError):
        ends.listening.accept()
    ends.listening.settimeout(PATIENCE)
    ends.network.heal()
    far, _ = ends.listening.accept()
    near.sendall(b"a")
    assert far.recv(1) == b"a"


def test_half_open(ends: Ends) -> None:
    near, far = ends.connect()
    near.sendall(b"a")
    assert far.recv(1) == b"a"
    assert ends.network.leave_half_open("here", "there") == 1
    assert far.recv(1) == b""
    near.sendall(b"into nothing")
    assert silent(near)
    ends.network.heal()
    assert near.recv(1) == b""


def test_an_end_that_is_outlived_is_heard_of_later(ends: Ends) -> None:
    near, far = ends.connect()
    near.sendall(b"a")
    assert far.recv(1) == b"a"
    assert ends.network.outlive("here", "there") == 1
    near.sendall(b"b")
    near.close()
    assert far.recv(1) == b"b"
    assert silent(far)
    far.sendall(b"nobody reads this")
    ends.network.pace([("here", "there")])  # what others do meanwhile
    assert silent(far)
    ends.network.heal()
    assert far.recv(1) == b""


def test_broken_at_both_ends(ends: Ends) -> None:
    near, far = ends.connect()
    near.sendall(b"a")
    assert far.recv(1) == b"a"
    assert ends.network.break_off("there", "here") == 1
    assert near.recv(1) == far.recv(1) == b""
    assert ends.network.links() == []


def test_slow_is_slow_and_whole(ends: Ends) -> None:
    near, far = ends.connect()
    ends.network.pace([("here", "there")], delay=0.01, rate=1e6)
    near.sendall(bytes(100_000))
    got = 0
    while got < 100_000:
        got += len(far.recv(1 << 16))
    assert got == 100_000


def test_another_process_is_not_this_one(ends: Ends) -> None:
    code = f"import socket; s = socket.create_connection(('127.0.0.1', {ends.front})); s.sendall(b'x'); s.recv(1)"
    ends.network.pace([("here", "there")], held=True)
    other = subprocess.Popen([sys.executable, "-S", "-c", code])
    far, _ = ends.listening.accept()
    far.settimeout(PATIENCE)
    assert far.recv(1) == b"x"
    assert ends.network.links() == [("?", "there")]
    far.close()
    assert other.wait(PATIENCE) == 0


def test_frames_are_rewritten_wherever_they_are_cut() -> None:
    front = Ports().take()
    with socket.create_server(("127.0.0.2", front)) as listening:
        network = RelayNetwork(dict)
        network.add("n1", front, ("127.0.0.2", front), lambda frame: five_digits(frame, {12345: 23456}))
        near = socket.create_connection(("127.0.0.1", front), PATIENCE)
        content = b'{"haServerAddr":"127.0.0.1:12345"}'
        frame = len(content).to_bytes(4, "big") + content
        near.sendall(frame[:25])
        listening.settimeout(PATIENCE)
        far, _ = listening.accept()
        near.sendall(frame[25:] + frame)
        got = b""
        while len(got) < 2 * len(frame):
            got += far.recv(1 << 10)
        assert got == 2 * frame.replace(b"12345", b"23456")
        network.close()
