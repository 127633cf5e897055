"""Real clusters under faults; each takes minutes: `make check-real`."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.rocketmq.java import find_java
from rmqproof.rocketmq.processes.chaos import run_chaos
from rmqproof.rocketmq.processes.cluster import RealCluster
from rmqproof.rocketmq.processes.faults import Fault
from rmqproof.rocketmq.processes.nodes import IMPATIENT, NAME_SERVER
from rmqproof.rocketmq.releases import Release, get_release

from ..conftest import wanted

pytestmark = pytest.mark.large


@pytest.fixture(scope="module")
def release() -> Release:
    return get_release(wanted("5.5.0").version, also=(NAME_SERVER,))


def faults(*kinds: str) -> list[Fault]:
    """Each on the first broker, or what is chosen first."""
    return [Fault(kind, (0.0, 0.0), 6.0, 8.0) for kind in kinds]


def test_nothing_acknowledged_is_missing(release: Release, tmp_path: Path) -> None:
    said: list[str] = []
    with RealCluster(
        release, find_java(), tmp_path / "real", 2, dict(IMPATIENT), controllers=1, relayed=True
    ) as cluster:
        found = run_chaos(cluster, faults("kill", "isolate", "pause", "half-open"), said.append, 240, None)
    assert found.history.acknowledged() and found.history.seen, said
    assert not found.findings, (found.findings, said)
    assert len(found.diagnosis.reigns) > 1, "a master that is killed is followed by another one"


@pytest.mark.parametrize("flush", ["SYNC_FLUSH", "ASYNC_FLUSH"])
def test_what_a_loss_of_power_leaves_is_what_flush_disk_type_says(flush: str, release: Release, tmp_path: Path) -> None:
    settings = {"flushDiskType": flush, "flushIntervalCommitLog": "600000", "flushCommitLogThoroughInterval": "600000"}
    with RealCluster(release, find_java(), tmp_path / "real", 1, settings, forces_seen=True) as cluster:
        cluster.until(lambda: cluster.master() is not None, "the master")
        cluster.until(lambda: cluster.put("first").stored, "the first message")
        stored = [cluster.put(f"m{number}", seconds=30).stored for number in range(20)]
        before, after = cluster.lose_power("b1")
    assert all(stored) and before >= 20
    assert after == before if flush == "SYNC_FLUSH" else after < before
