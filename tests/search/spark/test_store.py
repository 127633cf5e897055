"""A store survives a kill at any moment, and is refused where it is damaged or another's."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import rmqproof.model.search.spark.store as store_module
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.control import Control
from rmqproof.model.search.result import Stopped
from rmqproof.model.search.spark.claims import Claims
from rmqproof.model.search.spark.incoming import Incoming, Taken
from rmqproof.model.search.spark.rows import SCHEMA, Rows
from rmqproof.model.search.spark.runner import LocalRunner
from rmqproof.model.search.spark.store import Store, StoreError, StoreWriter, order_file, states_file
from rmqproof.model.search.spark.system_kernel import SystemKernel
from rmqproof.model.search.spark.worker import Worker
from tests.observing import wait_until

from ..test_random_graphs import comparable
from ..toys import two_phase
from .local import InHand, explore, search_of

SPECS = Path(__file__).parents[2] / "specs"
COUNTS = (1568, 8258, 14)


class _Killed(BaseException):
    """The driver dies here."""


class _Mortal(LocalRunner):
    """Does its work, and dies before anybody hears of it, after so many jobs."""

    def __init__(self, worker: Worker, jobs: int) -> None:
        super().__init__(worker)
        self.jobs = jobs

    def run(self, plan, stop):
        found = super().run(plan, stop)
        self.jobs -= 1
        if self.jobs < 0:
            raise _Killed
        return found


@pytest.mark.parametrize("jobs", range(11))
def test_killed_at_any_level_and_resumed(tmp_path, jobs):
    """The files of the level at which it died are there; the manifest does not name them."""
    search = search_of(two_phase(3), tmp_path)
    search._local = _Mortal(Worker(), jobs)
    with pytest.raises(_Killed):
        search.run()
    again = search_of(two_phase(3), tmp_path, resume=True).run()
    assert comparable(again) == comparable(BreadthFirst(two_phase(3), workers=1).run())


def test_interrupted_and_resumed(tmp_path):
    control = Control()
    control.interrupt()
    search = search_of(two_phase(3), tmp_path, control=control)
    result = search.run()
    assert (result.stopped, result.exhaustive) == (Stopped.INTERRUPTED, False)
    again = search_of(two_phase(3), tmp_path, resume=True).run()
    assert comparable(again) == comparable(BreadthFirst(two_phase(3), workers=1).run())


def test_a_finished_store_has_its_result(tmp_path):
    first = explore(two_phase(3), tmp_path)
    assert comparable(explore(two_phase(3), tmp_path, resume=True)) == comparable(first)


def check(store: Path, *more: str) -> list[str]:
    command = [sys.executable, "-m", "rmqproof", "check", str(SPECS / "TwoPhaseCommit.cfg"), "--engine", "spark"]
    return [*command, "--store", str(store), "--partitions", "3", "--hand-over", "1000000", "--quiet", *more]


@pytest.mark.large
@pytest.mark.parametrize("level", [3, pytest.param(9, marks=pytest.mark.large)])
def test_a_driver_that_is_killed(tmp_path, level):
    """A real process, `kill -9` once the manifest speaks of a level; then the same command with --resume."""
    store, result = tmp_path / "store", tmp_path / "result.json"
    process = subprocess.Popen(check(store))
    manifest = store / "manifest.json"
    try:
        wait_until(
            lambda: manifest.exists() and len(json.loads(manifest.read_text())["store"]["levels"]) >= level, process
        )
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    run = subprocess.run(check(store, "--resume", "--json", str(result)), capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    found = json.loads(result.read_text())
    assert (found["distinctStates"], found["totalStates"], found["stateDepth"]) == COUNTS


# --- the table of a process that lives on after a failure -----------------------------------------------------------


def _fails(writer, table):
    raise RuntimeError("once")


def test_a_table_that_took_in_a_level_without_a_file_is_not_believed(tmp_path, monkeypatch):
    """Without the mark the second attempt finds every state in the table, and loses the level."""
    system = two_phase(3)
    recipe = InHand(system)
    worker, kernel = Worker(), SystemKernel(system)
    search = search_of(system, tmp_path, partitions=1)
    assert search._start() is None
    plan = search._plan(1, 1)
    worker._kernels[recipe.key] = worker._kernels[plan.recipe.key] = kernel
    (stored,) = worker.stored(plan, 1, plan.slices[0])
    expansion = kernel.expand(stored.states)
    count = len(expansion.fingerprints)
    claims = Claims(expansion.fingerprints, expansion.ordinals.astype(np.uint64), np.zeros(count, np.int32))
    monkeypatch.setattr(StoreWriter, "add", _fails)
    with pytest.raises(RuntimeError):
        worker.grant(plan, 2, 0, _incoming(plan, claims))
    monkeypatch.undo()
    (orders,), report = worker.grant(plan, 2, 0, _incoming(plan, claims))
    assert len(orders) == report.rows == len(set(expansion.fingerprints.tolist())) > 0


def _incoming(plan, claims):
    found = Incoming(plan)
    found.add(claims)
    return found


@pytest.mark.parametrize("in_files", [False, True])
def test_portions_are_merged_in_order(tmp_path, in_files):
    """Some at a time, however they lie in the portions."""
    search = search_of(two_phase(3), tmp_path)
    search._start()
    plan = search._plan(1, 1)
    plan = replace(plan, words=1, argument_words=1)
    taken = Taken(plan, in_files)
    for orders in (
        np.arange(0, 50, 2),
        np.arange(1, 20, 3),
        np.array([], int),
        np.arange(22, 50, 3),
        np.array([3, 47]),
    ):
        numbers, column = orders.astype(np.uint64), orders.astype(np.uint64).reshape(-1, 1)
        taken.add(Rows(numbers, numbers, numbers, np.zeros(len(orders), np.int16), column, column))
    chunks = list(taken.chunks(7))
    found = np.concatenate([rows.orders for rows in chunks]).tolist()
    assert found == sorted(found) and len(found) == len(taken) == 44
    assert all(rows.states[:, 0].tolist() == rows.orders.tolist() for rows in chunks)


# --- stores that are refused ----------------------------------------------------------------------------------------


@pytest.fixture
def stopped(tmp_path) -> Path:
    """A search of which eight levels are done."""
    search = search_of(two_phase(3), tmp_path / "store")
    search._local = _Mortal(Worker(), 7)
    with pytest.raises(_Killed):
        search.run()
    return tmp_path / "store"


def refused(folder: Path, system=None, **setting) -> str:
    with pytest.raises(StoreError) as error:
        explore(system or two_phase(3), folder, resume=True, **setting)
    return str(error.value)


def test_a_changed_byte_is_noticed_or_changes_nothing(stopped):
    """Pages carry checksums; what stands around them is either needed for reading or means nothing."""
    store, name = Store(str(stopped)), states_file(4, 0)
    whole = store.columns(name, SCHEMA.names)
    good = (stopped / name).read_bytes()
    noticed = 0
    for place in range(0, len(good), 3):
        (stopped / name).write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        try:
            assert store.columns(name, SCHEMA.names).equals(whole)
        except StoreError as error:
            assert f"{name}: this store cannot be used" in str(error)
            noticed += 1
    assert noticed > len(good) / 3 / 2


def test_a_search_does_not_go_on_from_a_damaged_file(stopped):
    path = stopped / states_file(8, 0)
    content = bytearray(path.read_bytes())
    content[len(content) // 10] ^= 0xFF
    path.write_bytes(content)
    said = refused(stopped)
    assert states_file(8, 0) in said
    assert "damaged" in said


def test_a_file_that_was_cut(stopped):
    path = stopped / states_file(3, 1)
    path.write_bytes(path.read_bytes()[:-5])
    assert f"{states_file(3, 1)}: this store cannot be used" in refused(stopped)


def test_a_file_that_is_missing(stopped):
    (stopped / states_file(2, 1)).unlink()
    assert f"{states_file(2, 1)}: this store cannot be used, because it is missing" in refused(stopped)


def test_a_changed_manifest(stopped):
    path = stopped / "manifest.json"
    path.write_text(path.read_text().replace('"partitions": 2', '"partitions": 3'))
    assert "manifest.json: this store cannot be used, because it is damaged" in refused(stopped)


def test_no_manifest(tmp_path):
    assert "there is no store here" in refused(tmp_path)


def test_another_model(stopped):
    assert "it belongs to another model" in refused(stopped, identity="another")


def test_another_number_of_partitions(stopped):
    assert "begun with --partitions 2" in refused(stopped, partitions=3)


def test_a_store_in_use_is_not_overwritten(stopped):
    with pytest.raises(StoreError, match="there is a store here already"):
        explore(two_phase(3), stopped)


def test_an_unknown_file_system():
    with pytest.raises(StoreError, match="no file system"):
        Store("nowhere://there").exists("manifest.json")


def test_a_uri(tmp_path):
    """Any file system that pyarrow knows; its local one stands for all."""
    search = search_of(two_phase(3), tmp_path)
    search.setting = type(search.setting)(Store(f"file://{tmp_path}/by-uri"), 2)
    search._past = type(search._past)(search.setting.store, 2, search.system, search._past.decode)
    assert search.run().distinct == 288
    assert (tmp_path / "by-uri" / "manifest.json").exists()
    assert not (tmp_path / "by-uri" / order_file(1, 0)).exists()


def test_a_row_is_found_in_whatever_group_it_lies(tmp_path, monkeypatch):
    monkeypatch.setattr(store_module, "ROWS_EACH", 2)
    store = Store(str(tmp_path))
    columns = {
        "fingerprint": [7, -2, 5, 9, 3],
        "state": [b"a", b"b", b"c", b"d", b"e"],
        "parent": [None, 7, 7, 7, 7],
        "action": ["A"] * 5,
        "arguments": ["[]"] * 5,
        "ordinal": [0, 1, 2, 3, 4],
        "order": [0, 1, 2, 3, 4],
    }
    arrays = [pa.array(columns[field.name], field.type) for field in SCHEMA]
    store.write("states.parquet", pa.Table.from_arrays(arrays, schema=SCHEMA))
    found = [store.row("states.parquet", "fingerprint", number, ["state", "parent"]) for number in (7, -2, 3, 8)]
    assert found == [{"state": b"a", "parent": None}, {"state": b"b", "parent": 7}, {"state": b"e", "parent": 7}, None]
