"""A cluster that one command starts and others find, with a program in the place of Java that only lives."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli import main
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.java import Java, find_java
from rmqproof.rocketmq.processes import standing
from rmqproof.rocketmq.processes.cluster import RealCluster
from rmqproof.rocketmq.processes.java_process import JavaProcess
from rmqproof.rocketmq.processes.nodes import broker, controller
from rmqproof.rocketmq.releases import Release, get_release
from rmqproof.rocketmq.tracing import agent

pytestmark = pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="/proc tells which process it is")
RELEASE = Release("5.5.0", "/nowhere", ())
_JAVA = """[ "$1" = -version ] && echo 'a test version "17"' >&2 && exit
while :; do sleep 1; done"""


@pytest.fixture
def java(tmp_path: Path) -> Java:
    home = tmp_path / "java"
    for folder in ("bin", "lib/server"):
        (home / folder).mkdir(parents=True)
    (home / "lib" / "server" / "libjvm.so").touch()
    for name, script in (("java", _JAVA), ("javac", "exit 0")):
        (home / "bin" / name).write_text(f"#!/bin/sh\n{script}\n")
        (home / "bin" / name).chmod(0o755)
    return find_java(home)


@pytest.fixture
def cluster(java: Java, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RealCluster]:
    monkeypatch.setenv("RMQPROOF_CACHE", str(tmp_path / "cache"))
    release = get_release(RELEASE.version, resolve=lambda *_: [])
    with RealCluster(release, java, tmp_path / "real", 2, controllers=1, traced=True) as found:
        standing.save(found)
        yield found


@pytest.fixture
def found_again(cluster: RealCluster) -> RealCluster:
    return standing.load(cluster.folder)


def state(process: JavaProcess) -> str:
    return Path(f"/proc/{process.pid}/stat").read_text().rsplit(") ", 1)[1][0]


def test_another_program_finds_its_processes(cluster: RealCluster, found_again: RealCluster) -> None:
    assert list(found_again.nodes) == ["n1", "c1", "b1", "b2"]
    assert found_again.controller_ports == cluster.controller_ports
    for name, node in found_again.nodes.items():
        assert node.running and node.pid == cluster.nodes[name].pid
        assert node.settings == cluster.nodes[name].settings
        told = f"{name},{RELEASE.version},{cluster.traces}/{name}.ndjson"
        assert f"-javaagent:{agent.build(cluster.java)}={told}" in node.command()
    found_again.nodes["b1"].pause()
    while state(cluster.nodes["b1"]) != "T":
        pass
    found_again.nodes["b1"].go_on()
    while state(cluster.nodes["b1"]) == "T":
        pass


def test_a_node_is_killed_and_started_by_another_program(found_again: RealCluster, cluster: RealCluster) -> None:
    before = found_again.nodes["b2"].pid
    cluster.nodes["b2"].kill()
    assert not found_again.nodes["b2"].running and found_again.nodes["b2"].pid is None
    found_again.nodes["b2"].start()
    again = standing.load(cluster.folder).nodes["b2"]
    assert again.running and again.pid != before
    found_again.nodes["b2"].kill()
    assert not again.running


def test_a_process_id_that_another_process_has_now_is_nobodys(cluster: RealCluster, found_again: RealCluster) -> None:
    (cluster.folder / "b1" / "pid").write_text("1 1")
    assert not found_again.nodes["b1"].running
    found_again.nodes["b1"].kill()  # of process 1 nothing is asked


def test_a_users_settings_but_for_places(tmp_path: Path, java: Java) -> None:
    (tmp_path / "broker.conf").write_text(
        "allAckInSyncStateSet=true\nlistenPort=10911\nstorePathRootDir=/data\nflushDiskType = SYNC_FLUSH\n"
    )
    own = standing.read_settings(tmp_path / "broker.conf")
    kept = standing.kept(own)
    assert kept == {"allAckInSyncStateSet": "true", "flushDiskType": "SYNC_FLUSH"}
    made = broker(RELEASE, java, tmp_path / "b1", "c", "n", 20000, own=own).settings
    assert made["flushDiskType"] == "SYNC_FLUSH" and made["listenPort"] == "20000"
    assert made["storePathRootDir"] == str(tmp_path / "b1" / "store") and "checkSyncStateSetPeriod" not in made
    assert broker(RELEASE, java, tmp_path / "b1", "c", "n", 20000).settings["checkSyncStateSetPeriod"] == "1000"
    peers = ["127.0.0.1:1", "127.0.0.1:2"]
    one = controller(RELEASE, java, tmp_path / "c1", peers, 1, own={"enableElectUncleanMaster": "true"}).settings
    assert one["enableElectUncleanMaster"] == "true" and one["controllerDLegerSelfId"] == "n1"
    with pytest.raises(RocketmqError, match="cannot be read"):
        standing.read_settings(tmp_path / "none.conf")


def test_the_commands_see_what_the_directory_holds(cluster: RealCluster, found_again: RealCluster) -> None:
    place = ["--dir", str(cluster.folder)]
    done = CliRunner().invoke(main, ["cluster", "kill", "b3", *place])
    assert done.exit_code == 153 and "There is no node b3." in done.output
    done = CliRunner().invoke(main, ["cluster", "start", "b1", *place])
    assert done.exit_code == 153 and "b1 runs." in done.output
    assert CliRunner().invoke(main, ["cluster", "kill", "b1", *place]).exit_code == 0
    assert not cluster.nodes["b1"].running
    (cluster.folder / standing.FILE).write_text("{")
    done = CliRunner().invoke(main, ["cluster", "status", *place])
    assert done.exit_code == 153 and "cannot be read" in done.output


def test_a_release_and_a_command_are_not_given_together(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["cluster", "--rocketmq", "5.5.0", "status", "--dir", str(tmp_path)])
    assert done.exit_code == 2 and "--rocketmq is for starting one" in done.output
