"""Real clusters under faults; each takes minutes: `make check-real`."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.conformance.runs.validation import Answer
from rmqproof.model.tla.library import bundled
from rmqproof.rocketmq.commands.rocketmq.reproducing import opened
from rmqproof.rocketmq.java import find_java
from rmqproof.rocketmq.processes.chaos import judge_run, run_chaos
from rmqproof.rocketmq.processes.cluster import RealCluster
from rmqproof.rocketmq.processes.faults import Fault
from rmqproof.rocketmq.processes.nodes import IMPATIENT, NAME_SERVER
from rmqproof.rocketmq.processes.steered import steer
from rmqproof.rocketmq.releases import Release, get_release

from ..conftest import wanted

pytestmark = pytest.mark.large


@pytest.fixture(scope="module")
def release() -> Release:
    return get_release(wanted("5.5.0").version, also=(NAME_SERVER,))


def faults(*kinds: str) -> list[Fault]:
    """Both brokers are killed, one after the other, since which of them leads is a race of theirs; then the first does.
    The others are faults of the second: what a master acknowledges that nobody hears may be lost, by these settings."""
    killed = [Fault("kill", (place, 0.0), 6.0, 12.0) for place in (0.0, 0.9)]
    return [*killed, *(Fault(kind, (0.9, 0.0), 6.0, 8.0) for kind in kinds)]


def test_nothing_acknowledged_is_missing(release: Release, tmp_path: Path) -> None:
    said: list[str] = []
    with RealCluster(
        release, find_java(), tmp_path / "real", 2, dict(IMPATIENT), controllers=1, relayed=True
    ) as cluster:
        found = run_chaos(cluster, faults("isolate", "pause", "half-open"), said.append, 240, None)
    judge_run(found, tmp_path / "real", release.version, said.append)
    assert found.history.acknowledged() and found.history.seen, said
    assert not found.findings, (found.findings, said)
    assert found.validation is not None and found.validation.answer is Answer.YES
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


@pytest.mark.parametrize(("version", "broken"), [("5.5.0", True), ("5.3.3", False)])
def test_a_counterexample_is_steered_to_happen_where_its_rule_is(version: str, broken: bool, tmp_path: Path) -> None:
    release = get_release(wanted(version).version, also=(NAME_SERVER,))
    story = opened(bundled("InsufficientRemovalLoss.cfg"))
    said: list[str] = []
    found = steer(story, release, tmp_path / "real", None, said.append)
    assert found.broken is broken, (found.left, said)
    assert found.left == "" if broken else found.left.startswith("AcknowledgePut(b1, 1)")
