"""Hosts of their own: who hears whom, on real namespaces where they can be had."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli import main
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.processes.host_network import CLIENT, HostNetwork

_SERVER = """
import socket, sys
listening = socket.create_server((sys.argv[1], 7000))
print("listens", flush=True)
while True:
    connection, _ = listening.accept()
    connection.sendall(b"hello")
    sys.stdin.readline()
    print(connection.recv(100) == b"", flush=True)
"""


@pytest.fixture
def network() -> Iterator[HostNetwork]:
    try:
        found = HostNetwork.of(["b1", "b2"])
    except RocketmqError as error:
        pytest.skip(str(error))
    try:
        yield found
    finally:
        found.close()


def alone(of: int, nodes: Sequence[str], owner: str) -> HostNetwork:
    """On a subnet that no other process tries while this one lives. `of`: 0 or 1, since a process may want two."""
    subnet = 150 + 50 * of + os.getpid() % 50
    return HostNetwork(subnet, {node: f"10.213.{subnet}.{number}" for number, node in enumerate(nodes, 1)}, owner)


def begun(network: HostNetwork) -> None:
    try:
        network.begin()
    except RocketmqError as error:
        pytest.skip(str(error))


@pytest.fixture
def server(network: HostNetwork) -> Iterator[subprocess.Popen[str]]:
    """On b1: greets who connects."""
    command = [*network.prefix("b1"), sys.executable, "-c", _SERVER, network.address("b1")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "listens\n"
        yield process
        process.kill()


def greeted(network: HostNetwork, seconds: float = 60.0) -> bool:
    """From here."""
    try:
        with socket.create_connection((network.address("b1"), 7000), seconds) as connection:
            return connection.recv(100) == b"hello"
    except TimeoutError:
        return False


@pytest.mark.parametrize("link", [("b1", CLIENT), (CLIENT, "b1")])
def test_a_direction_that_is_cut_loses_everything_until_it_is_whole(
    network: HostNetwork, server: subprocess.Popen[str], link: tuple[str, str]
) -> None:
    network.pace([("b1", "b2"), ("b2", "b1")], held=True)
    with socket.create_connection((network.address("b1"), 7000), 60.0) as connection:
        assert connection.recv(100) == b"hello"  # of others it is not cut
        assert server.stdin is not None
        server.stdin.write("\n")
        server.stdin.flush()
    network.pace([link], held=True)
    assert not greeted(network, 0.3)
    network.pace([link])
    with socket.create_connection((network.address("b1"), 7000), 60.0):
        network.pace([link], held=True)
    network.heal()
    network.heal()  # nothing is left to do


def test_connections_that_are_ended(network: HostNetwork, server: subprocess.Popen[str]) -> None:
    assert network.break_off(CLIENT, "b1") == 0
    with socket.create_connection((network.address("b1"), 7000), 60.0) as connection:
        assert connection.recv(100) == b"hello"
        assert network.leave_half_open(CLIENT, "b1") == 1
        connection.setblocking(False)
        with pytest.raises(BlockingIOError):  # hears nothing of it
            connection.recv(1)


def test_nothing_is_left() -> None:
    network = alone(0, ["b1", "b2"], "leaving")
    try:
        begun(network)
        network.begin()  # all of it is there already
    finally:
        network.close()
    spaces = subprocess.run(["ip", "netns"], capture_output=True, text=True, check=True).stdout
    links = subprocess.run(["ip", "link"], capture_output=True, text=True, check=True).stdout
    assert f"rmq{network.subnet}-b1" not in spaces + links


def test_each_has_a_subnet_of_its_own(network: HostNetwork) -> None:
    other = HostNetwork.of(["b1"])
    try:
        assert other.subnet != network.subnet
        with pytest.raises(RocketmqError, match="another cluster's now"):
            HostNetwork(network.subnet, network.addresses, "somebody").begin()
    finally:
        other.close()


def test_what_another_has_now_is_not_closed(network: HostNetwork) -> None:
    """A second end of a cluster, when its subnet has been taken."""
    HostNetwork(network.subnet, network.addresses, "somebody").close()
    links = subprocess.run(["ip", "link"], capture_output=True, text=True, check=True).stdout
    assert f"rmq{network.subnet}-b1" in links and f"rmq{network.subnet}:" in links


def test_one_that_goes_meanwhile_is_taken() -> None:
    """Another ends between making its bridge in vain and looking whose that is."""
    ending = alone(1, ["b1"], "ending")
    begun(ending)

    class Late(HostNetwork):
        def _run(self, *command: str) -> subprocess.CompletedProcess[str]:
            done = HostNetwork._run(self, *command)
            if done.returncode and command[:3] == ("ip", "link", "add"):
                ending.close()
            return done

    other = Late(ending.subnet, {"b3": ending.addresses["b1"]}, "another")
    try:
        other.begin()
    finally:
        ending.close()
        other.close()


def test_without_iproute2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RocketmqError, match="There is no ip") as told:
        HostNetwork.of(["b1"])
    assert "iproute2" in str(told.value)


def test_controllers_on_jraft_are_disturbed_on_hosts_only(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["rocketmq", "chaos", "5.5.0", "--jraft", "--dir", str(tmp_path)])
    assert result.exit_code == 2 and "--jraft needs --hosts" in result.output
    result = CliRunner().invoke(main, ["cluster", "--rocketmq", "5.5.0", "--jraft", "--controllers", "0"])
    assert result.exit_code == 2 and "--controllers N" in result.output


def test_links_of_hosts_are_not_slow(tmp_path: Path) -> None:
    given = ["rocketmq", "chaos", "5.5.0", "--hosts", "--fault", "slow", "--dir", str(tmp_path)]
    result = CliRunner().invoke(main, given)
    assert result.exit_code == 2 and "whole or cut" in result.output
    result = CliRunner().invoke(main, ["rocketmq", "chaos", "5.5.0", "--hosts", "--show", "--minutes", "30"])
    assert result.exit_code == 0 and "isolate" in result.output and "slow" not in result.output
