"""Checkpoints: a search killed at any moment is taken up again and ends the same; a wrong checkpoint is refused."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import random
import subprocess
import sys
from pathlib import Path

import pytest

from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.checkpoint import MANIFEST, Checkpoint, CheckpointError
from rmqproof.model.search.control import Control
from rmqproof.model.search.result import PropertyKind, Step, Violation
from tests.at_length import first
from tests.observing import wait_until, written_again

from .toys import grid

SCRIPT = Path(__file__).with_name("resumable.py")


def start(folder: Path, workers: int) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, str(SCRIPT), str(folder), str(workers)], stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize("workers", first(1, [2, 1]))
def test_killed_again_and_again_it_ends_as_if_it_had_run_through(tmp_path, workers):
    expected = start(tmp_path / "whole", workers).communicate()[0].splitlines()[-1]
    assert expected.startswith("result safety failure")
    chance = random.Random(5)
    folder = tmp_path / "killed"
    resumed: list[int] = []
    for _ in range(6):
        saved = written_again(folder / MANIFEST, chance.randint(1, 9))
        process = start(folder, workers)
        wait_until(saved, process)
        process.kill()
        output = process.communicate()[0]
        resumed += [int(line.split()[1]) for line in output.splitlines() if line.startswith("resumed")]
    output = start(folder, workers).communicate()[0]
    assert "resumed" in output
    assert resumed == sorted(resumed)
    assert output.splitlines()[-1] == expected


def stopped_search(limit: int = 30) -> BreadthFirst:
    search = BreadthFirst(grid(9, 9), workers=1, control=Control(max_states=limit))
    search.run()
    return search


@pytest.fixture
def saved(tmp_path) -> Path:
    Checkpoint(tmp_path, "grid", "grid 9 by 9").save(stopped_search().search, 1.5)
    return tmp_path


def test_time_spent_before_counts(saved):
    result = BreadthFirst(grid(9, 9), workers=1, resume=Checkpoint(saved, "grid").load()).run()
    assert result.seconds >= 1.5
    assert result.distinct == 81


def test_refuses_a_folder_without_a_checkpoint(tmp_path):
    with pytest.raises(CheckpointError, match="there is no checkpoint"):
        Checkpoint(tmp_path, "grid").load()


def test_refuses_the_checkpoint_of_another_model(saved):
    with pytest.raises(CheckpointError, match=r"manifest\.json.*another model \(grid 9 by 9\)"):
        Checkpoint(saved, "another").load()


@pytest.mark.parametrize("part", ["fingerprints", "parents", "queue", "manifest"])
@pytest.mark.parametrize("damage", ["flip", "cut", "remove"])
def test_refuses_a_damaged_checkpoint_by_name(saved, part, damage):
    (path,) = saved.glob(f"{part}*")
    content = bytearray(path.read_bytes())
    if damage == "flip":
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
    elif damage == "cut":
        path.write_bytes(content[:-3])
    else:
        path.unlink()
    with pytest.raises(
        CheckpointError, match=r"no checkpoint in" if (part, damage) == ("manifest", "remove") else path.name
    ):
        Checkpoint(saved, "grid").load()


def test_what_a_kill_leaves_behind_is_ignored(saved):
    """Bytes appended after the last manifest, half a queue and half a manifest."""
    for path in saved.glob("fingerprints-*"):
        path.write_bytes(path.read_bytes() + b"half an app")
    (saved / "queue-7").write_bytes(b"half")
    (saved / "manifest.json.new").write_bytes(b"{")
    checkpoint = Checkpoint(saved, "grid")
    search = checkpoint.load()
    run = BreadthFirst(grid(9, 9), workers=1, resume=search, control=Control(max_states=50))
    run.run()
    checkpoint.save(run.search, 0.0)
    again = BreadthFirst(grid(9, 9), workers=1, resume=Checkpoint(saved, "grid").load()).run()
    assert (again.distinct, again.total, again.depth) == (81, 1 + 2 * 9 * 8, 17)


def test_only_the_files_of_the_newest_checkpoint_stay(saved):
    checkpoint = Checkpoint(saved, "grid")
    checkpoint.load()
    checkpoint.save(stopped_search(40).search, 0.0)
    checkpoint.save(stopped_search(50).search, 0.0)
    (saved / "queue-notes.txt").write_text("mine")
    fresh = Checkpoint(saved, "grid")
    fresh.save(stopped_search(20).search, 0.0)
    assert len(list(saved.iterdir())) == 5
    assert len(fresh.load().seen) == 20
    fresh.remove()
    assert [path.name for path in saved.iterdir()] == ["queue-notes.txt"]


class Mischief:
    """Code that runs when it is read as a pickle."""

    def __reduce__(self):
        return os.mkdir, ("/tmp/mischief-of-a-checkpoint",)


def test_a_queue_runs_nothing(saved):
    """Nor where its digest, and the manifest's, are made to fit."""
    (queue,) = saved.glob("queue-*")
    content = pickle.dumps([]) + pickle.dumps([Mischief()])
    queue.write_bytes(content)
    manifest = json.loads((saved / "manifest.json").read_bytes())["body"]
    manifest["queue"]["digest"] = hashlib.blake2b(content, digest_size=16).hexdigest()
    body = json.dumps(manifest, indent=1, sort_keys=True).encode()
    digest = hashlib.blake2b(body, digest_size=16).hexdigest()
    (saved / "manifest.json").write_text(json.dumps({"digest": digest, "body": manifest}))
    with pytest.raises(CheckpointError, match="no queue of states"):
        Checkpoint(saved, "grid").load()
    assert not Path("/tmp/mischief-of-a-checkpoint").exists()


def test_violations_are_kept(tmp_path):
    search = stopped_search(20).search
    steps = (Step(None, (), (0, 0)), Step("right", (1, "a"), (1, 0)))
    search.violations["Inv"] = Violation(PropertyKind.INVARIANT, "Inv", "It holds.", steps, None, ("fair",))
    Checkpoint(tmp_path / "kept", "grid").save(search, 0.0)
    assert Checkpoint(tmp_path / "kept", "grid").load().violations == search.violations
