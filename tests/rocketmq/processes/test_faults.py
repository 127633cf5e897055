"""The schedule of faults, and how they are carried out, on a cluster that only writes down what is asked of it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from rmqproof.rocketmq.processes.cluster import RealCluster
from rmqproof.rocketmq.processes.faults import FAULTS, Fault, Faults, schedule


class Node:
    def __init__(self, folder: Path) -> None:
        self.folder, self.running, self.done = folder, True, [""][:0]

    def kill(self) -> None:
        self.running = False

    def start(self) -> None:
        self.running = True

    def set_logs_aside(self, name: str) -> None:
        self.done.append(f"logs of {name}")

    def pause(self) -> None:
        self.done.append("pause")

    def go_on(self) -> None:
        self.done.append("go on")


class Network:
    def __init__(self) -> None:
        self.held: list[tuple[str, str]] = []

    def pace(self, links: list[tuple[str, str]], held: bool = False, **_: float) -> None:
        self.held += links

    def heal(self) -> None:
        self.held = []

    def leave_half_open(self, *_: str) -> int:
        return 1

    break_off = leave_half_open


def cluster(folder: Path, members: set[int] | None = None, master: str | None = None) -> Any:
    names = ["n1", "c1", "b1", "b2", "b3"]
    nodes = {name: Node(folder / name) for name in names}
    return SimpleNamespace(
        nodes=nodes,
        network=Network(),
        broker_names=names[2:],
        sync_state_set=lambda: members,
        master=lambda: master,
        id_of=lambda name: int(name[1:]),
    )


def taking(found: Any, fault: Fault) -> tuple[list[str], list[Any]]:
    """What was marked, and what was held or down while it lasted."""
    marks: list[str] = []
    during: list[Any] = []

    def wait(seconds: float) -> None:
        if seconds == fault.lasts:
            during.append((sorted(found.network.held), [n for n, node in found.nodes.items() if not node.running]))

    Faults(cast(RealCluster, found), marks.append, wait).take(fault)
    return marks, during


def test_the_same_seed_gives_the_same_faults() -> None:
    assert schedule(7, 600) == schedule(7, 600) != schedule(8, 600)
    long = schedule(1, 20_000)
    assert {each.kind for each in long} == set(FAULTS)
    assert sum(each.lasts + each.quiet for each in long) >= 20_000
    assert {each.kind for each in schedule(1, 100, ["kill"])} == {"kill"}


def test_a_node_is_killed_and_started(tmp_path: Path) -> None:
    found = cluster(tmp_path)
    marks, during = taking(found, Fault("kill", (0.5, 0), 3.0, 0))
    assert marks == ["kill -9 of b2", "start b2"] and during == [([], ["b2"])]
    marks, during = taking(found, Fault("blackout", (0, 0), 3.0, 0))
    assert during == [([], ["b1", "b2", "b3"])] and found.nodes["b1"].running


def test_the_master_is_hit_as_often_as_all_others(tmp_path: Path) -> None:
    found = cluster(tmp_path, master="b3")
    hit = [taking(found, Fault("kill", (tenth / 10, 0), 3.0, 0))[0][0][-2:] for tenth in range(10)]
    assert hit.count("b3") == 5


def test_links_are_held_and_healed(tmp_path: Path) -> None:
    found = cluster(tmp_path)
    _, during = taking(found, Fault("cut", (0, 0), 3.0, 0))
    assert during[0][0] == [("b1", "b2"), ("b2", "b1")] and found.network.held == []
    _, during = taking(found, Fault("one-way", (0, 0), 3.0, 0))
    assert during[0][0] == [("b1", "b2")]
    _, during = taking(found, Fault("isolate", (0.9, 0), 3.0, 0))
    assert len(during[0][0]) == 10 and all("b3" in link for link in during[0][0])


def test_a_fault_of_links_may_last_until_the_end_of_the_next_one(tmp_path: Path) -> None:
    found = cluster(tmp_path)
    doing = Faults(found, lambda _: None, lambda _: None)
    doing.take(Fault("cut", (0, 0), 3.0, 0, stays=True))
    assert found.network.held
    doing.take(Fault("kill", (0, 0), 3.0, 0))
    assert not found.network.held


def test_a_disk_is_lost_only_while_another_member_runs(tmp_path: Path) -> None:
    found = cluster(tmp_path, {1})
    (tmp_path / "b1" / "store").mkdir(parents=True)
    assert taking(found, Fault("lose-disk", (0, 0), 3.0, 0)) == ([], [])
    assert (tmp_path / "b1" / "store").exists()
    marks, _ = taking(cluster(tmp_path, {1, 2}), Fault("lose-disk", (0, 0), 3.0, 0))
    assert "its disk is lost" in marks[0] and not (tmp_path / "b1" / "store").exists()


def test_a_node_goes_on_after_a_stop_that_is_interrupted(tmp_path: Path) -> None:
    found = cluster(tmp_path)

    def wait(seconds: float) -> None:
        raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        Faults(found, lambda _: None, wait).take(Fault("pause", (0, 0), 1, 0))
    assert found.nodes["b1"].done == ["pause", "go on"]
